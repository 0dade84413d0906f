"""docs/rules/guillotine.md, the code and the tests speak of the same clauses, and its examples are right."""

import doctest
import re
from pathlib import Path

import pytest

from harness.cards import parse_cards, set_of
from harness.games import guillotine
from harness.games.contracts import trick_points
from harness.games.game import CONTRACT_NAMES, CONTRACTS, Taken

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/rules/guillotine.md").read_text()
CODE = [ROOT / "harness/games" / name for name in ("guillotine.py", "contracts.py", "orders.py")]
TESTS = sorted(Path(__file__).parent.glob("test_guillotine*.py"))

CLAUSES = set(re.findall(r"^(?:\*|\|) \*\*(G\d+\.\d+)\*\*", TEXT, re.MULTILINE)) | {"G8"}
DECISIONS = set(re.findall(r"^\| (G-A\d+) ", TEXT, re.MULTILINE))


def cited(paths: list[Path]) -> set[str]:
    """Clauses and decisions that `paths` name, as `G4.3` and `G-A11` or in the name of a test as `g4_3`."""
    text = "\n".join(path.read_text() for path in paths if path != Path(__file__))
    in_names = {
        "G" + ".".join(filter(None, clause)) for clause in re.findall(r"(?<=[_\"])g(\d+)(?:_(\d+))?[_\"]", text)
    }
    return set(re.findall(r"\bG(?:\d+(?:\.\d+)?|-A\d+)", text)) | in_names


def test_clauses_and_decision_points_are_numbered_without_a_gap() -> None:
    sizes = {1: 3, 2: 3, 3: 2, 4: 6, 5: 6, 6: 12, 7: 3}

    assert {f"G{section}.{number}" for section, size in sizes.items() for number in range(1, size + 1)} | {
        "G8"
    } == CLAUSES
    assert {f"G-A{number}" for number in range(1, 23)} == DECISIONS


def test_code_and_tests_cite_only_clauses_that_there_are() -> None:
    sections = {clause.partition(".")[0] for clause in CLAUSES}

    assert cited(CODE) | cited(TESTS) <= CLAUSES | DECISIONS | sections


def test_every_clause_is_proved_by_a_test() -> None:
    assert CLAUSES - cited(TESTS) == set()


def test_every_clause_is_cited_where_it_is_implemented() -> None:
    # G6.12 follows from the others; what is hidden is told by `harness.games.view`.
    assert CLAUSES - cited(CODE) == {"G6.12", "G8"}


def test_the_table_of_options_has_every_value_the_default_first() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`.*?`) \|", TEXT, re.MULTILINE)
    options = {name: re.findall(r"`(\w+)`", values) for name, values in rows}

    assert set(options) == set(guillotine.Rules._fields)
    assert guillotine.game({name: values[0] for name, values in options.items()}).options == ()
    for name, values in options.items():
        for value in values[1:]:
            assert guillotine.game({name: value}).options == ((name, value),)


def _cells(row: str) -> list[str]:
    (line,) = re.findall(rf"^\| {row} \| (.*) \|$", TEXT, re.MULTILINE)
    return [cell.strip() for cell in str(line).split("|")]


@pytest.mark.parametrize("contract", CONTRACTS[:-1], ids=CONTRACT_NAMES[:-1])
def test_the_table_of_points_is_what_the_code_counts(contract: int) -> None:
    winners, tricks = map(int, _cells("winner")), _cells("cards")
    taken = [Taken(seat, set_of(parse_cards(names))) for seat, names in zip(winners, tricks, strict=True)]
    # The last row of the contract: the first is that of its clause.
    *seats, total = re.findall(r"-?\d+(?= *\|)", _rows_of(contract)[-1])

    assert trick_points(contract, taken) == tuple(map(int, seats))
    assert sum(map(int, seats)) == int(total)
    assert re.findall(r"-?\d+", _rows_of(contract)[0].rpartition("| ")[2]) == [total]


def _rows_of(contract: int) -> list[str]:
    name = CONTRACT_NAMES[contract - CONTRACTS[0]].capitalize()
    return [line[1:] for line in TEXT.splitlines() if re.match(rf"\| (\*\*G5\.\d\*\* \| )?{name} \|", line)]


def test_the_example_runs() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", TEXT, re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "guillotine.md", None, 0)
    result = doctest.DocTestRunner().run(example)

    assert len(blocks) == 1
    assert (result.failed, result.attempted > 8) == (0, True)
