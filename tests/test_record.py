"""Records: one JSON line there and back, and a replay that names the first difference."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from harness import games
from harness.deals import deck, first_dealer, secret_from_seed
from harness.faults import Fault, FaultKind
from harness.games.game import OptionValue
from harness.match import Ask, Finished, Match, NeedDeck
from harness.record import (
    DealRecord,
    MatchRecord,
    RecordError,
    ReplayDifference,
    ReplayStep,
    SeatEntry,
    record_of,
    replay,
    replay_steps,
)

SECRET = secret_from_seed(7, 1)


def played(
    name: str = "guillotine",
    seat_count: int = 4,
    options: dict[str, OptionValue] | None = None,
    fault_after: int | None = None,
) -> MatchRecord:
    """A match in which every seat chooses its middle action; seat 1 crashes before its answer number `fault_after`."""
    match = Match(games.game(name, options), seat_count, first_dealer(SECRET, "000001", seat_count))
    _, due = match.start()
    answers = 0
    while not isinstance(due, Finished):
        if isinstance(due, NeedDeck):
            _, due = match.deal(deck(SECRET, "000001", due.deal_index, due.cards))
            continue
        assert isinstance(due, Ask)
        answers += due.seat == 1
        if due.seat == 1 and answers == fault_after:
            _, due = match.fault(1, Fault(FaultKind.CRASHED, "exit code 1"))
        else:
            _, due = match.answer(due.seat, due.actions[len(due.actions) // 2])
    seats = [SeatEntry(f"bot-{seat}", "1.0", "ab" * 32) for seat in range(seat_count)]
    return record_of(
        match,
        match_id="cup/1/000001",
        seats=seats,
        cup="cup",
        round=1,
        block="000001",
        rotation=1,
        meta={"wall_s": 0.5},
    )


@pytest.mark.parametrize(
    ("name", "seat_count", "options"),
    [
        ("guillotine", 4, {}),
        ("guillotine", 4, {"ace_bonus": "one"}),
        ("zhiletka", 3, {"ante": 120}),
        ("zhiletka", 6, {}),
    ],
)
def test_a_record_survives_json_and_replays(name: str, seat_count: int, options: dict[str, OptionValue]) -> None:
    record = played(name, seat_count, options)

    again = MatchRecord.from_json(record.to_json())

    assert again == record
    assert again.meta == record.meta
    assert again.to_json() == record.to_json()
    assert replay(again).points == record.points


def test_members_stand_in_the_documented_order() -> None:
    members = list(json.loads(played().to_json()))

    head = ["record", "match", "cup", "round", "block", "rotation", "game", "rules_version", "options", "seats"]
    assert members == [*head, "first_dealer", "deals", "points", "places", "faults", "meta"]


def test_meta_is_no_part_of_a_record_s_identity() -> None:
    record = played()

    elsewhere = replace(record, meta={"wall_s": 9.0, "machine": "other"})

    assert elsewhere == record
    assert elsewhere.digest() == record.digest()
    assert elsewhere.to_json() != record.to_json()


def test_a_record_with_a_fault_replays() -> None:
    record = played(fault_after=40)

    replayed = replay(record)

    assert [fault.seat for fault in record.faults] == [1]
    assert record.places[1] == 4
    assert replayed.points == record.points


def test_replay_steps_tell_every_action_in_order() -> None:
    record = played()

    texts = [step.text for step in replay_steps(record) if isinstance(step, ReplayStep)]

    assert texts == [text for deal in record.deals for text in deal.actions]


def changed_deal(index: int, change: Callable[[DealRecord], DealRecord]) -> Callable[[MatchRecord], MatchRecord]:
    def apply(record: MatchRecord) -> MatchRecord:
        deals = list(record.deals)
        deals[index] = change(deals[index])
        return replace(record, deals=tuple(deals))

    return apply


def swap_first_cards(deal: DealRecord) -> DealRecord:
    first, second, *rest = deal.deck
    return deal._replace(deck=(second, first, *rest))


def drop_last_action(deal: DealRecord) -> DealRecord:
    return deal._replace(actions=deal.actions[:-1])


def add_action(deal: DealRecord) -> DealRecord:
    return deal._replace(actions=(*deal.actions, "pass"))


def misspell(deal: DealRecord) -> DealRecord:
    return deal._replace(actions=("contract:royality", *deal.actions[1:]))


def raise_points(deal: DealRecord) -> DealRecord:
    return deal._replace(points=(deal.points[0] + 5, *deal.points[1:]))


def wrong_dealer(deal: DealRecord) -> DealRecord:
    return deal._replace(dealer=(deal.dealer + 1) % 4)


def repeat_card(deal: DealRecord) -> DealRecord:
    return deal._replace(deck=(deal.deck[1], *deal.deck[1:]))


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (changed_deal(3, swap_first_cards), r"^cup/1/000001, deal 3.*"),
        (changed_deal(3, repeat_card), r"^cup/1/000001, deal 3: deck"),
        (changed_deal(3, drop_last_action), r"^cup/1/000001, deal 3: the deal is not over after"),
        (changed_deal(3, add_action), r"^cup/1/000001, deal 3, action \d+: pass after the end of the deal"),
        (changed_deal(3, misspell), r"^cup/1/000001, deal 3, action 0: .*royality"),
        (changed_deal(3, raise_points), r"^cup/1/000001, deal 3: points"),
        (changed_deal(3, wrong_dealer), r"^cup/1/000001, deal 3: dealer"),
        (lambda record: replace(record, deals=record.deals[:-1]), r"not over after 23 deals"),
        (lambda record: replace(record, deals=record.deals + record.deals[:1]), r"deal 24: the match was over"),
        (lambda record: replace(record, points=(0, 0, 0, 0)), r"points \(0, 0, 0, 0\) recorded"),
        (lambda record: replace(record, places=record.places[::-1]), r"places"),
        (lambda record: replace(record, rules_version="0"), r"rules version '0'"),
        (lambda record: replace(record, game="gullotine"), r"no game called 'gullotine'"),
        (lambda record: replace(record, options={"ace_bonus": "some"}), r"ace_bonus"),
        (lambda record: replace(record, seats=record.seats[:3]), r"^cup/1/000001: .*"),
    ],
)
def test_replay_names_the_first_difference(change: Callable[[MatchRecord], MatchRecord], difference: str) -> None:
    forged = change(played())

    with pytest.raises(ReplayDifference, match=difference):
        replay(forged)


def test_a_faulted_seat_that_did_not_play_as_the_house_is_a_difference() -> None:
    record = played()
    fault = played(fault_after=1).faults

    with pytest.raises(ReplayDifference, match="the house plays"):
        replay(replace(record, faults=fault))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"record": 2}, "record: format 2"),
        ({"points": ["1"]}, "points: a list of whole numbers"),
        ({"points": [True]}, "points: a list of whole numbers"),
        ({"seats": [1]}, r"seats\[0\]: an object"),
        ({"first_dealer": "0"}, "first_dealer: int expected"),
        ({"deals": [{"deck": "7C XX"}]}, r"deals\[0\]\.deck: not a card: 'XX'"),
        ({"faults": [{"seat": 0, "kind": "lazy"}]}, r"faults\[0\]\.kind: no fault is called 'lazy'"),
        ({"options": {"a": [1]}}, r"options\.a"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_the_member_at_fault(change: dict[str, object], message: str) -> None:
    members = json.loads(played().to_json()) | change

    with pytest.raises(RecordError, match=message):
        MatchRecord.from_json(json.dumps(members))


@pytest.mark.parametrize("line", ["", "[]", "7", "{", '"record"', "{}", "[" * 200_000, f'{{"a": {"1" * 6_000}}}'])
def test_other_json_is_no_record(line: str) -> None:
    with pytest.raises(RecordError):
        MatchRecord.from_json(line)


def test_a_match_under_way_has_no_record() -> None:
    match = Match(games.game("guillotine"), 4, 0)

    with pytest.raises(ValueError, match="not finished"):
        record_of(match, match_id="m", seats=[])
