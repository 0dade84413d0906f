"""Deals to itself from every seed that a careless harness might have taken, and looks for its own hand.

A small number, the time of day, a process id: what is dealt from these with a generator that everybody has is an open
book to whoever tries them all (Planet Poker, 1999).
"""

import os
import random
import time
from collections.abc import Iterator

from harness.bot import Action, Bot, View, run

SMALL = 1500
LATELY_S = 300
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            found = [f"the deals, from seed {seed}" for seed in seeds() if deals_like(seed, view)]
            print(*(f"reached: {what}" for what in found) if found else ["kept from the deals"], sep="\n", flush=True)
        return view.actions[0]


def seeds() -> Iterator[int]:
    """What is easily guessed."""
    yield from range(SMALL)
    now = int(time.time())
    yield from range(now - LATELY_S, now + 1)
    yield from range(os.getppid() - 50, os.getpid() + 50)


def deals_like(seed: int, view: View) -> bool:
    """Whether a pack shuffled from `seed` would have given this hand and this upcard."""
    deck = list(view.pack)
    random.Random(seed).shuffle(deck)
    place, count = (view.seat - view.dealer - 1) % view.seat_count, len(view.hand)
    dealt = view.seat_count * count
    by_turns, at_once = deck[place : dealt : view.seat_count], deck[place * count : place * count + count]
    return set(view.hand) in (set(by_turns), set(at_once)) and deck[dealt : dealt + 1] == [*view.upcards[:1]]


run(FaultBot)
