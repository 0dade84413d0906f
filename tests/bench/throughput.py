"""What the harness costs: Python bots that play at random, beside streams that carry the same and referee nothing.

    python tests/bench/throughput.py [--rounds 3] [--json]

Rows alternate, each run in a process of its own; medians are printed:

* **harness**: Guillotine matches as `cardarena run` plays them, with records, clocks and a ledger on disk: four bots,
  then twenty, with 1, 8, 64 and 256 matches at once on each bot's stream;
* **bare stream**: a grpc.aio server as gRPC comes (the harness has it do without an event engine) and four of the same
  bots, one recorded decision a message, one open decision a bot; and, for the time of a round trip, the same with one
  open decision in all, the bots taking turns;
* **batched echo**: four bots and 64 recorded decisions a message, the most that the harness's transport can carry;
* **ledger**: finished matches kept, one transaction each; **ladder**: a fit with its intervals.

Ratios are medians of the ratios within a round, so that they hold on a machine whose speed drifts.
`harness_cpu_us_per_decision` is the processor time of both processes of the harness, the run and its worker; a **round
trip** is the time from a request handed to gRPC until its answer is there, a **turn** that from one request to the
next, with the referee's work.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from types import MappingProxyType
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness.arena import BotSpec, Played, TableSpec  # before grpc: it sets what grpc reads

# isort: split
import grpc
import grpc.aio

from harness import deals
from harness.record import SeatEntry, record_of
from harness.round import RoundPlan, block_name
from harness.sandbox.cell import PLAIN
from harness.store.ledger import Ledger
from harness.wire import arena_pb2 as pb
from harness.wire.codec import goodbye_message, welcome_message
from harness.workers.pool import WorkerPool
from tests.bench import measured_worker
from tests.bench.cup import SHA256, begin, labels_of, plan_in
from tests.bench.keeping import Kept, fit_s, keep_matches
from tests.bench.measured_worker import cpu_s, forget_peak, peak_memory_mb
from tests.bench.recording import SECRET, messages

ROOT = Path(__file__).parent.parent.parent
GRPC_AS_IT_COMES = {"GRPC_EXPERIMENTS": ""}
"""`harness.arena.grpc_settings` leaves alone what is set, and gRPC takes nothing from it."""


class Run(NamedTuple):
    """What one run did."""

    decisions: int
    matches: int
    wall_s: float
    cpu_s: float
    """Of the harness: in `run_harness` of both its processes."""
    worker_cpu_s: float = 0.0
    """Of that the worker's, who plays."""
    bytes: int = 0
    """Sent and received."""
    peak_memory_mb: int = 0
    """Of both processes."""
    round_trips_ns: Sequence[int] = ()
    turns_ns: Sequence[int] = ()
    layers: Mapping[str, int] = {}
    """Samples of the worker's main thread, where it takes some."""

    @property
    def decisions_per_s(self) -> float:
        return self.decisions / self.wall_s


# The harness ----------------------------------------------------------------------------------------


async def run_harness(at_once: int, match_count: int, folder: Path, *, bot_count: int = 4) -> Run:
    """`match_count` matches, everything included that a cup does for each; timed from the first match on."""
    forget_peak()
    labels = labels_of(bot_count)
    plan = plan_in(folder, labels, match_count)
    cup = plan.cup
    seats = {label: SeatEntry(label, "1.0.0", SHA256) for label in labels}
    bots = [
        BotSpec(
            label,
            (sys.executable, "bot.py"),
            ROOT / "sample_bots" / "random",
            {"PYTHONPATH": str(ROOT)},
            max_matches=at_once,
            start_s=30,
        )
        for label in labels
    ]
    tables = {plan.match_id(table): table for table in map(plan.schedule.table, range(1, match_count + 1))}
    began_ns, ended_ns = [], []
    decisions = 0
    with Ledger(folder / "arena.db", create=True) as ledger:
        begin(ledger, plan)

        def keep(played: Played) -> None:
            nonlocal decisions
            assert not played.match.faults, played.match.faults
            table = tables[played.table.match_id]
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
        executor = WorkerPool(
            1,
            time_control=cup.time.control,
            jobs=os.cpu_count() or 1,
            sandbox=PLAIN.sandbox,
            module=measured_worker.MODULE,
        )
        figures_path = folder / "worker.json"
        os.environ |= {"BENCH_FIGURES": str(figures_path), "PYTHONPATH": str(ROOT)}
        async with executor:
            await executor.play(bots, [table_spec(plan, number) for number in range(1, match_count + 1)], keep)
        spent_s = cpu_s() - before_s
    worker = json.loads(figures_path.read_text())
    return Run(
        decisions,
        len(ended_ns),
        (max(ended_ns) - min(began_ns)) / 1e9,
        spent_s + worker["cpu_s"],
        worker["cpu_s"],
        worker["bytes"],
        peak_memory_mb() + worker["peak_memory_mb"],
        worker["round_trips_ns"],
        worker["turns_ns"],
        worker["layers"],
    )


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


