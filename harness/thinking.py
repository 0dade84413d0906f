"""Which decision each kept thinking time belongs to: a match keeps them in order, without saying where they fell."""

from collections.abc import Iterable, Mapping

from harness.record import MatchRecord, ReplayDeal, ReplayStep

Moment = tuple[int, int]
"""Deal and action, both from 0."""


def thinking_ns(
    record: MatchRecord, steps: Iterable[ReplayDeal | ReplayStep], times: Iterable[tuple[int, int, int]]
) -> Mapping[Moment, int]:
    """The thinking time of each action that a bot was asked for. `steps`: of `record`; `times`: seat, ns, answers owed.

    Forced actions and those of the house were never asked. An answer that was refused has a time and no action: it is
    left out, and so are all times of a match that they do not fit.
    """
    spent: dict[Moment, int] = {}
    waiting = iter(times)
    for step in steps:
        if isinstance(step, ReplayDeal) or len(step.before.actions) == 1:
            continue
        moment = step.deal_index, step.action_index
        if any(fault.seat == step.seat and (fault.deal, fault.action) <= moment for fault in record.faults):
            continue
        spent_ns = next((ns for seat, ns, _ in waiting if seat == step.seat), None)
        if spent_ns is None:
            return {}
        spent[moment] = spent_ns
    return spent
