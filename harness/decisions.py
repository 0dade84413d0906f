"""Every decision of a recorded match as a seat met it: what it knew, what was legal, what it chose, how it ended.

For training and analysis. A seat's knowledge is the fold of its own events, as its bot saw it.
"""

from collections.abc import Iterator, Mapping

from harness import games
from harness.cards import set_name
from harness.games.game import CONTRACT_NAMES, CONTRACTS
from harness.games.view import SeatView, project
from harness.record import JsonValue, MatchRecord, ReplayDeal, replay_steps


def decisions(record: MatchRecord) -> Iterator[Mapping[str, JsonValue]]:
    """A JSON object for each action of `record` that was a choice of at least two. ReplayDifference as `replay`."""
    game = games.game(record.game, record.options)
    seat_count = len(record.seats)
    views = [SeatView(seat, seat_count, len(game.pack)) for seat in range(seat_count)]
    house_from = {fault.seat: (fault.deal, fault.action) for fault in record.faults}
    for step in replay_steps(record):
        if not isinstance(step, ReplayDeal) and len(step.before.actions) > 1:
            view = views[step.seat]
            by_house = (step.deal_index, step.action_index) >= house_from.get(step.seat, (len(record.deals), 0))
            yield {
                "match": record.match,
                "game": record.game,
                "deal": step.deal_index,
                "action": step.action_index,
                "seat": step.seat,
                "bot": record.seats[step.seat].bot,
                "house": by_house,
                "knew": _knowledge(view),
                "legal": [game.action_name(step.before, action) for action in step.before.actions],
                "chosen": step.text,
                "place": record.places[step.seat],
            }
        for event in step.events:
            for view in views:
                view.see(project(event, view.seat))


def _knowledge(view: SeatView) -> Mapping[str, JsonValue]:
    return {
        "dealer": view.dealer,
        "hand": set_name(view.hand),
        "hand_counts": list(view.hand_counts),
        "upcards": set_name(view.upcards),
        "stock_count": view.stock_count,
        "contract": None if view.contract is None else CONTRACT_NAMES[CONTRACTS.index(view.contract)],
        "table": [[seat, set_name(1 << card)] for seat, card in view.table],
        "taken": [set_name(cards) for cards in view.taken],
        "known": [set_name(cards) for cards in view.known],
        "gone": set_name(view.gone),
        "out": list(view.out),
        "points": list(view.points),
        "pot": view.pot,
    }
