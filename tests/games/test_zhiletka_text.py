"""docs/rules/zhiletka.md, the code and the tests speak of the same clauses, and its example runs."""

import doctest
import re
from pathlib import Path

from harness.games import zhiletka

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/rules/zhiletka.md").read_text()
CODE = [ROOT / "harness/games" / name for name in ("zhiletka.py", "bouts.py", "sets.py")]
TESTS = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]

CLAUSES = set(re.findall(r"^\* \*\*(Z\d+\.\d+)\*\*", TEXT, re.MULTILINE)) | {"Z7", "Z9", "Z10", "Z12"}
DECISIONS = set(re.findall(r"^\| (Z-A\d+) ", TEXT, re.MULTILINE))


def cited(paths: list[Path]) -> set[str]:
    """Clauses and decisions that `paths` name, as `Z4.3` and `Z-A11` or in a test's name as `z4_3` and `za11`."""
    text = "\n".join(path.read_text() for path in paths)
    names = re.findall(r"(?<=_)z(\d+)(?:_(\d+))?_|(?<=_)za(\d+)_", text)
    in_names = {f"Z-A{decision}" if decision else "Z" + ".".join(filter(None, clause)) for *clause, decision in names}
    return set(re.findall(r"\bZ(?:\d+(?:\.\d+)?|-A\d+)", text)) | in_names


def test_the_decision_points_are_numbered_without_a_gap() -> None:
    assert {f"Z-A{number}" for number in range(1, 28)} == DECISIONS


def test_code_and_tests_cite_only_clauses_that_there_are() -> None:
    sections = {clause.partition(".")[0] for clause in CLAUSES}

    assert cited(CODE) | cited(TESTS) <= CLAUSES | DECISIONS | sections


def test_every_clause_is_proved_by_a_test() -> None:
    assert CLAUSES - cited(TESTS) == set()


def test_every_clause_is_cited_where_it_is_implemented() -> None:
    # These follow from the others; what is hidden is told by `harness.games.view`.
    not_code = {"Z3.5", "Z10", "Z12"}

    assert CLAUSES - cited(CODE) == not_code


def test_the_table_of_options_is_complete_and_right_about_the_defaults() -> None:
    options = dict(re.findall(r"^\| `(\w+)` \| `?(\w+)`?, ", TEXT, re.MULTILINE))

    assert set(options) == set(zhiletka.Rules._fields)
    assert zhiletka.game(options).options == ()


def test_the_example_runs() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", TEXT, re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "zhiletka.md", None, 0)
    result = doctest.DocTestRunner().run(example)

    assert len(blocks) == 1
    assert (result.failed, result.attempted > 8) == (0, True)
