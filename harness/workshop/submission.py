"""Bots handed in: each is found, checked, and stored as a version of its team, or told why not."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from harness.errors import HarnessError
from harness.names import in_one_form, why_not_a_team
from harness.printable import printable
from harness.store.bot_logs import BotLogs
from harness.store.home import Home
from harness.store.versions import Versions
from harness.toml_file import TomlError
from harness.workshop.archive import is_archive
from harness.workshop.check import CheckReport, check_found, unreadable
from harness.workshop.entry import BotFinder, FoundBot, store_bot
from harness.workshop.manifest import FILE_NAME

_FOREIGN_ARCHIVES = (".rar", ".7z", ".tar.xz", ".tar.bz2", ".gz")


class Outcome(StrEnum):
    """What became of something handed in."""

    ACCEPTED = "accepted"
    UNCHANGED = "unchanged"
    """The same files were accepted before."""
    FAILED = "failed"
    """It failed its check."""
    REFUSED = "refused"
    """It is no bot, or not theirs to submit."""


@dataclass(frozen=True)
class HandedIn:
    """One thing handed in. `problem`: why it is none, "" where that is not known yet."""

    form: str
    team: str | None
    """None: the bot is its own team."""
    problem: str = ""


@dataclass(frozen=True)
class Submission:
    """What came of it."""

    form: str
    team: str
    outcome: Outcome
    says: str
    bot: FoundBot | None = None
    report: CheckReport | None = None
    verdict: str = ""
    """What its check came to, now or before (`CheckReport.summary`)."""
    told_before: str = ""
    """What its check told, of one that was checked before, as far as it is kept."""


KeepCheck = Callable[[FoundBot, CheckReport], None]
"""Keeps what a check told for those who ask again (`BotLogs.keep_check`)."""


def is_folder_of_teams(path: Path) -> bool:
    """Whether `path` is a folder that is no bot itself and holds folders."""
    return path.is_dir() and not (path / FILE_NAME).exists() and any(entry.is_dir() for entry in _visible(path))


def handed_in(form: str, finder: BotFinder, team: str | None) -> Iterator[HandedIn]:
    """What `form` hands in: one bot, those that a pattern fits, or all that lies in a folder of teams.

    HarnessError where `team` is given for a folder of teams.
    """
    folder = finder.base / form
    if finder.is_pattern(form):
        yield from (HandedIn(str(path), team) for path in finder.paths(form))
    elif not is_folder_of_teams(folder):
        yield HandedIn(form, team)
    elif team is not None:
        raise HarnessError(f"{printable(form)}: its folders name the teams; leave --team out, or name one bot")
    else:
        for team_folder in _visible(folder):
            if team_folder.is_dir():
                yield from _of_team(team_folder, f"{form.rstrip('/')}/{team_folder.name}")


def _of_team(folder: Path, shown: str) -> Iterator[HandedIn]:
    team = in_one_form(folder.name)
    if (why_not := why_not_a_team(team)) is not None:
        yield HandedIn(shown, team, f"the name of a team {why_not}")
        return
    if (folder / FILE_NAME).is_file():
        yield HandedIn(shown, team)
        return
    empty = True
    for entry in _visible(folder):
        form = f"{shown}/{entry.name}"
        if (entry / FILE_NAME).is_file() or (entry.is_file() and is_archive(entry.name)):
            empty = False
            yield HandedIn(form, team)
        elif entry.is_dir() or entry.name.lower().endswith(_FOREIGN_ARCHIVES):
            empty = False
            problem = f"there is no {FILE_NAME} in it" if entry.is_dir() else "hand in a .zip or .tar.gz"
            yield HandedIn(form, team, f"{entry.name}: no bot: {problem}")
    if empty:
        yield HandedIn(shown, team, "nothing was handed in: neither an archive nor a folder")


def _visible(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise HarnessError(f"{printable(str(folder))}: cannot be listed: {error.strerror}") from None


def submit(
    handed: HandedIn, finder: BotFinder, home: Home, versions: Versions, keep: KeepCheck, *, at_unix_ns: int
) -> Submission:
    """Checks what was handed in and stores it, what its check told first: whoever is killed between is checked again.

    What is wrong with it is told, not raised.
    """
    if handed.problem:
        return Submission(handed.form, handed.team or "", Outcome.REFUSED, handed.problem)
    try:
        bot = finder.one(handed.form)
    except TomlError as error:
        report = unreadable(handed.form, error)
        return Submission(
            handed.form, handed.team or "", Outcome.FAILED, report.summary, report=report, verdict=report.summary
        )
    except HarnessError as error:
        says = str(error).removeprefix(f"{printable(str(finder.base / handed.form))}: ")
        return Submission(handed.form, handed.team or "", Outcome.REFUSED, says)
    team = handed.team or bot.team
    try:
        versions.check_submittable(bot.name, bot.version, bot.sha256, team)
    except HarnessError as error:
        return Submission(handed.form, team, Outcome.REFUSED, str(error), bot)
    earlier = versions.get(bot.name, bot.sha256)
    if earlier is not None and earlier.submitted_unix_ns is not None and earlier.verdict is not None:
        if not earlier.is_here:  # an import told of it: the hash says that these are the files that were checked
            store_bot(bot, home, versions, at_unix_ns=at_unix_ns, submitted_by=team)
        state = "; it is retired" if earlier.retired_unix_ns is not None else ""
        told_before = BotLogs(home.logs).check(bot.name, bot.sha256)
        says, verdict = f"{earlier.verdict} before{state}", earlier.verdict
        return Submission(handed.form, team, Outcome.UNCHANGED, says, bot, verdict=verdict, told_before=told_before)
    report = check_found(handed.form, bot, finder)
    keep(bot, report)
    if report.failures:
        return Submission(handed.form, team, Outcome.FAILED, report.summary, bot, report, report.summary)
    store_bot(
        bot,
        home,
        versions,
        at_unix_ns=at_unix_ns,
        submitted_by=team,
        verdict=report.summary,
        match_think_ns=report.match_think_ns,
    )
    return Submission(handed.form, team, Outcome.ACCEPTED, report.summary, bot, report, report.summary)
