"""`verify DIR`: a published folder alone proves itself, and whatever is changed in it is named."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import deals
from harness.publish import publish
from harness.published import Checked, SiteDifference, verify_site
from harness.store.ledger import Ledger
from ladder.errors import LadderError
from ladder.site.folder import LIST_NAME
from tests.in_process import Bots, Interrupted, cup_file
from tests.living_ladder import LivingLadder, whole_season
from tests.played_cups import Skilled, play

pytestmark = pytest.mark.slow
Members = dict[str, Any]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of twelve bots, five rounds, two late entries, one new version, one retirement."""
    folder = tmp_path_factory.mktemp("season")
    ladder = whole_season(folder)
    publish(ladder.ledger, folder / "site", [ladder.cup])
    ladder.close()
    return folder / "site"


@pytest.fixture
def site(published: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(published, tmp_path / "site"))


def difference(site: Path) -> str:
    return differences(site)[0]


def differences(site: Path) -> list[str]:
    heard: list[str] = []
    verify_site(site, on_difference=heard.append)
    return heard


def test_an_honest_folder_passes_alone(published: Path) -> None:
    counts: list[int] = []

    (checked,) = verify_site(published, lambda count, total: counts.append(count))

    assert checked == Checked("ladder", len(counts), ())
    assert counts == list(range(1, len(records(published)) + 1))


def records(site: Path) -> list[Members]:
    return [json.loads(line) for line in gzip.decompress((site / "matches.jsonl.gz").read_bytes()).splitlines()]


def write_records(site: Path, lines: list[Members]) -> None:
    text = "".join(f"{json.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n" for line in lines)
    (site / "matches.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.1, 0.5, 0.9, 0.9999])
def test_any_byte_of_the_records_that_is_changed_is_found(site: Path, share: float) -> None:
    path = site / "matches.jsonl.gz"
    content = bytearray(path.read_bytes())
    content[int(share * len(content))] ^= 1
    path.write_bytes(content)

    assert "matches.jsonl.gz" in difference(site)


def last(records: list[Members]) -> list[Members]:
    return records[:-1]


def twice(records: list[Members]) -> list[Members]:
    return [*records, records[0]]


def points(records: list[Members]) -> list[Members]:
    records[7]["points"][0] += 60
    return records


def deck(records: list[Members]) -> list[Members]:
    cards = records[7]["deals"][0]["deck"].split()
    records[7]["deals"][0]["deck"] = " ".join([cards[-1], *cards[1:-1], cards[0]])
    return records


def meta(records: list[Members]) -> list[Members]:
    records[7]["meta"]["sandbox"] = "none at all"
    return records


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (points, "ladder/1/000008: points "),
        (deck, "ladder/1/000008, deal 0: the deck differs from card 0 on"),
        (last, "ladder/5/0000"),
        (twice, "matches.jsonl.gz: line "),
        (meta, "matches.jsonl.gz: its bytes are not those that were published"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_whatever_is_changed_in_the_records_is_named(
    site: Path, change: Callable[[list[Members]], list[Members]], named: str
) -> None:
    write_records(site, change(records(site)))

    assert named in difference(site)


def first_round(edit: Callable[[Members], None]) -> Callable[[Members], None]:
    return lambda members: edit(members["rounds"][0])


def other_secret(members: Members) -> None:
    members["secret"] = "00" * 32


def secret_with_commitment(members: Members) -> None:
    members["secret"] = "00" * 32
    members["commitment"] = deals.commitment(bytes(32)).hex()


def other_hash(members: Members) -> None:
    members["schedule_sha256"] = "0" * 64


def no_secret(members: Members) -> None:
    members["secret"] = None


def fewer_matches(members: Members) -> None:
    members["match_count"] -= 1


def other_clock(members: Members) -> None:
    members["settings"]["time"]["bank_s"] = 99.0


def two_of_a_name(members: Members) -> None:
    members["entries"][1]["label"] = members["entries"][0]["label"]


def more_matches(members: Members) -> None:
    members["budget"] = {"matches_per_bot": 30}


def no_retirement(members: Members) -> None:
    for version in members["versions"]:
        version["retired_unix_ns"] = None


def torn(members: Members) -> None:
    del members["rounds"][0]["entries"]


def no_round(members: Members) -> None:
    del members["rounds"][0]


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (first_round(other_secret), "ladder, round 1: commitment "),
        (first_round(secret_with_commitment), "ladder, round 1: the secret does not follow from the seed 7"),
        (first_round(other_hash), "ladder, round 1: schedule 0000"),
        (first_round(no_secret), "ladder, round 1: it has ended, and its secret is missing"),
        (first_round(fewer_matches), "ladder, round 1: 90 matches in the folder, 89 by rounds.json"),
        (first_round(other_clock), "rounds.json: its bytes are not those that were published"),
        (first_round(two_of_a_name), "rounds.json: [[rounds]] 1: two entries have one name"),
        (first_round(more_matches), "ladder, round 1: budget "),
        (no_retirement, "ladder.json: "),
        (torn, "rounds.json: [[rounds]] 1 entries: missing"),
        (no_round, "round 2 of ladder cannot start now"),
    ],
)
def test_whatever_is_changed_in_the_rounds_is_named(site: Path, edit: Callable[[Members], None], named: str) -> None:
    path = site / "rounds.json"
    members = json.loads(path.read_text())
    edit(members)
    path.write_text(json.dumps(members))

    assert named in difference(site)


