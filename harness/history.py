"""All that has happened in a match, told again from its log: nobody keeps the events of matches under way."""

from collections.abc import Iterator

from harness.faults import SeatFaulted
from harness.games.game import Event
from harness.match import Match


def history(match: Match) -> Iterator[Event | SeatFaulted]:
    """Every event of `match` so far, in order, for all seats: whoever passes it on projects it first.

    They are those that its drivers were given to tell, but that faults from before the first deal come after it.
    """
    state = match.game.start(match.seat_count, match.first_dealer)
    faults = [((at.deal_index, at.action_index), SeatFaulted(at.seat, at.fault.kind)) for at in match.faults]
    faults.reverse()
    for deal_index, deal in enumerate(match.deals):
        state, events = state.deal(deal.deck)
        yield from events
        for action_index, text in enumerate(deal.actions):
            while faults and faults[-1][0] <= (deal_index, action_index):
                yield faults.pop()[1]
            state, events = state.act(match.game.parse_action(text))
            yield from events
        while faults and faults[-1][0] <= (deal_index, len(deal.actions)):
            yield faults.pop()[1]
    while faults:
        yield faults.pop()[1]
