"""What is known about a bot under check, and how a failure is told from it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

from harness.arena.specs import Unprepared
from harness.faults import FaultKind
from harness.workshop.check.conditions import Conditions
from harness.workshop.check.mends import mend_for
from harness.workshop.check.qualification import Observed, QualifyingMatch
from harness.workshop.check.runtime import Program
from harness.workshop.check.slips import mend_of_answer
from harness.workshop.check.traffic import shown_request
from harness.workshop.check.verdict import NOT_REACHED, Evidence, Verdict, skipped
from harness.workshop.manifest import BotManifest

UNREACHED = skipped(NOT_REACHED)
"""The verdict of a check that was to be judged by more than was seen."""


class Stage(IntEnum):
    """How far a bot must have come for a check to be judged."""

    MANIFEST = 1
    BUILD = 2
    RUNTIME = 3
    ALONE = 4
    TOGETHER = 5


@dataclass
class Facts:
    """All that is known about the bot. What was not reached is None."""

    manifest: BotManifest
    conditions: Conditions
    start_s: float
    max_matches: int
    unbuilt: Unprepared | None = None
    """Why it cannot be built."""
    build_s: float = 0.0
    program: Program | None = None
    interpreter: str = ""
    alone: Observed | None = None
    together: Observed | None = None
    interrupted: Observed | None = None
    again: Observed | None = None
    """Played where `together` went another way than `alone`."""
    tree_changed: bool = False

    @property
    def first(self) -> Observed:
        """The first phase, which must have been played."""
        assert self.alone is not None
        return self.alone

    @property
    def phases(self) -> tuple[Observed, ...]:
        """The phases that were played."""
        return tuple(phase for phase in (self.alone, self.together, self.interrupted, self.again) if phase is not None)


_MENDS_OF_LINES = {
    FaultKind.PROTOCOL: "print what is no action to stderr, and one line for each ask to stdout",
    FaultKind.TIMEOUT: "flush stdout after each line: what stays in a buffer is no answer",
    FaultKind.ILLEGAL_ACTION: "write one of `legal`, or its number in `actions`; not its place in the list",
}


class Check(NamedTuple):
    """One check."""

    name: str
    proves: str
    stage: Stage
    judge: Callable[[Facts], Verdict]


def story(match: QualifyingMatch) -> str:
    """What the bot did wrong in `match`, and where."""
    fault = match.fault
    assert fault is not None
    where = f"{match}, deal {fault.deal_index}, before action {fault.action_index}"
    return f"{where}: {fault.fault.kind}: {fault.fault.detail}"


def match_evidence(facts: Facts, seen: Observed, match: QualifyingMatch, expected: str) -> Evidence:
    """What lies behind the fault of `match`, which was played in `seen`."""
    fault = match.fault
    assert fault is not None
    talk = match.talk
    if talk is None:
        return evidence_of(facts, seen, sent="", came_back="", expected=expected)
    came_back = shown_request(talk.last) if fault.fault.kind is FaultKind.PROTOCOL else talk.came_back()
    evidence = evidence_of(facts, seen, sent=talk.sent(), came_back=came_back, expected=expected)
    if evidence.mend:
        return evidence
    is_lines = facts.manifest.run.protocol == "lines"
    kind = fault.fault.kind
    return replace(evidence, mend=_MENDS_OF_LINES.get(kind, "") if is_lines else mend_of_answer(kind, talk))


def evidence_of(
    facts: Facts, seen: Observed, *, sent: str, came_back: str, expected: str, known_mend: bool = True
) -> Evidence:
    """The same for any failure; `known_mend`: what the bot wrote may say how to mend it."""
    lines = seen.last_lines
    hides = facts.program.hides if facts.program is not None else ()
    mend = mend_for(lines, hides) if known_mend else ""
    return Evidence(sent=sent, came_back=came_back, expected=expected, mend=mend, last_lines=lines)
