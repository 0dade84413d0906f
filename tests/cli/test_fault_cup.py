"""A cup with bots that crash, hang, cheat, flood and never say Hello: it ends, names them, and costs nobody else."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from harness.faults import FaultKind
from harness.record import replay
from harness.store.ledger import Ledger
from tests.cli.command import ROOT, Cardarena, write_cup

BAD = {
    "crash-in-move": FaultKind.CRASHED,
    "hang-in-move": FaultKind.TIMEOUT,
    "card-not-offered": FaultKind.ILLEGAL_ACTION,
    "flood-unasked": FaultKind.PROTOCOL,
    "never-says-hello": FaultKind.START,
}
"""Names of the bots, and the kind of fault that each is to end with."""
GOOD = ("random", "stateless")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A cup of the bad bots and two good ones, with little time for anybody."""
    for name, kind in BAD.items():
        folder = ROOT / "tests" / "fault_bots" / kind / name.replace("-", "_")
        shutil.copytree(folder, tmp_path / name)
    hello = tmp_path / "never-says-hello" / "bot.toml"
    hello.write_text(hello.read_text() + "[needs]\nstart_s = 1\n")
    bots = ", ".join([*(f'"./{name}"' for name in BAD), *(f'"sample:{name}"' for name in GOOD)])
    path = write_cup(tmp_path, bots=f"[{bots}]", matches="21")
    path.write_text(path.read_text() + "[time]\nbank_s = 2\nincrement_s = 0\ndecision_s = 1\n")
    return path


@pytest.mark.slow
def test_a_cup_with_every_kind_of_bad_bot_ends_and_names_them(cardarena: Cardarena, cup: Path) -> None:
    run = cardarena("run", cup)
    ladder = json.loads(cardarena("ladder", "--json").out)
    again = cardarena("run", cup)
    verified = cardarena("verify")
    with Ledger(cup.parent / ".cardarena" / "arena.db") as ledger:
        records = list(ledger.records("spring"))

    table = {line.split()[1]: line for line in run.out.splitlines() if " " in line[:3] or line[:1].isdecimal()}
    faults = Counter((record.seats[fault.seat].bot, fault.kind) for record in records for fault in record.faults)
    assert run.code == 4
    assert len(records) == 21
    assert again.code == 0
    assert verified.out == "spring: 21 matches as they must be\n"
    assert {bot for bot, _ in faults} == set(BAD)
    for name, kind in BAD.items():
        assert faults[name, kind] > 0
        assert f"{faults[name, kind]} {kind}" in table[name]
    assert {row["bot"] for row in ladder["bots"]} == {*BAD, *GOOD}
    for record in records:
        replay(record)
    for name in GOOD:
        assert ladder_row(ladder, name)["matches"] == 9
        assert ladder_row(ladder, name)["faults"] == 0
    assert "never-says-hello is withdrawn: start: " in run.err
    crashes = cardarena("report", "crash-in-move").out
    assert f"  {faults['crash-in-move', FaultKind.CRASHED]} x crashed: exited with code N\n" in crashes
    assert "      | Traceback (most recent call last):\n" in crashes
    assert "withdrawn in round 1 after 3 starts in a row" in str(ladder_row(ladder, "never-says-hello")["reason"])


def ladder_row(ladder: dict[str, list[dict[str, str | int]]], name: str) -> dict[str, str | int]:
    return next(row for row in ladder["bots"] if row["bot"] == name)
