"""What authors of bots really get wrong, each a bot under check: the failure says what it is and how to mend it."""

import shutil
from pathlib import Path

import pytest

from harness.cup import read_cup
from harness.workshop.check import Finding, Status, check_bot
from harness.workshop.entry import BotFinder, sample_bots
from tests.cli.command import write_cup
from tests.workshop.folders import bot_folder

SDK = """\
from harness.bot import Bot, parse_card, run

class Made(Bot):
    def choose(self, view):
        CHOOSE

run(Made)
"""


def finding(tmp_path: Path, check: str) -> Finding:
    """What the check of that name says of the bot in `tmp_path/fox`."""
    cup = write_cup(tmp_path, seats="2")
    cup.write_text(cup.read_text() + "[time]\ndecision_s = 3.0\n")
    report = check_bot("fox", BotFinder(tmp_path), cup=read_cup(cup), only=[check])
    (found,) = (finding for finding in report.findings if finding.name == check)
    return found


def raw(tmp_path: Path, right: str, wrong: str) -> None:
    """The sample bot that speaks the protocol itself, with one slip."""
    shutil.copytree(sample_bots() / "raw-stub", tmp_path / "fox")
    for name, old, new in (("bot.py", right, wrong), ("bot.toml", '"raw-stub"', '"fox"')):
        text = (tmp_path / "fox" / name).read_text()
        assert old in text
        (tmp_path / "fox" / name).write_text(text.replace(old, new))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "check", "mend"),
    [
        (
            "action=legal[self.chances[update.match_id].below(len(legal))]",
            "action=0",
            "legal",
            "not with its place in the list: place 0 holds the action",
        ),
        ("decision_id=update.request.decision_id,", "", "protocol", "the answer has none"),
        (
            "decision_id=update.request.decision_id,",
            "decision_id=int(float(update.request.decision_id)),",
            "protocol",
            "the answer has another (64 bits: a JavaScript number is too short for it)",
        ),
        (
            "        legal = update.request.legal_actions",
            "        next(responses); legal = update.request.legal_actions",
            "in-time",
            "may wait for another message",
        ),
    ],
    ids=["index", "no id", "id as a float", "waits in the callback"],
)
def test_a_slip_with_the_protocol_is_told_with_its_mend(
    tmp_path: Path, right: str, wrong: str, check: str, mend: str
) -> None:
    raw(tmp_path, right, wrong)
    if "responses" in wrong:
        path = tmp_path / "fox" / "bot.py"
        path.write_text(
            path.read_text().replace("        responses: ", "        global responses\n        responses: ")
        )
        path.write_text(path.read_text().replace("responses: Iterator[pb.PlayResponse] =", "responses ="))
    found = finding(tmp_path, check)

    assert found.verdict.status is Status.FAILED
    assert mend in found.verdict.evidence.mend


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choose", "check", "mend"),
    [
        ("return 0", "legal", "not with its place in the list"),
        ("return max(view.actions) % 13 * 4 + 1", "legal", "a card is suit * 13 + rank"),
        ("return view.actions.index(parse_card('10H'))", "alive", ""),
        ("return view.name(view.actions[0])", "alive", "return one of the ints in view.actions"),
    ],
)
def test_a_slip_with_the_sdk_is_told_with_its_mend(tmp_path: Path, choose: str, check: str, mend: str) -> None:
    bot_folder(tmp_path, "fox", code=SDK.replace("CHOOSE", choose))
    found = finding(tmp_path, check)

    assert found.verdict.status is Status.FAILED
    assert mend in found.verdict.evidence.mend
    if "10H" in choose:
        assert "not a card: '10H' (rank then suit, such as QS or TH); did you mean 'TH'?" in "".join(
            found.verdict.evidence.last_lines
        )


@pytest.mark.slow
def test_an_object_in_place_of_the_class_is_told_with_its_mend(tmp_path: Path) -> None:
    bot_folder(
        tmp_path, "fox", code=SDK.replace("CHOOSE", "return view.actions[0]").replace("run(Made)", "run(Made())")
    )
    found = finding(tmp_path, "start")

    assert found.verdict.status is Status.FAILED
    assert found.verdict.evidence.mend == "hand the class to run: run(Made)"


@pytest.mark.slow
def test_a_file_called_like_the_sdk_is_told_with_its_mend(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "fox", code=SDK.replace("CHOOSE", "return view.actions[0]"))
    (folder / "harness.py").write_text("pass\n")
    found = finding(tmp_path, "start")

    assert found.verdict.status is Status.FAILED
    assert "harness.py in the folder hides the module harness" in found.verdict.evidence.mend


@pytest.mark.slow
def test_printing_too_much_is_advised_against(tmp_path: Path) -> None:
    bot_folder(tmp_path, "fox", code=SDK.replace("CHOOSE", "print('x' * 20_000)\n        return view.actions[0]"))
    found = finding(tmp_path, "output")

    assert found.verdict.status is Status.ADVICE
    assert "write less; view.note keeps a text beside a decision" in found.verdict.evidence.mend
