"""`cardarena report`."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.bundle import write_bundle
from harness.cli.homes import open_ledger
from harness.cli.pace import Pace
from harness.cli.tables import print_json, print_lines_as_they_are
from harness.errors import HarnessError
from harness.fault_groups import Bot, FaultAt, FaultGroup, Played, fault_groups, played_by, teams
from harness.faults import ABSENT
from harness.names import did_you_mean, in_one_form
from harness.printable import printable
from harness.publish.thoughts import ThoughtColumns, Thoughts, thought_columns
from harness.store.bot_logs import BotLogs
from harness.store.home import find_home
from harness.store.ledger import Ledger
from harness.store.rows import Version
from ladder.site.values import Thinking
from ladder.words import plural


@verb("cardarena report --team T07 --zip T07.zip")
def report(
    context: typer.Context,
    bot: Annotated[
        str | None, typer.Argument(help="name, or name@version.", metavar="[BOT]", show_default=False)
    ] = None,
    team: Annotated[str | None, typer.Option(help="All bots of this team.", show_default=False)] = None,
    everything: Annotated[bool, typer.Option("--all", help="All bots.")] = False,
    bundle: Annotated[
        Path | None,
        typer.Option(
            "--zip", help="Write what a team may see of its own bots there.", metavar="FILE", show_default=False
        ),
    ] = None,
) -> None:
    """Tell every fault of bots since they were last submitted, each with a command that plays it again."""
    common: Common = context.obj
    if (bot is not None) + (team is not None) + everything != 1:
        raise HarnessError("report: name a bot, or say --team T or --all")
    logs = BotLogs(find_home(common.home).logs)
    with open_ledger(common) as ledger:
        versions = _meant(ledger, bot, None if team is None else in_one_form(team))
        if bundle is not None and len({version.team for version in versions}) > 1:
            raise HarnessError("report --zip: a bundle is for one team alone; say --team T, or name a bot")
        gathered = [_Gathered(version) for version in versions]
        for_team = [_Gathered(version, for_team=True) for version in versions if bundle is not None]
        _gather(ledger, (*gathered, *for_team), Pace(common, "read"))
        reports = [one.report(ledger, logs) for one in gathered]
        if bundle is not None:
            theirs = [one.report(ledger, logs) for one in for_team]
            files = {"report.txt": "".join(f"{line}\n" for line in _lines(theirs)), "report.json": _members(theirs)}
            write_bundle(bundle, ledger, logs, [(one.version, one.played) for one in for_team], files)
    if common.json:
        print_json(_members(reports))
        return
    print_lines_as_they_are(_lines(reports))
    if bundle is not None:
        print(f"{printable(str(bundle))}: for team {printable(reports[0].version.team)}, with nothing of others")


@dataclass(frozen=True)
class _Report:
    """What there is to say of one version."""

    version: Version
    match_count: int
    absences: int
    """Matches that the house played because it was withdrawn."""
    groups: tuple[FaultGroup, ...]
    thinking: Thinking | None
    """None: it has decided nothing yet."""


@dataclass
class _Gathered:
    """What one version has played, match by match on the way to its report."""

    version: Version
    for_team: bool = False
    """Without what a team may not see yet, and with a list of what it may."""
    played: list[Played] = field(default_factory=list)
    faults: list[Played] = field(default_factory=list)
    match_count: int = 0
    absences: int = 0
    thoughts: Thoughts = field(default_factory=Thoughts)

    def add(self, played: Played, times: ThoughtColumns) -> None:
        """Adds a seat of a match, whose thinking times are `times`."""
        if self.for_team and played.in_open_block:
            return
        self.match_count += 1
        self.absences += played.fault == ABSENT
        self.thoughts.add(times, played.seat)
        if played.is_fault:
            self.faults.append(played)
        if self.for_team:
            self.played.append(played)

    def report(self, ledger: Ledger, logs: BotLogs) -> _Report:
        """What there is to say."""
        groups = fault_groups(ledger, logs, self.faults, for_team=self.for_team)
        return _Report(self.version, self.match_count, self.absences, groups, self.thoughts.thinking())


def _gather(ledger: Ledger, gathered: Sequence[_Gathered], pace: Pace) -> None:
    """Fills `gathered`, and reads each match once."""
    wanted: dict[Bot, list[_Gathered]] = {}
    for one in gathered:
        wanted.setdefault((one.version.name, one.version.sha256), []).append(one)
    found = played_by(ledger, wanted.keys())
    for count, (match, seats) in enumerate(groupby(found, key=lambda seat: seat[1].match), start=1):
        times = thought_columns(ledger.time_columns(match))
        for bot, played in seats:  # one bot may sit at a table under several labels
            for one in wanted[bot]:
                one.add(played, times)
        pace(count)


def _meant(ledger: Ledger, bot: str | None, team: str | None) -> list[Version]:
    """The newest version of each bot that is meant, submitted before pinned; or the one that is named."""
    entered_for = teams(ledger)
    rows = [
        replace(version, team=in_one_form(entered_for.get((version.name, version.sha256), version.team)))
        for version in (row.version for row in ledger.versions.rows())
    ]
    newest: dict[str, Version] = {}
    for version in rows:
        newest.setdefault(version.name, version)
    if bot is not None:
        name, _, number = bot.partition("@")
        if name not in newest:
            raise HarnessError(f"no bot is called {printable(name)!r}; {_hint(name, list(newest))}")
        found = [version for version in rows if version.name == name and number in ("", version.version)]
        if not found:
            raise HarnessError(f"{name} has no version {printable(number)}; {_hint(number, [newest[name].version])}")
        return found[:1]
    meant = [version for version in newest.values() if team in (None, version.team)]
    if not meant:
        known = sorted({version.team for version in newest.values()})
        raise HarnessError(
            "there is no bot yet" if team is None else f"no team called {printable(team)}; {_hint(team, known)}"
        )
    return meant


def _hint(word: str, words: Sequence[str]) -> str:
    return printable(did_you_mean(word, words)) if words else "there is none yet"


def _again(version: Version, at: FaultAt) -> str:
    """The command that shows the fault again."""
    if at.fault.kind == "start":
        return f"cardarena check {version.name}@{version.version}"
    return f"cardarena rerun {at.match} --seat {at.fault.seat}"


def _lines(reports: Sequence[_Report]) -> Iterator[str]:
    for one in reports:
        version = one.version
        count = sum(group.fault_count for group in one.groups)
        faults = plural(count, "fault") if count else "no faults"
        matches = plural(one.match_count, "match", "matches")
        house = f"; the house played {one.absences} of them, when it was withdrawn" if one.absences else ""
        checked = f"; its check {printable(version.verdict)}" if version.verdict else ""
        yield printable(
            f"{version.name} {version.version} ({version.sha256[:12]}): {faults} in {matches}{house}{checked}"
        )
        if one.thinking is not None:
            yield _thinking_line(one.thinking)
        for group in one.groups:
            yield from _group_lines(version, group)


def _thinking_line(thinking: Thinking) -> str:
    late = f"; the harness was late by {thinking.lag_s * 1000:.1f} ms, charged to nobody" if thinking.lag_s else ""
    asked = plural(thinking.count, "decision")
    return f"  think time of {asked}: p50 {thinking.p50_ms:.2f} ms, p99 {thinking.p99_ms:.2f} ms{late}"


def _group_lines(version: Version, group: FaultGroup) -> Iterator[str]:
    yield ""
    yield printable(f"  {group.fault_count} x {group.kind}: {group.gist}")
    for word, at in (("first", group.first), ("last", group.last)):
        if word == "first" or group.fault_count > 1:
            yield printable(f"    {word:6} {at.match}, deal {at.fault.deal}, before action {at.fault.action}")
            yield printable(f"           {at.fault.detail}")
    yield printable(f"    again  {_again(version, group.first)}")
    if group.excerpt:
        yield "    its last lines on stdout and stderr:"
        yield from (printable(f"      | {line}") for line in group.excerpt)


def _members(reports: Sequence[_Report]) -> list[dict[str, object]]:
    return [
        {
            "bot": one.version.name,
            "version": one.version.version,
            "team": one.version.team,
            "sha256": one.version.sha256,
            "verdict": one.version.verdict,
            "matches": one.match_count,
            "thinking": one.thinking and asdict(one.thinking),
            "absences": one.absences,
            "groups": [_group_members(one.version, group) for group in one.groups],
        }
        for one in reports
    ]


def _group_members(version: Version, group: FaultGroup) -> dict[str, object]:
    first, last = ({"match": at.match, **at.fault._asdict()} for at in (group.first, group.last))
    return {
        "kind": group.kind,
        "gist": group.gist,
        "count": group.fault_count,
        "first": first,
        "last": last,
        "again": _again(version, group.first),
        "last_lines": group.excerpt,
    }
