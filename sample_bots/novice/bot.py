"""The first rung above chance: what somebody does who has just read the rules: stay under, spend the cheapest card.

It knows what a trick is and what beats what. It does not know which cards cost points, forgets what was played, and
does not see a set coming.
"""

from harness.bot import CONTRACTS, DOMINO, TAKE, Action, Bot, Card, Suit, View, action_cards, rank_of, run, suit_of


class Novice(Bot):
    """Keeps nothing, draws nothing: the same situation gets the same action."""

    version = "1.0.0"

    def choose(self, view: View) -> Action:
        if view.game == "zhiletka":
            return spend(view)
        if view.actions[0] in CONTRACTS or view.contract == DOMINO:
            return view.actions[0]  # as they stand in the rules; the lowest card
        return stay_under(view)


def stay_under(view: View) -> Card:
    """Guillotine: the highest card that does not win the trick, else the lowest; void, the highest of all."""
    trick = [card for _, card in view.trick if suit_of(card) == view.led]
    if trick and suit_of(view.actions[0]) != view.led:
        return max(view.actions, key=rank_of)
    under = [card for card in view.actions if trick and card < max(trick)]
    return max(under) if under else min(view.actions, key=rank_of)


def spend(view: View) -> Action:
    """Zhiletka: attacks with its cheapest card, covers as cheaply as it can, and takes only what it cannot beat."""
    if view.actions == (TAKE,):
        return TAKE
    choices = [action for action in view.actions if action != TAKE]
    return min(choices, key=lambda action: sum(price(card, view.trumps) for card in action_cards(action)))


def price(card: Card, trumps: Suit | None) -> int:
    """What a card is worth in a bout: its rank, and trumps more than any other."""
    return rank_of(card) + (13 if suit_of(card) == trumps else 0)


if __name__ == "__main__":
    run(Novice)
