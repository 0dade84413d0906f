"""What bots run on, on the site: the sheet of the newest round, where this home played it."""

from pathlib import Path

from harness.publish import publish
from harness.published import verify_site
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