async def run_stream(
    scripts: Sequence[Sequence[bytes]], decisions_a_message: int, folder: Path, *, in_turn: bool = False
) -> Run:
    """Sends each bot its script, a message when the one before is answered; timed while all of them play.

    With `in_turn` only one bot at a time has something to answer.
    """
    turn: AbstractAsyncContextManager[None] = asyncio.Lock() if in_turn else nullcontext()
    streams = len(scripts)
    everybody = asyncio.Event()
    joined = 0
    carried = 0
    times: list[float] = []
    round_trips_ns: list[int] = []

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
            async with turn:
                asked_ns = time.monotonic_ns()
                await context.write(message)
                answered = 0
                while answered < decisions_a_message:  # a bot may answer a batch in parts
                    answer = await context.read()
                    answered += decisions_a_message if decisions_a_message == 1 else _decision_count(answer)
                round_trips_ns.append(time.monotonic_ns() - asked_ns)
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
    environment.pop("GRPC_EXPERIMENTS", None)  # it is the server's: bots have gRPC as it comes, in every row
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
    wall_s, spent_s = max(times) - min(times), cpu_s() - before_s
    return Run(carried, 0, wall_s, spent_s, round_trips_ns=round_trips_ns)


def _decision_count(answer: bytes) -> int:
    return len(pb.PlayRequest.FromString(answer).decisions.decisions)


# Figures --------------------------------------------------------------------------------------------


def measure(rounds: int, at_once: Sequence[int], scale: float) -> dict[str, object]:
    """Medians over `rounds` rounds in which the rows alternate."""
    bare_script = [messages(seat, 1, round(3_000 * scale)) for seat in range(4)]
    echo_script = [messages(seat, 64, round(32_000 * scale)) for seat in range(4)]
    bare: list[Run] = []
    in_turn: list[Run] = []
    echo: list[Run] = []
    harness: dict[int, list[Run]] = {count: [] for count in at_once}
    twenty: dict[int, list[Run]] = {count: [] for count in at_once}
    kept: list[Kept] = []
    for _ in range(rounds):
        bare.append(alone(partial(run_stream, bare_script, 1), GRPC_AS_IT_COMES))
        in_turn.append(alone(partial(run_stream, bare_script, 1, in_turn=True), GRPC_AS_IT_COMES))
        for count in at_once:
            matches = max(16, round(4 * count * scale)) if count > 1 else max(4, round(20 * scale))
            harness[count].append(alone(partial(run_harness, count, matches)))
        for count in at_once:
            matches = max(40, round(min(600, 60 * count) * scale))
            twenty[count].append(alone(partial(run_harness, count, matches, bot_count=20)))
        echo.append(alone(partial(run_stream, echo_script, 64)))
        kept.append(keep_matches(round(1_000 * scale)))
    rows = {str(count): _row(runs, bare, echo) for count, runs in harness.items()}
    twenty_rows = {str(count): _row(runs, bare, echo) for count, runs in twenty.items()}
    figures: dict[str, object] = {
        **rows[str(max(at_once))],
        "matches_at_once": max(at_once),
        "bare_stream_decisions_per_s": round(median(run.decisions_per_s for run in bare)),
        "bare_stream_cpu_us_per_decision": round(median(run.cpu_s / run.decisions * 1e6 for run in bare), 1),
        "batched_echo_decisions_per_s": round(median(run.decisions_per_s for run in echo)),
        "by_matches_at_once": rows,
        "twenty_bots_by_matches_at_once": twenty_rows,
    }
    if 1 in harness:
        figures |= _round_trips(harness[1], in_turn)
    return {
        **figures,
        "ledger_commits_per_s": round(median(each.commits_per_s for each in kept)),
        "ledger_record_bytes": round(kept[0].record_bytes),
        "ledger_times_bytes": round(kept[0].times_bytes),
        "ledger_file_bytes_per_match": round(kept[0].file_bytes),
        "ladder_fit_s": round(median(fit_s(100, round(100_000 * scale)) for _ in range(rounds)), 2),
        "ladder_fit_of": f"100 bots, {round(100_000 * scale)} matches",
        "rounds": rounds,
    }


