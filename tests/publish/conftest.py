"""Cups that have been played, for everything that shows them."""

from collections.abc import Iterator

import pytest

from harness.cup import CupFile
from harness.store.ledger import Ledger
from tests.played_cups import Skilled, played_cup

Played = tuple[Ledger, CupFile]


@pytest.fixture(scope="session")
def guillotine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Twenty matches of Guillotine by five bots; every fifth match has a fault, and the bots write notes."""
    executor = Skilled(fault_every=5, notes=True)
    ledger, cup = played_cup(
        tmp_path_factory.mktemp("guillotine"),
        ("amber", "birch", "cedar", "dune", "elm"),
        executor,
        game="guillotine",
        seats=4,
        matches=20,
    )
    with ledger:
        yield ledger, cup


@pytest.fixture(scope="session")
def zhiletka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Matches of Zhiletka at tables of two, three and four."""
    executor = Skilled(fault_every=11)
    labels = ("amber", "birch", "cedar", "dune")
    ledger, cup = played_cup(
        tmp_path_factory.mktemp("zhiletka"), labels, executor, game="zhiletka", seats=[2, 3, 4], matches=36
    )
    with ledger:
        yield ledger, cup
