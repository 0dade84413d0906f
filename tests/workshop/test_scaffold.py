"""`new` makes a folder that passes its check as it stands, is short, and plays better than chance."""

import errno
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import local
from harness.bot import Bot
from harness.errors import HarnessError
from harness.workshop.check import check_bot
from harness.workshop.entry import BotFinder
from harness.workshop.ladder_template import ladder_template
from harness.workshop.manifest import read_manifest
from harness.workshop.scaffold import install_packages, kind, languages, scaffold
from tests.sample_bots.programs import bot_class


def made_bot(folder: Path) -> type[Bot]:
    spec = importlib.util.spec_from_file_location("made_bot", folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: type[Bot] = module.MyBot
    return made


def test_a_bot_is_called_as_its_folder(tmp_path: Path) -> None:
    files = scaffold(tmp_path / "bots" / "fox", games=("zhiletka",))
    manifest = read_manifest(tmp_path / "bots" / "fox")
    readme = (tmp_path / "bots" / "fox" / "README.md").read_text()

    assert [path.name for path in files] == ["README.md", "bot.py", "bot.toml"]
    assert (manifest.name, manifest.version, manifest.bot.games) == ("fox", "0.1.0", ("zhiletka",))
    assert "$ cardarena match zhiletka ./fox --fill sample:random\n" in readme
    assert readme.count("\n$ ") == 3


@pytest.mark.parametrize(
    ("name", "language", "games", "complaint"),
    [
        ("Fox", "python", ("zhiletka",), "the name of a bot must be 1 to 40 of a-z"),
        ("submitted", "python", ("zhiletka",), "is a word of cup.toml"),
        ("fox", "pyton", ("zhiletka",), "there is no scaffold for pyton; did you mean python?"),
        ("fox", "python", ("zhiletkа",), "no game is called zhiletkа; did you mean zhiletka?"),
        ("there", "python", ("zhiletka",), "there: is there already; take another name"),
        ("dangling", "python", ("zhiletka",), "dangling: is there already"),
        ("file/fox", "python", ("zhiletka",), "cannot be made: "),
    ],
)
def test_what_cannot_be_made_leaves_nothing(
    tmp_path: Path, name: str, language: str, games: tuple[str, ...], complaint: str
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("nowhere")

    with pytest.raises(HarnessError) as caught:
        scaffold(tmp_path / name, language=language, games=games)
    assert complaint in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "file", "there"]


@pytest.mark.parametrize("make", [scaffold, ladder_template])
def test_on_a_full_disk_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object]
) -> None:
    def full(path: Path, _text: str) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)

    with pytest.raises(HarnessError, match="fox: cannot be made: No space left on device"):
        make(tmp_path / "fox")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("language", languages())
def test_a_folder_has_a_short_program_a_manifest_and_three_commands(
    tmp_path: Path, language: str, *, lines: bool
) -> None:
    files = scaffold(tmp_path / "fox", language=language, lines=lines)
    program = (tmp_path / "fox" / kind(language, lines=lines).program).read_text()

    assert program.count("\n") < 120
    assert sum(path.stem == "bot" and path.suffix != ".toml" for path in files) == 1
    assert (tmp_path / "fox" / "README.md").read_text().count("\n$ ") == 3
    assert read_manifest(tmp_path / "fox").run.protocol == ("lines" if lines else "grpc")
    assert all("$name" not in path.read_text() for path in files)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [False, True])
def test_it_passes_its_check_as_it_stands(tmp_path: Path, *, lines: bool) -> None:
    scaffold(tmp_path / "fox", lines=lines)

    assert check_bot("fox", BotFinder(tmp_path)).summary == "passed"


def test_packages_that_cannot_be_brought_are_told_and_the_folder_stays(tmp_path: Path) -> None:
    for command, why in (
        (("no-such-npm", "install"), "no-such-npm is not installed here"),
        ((sys.executable, "-c", "print('no network'); raise SystemExit(1)"), "it said:\nno network"),
    ):
        with pytest.raises(HarnessError) as caught:
            install_packages(tmp_path, command)
        assert str(caught.value).startswith(f"{tmp_path} is made, but not its packages; when that is mended: cd ")
        assert str(caught.value).endswith(why)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seat_count"), [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 4)])
def test_it_beats_chance_in_both_games(tmp_path: Path, game: str, seat_count: int) -> None:
    scaffold(tmp_path / "fox")
    fox, chance = made_bot(tmp_path / "fox"), bot_class("random")
    places = []
    for seed in range(16):
        seats = [chance] * seat_count
        seats[seed % seat_count] = fox
        places.append(local.play(game, seats, seed=seed).places[seed % seat_count])

    assert sum(places) / len(places) < 1.5
