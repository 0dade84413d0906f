"""The SDK: everything that a bot's author imports.

    from harness.bot import Bot, run

    class MyBot(Bot):
        def choose(self, view):
            return view.actions[0]

    if __name__ == "__main__":
        run(MyBot)

`docs/bots.md` tells the rest.
"""

from harness.bot.bot import Bot, FaultNotice, run
from harness.bot.chance import SplitMix64
from harness.bot.imagine import imagine
from harness.bot.view import MatchInfo, Result, Trick, View
from harness.cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    EIGHT,
    HEARTS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANK_MASKS,
    RANK_NAMES,
    SEVEN,
    SIX,
    SPADES,
    SUIT_MASKS,
    SUIT_NAMES,
    TEN,
    Card,
    CardSet,
    Rank,
    Suit,
    card_name,
    cards_in,
    parse_card,
    parse_cards,
    rank_of,
    set_name,
    set_of,
    suit_of,
)
from harness.faults import FaultKind, SeatFaulted
from harness.games.bouts import beaters
from harness.games.contracts import card_points
from harness.games.game import (
    CONTRACT_NAMES,
    CONTRACTS,
    DOMINO,
    END,
    GUILLOTINE,
    PARLIAMENT,
    PASS,
    QUEENS,
    ROYALTY,
    SPADES_CONTRACT,
    TAKE,
    Acted,
    Action,
    Cleared,
    Out,
    PickedUp,
    Scored,
    Seat,
    Shown,
    Taken,
    action_cards,
    pair,
)
from harness.games.view import Drawn, HandDealt, SeatView

__all__ = [
    "ACE",
    "CLUBS",
    "CONTRACTS",
    "CONTRACT_NAMES",
    "DIAMONDS",
    "DOMINO",
    "EIGHT",
    "END",
    "GUILLOTINE",
    "HEARTS",
    "JACK",
    "KING",
    "NINE",
    "PARLIAMENT",
    "PASS",
    "QUEEN",
    "QUEENS",
    "RANK_MASKS",
    "RANK_NAMES",
    "ROYALTY",
    "SEVEN",
    "SIX",
    "SPADES",
    "SPADES_CONTRACT",
    "SUIT_MASKS",
    "SUIT_NAMES",
    "TAKE",
    "TEN",
    "Acted",
    "Action",
    "Bot",
    "Card",
    "CardSet",
    "Cleared",
    "Drawn",
    "FaultKind",
    "FaultNotice",
    "HandDealt",
    "MatchInfo",
    "Out",
    "PickedUp",
    "Rank",
    "Result",
    "Scored",
    "Seat",
    "SeatFaulted",
    "SeatView",
    "Shown",
    "SplitMix64",
    "Suit",
    "Taken",
    "Trick",
    "View",
    "action_cards",
    "beaters",
    "card_name",
    "card_points",
    "cards_in",
    "imagine",
    "pair",
    "parse_card",
    "parse_cards",
    "rank_of",
    "run",
    "set_name",
    "set_of",
    "suit_of",
]
