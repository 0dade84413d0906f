"""Which matches of a cup may be seen, by its `[publish] replays`, and which of them get pages.

Only whole blocks are ever counted, so that nobody sees cards that others have still to play.
"""

from typing import NamedTuple

import numpy as np

from harness.agenda import next_plan, replay_plan
from harness.cup import CupFile, from_pinned
from harness.errors import HarnessError
from harness.standing import season_rounds
from harness.store.ledger import Ledger
from ladder.columns import Bools, Ints


class Release(NamedTuple):
    """Rounds whose records may be seen, and a sentence where that is not all of them."""

    rounds: frozenset[int]
    notice: str | None


def release_of(ledger: Ledger, cup: CupFile) -> Release:
    """What may be seen of the season of `cup` now."""
    numbers = season_rounds(ledger, cup)
    rounds = [row for row in ledger.rounds(cup.name) if row.round in numbers]
    rule = cup.publish.replays
    if rule == "now":
        return Release(frozenset(numbers), None)
    if rule == "end" and not _season_is_over(ledger, cup):
        return Release(frozenset(), "Matches and replays can be seen when the season has ended.")
    running = [row.round for row in rounds if row.ended_unix_ns is None]
    notice = f"The matches of round {running[0]} can be seen when it has ended." if running else None
    return Release(frozenset(numbers) - frozenset(running), notice)


def _season_is_over(ledger: Ledger, cup: CupFile) -> bool:
    newest = ledger.rounds(cup.name)[-1]
    if newest.round not in season_rounds(ledger, cup):
        return True
    if newest.ended_unix_ns is None or cup.is_ladder:  # a ladder takes entries until the next season begins
        return False
    pinned = from_pinned(newest.settings, source=f"{cup.name}, round {newest.round}")
    try:
        if replay_plan(pinned, ledger) is not None:
            return False
        return next_plan(pinned, ledger.entries(cup.name, newest.round), ledger) is None
    except HarnessError:  # what is left of the budget makes no schedule: nothing more will be played
        return True


def with_pages(matches: Ints, go_first: Bools, limit: int) -> Ints:
    """At most `limit` of `matches`, which ascend: those that `go_first`, then the newest. Newest first."""
    newest_first = np.arange(len(matches))[::-1]
    is_first = go_first[newest_first]
    chosen = np.concatenate((newest_first[is_first], newest_first[~is_first]))[:limit]
    found: Ints = matches[np.sort(chosen)[::-1]]
    return found
