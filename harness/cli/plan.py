"""`cardarena plan`."""

import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from harness.cli.app import Common, verb
from harness.cli.due import Due, due_round
from harness.cli.tables import duration, print_json, print_text
from harness.cup import read_cup
from harness.estimate import Estimate, estimate
from harness.printable import printable
from harness.round import RoundPlan
from harness.standing import cup_standings
from harness.store.home import Home, find_home
from harness.store.ledger import Ledger
from harness.store.rows import Role
from ladder.forecast import Forecast, forecast_half_width
from ladder.words import plural

MOST_DECISIONS = {"guillotine": 250, "zhiletka": 500}
"""Decisions of a seat in a long match, for the worst time that `plan` tells."""


@verb("cardarena plan cup.toml")
def plan(
    context: typer.Context,
    cup: Annotated[Path, typer.Argument(help="The cup file.", metavar="CUP.toml", show_default=False)],
    hours: Annotated[
        float | None,
        typer.Option(min=0.01, max=1_000_000, metavar="H", help="Say how many matches fit into so many hours."),
    ] = None,
) -> None:
    """Show who would meet whom how often, and how sure the ladder would be. Plays nothing."""
    common: Common = context.obj
    settings = read_cup(cup)
    remarks: list[str] = []
    home = find_home(common.home)
    due = due_round(settings, home, cup.parent, remarks.append)
    if not common.quiet:
        for remark in remarks:
            print(printable(remark), file=sys.stderr)
    if due is None:
        if common.json:
            print_json({"cup": settings.name, "matches": 0})
        else:
            print(f"{settings.name}: nothing to play, the ledger holds all that is asked for")
        return
    facts = Plan(due, _experience(due.plan, home), hours)
    if common.json:
        print_json(facts.members())
    else:
        for line in facts.lines():
            print_text(line)


NAMES_SHOWN = 30
"""Bots that a plan names for people; as JSON it names all."""


class Experience(NamedTuple):
    """What a ledger knows that bears on a plan."""

    estimate: Estimate | None = None
    gain: float = 1.0
    """What duplicates were worth in this cup so far."""


def _experience(plan: RoundPlan, home: Home) -> Experience:
    if not home.ledger.is_file():
        return Experience()
    with Ledger(home.ledger) as ledger:
        gain = 1.0
        if plan.cup.cup.duplicate and ledger.rounds(plan.cup.name):
            measured = cup_standings(ledger, plan.cup).luck.elo
            if measured is not None and math.isfinite(measured.times):
                gain = measured.times
        return Experience(estimate(plan, ledger, cores=_cores()), gain)


def _cores() -> int:
    return os.cpu_count() or 1


class Fitting(NamedTuple):
    """How much fits into a time, in whole blocks."""

    hours: float
    matches: int | None
    """None: nobody knows yet how long the bots think."""
    matches_per_bot: int | None
    elo_half_width: float | None
    matches_at_worst: int


