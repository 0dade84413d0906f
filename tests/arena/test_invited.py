"""A seat that the arena does not start: whoever is invited dials in, plays without a clock, and may go."""

import asyncio
from pathlib import Path

import pytest

from harness import games
from harness.arena import Arena, BotSpec, Played
from harness.arena.guest import dial
from harness.arena.phase import UNLIMITED
from harness.faults import FaultKind
from tests.arena.tables import sample_bot, table, time_control

SHORT = games.game("zhiletka", {"hands_per_seat": 3})

pytestmark = pytest.mark.slow


async def guest(address: str, token: str, answers: int) -> str:
    """Plays its lowest action so many times, then hangs up. Returns how it ended."""
    async with dial(address, token, "zhiletka") as line:
        async for batch in line.batches():
            for update in batch.updates:
                if not update.HasField("request"):
                    continue
                if not answers:
                    return "left"
                answers -= 1
                await line.decide(update.match_id, update.request.decision_id, update.request.legal_actions[0])
    return "goodbye"


async def play_with_guest(answers: int) -> tuple[Played, str]:
    played: list[Played] = []
    guests: list[asyncio.Task[str]] = []

    def invite(address: str, token: str) -> None:
        guests.append(asyncio.create_task(guest(address, token, answers)))

    bots = [BotSpec("guest", (), Path(), max_matches=1, invite=invite), sample_bot("random", "random")]
    async with Arena(time_control=time_control()) as arena:
        await arena.play(bots, [table(1, ("guest", "random"), SHORT)], played.append)
    assert len(guests) == 1
    return played[0], await guests[0]


def test_it_plays_to_the_end_and_is_told_goodbye() -> None:
    played, end = asyncio.run(play_with_guest(1000))

    assert end == "goodbye"
    assert played.match.faults == []
    assert played.match.clocks is not None
    assert played.match.clocks[0] == UNLIMITED
    assert played.match.clocks[1] == time_control()


def test_whoever_goes_is_disconnected_and_the_match_is_finished() -> None:
    played, end = asyncio.run(play_with_guest(1))
    (at,) = played.match.faults

    assert end == "left"
    assert (at.seat, at.fault.kind) == (0, FaultKind.DISCONNECTED)
    assert played.match.finished
