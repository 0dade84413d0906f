"""A bot with too many faults is given up in the middle of a phase: the same at any number of matches at once."""

from pathlib import Path

import pytest

from harness import games
from harness.arena import Arena, PhaseReport, Played
from harness.conduct import Conduct
from harness.faults import FaultKind
from harness.record import SeatEntry, record_of
from tests.arena.tables import bot_in, sample_bot, table, time_control

pytestmark = pytest.mark.slow
BAD = Path(__file__).parent.parent / "fault_bots" / "illegal_action" / "no_such_action"
SMALL = games.game("zhiletka", {"hands_per_seat": 1})
MATCHES = 36


async def play(at_once: int) -> tuple[dict[str, Played], PhaseReport]:
    """Two good bots and one whose every first answer is illegal, at tables of two and of three."""
    seatings = [("one", "bad"), ("bad", "two"), ("one", "two"), ("two", "bad", "one")]
    specs = [table(number, seatings[number % 4], SMALL) for number in range(1, MATCHES + 1)]
    conduct = Conduct()
    for spec in specs:
        conduct.expect(spec.match_id, spec.seats)
    played: dict[str, Played] = {}
    async with Arena(time_control=time_control(20.0, bank_s=60.0)) as arena:
        bots = [sample_bot("random", label, at_once, 60.0) for label in ("one", "two")]
        report = await arena.play(
            [*bots, bot_in(BAD, "bad", at_once, start_s=60.0)],
            specs,
            lambda match: played.update({match.table.match_id: match}),
            conduct=conduct,
        )
    return dict(sorted(played.items())), report


def digests(played: dict[str, Played]) -> list[str]:
    return [
        record_of(
            match.match, match_id=match_id, seats=[SeatEntry(label, "1", "") for label in match.table.seats]
        ).digest()
        for match_id, match in played.items()
    ]


async def test_it_is_withdrawn_after_twenty_matches_and_records_are_the_same_at_any_concurrency() -> None:
    found = [await play(at_once) for at_once in (1, 8, 64)]

    played, report = found[0]
    kinds = [
        at.fault.kind for match in played.values() for at in match.match.faults if match.table.seats[at.seat] == "bad"
    ]
    (gone,) = report.withdrawn
    says = "withdrawn after faults in 20 of its first 20 matches, the last one illegal_action"
    assert gone[:2] == ("bad", (FaultKind.ILLEGAL_ACTION, says))
    assert kinds == [FaultKind.ILLEGAL_ACTION] * 20 + [FaultKind.START] * 7
    assert len(played) == MATCHES
    for others, report in found[1:]:
        assert digests(others) == digests(played)
        assert [each[:2] for each in report.withdrawn] == [gone[:2]]
