"""`cardarena plan`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.due import Due, due_round
from harness.cli.tables import duration, print_json, print_text
from harness.cup import read_cup
from harness.printable import printable
from harness.store.home import find_home
from harness.store.rows import Role
from ladder.forecast import forecast_half_width

MOST_DECISIONS = {"guillotine": 250, "zhiletka": 500}
"""Decisions of a seat in a long match, for the worst time that `plan` tells."""


@verb("cardarena plan cup.toml")
def plan(
    context: typer.Context,
    cup: Annotated[Path, typer.Argument(help="The cup file.", metavar="CUP.toml", show_default=False)],
) -> None:
    """Show who would meet whom how often, and how sure the ladder would be. Plays nothing."""
    common: Common = context.obj
    settings = read_cup(cup)
    remarks: list[str] = []
    due = due_round(settings, find_home(common.home), cup.parent, remarks.append)
    if not common.quiet:
        for remark in remarks:
            print(printable(remark), file=sys.stderr)
    if due is None:
        if common.json:
            print_json({"cup": settings.name, "matches": 0})
        else:
            print(f"{settings.name}: nothing to play, the ledger holds all that is asked for")
        return
    facts = Plan(due)
    if common.json:
        print_json(facts.members())
    else:
        for line in facts.lines():
            print_text(line)


class Plan:
    """What there is to say about a round before it is played."""

    def __init__(self, due: Due) -> None:
        self.played_count = due.played_count
        self.plan = plan = due.plan
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
        left = self.schedule.match_count - self.played_count
        self.worst_s = left * seats * seat_s / jobs

    def members(self) -> dict[str, object]:
        """For --json."""
        return {
            "cup": self.plan.cup.name,
            "round": self.plan.number,
            "bots": [entry.label for entry in self.plan.entries],
            "requested_matches": self.schedule.requested_matches,
            "matches": self.schedule.match_count,
            "blocks": self.schedule.block_count,
            "played": self.played_count,
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
            f"bots           {bots}",
        ]
        asked = self.schedule.requested_matches
        if asked is not None and asked != self.schedule.match_count:
            lines.append(f"asked for      {asked} matches; {self.schedule.match_count} make whole blocks")
        lines += self.balance.lines()
        if self.forecast is None:
            lines.append("intervals      not enough data: each bot needs at least two blocks")
        else:
            lines.append(
                f"intervals      about ± {self.forecast.rating:.0f} Elo a bot, ± {self.forecast.difference:.0f} "
                "between two (equals, independent deals; duplicates and unequal bots change it)"
            )
        if self.played_count:
            lines.append(f"played before  {self.played_count} of them")
        lines.append(f"worst time     {duration(self.worst_s)}, if every bot used its whole bank")
        return lines


def _plain(value: object) -> object:
    """Named tuples as objects, so that JSON says what each number is."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
