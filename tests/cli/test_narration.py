"""A match told in lines: what is a bot's fault, and what is not."""

from dataclasses import replace

import pytest

from harness import local
from harness.bot import Action, Bot, View
from harness.cli.faces import Faces
from harness.cli.narration import narrate
from harness.faults import FaultKind, absence_by_organiser
from tests.sample_bots.programs import bot_class


class Gone(Bot):
    def choose(self, view: View) -> Action:
        return 9999


@pytest.mark.parametrize(
    ("detail", "word", "kind"),
    [
        ("withdrawn after faults in 11 of its first 20 matches", "absent ", "withdrawn"),
        (absence_by_organiser("it reads cards").detail, "absent ", "withdrawn"),
        ("exited with code 1 before it said Hello", "fault  ", "start"),
    ],
)
def test_a_bot_that_was_withdrawn_is_absent_and_not_at_fault(detail: str, word: str, kind: str) -> None:
    played = local.play("zhiletka", [Gone, bot_class("random")], seed=1, catch_faults=True)
    (fault,) = played.faults
    record = replace(played, faults=(fault._replace(kind=FaultKind.START, detail=detail),))
    name = record.seats[fault.seat].bot
    lines = list(narrate(record, Faces(colour=False, signs=False)))

    assert f"  {word} {name}: {kind} in deal {fault.deal} before action {fault.action}: {detail}" in lines
    assert f"  from here the house plays for {name} ({kind})" in lines
