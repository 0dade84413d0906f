"""`cardarena run`, and playing a cup for other verbs."""

import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from harness.arena import ProcessEnd
from harness.cli.app import Common, verb
from harness.cli.codes import BOTS_WITHDRAWN, DONE
from harness.cli.due import Due, due_round
from harness.cli.homes import cup_in
from harness.cli.progress import CupProgress
from harness.cli.publishing import SiteKeeper
from harness.cli.sandboxing import RequireOption, SandboxOption, chosen
from harness.cli.standings import print_standings
from harness.cli.tables import print_json, print_text, remarks
from harness.cup import CupFile, read_cup
from harness.errors import HarnessError
from harness.executor import Executor
from harness.printable import printable
from harness.roster import HomeRoster
from harness.sandbox.cell import Sandbox
from harness.shard import WHOLE, Shard, parse_shard
from harness.standing import cup_standings
from harness.store.bot_logs import BotLog, BotLogs
from harness.store.home import Home, find_home, make_home
from harness.store.ledger import Ledger
from harness.store.rows import Round
from harness.store.sheets import Sheets
from harness.tournament import CupRun, begin_round, run_until_stopped
from harness.workers.pool import check_workers, open_pool
from harness.workshop.runtimes import refuse_visible
from ladder.export import to_json
from ladder.standings import Standings

MOST_ROUND_ROBIN = 10_000


@verb("cardarena run cup.toml")
def run(
    context: typer.Context,
    cup: Annotated[Path, typer.Argument(help="The cup file.", metavar="CUP.toml", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help="Play a round-robin of over 10,000 matches.")] = False,
    workers: Annotated[
        int, typer.Option(min=1, metavar="N", help="Play in so many processes, each with bots of its own.")
    ] = 1,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Play every N-th block of the round, from block I on.", show_default=False),
    ] = None,
    begin: Annotated[
        bool, typer.Option("--begin", help="Begin the round, for shards to share, and play nothing.")
    ] = False,
    sandbox: SandboxOption = None,
    require_sandbox: RequireOption = False,
    publish: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the site of this cup in DIR up to date meanwhile.", show_default=False),
    ] = None,
) -> int:
    """Play a cup. The same command goes on after an interruption."""
    common: Common = context.obj
    settings = read_cup(cup)
    home = find_home(common.home)
    share = WHOLE if shard is None else parse_shard(shard)
    if begin and shard is not None:
        raise HarnessError("--begin plays nothing: begin the round first, then play its shards")
    if workers > 1:
        check_workers(workers, settings)
    _refuse_huge(due_round(settings, home, cup.parent), yes=yes)
    if publish is not None:
        from ladder.site.folder import refuse_strange  # the site is half of all that this would load

        refuse_strange(publish)
    level = chosen(sandbox, require=require_sandbox, in_file=settings.limits.sandbox)
    with Ledger(make_home(home).ledger, create=True) as ledger:
        if begin:
            _begin(settings, cup.parent, home, ledger, common)
            return DONE
        played, standings = play(
            settings, cup.parent, home, ledger, common, level, workers=workers, shard=share, site=publish
        )
        if common.json:
            sys.stdout.write(to_json(standings))
        else:
            if settings.cup.season:
                print_text(settings.heading)
            print_outcome(played, standings, share)
        if publish is not None:
            _publish(ledger, publish, settings, home, common)
    return BOTS_WITHDRAWN if played.withdrawn else DONE


