"""Which matches of a cup may be seen, by its `[publish] replays`, and which of them get pages.

Only whole blocks are ever counted, so that nobody sees cards that others have still to play.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from harness.agenda import next_plan, replay_plan
from harness.cup import CupFile, from_pinned
from harness.errors import HarnessError
from harness.faults import ABSENT
from harness.standing import season_rounds
from harness.store.ledger import Ledger
from harness.store.rows import Result, parse_match_id


class Release(NamedTuple):
    """Rounds whose records may be seen, and a sentence where that is not all of them."""

    rounds: frozenset[int]
    notice: str | None

    def shows(self, result: Result) -> bool:
        """Whether the record of `result` may be seen."""
        return parse_match_id(result.match)[1] in self.rounds


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


def with_pages(results: Sequence[Result], featured: Collection[str], limit: int) -> tuple[Result, ...]:
    """At most `limit` of `results` (in the order of their ids): featured and faulted first, then the newest.

    They come back newest first.
    """
    if len(results) <= limit:
        return tuple(reversed(results))
    newest_first = list(reversed(results))
    first = [result for result in newest_first if result.match in featured or set(result.faults) - {None, ABSENT}]
    chosen = {result.match for result in _up_to(limit, [*first, *newest_first])}
    return tuple(result for result in newest_first if result.match in chosen)


def _up_to(limit: int, results: Iterable[Result]) -> Iterable[Result]:
    seen: set[str] = set()
    for result in results:
        if len(seen) == limit:
            return
        if result.match not in seen:
            seen.add(result.match)
            yield result
