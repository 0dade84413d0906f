"""As much of JSON Schema as the project's own schemas use."""

import re
from collections.abc import Iterator

Json = dict[str, object]
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}


def problems(value: object, schema: Json, root: Json, where: str = "") -> Iterator[str]:
    """What is wrong with `value` by `schema`. ValueError for a keyword that is not known here."""
    for keyword, wanted in schema.items():
        if keyword in ("$schema", "$defs", "title", "description", "default", "examples", "required"):
            continue
        check = _CHECKS.get(keyword)
        if check is None:
            raise ValueError(f"{keyword} is not known here")
        yield from check(value, wanted, schema, root, where)
    if isinstance(value, dict):
        required = schema.get("required", [])
        assert isinstance(required, list)
        yield from (f"{where}: {key} is missing" for key in required if key not in value)


def _ref(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    assert isinstance(wanted, str)
    definitions = root["$defs"]
    assert isinstance(definitions, dict)
    yield from problems(value, definitions[wanted.removeprefix("#/$defs/")], root, where)


def _any_of(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    assert isinstance(wanted, list)
    if all(list(problems(value, branch, root, where)) for branch in wanted):
        yield f"{where}: fits none of the forms"


def _type(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    names = [str(name) for name in (wanted if isinstance(wanted, list) else [wanted])]
    fits = any(isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool)) for name in names)
    if not fits:
        yield f"{where}: {value!r} is no {wanted}"


def _properties(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    assert isinstance(wanted, dict)
    if isinstance(value, dict):
        for key, item in value.items():
            if key in wanted:
                yield from problems(item, wanted[key], root, f"{where}/{key}")


def _additional(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    known = schema.get("properties", {})
    assert isinstance(known, dict)
    if isinstance(value, dict):
        for key, item in value.items():
            if key in known:
                continue
            if isinstance(wanted, dict):
                yield from problems(item, wanted, root, f"{where}/{key}")
            else:
                yield f"{where}: no key is called {key}"


def _items(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    assert isinstance(wanted, dict)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from problems(item, wanted, root, f"{where}/{index}")


def _bound(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    assert isinstance(wanted, int | float)
    if isinstance(value, int | float) and any(
        (key in schema and schema[key] == wanted and broken)
        for key, broken in (
            ("minimum", value < wanted),
            ("maximum", value > wanted),
            ("exclusiveMinimum", value <= wanted),
            ("exclusiveMaximum", value >= wanted),
        )
    ):
        yield f"{where}: {value} is out of bounds"


def _pattern(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    assert isinstance(wanted, str)
    if isinstance(value, str) and re.search(wanted, value) is None:
        yield f"{where}: {value!r} does not fit"


def _one_of(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    offered = wanted if isinstance(wanted, list) else [wanted]
    if value not in offered:
        yield f"{where}: {value!r} is none of {offered}"


def _list(value: object, wanted: object, schema: Json, root: Json, where: str) -> Iterator[str]:
    if isinstance(value, list):
        least = schema.get("minItems", 0)
        assert isinstance(least, int)
        if len(value) < least:
            yield f"{where}: too short"
        if schema.get("uniqueItems") and len({str(item) for item in value}) < len(value):
            yield f"{where}: twice the same"


_CHECKS = {
    "$ref": _ref,
    "anyOf": _any_of,
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "minimum": _bound,
    "maximum": _bound,
    "exclusiveMinimum": _bound,
    "exclusiveMaximum": _bound,
    "pattern": _pattern,
    "enum": _one_of,
    "const": _one_of,
    "minItems": _list,
    "uniqueItems": _list,
    "minLength": _list,
}
