"""A check told to people: a line for each finding, and all that helps to mend a failure."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence

from harness.workshop.check import CheckReport, Finding, Status
from harness.workshop.check.verdict import NOT_REACHED, Circumstances

WIDTH = 100
_MARKS = {Status.OK: "ok", Status.ADVICE: "advice", Status.FAILED: "FAILED", Status.SKIPPED: "-"}
_MARK_WIDTH = 8


def told(report: CheckReport, like: str | None = None) -> Iterator[str]:
    """Lines that tell `report`. `like`: the cup file that was given, for the commands that repeat a check."""
    sha256 = f", sha256 {report.sha256[:12]}" if report.sha256 else ""
    yield f"check of {report.title} ({report.form}{sha256}), under {report.conditions}"
    width = max(len(finding.name) for finding in report.findings)
    not_reached = [finding.name for finding in report.findings if finding.verdict.says == NOT_REACHED]
    for finding in report.findings:
        verdict = finding.verdict
        if finding.name in not_reached:
            continue
        head = f"  {_MARKS[verdict.status]:{_MARK_WIDTH}}{finding.name:{width}}  "
        yield from _folded(head, verdict.says)
        if verdict.status is Status.ADVICE and verdict.evidence.mend:
            yield from _folded(" " * len(head), verdict.evidence.mend)
        elif verdict.status is Status.FAILED and not verdict.evidence.see:
            yield from _details(report, finding, " " * (2 + _MARK_WIDTH), like)
    if not_reached:
        yield from _folded(f"  {_MARKS[Status.SKIPPED]:{_MARK_WIDTH}}{NOT_REACHED}: ", ", ".join(not_reached))
    if report.failures and report.circumstances is not None:
        yield "it was started so:"
        yield from _rows(_circumstances(report.circumstances), " " * (2 + _MARK_WIDTH))
    yield f"{report.title}: {report.summary}"


def _details(report: CheckReport, finding: Finding, indent: str, like: str | None) -> Iterator[str]:
    evidence = finding.verdict.evidence
    words = ["cardarena", "check", report.form, "--only", finding.name, *(["--like", like] if like else [])]
    rows = [
        ("sent", evidence.sent),
        ("came back", evidence.came_back),
        ("expected", evidence.expected or finding.proves),
        ("mend", evidence.mend),
        ("again", shlex.join(words)),
    ]
    yield from _rows(rows, indent)
    if evidence.last_lines:
        yield f"{indent}its last lines on stdout and stderr:"
        yield from (f"{indent}  | {line}" for line in evidence.last_lines)


def _circumstances(started: Circumstances) -> list[tuple[str, str]]:
    return [
        ("argv", shlex.join(started.argv)),
        ("in", f"{started.folder} (a copy)"),
        ("program", started.interpreter),
        ("environment", " ".join(f"{name}={value}" for name, value in started.environment.items())),
    ]


def _rows(rows: Sequence[tuple[str, str]], indent: str) -> Iterator[str]:
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        if text:
            yield from _folded(f"{indent}{name:{width}}  ", text)


def _folded(head: str, text: str) -> Iterator[str]:
    """`text` behind `head`, its further lines below its first."""
    room = max(40, WIDTH - len(head))
    first, *rest = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    yield (head + first).rstrip()
    yield from (" " * len(head) + line for line in rest)


def members(report: CheckReport) -> dict[str, object]:
    """The report as plain JSON values."""
    started = report.circumstances
    return {
        "bot": report.title,
        "form": report.form,
        "sha256": report.sha256,
        "conditions": report.conditions,
        "passed": not report.failures,
        "summary": report.summary,
        "checks": [_finding_members(finding) for finding in report.findings],
        "started": None
        if started is None
        else {
            "argv": started.argv,
            "folder": str(started.folder),
            "environment": dict(started.environment),
            "program": started.interpreter,
        },
    }


def _finding_members(finding: Finding) -> dict[str, object]:
    verdict = finding.verdict
    evidence = verdict.evidence
    return {
        "name": finding.name,
        "proves": finding.proves,
        "status": verdict.status.value,
        "says": verdict.says,
        "figures": dict(verdict.figures or {}),
        "sent": evidence.sent,
        "came_back": evidence.came_back,
        "expected": evidence.expected,
        "mend": evidence.mend,
        "last_lines": evidence.last_lines,
    }
