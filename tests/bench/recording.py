"""Messages of whole Guillotine matches of random seats, recorded for streams that carry them without a referee.

They are what the harness sends in such a match, clocks included, so that a bot does the same for each.
"""

from collections.abc import Iterator
from typing import NamedTuple

from harness import deals, games
from harness.bot.chance import SplitMix64
from harness.games.view import project
from harness.match import Ask, Finished, Match, NeedDeck, TimeControl
from harness.wire import arena_pb2 as pb
from harness.wire import codec

SECRET = bytes(range(32))
SEAT_COUNT = 4
CLOCK = TimeControl(20_000_000_000, 50_000_000, 5_000_000_000)  # of a cup that does not say otherwise
MOST_SPENT_NS = 400_000


class Recorded(NamedTuple):
    """What one seat is sent in a match, as fragments of an UpdateBatch."""

    decisions: list[bytes]
    """One for each decision."""
    end: bytes


def recorded(seat: int) -> Iterator[Recorded]:
    """Matches without end."""
    game = games.game("guillotine")
    number = 0
    while True:
        number += 1
        yield _record(game, seat, number)


def _record(game: games.Game, seat: int, number: int) -> Recorded:
    block = f"{number:06d}"
    match = Match(game, SEAT_COUNT, deals.first_dealer(SECRET, block, SEAT_COUNT), [CLOCK] * SEAT_COUNT)
    chances = [SplitMix64(deals.bot_seed(SECRET, block, index)) for index in range(SEAT_COUNT)]
    started = codec.started_fragment(
        number,
        game=game.name,
        rules_version=game.rules_version,
        seat=seat,
        seat_count=SEAT_COUNT,
        bot_seed=deals.bot_seed(SECRET, block, seat),
        bank_ns=CLOCK.bank_ns,
        increment_ns=CLOCK.increment_ns,
        silence_ns=CLOCK.decision_ns,
    )
    sent: list[bytes] = []
    unsent = b""
    told, due = match.start()
    while True:
        for event in told:
            unsent += codec.seen_bytes(project(event, seat))  # type: ignore[arg-type]  # nobody faults here
        if isinstance(due, Finished):
            over = codec.over_fragment(number, pb.MATCH_END_FINISHED, due.points, due.places)
            return Recorded(sent, codec.update_fragment(codec.match_id_bytes(number) + unsent) + over)
        if isinstance(due, NeedDeck):
            told, due = match.deal(deals.deck(SECRET, block, due.deal_index, due.cards))
            continue
        assert isinstance(due, Ask)
        if due.seat == seat:
            assert due.bank_ns is not None
            decision_id = deals.bot_seed(SECRET, block, len(sent)) >> 1
            update = codec.match_id_bytes(number) + unsent + codec.request_bytes(decision_id, due.actions, due.bank_ns)
            sent.append(started + codec.update_fragment(update))
            started = unsent = b""
        chance = chances[due.seat]
        action = due.actions[chance.below(len(due.actions))]
        told, due = match.answer(due.seat, action, chance.below(MOST_SPENT_NS))


def messages(seat: int, at_once: int, decision_count: int) -> list[bytes]:
    """Messages with `at_once` decisions each, of as many matches; together at least `decision_count`."""
    matches = recorded(seat)
    tables = [_fragments(matches) for _ in range(at_once)]
    message_count = -(-decision_count // at_once)
    return [codec.batch_message([next(table) for table in tables]) for _ in range(message_count)]


def _fragments(matches: Iterator[Recorded]) -> Iterator[bytes]:
    """The decisions of one match after the other; the end of a match travels with the first decision of the next."""
    end = b""
    for match in matches:
        for decision in match.decisions:
            yield end + decision
            end = b""
        end = match.end
