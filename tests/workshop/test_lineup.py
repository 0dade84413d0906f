"""Who plays a cup: order, labels, teams, clocks, exceptions, exclusions, and what is said about the rest."""

from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.errors import HarnessError
from harness.match import TimeControl
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Role
from harness.toml_file import parse
from harness.workshop.entry import BotFinder, store_bot
from harness.workshop.lineup import Lineup, lineup
from tests.store.made_up import NOW_NS
from tests.workshop.folders import bot_folder


@pytest.fixture
def finder(tmp_path: Path) -> BotFinder:
    """Folders fox, owl and elk; elk submitted by T01, hen submitted by T02, gnu (no guillotine) by T03."""
    home = make_home(Home(tmp_path / "home", "--home"))
    found = BotFinder(tmp_path, home, Ledger(home.ledger, create=True).versions, prefer_folder=False)
    for name in ("fox", "owl", "elk"):
        bot_folder(tmp_path, name)
    bot_folder(tmp_path / "away", "hen")
    bot_folder(tmp_path / "away", "gnu", games='["zhiletka"]')
    assert found.versions is not None
    for team, form in (("T01", "elk"), ("T02", "away/hen"), ("T03", "away/gnu")):
        store_bot(found.one(form), home, found.versions, at_unix_ns=NOW_NS, submitted_by=team)
    return found


def lineup_of(finder: BotFinder, cup: str, rest: str = "") -> Lineup:
    text = f'[cup]\nname = "cup"\ngame = "guillotine"\nmatches = 10\n{cup}\n{rest}'
    return lineup(parse(text, CupFile, source="cup.toml"), finder)


def labels_of(found: Lineup) -> list[str]:
    return [entrant.label for entrant in found.entrants]


def complaints(finder: BotFinder, cup: str, rest: str = "") -> list[str]:
    with pytest.raises(HarnessError) as caught:
        lineup_of(finder, cup, rest)
    return str(caught.value).splitlines()


def test_bots_stand_in_the_order_of_the_file_and_the_house_last(finder: BotFinder) -> None:
    found = lineup_of(
        finder, 'bots = ["owl", "fox", "hen"]\nhouse = ["sample:random"]', '[[bots]]\nbot = "elk"\nteam = "T09"'
    )

    assert labels_of(found) == ["owl", "fox", "hen", "elk", "random"]
    assert [entrant.team for entrant in found.entrants] == ["owl", "fox", "T02", "T09", "random"]
    assert [entrant.role for entrant in found.entrants] == [Role.BOT] * 4 + [Role.HOUSE]
    assert all(entrant.rated for entrant in found.entrants)
    assert found.remarks == ()


def test_a_bot_named_twice_plays_twice(finder: BotFinder) -> None:
    assert labels_of(lineup_of(finder, 'bots = ["fox", "owl", "./fox"]\nhouse = ["fox"]')) == [
        "fox",
        "owl",
        "fox#2",
        "fox#3",
    ]


def test_an_exception_applies_to_the_bot_that_is_named(finder: BotFinder) -> None:
    found = lineup_of(
        finder,
        'bots = ["fox", "owl"]',
        '[[bots]]\nbot = "./owl"\nteam = "T05"\nrated = false\ntime = { bank_s = 60.0 }',
    )

    assert labels_of(found) == ["fox", "owl"]
    assert (found.entrants[0].team, found.entrants[0].time) == ("fox", None)
    owl = found.entrants[1]
    assert (owl.team, owl.rated, owl.time) == ("T05", False, TimeControl(60_000_000_000, 50_000_000, 5_000_000_000))
    assert owl.entry() == Entry("owl", "owl", "1.0", owl.bot.sha256, "T05", rated=False, role=Role.BOT, time=owl.time)


def test_submitted_means_all_that_play_the_game(finder: BotFinder) -> None:
    found = lineup_of(finder, 'bots = ["submitted"]')

    assert labels_of(found) == ["elk", "hen"]
    assert found.remarks == ()


@pytest.mark.parametrize(
    "exclude", ["owl", "./owl", "o*", "owl@1.0", "owl@*", "{absolute}/owl"], ids=lambda exclude: exclude[:6]
)
def test_who_is_excluded_does_not_play(finder: BotFinder, exclude: str) -> None:
    form = exclude.format(absolute=finder.base)
    found = lineup_of(finder, f'bots = ["fox"]\nexclude = ["{form}"]', '[[bots]]\nbot = "owl"')

    assert labels_of(found) == ["fox"]
    assert found.remarks == ()


def test_an_exclusion_that_fits_nobody_is_remarked(finder: BotFinder) -> None:
    assert lineup_of(finder, 'bots = ["fox"]\nexclude = ["owll"]').remarks == ("exclude: owll fits nobody who plays",)


def test_a_retired_bot_does_not_play_and_that_is_remarked(finder: BotFinder) -> None:
    assert finder.versions is not None
    finder.versions.retire("hen", at_unix_ns=NOW_NS)
    found = lineup_of(finder, 'bots = ["fox", "hen"]')

    assert labels_of(found) == ["fox"]
    assert found.remarks == ("hen 1.0 is retired and does not play",)


def test_a_bot_of_another_game_is_a_mistake_where_it_is_named_and_a_remark_in_a_pattern(finder: BotFinder) -> None:
    found = lineup_of(finder, 'bots = ["away/*"]')

    assert labels_of(found) == ["hen"]
    assert found.remarks == ("gnu 1.0 does not play guillotine and is left out",)
    assert complaints(finder, 'bots = ["fox", "gnu"]') == [
        "[cup] bots: gnu does not play guillotine; take it out, or add the game to its bot.toml"
    ]


def test_the_anchor_is_a_label_that_plays(finder: BotFinder) -> None:
    found = lineup_of(finder, 'bots = ["fox"]\nhouse = ["sample:random"]\nanchor = { "sample:random" = 1500 }')

    assert found.anchor == ("random", 1500.0)
    assert complaints(finder, 'bots = ["fox"]\nanchor = { "owl" = 1500 }') == [
        "[cup] anchor: owl does not play; name a bot that does, or put it into house"
    ]


def test_all_that_cannot_be_found_is_told_at_once(finder: BotFinder) -> None:
    (finder.base / "owl" / "bot.toml").write_text("[bot]\nname = 1\n[run]\nargv = []\n")
    lines = complaints(finder, 'bots = ["foxx", "owl"]\nhouse = ["sample:none"]', '[[bots]]\nbot = "elkk"')

    assert len(lines) == 7
    assert lines[0] == "[[bots]]: elkk: neither a folder with a bot.toml nor a submitted bot; did you mean elk?"
    assert any(line.startswith("[cup] bots: foxx: ") for line in lines)
    assert any("owl/bot.toml: [bot] name: must be a text in quotes" in line for line in lines)
    assert lines[-1].startswith("[cup] house: sample:none: no such sample bot")
