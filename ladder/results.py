"""What the ladder is made from: results of matches, and the file that holds them.

A results file is UTF-8 text with one match a line, a JSON object:

    {"match": "m1", "block": "b1", "bots": ["a", "b", "c", "d"], "places": [1, 2, 2, 4], "points": [95, 100, 100, 105]}

`block` names what shares deals; without it the match stands alone. `points` may be absent. Two more members may be
there: `faults`, a list of {"seat": 1, "kind": "timeout"}, and `unrated`, a list of seats that were not played by the
bot named there. Seats count from 0. A match that is told twice in the same words counts once.
"""

import difflib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ladder.errors import LadderError

WITHDRAWN = "withdrawn"
"""The kind among `faults` that is none: another played the seat, because the bot had been withdrawn before."""


class Result(NamedTuple):
    """The outcome of one match, seat by seat.

    `block` must tell apart everything that does not share deals: a caller whose block numbers begin anew in every
    round puts the round in front. None: the match is a block of its own.
    """

    match: str
    block: str | None
    bots: tuple[str, ...]
    places: tuple[int, ...]  # from 1, low is good; equal places are ties
    points: tuple[float, ...] | None = None
    faults: tuple[str | None, ...] = ()  # kind by seat, or empty: nobody faulted. A faulted seat's points count nowhere
    unrated: tuple[int, ...] = ()  # seats to leave out: their pairs and points count nowhere, the others' do

    @property
    def size(self) -> int:
        """Seats at the table."""
        return len(self.bots)


_REQUIRED = ("match", "bots", "places")
_MEMBERS = ("match", "block", "bots", "places", "points", "faults", "unrated")


def read_results(path: Path) -> Iterator[Result]:
    """Results of the file at `path`, line by line.

    Raises:
        LadderError: the file cannot be read, or a line is not a result; the message names file, line and member.
    """
    if path.suffix == ".gz":
        raise LadderError(f"{path}: compressed; a results file is plain text (`cardarena import` takes in *.jsonl.gz)")
    try:
        with path.open("rb") as file:
            yield from parse_results(file, source=path.name)
    except OSError as error:
        raise LadderError(f"{path}: cannot be read ({error.strerror}); give the path of a results file") from error


def parse_results(lines: Iterable[bytes], *, source: str) -> Iterator[Result]:
    """Results of `lines`; empty lines are passed over. `source` stands before the line number in messages."""
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if line.strip():
            yield _parse_line(line, where=f"{source}: line {number}")


def _parse_line(line: bytes, *, where: str) -> Result:
    try:
        value = json.loads(line.decode(), object_pairs_hook=_members, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise LadderError(f"{where}: not one JSON object ({_short(error)}); each line holds one match") from error
    if not isinstance(value, dict):
        raise LadderError(f"{where}: not a JSON object; each line holds one match, as {{...}}")
    for name in value:
        if name not in _MEMBERS:
            if name == "record":
                raise LadderError(
                    f"{where}: a whole record, not a result; `cardarena import` takes in files of records"
                )
            near = difflib.get_close_matches(name, _MEMBERS, n=1)
            mend = f"did you mean {near[0]}?" if near else f"known are {', '.join(_MEMBERS)}"
            raise LadderError(f"{where}: unknown member {name[:40]!r}; {mend}")
    for name in _REQUIRED:
        if name not in value:
            raise LadderError(f"{where}: member {name} is missing; a result has match, bots and places")
    bots = tuple(_name(bot, f"{where}: bots[{seat}]") for seat, bot in enumerate(_list(value, "bots", where)))
    if len(bots) < 2:
        raise LadderError(f"{where}: bots: {len(bots)} given; a match has at least two")
    count = len(bots)
    points = None
    if value.get("points") is not None:
        points = tuple(
            _number(item, f"{where}: points[{seat}]") for seat, item in _per_seat(value, "points", count, where)
        )
    return Result(
        match=_name(value["match"], f"{where}: match"),
        block=None if value.get("block") is None else _name(value["block"], f"{where}: block"),
        bots=bots,
        places=tuple(
            _place(item, count, f"{where}: places[{seat}]") for seat, item in _per_seat(value, "places", count, where)
        ),
        points=points,
        faults=_faults(value, count, where),
        unrated=_unrated(value, count, where),
    )


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice")
    return members


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _short(error: Exception) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)[:120]


def _list(value: dict[str, object], name: str, where: str) -> Sequence[object]:
    items = value[name]
    if not isinstance(items, list):
        raise LadderError(f"{where}: {name}: not a list")
    return items


def _per_seat(value: dict[str, object], name: str, count: int, where: str) -> Iterator[tuple[int, object]]:
    items = _list(value, name, where)
    if len(items) != count:
        raise LadderError(f"{where}: {name}: {len(items)} given for {count} bots; one a seat")
    return iter(enumerate(items))


def _name(item: object, where: str) -> str:
    if not isinstance(item, str) or not item:
        raise LadderError(f"{where}: not a name; a text that is not empty")
    if not item.isprintable():
        raise LadderError(f"{where}: {item[:40]!r} holds control characters; names are printable")
    return item


def _whole(item: object, low: int, high: int, where: str) -> int:
    if not isinstance(item, int) or isinstance(item, bool) or not low <= item <= high:
        raise LadderError(f"{where}: {str(item)[:40]}; a whole number from {low} to {high}")
    return item


def _place(item: object, count: int, where: str) -> int:
    return _whole(item, 1, count, where)


def _number(item: object, where: str) -> float:
    # Sums of squares must stay finite: nothing that is played for comes near 1e100.
    if not isinstance(item, int | float) or isinstance(item, bool) or not abs(item) < 1e100 or not math.isfinite(item):
        raise LadderError(f"{where}: {str(item)[:40]}; a number")
    return float(item)


def _faults(value: dict[str, object], count: int, where: str) -> tuple[str | None, ...]:
    if value.get("faults") is None:
        return ()
    kinds: list[str | None] = [None] * count
    for index, item in enumerate(_list(value, "faults", where)):
        here = f"{where}: faults[{index}]"
        if not isinstance(item, dict) or "seat" not in item or "kind" not in item:
            raise LadderError(f'{here}: not a fault; write {{"seat": 1, "kind": "timeout"}}')
        seat = _whole(item["seat"], 0, count - 1, f"{here}.seat")
        if kinds[seat] is not None:
            raise LadderError(f"{here}: seat {seat} has a fault already; the first one stands")
        kinds[seat] = _name(item["kind"], f"{here}.kind")
    return tuple(kinds) if any(kinds) else ()


def _unrated(value: dict[str, object], count: int, where: str) -> tuple[int, ...]:
    if value.get("unrated") is None:
        return ()
    items = _list(value, "unrated", where)
    seats = {_whole(item, 0, count - 1, f"{where}: unrated[{index}]") for index, item in enumerate(items)}
    return tuple(sorted(seats))
