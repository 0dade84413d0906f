"""What a check says: ok, advice, failed, or not reached, and everything that an author needs to mend it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ladder.words import plural

NOT_REACHED = "not reached"
"""What a check says that was to be judged by more than was seen."""

PASSED = "passed"
"""The summary of a report without failures or remarks."""


class Status(StrEnum):
    """How a check ended."""

    OK = "ok"
    ADVICE = "advice"
    """It costs the bot no match, and should be known."""
    FAILED = "failed"
    """It would cost the bot matches: it is refused."""
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Evidence:
    """What lies behind a failure. All texts are printable, "" where there is nothing to show."""

    sent: str = ""
    came_back: str = ""
    expected: str = ""
    mend: str = ""
    see: str = ""
    """The check that tells more."""
    last_lines: tuple[str, ...] = ()
    """The end of what the bot wrote on stdout and stderr."""


@dataclass(frozen=True)
class Verdict:
    """What one check found, in a line."""

    status: Status
    says: str
    evidence: Evidence = Evidence()
    figures: Mapping[str, float] | None = None
    """Measured numbers, by name with their unit."""


def ok(says: str, figures: Mapping[str, float] | None = None) -> Verdict:
    """All is well."""
    return Verdict(Status.OK, says, figures=figures)


def advice(says: str, evidence: Evidence = Evidence(), figures: Mapping[str, float] | None = None) -> Verdict:
    """Worth knowing."""
    return Verdict(Status.ADVICE, says, evidence, figures)


def failed(says: str, evidence: Evidence = Evidence()) -> Verdict:
    """Refused."""
    return Verdict(Status.FAILED, says, evidence)


def skipped(says: str) -> Verdict:
    """Not looked at, and why."""
    return Verdict(Status.SKIPPED, says)


@dataclass(frozen=True)
class Finding:
    """A check and its verdict."""

    name: str
    proves: str
    verdict: Verdict


@dataclass(frozen=True)
class Circumstances:
    """How the bot was started."""

    argv: tuple[str, ...]
    folder: Path
    """A read-only copy, as on the ladder."""
    environment: Mapping[str, str]
    """Without the token."""
    interpreter: str
    """Program and version, as far as they can be told."""


@dataclass(frozen=True)
class CheckReport:
    """All findings about one bot, in the order of the checks."""

    form: str
    """BOT as it was written."""
    title: str
    """Name and version; the form alone where its bot.toml cannot be read."""
    sha256: str | None
    conditions: str
    """Whose clock and limits."""
    findings: tuple[Finding, ...]
    circumstances: Circumstances | None

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The findings for which the bot is refused."""
        return tuple(finding for finding in self.findings if finding.verdict.status is Status.FAILED)

    @property
    def remark_count(self) -> int:
        """How many checks have advice."""
        return sum(finding.verdict.status is Status.ADVICE for finding in self.findings)

    @property
    def summary(self) -> str:
        """`passed`, `passed, 2 remarks`, or `failed: legal, goodbye`."""
        if self.failures:
            return f"failed: {', '.join(finding.name for finding in self.failures)}"
        remarks = f", {plural(self.remark_count, 'remark')}" if self.remark_count else ""
        return f"{PASSED}{remarks}"

    @property
    def match_think_ns(self) -> int | None:
        """Thinking time of the longest match that it played; None where there was none to measure."""
        for finding in self.findings:
            if finding.verdict.figures and "match_s" in finding.verdict.figures:
                return round(finding.verdict.figures["match_s"] * 1e9)
        return None
