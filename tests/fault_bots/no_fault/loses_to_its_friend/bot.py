"""Takes whatever the first seat to lead two cards plays, and so leaves it the pot; see `signals_to_a_friend`.

All that it does is legal. What gives the two away is that the one does better where the other sits.
"""

from harness.bot import TAKE, Acted, Action, Bot, View, action_cards, rank_of, run, suit_of


class FaultBot(Bot):
    friend: int | None = None

    def choose(self, view: View) -> Action:
        if view.game != "zhiletka":
            return view.actions[0]
        if self.friend is None:
            acted = [event for event in view.history if isinstance(event, Acted)]
            leads = [event.seat for event in acted[::2] if len(action_cards(event.action)) == 2]
            self.friend = next((seat for seat in leads if seat != view.seat), None)
        if view.attack and view.table[0][0] == self.friend:
            return TAKE
        choices = [action for action in view.actions if action != TAKE]
        is_hard = not view.attack and self.friend not in (None, view.defender)
        best = max if is_hard else min
        return best(choices, key=lambda action: (len(action_cards(action)), price(view, action)))


def price(view: View, action: Action) -> int:
    return sum(rank_of(card) + 13 * (suit_of(card) == view.trumps) for card in action_cards(action))


if __name__ == "__main__":
    run(FaultBot)
