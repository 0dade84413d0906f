"""A seat that the arena does not start: whoever is invited dials in, plays without a clock, and may go."""

import asyncio
import time
from collections.abc import Sequence

import pytest

from harness import games
from harness.arena import Arena, BotSpec, Played, life, phase
from harness.arena.guest import dial
from harness.faults import FaultKind
from tests.arena.tables import sample_bot, table, time_control

SHORT = games.game("zhiletka", {"hands_per_seat": 3})

pytestmark = pytest.mark.slow


class Clock:
    """The arena's clock, which a test may set forward."""

    def __init__(self) -> None:
        self.ahead_ns = 0
        self.look_count = 0

    def monotonic_ns(self) -> int:
        self.look_count += 1
        return time.monotonic_ns() + self.ahead_ns

    async def pass_by(self, span_s: int) -> None:
        """Lets so much time pass at once, and the arena look for deadlines that are over."""
        self.ahead_ns += span_s * 1_000_000_000
        seen = self.look_count + 10
        while self.look_count < seen:
            await asyncio.sleep(0)


async def guest(address: str, token: str, answers: int, clock: Clock | None = None) -> str:
    """Plays its lowest action so many times, then hangs up. Returns how it ended. With a clock, each takes an hour."""
    async with dial(address, token, "zhiletka") as line:
        async for batch in line.batches():
            for update in batch.updates:
                if not update.HasField("request"):
                    continue
                if not answers:
                    return "left"
                answers -= 1
                if clock is not None:
                    await clock.pass_by(3600)
                await line.decide(update.match_id, update.request.decision_id, update.request.legal_actions[0])
    return "goodbye"


async def play_with_guest(answers: int, clock: Clock | None = None, *, door: int = 0) -> tuple[Played, str]:
    played: list[Played] = []
    guests: list[asyncio.Task[str]] = []

    def invite(addresses: Sequence[str], token: str) -> None:
        guests.append(asyncio.create_task(guest(addresses[door], token, answers, clock)))

    bots = [BotSpec("guest", (), max_matches=1, invite=invite), sample_bot("random", "random")]
    async with Arena(time_control=time_control(), guests=True) as arena:
        await arena.play(bots, [table(1, ("guest", "random"), SHORT)], played.append)
    assert len(guests) == 1
    return played[0], await guests[0]


@pytest.mark.parametrize("door", [0, 1], ids=["unix", "tcp"])
def test_it_plays_to_the_end_and_is_told_goodbye(door: int) -> None:
    played, end = asyncio.run(play_with_guest(1000, door=door))

    assert end == "goodbye"
    assert played.match.faults == []
    assert played.match.clocks == (None, time_control())


def test_whoever_goes_is_disconnected_and_the_match_is_finished() -> None:
    played, end = asyncio.run(play_with_guest(1))
    (at,) = played.match.faults

    assert end == "left"
    assert (at.seat, at.fault.kind) == (0, FaultKind.DISCONNECTED)
    assert played.match.finished


def test_it_may_be_held_for_hours_in_every_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(phase, "time", clock)
    monkeypatch.setattr(life, "time", clock)
    monkeypatch.setattr(phase, "LAG_NS", 1 << 62)  # a leap of the clock must not look like the harness being late
    played, end = asyncio.run(play_with_guest(1000, clock))

    assert end == "goodbye"
    assert played.match.faults == []
    assert max(thought.spent_ns for thought in played.times if thought.seat == 0) > 3600 * 1_000_000_000