class Plan:
    """What there is to say about a round before it is played."""

    def __init__(self, due: Due, experience: Experience, hours: float | None) -> None:
        self.played_count = due.played_count
        self.plan = plan = due.plan
        self.schedule = plan.schedule
        self.balance = plan.schedule.balance()
        self.experience = experience
        settings = plan.cup.cup
        self.bots = sum(entry.role is not Role.FILL for entry in plan.entries)
        self.seats = sum(settings.seats) / len(settings.seats)
        self.rotations = self.schedule.match_count / max(1, self.schedule.block_count)
        self.forecast = self._forecast(int(self.balance.appearances.low / self.rotations))
        clock = plan.cup.time.control
        decisions = MOST_DECISIONS[settings.game]
        seat_s = (clock.bank_ns + decisions * clock.increment_ns) / 1e9
        self.worst_match_s = self.seats * seat_s / (plan.cup.limits.jobs or _cores())
        self.left = self.schedule.match_count - self.played_count
        self.fitting = None if hours is None else self._fitting(hours)

    def _forecast(self, blocks: int) -> Forecast | None:
        return forecast_half_width(
            bots=self.bots,
            seats=self.seats,
            blocks=blocks,
            matches_per_block=round(self.rotations),
            gain=self.experience.gain,
        )

    def _fitting(self, hours: float) -> Fitting:
        at_worst = self._whole(hours * 3600 / self.worst_match_s)
        if self.experience.estimate is None:
            return Fitting(hours, None, None, None, at_worst)
        matches = self._whole(hours * 3600 / self.experience.estimate.match_s)
        per_bot = matches * self.seats / max(1, self.bots)
        forecast = self._forecast(int(per_bot / self.rotations))
        return Fitting(hours, matches, int(per_bot), forecast.rating if forecast else None, at_worst)

    def _whole(self, matches: float) -> int:
        """Matches in whole blocks, shared evenly between the table sizes, of which there is time for `matches`."""
        settings = self.plan.cup.cup
        share = int(matches / len(settings.seats))
        return sum(share - share % (size if settings.duplicate else 1) for size in settings.seats)

    @property
    def expected_s(self) -> float | None:
        """Time that what is left of the round will take."""
        return None if self.experience.estimate is None else self.left * self.experience.estimate.match_s

    def members(self) -> dict[str, object]:
        """For --json."""
        return {
            "cup": self.plan.cup.name,
            "round": self.plan.number,
            "bots": [entry.label for entry in self.plan.entries],
            "replay": None if self.plan.budget.replay is None else self.plan.budget.replay._asdict(),
            "requested_matches": self.schedule.requested_matches,
            "matches": self.schedule.match_count,
            "blocks": self.schedule.block_count,
            "played": self.played_count,
            "balance": _plain(self.balance),
            "elo_half_width": self.forecast.rating if self.forecast else None,
            "elo_difference_half_width": self.forecast.difference if self.forecast else None,
            "duplicate_gain": round(self.experience.gain, 6),
            "expected_time_s": None if self.expected_s is None else round(self.expected_s, 1),
            "worst_time_s": round(self.left * self.worst_match_s, 1),
            "schedule_sha256": self.schedule.digest(),
            **({} if self.fitting is None else {"fits": self.fitting._asdict()}),
        }

    def lines(self) -> list[str]:
        """For people."""
        settings = self.plan.cup.cup
        labels = [entry.label for entry in self.plan.entries]
        more = f" and {len(labels) - NAMES_SHOWN} more" if len(labels) > NAMES_SHOWN else ""
        bots = ", ".join(labels[:NAMES_SHOWN]) + more
        lines = [
            f"{self.plan.cup.heading}: round {self.plan.number}, {settings.format}, {settings.game}",
            f"bots           {bots}",
        ]
        replay = self.plan.budget.replay
        if replay is not None:
            lines.append(
                f"plays again    {plural(len(replay.blocks), 'void block')} of round {replay.round}, with new deals"
            )
        asked = self.schedule.requested_matches
        if asked is not None and asked != self.schedule.match_count:
            lines.append(
                f"asked for      {plural(asked, 'match', 'matches')}; {self.schedule.match_count:,} make whole blocks"
            )
        lines += self.balance.lines()
        if self.forecast is None:
            lines.append("intervals      not enough data: each bot needs at least two blocks")
        else:
            lines.append(
                f"intervals      about ± {self.forecast.rating:.0f} Elo a bot, ± {self.forecast.difference:.0f} "
                f"between two ({self._assumed()})"
            )
        if self.played_count:
            lines.append(f"played before  {self.played_count:,} of them")
        return [*lines, *self._times()]

    def _assumed(self) -> str:
        if not self.plan.cup.cup.duplicate:
            return "for equals; unequal bots change it"
        if self.experience.gain == 1.0:
            return "for equals, and as if every match had deals of its own; duplicates and unequal bots change it"
        return f"for equals, a match worth {self.experience.gain:.1f} with fresh deals, as so far in this cup"

    def _times(self) -> Iterator[str]:
        if self.expected_s is None or self.experience.estimate is None:
            yield "expected time  unknown until one of these bots has played, or been submitted and checked"
        elif self.experience.estimate.is_measured:
            yield f"expected time  {duration(self.expected_s)}, by rounds that were played here"
        else:
            yield f"expected time  {duration(self.expected_s)}, by how long the bots thought in their checks"
        yield f"worst time     {duration(self.left * self.worst_match_s)}, if every bot used its whole bank"
        if self.fitting is not None:
            yield f"{f'in {self.fitting.hours:g} h':13}  {self._fits(self.fitting)}"

    @staticmethod
    def _fits(fits: Fitting) -> str:
        worst = f"{fits.matches_at_worst:,} if every bot used its whole bank"
        if fits.matches is None:
            return f"nobody knows how many matches fit; {worst}"
        width = "" if fits.elo_half_width is None else f": about ± {fits.elo_half_width:.0f} Elo a bot"
        return (
            f"about {plural(fits.matches, 'match fits', 'matches fit')}, {fits.matches_per_bot:,} a bot{width}; {worst}"
        )


def _plain(value: object) -> object:
    """Named tuples as objects, so that JSON says what each number is."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
