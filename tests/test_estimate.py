"""How long a round will take: by rounds that were played, else by checks, else nobody knows."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.agenda import first_plan, next_plan
from harness.cup import CupFile
from harness.estimate import USUAL_PACE, estimate
from harness.round import RoundPlan
from harness.store.ledger import Ledger
from harness.tournament import play_cup
from tests.in_process import Bots, InProcess, Notes, cup_file
from tests.store.made_up import version

FIELD = Bots("ant", "bee", "cat", "dog")
THOUGHT_NS = 1000
"""Of every decision that `InProcess` makes."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def first(cup: CupFile) -> RoundPlan:
    plan = first_plan(cup, FIELD.entries(cup))
    assert plan is not None
    return plan


def play(cup: CupFile, ledger: Ledger) -> None:
    asyncio.run(play_cup(cup, ledger, FIELD, Notes(), InProcess().opener()))


def checked(ledger: Ledger, **match_think_ns: int) -> None:
    for name, spent_ns in match_think_ns.items():
        ledger.versions.add(version(name, sha256="0" * 64, match_think_ns=spent_ns))


def test_of_bots_that_nobody_has_seen_nothing_is_known(tmp_path: Path, ledger: Ledger) -> None:
    assert estimate(first(cup_file(tmp_path)), ledger, cores=2) is None


def test_before_the_first_match_checks_tell_what_a_match_takes(tmp_path: Path, ledger: Ledger) -> None:
    checked(ledger, ant=2_000_000_000, bee=2_000_000_000, cat=2_000_000_000, dog=2_000_000_000)

    found = estimate(first(cup_file(tmp_path)), ledger, cores=2)

    assert found is not None
    assert not found.is_measured
    assert found.match_s == pytest.approx(USUAL_PACE * 3 * 2 / 2)


def test_a_bot_without_a_check_is_taken_to_think_as_long_as_the_others(tmp_path: Path, ledger: Ledger) -> None:
    checked(ledger, ant=1_000_000_000, bee=3_000_000_000)

    found = estimate(first(cup_file(tmp_path)), ledger, cores=1)

    assert found is not None
    assert found.match_s == pytest.approx(USUAL_PACE * 3 * 2)


def test_rounds_that_were_played_tell_more_than_checks(tmp_path: Path, ledger: Ledger) -> None:
    checked(ledger, ant=1_000_000_000)
    play(cup_file(tmp_path, matches=60), ledger)
    started_ns, ended_ns = 10**18, 10**18 + 120 * 10**9
    ledger._database.execute("UPDATE rounds SET started_unix_ns = ?, ended_unix_ns = ?", (started_ns, ended_ns))
    cup = cup_file(tmp_path, matches=120)
    plan = next_plan(cup, FIELD.entries(cup), ledger)
    assert plan is not None

    found = estimate(plan, ledger, cores=2)

    assert found is not None
    assert found.is_measured
    assert found.match_s == pytest.approx(2.0, rel=0.2)  # 60 matches took 120 s


def test_a_round_too_short_to_show_a_pace_still_tells_how_long_bots_think(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)
    decisions = [len(ledger.times(record.match)) for record in ledger.records("test")]

    found = estimate(first(cup_file(tmp_path)), ledger, cores=1)

    assert found is not None
    assert found.is_measured
    assert found.match_s == pytest.approx(USUAL_PACE * THOUGHT_NS / 1e9 * sum(decisions) / len(decisions), rel=0.2)


def test_rounds_of_another_game_tell_nothing(tmp_path: Path, ledger: Ledger) -> None:
    play(cup_file(tmp_path), ledger)

    assert estimate(first(cup_file(tmp_path, name="other", game="guillotine", seats=4)), ledger, cores=1) is None
