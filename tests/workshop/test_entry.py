"""BOT as people write it is found, staged once for each tree, and written down as a version."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.workshop import entry
from harness.workshop.entry import BotFinder, FoundBot, Origin, labels, stage, store_bot
from harness.workshop.tree import copy_tree, tree_sha256
from tests.store.made_up import NOW_NS
from tests.workshop.folders import bot_folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(Home(tmp_path / "home", "--home"))


@pytest.fixture
def ledger(home: Home) -> Iterator[Ledger]:
    with Ledger(home.ledger, create=True) as opened:
        yield opened


@pytest.fixture
def finder(tmp_path: Path, home: Home, ledger: Ledger) -> BotFinder:
    return BotFinder(tmp_path, home, ledger.versions)


def submit(finder: BotFinder, form: str, team: str = "T07", later_ns: int = 0) -> FoundBot:
    assert finder.home is not None
    assert finder.versions is not None
    bot = finder.one(form)
    store_bot(bot, finder.home, finder.versions, at_unix_ns=NOW_NS + later_ns, submitted_by=team)
    return bot


def complaint_of(finder: BotFinder, form: str) -> str:
    with pytest.raises(HarnessError) as caught:
        finder.one(form)
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("form", ["fox", "./fox", "fox/", "../{parent}/fox", "{absolute}/fox"])
def test_a_folder_is_found_however_it_is_written(tmp_path: Path, form: str) -> None:
    folder = bot_folder(tmp_path, "fox")
    bot = BotFinder(tmp_path).one(form.format(parent=tmp_path.name, absolute=tmp_path))

    assert (bot.name, bot.version, bot.team, bot.origin) == ("fox", "1.0", "fox", Origin.FOLDER)
    assert (bot.folder, bot.sha256) == (folder, tree_sha256(folder))


def test_a_link_to_a_folder_is_that_folder(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "fox")
    (tmp_path / "newest").symlink_to("fox")

    assert BotFinder(tmp_path).one("newest").folder == folder


def test_sample_bots_are_found_beside_the_package(tmp_path: Path) -> None:
    bot = BotFinder(tmp_path).one("sample:random")

    assert (bot.name, bot.team, bot.origin) == ("random", "random", Origin.SAMPLE)
    assert bot.folder == entry.sample_bots() / "random"


def test_a_pattern_means_every_bot_folder_that_fits_by_path(tmp_path: Path) -> None:
    for name in ("t02-owl", "t01-fox", "t03-elk"):
        bot_folder(tmp_path / "inbox", name)
    (tmp_path / "inbox" / "t04-none").mkdir()
    (tmp_path / "inbox" / "t05-readme").touch()
    finder = BotFinder(tmp_path)

    assert [bot.name for bot in finder.all("inbox/*")] == ["t01-fox", "t02-owl", "t03-elk"]
    assert [bot.name for bot in finder.all("**/t0[12]*")] == ["t01-fox", "t02-owl"]
    assert [bot.name for bot in finder.all(f"{tmp_path}/inbox/t03-*")] == ["t03-elk"]


def test_a_folder_whose_name_looks_like_a_pattern_is_itself(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path / "inbox", "fox")
    folder.rename(tmp_path / "inbox" / "fox[1]")
    finder = BotFinder(tmp_path)

    assert finder.one("./inbox/fox[1]").name == "fox"
    assert [bot.name for bot in finder.all("inbox/fox[[]1]")] == ["fox"]
    assert "no folder with a bot.toml fits" in complaint_of(finder, "inbox/owl[1]")


def test_a_pattern_that_means_several_is_not_one_bot(tmp_path: Path) -> None:
    bot_folder(tmp_path, "fox")
    bot_folder(tmp_path, "owl")

    assert "*: names 2 bots where one is due" in complaint_of(BotFinder(tmp_path), "*")


@pytest.mark.parametrize(
    ("form", "complaint"),
    [
        ("elk", "elk: neither a folder with a bot.toml nor a submitted bot"),
        ("random", "did you mean sample:random?"),
        ("sample:randm", "sample:randm: no such sample bot; did you mean sample:random?"),
        ("sample:../../etc", "no such sample bot; there are"),
        ("sample:", "no such sample bot"),
        ("./elk", "./elk: no such folder (from "),
        ("./elk.rar", "./elk.rar: a file, and no folder of a bot; archives are .zip or .tar.gz"),
        ("empty", "empty: not a bot, for there is no bot.toml in that folder"),
        ("./empty", "./empty: not a bot, for there is no bot.toml in it"),
        ("nothing/*", "nothing/*: no folder with a bot.toml fits"),
        ("wait:fox", "wait:fox: a bot that is waited for plays practice matches only; name its folder"),
        ("fox.zip", "fox.zip: no such archive"),
        ("fox@1.0", "fox@1.0: neither a folder"),
        ("", "an empty text names no bot"),
        ("a\x1b]0;", "a\\x1b]0;: neither a folder"),
        ("a\x1b[31m", "a\\x1b[31m: no folder with a bot.toml fits"),
        ("x" * 5_000, "cannot be looked up: File name too long"),
        ("./" + "x" * 5_000, "cannot be looked up: File name too long"),
    ],
)
def test_what_is_not_found_is_said_in_one_line(tmp_path: Path, form: str, complaint: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "elk.rar").touch()

    assert complaint in complaint_of(BotFinder(tmp_path), form)


def test_a_broken_manifest_is_named_with_its_path(tmp_path: Path) -> None:
    (bot_folder(tmp_path, "fox") / "bot.toml").write_text("[bot]\nname = 1\n")

    with pytest.raises(HarnessError, match=r"fox/bot\.toml: \[bot\] name: must be a text in quotes, not 1"):
        BotFinder(tmp_path).one("fox")


def test_a_submitted_bot_is_found_by_name_and_by_version(tmp_path: Path, finder: BotFinder) -> None:
    bot_folder(tmp_path, "fox")
    first = submit(finder, "fox")
    bot_folder(tmp_path, "fox", version="1.1")
    submit(finder, "fox", later_ns=1)
    shutil.rmtree(tmp_path / "fox")

    newest, older = finder.one("fox"), finder.one("fox@1.0")
    assert (newest.version, newest.team, newest.origin) == ("1.1", "T07", Origin.SUBMITTED)
    assert (older.version, older.sha256) == ("1.0", first.sha256)
    assert newest.manifest.bot.games == ("guillotine", "zhiletka")
    assert "fox@9: no such version of fox; there are 1.1, 1.0" in complaint_of(finder, "fox@9")
    assert "fix: neither a folder with a bot.toml nor a submitted bot; did you mean fox?" in complaint_of(finder, "fix")


def test_submitted_means_every_bot_that_is_not_retired(tmp_path: Path, finder: BotFinder) -> None:
    for name in ("owl", "fox", "elk"):
        bot_folder(tmp_path, name)
        submit(finder, name, team=name)
    assert finder.versions is not None
    finder.versions.retire("owl", at_unix_ns=NOW_NS)

    assert [bot.name for bot in finder.all("submitted")] == ["elk", "fox"]
    assert BotFinder(tmp_path).all("submitted") == ()


def test_a_folder_comes_before_a_submitted_bot_unless_a_cup_asks(tmp_path: Path, finder: BotFinder) -> None:
    folder = bot_folder(tmp_path, "fox")
    submit(finder, "fox")
    careful = BotFinder(tmp_path, finder.home, finder.versions, prefer_folder=False)
    same = careful.one("fox")
    (folder / "bot.py").write_text("changed")

    assert same.origin == Origin.SUBMITTED
    assert finder.one("fox").origin == Origin.FOLDER
    assert finder.one("fox@1.0").origin == Origin.SUBMITTED
    assert "both a folder here and a submitted bot with other contents; write ./fox or fox@1.0" in complaint_of(
        careful, "fox"
    )


def test_a_bot_plays_from_a_copy_that_later_changes_do_not_touch(tmp_path: Path, home: Home) -> None:
    folder = bot_folder(tmp_path, "fox")
    bot = BotFinder(tmp_path).one("fox")
    copy = stage(bot, home)
    (folder / "bot.py").write_text("changed")

    assert copy == home.bots / "fox" / f"1.0-{bot.sha256[:12]}"
    assert tree_sha256(copy) == bot.sha256
    assert stage(bot, home) == copy
    assert sorted(path.name for path in copy.parent.iterdir()) == [copy.name]


def test_a_copy_that_was_changed_is_not_played(tmp_path: Path, home: Home) -> None:
    bot_folder(tmp_path, "fox")
    bot = BotFinder(tmp_path).one("fox")
    copy = stage(bot, home)
    (copy / "extra.py").touch()

    with pytest.raises(HarnessError, match="this copy of fox was changed; delete it and try again"):
        stage(bot, home)


def test_a_folder_that_changes_while_it_is_copied_leaves_nothing(tmp_path: Path, home: Home) -> None:
    folder = bot_folder(tmp_path, "fox")
    bot = BotFinder(tmp_path).one("fox")
    (folder / "bot.py").write_text("changed")

    with pytest.raises(HarnessError, match="changed while it was read; try again"):
        stage(bot, home)
    assert list((home.bots / "fox").iterdir()) == []


def test_two_that_stage_the_same_tree_at_once_share_one_copy(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot_folder(tmp_path, "fox")
    bot = BotFinder(tmp_path).one("fox")

    def overtaken(folder: Path, target: Path) -> str:
        monkeypatch.setattr(entry, "copy_tree", copy_tree)
        stage(bot, home)
        return copy_tree(folder, target)

    monkeypatch.setattr(entry, "copy_tree", overtaken)
    copy = stage(bot, home)

    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def test_a_home_that_cannot_be_written_is_one_line(tmp_path: Path, home: Home) -> None:
    bot_folder(tmp_path, "fox")
    shutil.rmtree(home.bots)
    home.bots.touch()

    with pytest.raises(HarnessError, match="cannot be made: Not a directory"):
        stage(BotFinder(tmp_path).one("fox"), home)


def test_the_same_tree_again_is_the_same_version(tmp_path: Path, finder: BotFinder, home: Home, ledger: Ledger) -> None:
    bot_folder(tmp_path, "fox")
    bot = finder.one("fox")
    pinned = store_bot(bot, home, ledger.versions, at_unix_ns=NOW_NS)
    again = store_bot(bot, home, ledger.versions, at_unix_ns=NOW_NS + 1, submitted_by="T07", verdict="passed")

    assert (pinned.submitted_unix_ns, pinned.team, pinned.tree) == (None, "fox", f"bots/fox/1.0-{bot.sha256[:12]}")
    assert (again.submitted_unix_ns, again.team, again.stored_unix_ns) == (NOW_NS + 1, "T07", NOW_NS)
    assert len(ledger.versions.of_name("fox")) == 1


def test_a_submitted_bot_whose_copy_is_gone_is_named(tmp_path: Path, finder: BotFinder, home: Home) -> None:
    bot_folder(tmp_path, "fox")
    submit(finder, "fox")
    shutil.rmtree(tmp_path / "fox")
    shutil.rmtree(home.bots / "fox")

    assert "fox@1.0: its copy " in complaint_of(finder, "fox")
    assert "is gone; submit the same folder again" in complaint_of(finder, "fox")


def test_a_name_that_belongs_to_another_team_is_refused(tmp_path: Path, finder: BotFinder) -> None:
    bot_folder(tmp_path, "fox")
    submit(finder, "fox", team="T07")
    bot_folder(tmp_path, "fox", version="2.0")

    with pytest.raises(HarnessError, match="fox belongs to T07"):
        submit(finder, "fox", team="T08")


def test_bots_entered_again_are_numbered() -> None:
    assert labels(["fox", "owl", "fox", "fox"]) == ("fox", "owl", "fox#2", "fox#3")