def test_a_rating_that_does_not_follow_from_the_matches_is_named(site: Path) -> None:
    path = site / "ladder.json"
    members = json.loads(path.read_text())
    rating = members["bots"][0]["elo"]
    path.write_text(path.read_text().replace(f'"elo": {rating:.6f}', f'"elo": {rating + 1:.6f}', 1))

    bot = members["bots"][0]["bot"]
    assert difference(site) == f"ladder.json: elo of {bot} is {rating + 1}, the matches give {rating}"


@pytest.mark.parametrize(
    ("name", "old", "new", "named"),
    [
        ("ladder.json", '"matches": ', '"matches": 1', "ladder.json: matches is "),
        ("ladder.json", "{", "[", "ladder.json: cannot be read"),
        ("ladder.json", '"bots": [', '"bots":  [', "ladder.json: its bytes are not those that were published"),
        ("ladder.csv", ",1.0,", ",1.1,", "ladder.csv: version of "),
        ("index.html", "Elo", "elo", "index.html: its bytes are not those that were published"),
        ("assets/viewer.js", "function", "Function", "assets/viewer.js: its bytes are not those"),
    ],
)
def test_whatever_is_changed_elsewhere_is_named(site: Path, name: str, old: str, new: str, named: str) -> None:
    path = site / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))

    assert difference(site).startswith(named)


def test_all_that_differs_is_named_the_bytes_last_and_the_first_is_raised_where_nobody_hears(site: Path) -> None:
    changed = deck(records(site))
    changed[20]["points"][0] += 60
    write_records(site, changed)
    page = site / "index.html"
    page.write_text(page.read_text().replace("Elo", "elo"))

    heard = differences(site)

    assert [difference.partition(":")[0] for difference in heard] == [
        "ladder/1/000008, deal 0",
        "ladder/1/000021",
        "index.html",
        "matches.jsonl.gz",
    ]
    with pytest.raises(SiteDifference) as found:
        verify_site(site)
    assert str(found.value) == heard[0]


def test_of_each_file_of_the_ladder_the_first_difference_is_named(site: Path) -> None:
    for name, old, new in (("ladder.json", '"version": "1.0"', '"version": "1.1"'), ("ladder.csv", ",1.0,", ",1.1,")):
        (site / name).write_text((site / name).read_text().replace(old, new))

    told = [difference.partition(" ")[0] for difference in differences(site)]

    assert told == ["ladder.json:", "ladder.csv:", "ladder.csv:", "ladder.json:"]


