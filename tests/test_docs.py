"""The documents tell the truth: their examples run, their links lead somewhere, and so do docstrings' examples."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

from tests.documents import blocks, run_document
from tests.sources import ROOT, Source, sources

DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "docs/**/*.md", "protos/**/*.md", "sample_bots/**/*.md", "tests/**/*.md")
    for path in ROOT.glob(pattern)
)


def _problems(document: Path, folder: Path, *, wide: bool) -> list[str]:
    return run_document(blocks(str(document), (ROOT / document).read_text()), folder, wide=wide)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_example_of_a_document_runs(document: Path, tmp_path: Path) -> None:
    assert _problems(document, tmp_path, wide=False) == []


@pytest.mark.wide
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if "<!-- wide -->" in (ROOT / path).read_text()] or [None], ids=str
)
def test_every_long_example_of_a_document_runs(document: Path | None, tmp_path: Path) -> None:
    assert document is None or _problems(document, tmp_path, wide=True) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_inside_the_checkout_lead_somewhere(document: Path) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / document).read_text(), flags=re.DOTALL)
    targets = re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text)

    assert [target for target in targets if not _leads_somewhere(document, target)] == []


def _leads_somewhere(document: Path, target: str) -> bool:
    path, _, heading = target.partition("#")
    file = (ROOT / document.parent / path) if path else ROOT / document
    if not file.exists() or not heading:
        return file.exists()
    headings = re.findall(r"^#+ (.+)$", file.read_text(), flags=re.MULTILINE)
    return heading in (re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in headings)


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text()
    pages = {str(page.relative_to("docs")) for page in DOCUMENTS if page.is_relative_to("docs")} - {"README.md"}

    assert {page for page in pages if f"]({page})" not in index} == set()


@pytest.mark.parametrize(
    "source",
    [source for source in sources("harness", "ladder") if ">>> " in source.text],
    ids=lambda source: source.module,
)
def test_every_example_of_a_docstring_runs(source: Source) -> None:
    result = doctest.testmod(importlib.import_module(source.module), optionflags=doctest.ELLIPSIS)

    assert result.attempted > 0
    assert result.failed == 0