def play(
    settings: CupFile,
    folder: Path,
    home: Home,
    ledger: Ledger,
    common: Common,
    level: Sandbox,
    *,
    workers: int = 1,
    shard: Shard = WHOLE,
    site: Path | None = None,
) -> tuple[CupRun, Standings]:
    """Plays what is due of a cup whose file lies in `folder`, with progress on stderr.

    The folder `site` is brought up to date now and then meanwhile, but not at the end.
    """
    with ExitStack() as stack:
        progress = CupProgress(common, lambda: cup_standings(ledger, settings))
        if site is not None:
            keeper = stack.enter_context(SiteKeeper(site, home.path, settings.name, progress.notice))
            progress.after_match = keeper.look
        stack.enter_context(progress)
        roster = HomeRoster(home, ledger.versions, folder, progress.notice)
        if level.hides_files:
            refuse_visible(home, roster.runtimes)
        logs = _Logs(BotLogs(home.logs), progress.notice)

        def opened(cup: CupFile) -> AbstractAsyncContextManager[Executor]:
            row = ledger.rounds(cup.name)[-1]
            stack.enter_context(_sheet_keeper(home, row, cup, level, roster, progress.notice))
            keep = partial(logs.keep, cup.name, row.round)
            return open_pool(workers, level, cup, keep)

        played = run_until_stopped(settings, ledger, roster, progress, opened, shard=shard)
    return played, cup_standings(ledger, settings)


def _sheet_keeper(
    home: Home, row: Round, cup: CupFile, level: Sandbox, roster: HomeRoster, notice: Callable[[str], None]
) -> AbstractContextManager[object]:
    from harness.doctor.round_sheet import SheetKeeper  # most runs of a day have nothing to play

    return SheetKeeper(Sheets(home.sheets), row, cup, level, roster.runtimes, notice)


def _begin(settings: CupFile, folder: Path, home: Home, ledger: Ledger, common: Common) -> None:
    progress = CupProgress(common, lambda: cup_standings(ledger, settings))
    plan = begin_round(settings, ledger, HomeRoster(home, ledger.versions, folder, progress.notice), progress)
    if common.json:
        print_json(None if plan is None else {"cup": settings.name, "round": plan.number})
    elif plan is None:
        print(f"{settings.name}: nothing to play, the ledger holds all that is asked for")
    else:
        print(f"{settings.name}: round {plan.number} has begun; `cardarena run` plays it, here or in shards")


class _Logs:
    """Keeps what bots wrote; where that fails, says so once: no match is lost for a log."""

    def __init__(self, logs: BotLogs, notice: Callable[[str], None]) -> None:
        self._logs = logs
        self._notice = notice
        self._failed = False

    def keep(self, cup: str, round: int, end: ProcessEnd) -> None:
        kind, detail = ("", "") if end.fault is None else (str(end.fault.kind), end.fault.detail)
        try:
            self._logs.keep(cup, round, end.label, BotLog(end.how, kind, detail, end.output))
        except OSError as error:
            if not self._failed:
                self._failed = True
                self._notice(f"what bots write is not kept: {error.strerror}")


def print_outcome(played: CupRun, standings: Standings, shard: Shard = WHOLE) -> None:
    """What a run has come to, on stdout."""
    if not played.match_count:
        asked_for = "that is asked for" if shard == WHOLE else f"of {shard}"
        print(f"{standings.cup}: nothing to play, the ledger holds all {asked_for}")
    print_standings(standings)


def _publish(ledger: Ledger, folder: Path, settings: CupFile, home: Home, common: Common) -> None:
    """Brings the site up to date with all that was played; what was done is told on stderr."""
    from harness.cli.publish import bring_up_to_date, index_of, summary  # as above

    written = bring_up_to_date(ledger, folder, [cup_in(ledger, settings.name)], home, common)
    if not common.quiet:
        remarks().print(Text(printable(f"site: {summary(written)}; {index_of(folder)}")), soft_wrap=True)


def _refuse_huge(due: Due | None, *, yes: bool) -> None:
    if yes or due is None or due.played_count or due.plan.cup.cup.format != "round-robin":
        return
    match_count = due.plan.schedule.match_count
    if match_count > MOST_ROUND_ROBIN:
        raise HarnessError(
            f"{due.plan.cup.name}: this round-robin has {match_count} matches; say --yes to play it, or use "
            'format = "balanced" with a budget of `matches`'
        )
