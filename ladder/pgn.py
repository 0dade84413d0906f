"""Headers of a PGN file as two-player results: half a point for a draw, every game a block of its own.

So that anyone can hold the ladder against other rating software.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ladder.errors import LadderError
from ladder.results import Result

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_ESCAPE = re.compile(r"\\(.)")
_PLACES = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
_UNFINISHED = "*"


def read_pgn(path: Path) -> Iterator[Result]:
    """Finished games of the PGN file at `path`, as matches `game-000001` and so on, numbered as they stand.

    Games without a result (`*`) are passed over. UTF-8, or Latin-1 as the PGN standard has it.

    Raises:
        LadderError: the file cannot be read, or a game lacks White, Black or Result; the message names file and line.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise LadderError(f"{path}: cannot be read ({error.strerror}); give the path of a PGN file") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return parse_pgn(text.splitlines(), source=path.name)


def parse_pgn(lines: Iterable[str], *, source: str) -> Iterator[Result]:
    """Finished games of `lines`. `source` stands before the line number in messages."""
    for number, (line_number, tags) in enumerate(_games(lines), start=1):
        where = f"{source}: game {number} (line {line_number})"
        for name in ("White", "Black", "Result"):
            if not tags.get(name) or not tags[name].isprintable():
                raise LadderError(f'{where}: no readable {name} header; every game needs [{name} "..."]')
        outcome = tags["Result"]
        if outcome == _UNFINISHED:
            continue
        if outcome not in _PLACES:
            raise LadderError(f"{where}: Result is {outcome[:20]!r}; it is 1-0, 0-1, 1/2-1/2 or *")
        yield Result(f"game-{number:06d}", None, (tags["White"], tags["Black"]), _PLACES[outcome])


def _games(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and headers of each game. Comments in braces may run over lines and hold anything, headers too."""
    tags: dict[str, str] = {}
    start = 1
    in_moves = in_comment = False
    for number, line in enumerate(lines, start=1):
        if not in_comment and (found := _TAG.match(line)):
            if in_moves and tags:
                yield start, tags
                tags = {}
            if not tags:
                start = number
            in_moves = False
            tags[found[1]] = _ESCAPE.sub(r"\1", found[2])
        elif line.strip() and not (line.startswith("%") and not in_comment):
            in_moves = True
            in_comment = _comment_after(line, in_comment=in_comment)
    if tags:
        yield start, tags


def _comment_after(line: str, *, in_comment: bool) -> bool:
    """Whether a brace comment is open after `line`."""
    for character in line:
        if in_comment:
            in_comment = character != "}"
        elif character == "{":
            in_comment = True
        elif character == ";":  # the rest of the line is a comment
            break
    return in_comment
