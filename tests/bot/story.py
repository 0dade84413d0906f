"""Views that tests make up, event by event."""

from harness import games
from harness.bot.view import MatchInfo, View
from harness.cards import CardSet, parse_cards, set_of
from harness.faults import SeatFaulted
from harness.games.view import SeatView, Seen


class Told(list[Seen | SeatFaulted]):
    """News that a test makes up."""

    def pour(self, fold: SeatView) -> None:
        for event in self:
            fold.see(event)
        self.clear()


def view_of(game: str, *events: Seen | SeatFaulted, seat: int = 0, seat_count: int = 4) -> View:
    """The view of `seat` after these events."""
    info = MatchInfo(
        match_id=1,
        game=game,
        rules_version="1",
        options={},
        seat=seat,
        seat_count=seat_count,
        pack=games.game(game).pack,
        bot_seed=1234567,
        bank_s=None,
        increment_s=0.0,
    )
    return View(info, Told(events))


def card_set(names: str) -> CardSet:
    """The set of the cards that `names` denotes."""
    return set_of(parse_cards(names))
