"""What the strategy primer of `docs/strategy.md` says in figures.

    python tests/bench/strategy.py [--matches 300]

All seats are played by `sharp`; in Guillotine every contract is drawn by lot, so that each meets hands of every kind.
The same seeds give the same numbers on every machine.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from harness import local
from harness.bot import Action, View
from harness.cards import RANK_MASKS, SUIT_MASKS, CardSet, parse_card, rank_of
from harness.games.game import CONTRACT_NAMES, CONTRACTS, Dealt, Out, Shown
from harness.record import MatchRecord, ReplayDeal, replay_steps
from tests.sample_bots.programs import bot_class

SHARP = bot_class("sharp")
Samples = dict[str, list[float]]


class Drawing(SHARP):  # type: ignore[misc, valid-type]  # a class found at run time
    """Plays as `sharp`, but draws its contracts by lot."""

    def choose(self, view: View) -> Action:
        if view.actions[0] in CONTRACTS:
            return view.random.choice(view.actions)
        action: Action = super().choose(view)
        return action


def hands_dealt(record: MatchRecord) -> Iterator[tuple[int, tuple[CardSet, ...]]]:
    """The dealer and everybody's hand, deal by deal."""
    for step in replay_steps(record):
        if isinstance(step, ReplayDeal):
            (dealt,) = (event for event in step.events if isinstance(event, Dealt))
            yield dealt.dealer, dealt.hands


def cards(hand: CardSet) -> list[int]:
    return [card for card in range(52) if hand >> card & 1]


# Guillotine ----------------------------------------------------------------------------------------

HEIGHTS = ("low", "middle", "high")
KING_OF_HEARTS = parse_card("KH")


def guillotine(matches: int) -> tuple[dict[str, Samples], dict[str, Samples]]:
    """Points of the dealer by contract and by the height of its hand; by whether it holds the king of hearts."""
    seen = []
    for seed in range(matches):
        record = local.play("guillotine", [Drawing] * 4, seed=seed)
        for deal, (dealer, hands) in zip(record.deals, hands_dealt(record), strict=True):
            hand = cards(hands[dealer])
            name = deal.actions[0].removeprefix("contract:")
            seen.append((fmean(map(rank_of, hand)), name, KING_OF_HEARTS in hand, float(deal.points[dealer])))
    edges = sorted(height for height, *_ in seen)
    low, high = edges[len(edges) // 3], edges[2 * len(edges) // 3]
    by_height: dict[str, Samples] = defaultdict(lambda: defaultdict(list))
    by_king: dict[str, Samples] = defaultdict(lambda: defaultdict(list))
    for height, name, has_king, points in seen:
        by_height[name][HEIGHTS[(height > low) + (height > high)]].append(points)
        by_king[name]["with" if has_king else "without"].append(points)
    return by_height, by_king


# Zhiletka ------------------------------------------------------------------------------------------

SIZES = (2, 4, 6)
KINDS = ("a set", "two of a rank", "two of a suit", "nothing alike")


def kind(hand: CardSet) -> str:
    """What three cards have in common."""
    suits = max((hand & mask).bit_count() for mask in SUIT_MASKS)
    ranks = max((hand & mask).bit_count() for mask in RANK_MASKS)
    return KINDS[0 if max(suits, ranks) == 3 else 1 if ranks == 2 else 2 if suits == 2 else 3]


def zhiletka(seat_count: int, matches: int) -> tuple[Samples, Samples, Samples]:
    """Net chips of a hand, in antes: by what was dealt; by place from the dealer's left. How hands end, as shares."""
    by_kind, by_place, ends = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list), Ends()
    for seed in range(matches):
        record = local.play("zhiletka", [SHARP] * seat_count, seed=seed)
        for deal, (dealer, hands) in zip(record.deals, hands_dealt(record), strict=True):
            for seat, hand in enumerate(hands):
                won = deal.points[seat] / 60
                by_kind[kind(hand)].append(won)
                by_place[str((seat - dealer - 1) % seat_count + 1)].append(won)
        ends.see(record)
    return by_kind, by_place, ends.shares


class Ends:
    """How hands end."""

    def __init__(self) -> None:
        self.shares: Samples = {name: [] for name in ("dealt set", "set in play", "last seat", "undecided")}

    def see(self, record: MatchRecord) -> None:
        """Counts the hands of one match."""
        shown = played = out = 0
        last_deal = 0
        for step in replay_steps(record):
            if step.deal_index != last_deal:
                self._add(shown, played, out, len(record.seats))
                shown = played = out = 0
                last_deal = step.deal_index
            played += not isinstance(step, ReplayDeal)
            shown += sum(isinstance(event, Shown) for event in step.events)
            out += sum(isinstance(event, Out) for event in step.events)
        self._add(shown, played, out, len(record.seats))

    def _add(self, shown: int, played: int, out: int, seat_count: int) -> None:
        end = "undecided" if not shown and out < seat_count - 1 else "last seat" if not shown else "set in play"
        end = "dealt set" if shown and not played else end
        for name, found in self.shares.items():
            found.append(100.0 * (name == end))


# Tables --------------------------------------------------------------------------------------------


def signed(values: Sequence[float]) -> str:
    """The mean and the half width of its 95 % interval."""
    return f"{fmean(values):+.1f} ± {1.96 * stdev(values) / len(values) ** 0.5:.1f}"


def finely(values: Sequence[float]) -> str:
    return f"{fmean(values):+.2f} ± {1.96 * stdev(values) / len(values) ** 0.5:.2f}"


def percent(values: Sequence[float]) -> str:
    return f"{fmean(values):.0f} %"


def table(rows: dict[str, Samples], columns: Sequence[str], text: Callable[[Sequence[float]], str]) -> str:
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    lines += [f"| {row} | {' | '.join(text(cells[column]) for column in columns)} |" for row, cells in rows.items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=300)
    matches = parser.parse_args().matches
    by_height, by_king = guillotine(matches)
    print(table({name: by_height[name] for name in CONTRACT_NAMES}, HEIGHTS, signed), end="\n\n")
    print(table({name: by_king[name] for name in CONTRACT_NAMES}, ("with", "without"), signed), end="\n\n")
    found = {size: zhiletka(size, matches) for size in SIZES}
    names = {size: f"{size} seats" for size in SIZES}
    print(table({names[size]: by_kind for size, (by_kind, _, _) in found.items()}, KINDS, finely), end="\n\n")
    print(table({names[size]: by_place for size, (_, by_place, _) in found.items()}, ("1", "2"), finely), end="\n\n")
    print(table({names[size]: ends for size, (_, _, ends) in found.items()}, list(found[2][2]), percent))


if __name__ == "__main__":
    main()
