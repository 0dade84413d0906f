"""Two bots of one team in a cup: kept apart, or let meet; and what ladder and site say when they gain by it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from harness.arena.specs import TableSpec
from harness.cup import CupFile
from harness.publish import publish
from harness.standing import standings_and_company
from harness.store.ledger import Ledger
from harness.store.rows import Entry
from harness.tournament import play_cup
from tests.in_process import Bots, InProcess, Notes, cup_file

TEAM = ("ash", "birch")
FIELD = (*TEAM, "cedar", "dune", "elm", "fir", "gum")


class OneTeam(Bots):
    """Bots of which the first two are one team's."""

    def entry(self, label: str) -> Entry:
        found = super().entry(label)
        return replace(found, team="T1") if label in TEAM else found


class Conspiring(InProcess):
    """Where both of the team sit, the others stumble in two of three matches."""

    def stumbles(self, table: TableSpec) -> Mapping[str, int]:
        together = set(TEAM) <= set(table.seats)
        return {label: 67 for label in table.seats if label not in TEAM} if together else {}


def played(folder: Path, same_team: Literal["apart", "allowed"]) -> tuple[Ledger, CupFile]:
    cup = cup_file(folder, seats=4, matches=210, duplicate=False, same_team=same_team)
    few_pages = cup.publish.model_copy(update={"replay_limit": 0})
    cup = cup.model_copy(update={"options": {"hands_per_seat": 1}, "publish": few_pages})
    ledger = Ledger(folder / "arena.db", create=True)
    asyncio.run(play_cup(cup, ledger, OneTeam(*FIELD), Notes(), Conspiring().opener()))
    return ledger, cup


@pytest.mark.slow
def test_a_team_that_may_meet_and_gains_by_it_is_named_by_ladder_and_site_and_nobody_else(tmp_path: Path) -> None:
    ledger, cup = played(tmp_path, "allowed")
    with ledger:
        _, company = standings_and_company(ledger, cup)
        publish(ledger, tmp_path / "site", [cup])

    assert [(pair.one, pair.other) for pair in company.standing_out] == [TEAM]
    page = (tmp_path / "site/index.html").read_text()
    assert company.sentences[0] in page
    assert page.count("where both sit") + page.count(" than apart: ") + page.count(" than elsewhere: ") == 1
    assert "Of every two bots it is measured" in (tmp_path / "site/how.html").read_text()


@pytest.mark.slow
def test_a_team_that_is_kept_apart_never_meets_and_nobody_is_named(tmp_path: Path) -> None:
    ledger, cup = played(tmp_path, "apart")
    with ledger:
        _, company = standings_and_company(ledger, cup)
        tables = [{entry.label for entry in result.entries} for result in ledger.results(cup.name)]

    assert len(tables) > 200
    assert not [table for table in tables if set(TEAM) <= table]
    assert company.standing_out == ()
