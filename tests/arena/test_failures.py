"""What of ours fails is nobody's fault: the match that it hits is void, the others are played, and it ends."""

import asyncio
import os
import signal
from collections.abc import Callable
from typing import cast

import pytest

from harness import games
from harness.arena import Arena, Played
from harness.arena import life as life_module
from harness.arena.contestant import FAILURES
from harness.arena.server import Server
from harness.arena.specs import Void
from harness.errors import HarnessError
from harness.faults import FaultKind
from harness.sandbox.cell import Sandbox
from harness.sandbox.process import BotProcess, start_process
from harness.session import Session
from harness.wire import arena_pb2 as pb
from tests.arena.processes import processes_with
from tests.arena.tables import sample_bot, table, time_control
from tests.cli.processes import descendants

pytestmark = pytest.mark.slow
SMALL = games.game("zhiletka", {"hands_per_seat": 2})
LABELS = ("one", "two", "three")


class Saboteur:
    """Kills the keeper of bot `one` as it is asked for the time of that number in a life, in so many lives."""

    def __init__(self, request: int, life_count: int) -> None:
        self.request = request
        self.life_count = life_count
        self.sent_count = 0
        self.process: BotProcess | None = None

    def started(self, label: str, process: BotProcess, now_ns: int) -> None:
        if label == "one":
            self.process, self.sent_count = process, 0

    def sent(self, label: str, message: bytes, now_ns: int) -> None:
        if label != "one" or not any(
            at.HasField("request") for at in pb.PlayResponse.FromString(message).updates.updates
        ):
            return
        self.sent_count += 1
        if self.sent_count == self.request and self.life_count and self.process is not None:
            self.life_count -= 1
            for process in descendants(self.process.pid):  # so that it owes the answer when it dies
                os.kill(process.pid, signal.SIGSTOP)
            os.kill(self.process.pid, signal.SIGKILL)

    def received(self, label: str, message: bytes, now_ns: int) -> None:
        pass


class Outcome:
    """What came of a phase."""

    def __init__(self) -> None:
        self.played: list[Played] = []
        self.void: list[tuple[str, str]] = []
        self.starts = 0
        self.survivors: list[str] = []

    def note_void(self, void: Void) -> None:
        self.void.append((void.match_id, void.reason))


async def play(saboteur: Saboteur, *, at_once: int = 4, tells: bool = True) -> Outcome:
    outcome = Outcome()
    specs = [table(number, LABELS[number % 3 :] + LABELS[: number % 3], SMALL) for number in range(1, 9)]
    async with Arena(time_control=time_control(20.0, bank_s=60.0), witness=saboteur) as arena:
        bots = [sample_bot("random", label, at_once, 60.0) for label in LABELS]
        try:
            on_void = outcome.note_void if tells else None
            report = await arena.play(bots, specs, outcome.played.append, on_void=on_void)
            outcome.starts = report.start_count
            assert report.withdrawn == ()
        finally:
            outcome.survivors = processes_with(arena.unix_address)
    return outcome


@pytest.fixture(autouse=True)
def _keepers_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a sandbox that lets no signal out: whoever kills a keeper, it was not the bot."""
    monkeypatch.setattr(Sandbox, "lets_signals_out", False)


@pytest.mark.parametrize("at_once", [1, 4])
async def test_a_keeper_that_is_killed_costs_one_match_which_is_void_and_nobody_is_at_fault(at_once: int) -> None:
    outcome = await play(Saboteur(request=9, life_count=1), at_once=at_once)

    ((match, reason),) = outcome.void
    assert reason == "one: the sandbox failed: its keeper was killed"
    assert {played.table.match_id for played in outcome.played} == {
        f"test/1/{number:06d}" for number in range(1, 9)
    } - {match}
    assert [played.match.faults for played in outcome.played] == [[]] * 7
    assert outcome.starts == 4
    assert outcome.survivors == []


async def test_a_failure_again_and_again_ends_the_phase_with_one_line() -> None:
    saboteur = Saboteur(request=3, life_count=99)

    with pytest.raises(HarnessError) as ended:
        await play(saboteur)

    assert str(ended.value) == "one: the sandbox failed: its keeper was killed (3 times in a row)"
    assert 99 - saboteur.life_count == FAILURES


async def test_where_nobody_hears_of_void_matches_the_first_failure_ends_the_phase() -> None:
    with pytest.raises(HarnessError, match="its keeper was killed"):
        await play(Saboteur(request=3, life_count=99), tells=False)


async def test_a_start_that_the_machine_refuses_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = [HarnessError("no bot process can be started: no room")] * (FAILURES - 1)

    def start(*arguments: object) -> BotProcess:
        if refusals:
            raise refusals.pop()
        starter: Callable[..., BotProcess] = start_process
        return starter(*arguments)

    monkeypatch.setattr(life_module, "start_process", start)
    outcome = await play(Saboteur(request=0, life_count=0))

    assert outcome.void == []
    assert len(outcome.played) == 8
    assert [played.match.faults for played in outcome.played] == [[]] * 8


class Deaf:
    """A listener that nobody tells anything."""

    def __init__(self) -> None:
        self.ended_count = 0

    def ended(self, life: life_module.Life) -> None:
        self.ended_count += 1


async def test_a_harness_that_was_held_up_waits_as_much_longer_for_a_hello() -> None:
    spec = sample_bot("random", "one", start_s=1.0)
    loop, listener = asyncio.get_running_loop(), Deaf()
    life = life_module.Life(spec, 1, Session(iter(()), None), cast(Server, None), cast(life_module.Listener, listener))

    life._start_is_over(loop.time() - 30.0)
    assert life.fault is None
    assert 29.0 < life._hello_timer.when() - loop.time() < 31.0
    life._hello_timer.cancel()
    life._start_is_over(loop.time())

    assert life.fault == (FaultKind.START, "did not say Hello within 1 s of its start")
    assert listener.ended_count == 1


async def test_a_server_that_is_cancelled_while_it_starts_is_stopped_all_the_same() -> None:
    server = Server()
    starting = asyncio.create_task(server.start())
    while not server.unix_address:
        await asyncio.sleep(0)
    directory = server.directory
    starting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await starting
    await server.stop()
    assert not directory.exists()
