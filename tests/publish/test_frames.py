"""Frames of a replay show what the rules say happened, and nothing else."""

from collections.abc import Iterator

import pytest

from harness.cards import set_name
from harness.games.game import State
from harness.publish.frames import Beside, deals_of
from harness.record import MatchRecord, ReplayDeal, ReplayStep, replay_steps
from harness.store.ledger import Ledger
from ladder.site.frames import Deal, Frame
from tests.publish.conftest import Played


@pytest.fixture(params=["guillotine", "zhiletka"])
def played(request: pytest.FixtureRequest) -> Played:
    found: Played = request.getfixturevalue(request.param)
    return found


def _some(played: Played) -> Iterator[MatchRecord]:
    ledger, cup = played
    return (record for number, record in enumerate(ledger.records(cup.name)) if number % 4 == 0)


def _held(frame: Frame, seat: int) -> str:
    names = {card for card, place in frame.places.items() if place == f"hand.{seat}"}
    return " ".join(sorted(names))


def _states(record: MatchRecord) -> Iterator[State]:
    """The state before each action, and of each deal before its first."""
    for step in replay_steps(record):
        yield step.after if isinstance(step, ReplayDeal) else step.before


def test_every_action_has_a_frame_and_every_deal_one_before_it(played: Played) -> None:
    for record in _some(played):
        deals = list(deals_of(record, Beside()))

        assert [len(deal.frames) for deal in deals] == [len(deal.actions) + 1 for deal in record.deals]


def test_hands_turn_and_points_are_those_of_the_rules(played: Played) -> None:
    for record in _some(played):
        frames = [frame for deal in deals_of(record, Beside()) for frame in deal.frames]
        steps = list(replay_steps(record))

        assert len(frames) == len(steps)
        for frame, following in zip(frames, steps[1:], strict=False):
            if isinstance(following, ReplayDeal):
                assert frame.turn is None
                continue
            state = following.before
            assert frame.turn == state.turn
            assert frame.points == tuple(state.points)
            # Who is out of the hand keeps its cards in sight until the next move.
            for seat in set(range(len(record.seats))) - set(frame.out):
                assert _held(frame, seat) == " ".join(sorted(set_name(state.hand(seat)).split()))


def test_the_last_frame_has_the_points_of_the_record(played: Played) -> None:
    for record in _some(played):
        *_, last = deals_of(record, Beside())

        assert last.frames[-1].points == record.points


def test_a_fault_marks_the_seat_from_that_move_on(guillotine: Played) -> None:
    ledger, cup = guillotine
    record = next(record for record in ledger.records(cup.name) if record.faults)
    (fault,) = record.faults

    frames = {
        (number, move): frame
        for number, deal in enumerate(deals_of(record, Beside()))
        for move, frame in enumerate(deal.frames)
    }
    # The frame after action 7 is frame 8.
    marked = {moment for moment, frame in frames.items() if frame.house == (fault.seat,)}
    assert marked == {moment for moment in frames if moment >= (fault.deal, fault.action + 1)}
    said = frames[fault.deal, fault.action + 1].says[0]
    assert (said.words, said.args) == ("From here the house plays for {s}", (fault.seat,))


def test_thinking_times_stand_beside_the_actions_that_were_asked_for(guillotine: Played) -> None:
    ledger, _ = guillotine
    for record in _some(guillotine):
        times = ledger.times(record.match)
        asked = [
            step.seat
            for step in replay_steps(record)
            if isinstance(step, ReplayStep) and len(step.before.actions) > 1 and not _house(record, step)
        ]

        frames = [frame for deal in deals_of(record, Beside(times)) for frame in deal.frames]
        spent = [frame.spent_ms for frame in frames if frame.spent_ms is not None]
        assert len(spent) == len(asked)
        assert sum(spent) == pytest.approx(sum(time.spent_ns for time in times) / 1e6)


def _house(record: MatchRecord, step: ReplayStep) -> bool:
    return any(
        fault.seat == step.seat and (fault.deal, fault.action) <= (step.deal_index, step.action_index)
        for fault in record.faults
    )


def test_times_that_do_not_fit_are_left_out(guillotine: Played) -> None:
    ledger, cup = guillotine
    record = next(ledger.records(cup.name))
    times = ledger.times(record.match)[:-3]

    frames = [frame for deal in deals_of(record, Beside(times)) for frame in deal.frames]

    assert {frame.spent_ms for frame in frames} == {None}


def test_notes_stand_at_their_action(guillotine: Played) -> None:
    ledger, cup = guillotine
    record = next(ledger.records(cup.name))

    deals = list(deals_of(record, Beside(notes={(2, 5): "hm"})))

    assert [
        (number, move) for number, deal in enumerate(deals) for move, frame in enumerate(deal.frames) if frame.note
    ] == [(2, 6)]


def _deals(ledger: Ledger, cup: str) -> Iterator[Deal]:
    for record in ledger.records(cup):
        yield from deals_of(record, Beside())


def test_a_trick_lies_on_the_table_until_the_next_move(guillotine: Played) -> None:
    ledger, cup = guillotine
    for deal in _deals(ledger, cup.name):
        for before, frame in zip(deal.frames, deal.frames[1:], strict=False):
            if before.winner is None or deal.layout != "tricks":
                continue

            trick = [card for card, place in before.places.items() if place.startswith("table.")]
            assert len(trick) == 4
            assert {frame.places[card] for card in trick} == {f"won.{before.winner}"}


def test_every_card_of_a_domino_lies_in_a_hand_or_on_the_layout(guillotine: Played) -> None:
    ledger, cup = guillotine
    dominoes = [deal for deal in _deals(ledger, cup.name) if deal.layout == "domino"]

    assert dominoes
    for deal in dominoes:
        assert deal.ranks == "789TJQKA"
        for frame in deal.frames:
            assert {place.partition(".")[0] for place in frame.places.values()} <= {"hand", "layout"}


def test_a_hand_of_zhiletka_says_how_it_ended(zhiletka: Played) -> None:
    ledger, cup = zhiletka

    endings = {deal.ending for deal in _deals(ledger, cup.name)}

    assert "set" in endings
    assert endings <= {"set", "a set was dealt", "the last one in", "undecided"}


def test_the_pot_holds_the_antes_and_goes_to_the_winner(zhiletka: Played) -> None:
    for record in _some(zhiletka):
        for deal in deals_of(record, Beside()):
            if len(deal.frames) == 1:
                continue  # a set was dealt

            assert deal.frames[0].pot == 60 * len(record.seats)
            assert deal.frames[-1].pot == 0


def test_cards_on_the_table_cover_one_another_in_their_order(zhiletka: Played) -> None:
    ledger, cup = zhiletka
    record = next(
        record
        for record in ledger.records(cup.name)
        if any("cover:" in a and "+" in a for d in record.deals for a in d.actions)
    )
    deal_index, action_index, text = next(
        (d, a, text)
        for d, deal in enumerate(record.deals)
        for a, text in enumerate(deal.actions)
        if text.startswith("cover:") and "+" in text
    )

    frame = list(deals_of(record, Beside()))[deal_index].frames[action_index + 1]

    first, second = text.removeprefix("cover:").split("+")
    assert frame.places[first] == "cover.0"
    assert frame.places[second] == "cover.1"