def _row(runs: Sequence[Run], bare: Sequence[Run], echo: Sequence[Run]) -> dict[str, float]:
    return {
        "decisions_per_s": round(median(run.decisions_per_s for run in runs)),
        "matches_per_s": round(median(run.matches / run.wall_s for run in runs), 1),
        "harness_cpu_us_per_decision": round(median(run.cpu_s / run.decisions * 1e6 for run in runs), 1),
        "ratio_to_bare_stream": _ratio(runs, bare),
        "ratio_to_batched_echo": _ratio(runs, echo),
        "of_that_worker_us": round(median(run.worker_cpu_s / run.decisions * 1e6 for run in runs), 1),
        "bytes_per_decision": round(median(run.bytes / run.decisions for run in runs), 1),
        "peak_memory_mb": max(run.peak_memory_mb for run in runs),
    }


def _round_trips(runs: Sequence[Run], bare: Sequence[Run]) -> dict[str, float]:
    """Of one decision at a time, in the arena and on a bare stream."""
    turns_ns = [median(run.turns_ns) for run in runs]
    return {
        "round_trip_p50_us": _quantile_us(runs, 50),
        "round_trip_p99_us": _quantile_us(runs, 99),
        "bare_round_trip_p50_us": _quantile_us(bare, 50),
        "bare_round_trip_p99_us": _quantile_us(bare, 99),
        "ratio_of_round_trips": _ratio_of_medians([median(run.round_trips_ns) for run in runs], bare),
        "turn_p50_us": round(median(turns_ns) / 1e3, 1),
        "ratio_of_turn_to_bare_round_trip": _ratio_of_medians(turns_ns, bare),
    }


def _quantile_us(runs: Sequence[Run], percent: int) -> float:
    return round(median(quantiles(run.round_trips_ns, n=100)[percent - 1] for run in runs) / 1e3, 1)


def _ratio_of_medians(spans_ns: Sequence[float], bare: Sequence[Run]) -> float:
    pairs = zip(spans_ns, bare, strict=True)
    return round(median(span_ns / median(other.round_trips_ns) for span_ns, other in pairs), 3)


def _ratio(runs: Sequence[Run], others: Sequence[Run]) -> float:
    return round(
        median(run.decisions_per_s / other.decisions_per_s for run, other in zip(runs, others, strict=True)), 3
    )


def alone(
    start: Callable[[Path], Coroutine[None, None, Run]], environment: Mapping[str, str] = MappingProxyType({})
) -> Run:
    """Runs it in a process of its own, as a cup is: no row inherits what the memory of those before has come to.

    `environment`: variables of that process, besides those of this one.
    """
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            return pool.submit(in_folder, start).result()
    finally:
        os.environ.clear()
        os.environ.update(before)


def in_folder(start: Callable[[Path], Coroutine[None, None, Run]]) -> Run:
    """Runs it with a folder of its own, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:  # a socket's path must be short
        return asyncio.run(start(Path(folder)))


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="rounds, in each of which every row runs once")
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 8, 64, 256], help="matches at once on a stream")
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
