"""What comes from elsewhere: all of it once, in any order and in any number of parts, or refused by name."""

import gzip
import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.intake import Taken, take_in
from harness.publish import publish
from harness.sources import LedgerSource, RecordsSource, SiteSource, sources_at
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.store.pinned import PinnedRound
from harness.store.rows import Round
from harness.tournament import CupRun
from harness.verify import verify_cup
from ladder.export import to_csv, to_json
from tests.in_process import Interrupted
from tests.living_ladder import FIRST, LATE, LivingLadder, whole_season

pytestmark = pytest.mark.slow
ROUNDS = 5


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingLadder]:
    """A ladder that has lived; to be looked at only."""
    ladder = whole_season(tmp_path_factory.mktemp("season"))
    yield ladder
    ladder.close()


@pytest.fixture(scope="module")
def site(season: LivingLadder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its published site."""
    folder = tmp_path_factory.mktemp("published") / "site"
    publish(season.ledger, folder, [season.cup])
    return folder


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


def printed(ledger: Ledger, season: LivingLadder) -> str:
    """Every digit of the ladder."""
    found = [cup_standings(ledger, season.cup, all_versions=every) for every in (False, True)]
    return "".join(to_json(standings) + to_csv(standings) + str(standings.luck) for standings in found)


def lines_of(season: LivingLadder) -> list[str]:
    return list(season.ledger.record_lines("ladder"))


def write(path: Path, lines: Sequence[str]) -> Path:
    text = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


class Changed(LedgerSource):
    """A ledger whose rounds are told differently."""

    def __init__(self, season: LivingLadder, change: Callable[[PinnedRound], PinnedRound | None]) -> None:
        super().__init__(season.home.ledger)
        self.change = change

    def rounds(self) -> Iterator[PinnedRound]:
        yield from filter(None, map(self.change, super().rounds()))


def test_a_ledger_comes_in_with_rounds_matches_times_and_notes(season: LivingLadder, ledger: Ledger) -> None:
    (taken,) = take_in(ledger, sources_at(season.home.path))

    match_count = season.ledger.match_count("ladder")
    assert taken == Taken("ladder", ROUNDS, match_count)
    assert ledger.rounds("ladder") == season.ledger.rounds("ladder")
    assert ledger.entries("ladder", 4) == season.ledger.entries("ladder", 4)
    assert ledger.times("ladder/1/000001") == season.ledger.times("ladder/1/000001") != ()
    assert verify_cup(ledger, "ladder") == match_count
    assert printed(ledger, season) == printed(season.ledger, season)


def test_a_ledger_comes_back_from_a_published_site(season: LivingLadder, site: Path, ledger: Ledger) -> None:
    (taken,) = take_in(ledger, sources_at(site))

    assert taken == Taken("ladder", ROUNDS, season.ledger.match_count("ladder"))
    assert ledger.rounds("ladder") == season.ledger.rounds("ladder")
    assert verify_cup(ledger, "ladder") == taken.match_count
    assert printed(ledger, season) == printed(season.ledger, season)


def test_what_is_here_is_passed_over(season: LivingLadder, site: Path, ledger: Ledger) -> None:
    take_in(ledger, sources_at(site))
    before = printed(ledger, season)

    taken = take_in(ledger, [*sources_at(site), *sources_at(season.home.ledger), *sources_at(site)])

    match_count = season.ledger.match_count("ladder")
    assert taken == (Taken("ladder", 0, 0, match_count),)
    assert printed(ledger, season) == before


def test_parts_in_any_order_with_doubles_give_the_same_digits(
    season: LivingLadder, site: Path, ledger: Ledger, tmp_path: Path
) -> None:
    lines = lines_of(season)
    random.Random(5).shuffle(lines)
    third = len(lines) // 3
    parts = [
        write(tmp_path / "a.jsonl", lines[: 2 * third]),
        write(tmp_path / "b.jsonl.gz", lines[third:]),
        write(tmp_path / "c.jsonl", [*lines[:50], "", *lines[:50]]),
    ]
    rounds_only = Changed(season, lambda pinned: pinned)
    rounds_only.matches = lambda: iter(())  # type: ignore[method-assign] # as a site that shows no matches yet

    first = take_in(ledger, [rounds_only])
    assert first[0].waiting == [1, 2, 3, 4, 5]
    take_in(ledger, [rounds_only, *(source for part in parts for source in sources_at(part))])

    assert printed(ledger, season) == printed(season.ledger, season)
    assert ledger.rounds("ladder") == season.ledger.rounds("ladder")
    assert verify_cup(ledger, "ladder") == len(lines)


def test_a_round_without_all_its_matches_waits_and_ends_when_they_have_come(
    season: LivingLadder, ledger: Ledger, tmp_path: Path
) -> None:
    lines = lines_of(season)
    early = write(tmp_path / "early.jsonl", lines[:10])
    rest = write(tmp_path / "rest.jsonl", lines[10:])
    rounds = Changed(season, lambda pinned: pinned if pinned.row.round == 1 else None)
    rounds.matches = lambda: iter(())  # type: ignore[method-assign] # its matches come from files

    (taken,) = take_in(ledger, [rounds, RecordsSource(early)])
    assert (taken.round_count, taken.match_count, taken.waiting) == (1, 10, [1])
    assert ledger.round("ladder", 1).ended_unix_ns is None
    all_rounds = Changed(season, lambda pinned: pinned)
    all_rounds.matches = lambda: iter(())  # type: ignore[method-assign] # as above
    (taken,) = take_in(ledger, [RecordsSource(rest), all_rounds])

    assert (taken.round_count, taken.match_count, taken.waiting) == (4, len(lines) - 10, [])
    assert printed(ledger, season) == printed(season.ledger, season)


def test_a_round_under_way_moves_with_its_secret_and_is_finished_where_it_goes(
    season: LivingLadder, tmp_path: Path
) -> None:
    there = LivingLadder(tmp_path / "there")
    there.submit(*FIRST)
    with pytest.raises(Interrupted):
        there.run(stop_after=25)
    here = LivingLadder(tmp_path / "here")
    here.submit(*FIRST)

    take_in(here.ledger, sources_at(there.home.path))
    run = here.run()

    assert run.match_count == here.ledger.match_count("ladder") - 25
    whole = [record.digest() for record in season.ledger.records("ladder", 1)]
    assert [record.digest() for record in here.ledger.records("ladder", 1)] == whole
    there.close()
    here.close()


def test_two_shares_of_one_round_make_the_whole(season: LivingLadder, ledger: Ledger, tmp_path: Path) -> None:
    first = LivingLadder(tmp_path / "first")
    first.submit(*FIRST)
    with pytest.raises(Interrupted):
        first.run(stop_after=0)
    take_in(ledger, sources_at(first.home.path))
    records = list(season.ledger.records("ladder", 1))
    for number, share in enumerate([records[::2], records[1::2]]):
        write(tmp_path / f"share{number}.jsonl", [record.to_json() for record in share])

    for number in (1, 0):
        take_in(ledger, sources_at(tmp_path / f"share{number}.jsonl"))

    assert ledger.match_count("ladder", 1) == len(records)
    assert ledger.round("ladder", 1).ended_unix_ns is None
    first.close()


def test_a_ladder_goes_on_where_it_has_come(site: Path, season: LivingLadder, tmp_path: Path) -> None:
    here = LivingLadder(tmp_path)
    here.matches_per_bot = season.matches_per_bot
    take_in(here.ledger, sources_at(site))
    here.submit(*FIRST, *LATE)
    here.submit("bee", version="2.0")

    assert here.run() == CupRun(0, ())  # and cat is still retired
    here.submit("mole")
    assert here.run().match_count > 0
    assert verify_cup(here.ledger, "ladder") == here.ledger.match_count("ladder")
    here.close()


def test_what_a_site_tells_of_its_bots_comes_with_it(site: Path, season: LivingLadder, tmp_path: Path) -> None:
    here = LivingLadder(tmp_path)
    take_in(here.ledger, sources_at(site))
    there = season.ledger.versions

    for name in (*FIRST, *LATE):
        for known, told in zip(here.ledger.versions.of_name(name), there.of_name(name), strict=True):
            at_home = replace(known, tree=told.tree, manifest=told.manifest, stored_unix_ns=told.stored_unix_ns)
            assert at_home == told
            assert json.loads(known.manifest)["bot"] == json.loads(told.manifest)["bot"]
    assert here.ledger.versions.active() == ()  # its files are not here
    with pytest.raises(HarnessError, match="fox belongs to team-fox, who submitted it first"):
        here.ledger.versions.check_submittable("fox", "9.0", "9" * 64, "team-ant")
    with pytest.raises(HarnessError, match=r"fox 1\.0 was submitted with other contents"):
        here.ledger.versions.check_submittable("fox", "1.0", "9" * 64, "team-fox")
    here.submit("fox")
    assert [version.name for version in here.ledger.versions.active()] == ["fox"]
    here.close()


def test_what_is_known_here_of_a_bot_stays(site: Path, season: LivingLadder, tmp_path: Path) -> None:
    here = LivingLadder(tmp_path)
    here.submit("cat")
    before = here.ledger.versions.of_name("cat")

    take_in(here.ledger, sources_at(site))

    assert here.ledger.versions.of_name("cat") == before  # not retired here
    here.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda row: replace(row, settings=row.settings.replace("20.0", "10.0")),
            "[time] bank_s is 20.0 here and 10.0",
        ),
        (lambda row: replace(row, budget='{"matches":3}'), "budget is "),
        (lambda row: replace(row, schedule_sha256="0" * 64), "schedule_sha256 is "),
        (lambda row: replace(row, commitment="0" * 64, secret=None), "commitment is "),
        (lambda row: replace(row, secret=bytes(32)), "its secret is not the one that was committed to"),
    ],
)
def test_another_round_of_the_same_name_is_refused_by_what_differs(
    season: LivingLadder, ledger: Ledger, change: Callable[[Round], Round], said: str
) -> None:
    take_in(ledger, sources_at(season.home.ledger))
    changed = Changed(season, lambda pinned: replace(pinned, row=change(pinned.row)))

    with pytest.raises(HarnessError) as refused:
        take_in(ledger, [changed])

    assert "ladder, round 1" in str(refused.value)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_other_bots_in_a_round_are_refused(season: LivingLadder, ledger: Ledger) -> None:
    take_in(ledger, sources_at(season.home.ledger))
    changed = Changed(
        season,
        lambda pinned: replace(pinned, entries=(replace(pinned.entries[0], sha256="9" * 64), *pinned.entries[1:])),
    )

    with pytest.raises(HarnessError, match=r"other bots: ant 1\.0 \w{12}, .* here, ant 1\.0 9{12}, "):
        take_in(ledger, [changed])


def test_a_later_round_must_go_on_from_what_is_here(season: LivingLadder, ledger: Ledger) -> None:
    later = Changed(season, lambda pinned: pinned if pinned.row.round > 1 else None)

    with pytest.raises(HarnessError, match="ladder, round 2: round 1 is not here; import it first"):
        take_in(ledger, [later])

    assert ledger.cups() == ()


def tampered(line: str, **changed: object) -> str:
    return json.dumps({**json.loads(line), **changed})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: tampered(line, points=[0, 0, 0]), "another match has this id already"),
        (lambda line: tampered(line, game="guillotine"), "it was played by other rules"),
        (lambda line: tampered(line, match="ladder/9/000001", round=9), "round 9 is not here"),
        (lambda line: tampered(line, match="spring/1/000001", cup="spring"), "nothing of that cup is here"),
        (lambda line: tampered(line, match="ladder"), "not a match"),
        (lambda line: tampered(line, block="x"), "do not go with its id"),
        (lambda line: tampered(line, match="ladder/1/000500", seats=[{"bot": "owl"}] * 3), "owl"),
        (lambda line: line[:100], "not the record of a match"),
    ],
)
def test_a_match_that_does_not_fit_is_refused_with_its_line_and_nothing_is_written(
    season: LivingLadder, site: Path, ledger: Ledger, tmp_path: Path, change: Callable[[str], str], said: str
) -> None:
    take_in(ledger, [SiteSource(site / "rounds.json")])
    lines = lines_of(season)
    file = write(tmp_path / "new.jsonl", [lines[3], change(lines[0])])
    before = ledger.match_count("ladder")

    with pytest.raises(HarnessError) as refused:
        take_in(ledger, sources_at(file))

    assert str(refused.value).startswith(f"{file}: line 2: ")
    assert said in str(refused.value)
    assert ledger.match_count("ladder") == before


def test_records_of_a_cup_that_is_not_here_need_its_ledger_or_site(
    season: LivingLadder, ledger: Ledger, tmp_path: Path
) -> None:
    file = write(tmp_path / "new.jsonl", lines_of(season)[:3])

    with pytest.raises(HarnessError, match="nothing of that cup is here; import the ledger or the site that has it"):
        take_in(ledger, sources_at(file))


def test_a_cup_that_is_being_run_takes_nothing_in(season: LivingLadder, ledger: Ledger) -> None:
    with ledger.run_lock("ladder"), pytest.raises(HarnessError, match=r"is being run by process \d+"):
        take_in(ledger, sources_at(season.home.ledger))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "not JSON"),
        ("[]", "not the rounds of a cup"),
        ('{"cup": "ladder", "rounds": [{}]}', "round"),
        ('{"cup": "../x", "rounds": []}', "cup"),
    ],
)
def test_a_torn_file_of_rounds_is_told(tmp_path: Path, ledger: Ledger, text: str, said: str) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "rounds.json").write_text(text)

    with pytest.raises(HarnessError) as refused:
        take_in(ledger, sources_at(site))

    assert str(refused.value).startswith(f"{site / 'rounds.json'}: ")
    assert said in str(refused.value)


NOBODY = {"label": "nobody", "kind": "start", "detail": "", "at_unix_ns": 1}


def hostile(key: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Sets what `key`, such as `rounds.0.entries.0.label`, leads to."""

    def change(members: dict[str, Any]) -> None:
        *way, last = key.split(".")
        place: Any = members
        for step in way:
            place = place[int(step) if step.isdecimal() else step]
        place[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (hostile("rounds.0.entries.0.label", "../../x"), "label"),
        (hostile("rounds.0.entries.0.label", "fox#x"), "label"),
        (hostile("rounds.0.entries.0.version", "\x1b[2J"), "version"),
        (hostile("rounds.0.started_unix_ns", 10**30), "started_unix_ns"),
        (hostile("rounds.0.match_count", -1), "match_count"),
        (hostile("rounds.0.entries.0.time_ns", [10**30, 0, 0]), "time_ns"),
        (
            hostile("rounds.0.withdrawals", [{"label": "nobody", "kind": "start", "detail": "", "at_unix_ns": 1}]),
            "nobody",
        ),
        (hostile("versions.0.version", "\x1b]0;owned\x07"), "version"),
        (hostile("versions.0.name", "../../x"), "name"),
        (hostile("versions.0.submitted_unix_ns", 10**30), "submitted_unix_ns"),
    ],
)
def test_rounds_of_a_stranger_hold_no_names_or_numbers_that_no_ledger_of_ours_would(
    site: Path, ledger: Ledger, tmp_path: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    path = Path(shutil.copytree(site, tmp_path / "copy")) / "rounds.json"
    members = json.loads(path.read_text())
    change(members)
    path.write_text(json.dumps(members))

    with pytest.raises(HarnessError) as refused:
        take_in(ledger, sources_at(path))

    assert str(refused.value).startswith(f"{path}: ")
    assert said in str(refused.value)
    assert str(refused.value).isprintable()
    assert ledger.cups() == ()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE versions SET version = char(27) || '[2J'",
        "UPDATE entries SET label = '../../x' WHERE position = 0",
        "UPDATE rounds SET started_unix_ns = -1",
    ],
)
def test_a_ledger_of_a_stranger_is_held_to_the_same_rules(
    season: LivingLadder, ledger: Ledger, tmp_path: Path, change: str
) -> None:
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(season.home.ledger)) as theirs, closing(sqlite3.connect(path)) as copy:
        theirs.backup(copy)
        copy.execute(change)
        copy.commit()

    with pytest.raises(HarnessError) as refused:
        take_in(ledger, sources_at(path))

    assert str(refused.value).isprintable()
    assert ledger.cups() == ()


def test_a_pipe_is_not_waited_for(site: Path, ledger: Ledger, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(site, tmp_path / "copy"))
    os.mkfifo(copy / "matches-9.jsonl.gz")

    with pytest.raises(HarnessError, match="no plain file"):
        take_in(ledger, sources_at(copy))
