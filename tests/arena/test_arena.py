"""The arena with bots that are processes of their own and dial in over gRPC."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from harness import games
from harness.arena import Arena, BotSpec, PhaseReport, Played, ProcessEnd, TableSpec
from harness.arena.life import Life
from harness.arena.table import Table
from harness.errors import HarnessError
from harness.faults import Fault, FaultKind
from harness.record import SeatEntry, record_of, replay
from harness.sandbox import bwrap
from harness.sandbox.cell import Sandbox
from tests.arena.processes import all_gone, processes_with
from tests.arena.tables import ROOT, bot_in, sample_bot, table, tables, time_control

pytestmark = pytest.mark.slow

SMALL = games.game("zhiletka", {"hands_per_seat": 2})
BOT = """
import os, sys, time
from harness.bot import Bot, View, run

class TestBot(Bot):
    count = most = 0

    def on_start(self, view):
        TestBot.count += 1
        TestBot.most = max(TestBot.most, TestBot.count)

    def choose(self, view):
        {choose}
        return view.random.choice(view.actions)

    def on_over(self, view):
        TestBot.count -= 1

{before}
run(TestBot)
print("most", TestBot.most)
"""


def bot(folder: Path, label: str, *, choose: str = "pass", before: str = "", max_matches: int = 8) -> BotSpec:
    """A bot that plays at random and does `choose` before each choice."""
    home = folder / label.replace("#", "-")
    home.mkdir(exist_ok=True)
    home.chmod(0o777)  # a bot of root's is another user
    (home / "bot.py").write_text(BOT.format(choose=choose, before=before))
    return bot_in(home, label, max_matches, start_s=60.0)


def small_tables(count: int, labels: Sequence[str]) -> list[TableSpec]:
    return [table(number, labels, SMALL) for number in range(1, count + 1)]


class Phase:
    """What came of a phase."""

    def __init__(self) -> None:
        self.played: list[Played] = []
        self.ends: list[ProcessEnd] = []
        self.report: PhaseReport | None = None

    def end_of(self, label: str) -> ProcessEnd:
        return next(end for end in self.ends if end.label == label)

    def records(self) -> list[str]:
        """Everything but when and where, in order of match ids."""
        return sorted(
            record_of(
                played.match,
                match_id=played.table.match_id,
                seats=[SeatEntry(label, "1", "") for label in played.table.seats],
            ).digest()
            for played in self.played
        )


async def play(
    bots: Sequence[BotSpec], specs: Sequence[TableSpec], *, jobs: int | None = None, decision_s: float = 20.0
) -> Phase:
    phase = Phase()
    tcp = any(bot.tcp for bot in bots)
    control = time_control(decision_s, bank_s=60.0)
    async with Arena(time_control=control, jobs=jobs, tcp=tcp, on_process_end=phase.ends.append) as arena:
        phase.report = await arena.play(bots, specs, phase.played.append)
    return phase


async def test_every_table_is_played_once_and_replays() -> None:
    labels = ("random", "random#2", "random#3", "random#4")
    specs = list(tables(6, labels))
    phase = await play([sample_bot("random", label, 4, 60.0) for label in labels], specs)

    assert sorted(played.table.match_id for played in phase.played) == [spec.match_id for spec in specs]
    assert phase.report is not None
    assert (phase.report.withdrawn, phase.report.start_count) == ((), 4)
    assert {(end.how, end.fault, end.output) for end in phase.ends} == {("exited with code 0", None, b"")}
    for played in phase.played:
        assert played.match.faults == []
        assert len(played.times) > 100
        assert played.wall_ns > 0
        replay(record_of(played.match, match_id="m", seats=[SeatEntry("x", "1", "")] * 4))


@pytest.mark.slow
async def test_processor_time_is_kept_for_every_answer() -> None:
    played: list[Played] = []
    bots = [sample_bot("random", "a"), sample_bot("random", "b")]
    async with Arena(time_control=time_control()) as arena:
        await arena.play(bots, small_tables(4, ("a", "b")), played.append)

    times = [time for match in played for time in match.times]
    assert len(times) > 20
    assert min(time.cpu_ns for time in times) >= 0
    assert sum(time.cpu_ns for time in times) > 0


async def test_records_are_the_same_at_any_concurrency() -> None:
    labels = ("random", "random#2")
    specs = list(tables(6, labels, "zhiletka"))[:4]
    alone = await play([sample_bot("random", label, 1, 60.0) for label in labels], specs, jobs=1)
    together = await play([sample_bot("random", label, 8, 60.0) for label in labels], specs, jobs=8)

    assert alone.records() == together.records()


async def test_a_snapshot_bot_and_one_over_tcp_play(tmp_path: Path) -> None:
    specs = small_tables(2, ("stateless", "far"))
    far = replace(bot(tmp_path, "far", before="print(os.environ['CARDARENA_ADDRESS'])"), tcp=True)
    phase = await play([sample_bot("stateless", "stateless", 4, 60.0), far], specs)

    assert [played.match.faults for played in phase.played] == [[], []]
    assert phase.end_of("far").output.startswith(b"127.0.0.1:")


async def test_a_bot_is_never_seated_in_more_matches_than_it_may(tmp_path: Path) -> None:
    specs = small_tables(8, ("narrow", "wide"))
    phase = await play([bot(tmp_path, "narrow", max_matches=3), bot(tmp_path, "wide")], specs)

    assert phase.end_of("narrow").output == b"most 3\n"


async def test_many_bots_have_no_more_matches_under_way_than_memory_is_meant_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way: set[Table] = set()
    counts: list[int] = []

    class Counted(Table):
        def start(self, lives: Sequence[Life | Fault], now_ns: int) -> None:
            super().start(lives, now_ns)
            under_way.difference_update([table for table in under_way if table.is_over])
            under_way.add(self)
            counts.append(len(under_way))

    monkeypatch.setattr("harness.arena.phase.MATCHES_AT_ONCE", 2)
    monkeypatch.setattr("harness.arena.phase.Table", Counted)
    phase = await play([bot(tmp_path, "one"), bot(tmp_path, "two")], small_tables(8, ("one", "two")))

    assert len(phase.played) == len(counts) == 8
    assert max(counts) == 2


async def test_hello_narrows_what_was_promised(tmp_path: Path) -> None:
    specs = small_tables(6, ("shy", "wide"))
    phase = await play([bot(tmp_path, "shy", before="TestBot.max_matches = 2"), bot(tmp_path, "wide")], specs)

    assert phase.end_of("shy").output == b"most 2\n"


async def test_tables_start_out_of_order_rather_than_leave_bots_idle(tmp_path: Path) -> None:
    go = tmp_path / "slow" / "go"
    slow = bot(tmp_path, "slow", before=f"while not os.path.exists({str(go)!r}): time.sleep(0.01)")
    labels = ("one", "two")
    specs = [*small_tables(2, ("slow", "one")), *(table(number, labels, SMALL) for number in (3, 4))]
    played: list[str] = []

    def note(match: Played) -> None:
        played.append(match.table.match_id)
        if len(played) == 2:
            go.touch()

    async with Arena(time_control=None) as arena:
        await arena.play([slow, bot(tmp_path, "one"), bot(tmp_path, "two")], specs, note)

    assert set(played[:2]) == {"test/1/000003", "test/1/000004"}


async def test_each_phase_starts_its_bots_afresh(tmp_path: Path) -> None:
    bots = [bot(tmp_path, label, before="print(os.getpid())") for label in ("one", "two")]
    pids = []

    def note(end: ProcessEnd) -> None:
        pids.append(end.output.split()[0])

    async with Arena(time_control=None, on_process_end=note) as arena:
        for _ in range(2):
            await arena.play(bots, small_tables(1, ("one", "two")), lambda played: None)

    assert len(set(pids)) == 4


async def test_a_bot_sees_a_clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORGANISERS_SECRET", "geheim")
    curious = bot(tmp_path, "curious", before="print(*sorted(os.environ)); print(os.environ['HOME'])")
    phase = await play([curious, bot(tmp_path, "other")], small_tables(1, ("curious", "other")))
    names, home = phase.end_of("curious").output.decode().splitlines()[:2]

    expected = (
        "CARDARENA_ADDRESS CARDARENA_TOKEN GRPC_ENABLE_FORK_SUPPORT GRPC_VERBOSITY HOME LANG PATH PYTHONPATH TMPDIR"
    )
    assert set(names.split()) - {"LC_CTYPE"} <= set(expected.split())
    assert not Path(home).exists()


async def test_a_bot_that_dies_is_started_again_and_plays_the_rest(tmp_path: Path) -> None:
    marker = str(tmp_path / "mortal" / "died")
    once = f"if not os.path.exists({marker!r}): open({marker!r}, 'w'); os._exit(7)"
    specs = small_tables(6, ("mortal", "other"))
    phase = await play([bot(tmp_path, "mortal", choose=once, max_matches=2), bot(tmp_path, "other")], specs)
    faults = [at for played in phase.played for at in played.match.faults]

    assert len(phase.played) == 6
    assert len(faults) == 1
    assert {(at.seat, at.fault) for at in faults} == {(0, Fault(FaultKind.CRASHED, "exited with code 7"))}
    assert [(end.start_number, end.how) for end in phase.ends if end.label == "mortal"] == [
        (1, "exited with code 7"),
        (2, "exited with code 0"),
    ]


@pytest.mark.parametrize(
    ("deed", "fault"),
    [
        ("os._exit(7)", Fault(FaultKind.CRASHED, "exited with code 7")),
        ("os.kill(os.getpid(), 9)", Fault(FaultKind.CRASHED, "was killed by signal 9 (SIGKILL)")),
        ("raise ValueError", Fault(FaultKind.CRASHED, "exited with code 1")),
        ("time.sleep(3600)", Fault(FaultKind.TIMEOUT, "gave no answer for 3 s")),
    ],
)
async def test_a_position_that_kills_is_found_and_costs_its_match_alone(
    tmp_path: Path, deed: str, fault: Fault
) -> None:
    specs = small_tables(12, ("mortal", "other"))
    deadly = [spec.bot_seeds[0] for spec in specs][3:11:7]
    choose = f"if view.info.bot_seed in {deadly} and len(view.history) > 4: {deed}"
    phase = await play([bot(tmp_path, "mortal", choose=choose), bot(tmp_path, "other")], specs, decision_s=3.0)
    faults = {played.table.match_id: at.fault for played in phase.played for at in played.match.faults}

    assert faults == {"test/1/000004": fault, "test/1/000011": fault}
    assert len(phase.played) == 12
    assert phase.report is not None
    assert phase.report.withdrawn == ()


async def test_a_bot_that_does_not_start_again_loses_what_it_was_playing(tmp_path: Path) -> None:
    marker = str(tmp_path / "mortal" / "died")
    choose = f"open({marker!r}, 'w'); os._exit(7)"
    before = f"if os.path.exists({marker!r}): raise SystemExit('not again')"
    specs = small_tables(6, ("mortal", "other"))
    phase = await play([bot(tmp_path, "mortal", choose=choose, before=before), bot(tmp_path, "other")], specs)
    kinds = sorted(at.fault.kind for played in phase.played for at in played.match.faults)

    assert len(kinds) == 6
    assert set(kinds) <= {FaultKind.CRASHED, FaultKind.START}
    assert kinds[0] is FaultKind.CRASHED
    assert phase.report is not None
    (gone,) = phase.report.withdrawn
    assert gone.fault.detail.endswith("the last one: exited with code 1 before it said Hello")


async def test_the_house_plays_for_a_bot_that_was_withdrawn_before() -> None:
    gone = Fault(FaultKind.START, "withdrawn in an earlier phase")
    played: list[Played] = []
    async with Arena(time_control=None) as arena:
        bots = [sample_bot("random", label, 4, 60.0) for label in ("random", "gone")]
        specs = small_tables(2, ("random", "gone"))
        report = await arena.play(bots, specs, played.append, withdrawn={"gone": gone})

    assert [[at.fault for at in match.match.faults] for match in played] == [[gone], [gone]]
    assert (report.start_count, report.withdrawn) == (1, ())


async def test_a_mistake_of_ours_ends_the_phase_and_leaves_nothing() -> None:
    def fail(played: Played) -> None:
        raise OSError("no space left on device")

    bots = [sample_bot("random", label, 4, 60.0) for label in ("one", "two")]
    async with Arena(time_control=None) as arena:
        address = arena.unix_address
        with pytest.raises(OSError, match="no space left"):
            await arena.play(bots, small_tables(4, ("one", "two")), fail)
        assert processes_with(address) == []


async def test_a_bot_sits_at_a_table_once() -> None:
    async with Arena(time_control=None) as arena:
        with pytest.raises(ValueError, match="sits at a table twice"):
            await arena.play([sample_bot("random", "one")], small_tables(1, ("one", "one")), lambda played: None)


async def test_a_phase_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    bots = [bot(tmp_path, label, choose="time.sleep(0.01)", before=stubborn) for label in ("one", "two")]
    begun = asyncio.Event()

    async with Arena(time_control=None) as arena:
        address = arena.unix_address
        phase = asyncio.ensure_future(arena.play(bots, small_tables(200, ("one", "two")), lambda played: begun.set()))
        await begun.wait()
        assert len(processes_with(address)) >= 2
        phase.cancel()
        with pytest.raises(asyncio.CancelledError):
            await phase
        assert processes_with(address) == []
    assert not Path(address.removeprefix("unix:")).parent.exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_a_harness_that_is_killed_leaves_no_process(number: signal.Signals) -> None:
    harness = subprocess.Popen(
        [sys.executable, "-m", "tests.arena.tables", "--matches", "100000", "--at-once", "4", "--announce"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert harness.stdout is not None
    address = harness.stdout.readline().decode().strip()
    while len(processes_with(address)) < 8:  # four bots and their keepers
        await asyncio.sleep(0.01)
    harness.send_signal(number)
    harness.wait()
    harness.stdout.close()

    assert await all_gone(address)


@pytest.mark.slow
async def test_a_sandbox_that_fails_is_no_fault_of_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is charged: the match counts for nothing, and the operator is told."""
    monkeypatch.setattr(bwrap, "find_bwrap", lambda: "/bin/false")
    played: list[Played] = []
    async with Arena(time_control=time_control(), sandbox=Sandbox("bwrap")) as arena:
        with pytest.raises(HarnessError, match=r"^[ab]: the sandbox failed: "):
            await arena.play([bot(tmp_path, "a"), bot(tmp_path, "b")], small_tables(1, ("a", "b")), played.append)

    assert played == []
