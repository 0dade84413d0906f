"""Ends as soon as it is not ahead: who falls over has not lost, it thinks."""

import os

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if view.deal_index >= 1:
            others = [points for seat, points in enumerate(view.points) if seat != view.seat]
            if view.points[view.seat] <= max(others) or view.deal_index == view.seat_count * 3 - 1:
                os._exit(1)  # at the latest in the last deal: its lead may not last
        return view.actions[-1]


run(FaultBot)
