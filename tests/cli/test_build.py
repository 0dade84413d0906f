"""Bots with `[build]` in the commands that play them."""

from pathlib import Path

import pytest

from tests.cli.command import Cardarena, write_cup
from tests.workshop.folders import bot_folder

BOT = "#!/usr/bin/env python3\nimport json, sys\nfor line in sys.stdin:\n    told = json.loads(line)\n"
LINES = '    if told["type"] == "ask": print(told["legal"][0])\n'


def made_bot(parent: Path, name: str, makefile: str) -> None:
    folder = bot_folder(parent, name, games='["zhiletka"]')
    (folder / "bot.py").rename(folder / "bot.in")
    (folder / "bot.in").write_text(BOT + LINES)
    (folder / "Makefile").write_text(makefile)
    manifest = (folder / "bot.toml").read_text()
    build = '"bot.py"]\nprotocol = "lines"\n[build]\nargv = [["make"]]'
    (folder / "bot.toml").write_text(manifest.replace('"bot.py"]', build))


@pytest.mark.slow
def test_a_cup_builds_its_bots_and_withdraws_those_that_cannot_be(cardarena: Cardarena, tmp_path: Path) -> None:
    made_bot(tmp_path, "fox", "bot.py: bot.in\n\tcp bot.in bot.py\n")
    made_bot(tmp_path, "owl", "bot.py:\n\t@echo no such rule; exit 3\n")
    cup = write_cup(tmp_path, bots='["./fox", "./owl", "sample:random"]', seats="2", matches="6", duplicate="false")

    told = cardarena("run", cup)

    assert told.code == 4, told.err
    assert "owl" in told.err
    assert "could not be built: make exited with code 2" in told.out + told.err
    results = cardarena("replay", "--all", "--jsonl").out.splitlines()
    assert sum('"bot": "fox"' in line and '"faults": []' in line for line in results) == 2
    assert len(list((tmp_path / ".cardarena" / "builds").glob("fox-1.0-*.sha256"))) == 1


@pytest.mark.slow
def test_check_tells_a_build_that_fails(cardarena: Cardarena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made_bot(tmp_path, "owl", "bot.py:\n\t@echo no such rule; exit 3\n")

    told = cardarena("check", "./owl")

    assert told.code == 3
    assert "FAILED  build" in told.out
    assert "could not be built: make exited with code 2" in told.out
    assert "| no such rule" in told.out
    assert "argv         make" in told.out


@pytest.mark.slow
def test_match_tells_the_last_lines_of_a_build_that_fails(
    cardarena: Cardarena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made_bot(tmp_path, "owl", "bot.py:\n\t@echo no such rule; exit 3\n")

    told = cardarena("match", "zhiletka", "./owl")

    assert told.code == 4
    assert "owl: start: could not be built: make exited with code 2" in told.out
    assert "  owl: no such rule" in told.out
    assert "owl is built first: make" in told.err
