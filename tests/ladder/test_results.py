"""The results file, member by member, and PGN headers."""

import json
from pathlib import Path

import pytest

from ladder.errors import LadderError
from ladder.pgn import parse_pgn, read_pgn
from ladder.results import Result, parse_results, read_results

GOOD = {
    "match": "m1",
    "block": "b1",
    "bots": ["a", "b", "c", "d"],
    "places": [1, 2, 2, 4],
    "points": [95, 100, 100, 105],
}


def _read(*values: object) -> list[Result]:
    return list(parse_results([json.dumps(value).encode() for value in values], source="r.jsonl"))


def _message(line: bytes) -> str:
    with pytest.raises(LadderError) as caught:
        list(parse_results([b"\n", line], source="r.jsonl"))
    message = str(caught.value)
    assert message.startswith("r.jsonl: line 2: ")
    assert "\n" not in message
    return message


def test_the_documented_line_is_read() -> None:
    assert _read(GOOD) == [Result("m1", "b1", ("a", "b", "c", "d"), (1, 2, 2, 4), (95, 100, 100, 105))]
    assert _read(GOOD)[0].size == 4


def test_block_and_points_may_be_absent() -> None:
    assert _read({"match": "m", "bots": ["a", "b"], "places": [1, 2]}) == [Result("m", None, ("a", "b"), (1, 2))]
    assert _read({"match": "m", "block": None, "bots": ["a", "b"], "places": [1, 2], "points": None})[0].block is None


def test_faults_and_unrated_seats_are_read() -> None:
    line = GOOD | {"faults": [{"seat": 3, "kind": "timeout", "deal": 2}], "unrated": [1]}

    assert _read(line)[0].faults == (None, None, None, "timeout")
    assert _read(line)[0].unrated == (1,)


def test_empty_lines_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n\r\n  \n")

    assert len(list(read_results(path))) == 1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match=r"none\.jsonl: cannot be read"):
        list(read_results(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"match": None}, "match: not a name"),
        ({"match": 3}, "match: not a name"),
        ({"match": ""}, "match: not a name"),
        ({"match": "m\u001b[31m"}, "match: 'm\\x1b[31m' holds control characters"),
        ({"block": 4}, "block: not a name"),
        ({"bots": "abcd"}, "bots: not a list"),
        ({"bots": ["a", "b", "c", 4]}, "bots[3]: not a name"),
        ({"bots": ["a", "b", "c", "\ud800"]}, "bots[3]: '\\ud800' holds control characters"),
        ({"bots": ["a"], "places": [1], "points": [1]}, "bots: 1 given; a match has at least two"),
        ({"places": [1, 2, 2]}, "places: 3 given for 4 bots"),
        ({"places": [1, 2, 2, 5]}, "places[3]: 5; a whole number from 1 to 4"),
        ({"places": [0, 2, 2, 4]}, "places[0]: 0;"),
        ({"places": [1.0, 2, 2, 4]}, "places[0]: 1.0;"),
        ({"places": [True, 2, 2, 4]}, "places[0]: True;"),
        ({"places": None}, "places: not a list"),
        ({"points": [1, 2, 3]}, "points: 3 given for 4 bots"),
        ({"points": [1, 2, 3, "4"]}, "points[3]: 4; a number"),
        ({"points": [1, 2, 3, 1e300]}, "points[3]: 1e+300; a number"),
        ({"points": [1, 2, 3, 10**400]}, "points[3]: 1000"),
        ({"faults": [{"seat": 4, "kind": "timeout"}]}, "faults[0].seat: 4; a whole number from 0 to 3"),
        ({"faults": [{"seat": 1}]}, "faults[0]: not a fault"),
        ({"faults": [{"seat": 1, "kind": 0}]}, "faults[0].kind: not a name"),
        ({"faults": [{"seat": 1, "kind": "a"}, {"seat": 1, "kind": "b"}]}, "faults[1]: seat 1 has a fault already"),
        ({"faults": "no"}, "faults: not a list"),
        ({"unrated": [9]}, "unrated[0]: 9;"),
        ({"blok": "b1"}, "unknown member 'blok'; did you mean block?"),
        ({"record": 1}, "a whole record, not a result; `cardarena import` takes in"),
        ({"zzz": 1}, "unknown member 'zzz'; known are match, block,"),
    ],
)
def test_a_wrong_member_is_named_with_its_line(change: dict[str, object], expected: str) -> None:
    assert expected in _message(json.dumps(GOOD | change).encode())


@pytest.mark.parametrize("member", ["match", "bots", "places"])
def test_a_missing_member_is_named(member: str) -> None:
    line = {name: value for name, value in GOOD.items() if name != member}

    assert f"member {member} is missing" in _message(json.dumps(line).encode())


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"7",
        b"m1,a,b",
        b"\xff\xfe",
        b'{"match": "m", "match": "n"}',
        b'{"match": "m", "bots": ["a", "b"], "places": [1, NaN]}',
        b"[" * 100_000,
        b'{"match": ' + b"9" * 5000 + b"}",
    ],
    ids=range(9),
)
def test_a_line_that_is_no_object_is_refused(line: bytes) -> None:
    assert "JSON object" in _message(line)


def _games(text: str) -> list[Result]:
    return list(parse_pgn(text.splitlines(), source="g.pgn"))


def test_pgn_results_are_places() -> None:
    text = "\n".join(
        f'[Event "x"]\n[White "a"]\n[Black "b"]\n[Result "{outcome}"]\n\n1. e4 {outcome}\n'
        for outcome in ("1-0", "0-1", "1/2-1/2", "*")
    )

    assert [game.places for game in _games(text)] == [(1, 2), (2, 1), (1, 1)]
    assert [game.match for game in _games(text)] == ["game-000001", "game-000002", "game-000003"]
    assert {game.block for game in _games(text)} == {None}


def test_pgn_names_may_hold_escaped_quotes() -> None:
    games = _games('[White "the \\"fox\\" \\\\"]\n[Black "b"]\n[Result "1-0"]\n\n1-0\n')

    assert games[0].bots == ('the "fox" \\', "b")


def test_pgn_comments_are_not_headers() -> None:
    text = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 {see\n[White "z"]\n} e5 ; {open\n% [x]\n1-0\n'

    assert [game.bots for game in _games(text)] == [("a", "b")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[White "a"]\n[Result "1-0"]\n\n1-0\n', r"g\.pgn: game 1 \(line 1\): no readable Black header"),
        ('[White "a"]\n[Black "b"]\n[Result "2-0"]\n\n', r"game 1 \(line 1\): Result is '2-0'"),
    ],
)
def test_a_pgn_game_without_its_headers_is_named(text: str, expected: str) -> None:
    with pytest.raises(LadderError, match=expected):
        _games(text)


def test_pgn_in_latin_1_is_read(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    path.write_bytes('[White "Müller"]\n[Black "b"]\n[Result "1-0"]\n'.encode("latin-1"))

    assert next(read_pgn(path)).bots == ("Müller", "b")


def test_every_reference_game_is_read() -> None:
    reference = Path(__file__).parent / "reference"

    assert {path.stem: len(list(read_pgn(path))) for path in reference.glob("*.pgn")} == {
        "tcec_s15_div4a": 90,
        "tcec_s28_4k_v": 168,
        "pentaordo_example": 24,
    }
