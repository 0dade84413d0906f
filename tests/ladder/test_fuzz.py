"""Whatever the results, a ladder has numbers or reasons: no NaN, no warning, no crash."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.errors import LadderError
from ladder.export import to_csv, to_json, to_markdown
from ladder.fit import Unconnected, fit
from ladder.results import Result, parse_results
from ladder.standings import Entry, standings

_KINDS = st.sampled_from([None, None, None, "timeout", "crashed"])


@st.composite
def _matches(draw: st.DrawFn) -> list[Result]:
    pool = "abcdefgh"[: draw(st.integers(1, 8))]
    results = []
    for number in range(draw(st.integers(0, 14))):
        bots = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=6))
        size = len(bots)
        places = draw(st.lists(st.integers(1, size), min_size=size, max_size=size))
        points = draw(st.none() | st.lists(st.floats(-1e9, 1e9), min_size=size, max_size=size))
        results.append(
            Result(
                match=f"m{number}",
                block=draw(st.sampled_from([None, None, "x", "y"])),
                bots=tuple(bots),
                places=tuple(places),
                points=None if points is None else tuple(points),
                faults=tuple(draw(st.lists(_KINDS, min_size=size, max_size=size))) if draw(st.booleans()) else (),
                unrated=tuple(draw(st.sets(st.integers(0, size - 1), max_size=2))),
            )
        )
    copies = draw(st.sampled_from([1, 1, 1, 30]))
    return [one._replace(match=f"{one.match}/{copy}") for one in results for copy in range(copies)]


def _complaint(line: bytes) -> str:
    """What the reader says against `line`; empty when it is a result."""
    try:
        list(parse_results([line], source="f"))
    except LadderError as error:
        return str(error)
    return ""


def _refuse(text: str) -> float:
    raise AssertionError(text)


@pytest.mark.slow
@given(
    results=_matches(),
    prior=st.sampled_from([0.0, 0.001, 1.0, 1.0, 50.0]),
    anchors=st.dictionaries(st.sampled_from("abc"), st.floats(0, 3000), max_size=3),
    without=st.sets(st.sampled_from("abcd"), max_size=2),
    ranked_after=st.sampled_from([0, 0, 2]),
)
def test_numbers_or_reasons(
    results: list[Result], prior: float, anchors: dict[str, float], without: set[str], ranked_after: int
) -> None:
    seen = {bot for result in results for bot in result.bots}
    anchors = {bot: elo for bot, elo in anchors.items() if bot in seen}
    try:
        rated = fit(results, prior=prior, anchors=anchors, without=without)
    except Unconnected:
        assert prior == 0
        return
    board = standings(results, rated, entries=[Entry("d", "d", ranked=False)], ranked_after=ranked_after)

    value = json.loads(to_json(board), parse_constant=_refuse)
    assert "nan" not in to_csv(board) + to_markdown(board)
    for row in value["bots"]:
        numbers = [item for item in row.values() if isinstance(item, float)]
        assert all(map(math.isfinite, numbers))
        if None in (row["elo"], row["elo_low"], row["elo_high"], row["se"], row["rank"]):
            assert row["reason"]
        if row["rank"] is not None:
            assert 1 <= row["rank_low"] <= row["rank"] <= row["rank_high"]
        if row["elo_low"] is not None and row["elo_high"] is not None:
            assert row["elo_low"] <= row["elo"] <= row["elo_high"]
    for line in board.los:
        assert all(chance is None or 0 <= chance <= 1 for chance in line)


@pytest.mark.slow
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_line_is_a_result_or_a_named_error(line: bytes) -> None:
    assert re.match("$|f: line 1: ", _complaint(line))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["seat", "kind"]), inner),
    max_leaves=8,
)


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from(["match", "block", "bots", "places", "points", "faults", "unrated", "x"]), _JSON)
)
def test_any_object_is_a_result_or_a_named_error(value: dict[str, object]) -> None:
    assert re.match("$|f: line 1: ", _complaint(json.dumps(value).encode()))
