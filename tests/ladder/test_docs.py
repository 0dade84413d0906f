"""The page for readers tells the truth."""

import doctest
from pathlib import Path


def test_the_example_of_the_page_runs() -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "ratings.md"

    outcome = doctest.testfile(str(page), module_relative=False)

    assert outcome.attempted > 5
    assert outcome.failed == 0
