"""How wide the intervals will be, before anything is played."""

import math
from typing import NamedTuple

from ladder.fit import ELO_PER_UNIT, FIELD_BLOCKS, half_width
from ladder.pairs import pair_weight


class Forecast(NamedTuple):
    """Half widths of the 95 % intervals to expect, in Elo."""

    rating: float  # against the pool's mean
    difference: float  # between two bots


def forecast_half_width(
    *, bots: int, seats: float, blocks: int, matches_per_block: int = 1, prior: float = 1.0, gain: float = 1.0
) -> Forecast | None:
    """Half widths for a plan in which each of `bots` plays `blocks` blocks; None below two bots or two blocks.

    Assumes a balanced schedule, bots of about equal strength, few ties, and matches that are independent given their
    bots. Each of a bot's matches then carries 3 (k - 1) / (4 (k + 1)) units of information at a table of k seats.
    A field that is spread out has wider intervals, by the factor 1 / (2 sqrt(p (1 - p))) where p is the usual
    chance of the better bot. `gain` is how many independent matches one match of a duplicate block is worth
    (measured, else 1). `seats` may be a mean of several table sizes.
    """
    if bots < 2 or blocks < 2 or seats < 2:
        return None
    information = gain * blocks * matches_per_block * _information(seats) + prior / 4
    one = ELO_PER_UNIT * math.sqrt((bots - 1) / bots / information)
    of_field = min(FIELD_BLOCKS, max(0, round(bots * blocks / seats) - blocks))
    rating, difference = half_width(one, blocks + of_field), half_width(math.sqrt(2) * one, blocks + of_field)
    return None if rating is None or difference is None else Forecast(rating, difference)


def _information(seats: float) -> float:
    """Information of one match about one bot's strength among equals, natural units."""
    return pair_weight(seats) * (seats - 1) / 4
