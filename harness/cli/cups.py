"""`cardarena plan` and `cardarena run`."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, app
from harness.cli.codes import BOTS_WITHDRAWN, DONE
from harness.cli.progress import CupProgress
from harness.cli.tables import output, points_heading, standings_table
from harness.cup import CupFile, read_cup
from harness.errors import HarnessError
from harness.roster import HomeRoster
from harness.round import RoundPlan
from harness.standing import cup_standings
from harness.store.home import Home, find_home, make_home
from harness.store.ledger import Ledger
from harness.store.rows import Role
from harness.tournament import CupRun, first_plan, next_plan, plan_of, run_until_stopped
from ladder.export import to_json
from ladder.forecast import forecast_half_width
from ladder.standings import Standings

CupPath = Annotated[Path, typer.Argument(help="The cup file.", metavar="CUP.toml", show_default=False)]
MOST_ROUND_ROBIN = 10_000
MOST_DECISIONS = {"guillotine": 250, "zhiletka": 500}
"""Decisions of a seat in a long match, for the worst time that `plan` tells."""


@app.command(epilog="Example: cardarena run cup.toml")
def run(
    context: typer.Context,
    cup: CupPath,
    yes: Annotated[bool, typer.Option("--yes", help="Play a round-robin of over 10,000 matches.")] = False,
) -> int:
    """Play a cup. The same command goes on after an interruption."""
    common: Common = context.obj
    settings = read_cup(cup)
    home = make_home(find_home(common.home))
    with Ledger(home.ledger, create=True) as ledger:
        played, standings = play(settings, cup.parent, home, ledger, common, yes=yes)
    if common.json:
        sys.stdout.write(to_json(standings))
    else:
        print_standings(standings, played)
    return BOTS_WITHDRAWN if played.withdrawn else DONE


def play(
    settings: CupFile, folder: Path, home: Home, ledger: Ledger, common: Common, *, yes: bool = False
) -> tuple[CupRun, Standings]:
    """Plays what is due of a cup whose file lies in `folder`, with progress on stderr."""
    roster = HomeRoster(home, ledger.versions, folder)
    if settings.cup.format == "round-robin" and not yes:
        _refuse_huge(next_plan(settings, roster.forecast_entries(settings), ledger))
    with CupProgress(common.progress, lambda: cup_standings(ledger, settings)) as progress:
        played = run_until_stopped(settings, ledger, roster, progress)
    return played, cup_standings(ledger, settings)


def _refuse_huge(due: RoundPlan | None) -> None:
    if due is not None and due.schedule.match_count > MOST_ROUND_ROBIN:
        raise HarnessError(
            f"{due.cup.name}: this round-robin has {due.schedule.match_count} matches; say --yes to play it, or use "
            'format = "balanced" with a budget of `matches`'
        )


def print_standings(standings: Standings, played: CupRun | None = None) -> None:
    """The ladder and its sentence on stdout."""
    console = output()
    if played is not None and not played.match_count:
        console.print(f"{standings.cup}: nothing to play, the ledger holds all that is asked for", soft_wrap=True)
    console.print(standings_table(standings, points_heading=points_heading(standings.game or "")))
    console.print(standings.sentence, soft_wrap=True)


@app.command(epilog="Example: cardarena plan cup.toml")
def plan(context: typer.Context, cup: CupPath) -> None:
    """Show who would meet whom how often, and how sure the ladder would be. Plays nothing."""
    common: Common = context.obj
    settings = read_cup(cup)
    due = _due(settings, find_home(common.home), cup.parent)
    if due is None:
        if common.json:
            print(json.dumps({"cup": settings.name, "matches": 0}))
        else:
            print(f"{settings.name}: nothing to play, the ledger holds all that is asked for")
        return
    facts = Plan(due)
    if common.json:
        print(json.dumps(facts.members(), ensure_ascii=False))
    else:
        console = output()
        for line in facts.lines():
            console.print(line, soft_wrap=True)


def _due(settings: CupFile, home: Home, folder: Path) -> RoundPlan | None:
    """The round that `run` would play next, or the one under way. Writes nothing."""
    if not home.ledger.is_file():
        entries = HomeRoster(home, None, folder).forecast_entries(settings)
        return first_plan(settings, entries)
    with Ledger(home.ledger) as ledger:
        rounds = ledger.rounds(settings.name)
        if rounds and rounds[-1].ended_unix_ns is None:
            return plan_of(ledger, rounds[-1])
        entries = HomeRoster(home, ledger.versions, folder).forecast_entries(settings)
        return next_plan(settings, entries, ledger)


class Plan:
    """What there is to say about a round before it is played."""

    def __init__(self, plan: RoundPlan) -> None:
        self.plan = plan
        self.schedule = plan.schedule
        self.balance = plan.schedule.balance()
        settings = plan.cup.cup
        self.bots = sum(entry.role is not Role.FILL for entry in plan.entries)
        seats = sum(settings.seats) / len(settings.seats)
        rotations = self.schedule.match_count / max(1, self.schedule.block_count)
        blocks = int(self.balance.appearances.low / rotations)
        self.forecast = forecast_half_width(
            bots=self.bots, seats=seats, blocks=blocks, matches_per_block=round(rotations)
        )
        clock = plan.cup.time.control
        decisions = MOST_DECISIONS[settings.game]
        seat_s = (clock.bank_ns + decisions * clock.increment_ns) / 1e9
        jobs = plan.cup.limits.jobs or os.cpu_count() or 1
        self.worst_s = self.schedule.match_count * seats * seat_s / jobs

    def members(self) -> dict[str, object]:
        """For --json."""
        return {
            "cup": self.plan.cup.name,
            "round": self.plan.number,
            "bots": [entry.label for entry in self.plan.entries],
            "requested_matches": self.schedule.requested_matches,
            "matches": self.schedule.match_count,
            "blocks": self.schedule.block_count,
            "balance": _plain(self.balance),
            "elo_half_width": self.forecast.rating if self.forecast else None,
            "elo_difference_half_width": self.forecast.difference if self.forecast else None,
            "worst_time_s": round(self.worst_s, 1),
            "schedule_sha256": self.schedule.digest(),
        }

    def lines(self) -> list[str]:
        """For people."""
        settings = self.plan.cup.cup
        bots = ", ".join(entry.label for entry in self.plan.entries)
        lines = [
            f"{self.plan.cup.title}: round {self.plan.number}, {settings.format}, {settings.game}",
            f"bots          {bots}",
        ]
        asked = self.schedule.requested_matches
        if asked is not None and asked != self.schedule.match_count:
            lines.append(f"asked for     {asked} matches; {self.schedule.match_count} make whole blocks")
        lines += self.balance.lines()
        if self.forecast is None:
            lines.append("intervals     not enough data: each bot needs at least two blocks")
        else:
            lines.append(
                f"intervals     about ± {self.forecast.rating:.0f} Elo a bot, ± {self.forecast.difference:.0f} between "
                "two (equals, independent deals; duplicates and unequal bots change it)"
            )
        lines.append(f"worst time    {self.worst_s / 3600:.1f} h, if every bot used its whole bank")
        return lines


def _plain(value: object) -> object:
    """Named tuples as objects, so that JSON says what each number is."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
