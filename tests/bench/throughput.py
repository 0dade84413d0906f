"""What the harness costs: four Python bots that play at random, beside streams that carry the same and referee nothing.

    python tests/bench/throughput.py [--rounds 3] [--json]

Three rows, alternating, medians printed:

* **harness**: Guillotine matches through the arena, with records, clocks and a ledger on disk, at 1, 64 and 256
  matches at once on each bot's stream;
* **bare stream**: a grpc.aio server and the same bots, one recorded decision a message, one open decision a bot;
* **batched echo**: the same with 64 recorded decisions a message, the most that this transport can carry.

Ratios are medians of the ratios within a round, so that they hold on a machine whose speed drifts.
`harness_cpu_us_per_decision` is the processor time of the harness's own process.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness.arena import Arena, BotSpec, Played, TableSpec  # before grpc: it sets what grpc reads

# isort: split
import grpc
import grpc.aio

from harness import deals
from harness.cup import read_cup
from harness.record import SeatEntry, record_of
from harness.round import Budget, RoundPlan, block_name
from harness.store.ledger import Ledger
from harness.store.rows import Entry
from harness.wire import arena_pb2 as pb
from harness.wire.codec import goodbye_message, welcome_message
from tests.bench.recording import SECRET, messages

ROOT = Path(__file__).parent.parent.parent
LABELS = ("random", "random#2", "random#3", "random#4")
SHA256 = "0" * 64
CUP = """\
schema = 1
[cup]
name = "bench"
game = "guillotine"
matches = 100000
bots = ["sample:random"]
"""


class Run(NamedTuple):
    """What one run did."""

    decisions: int
    matches: int
    wall_s: float
    cpu_s: float

    @property
    def decisions_per_s(self) -> float:
        return self.decisions / self.wall_s


def cpu_s() -> float:
    """Processor time of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


# The harness ----------------------------------------------------------------------------------------


async def run_harness(at_once: int, match_count: int, folder: Path) -> Run:
    """`match_count` matches, everything included that a cup does for each; timed from the first match on."""
    cup_path = folder / "bench.toml"
    cup_path.write_text(CUP)
    cup = read_cup(cup_path)
    entries = tuple(Entry(label, "random", "1.0.0", SHA256, team=label) for label in LABELS)
    plan = RoundPlan(cup, 1, entries, Budget(matches=match_count))
    seats = {label: SeatEntry(label, "1.0.0", SHA256) for label in LABELS}
    bots = [
        BotSpec(
            label,
            (sys.executable, "bot.py"),
            ROOT / "sample_bots" / "random",
            {"PYTHONPATH": str(ROOT)},
            max_matches=at_once,
            start_s=30,
        )
        for label in LABELS
    ]
    began_ns, ended_ns = [], []
    decisions = 0
    with Ledger(folder / "arena.db", create=True) as ledger:
        ledger.start_round(
            "bench",
            1,
            settings=cup.pinned(),
            schedule_sha256=plan.schedule.digest(),
            commitment="",
            secret=SECRET,
            entries=entries,
            started_unix_ns=time.time_ns(),
        )

        def keep(played: Played) -> None:
            nonlocal decisions
            assert not played.match.faults, played.match.faults
            table = plan.schedule.table(int(played.table.match_id.rpartition("/")[2]))
            record = record_of(
                played.match,
                match_id=played.table.match_id,
                seats=[seats[label] for label in played.table.seats],
                cup="bench",
                round=1,
                block=block_name(table.block),
                rotation=table.rotation,
                meta={"wall_s": played.wall_ns / 1e9},
            )
            ledger.add_match(record, times=played.times, notes=played.notes)
            began_ns.append(played.started_unix_ns)
            ended_ns.append(played.started_unix_ns + played.wall_ns)
            decisions += len(played.times)

        before_s = cpu_s()
        async with Arena(time_control=cup.time.control) as arena:
            await arena.play(bots, [table_spec(plan, number) for number in range(1, match_count + 1)], keep)
        spent_s = cpu_s() - before_s
    return Run(decisions, len(ended_ns), (max(ended_ns) - min(began_ns)) / 1e9, spent_s)


def table_spec(plan: RoundPlan, number: int) -> TableSpec:
    """Match `number` of the bench's cup."""
    table = plan.schedule.table(number)
    match, block = plan.match_id(table), block_name(table.block)
    return TableSpec(
        match_id=match,
        game=plan.game,
        seats=plan.labels(table),
        first_dealer=deals.first_dealer(SECRET, block, len(table.seats)),
        deck=plan.deck_of(table, SECRET),
        bot_seeds=tuple(deals.bot_seed(SECRET, match, seat) for seat in range(len(table.seats))),
    )


