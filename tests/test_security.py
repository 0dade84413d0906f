"""Every test that docs/security.md names is there."""

import re

from tests.sources import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", PAGE)))


def test_each_promise_names_tests_that_exist() -> None:
    missing = []
    for path, name in NAMED:
        file = ROOT / path
        if not file.exists() or (name and f"def {name}(" not in file.read_text()):
            missing.append(f"{path}::{name}")

    assert missing == []
    assert len(NAMED) > 25


def test_each_row_of_what_is_promised_names_a_test() -> None:
    section = PAGE.partition("## Promised at every level of the sandbox")[2].partition("## Promised by the levels")[0]
    events = PAGE.partition("## What happens from outside")[2].partition("\n## ")[0]
    rows = [line for line in (section + events).splitlines() if line.startswith("| ") and not line.startswith("|---")]

    assert len(rows) > 20
    assert [row for row in rows if "tests/" not in row and "held by" not in row] == []
