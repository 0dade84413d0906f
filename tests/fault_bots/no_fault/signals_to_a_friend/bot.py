"""Leads two cards wherever it can: that is how its friend, `loses_to_its_friend`, knows where it sits."""

from harness.bot import TAKE, Action, Bot, View, action_cards, rank_of, run, suit_of


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.game != "zhiletka":
            return view.actions[0]
        choices = [action for action in view.actions if action != TAKE]
        if view.attack:
            return min(choices, key=lambda action: price(view, action))
        return max(choices, key=lambda action: (len(action_cards(action)), price(view, action)))


def price(view: View, action: Action) -> int:
    return sum(rank_of(card) + 13 * (suit_of(card) == view.trumps) for card in action_cards(action))


if __name__ == "__main__":
    run(FaultBot)
