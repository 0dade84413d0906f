"""Writes what docs/architecture.md shows of the code: the import table, and the first line of every file.

`make docs` runs it. Between `<!-- generated: NAME -->` and `<!-- end of NAME -->` nothing is written by hand.
"""

import ast
from itertools import groupby

from tests.import_table import TABLE, Rule, is_pure
from tests.sources import ROOT, Source, sources

PAGE = ROOT / "docs" / "architecture.md"


def page(text: str) -> str:
    """`text` with its generated parts as they should be now."""
    for name, lines in (("imports", _import_lines()), ("files", _file_lines())):
        begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = text.partition(begin)
        text = before + "\n".join([begin, *lines, "", end]) + rest.partition(end)[2]
    return text


def _import_lines() -> list[str]:
    lines = ["| place | imports from the project | other packages | pure |", "|---|---|---|---|"]
    for place, rule in TABLE.items():
        if place not in ("harness", "tests", "protos"):
            cells = (_code(place), _project(rule), _code(rule.packages), "yes" if is_pure(place) else "")
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def _project(rule: Rule) -> str:
    return "everything" if rule.project == "*" else _code(rule.project)


def _code(names: str) -> str:
    return " ".join(f"`{name}`" for name in names.split())


def _file_lines() -> list[str]:
    lines: list[str] = []
    documented = [source for source in sources("harness", "ladder", "sample_bots") if ast.get_docstring(source.tree)]
    for folder, members in groupby(documented, key=lambda source: source.path.parent):
        lines += ["", f"### `{folder}/`", "", "| file | holds |", "|---|---|"]
        lines += [f"| `{member.path.name}` | {_first_line(member)} |" for member in members]
    return lines[1:]


def _first_line(source: Source) -> str:
    return (ast.get_docstring(source.tree) or "").splitlines()[0].replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
