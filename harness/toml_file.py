"""TOML files that people write, read into frozen values; every mistake told in one line.

A line names the file, the key, what is wrong and the mend:

    spring.toml: [limits] memory: no such key; did you mean memory_mb?

`read` and `parse` report all mistakes of a file at once. A model of a file is a `Table` whose fields
are the file's tables; `canonical_json` writes a value down so that equal values give equal text.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.printable import printable

MAX_FILE_BYTES = 1 << 20
SHOWN_CHARACTERS = 60

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")


class TomlError(HarnessError):
    """A file that cannot be used. `mistakes` are its lines, at least one."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


class KeyMistakes(ValueError):
    """Raised by a check across keys: each mistake with the key that it is told at."""

    def __init__(self, mistakes: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{where}: {what}" for where, what in mistakes))
        self.mistakes = tuple(mistakes)


class Table(BaseModel):
    """One table of a file: no unknown keys, nothing converted, never changed."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    def canonical_json(self) -> str:
        """The value as JSON, defaults included: the same text for the same value, whatever the file looked like."""
        return canonical_json(self.model_dump(mode="json", by_alias=True))


T = TypeVar("T", bound=Table)


def _tuple_of(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


AsTuple = BeforeValidator(_tuple_of)
Texts = Annotated[tuple[str, ...], AsTuple]
"""A list of texts, kept as a tuple."""


def checked_by(problem: Callable[[str], str | None]) -> AfterValidator:
    """For a text that must be more than a text: `problem` says why it is not, or None."""

    def check(text: str) -> str:
        if (why_not := problem(text)) is not None:
            raise ValueError(why_not)
        return text

    return AfterValidator(check)


def canonical_json(value: object) -> str:
    """`value` (plain JSON values) with sorted keys and without spaces.

    >>> canonical_json({"b": [1, 2.0], "a": None})
    '{"a":null,"b":[1,2.0]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def read(path: Path, table: type[T], *, max_bytes: int = MAX_FILE_BYTES) -> T:
    """The file at `path` as a `table`. TomlError where it is none."""
    source = printable(str(path))
    try:
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise TomlError([f"{source}: there is no such file"]) from None
    except OSError as error:
        raise TomlError([f"{source}: cannot be read: {error.strerror}"]) from None
    if len(content) > max_bytes:
        raise TomlError([f"{source}: larger than {max_bytes:,} bytes, which no such file needs"])
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TomlError([f"{source}: line {line} is not UTF-8; save the file as UTF-8"]) from None
    return parse(text, table, source=source)


def parse(text: str, table: type[T], *, source: str) -> T:
    """`text` as a `table`. TomlError where it is none; its lines begin with `source`."""
    try:
        members = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise TomlError([f"{source}: nested too deeply"]) from None
    except ValueError as error:  # TOMLDecodeError, and int() of thousands of digits
        raise TomlError([f"{source}: not TOML: {printable(str(error))}"]) from None
    return build(members, table, source=source)


def build(members: Mapping[str, object], table: type[T], *, source: str) -> T:
    """The value that decoded TOML holds. TomlError with one line a mistake."""
    try:
        return table.model_validate(members)
    except ValidationError as error:
        details = error.errors(include_url=False)
    raise TomlError([f"{source}: {line}" for detail in details for line in _lines(table, detail)])


def shown(value: object) -> str:
    """`value` as an error message shows it: short, printable, truth values as TOML writes them."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."


def _lines(table: type[Table], detail: ErrorDetails) -> Iterator[str]:
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, KeyMistakes):
        yield from (f"{where}: {what}" for where, what in cause.mistakes)
    else:
        yield f"{_where(table, detail['loc'])}: {_what(table, detail)}"


def _keys(table: type[Table]) -> dict[str, type[Table] | None]:
    """Keys of `table` as the file writes them, each with the table that it holds, if it holds one (or a list)."""
    return {field.alias or name: _held_table(field.annotation) for name, field in table.model_fields.items()}


def _field(table: type[Table], key: str) -> FieldInfo | None:
    return next((field for name, field in table.model_fields.items() if (field.alias or name) == key), None)


def _is_list(table: type[Table], key: str) -> bool:
    field = _field(table, key)
    return field is not None and get_origin(field.annotation) is tuple


def _is_table(table: type[Table], key: str) -> bool:
    field = _field(table, key)
    return field is not None and (get_origin(field.annotation) is dict or _held_table(field.annotation) is not None)


def _held_table(annotation: object) -> type[Table] | None:
    if isinstance(annotation, type) and issubclass(annotation, Table):
        return annotation
    found = (_held_table(argument) for argument in get_args(annotation))
    return next((held for held in found if held is not None), None)


def _where(table: type[Table], loc: Sequence[str | int]) -> str:
    """`[limits] memory_mb`, `[[bots]] 2, time.bank_s`, `schema`."""
    steps = list(loc)
    if not steps:
        return "the whole file"
    first = str(steps.pop(0))
    if not _is_table(table, first):
        return _dotted([first, *steps])
    where = f"[[{first}]] {int(steps.pop(0)) + 1}" if steps and isinstance(steps[0], int) else f"[{first}]"
    return f"{where} {_dotted(steps)}" if steps else where


def _dotted(steps: Sequence[str | int]) -> str:
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f", item {step + 1}"
        else:
            key = step if _BARE_KEY.fullmatch(step) else shown(step)
            text += f".{key}" if text else key
    return text


def _table_at(table: type[Table], loc: Sequence[str | int]) -> type[Table]:
    """The table that holds the last key of `loc`."""
    for step in loc[:-1]:
        held = _keys(table).get(step) if isinstance(step, str) else None
        table = held or table
    return table


_KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "tuple_type": "a list in [brackets]",
    "dict_type": "a table",
    "model_type": "a table",
}
_BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def _what(table: type[Table], detail: ErrorDetails) -> str:
    kind, loc, value, context = detail["type"], detail["loc"], detail["input"], detail.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind == "extra_forbidden":
        return _unknown_key(table, loc)
    if kind == "missing":
        return f"missing; write {_example(table, loc)}"
    if kind in _KINDS:
        return f"must be {_KINDS[kind]}, not {shown(value)}"
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"must be {words} {context[bound]}, not {shown(value)}"
    if loc == ("schema",):
        return f"this program reads schema {context.get('expected', '1')}, not {shown(value)}; a newer one may"
    if kind == "literal_error":
        return _not_offered(context["expected"], value)
    return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}, not {shown(value)}"


def _not_offered(expected: str, value: object) -> str:
    offered = re.findall(r"'([^']*)'", expected)
    close = get_close_matches(value, offered, 1) if isinstance(value, str) else []
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"must be {expected}, not {shown(value)}{hint}"


def _example(table: type[Table], loc: Sequence[str | int]) -> str:
    key, here = str(loc[-1]), _table_at(table, loc)
    field = _field(here, key)
    if field is not None and field.examples:
        return f"{key} = {field.examples[0]}"
    return f"[{key}]" if _is_table(here, key) else f"{key} = ..."


def _unknown_key(table: type[Table], loc: Sequence[str | int]) -> str:
    key, here = str(loc[-1]), _table_at(table, loc)
    elsewhere = next((home for home, name in _homes(table) if name == key), None)
    if elsewhere is not None:
        return f"no such key here; it belongs {elsewhere}"
    return f"no such key; {did_you_mean(key, list(_keys(here)))}"


def _homes(table: type[Table]) -> Iterator[tuple[str, str]]:
    """Every key of the file with the place where it belongs."""
    for key, held in _keys(table).items():
        yield ("at the top level, as a table" if _is_table(table, key) else "at the top, before any [table]"), key
        if held is not None:
            for inner in _keys(held):
                yield f"in [[{key}]]" if _is_list(table, key) else f"in [{key}]", inner
