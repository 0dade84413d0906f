"""Rulings on the site: a page of their own, marks beside what is void, and a folder that still proves itself."""

from pathlib import Path

import pytest

from harness.intake import take_in
from harness.publish import publish
from harness.published import verify_site
from harness.rulings import voids, withdrawals
from harness.sources import sources_at
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from ladder.export import to_json
from tests.in_process import Bots
from tests.played_cups import Skilled, play, played_cup

pytestmark = pytest.mark.slow
FIELD = ("ant", "bee", "cat", "dog")
NOW_NS = 1_777_000_000_000_000_000
WHY = "<b>lights</b> & so on"


def test_void_matches_are_marked_and_kept_and_the_folder_proves_itself(tmp_path: Path) -> None:
    ledger, cup = played_cup(tmp_path, FIELD)
    plain = publish(ledger, tmp_path / "plain", [cup])
    with ledger:
        ledger.rulings.add(voids(ledger, ["test/1/000002", "test/1/000004"], WHY, at_unix_ns=NOW_NS))
        play(cup, ledger, Bots(*FIELD), Skilled())
        ledger.rulings.undo(2, at_unix_ns=NOW_NS + 1)
        ledger.rulings.add(withdrawals(ledger, cup, "dog", WHY, at_unix_ns=NOW_NS))
        publish(ledger, tmp_path / "site", [cup])
        ladder = to_json(cup_standings(ledger, cup))
        rulings = ledger.rulings.all()

    site = tmp_path / "site"
    assert plain
    assert not (tmp_path / "plain" / "rulings.html").exists()
    page = (site / "rulings.html").read_text()
    assert page.count('<tr role="row" id=') == 3
    assert "&lt;b&gt;lights&lt;/b&gt; &amp; so on" in page
    assert "<b>lights" not in page
    assert "undone 2026-04-24T03:06:40Z" in page
    assert '<a href="rulings.html">Rulings</a>' in (site / "index.html").read_text()
    assert "by ruling 1: &lt;b&gt;lights" in (site / "matches" / "1-2.html").read_text()
    assert "by ruling" not in (site / "matches" / "1-4.html").read_text()
    assert (site / "matches.html").read_text().count("<em>void</em>") == 3
    assert (site / "ladder.json").read_text() == ladder
    (checked,) = verify_site(site)
    assert (checked.match_count, checked.remarks) == (18, ())
    with Ledger(tmp_path / "copy.db", create=True) as copy:
        take_in(copy, list(sources_at(site)))
        assert copy.rulings.all() == rulings
        assert to_json(cup_standings(copy, cup)) == ladder
