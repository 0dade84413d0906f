"""Cups of made-up bots that an organiser rules on."""

import asyncio

from harness.cup import CupFile
from harness.record import MatchRecord
from harness.rulings import undone, voids, withdrawals
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.store.rows import Ruling
from harness.tournament import CupRun, play_cup
from ladder.export import to_json
from ladder.standings import Row
from tests.in_process import Bots, InProcess, Notes

FIELD = Bots("ant", "bee", "cat", "dog")
NOW_NS = 1_777_000_000_000_000_000
WHY = "the lights went out"


def play(
    cup: CupFile,
    ledger: Ledger,
    roster: Bots = FIELD,
    *,
    stop_after: int | None = None,
    notes: Notes | None = None,
) -> CupRun:
    return asyncio.run(play_cup(cup, ledger, roster, notes or Notes(), InProcess(stop_after=stop_after).opener()))


def void(ledger: Ledger, *numbers: int, round: int = 1) -> tuple[Ruling, ...]:
    matches = [f"test/{round}/{number:06d}" for number in numbers]
    return ledger.rulings.add(voids(ledger, matches, WHY, at_unix_ns=NOW_NS))


def withdraw(ledger: Ledger, cup: CupFile, bot: str) -> None:
    ledger.rulings.add(withdrawals(ledger, cup, bot, WHY, at_unix_ns=NOW_NS))


def undo(ledger: Ledger, ruling: int) -> None:
    found = undone(ledger, ruling, at_unix_ns=NOW_NS + 1)
    ledger.rulings.undo(ruling, at_unix_ns=found.undone_unix_ns or 0)


def records(ledger: Ledger, round: int | None = None) -> list[MatchRecord]:
    return list(ledger.records("test", round))


def rows(ledger: Ledger, cup: CupFile) -> dict[str, Row]:
    return {row.bot: row for row in cup_standings(ledger, cup).rows}


def ladder(ledger: Ledger, cup: CupFile) -> str:
    return to_json(cup_standings(ledger, cup))
