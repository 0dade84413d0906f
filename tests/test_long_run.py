"""The bench of a long cup reads what a ledger keeps."""

import asyncio
from pathlib import Path

from harness.store.ledger import Ledger
from harness.tournament import play_cup
from tests.bench.long_run import rates, times_s
from tests.in_process import InProcess, Notes, cup_file
from tests.test_verify import FIELD


def test_the_start_of_the_first_match_and_the_end_of_each_are_known(tmp_path: Path) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        asyncio.run(play_cup(cup_file(tmp_path, matches=12), ledger, FIELD, Notes(), InProcess().opener()))

    times = times_s(tmp_path / "arena.db")

    assert len(times) == 1 + 12
    assert times == sorted(times)


def test_a_tenth_is_as_quick_as_its_matches_came_one_after_another() -> None:
    slow, quick = [20 + 2 * match for match in range(11)], [40 + match for match in range(1, 91)]

    assert rates([*slow, *quick]) == [0.5, *[1.0] * 9]
