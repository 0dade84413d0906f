"""The site of a ladder that has lived reads right: late entries, a new version and a retirement, on every page."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from harness.publish import publish
from harness.published import verify_site
from harness.standing import cup_standings, history
from ladder.export import elo_text
from tests.living_ladder import FIRST, LATE, LivingLadder, whole_season

pytestmark = pytest.mark.slow
PLAYING = {*FIRST, *LATE} - {"cat"}


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingLadder]:
    """Twelve bots, five rounds."""
    ladder = whole_season(tmp_path_factory.mktemp("season"))
    publish(ladder.ledger, ladder.folder / "site", [ladder.cup])
    yield ladder
    ladder.close()


@pytest.fixture(scope="module")
def site(season: LivingLadder) -> Path:
    return season.folder / "site"


def words(page: Path) -> str:
    """What a reader reads."""
    text = re.sub(r"<(style|script|svg)[\s>].*?</\1>", " ", page.read_text(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)))


def test_the_ladder_has_a_row_for_whoever_plays_with_the_newest_version(season: LivingLadder, site: Path) -> None:
    table = words(site / "index.html").partition("Better than next")[2].partition("Elo with 95 %")[0]
    rows = cup_standings(season.ledger, season.cup).rows

    assert {row.bot for row in rows} == PLAYING | {"stateless"}
    for row in rows:
        elo = elo_text(row).replace("-", "−")
        assert re.search(rf"{row.bot} {row.version} .*?{re.escape(elo)}", table), row
    assert "bee 2.0" in table
    assert "cat" not in table
    assert "house bot: rated, not ranked" in table


def test_a_late_entry_has_a_history_from_its_first_round(site: Path) -> None:
    assert "Elo after rounds 1 to 5" in words(site / "bots/ant.html")
    assert "Elo after rounds 2 to 5" in words(site / "bots/kea.html")
    assert "Elo after rounds 3 to 5" in words(site / "bots/lynx.html")


def test_a_new_version_has_its_own_numbers_and_the_old_one_beside_it(season: LivingLadder, site: Path) -> None:
    page = words(site / "bots/bee.html")
    every = {(row.bot, row.version): row for row in cup_standings(season.ledger, season.cup, all_versions=True).rows}
    new, old = every["bee", "2.0"], every["bee", "1.0"]

    assert "Elo after rounds 1 to 5, with 95 % intervals; version 2.0 from round 4." in page
    assert f"Elo {elo_text(new)} " in page
    assert f"Matches {new.matches} " in page
    assert f"Other versions Version Elo Matches 1.0 {elo_text(old)} {old.matches} " in page


def test_a_retired_bot_says_so_and_has_no_rank(site: Path) -> None:
    page = words(site / "bots/cat.html")

    assert "Retired: it plays in no round to come, and its matches stay in the ratings." in page
    assert "Rank – " in page
    assert "Elo after rounds 1 to 5" in page


def test_when_a_new_version_is_retired_the_page_is_that_of_the_one_before(season: LivingLadder, tmp_path: Path) -> None:
    versions = season.ledger.versions
    (before,) = versions.retire("bee", "2.0", at_unix_ns=1)
    try:
        publish(season.ledger, tmp_path / "site", [season.cup])
    finally:
        versions.retire("bee", "2.0", at_unix_ns=None)

    page = words(tmp_path / "site/bots/bee.html")
    assert before.version == "2.0"
    assert "bee 1.0 team team-bee" in page
    assert "Retired" not in page
    assert re.search(r"Rank \d+", page)


def test_the_history_on_the_pages_is_that_of_the_command(season: LivingLadder, site: Path) -> None:
    for moment in history(season.ledger, season.cup):
        for row in moment.standings.rows:
            if row.elo is not None:
                told = f"<title>Round {moment.round}, version {row.version}: {row.elo:.0f}"
                assert told in (site / f"bots/{row.bot}.html").read_text()


def test_how_it_was_made_tells_every_round_with_its_bots(season: LivingLadder, site: Path) -> None:
    page = words(site / "how.html")

    assert "Every version of a bot plays 30 matches in a season." in page
    for row in season.ledger.rounds("ladder"):
        count = season.ledger.match_count("ladder", row.round)
        assert f"Round {row.round} ended, {count} matches" in page
        assert row.commitment in page
        assert row.schedule_sha256 in page
    assert page.count(" kea 1.0 ") == 4
    assert page.count(" lynx 1.0 ") == 3
    assert page.count(" cat 1.0 ") == 4
    assert (page.count(" bee 1.0 "), page.count(" bee 2.0 ")) == (3, 2)


def test_every_match_has_its_page_and_names_the_versions_that_played(season: LivingLadder, site: Path) -> None:
    for record in season.ledger.records("ladder"):
        number = int(record.match.rpartition("/")[2])
        page = words(site / f"matches/{record.round}-{number}.html")
        assert all(f"{seat.bot} {seat.version}" in page for seat in record.seats), record.match


def test_every_link_leads_somewhere(site: Path) -> None:
    broken = [
        (page.name, target)
        for page in site.rglob("*.html")
        for target in set(re.findall(r'(?:href|src)="([^"#]+)', page.read_text()))
        if not (page.parent / unescape(target)).exists()
    ]

    assert broken == []


def test_feeds_have_all_of_it_and_the_folder_proves_itself(season: LivingLadder, site: Path) -> None:
    rounds = json.loads((site / "rounds.json").read_text())
    retired = [version["name"] for version in rounds["versions"] if version["retired_unix_ns"] is not None]

    assert [row["round"] for row in rounds["rounds"]] == [1, 2, 3, 4, 5]
    assert retired == ["cat"]
    assert {path.stem for path in (site / "badges").iterdir()} == {*FIRST, *LATE, "stateless"}
    (checked,) = verify_site(site)
    assert (checked.match_count, checked.remarks) == (season.ledger.match_count("ladder"), ())
