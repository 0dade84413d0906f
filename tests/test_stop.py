"""`[stop]`: whole heats in the order of the schedule, looked at between them; what it spares is not played later."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.schedule import make_schedule
from harness.standing import cup_standings, settled_first_places
from harness.store.ledger import Ledger
from harness.tournament import CupRun, play_cup
from harness.verify import verify_cup
from ladder.export import to_json
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file

pytestmark = pytest.mark.slow
FIELD = Bots("ant", "bee", "cat", "dog")
STUMBLE_PERCENT = {"bee": 40, "cat": 70, "dog": 70}
"""So that the ant comes first nearly always, and the bee is mostly better than the rest."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _small_heats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.round.LOOK_MATCHES", 24)
    monkeypatch.setattr("harness.conduct.LEAST_MATCHES", 10_000)  # they stumble so that they come in behind


def cup_of(folder: Path, **keys: object) -> CupFile:
    return cup_file(folder, **{"matches": 900, "stop_separated": 1} | keys)


def play(
    cup: CupFile,
    ledger: Ledger,
    roster: Bots = FIELD,
    notes: Notes | None = None,
    stop_after: int | None = None,
) -> CupRun:
    arena = InProcess(stumble_percent=STUMBLE_PERCENT, stop_after=stop_after)
    return asyncio.run(play_cup(cup, ledger, roster, notes or Notes(), arena.opener()))


def test_a_cup_ends_at_the_first_heat_after_which_the_first_place_is_settled(tmp_path: Path, ledger: Ledger) -> None:
    cup, notes = cup_of(tmp_path), Notes()

    run = play(cup, ledger, notes=notes)

    assert 24 <= run.match_count < 900
    assert run.match_count % 24 == 0
    assert notes.heat_count == run.match_count // 24
    assert notes.lines[-1] == "round 1 over, separated = 1"
    assert settled_first_places(ledger, cup, 1) == 1
    assert ledger.round("test", 1).secret is not None
    assert verify_cup(ledger, "test") == run.match_count


def test_more_places_take_more_matches(tmp_path: Path, ledger: Ledger) -> None:
    with Ledger(tmp_path / "one.db", create=True) as one:
        fewer = play(cup_of(tmp_path), one).match_count

    run = play(cup_of(tmp_path, stop_separated=2), ledger)

    assert fewer < run.match_count < 900


def test_what_stop_has_spared_is_not_played_by_the_next_run(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_of(tmp_path)
    play(cup, ledger)

    assert play(cup, ledger) == CupRun(0, ())


def test_nobody_is_settled_among_bots_that_are_alike(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_of(tmp_path, matches=120)

    run = asyncio.run(play_cup(cup, ledger, FIELD, Notes(), InProcess().opener()))

    assert run.match_count == 120


def test_an_interrupted_cup_stops_where_one_that_was_not_does(tmp_path: Path, ledger: Ledger) -> None:
    cup = cup_of(tmp_path)
    with Ledger(tmp_path / "whole.db", create=True) as whole:
        expected = play(cup, whole).match_count
        expected_ladder = to_json(cup_standings(whole, cup))

    for stop_after in (24, 0, 30):  # before the second heat, at once, in the third
        with pytest.raises(Interrupted):
            play(cup, ledger, stop_after=stop_after)
    with pytest.raises(Interrupted):
        play(cup, ledger, notes=_BeforeTheLook(expected - 54))
    assert ledger.match_count("test") == expected
    notes = Notes()
    resumed = play(cup, ledger, notes=notes)

    assert resumed.match_count == 0
    assert notes.lines[-1] == "round 1 over, separated = 1"
    assert to_json(cup_standings(ledger, cup)) == expected_ladder


class _BeforeTheLook(Notes):
    """Interrupts a run that has played so many matches, when a heat has ended and nobody has looked yet."""

    def __init__(self, match_count: int) -> None:
        super().__init__()
        self.match_count = match_count

    def heat_ends(self) -> None:
        if len(self.records) >= self.match_count:
            raise Interrupted


def test_a_late_bot_plays_its_share_and_what_was_spared_stays_so(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_of(tmp_path), ledger)

    run = play(cup_of(tmp_path), ledger, Bots("ant", "bee", "cat", "dog", "eel"))

    assert 0 < run.match_count <= 900 // 5
    assert ledger.round("test", 2).ended_unix_ns is not None


def test_more_matches_are_played_until_the_place_is_settled_again(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_of(tmp_path), ledger)

    run = play(cup_of(tmp_path, matches=1800), ledger)

    assert run.match_count == 24


def test_a_place_is_open_while_somebody_lacks_the_matches_for_a_rank(tmp_path: Path, ledger: Ledger) -> None:
    run = play(cup_of(tmp_path, ranked_after=300), ledger)

    assert run.match_count >= 400


def test_hours_end_a_round_between_heats_and_more_hours_play_the_rest(
    tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.round.make_schedule", partial(make_schedule, heat_matches=3, max_matches=1))
    run = play(cup_file(tmp_path, matches=60, stop_hours=1e-9), ledger)
    assert run.match_count < 60

    rest = play(cup_file(tmp_path, matches=60, stop_hours=9), ledger)

    assert run.match_count + rest.match_count == 60
    assert len(ledger.rounds("test")) == 2
