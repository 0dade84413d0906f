"""`cardarena submit`."""

import contextlib
import errno
import hashlib
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.checking import MOST_WIDTH, members, told
from harness.cli.codes import CHECK_FAILED, DONE, OPERATOR_MISTAKE
from harness.cli.homes import home_to_fill
from harness.cli.tables import Column, grid, output, print_json, print_text, remarks
from harness.errors import HarnessError
from harness.names import in_one_form, why_not_a_team
from harness.printable import printable
from harness.store.bot_logs import BotLogs
from harness.store.home import find_home
from harness.workshop.check import PASSED, CheckReport
from harness.workshop.entry import BotFinder, FoundBot
from harness.workshop.submission import Outcome, Submission, handed_in
from harness.workshop.submission import submit as submit_one


@verb("cardarena submit ./my-bot --team T07")
def submit(
    context: typer.Context,
    bots: Annotated[
        list[str],
        typer.Argument(help="Folders, archives, patterns; or a folder whose folders are teams.", metavar="BOT..."),
    ],
    team: Annotated[str | None, typer.Option(help="Whose they are; else each bot is its own team.")] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a report for each team here.", show_default=False)
    ] = None,
) -> int:
    """Check bots and store each as a version in this home. Nothing is sent anywhere."""
    common: Common = context.obj
    if team is not None:
        if (why_not := why_not_a_team(team)) is not None:
            raise HarnessError(f"--team {why_not}")
        team = in_one_form(team)
    if report is not None:
        _make_writable(report)  # now, and not after many checks
    submissions: list[Submission] = []
    try:
        for one in _submitted(common, bots, team):
            submissions.append(one)  # noqa: PERF402 (what was done is told, whatever ends it)
    except BaseException:
        if submissions:
            _tell(common, submissions, report)
        raise
    if len(submissions) == 1 and not common.json:
        if report is not None:
            _write_reports(report, submissions)
        _print_one(submissions[0])
    else:
        _tell(common, submissions, report)
    return _code(submissions)


def _tell(common: Common, submissions: Sequence[Submission], report: Path | None) -> None:
    """What has become of many: the reports and the table."""
    if report is not None:
        _write_reports(report, submissions)
    if common.json:
        print_json([_json_members(one) for one in submissions])
    else:
        output().print(grid(COLUMNS, submissions))


def _submitted(common: Common, forms: list[str], team: str | None) -> Iterator[Submission]:
    home = find_home(common.home)
    finder = BotFinder(Path.cwd())
    everything = [handed for form in forms for handed in handed_in(form, finder, team)]
    say = remarks() if common.progress != "none" else None
    with home_to_fill(home) as ledger:
        finder = BotFinder(Path.cwd(), home, ledger.versions)
        for number, handed in enumerate(everything, 1):
            if say is not None:
                say.print(f"{number} of {len(everything)}: {printable(handed.form)}", soft_wrap=True)
            keep = partial(_keep_check, BotLogs(home.logs))
            yield submit_one(handed, finder, home, ledger.versions, keep, at_unix_ns=time.time_ns())


def _keep_check(logs: BotLogs, bot: FoundBot, report: CheckReport) -> None:
    """For whoever submits the same again, and the bundles of `report`."""
    text = "".join(f"{printable(line)}\n" for line in told(report))
    with contextlib.suppress(OSError):  # the disk is full, which whatever else is stored tells better
        logs.keep_check(bot.name, bot.sha256, text)


def _print_one(one: Submission) -> None:
    if one.outcome is Outcome.REFUSED:
        raise HarnessError(one.says)
    if one.verdict != PASSED:
        for line in _check_lines(one, output().width):
            print(printable(line))
    if one.bot is not None and one.outcome is not Outcome.FAILED:
        is_new = "submitted" if one.outcome is Outcome.ACCEPTED else "submitted already"
        print_text(
            f"{one.bot.name} {one.bot.version} ({one.bot.sha256[:12]}) is {is_new} by team {one.team}: {one.says}"
        )


COLUMNS = (
    Column[Submission]("team", lambda one: one.team),
    Column[Submission]("bot", lambda one: Path(one.form).name if one.bot is None else one.bot.name),
    Column[Submission]("version", lambda one: "" if one.bot is None else one.bot.version),
    Column[Submission]("outcome", lambda one: one.outcome.value, is_whole=True),
    Column[Submission]("", lambda one: one.says),
)


_MAX_NAME_BYTES = 240
"""Of a file, without its ending: file systems allow 255."""
_SHOWN_CHARACTERS = 40
"""Of the name of a team that is no file's name; each takes four bytes at most."""


def _make_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HarnessError(f"{folder}: no reports can be written: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise HarnessError(f"{folder}: no reports can be written: {os.strerror(errno.EACCES)}")


def _write_reports(folder: Path, submissions: Iterable[Submission]) -> None:
    by_team: dict[str, list[Submission]] = {}
    for one in submissions:
        by_team.setdefault(one.team, []).append(one)
    spelled = Counter(team.casefold() for team in by_team)
    try:
        for team, theirs in by_team.items():
            lines = [line for one in theirs for line in _report_lines(one)]
            name = _file_name(team, is_alone=spelled[team.casefold()] == 1)
            (folder / f"{name}.txt").write_text("\n".join(map(printable, lines)) + "\n", encoding="utf-8")
    except OSError as error:
        raise HarnessError(f"{folder}: no reports can be written: {error.strerror}") from None


def _report_lines(one: Submission) -> Iterator[str]:
    yield f"{one.form}: {one.outcome.value}: {one.says}"
    yield from (f"  {line}" for line in _check_lines(one))
    yield ""


def _check_lines(one: Submission, width: int = MOST_WIDTH) -> Iterable[str]:
    """What its check told, now or before."""
    return one.told_before.splitlines() if one.report is None else told(one.report, width=width)


def _file_name(team: str, *, is_alone: bool = True) -> str:
    """A file's name for a team: its own where it can be one, in the letters of any language.

    `is_alone`: no other differs from it only in what a file system may pass over, the case of letters.

    >>> _file_name("Лисы"), _file_name("T 03/1")
    ('Лисы', 'T_03_1-856cb264')
    """
    as_bytes = team.encode(errors="surrogatepass")  # a folder's name may be bytes that are no text
    if is_alone and re.fullmatch(r"[^\W_][\w.-]*", team) and len(as_bytes) <= _MAX_NAME_BYTES:
        return team
    plain = re.sub(r"[^\w.-]", "_", team).lstrip(".")[:_SHOWN_CHARACTERS]
    return f"{plain}-{hashlib.sha256(as_bytes).hexdigest()[:8]}"


def _json_members(one: Submission) -> dict[str, object]:
    return {
        "form": one.form,
        "team": one.team,
        "bot": one.bot.name if one.bot is not None else None,
        "version": one.bot.version if one.bot is not None else None,
        "sha256": one.bot.sha256 if one.bot is not None else None,
        "outcome": one.outcome.value,
        "says": one.says,
        "verdict": one.verdict or None,
        "check": None if one.report is None else members(one.report),
        "told_before": one.told_before.splitlines(),
    }


def _code(submissions: Iterable[Submission]) -> int:
    outcomes = {one.outcome for one in submissions}
    if Outcome.FAILED in outcomes:
        return CHECK_FAILED
    return OPERATOR_MISTAKE if Outcome.REFUSED in outcomes else DONE
