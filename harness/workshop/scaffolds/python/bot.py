"""A bot for Guillotine and Zhiletka: simple rules of thumb, a place to begin."""

from harness.bot import (
    CONTRACTS,
    DOMINO,
    END,
    GUILLOTINE,
    PARLIAMENT,
    QUEENS,
    ROYALTY,
    SPADES_CONTRACT,
    TAKE,
    Action,
    Bot,
    Card,
    View,
    action_cards,
    card_points,
    rank_of,
    run,
    suit_of,
)


class MyBot(Bot):
    """One object plays one match: what you keep in `self` belongs to that match alone."""

    version = "0.1.0"

    def choose(self, view: View) -> Action:
        """Called whenever there are at least two legal actions: return one of `view.actions`."""
        if view.game == "zhiletka":
            return max(view.actions, key=lambda action: keeping(view, action))
        if view.actions[0] in CONTRACTS:
            return announce(view)
        if view.contract == DOMINO:
            return max(view.actions, key=lambda action: waiting(view, action))
        return trick_card(view)


# Guillotine: 24 deals, low score wins -------------------------------------------------------------


def announce(view: View) -> Action:
    """High cards for Parliament, where tricks are wanted; low cards for Guillotine, where they cost most."""
    height = sum(rank_of(card) for card in view.hand) / len(view.hand)
    order = [DOMINO, ROYALTY, QUEENS, SPADES_CONTRACT]
    order = [PARLIAMENT, *order, GUILLOTINE] if height > 9.0 else [GUILLOTINE, *reversed(order), PARLIAMENT]
    view.note(f"mean rank {height:.1f}")  # you find it beside the decision in `cardarena replay --times`
    return next(contract for contract in order if contract in view.actions)


def trick_card(view: View) -> Card:
    """Stays under a trick that costs points, takes one that brings some."""
    wants_tricks = view.contract == PARLIAMENT

    def cost(card: Card) -> int:
        return card_points(view.contract, card)

    if view.led is None:
        return max(view.actions, key=rank_of) if wants_tricks else min(view.actions, key=rank_of)
    if suit_of(view.actions[0]) != view.led:  # void: throw what costs most, or what is of least use
        return max(
            view.actions,
            key=lambda card: (cost(card), -rank_of(card) if wants_tricks else rank_of(card)),
        )
    best = max(rank_of(card) for _, card in view.trick if suit_of(card) == view.led)
    over = [card for card in view.actions if rank_of(card) > best]
    under = [card for card in view.actions if rank_of(card) < best]
    worth = sum(cost(card) for _, card in view.trick)
    if over and (wants_tricks or worth < 0):
        return max(over, key=rank_of)
    if not under:
        return min(over, key=rank_of)
    return min(under, key=rank_of) if wants_tricks else max(under, key=lambda card: (cost(card), rank_of(card)))


def waiting(view: View, action: Action) -> int:
    """How many cards of the hand wait behind this one."""
    return -1 if action == END else sum(suit_of(card) == suit_of(action) for card in view.hand)


# Zhiletka: hold three cards of one suit or of one rank, or be the last who is in ---------------------


def keeping(view: View, action: Action) -> tuple[int, int]:
    """Takes only where it must; keeps cards that are alike; gives the cheapest away."""
    if action == TAKE:
        return (-1, 0)
    spent = action_cards(action)
    left = [card for card in view.hand if card not in spent]
    alike = [(a, b) for a in left for b in left if a < b and (suit_of(a) == suit_of(b) or rank_of(a) == rank_of(b))]
    return (len(alike), -sum(rank_of(card) + 13 * (suit_of(card) == view.trumps) for card in spent))


if __name__ == "__main__":
    run(MyBot)
