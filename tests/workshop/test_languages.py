"""Bots of `new` in every language: as they stand they pass their checks, meet in a cup, and play alike."""

import json
import shutil
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.home import Home
from harness.workshop.check import check_bot
from harness.workshop.entry import BotFinder
from harness.workshop.scaffold import install_packages, kind, scaffold
from tests.cli.command import Outcome, run_apart, write_cup

TOOLS = {
    "python": (),
    "node": ("node",),
    "node-grpc": ("node", "npm"),
    "cpp": ("make", "g++"),
    "cpp-grpc": ("make", "g++", "protoc", "grpc_cpp_plugin", "pkg-config"),
}
KINDS = [(language, lines) for language in ("python", "node", "cpp") for lines in (False, True)]
NAMES = [f"{language}-lines" if lines else language for language, lines in KINDS]

pytestmark = [pytest.mark.wide, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot of each kind, called as its kind, and a home, where they are built."""
    folder = tmp_path_factory.mktemp("languages")
    (folder / ".cardarena").mkdir()
    for (language, lines), name in zip(KINDS, NAMES, strict=True):
        tools = TOOLS.get(language if lines else f"{language}-grpc", ())
        if missing := [tool for tool in tools if shutil.which(tool) is None]:
            pytest.skip(f"{', '.join(missing)} missing")
        scaffold(folder / name, language=language, lines=lines)
        if packages := kind(language, lines=lines).install:
            try:
                install_packages(folder / name, packages)
            except HarnessError as error:
                pytest.skip(str(error))
    return folder


def cardarena(folder: Path, *words: str) -> Outcome:
    return run_apart(*words, folder=folder)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("python")])  # they have a quicker test
def test_it_passes_its_check_as_it_stands(workshop: Path, name: str) -> None:
    report = check_bot(name, BotFinder(workshop, Home(workshop / ".cardarena", "a test's own")))

    assert report.summary == "passed", report.findings


@pytest.mark.parametrize("game", ["guillotine", "zhiletka"])
def test_all_kinds_play_the_same_matches(workshop: Path, game: str) -> None:
    played = {}
    for name in NAMES:
        told = cardarena(workshop, "match", game, name, *["sample:random"] * 3, "--seed", "7", "--json", "--quiet")
        record = json.loads(told.out)
        played[name] = (record["deals"], record["points"], record["faults"])

    assert played == dict.fromkeys(NAMES, played["python"])
    assert played["python"][2] == []


def test_all_kinds_meet_in_a_cup(workshop: Path) -> None:
    cup = write_cup(
        workshop,
        game='"guillotine"',
        seats="4",
        matches="24",
        duplicate="false",
        bots=json.dumps([f"./{name}" for name in NAMES]),
    )
    told = cardarena(workshop, "run", str(cup))

    assert told.code == 0, told.err
    records = [json.loads(line) for line in cardarena(workshop, "replay", "--all", "--jsonl").out.splitlines()]
    assert len(records) == 24
    assert {seat["bot"] for record in records for seat in record["seats"]} == set(NAMES)
    assert [record["faults"] for record in records] == [[]] * 24
    assert cardarena(workshop, "verify").code == 0
