"""Matches in this process."""

import sys
from pathlib import Path
from typing import ClassVar

import pytest

from harness import games, local
from harness.bot import Bot, FaultNotice, View
from harness.faults import FaultKind
from harness.games.game import Action
from harness.record import MatchRecord, replay
from tests.bot.witness import RandomBot

SIZES = [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 6)]


@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_a_match_gives_a_record_that_replays(game: str, seat_count: int) -> None:
    record = local.play(game, [RandomBot] * seat_count, seed=1)

    replay(record)
    assert record == MatchRecord.from_json(record.to_json())
    assert record.faults == ()


@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_the_same_arguments_give_the_same_record(game: str, seat_count: int) -> None:
    once, again, other = (local.play(game, [RandomBot] * seat_count, seed=seed) for seed in (1, 1, 2))

    assert once == again
    assert once.deals != other.deals


def test_seats_are_named_by_class() -> None:
    class Fox(RandomBot):
        version = "1.4"

    record = local.play("zhiletka", [Fox, RandomBot, Fox], seed=1)

    assert [(seat.bot, seat.version) for seat in record.seats] == [("Fox", "1.4"), ("RandomBot", ""), ("Fox#2", "1.4")]


def test_dealer_and_options_are_as_asked() -> None:
    record = local.play("zhiletka", [RandomBot] * 3, seed=1, first_dealer=2, options={"ante": 120})

    assert (record.first_dealer, record.deals[0].dealer) == (2, 2)
    assert record.options == {"ante": 120}
    assert all(point % 120 == 0 or point % 60 == 0 for point in record.points)


def test_a_game_made_before_is_taken_as_it_is() -> None:
    game = games.game("guillotine", {"ace_bonus": "off"})

    assert local.play(game, [RandomBot] * 4, seed=1).options == {"ace_bonus": "off"}
    with pytest.raises(ValueError, match="options come with the name"):
        local.play(game, [RandomBot] * 4, seed=1, options={})


def test_mistakes_of_the_caller_are_refused() -> None:
    with pytest.raises(ValueError, match="guillotin"):
        local.play("guillotin", [RandomBot] * 4, seed=1)
    with pytest.raises(ValueError, match="3"):
        local.play("guillotine", [RandomBot] * 3, seed=1)
    with pytest.raises(TypeError, match="not an object"):
        local.play("zhiletka", [RandomBot(), RandomBot()], seed=1)  # type: ignore[list-item]  # the mistake


class Broken(RandomBot):
    def choose(self, view: View) -> Action:
        if view.deal_index == 2:
            raise RuntimeError("no\nidea")
        return super().choose(view)


def test_what_a_bot_raises_reaches_the_caller() -> None:
    with pytest.raises(RuntimeError, match="idea"):
        local.play("guillotine", [RandomBot, Broken, RandomBot, RandomBot], seed=1)


def test_what_a_bot_raises_can_be_its_fault() -> None:
    record = local.play("guillotine", [RandomBot, Broken, RandomBot, RandomBot], seed=1, catch_faults=True)

    (fault,) = record.faults
    assert (fault.seat, fault.kind, fault.deal, fault.detail) == (1, FaultKind.CRASHED, 2, "RuntimeError: no idea")
    assert record.places[1] == 4
    replay(record)


def test_an_illegal_action_is_a_fault_and_the_match_goes_on() -> None:
    told: list[object] = []

    class Cheat(RandomBot):
        def choose(self, view: View) -> Action:
            return 51

        def on_fault(self, view: View, fault: FaultNotice) -> None:
            told.append(fault.kind)

        def on_over(self, view: View) -> None:
            told.append("over")

    class Watcher(RandomBot):
        faulted: ClassVar[set[tuple[int, ...]]] = set()

        def on_over(self, view: View) -> None:
            self.faulted.add(view.faulted)

    record = local.play("guillotine", [Watcher, Watcher, Cheat, Watcher], seed=1)

    assert [(fault.seat, fault.kind) for fault in record.faults] == [(2, FaultKind.ILLEGAL_ACTION)]
    assert told == [FaultKind.ILLEGAL_ACTION]
    assert Watcher.faulted == {(2,)}
    assert record.places[2] == 4
    replay(record)


def test_bots_are_told_the_result() -> None:
    results: dict[int, object] = {}

    class Listener(Bot):
        def choose(self, view: View) -> Action:
            return view.actions[0]

        def on_over(self, view: View) -> None:
            assert view.result is not None
            assert view.points == view.result.points
            results[view.seat] = (view.result.points, view.result.places)

    class Stateless(Listener):
        snapshot = True

    record = local.play("zhiletka", [Listener, Stateless, Listener], seed=4)

    assert results == dict.fromkeys(range(3), (record.points, record.places))


def test_what_an_object_keeps_lasts_for_its_match_alone() -> None:
    class Counter(Bot):
        objects: ClassVar[list["Counter"]] = []

        def __init__(self) -> None:
            self.objects.append(self)
            self.choices = 0

        def choose(self, view: View) -> Action:
            self.choices += 1
            return view.actions[0]

    for _ in range(2):
        local.play("zhiletka", [Counter] * 2, seed=9)

    first, second, third, fourth = (bot.choices for bot in Counter.objects)
    assert (first, second) == (third, fourth)
    assert first > 0


def test_a_bot_is_loaded_from_its_folder_with_the_files_beside_it(tmp_path: Path) -> None:
    for name, card in (("low", 0), ("high", -1)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "rules_of_thumb.py").write_text(f"PLACE = {card}\n")
        (folder / "bot.py").write_text(
            "from harness.bot import Bot\nfrom rules_of_thumb import PLACE\n"
            "class Mine(Bot):\n    def choose(self, view):\n        return view.actions[PLACE]\n"
        )
    low, high = local.load(tmp_path / "low"), local.load(str(tmp_path / "high"))

    record = local.play("zhiletka", [low, high], seed=1)

    assert (low.__name__, high.__name__) == ("Mine", "Mine")
    assert record.deals != local.play("zhiletka", [low, low], seed=1).deals
    assert "rules_of_thumb" not in sys.modules


@pytest.mark.parametrize(
    ("text", "said"), [(None, "there is no bot.py"), ("x = 1\n", "one class derived from Bot is wanted, not 0")]
)
def test_a_folder_without_one_bot_class_is_refused(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "bot.py").write_text(text)

    with pytest.raises(ValueError, match=said):
        local.load(tmp_path)
