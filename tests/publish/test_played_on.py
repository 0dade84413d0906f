"""What bots run on, on the site: the sheet of the newest round, where this home played it or imported it."""

import json
from pathlib import Path

import pytest

from harness.intake import take_in, take_sheets
from harness.publish import publish
from harness.published import verify_site
from harness.sources import SiteSource
from harness.store.ledger import Ledger
from harness.store.sheets import KeptRuntime, KeptSheet, Sheets
from tests.publish.conftest import Played

SHEET = KeptSheet((("machine", "Linux, <b>2</b> cores"),), (KeptRuntime("python", "3.12.1", ("numpy 2.0.1",)),))


def test_the_sheet_of_the_newest_round_is_a_page_and_the_folder_proves_itself(
    guillotine: Played, tmp_path: Path
) -> None:
    ledger, cup = guillotine
    (row,) = ledger.rounds(cup.name)
    sheets = Sheets(tmp_path / "sheets")
    sheets.keep(row, SHEET)
    publish(ledger, tmp_path / "site", [cup], sheets)

    page = (tmp_path / "site" / "sheet.html").read_text()
    assert "Linux, &lt;b&gt;2&lt;/b&gt; cores" in page
    assert "<li>numpy 2.0.1" in page
    (checked,) = verify_site(tmp_path / "site")
    assert checked.match_count == 20


def test_a_round_that_was_played_elsewhere_has_no_page_and_takes_the_old_one_away(
    guillotine: Played, tmp_path: Path
) -> None:
    ledger, cup = guillotine
    (row,) = ledger.rounds(cup.name)
    sheets = Sheets(tmp_path / "sheets")
    sheets.keep(row, SHEET)
    publish(ledger, tmp_path / "site", [cup], sheets)
    publish(ledger, tmp_path / "site", [cup], Sheets(tmp_path / "another home"))

    assert not (tmp_path / "site" / "sheet.html").exists()
    assert "sheet.html" not in (tmp_path / "site" / "how.html").read_text()


def test_who_imports_a_site_publishes_the_same_site(guillotine: Played, tmp_path: Path) -> None:
    ledger, cup = guillotine
    (row,) = ledger.rounds(cup.name)
    sheets, others = Sheets(tmp_path / "sheets"), Sheets(tmp_path / "other")
    sheets.keep(row, SHEET)
    publish(ledger, tmp_path / "site", [cup], sheets)
    source = SiteSource(tmp_path / "site" / "rounds.json")

    with Ledger(tmp_path / "arena.db", create=True) as other:
        take_in(other, [source])
        take_sheets(other, others, [source])
        assert others.read(row) == SHEET
        publish(other, tmp_path / "again", [cup], others)
    assert (tmp_path / "again" / "sheet.html").read_bytes() == (tmp_path / "site" / "sheet.html").read_bytes()
    assert (tmp_path / "again" / "sheet.json").read_bytes() == (tmp_path / "site" / "sheet.json").read_bytes()


def test_what_is_known_here_stays(guillotine: Played, tmp_path: Path) -> None:
    ledger, cup = guillotine
    (row,) = ledger.rounds(cup.name)
    sheets, others = Sheets(tmp_path / "sheets"), Sheets(tmp_path / "other")
    sheets.keep(row, SHEET)
    publish(ledger, tmp_path / "site", [cup], sheets)
    others.keep(row, SHEET._replace(facts=(("machine", "ours"),)))

    take_sheets(ledger, others, [SiteSource(tmp_path / "site" / "rounds.json")])

    kept = others.read(row)
    assert kept is not None
    assert kept.facts == (("machine", "ours"),)


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"commitment": "00"},
        {"facts": [["machine"]]},
        {"facts": [["machine", 7]]},
        {"facts": None},
        {"facts": [["machine", "\ud800"]]},
        {"runtimes": [{"name": "python", "version": "3", "packages": 4}]},
        {"runtimes": [{"name": "python"}]},
    ],
)
def test_a_sheet_that_is_none_is_not_taken(guillotine: Played, tmp_path: Path, change: dict[str, object]) -> None:
    ledger, cup = guillotine
    (row,) = ledger.rounds(cup.name)
    sheets, others = Sheets(tmp_path / "sheets"), Sheets(tmp_path / "other")
    sheets.keep(row, SHEET)
    publish(ledger, tmp_path / "site", [cup], sheets)
    feed = tmp_path / "site" / "sheet.json"
    feed.write_text(json.dumps(json.loads(feed.read_text()) | change))

    take_sheets(ledger, others, [SiteSource(tmp_path / "site" / "rounds.json")])

    assert others.read(row) is None
