"""A check told to people: a line for each finding, and all that helps to mend a failure."""

import shlex
import textwrap
from collections.abc import Iterator

from harness.workshop.check import CheckReport, Finding, Status

WIDTH = 100
_MARKS = {Status.OK: "ok", Status.ADVICE: "advice", Status.FAILED: "FAILED", Status.SKIPPED: "-"}
_MARK_WIDTH = 8
_EXCERPT_LINES = 12


def told(report: CheckReport, like: str | None = None) -> Iterator[str]:
    """Lines that tell `report`. `like`: the cup file that was given, for the commands that repeat a check."""
    sha256 = f", sha256 {report.sha256[:12]}" if report.sha256 else ""
    yield f"check of {report.title} ({report.form}{sha256}), under {report.conditions}"
    width = max(len(finding.name) for finding in report.findings)
    for finding in report.findings:
        verdict = finding.verdict
        head = f"  {_MARKS[verdict.status]:{_MARK_WIDTH}}{finding.name:{width}}  "
        yield from _folded(head, verdict.says)
        indent = " " * (2 + _MARK_WIDTH)
        if verdict.status is Status.ADVICE and verdict.evidence.mend:
            yield from _folded(" " * len(head), verdict.evidence.mend)
        elif verdict.status is Status.FAILED:
            yield from _details(report, finding, indent, like)
    yield f"{report.title}: {report.summary}"


def _details(report: CheckReport, finding: Finding, indent: str, like: str | None) -> Iterator[str]:
    evidence = finding.verdict.evidence
    rows = [
        ("proves", finding.proves),
        ("sent", evidence.sent),
        ("came back", evidence.came_back),
        ("expected", evidence.expected),
        ("mend", evidence.mend),
    ]
    if (started := report.circumstances) is not None:
        environment = " ".join(f"{name}={value}" for name, value in started.environment.items())
        rows += [
            ("argv", shlex.join(started.argv)),
            ("in", f"{started.folder} (a copy)"),
            ("program", started.interpreter),
            ("environment", environment),
        ]
    words = ["cardarena", "check", report.form, "--only", finding.name, *(["--like", like] if like else [])]
    rows.append(("again", shlex.join(words)))
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        if text:
            yield from _folded(f"{indent}{name:{width}}  ", text)
    if evidence.last_lines:
        yield f"{indent}its last lines on stdout and stderr:"
        yield from (f"{indent}  | {line}" for line in evidence.last_lines[-_EXCERPT_LINES:])


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
