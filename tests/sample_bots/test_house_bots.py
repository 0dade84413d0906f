"""The graded house bots: what they promise of themselves, and that each is better than the one below in both games."""

import re

import pytest

from harness import local
from harness.bot import View
from harness.games.game import TAKE, Action
from harness.workshop.entry import BotFinder
from harness.workshop.manifest import read_manifest
from harness.workshop.tree import tree_sha256
from ladder.fit import fit
from tests.bench.house_bots import GRADES, POOL, TABLES, Table, played
from tests.sample_bots.programs import SAMPLES, bot_class
from tests.sources import ROOT

SHARP, STATELESS = bot_class("sharp"), bot_class("stateless")


@pytest.mark.parametrize("grade", GRADES)
def test_a_grade_is_named_as_its_folder_and_plays_both_games(grade: str) -> None:
    manifest = read_manifest(SAMPLES / grade)

    assert (manifest.name, manifest.version) == (grade, bot_class(grade).version)
    assert tuple(manifest.bot.games) == bot_class(grade).games == ("guillotine", "zhiletka")


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize(("game", "seat_count"), [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 6)])
def test_the_same_seed_gives_the_same_play(grade: str, game: str, seat_count: int) -> None:
    one, other = (local.play(game, [bot_class(grade)] * seat_count, seed=5) for _ in range(2))

    assert one == other
    assert one.faults == ()


@pytest.mark.parametrize("name", POOL)
def test_the_bots_are_those_whose_strength_the_page_tells(name: str) -> None:
    """Whoever changes one measures all of them again, and writes figures and hashes there."""
    page = (ROOT / "docs" / "house-bots.md").read_text()

    measured = dict(re.findall(r"`(\w+)` \(([0-9a-f]{12})\)", page))

    assert measured[name] == tree_sha256(SAMPLES / name)[:12]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_each_grade_is_better_than_the_one_below_by_more_than_the_interval(table: Table) -> None:
    rated = fit(played(table))

    for better, worse in zip(GRADES, (*GRADES[1:], "random"), strict=True):
        difference = rated.difference(better, worse)
        assert difference is not None
        assert difference.low is not None
        assert difference.low > 0, (better, worse)


@pytest.mark.parametrize("former", ["guillotine-counter", "zhiletka-odds"])
def test_cup_files_may_still_call_sharp_by_the_names_of_its_halves(former: str) -> None:
    finder = BotFinder(SAMPLES)

    assert finder.one(f"sample:{former}") == finder.one("sample:sharp")


class SixthCard(SHARP):  # type: ignore[misc, valid-type]  # a class found at run time
    """Notes what it does when taking would put it out."""

    chosen: list[Action]

    def choose(self, view: View) -> Action:
        action: Action = super().choose(view)
        if TAKE in view.actions and view.fold.hand.bit_count() + len(view.fold.table) >= 6:
            SixthCard.chosen.append(action)
        return action


def test_sharp_never_takes_its_sixth_card_when_it_can_beat() -> None:
    SixthCard.chosen = []

    for seed in range(12):
        local.play("zhiletka", [SixthCard, STATELESS, SixthCard, STATELESS], seed=seed)

    assert len(SixthCard.chosen) >= 3
    assert TAKE not in SixthCard.chosen
