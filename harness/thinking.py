"""Which decision each kept thinking time belongs to: a match keeps them in order, without saying where they fell."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from harness.record import MatchRecord, ReplayDeal, ReplayStep

Moment = tuple[int, int]
"""Deal and action, both from 0."""

Time = TypeVar("Time", bound=tuple[int | None, ...])
"""Begins with the seat: `harness.store.times.DecisionTime`."""


def times_by_moment(
    record: MatchRecord, steps: Iterable[ReplayDeal | ReplayStep], times: Iterable[Time]
) -> Mapping[Moment, Time]:
    """The time of each action that a bot was asked for. `steps`: of `record`; `times`: in order.

    Forced actions and those of the house were never asked. An answer that was refused has a time and no action: it is
    left out, and so are all times of a match that they do not fit.
    """
    found: dict[Moment, Time] = {}
    waiting = iter(times)
    for step in steps:
        if isinstance(step, ReplayDeal) or len(step.before.actions) == 1:
            continue
        moment = step.deal_index, step.action_index
        if any(fault.seat == step.seat and (fault.deal, fault.action) <= moment for fault in record.faults):
            continue
        time = next((time for time in waiting if time[0] == step.seat), None)
        if time is None:
            return {}
        found[moment] = time
    return found
