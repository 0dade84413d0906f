"""Decisions of a recorded match, as each seat met them."""

import pytest

from harness import local
from harness.bot import Action, Bot, View
from harness.cards import CardSet, parse_cards
from harness.decisions import decisions
from harness.record import JsonValue, MatchRecord, ReplayStep, replay_steps
from tests.bot.witness import RandomBot


class Failing(RandomBot):
    """Plays at random for a while."""

    def choose(self, view: View) -> Action:
        if len(view.history) > 30:
            raise RuntimeError("enough")
        return super().choose(view)


GAMES = [("guillotine", 4), ("zhiletka", 3)]


def played(game: str, seat_count: int, *, failing: bool = False) -> MatchRecord:
    bots: list[type[Bot]] = [RandomBot] * seat_count
    if failing:
        bots[1] = Failing
    return local.play(game, bots, seed=3, catch_faults=True)


def cards(text: object) -> CardSet:
    return sum(1 << card for card in parse_cards(str(text)))


def member(row: object, *names: str) -> JsonValue:
    value = row
    for name in names:
        assert isinstance(value, dict)
        value = value[name]
    return value  # type: ignore[return-value] # decoded JSON


@pytest.mark.parametrize(("game", "seat_count"), GAMES)
def test_every_choice_of_at_least_two_is_a_line_in_order(game: str, seat_count: int) -> None:
    record = played(game, seat_count)
    choices = [
        (step.deal_index, step.action_index, step.seat, step.text)
        for step in replay_steps(record)
        if isinstance(step, ReplayStep) and len(step.before.actions) > 1
    ]

    rows = list(decisions(record))

    assert [(row["deal"], row["action"], row["seat"], row["chosen"]) for row in rows] == choices
    assert all(row["bot"] == record.seats[seat].bot for row, (_, _, seat, _) in zip(rows, choices, strict=True))
    assert all(row["place"] == record.places[seat] for row, (_, _, seat, _) in zip(rows, choices, strict=True))


@pytest.mark.parametrize(("game", "seat_count"), GAMES)
def test_what_was_chosen_was_legal_and_a_card_played_was_in_the_hand(game: str, seat_count: int) -> None:
    for row in decisions(played(game, seat_count)):
        legal = row["legal"]
        assert isinstance(legal, list)
        assert len(legal) > 1
        assert len(set(legal)) == len(legal)
        assert row["chosen"] in legal
        verb, _, played_cards = str(row["chosen"]).partition(":")
        if verb in ("play", "attack", "cover"):
            hand = cards(member(row, "knew", "hand"))
            assert cards(played_cards.replace("+", " ")) & ~hand == 0


@pytest.mark.parametrize(("game", "seat_count"), GAMES)
def test_a_seat_knows_its_own_hand_and_how_many_cards_the_others_hold(game: str, seat_count: int) -> None:
    for row in decisions(played(game, seat_count)):
        counts = member(row, "knew", "hand_counts")
        seat = row["seat"]
        assert isinstance(counts, list)
        assert isinstance(seat, int)
        assert len(counts) == seat_count
        assert cards(member(row, "knew", "hand")).bit_count() == counts[seat]


def test_the_house_s_choices_are_marked_from_the_fault_on() -> None:
    record = played("guillotine", 4, failing=True)
    (fault,) = record.faults

    rows = list(decisions(record))

    marked = [(row["deal"], row["action"]) for row in rows if row["house"]]
    own = [(row["deal"], row["action"]) for row in rows if row["seat"] == 1 and not row["house"]]
    assert marked
    assert all(row["seat"] == 1 for row in rows if row["house"])
    assert min(marked) >= (fault.deal, fault.action)
    assert max(own) < (fault.deal, fault.action)
