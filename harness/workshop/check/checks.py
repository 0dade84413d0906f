"""The checks: each a name, what it proves, how far the bot must have come, and a judgement of what was seen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from harness.errors import HarnessError
from harness.faults import FaultKind
from harness.games import GAME_NAMES
from harness.roster import check_playable
from harness.workshop.check.conditions import Conditions
from harness.workshop.check.figures import FORECAST_COUNT, forecast, percentile
from harness.workshop.check.mends import mend_for
from harness.workshop.check.qualification import Observed, QualifyingMatch
from harness.workshop.check.runtime import Program
from harness.workshop.check.traffic import shown, shown_request
from harness.workshop.check.verdict import NOT_REACHED, Evidence, Status, Verdict, advice, failed, ok, skipped
from harness.workshop.manifest import BotManifest

MS = 1e6
MB = 1 << 20
HELD_NS = 200_000_000
"""A batch that is answered by one message alone after so long was held back, where several were."""
HELD_BATCHES = 3
MEMORY_SHARE = 0.8
_NOT_REACHED = skipped(NOT_REACHED)


class Stage(IntEnum):
    """How far a bot must have come for a check to be judged."""

    MANIFEST = 1
    RUNTIME = 2
    ALONE = 3
    TOGETHER = 4


@dataclass
class Facts:
    """All that is known about the bot. What was not reached is None."""

    manifest: BotManifest
    conditions: Conditions
    start_s: float
    max_matches: int
    program: Program | None = None
    interpreter: str = ""
    alone: Observed | None = None
    together: Observed | None = None
    again: Observed | None = None
    """Played where `together` went another way than `alone`."""
    tree_changed: bool = False

    @property
    def phases(self) -> tuple[Observed, ...]:
        """The phases that were played."""
        return tuple(phase for phase in (self.alone, self.together, self.again) if phase is not None)


class Check(NamedTuple):
    """One check."""

    name: str
    proves: str
    stage: Stage
    judge: Callable[[Facts], Verdict]


# What stands in the folder --------------------------------------------------------------------------


def _manifest(facts: Facts) -> Verdict:
    manifest, limits = facts.manifest, facts.conditions.limits
    for game, _ in facts.conditions.games:
        try:
            check_playable(manifest, game.name)
        except HarnessError as error:
            return failed(str(error))
    says = f"{manifest.name} {manifest.version} plays {' and '.join(manifest.bot.games)}"
    needs = manifest.needs.memory_mb
    if needs is not None and needs > limits.memory_mb:
        return advice(f"{says}; it asks for {needs} MB of memory, {facts.conditions.source} grant {limits.memory_mb}")
    return ok(says)


def _runtime(facts: Facts) -> Verdict:
    program = facts.program
    assert program is not None
    if program.path is None:
        return failed(program.problem, Evidence(expected="a program that this machine can run", mend=program.mend))
    if program.hides:
        return advice(
            f"{facts.interpreter}; {', '.join(program.hides)} in the folder hide modules that others import",
            Evidence(mend="give them other names"),
        )
    return ok(facts.interpreter)


# The start ------------------------------------------------------------------------------------------


def _start(facts: Facts) -> Verdict:
    seen = _alone(facts)
    for end in seen.ends:
        if end.fault is not None and end.fault.detail == f"{end.how} before it said Hello":
            evidence = _evidence(facts, seen, sent="", came_back=end.how, expected="a Hello on the stream")
            return failed(f"its process {end.fault.detail}", evidence)
    return ok("its process starts")


def _hello(facts: Facts) -> Verdict:
    seen = _alone(facts)
    if seen.hello_s is None:
        if _start(facts).status is Status.FAILED:
            return _NOT_REACHED
        detail = next((end.fault.detail for end in seen.ends if end.fault is not None), "no Hello came")
        evidence = _evidence(
            facts,
            seen,
            sent="CARDARENA_ADDRESS and CARDARENA_TOKEN, in its environment",
            came_back=shown_request(seen.traffic.first),
            expected="one stream with `authorization: Bearer TOKEN`, and Hello as its first message",
        )
        return failed(detail, evidence)
    says = f"Hello after {seen.hello_s:.2f} s of {facts.start_s:g} s"
    figures = {"hello_s": round(seen.hello_s, 3)}
    if seen.hello_s > facts.start_s / 2:
        evidence = Evidence(mend="load less before Hello")
        return advice(f"{says}: on a busy machine that may be too late", evidence, figures)
    return ok(says, figures)


# Matches alone --------------------------------------------------------------------------------------


def _game(name: str) -> Callable[[Facts], Verdict]:
    def judge(facts: Facts) -> Verdict:
        if all(game.name != name for game, _ in facts.conditions.games):
            return skipped("not declared" if name not in facts.manifest.bot.games else "not the cup's game")
        seen = _alone(facts)
        hello = seen.traffic.hello
        if hello is not None and name not in hello.games:
            evidence = _evidence(
                facts,
                seen,
                sent="",
                came_back=shown(hello),
                expected=f"a Hello whose games name {name}, as bot.toml does",
            )
            return failed(f"its Hello does not name {name}", evidence)
        matches = seen.of(name)
        for match in matches:
            if match.fault is not None:
                blamed = "others-fault" if match.after_another else _BLAMED[match.fault.fault.kind]
                return failed(f"{match}: at fault, {match.fault.fault.kind}; see {blamed}", Evidence(see=blamed))
        if not matches and (hello is None or seen.faulted):
            return _NOT_REACHED
        if not matches:
            return failed("no match of it came to its end")
        return ok("; ".join(_result(match) for match in matches))

    return judge


def _result(match: QualifyingMatch) -> str:
    played = match.played.match
    count = len(played.state.points)
    return f"table of {count}: {played.state.points[match.seat]:+d} points, {len(match.answer_ns)} decisions"


def _fault_of(*kinds: FaultKind, fine: str, expected: str) -> Callable[[Facts], Verdict]:
    def judge(facts: Facts) -> Verdict:
        seen = _alone(facts)
        for match in seen.faulted:
            if match.fault is not None and match.fault.fault.kind in kinds and not match.after_another:
                return failed(_story(match), _match_evidence(facts, seen, match, expected))
        return ok(fine) if seen.matches else _NOT_REACHED

    return judge


_legal = _fault_of(
    FaultKind.ILLEGAL_ACTION,
    fine="every action was one of those offered",
    expected="an action that is one of legal_actions",
)
_alive = _fault_of(
    FaultKind.CRASHED,
    FaultKind.DISCONNECTED,
    FaultKind.RESOURCES,
    fine="process and stream last as long as the matches",
    expected="a process that lives and a stream that stays open until Goodbye",
)


def _protocol(facts: Facts) -> Verdict:
    verdict = _fault_of(
        FaultKind.PROTOCOL,
        fine="it sent nothing but answers, each once",
        expected="a DecisionBatch that answers requests under way, each with its match_id and decision_id",
    )(facts)
    late_count = sum(seen.traffic.late_count for seen in facts.phases)
    if verdict.status is Status.OK and late_count:
        return advice(
            f"{late_count} answers to requests that were answered already; they are ignored, up to 16 on a stream",
            Evidence(mend="answer each decision_id once"),
        )
    return verdict


def _in_time(facts: Facts) -> Verdict:
    verdict = _fault_of(
        FaultKind.TIMEOUT,
        fine="every answer came in time",
        expected=f"an answer within {facts.conditions.time.decision_ns / 1e9:g} s, "
        f"and no more than {facts.conditions.time.bank_ns / 1e9:g} s for a match",
    )(facts)
    if verdict.status is not Status.OK or facts.together is None:
        return verdict
    batches = [batch for batch in facts.together.traffic.batches if batch.size > 1 and batch.left == 0]
    held = [batch for batch in batches if batch.answers_messages == 1 and batch.span_ns >= HELD_NS]
    if len(held) >= max(HELD_BATCHES, len(batches) // 5):
        longest = max(held, key=lambda batch: batch.span_ns)
        span_ms = longest.span_ns / MS
        return advice(
            f"answers are held back: {longest.size} requests were answered together after {span_ms:.0f} ms",
            Evidence(mend="send each answer within 20 ms after it is chosen, so that the other tables go on"),
        )
    return verdict


def _snapshots(facts: Facts) -> Verdict:
    seen = _alone(facts)
    if not seen.traffic.snapshot_count:
        return skipped("it asks for events alone")
    if seen.traffic.snapshot_difference:
        return failed(f"snapshot and events differ: {seen.traffic.snapshot_difference}")
    return ok(f"{seen.traffic.snapshot_count} snapshots say what the events say")


def _others_fault(facts: Facts) -> Verdict:
    seen = _alone(facts)
    matches = [match for match in seen.matches if match.with_leaver]
    if not matches or any(not match.after_another for match in seen.faulted):
        return _NOT_REACHED
    for match in matches:
        if match.after_another:
            expected = "it plays on when the harness says that another seat is at fault (SeatFaulted)"
            return failed(_story(match), _match_evidence(facts, seen, match, expected))
    return ok(f"{len(matches)} matches in which another bot crashed, played to the end")


# Matches together -----------------------------------------------------------------------------------


def _at_once(facts: Facts) -> Verdict:
    seen = facts.together
    if seen is None:
        return _NOT_REACHED
    if seen.faulted:
        expected = "matches that do not disturb each other: state is kept apart by match_id"
        return failed(
            f"alone all went well, at once not: {_story(seen.faulted[0])}",
            _match_evidence(facts, seen, seen.faulted[0], expected),
        )
    if not seen.matches:
        return failed(
            "its second start failed", _evidence(facts, seen, sent="", came_back="", expected="a start like the first")
        )
    largest = max((batch.size for batch in seen.traffic.batches), default=0)
    if facts.max_matches == 1:
        return ok(f"{len(seen.matches)} matches, one at a time, as it asks")
    return ok(f"{len(seen.matches)} matches at once, up to {largest} requests in a message")


def _repeats(facts: Facts) -> Verdict:
    if facts.alone is None or facts.together is None or facts.together.faulted:
        return _NOT_REACHED
    difference = first_difference(facts.alone, facts.together)
    if difference is None:
        return ok("the same matches were played the same way twice")
    alike = facts.again is not None and first_difference(facts.alone, facts.again) is None
    if alike:
        return advice(
            f"it plays otherwise when other matches run beside: {difference}",
            Evidence(mend="keep the state of each match apart, and draw chance from that match's bot_seed"),
        )
    return advice(
        f"the same seed, and it plays otherwise: {difference}",
        Evidence(mend="draw all chance from view.random (bot_seed), and a lost match can be played again exactly"),
    )


def first_difference(first: Observed, second: Observed) -> str | None:
    """Where the matches that both phases played first differ, as text; None where they are the same."""
    others = {match.spec.match_id: match for match in second.matches}
    for match in first.matches:
        other = others.get(match.spec.match_id)
        if match.with_leaver or other is None or match.actions == other.actions:
            continue
        for index, (before, after) in enumerate(zip(match.actions, other.actions, strict=False)):
            for number, (one, two) in enumerate(zip(before, after, strict=False)):
                if one != two:
                    return f"{match}, deal {index}, action {number}: {one}, then {two}"
        return f"{match}: one of them is longer"
    return None


def _goodbye(facts: Facts) -> Verdict:
    ends = [end for seen in facts.phases for end in seen.ends if end.fault is None]
    if not ends:
        return _NOT_REACHED
    for end in ends:
        if end.how == "exited with code 0":
            continue
        seen = _alone(facts)
        evidence = _evidence(
            facts, seen, sent="Goodbye", came_back=end.how, expected="an exit with code 0 within 2 s", known_mend=False
        )
        if end.how.startswith("exited"):
            return advice(f"at Goodbye it {end.how}", evidence)
        return failed("it did not end within 2 s after Goodbye, and was killed", evidence)
    return ok("it ends at Goodbye")


def _folder(facts: Facts) -> Verdict:
    if not facts.phases:
        return _NOT_REACHED
    if facts.tree_changed:
        return failed(
            "it writes into its own folder", Evidence(expected="a folder that stays as it is", mend="write to $TMPDIR")
        )
    return ok("its folder is as it was")


# Figures --------------------------------------------------------------------------------------------


def _think_time(facts: Facts) -> Verdict:
    matches = [match.answer_ns for match in _alone(facts).matches if match.fault is None]
    times_ns = [spent_ns for match in matches for spent_ns in match]
    if not times_ns:
        return skipped("no answers to measure")
    figures = {
        "p50_ms": round(percentile(times_ns, 50) / MS, 3),
        "p99_ms": round(percentile(times_ns, 99) / MS, 3),
        "max_ms": round(max(times_ns) / MS, 3),
        "match_s": round(max(sum(match) for match in matches) / 1e9, 3),
    }
    expected = forecast(matches, facts.conditions.time)
    figures |= {"timeouts_per_1000": expected.timeouts, "timeouts_per_1000_slowed": expected.slowed}
    says = (
        f"p50 {figures['p50_ms']:.2f} ms, p99 {figures['p99_ms']:.2f} ms, longest match {figures['match_s']:.2f} s of "
        f"{facts.conditions.time.bank_ns / 1e9:g} s"
    )
    if expected.slowed:
        return advice(
            f"{says}; of {FORECAST_COUNT:,} such matches {expected.timeouts} would be timeouts, "
            f"{expected.slowed} on a machine three times as slow",
            Evidence(mend="look at view.clock_s, and think less when little is left"),
            figures,
        )
    return ok(f"{says}; no timeouts to expect", figures)


def _memory(facts: Facts) -> Verdict:
    peak_bytes = max((seen.peak_bytes for seen in facts.phases), default=0)
    if not peak_bytes:
        return skipped("cannot be measured here")
    limit_mb = facts.conditions.limits.memory_mb
    says, figures = f"at most {peak_bytes / MB:.0f} MB of {limit_mb} MB", {"peak_mb": round(peak_bytes / MB, 1)}
    if peak_bytes > MEMORY_SHARE * limit_mb * MB:
        return advice(f"{says}: that is tight", Evidence(mend="hold less, or ask the organiser for more"), figures)
    return ok(says, figures)


def _output(facts: Facts) -> Verdict:
    ends = [end for seen in facts.phases for end in seen.ends]
    if not ends:
        return _NOT_REACHED
    written = max(len(end.output) for end in ends)
    figures = {"output_bytes": float(written)}
    limit_kb = facts.conditions.limits.log_kb
    if written > limit_kb << 10:
        return advice(
            f"it writes more than {limit_kb} kB to stdout and stderr: the middle is not kept",
            Evidence(mend="write less; view.note keeps a text beside a decision"),
            figures,
        )
    return ok(f"{written:,} bytes on stdout and stderr", figures)


# Evidence -------------------------------------------------------------------------------------------


def _alone(facts: Facts) -> Observed:
    assert facts.alone is not None
    return facts.alone


def _story(match: QualifyingMatch) -> str:
    fault = match.fault
    assert fault is not None
    where = f"{match}, deal {fault.deal_index}, before action {fault.action_index}"
    return f"{where}: {fault.fault.kind}: {fault.fault.detail}"


def _match_evidence(facts: Facts, seen: Observed, match: QualifyingMatch, expected: str) -> Evidence:
    fault = match.fault
    assert fault is not None
    talk = match.talk
    if talk is None:
        return _evidence(facts, seen, sent="", came_back="", expected=expected)
    came_back = shown_request(talk.last) if fault.fault.kind is FaultKind.PROTOCOL else talk.came_back()
    sent = talk.sent()
    return _evidence(facts, seen, sent=sent, came_back=came_back, expected=expected)


def _evidence(
    facts: Facts, seen: Observed, *, sent: str, came_back: str, expected: str, known_mend: bool = True
) -> Evidence:
    lines = seen.last_lines
    hides = facts.program.hides if facts.program is not None else ()
    mend = mend_for(lines, hides) if known_mend else ""
    return Evidence(sent=sent, came_back=came_back, expected=expected, mend=mend, last_lines=lines)


_BLAMED = {
    FaultKind.ILLEGAL_ACTION: "legal",
    FaultKind.PROTOCOL: "protocol",
    FaultKind.CRASHED: "alive",
    FaultKind.DISCONNECTED: "alive",
    FaultKind.RESOURCES: "alive",
    FaultKind.TIMEOUT: "in-time",
    FaultKind.START: "hello",
}


def _games() -> Iterator[Check]:
    for name in GAME_NAMES:
        yield Check(name, f"it plays {name} to the end, where it says that it plays it", Stage.ALONE, _game(name))


CHECKS: tuple[Check, ...] = (
    Check("manifest", "bot.toml can be used, and asks for nothing that is not granted", Stage.MANIFEST, _manifest),
    Check("runtime", "the program that argv names is here and can run", Stage.RUNTIME, _runtime),
    Check("start", "its process starts and stays", Stage.ALONE, _start),
    Check("hello", "it dials in and says Hello, in time", Stage.ALONE, _hello),
    *_games(),
    Check("legal", "it chooses among the actions that are offered", Stage.ALONE, _legal),
    Check("protocol", "it sends what the protocol allows at that moment, and nothing twice", Stage.ALONE, _protocol),
    Check("alive", "its process and its stream last as long as its matches", Stage.ALONE, _alive),
    Check("in-time", "its answers come in time and are not held back", Stage.TOGETHER, _in_time),
    Check("snapshots", "the snapshots that it asks for agree with the events", Stage.ALONE, _snapshots),
    Check("others-fault", "it plays on when another seat is at fault", Stage.ALONE, _others_fault),
    Check("at-once", "many matches at once do not disturb each other", Stage.TOGETHER, _at_once),
    Check("repeats", "the same seed gives the same play, in a second process", Stage.TOGETHER, _repeats),
    Check("goodbye", "it ends when all is over", Stage.ALONE, _goodbye),
    Check("folder", "it leaves its own folder as it is", Stage.ALONE, _folder),
    Check("think-time", "how long it thinks, and what that leads to expect", Stage.ALONE, _think_time),
    Check("memory", "how much memory it holds", Stage.ALONE, _memory),
    Check("output", "how much it writes to stdout and stderr", Stage.ALONE, _output),
)
