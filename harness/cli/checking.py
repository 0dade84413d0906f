"""A check told to people: a line for each finding, and all that helps to mend a failure."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence

from harness.workshop.check import CheckReport, Finding, Status
from harness.workshop.check.verdict import NOT_REACHED, Circumstances

MOST_WIDTH = 100
_MARKS = {Status.OK: "ok", Status.ADVICE: "advice", Status.FAILED: "FAILED", Status.SKIPPED: "-"}
_MARK_WIDTH = 8
_INDENT = " " * (2 + _MARK_WIDTH)


def told(report: CheckReport, options: Sequence[str] = (), width: int = MOST_WIDTH) -> Iterator[str]:
    """Lines that tell `report`, broken to fit `width` columns where their words allow it.

    `options`: those that were given, for the commands that repeat a check.
    """
    return _Teller(report, options, min(width, MOST_WIDTH)).lines()


class _Teller:
    def __init__(self, report: CheckReport, options: Sequence[str], width: int) -> None:
        self.report = report
        self.options = options
        self.width = width

    def lines(self) -> Iterator[str]:
        report = self.report
        sha256 = f", sha256 {report.sha256[:12]}" if report.sha256 else ""
        yield from self._folded("", f"check of {report.title} ({report.form}{sha256}), under {report.conditions}")
        not_reached = [finding.name for finding in report.findings if finding.verdict.says == NOT_REACHED]
        for finding in report.findings:
            if finding.name not in not_reached:
                yield from self._finding(finding)
        if not_reached:
            head = f"  {_MARKS[Status.SKIPPED]:{_MARK_WIDTH}}{NOT_REACHED}: "
            yield from self._folded(head, ", ".join(not_reached))
        if report.failures and report.circumstances is not None:
            yield "it was started so:"
            yield from self._rows(_circumstances(report.circumstances))
        yield f"{report.title}: {report.summary}"

    def _finding(self, finding: Finding) -> Iterator[str]:
        verdict = finding.verdict
        name_width = max(len(other.name) for other in self.report.findings)
        head = f"  {_MARKS[verdict.status]:{_MARK_WIDTH}}{finding.name:{name_width}}  "
        yield from self._folded(head, verdict.says)
        if verdict.status is Status.ADVICE:
            yield from self._folded(" " * len(head), verdict.evidence.mend)
        elif verdict.status is Status.FAILED and not verdict.evidence.see:
            yield from self._details(finding)

    def _details(self, finding: Finding) -> Iterator[str]:
        evidence = finding.verdict.evidence
        yield from self._rows(
            [
                ("sent", evidence.sent),
                ("came back", evidence.came_back),
                ("expected", evidence.expected or finding.proves),
                ("mend", evidence.mend),
                ("again", _again(self.report, finding, self.options)),
            ]
        )
        if evidence.last_lines:
            yield f"{_INDENT}its last lines on stdout and stderr:"
            yield from (f"{_INDENT}  | {line}" for line in evidence.last_lines)

    def _rows(self, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
        name_width = max(len(name) for name, _ in rows)
        for name, text in rows:
            yield from self._folded(f"{_INDENT}{name:{name_width}}  ", text)

    def _folded(self, head: str, text: str) -> Iterator[str]:
        """`text` behind `head`, its further lines below its first; nothing where there is no text."""
        room = max(30, self.width - len(head))
        lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
        for number, line in enumerate(lines):
            yield (" " * len(head) if number else head) + line


def _circumstances(started: Circumstances) -> list[tuple[str, str]]:
    return [
        ("argv", shlex.join(started.argv)),
        ("in", f"{started.folder} (a copy)"),
        ("program", started.interpreter),
        *(("environment" if not number else "", line) for number, line in enumerate(_variables(started))),
    ]


def _variables(started: Circumstances) -> Iterator[str]:
    return (f"{name}={value}" for name, value in started.environment.items())


def _again(report: CheckReport, finding: Finding, options: Sequence[str]) -> str:
    """The command that repeats one check alone."""
    words = ["cardarena", "check", report.form, "--only", finding.name]
    return shlex.join([*words, *options])


def members(report: CheckReport, options: Sequence[str] = ()) -> dict[str, object]:
    """The report as plain JSON values. `options`: as for `told`."""
    started = report.circumstances
    return {
        "bot": report.title,
        "form": report.form,
        "sha256": report.sha256,
        "conditions": report.conditions,
        "passed": not report.failures,
        "summary": report.summary,
        "checks": [
            {**_finding_members(finding), "again": _again(report, finding, options)} for finding in report.findings
        ],
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
