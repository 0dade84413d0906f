"""Cups in a ledger as sites in a folder."""

import asyncio
import base64
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cup import CupFile
from harness.faults import Fault, FaultKind
from harness.publish import publish
from harness.record import MatchRecord
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.tournament import play_cup
from ladder.export import to_csv, to_json
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file
from tests.played_cups import Skilled, play, played_cup
from tests.publish.conftest import Played


@pytest.fixture(scope="module")
def site(guillotine: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published cup."""
    ledger, cup = guillotine
    folder = tmp_path_factory.mktemp("site")
    publish(ledger, folder, [cup])
    return folder


def _records(folder: Path) -> Iterator[MatchRecord]:
    for line in gzip.decompress((folder / "matches.jsonl.gz").read_bytes()).decode().splitlines():
        yield MatchRecord.from_json(line)


def test_feeds_are_what_the_command_ladder_prints(guillotine: Played, site: Path) -> None:
    ledger, cup = guillotine
    found = cup_standings(ledger, cup)

    assert (site / "ladder.json").read_text() == to_json(found)
    assert (site / "ladder.csv").read_text() == to_csv(found)
    assert (site / ".nojekyll").read_bytes() == b""


def test_the_records_are_all_there(guillotine: Played, site: Path) -> None:
    ledger, cup = guillotine

    assert list(_records(site)) == list(ledger.records(cup.name))


def test_every_round_tells_what_it_committed_to_and_revealed(guillotine: Played, site: Path) -> None:
    ledger, cup = guillotine
    (row,) = ledger.rounds(cup.name)
    (told,) = json.loads((site / "rounds.json").read_text())["rounds"]

    assert row.secret is not None
    assert told["commitment"] == row.commitment
    assert told["secret"] == row.secret.hex()
    assert told["settings"] == json.loads(row.settings)
    page = (site / "how.html").read_text()
    assert row.commitment in page
    assert row.secret.hex() in page


def test_the_first_page_says_what_the_ladder_says(guillotine: Played, site: Path) -> None:
    ledger, cup = guillotine

    page = (site / "index.html").read_text()
    assert cup_standings(ledger, cup).sentence in page
    for phrase in ("Guillotine", "4 seats", "duplicate deals", "20 matches", "the mean is 1500"):
        assert phrase in page
    assert "Worth seeing" in page


def test_faults_stand_on_the_pages_of_match_and_bot(guillotine: Played, site: Path) -> None:
    ledger, cup = guillotine
    record = next(record for record in ledger.records(cup.name) if record.faults)
    (fault,) = record.faults
    number = int(record.match.rpartition("/")[2])

    match_page = (site / f"matches/1-{number}.html").read_text()
    assert f'<a href="#d{fault.deal + 1}m{fault.action + 1}">' in match_page
    bot_page = (site / f"bots/{record.seats[fault.seat].bot}.html").read_text()
    assert f'<a href="../matches/1-{number}.html">1/{number}</a>' in bot_page


def test_publishing_again_touches_nothing(guillotine: Played, site: Path) -> None:
    ledger, cup = guillotine
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}

    written = publish(ledger, site, [cup])

    assert (written.changed_count, written.removed_count) == (0, 0)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before


def test_two_folders_get_the_same_bytes(guillotine: Played, site: Path, tmp_path: Path) -> None:
    ledger, cup = guillotine
    publish(ledger, tmp_path / "other", [cup])

    def contents(folder: Path) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert contents(tmp_path / "other") == contents(site)


def test_no_time_of_the_run_and_no_path_is_in_the_site(guillotine: Played, site: Path) -> None:
    ledger, _ = guillotine
    for path in site.rglob("*"):
        if path.is_file() and path.suffix != ".gz":
            text = path.read_text()
            assert str(ledger.path.parent) not in text
            assert str(site) not in text


def test_notes_of_bots_whose_manifest_is_not_here_are_private(guillotine: Played, site: Path) -> None:
    ledger, cup = guillotine
    assert any(ledger.notes(record.match) for record in ledger.records(cup.name))

    assert not any("hm" in _replay(path) for path in (site / "replays").iterdir())


def _replay(path: Path) -> str:
    packed = path.read_text().removeprefix('window.REPLAY="').removesuffix('";\n')
    return zlib.decompress(base64.b85decode(packed), wbits=-15).decode()


def _stopped(folder: Path, **keys: object) -> tuple[Ledger, CupFile]:
    """A cup with a first round that has ended, and a second that was left with two blocks of four whole."""
    ledger = Ledger(folder / "arena.db", create=True)
    field = Bots("ant", "bee", "cat", "dog")
    asyncio.run(play_cup(cup_file(folder, matches=12, **keys), ledger, field, Notes(), InProcess().opener()))
    cup = cup_file(folder, matches=24, **keys)
    with pytest.raises(Interrupted):
        asyncio.run(play_cup(cup, ledger, field, Notes(), InProcess(stop_after=10).opener()))
    return ledger, cup


def test_nothing_of_an_unfinished_block_and_no_secret_of_a_running_round_is_published(tmp_path: Path) -> None:
    ledger, cup = _stopped(tmp_path, seed=None)
    with ledger:
        secret = ledger.round_secret("test", 2)
        now = cup.model_copy(update={"publish": cup.publish.model_copy(update={"replays": "now"})})
        publish(ledger, tmp_path / "site", [now])

    whole = [record for record in _records(tmp_path / "site") if record.round == 2]
    assert sorted(Counter(record.block for record in whole).values()) == [3, 3]
    pages = {path.stem for path in (tmp_path / "site/matches").iterdir() if path.stem.startswith("2-")}
    assert pages == {f"2-{int(record.match[-6:])}" for record in whole}
    assert secret is not None
    for path in (tmp_path / "site").rglob("*"):
        if path.is_file():
            assert secret.hex() not in path.read_text(errors="replace")
    assert "not revealed yet" in (tmp_path / "site/how.html").read_text()


def test_replays_of_a_running_round_wait_for_its_end(tmp_path: Path) -> None:
    ledger, cup = _stopped(tmp_path)
    with ledger:
        publish(ledger, tmp_path / "site", [cup])
        sentence = cup_standings(ledger, cup).sentence

    page = (tmp_path / "site/index.html").read_text()
    assert "The matches of round 2 can be seen when it has ended." in page
    assert "Round 2 is being played: 10 matches so far." in page
    assert sentence in page
    assert {record.round for record in _records(tmp_path / "site")} == {1}
    assert not [path for path in (tmp_path / "site/matches").iterdir() if path.stem.startswith("2-")]


def test_a_limit_keeps_pages_few_and_records_whole(guillotine: Played, tmp_path: Path) -> None:
    ledger, cup = guillotine
    few = cup.model_copy(update={"publish": cup.publish.model_copy(update={"replay_limit": 6})})

    publish(ledger, tmp_path / "site", [few])

    assert len(list((tmp_path / "site/matches").iterdir())) == 6
    assert len(list((tmp_path / "site/replays").iterdir())) == 6
    assert len(list(_records(tmp_path / "site"))) == 20
    assert "matches.jsonl.gz" in (tmp_path / "site/matches.html").read_text()


def test_a_smaller_limit_removes_pages(guillotine: Played, tmp_path: Path) -> None:
    ledger, cup = guillotine
    publish(ledger, tmp_path / "site", [cup])
    none = cup.model_copy(update={"publish": cup.publish.model_copy(update={"replay_limit": 0})})

    written = publish(ledger, tmp_path / "site", [none])

    assert written.removed_count == 40
    assert not (tmp_path / "site/matches").exists()
    assert "<h2" in (tmp_path / "site/index.html").read_text()


def test_several_cups_share_a_site(guillotine: Played, tmp_path: Path) -> None:
    ledger, cup = guillotine

    publish(ledger, tmp_path / "site", [cup, cup])

    root, below = (tmp_path / "site" / name for name in ("index.html", f"cups/{cup.name}/index.html"))
    assert f'href="cups/{cup.name}/index.html"' in root.read_text()
    assert 'href="../../index.html"' in below.read_text()


def test_an_ended_season_keeps_its_pages(tmp_path: Path) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        field = Bots("ant", "bee", "cat", "dog")
        for season in ("spring", "autumn"):
            cup = cup_file(tmp_path, season=season)
            play(cup, ledger, field, Skilled())
        publish(ledger, tmp_path / "site", [cup])

        spring = cup_file(tmp_path, season="spring")
        assert cup_standings(ledger, spring).sentence in (tmp_path / "site/seasons/spring/index.html").read_text()
        assert cup_standings(ledger, cup).sentence in (tmp_path / "site/index.html").read_text()
    assert {record.round for record in _records(tmp_path / "site")} == {2}


def test_a_bot_has_a_history_over_rounds_and_all_its_versions(tmp_path: Path) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        play(cup_file(tmp_path, matches=12), ledger, Bots("ant", "bee", "cat"), Skilled())
        play(cup_file(tmp_path, matches=24), ledger, Bots("ant", "bee", "cat"), Skilled())
        cup = cup_file(tmp_path, matches=36)
        play(cup, ledger, Bots("ant", "bee", "cat", sha256={"ant": "1" * 64}), Skilled())
        publish(ledger, tmp_path / "site", [cup])

    page = (tmp_path / "site/bots/ant.html").read_text()
    assert "Elo after rounds 1 to 3" in page
    assert len(re.findall(r"<circle[^>]*><title>Round \d", page)) == 3
    assert "Other versions" in page
    assert "Other versions" not in (tmp_path / "site/bots/bee.html").read_text()


def test_a_withdrawn_bot_says_so(tmp_path: Path) -> None:
    fault = Fault(FaultKind.START, "exited with <b>code 1</b>")
    ledger, cup = played_cup(tmp_path, ("ant", "bee", "cat"), Skilled(withdraw={"cat": fault}))
    with ledger:
        publish(ledger, tmp_path / "site", [cup])

    page = (tmp_path / "site/bots/cat.html").read_text()
    assert "start" in page
    assert "<b>code 1" not in page


@pytest.mark.wide
@pytest.mark.timeout(600)
def test_a_cup_of_twenty_bots_and_six_hundred_matches_is_small(tmp_path: Path) -> None:
    names = (
        "amber birch cedar dune elm fjord grove heath iris jade kelp lark moss nettle oak pine quartz reed sage thorn"
    )
    ledger, cup = played_cup(
        tmp_path, names.split(), Skilled(fault_every=50), game="guillotine", seats=4, matches=600, duplicate=False
    )
    with ledger:
        written = publish(ledger, tmp_path / "site", [cup])

    on_disk = sum(path.stat().st_size for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert len(list((tmp_path / "site/matches").iterdir())) == 600
    assert on_disk < 5_000_000, written
    first = sum(
        (tmp_path / "site" / name).stat().st_size for name in ("index.html", "assets/site.css", "assets/site.js")
    )
    assert first < 100_000