def test_a_file_that_is_gone_is_named(site: Path) -> None:
    (site / "bots/ant.html").unlink()

    assert difference(site) == "bots/ant.html: it is missing"


def test_what_others_put_into_the_folder_is_no_difference(site: Path) -> None:
    (site / "CNAME").write_text("ladder.example")

    assert verify_site(site)


def test_a_list_that_leads_elsewhere_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("")
    path = site / LIST_NAME
    path.write_text(path.read_text().replace('"bots/ant.html"', '"../elsewhere"'))

    with pytest.raises(LadderError, match=r"site\.json: is no list of files of cardarena"):
        verify_site(site)


def test_a_link_out_of_the_folder_is_no_file_of_it(site: Path, tmp_path: Path) -> None:
    page = site / "how.html"
    (tmp_path / "elsewhere").write_bytes(page.read_bytes())
    page.unlink()
    page.symlink_to(tmp_path / "elsewhere")

    assert difference(site) == "how.html: it is missing"


def test_a_folder_that_is_no_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match=r"no published site, for there is no site\.json in it"):
        verify_site(tmp_path)


@pytest.mark.parametrize(
    ("replays", "shown_of_the_second", "remarks"),
    [
        ("round", 0, ("round 2: 22 matches not shown yet, so that the ladder cannot be rated again",)),
        ("now", 18, ()),
        ("end", 0, ("rounds 1, 2: 64 matches not shown yet, so that the ladder cannot be rated again",)),
    ],
)
def test_a_round_under_way_is_checked_as_far_as_it_is_shown(
    tmp_path: Path, replays: str, shown_of_the_second: int, remarks: tuple[str, ...]
) -> None:
    ladder = LivingLadder(tmp_path)
    ladder.replays = replays
    ladder.submit("ant", "bee", "cat", "dog")
    ladder.run()
    ladder.submit("eel")
    with pytest.raises(Interrupted):
        ladder.run(stop_after=22)
    shown = ladder.ledger.match_count("ladder", 1)
    publish(ladder.ledger, tmp_path / "site", [ladder.cup])
    ladder.close()

    (checked,) = verify_site(tmp_path / "site")
    assert checked.match_count == (0 if replays == "end" else shown) + shown_of_the_second
    assert checked.remarks == remarks
    unshown = ("round 2: 4 matches are of blocks that are not complete, and not shown yet",)
    assert checked.notes == (unshown if replays == "now" else ())


def test_a_site_without_a_complete_block_proves_what_it_says(tmp_path: Path) -> None:
    ladder = LivingLadder(tmp_path)
    ladder.replays = "now"
    ladder.submit("ant", "bee", "cat", "dog")
    with pytest.raises(Interrupted):
        ladder.run(stop_after=4)
    publish(ladder.ledger, tmp_path / "site", [ladder.cup])
    ladder.close()

    (checked,) = verify_site(tmp_path / "site")
    assert checked == Checked(
        "ladder", 0, (), ("round 1: 4 matches are of blocks that are not complete, and not shown yet",)
    )
    page = (tmp_path / "site" / "index.html").read_text()
    assert "no block is complete yet: 4 matches played" in page
    assert 'class="axis"' not in page


def test_cups_and_seasons_are_checked_each(tmp_path: Path) -> None:
    field = Bots("ant", "bee", "cat", "dog")
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        cups = []
        for name, seasons in (("tea", (None, "spring", "autumn")), ("milk", (None,))):
            for season in seasons:
                cup = cup_file(tmp_path, name=name, season=season)
                play(cup, ledger, field, Skilled())
            cups.append(cup)
        publish(ledger, tmp_path / "site", cups)

    checked = verify_site(tmp_path / "site")
    assert [(one.cup, one.match_count, one.remarks) for one in checked] == [("milk", 12, ()), ("tea", 36, ())]
    path = tmp_path / "site/seasons/spring/ladder.csv"
    path.write_text(path.read_text().replace("ant", "ape", 1))
    assert difference(tmp_path / "site").startswith("seasons/spring/ladder.csv: ")
