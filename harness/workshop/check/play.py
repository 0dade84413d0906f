"""Judgements of the matches that a bot played: alone, and many at once."""

from collections.abc import Callable
from dataclasses import replace

from harness.faults import FaultKind
from harness.workshop.check.facts import UNREACHED, Facts, evidence_of, match_evidence, story
from harness.workshop.check.qualification import Observed, QualifyingMatch
from harness.workshop.check.traffic import shown
from harness.workshop.check.verdict import Evidence, Status, Verdict, advice, failed, ok, skipped
from ladder.words import plural

MS = 1e6
HELD_NS = 200_000_000
"""A batch that is answered by one message alone after so long was held back, where several were."""
HELD_BATCHES = 3

# Matches alone --------------------------------------------------------------------------------------


def plays(name: str) -> Callable[[Facts], Verdict]:
    """Plays the game called `name` to the end."""

    def judge(facts: Facts) -> Verdict:
        if all(game.name != name for game, _ in facts.conditions.games):
            return skipped("not declared" if name not in facts.manifest.bot.games else "not the cup's game")
        seen = facts.first
        hello = None if seen.turned_away is not None else seen.traffic.hello
        if hello is not None and name not in hello.games:
            evidence = evidence_of(
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
            return UNREACHED
        if not matches:
            return failed("no match of it came to its end")
        return ok("; ".join(_result(match) for match in matches))

    return judge


def _result(match: QualifyingMatch) -> str:
    played = match.played.match
    count = len(played.state.points)
    return f"table of {count}: {played.state.points[match.seat]:+d} points, {plural(len(match.answer_ns), 'decision')}"


def _fault_of(*kinds: FaultKind, fine: str, expected: str) -> Callable[[Facts], Verdict]:
    def judge(facts: Facts) -> Verdict:
        seen = facts.first
        for match in seen.faulted:
            if match.fault is not None and match.fault.fault.kind in kinds and not match.after_another:
                return failed(story(match), match_evidence(facts, seen, match, expected))
        return ok(fine) if seen.matches else UNREACHED

    return judge


legal = _fault_of(
    FaultKind.ILLEGAL_ACTION,
    fine="every action was one of those offered",
    expected="an action that is one of legal_actions",
)
alive = _fault_of(
    FaultKind.CRASHED,
    FaultKind.DISCONNECTED,
    fine="process and stream last as long as the matches",
    expected="a process that lives and a stream that stays open until Goodbye",
)


def protocol(facts: Facts) -> Verdict:
    """Sends what may be sent, each answer once."""
    verdict = _fault_of(
        FaultKind.PROTOCOL,
        fine="it sent nothing but answers, each once",
        expected="one line for each ask, with an action"
        if facts.manifest.run.protocol == "lines"
        else "a DecisionBatch that answers requests under way, each with its match_id and decision_id",
    )(facts)
    late_count = sum(seen.traffic.late_count for seen in facts.phases)
    if verdict.status is Status.OK and late_count:
        return advice(
            f"{plural(late_count, 'answer')} to what was answered already; such are ignored, up to 16 on a stream",
            Evidence(mend="answer each decision_id once"),
        )
    return verdict


def in_time(facts: Facts) -> Verdict:
    """Answers in time, each for itself."""
    verdict = _fault_of(
        FaultKind.TIMEOUT,
        fine="every answer came in time",
        expected=f"an answer within {facts.conditions.time.decision_ns / 1e9:g} s, "
        f"and no more than {facts.conditions.time.bank_ns / 1e9:g} s for a match",
    )(facts)
    if verdict.status is Status.FAILED and facts.first.haste is not None:
        return replace(verdict, says=f"{facts.first.haste.says}; {verdict.says}")
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


def snapshots(facts: Facts) -> Verdict:
    """Snapshots say what events say."""
    seen = facts.first
    if not seen.traffic.snapshot_count:
        return skipped("it asks for events alone")
    if seen.traffic.snapshot_difference:
        return failed(f"snapshot and events differ: {seen.traffic.snapshot_difference}")
    return ok(f"{seen.traffic.snapshot_count} snapshots say what the events say")


def others_fault(facts: Facts) -> Verdict:
    """Bears another seat's fault."""
    seen = facts.first
    matches = [match for match in seen.matches if match.with_leaver]
    if not matches or any(not match.after_another for match in seen.faulted):
        return UNREACHED
    for match in matches:
        if match.after_another:
            expected = "it plays on when the harness says that another seat is at fault (SeatFaulted)"
            return failed(story(match), match_evidence(facts, seen, match, expected))
    return ok(f"{len(matches)} match{'es' * (len(matches) != 1)} in which another bot crashed, played to the end")


# Matches together -----------------------------------------------------------------------------------


def at_once(facts: Facts) -> Verdict:
    """Keeps many matches apart."""
    seen = facts.together
    if seen is None:
        return UNREACHED
    if seen.faulted:
        expected = "matches that do not disturb each other: state is kept apart by match_id"
        return failed(
            f"alone all went well, at once not: {story(seen.faulted[0])}",
            match_evidence(facts, seen, seen.faulted[0], expected),
        )
    if not seen.matches:
        return failed(
            "its second start failed",
            evidence_of(facts, seen, sent="", came_back="", expected="a start like the first"),
        )
    largest = max((batch.size for batch in seen.traffic.batches), default=0)
    if facts.max_matches == 1:
        return ok(f"{plural(len(seen.matches), 'match', 'matches')}, one at a time, as it asks")
    return ok(
        f"{plural(len(seen.matches), 'match', 'matches')} at once, up to {plural(largest, 'request')} in a message"
    )


def told_again(facts: Facts) -> Verdict:
    """Goes on with matches that a new process of it is told from the start."""
    seen = facts.interrupted
    if seen is None:
        return skipped("it plays one match at a time") if facts.max_matches == 1 else UNREACHED
    if not seen.was_interrupted:
        return skipped("its matches were over too soon")
    ours = next(end for end in seen.ends if end.fault is not None)
    others = [match for match in seen.faulted if match.fault is not None and match.fault.fault != ours.fault]
    if others or len(seen.faulted) > 1:
        match = others[0] if others else seen.faulted[-1]
        expected = "a MatchStarted with an id that was known before means: from the start, every event follows"
        return failed(f"after a new start: {story(match)}", match_evidence(facts, seen, match, expected))
    return ok(
        f"killed in the midst of {plural(len(seen.matches), 'match', 'matches')}, it went on with "
        f"{len(seen.matches) - 1}"
    )


def repeats(facts: Facts) -> Verdict:
    """Plays the same way again."""
    if facts.alone is None or facts.together is None or facts.together.faulted:
        return UNREACHED
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


_BLAMED = {
    FaultKind.ILLEGAL_ACTION: "legal",
    FaultKind.PROTOCOL: "protocol",
    FaultKind.CRASHED: "alive",
    FaultKind.DISCONNECTED: "alive",
    FaultKind.RESOURCES: "memory",
    FaultKind.TIMEOUT: "in-time",
    FaultKind.START: "hello",
}
