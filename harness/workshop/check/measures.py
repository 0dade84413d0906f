"""Judgements of what was measured: thinking time, memory, output."""

from harness.faults import FaultKind
from harness.workshop.check.facts import UNREACHED, Facts, match_evidence, story
from harness.workshop.check.figures import FORECAST_COUNT, forecast, percentile
from harness.workshop.check.verdict import Evidence, Verdict, advice, failed, ok, skipped

MS = 1e6
MB = 1 << 20
MEMORY_SHARE = 0.8

# Figures --------------------------------------------------------------------------------------------


def think_time(facts: Facts) -> Verdict:
    """How long it thinks, and whether that can go wrong."""
    matches = [match.answer_ns for match in facts.first.matches if match.fault is None]
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


def memory(facts: Facts) -> Verdict:
    """How much memory it holds; whether it was killed for what it used."""
    for seen in facts.phases:
        for match in seen.faulted:
            if match.fault is not None and match.fault.fault.kind is FaultKind.RESOURCES:
                expected = f"at most {facts.conditions.limits.memory_mb} MB of memory, for all its processes together"
                return failed(story(match), match_evidence(facts, seen, match, expected))
    peak_bytes = max((seen.peak_bytes for seen in facts.phases), default=0)
    if not peak_bytes:
        return skipped("cannot be measured here")
    limit_mb = facts.conditions.limits.memory_mb
    says, figures = f"at most {peak_bytes / MB:.0f} MB of {limit_mb} MB", {"peak_mb": round(peak_bytes / MB, 1)}
    if peak_bytes > MEMORY_SHARE * limit_mb * MB:
        return advice(f"{says}: that is tight", Evidence(mend="hold less, or ask the organiser for more"), figures)
    return ok(says, figures)


def output(facts: Facts) -> Verdict:
    """How much it writes."""
    ends = [end for seen in facts.phases for end in seen.ends]
    if not ends:
        return UNREACHED
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