# Streams without a referee --------------------------------------------------------------------------


async def run_stream(scripts: Sequence[Sequence[bytes]], decisions_a_message: int, folder: Path) -> Run:
    """Sends each bot its script, a message when the one before is answered; timed while all of them play."""
    streams = len(scripts)
    everybody = asyncio.Event()
    joined = 0
    carried = 0
    times: list[float] = []

    async def play(_: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        nonlocal joined, carried
        script = scripts[joined]
        joined += 1
        await context.read()  # Hello
        await context.write(welcome_message("bench", "1"))
        if joined == streams:
            everybody.set()
        await everybody.wait()
        times.append(time.monotonic())
        for message in script:
            await context.write(message)
            answered = 0
            while answered < decisions_a_message:  # a bot may answer a batch in parts
                answer = await context.read()
                answered += decisions_a_message if decisions_a_message == 1 else _decision_count(answer)
            carried += decisions_a_message
        times.append(time.monotonic())
        await context.write(goodbye_message(""))

    address = f"unix:{folder}/bench.sock"
    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("cardarena.v1.ArenaService", {"Play": handler}),)
    )
    server.add_insecure_port(address)
    await server.start()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CARDARENA_ADDRESS": address, "CARDARENA_TOKEN": "bench"}
    bots = [
        subprocess.Popen([sys.executable, "bot.py"], cwd=ROOT / "sample_bots" / "random", env=environment)
        for _ in scripts
    ]
    before_s = cpu_s()
    try:
        while any(bot.poll() is None for bot in bots):
            await asyncio.sleep(0.05)
    finally:
        for bot in bots:
            bot.kill()
            bot.wait()
        await server.stop(0)
    return Run(carried, 0, max(times) - min(times), cpu_s() - before_s)


def _decision_count(answer: bytes) -> int:
    return len(pb.PlayRequest.FromString(answer).decisions.decisions)


# Figures --------------------------------------------------------------------------------------------


def measure(rounds: int, at_once: Sequence[int], scale: float) -> dict[str, object]:
    """Medians over `rounds` rounds in which the rows alternate."""
    bare_script = [messages(seat, 1, round(3_000 * scale)) for seat in range(4)]
    echo_script = [messages(seat, 64, round(32_000 * scale)) for seat in range(4)]
    bare: list[Run] = []
    echo: list[Run] = []
    harness: dict[int, list[Run]] = {count: [] for count in at_once}
    for _ in range(rounds):
        bare.append(_in_folder(partial(run_stream, bare_script, 1)))
        for count in at_once:
            matches = max(16, round(4 * count * scale)) if count > 1 else max(4, round(20 * scale))
            harness[count].append(_in_folder(partial(run_harness, count, matches)))
        echo.append(_in_folder(partial(run_stream, echo_script, 64)))
    rows = {str(count): _row(runs, bare, echo) for count, runs in harness.items()}
    return {
        **rows[str(max(at_once))],
        "matches_at_once": max(at_once),
        "bare_stream_decisions_per_s": round(median(run.decisions_per_s for run in bare)),
        "bare_stream_cpu_us_per_decision": round(median(run.cpu_s / run.decisions * 1e6 for run in bare), 1),
        "batched_echo_decisions_per_s": round(median(run.decisions_per_s for run in echo)),
        "by_matches_at_once": rows,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "rounds": rounds,
    }


def _row(runs: Sequence[Run], bare: Sequence[Run], echo: Sequence[Run]) -> dict[str, float]:
    return {
        "decisions_per_s": round(median(run.decisions_per_s for run in runs)),
        "matches_per_s": round(median(run.matches / run.wall_s for run in runs), 1),
        "harness_cpu_us_per_decision": round(median(run.cpu_s / run.decisions * 1e6 for run in runs), 1),
        "ratio_to_bare_stream": _ratio(runs, bare),
        "ratio_to_batched_echo": _ratio(runs, echo),
    }


def _ratio(runs: Sequence[Run], others: Sequence[Run]) -> float:
    return round(
        median(run.decisions_per_s / other.decisions_per_s for run, other in zip(runs, others, strict=True)), 3
    )


def _in_folder(start: Callable[[Path], Coroutine[None, None, Run]]) -> Run:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:  # a socket's path must be short
        return asyncio.run(start(Path(folder)))


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="rounds, in each of which every row runs once")
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 64, 256], help="matches at once on a stream")
    parser.add_argument("--scale", type=float, default=1.0, help="longer or shorter runs")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    figures = measure(options.rounds, options.at_once, options.scale)
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:34} {value}")


if __name__ == "__main__":
    main()
