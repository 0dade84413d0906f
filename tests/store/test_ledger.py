"""The ledger: rounds begin and end in order, matches are kept once, and what is kept comes back."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.match import TimeControl
from harness.store.ledger import Ledger, NotInLedger
from harness.store.rows import FinishedNumbers, Note, Role, Withdrawal, match_id, parse_match_id
from harness.store.times import DecisionTime, TimeRow
from tests.store.made_up import BOTS, NOW_NS, SECRET, begin, begun, entry, record


def test_a_round_comes_back_as_it_was_pinned(tmp_path: Path) -> None:
    entries = (
        entry("fox", team="T 07 «Füchse»", rated=False, time=TimeControl(60_000_000_000, 0, 5_000_000_000)),
        entry("fox#2"),
        entry("house", role=Role.HOUSE),
        entry("fill", role=Role.FILL, rated=False),
    )
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        begin(ledger, entries=entries)
    with Ledger(tmp_path / "arena.db") as ledger:
        kept = ledger.round("cup", 1)

        assert ledger.entries("cup", 1) == entries
        assert kept.settings == '{"cup":{}}'
        assert (kept.schedule_sha256, kept.commitment) == ("cd" * 32, "ef" * 32)
        assert (kept.started_unix_ns, kept.ended_unix_ns, kept.revealed_unix_ns) == (NOW_NS + 1, None, None)
        assert [row.cup for row in ledger.cups()] == ["cup"]


def test_the_secret_shows_only_once_it_is_revealed(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        before = ledger.round("cup", 1).secret
        ledger.end_round("cup", 1, at_unix_ns=NOW_NS + 5)
        ended = ledger.round("cup", 1).secret
        ledger.reveal("cup", 1, at_unix_ns=NOW_NS + 6)
        after = ledger.round("cup", 1)

        assert (before, ended, after.secret) == (None, None, SECRET)
        assert (after.ended_unix_ns, after.revealed_unix_ns) == (NOW_NS + 5, NOW_NS + 6)
        assert ledger.round_secret("cup", 1) == SECRET


def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        ledger.add_match(record())
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}

    assert modes == {"arena.db": 0o600, "arena.db-wal": 0o600, "arena.db-shm": 0o600}


def test_rounds_start_one_after_the_other(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        with pytest.raises(ValueError, match="round 2 of cup cannot start"):
            begin(ledger, round=2)
        ledger.end_round("cup", 1, at_unix_ns=NOW_NS)
        with pytest.raises(ValueError, match="round 3 of cup cannot start"):
            begin(ledger, round=3)
        begin(ledger, round=2)

        assert [row.round for row in ledger.rounds("cup")] == [1, 2]


def test_a_round_ends_once_and_is_revealed_after_that(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        with pytest.raises(ValueError, match="revealed_unix_ns cannot be set"):
            ledger.reveal("cup", 1, at_unix_ns=NOW_NS)
        ledger.end_round("cup", 1, at_unix_ns=NOW_NS)
        with pytest.raises(ValueError, match="ended_unix_ns cannot be set"):
            ledger.end_round("cup", 1, at_unix_ns=NOW_NS)
        ledger.reveal("cup", 1, at_unix_ns=NOW_NS)
        with pytest.raises(ValueError, match="revealed_unix_ns cannot be set"):
            ledger.reveal("cup", 1, at_unix_ns=NOW_NS)


def test_a_round_without_a_secret_is_kept(tmp_path: Path) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        ledger.start_round(
            "cup",
            1,
            settings="{}",
            schedule_sha256="",
            commitment="",
            secret=None,
            entries=[entry("fox")],
            started_unix_ns=NOW_NS,
        )

        assert ledger.round_secret("cup", 1) is None


def test_a_match_comes_back_whole(tmp_path: Path) -> None:
    kept = record(17, faulted=(1,), detail="späße \\x1b «ж»")
    times: list[TimeRow] = [(0, 1_000_000, 1), DecisionTime(3, 2_000_000, 64)]
    notes = [Note(0, 3, 1, "ведёт пики \ud800"), (0, 4, 2, "")]
    with begun(tmp_path / "arena.db") as ledger:
        added = ledger.add_match(kept, times=times, notes=notes)
    with Ledger(tmp_path / "arena.db") as ledger:
        assert added
        assert ledger.record("cup/1/000017") == kept
        assert ledger.record("cup/1/000017").meta == kept.meta
        assert list(ledger.record_lines("cup")) == [kept.to_json()]
        assert ledger.record_digest("cup/1/000017") == kept.digest()
        assert ledger.times("cup/1/000017") == (DecisionTime(0, 1_000_000, 1), DecisionTime(3, 2_000_000, 64))
        assert ledger.notes("cup/1/000017") == tuple(Note(*note) for note in notes)


def test_a_match_without_times_and_notes_has_none(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        ledger.add_match(record())

        assert ledger.times("cup/1/000001") == ()
        assert ledger.notes("cup/1/000001") == ()


def test_a_second_match_of_the_same_id_changes_nothing(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        first = ledger.add_match(record(places=(1, 2, 3, 4)))
        second = ledger.add_match(record(places=(4, 3, 2, 1)))

        assert (first, second) == (True, False)
        assert ledger.record("cup/1/000001").places == (1, 2, 3, 4)
        assert [result.places for result in ledger.results("cup")] == [(1, 2, 3, 4)]
        assert ledger.match_count("cup") == 1


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"match": "cup/2/000001"}, "not a match of round 1"),
        ({"match": "other/1/000001"}, "not a match of round 1"),
        ({"match": "cup/1/000000"}, "not a match of round 1"),
        ({"match": "cup/1/1"}, "not a match"),
        ({"block": None}, "not numbers"),
        ({"block": "one"}, "not numbers"),
        ({"rotation": None}, "not numbers"),
        ({"seats": record(labels=("ant", "bee", "cat", "eel")).seats}, "seat 3, eel 1.0, is no entry"),
        ({"seats": (*record().seats[:3], record().seats[3]._replace(sha256="00" * 32))}, "seat 3, dog 1.0, is no"),
    ],
)
def test_a_match_that_is_not_of_its_round_is_refused(
    tmp_path: Path, changed: dict[str, object], complaint: str
) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        with pytest.raises(ValueError, match=complaint):
            ledger.add_match(replace(record(), **changed))  # type: ignore[arg-type] # wrong on purpose

        assert ledger.match_count("cup") == 0


def test_what_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        with pytest.raises(OverflowError):
            ledger.add_match(replace(record(), points=(0, 0, 0, 1 << 64)))

        assert ledger.match_count("cup") == 0
        assert ledger.add_match(record())


def test_matches_come_by_id_whatever_finished_first(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        for number in (3, 1, 1_000_001, 2, 999_999):
            ledger.add_match(record(number))

        numbers = [1, 2, 3, 999_999, 1_000_001]
        assert [match.match for match in ledger.records("cup")] == [match_id("cup", 1, number) for number in numbers]
        assert [result.match for result in ledger.results("cup")] == [match_id("cup", 1, number) for number in numbers]
        finished = ledger.finished_numbers("cup", 1)
        assert list(finished) == numbers
        assert (len(finished), 3 in finished, 4 in finished, -1 in finished) == (5, True, False, False)


def test_rounds_and_cups_are_kept_apart(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        begin(ledger, "zoo")
        ledger.add_match(record(7))
        ledger.add_match(record(7, cup="zoo"))
        ledger.end_round("cup", 1, at_unix_ns=NOW_NS)
        begin(ledger, "cup", 2)
        ledger.add_match(record(8, round=2))

        assert [match.match for match in ledger.records("cup")] == ["cup/1/000007", "cup/2/000008"]
        assert [match.match for match in ledger.records("cup", 2)] == ["cup/2/000008"]
        assert [match.match for match in ledger.records("zoo")] == ["zoo/1/000007"]
        assert list(ledger.records("unknown")) == []
        counts = ledger.match_count("cup"), ledger.match_count("cup", 1), ledger.match_count("zoo")
        assert counts == (2, 1, 1)
        assert [(row.cup, row.round_count) for row in ledger.cups()] == [("cup", 2), ("zoo", 1)]


def test_results_are_what_the_ladder_needs(tmp_path: Path) -> None:
    entries = [*(entry(label) for label in BOTS), entry("ant#2", time=TimeControl(1, 2, 3))]
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        begin(ledger, entries=entries)
        ledger.add_match(
            record(1, block=9, rotation=2, labels=("bee", "ant#2", "ant", "dog"), places=(2, 4, 1, 2), faulted=(1,))
        )
        ledger.add_match(record(2, labels=("dog", "cat"), places=(1, 2)))
        results = list(ledger.results("cup"))

    assert [entry.label for entry in results[0].entries] == ["bee", "ant#2", "ant", "dog"]
    assert results[0].entries[1] == entries[4]
    assert results[0][:2] == ("cup/1/000001", "cup/1/000009")
    assert results[0][3:6] == ((2, 4, 1, 2), (20, 40, 10, 20), (None, "crashed", None, None))
    assert [entry.label for entry in results[1].entries] == ["dog", "cat"]


def test_matches_are_counted_by_entry(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        ledger.add_match(record(1, labels=("ant", "bee"), places=(1, 2)))
        ledger.add_match(record(2, labels=("ant", "cat"), places=(1, 2)))
        begin(ledger, "zoo")
        ledger.add_match(record(1, cup="zoo"))

        assert ledger.appearances.counts("cup", 1) == {"ant": 2, "bee": 1, "cat": 1, "dog": 0}


def test_a_bot_is_withdrawn_once(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        first = ledger.withdraw("cup", 1, "cat", kind="start", detail="no Hello", at_unix_ns=NOW_NS)
        again = ledger.withdraw("cup", 1, "cat", kind="crashed", detail="later", at_unix_ns=NOW_NS + 1)
        ledger.withdraw("cup", 1, "ant", kind="start", detail="", at_unix_ns=NOW_NS + 2)

        assert (first, again) == (True, False)
        assert ledger.withdrawals("cup", 1) == (
            Withdrawal("cat", "start", "no Hello", NOW_NS),
            Withdrawal("ant", "start", "", NOW_NS + 2),
        )


@pytest.mark.parametrize(
    "match", ["cup/1/000099", "cup/2/000001", "zoo/1/000001", "17", "", "cup/1/" + "9" * 30, "cup/1/-1", "\x1b[31m/1/1"]
)
def test_a_match_that_is_not_there_is_named_in_one_line(tmp_path: Path, match: str) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        ledger.add_match(record())
        with pytest.raises(NotInLedger) as caught:
            ledger.record(match)

    assert str(caught.value).isprintable()


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as ledger:
        ledger.add_match(record(), times=[(0, 1, 1)], notes=[(0, 0, 0, "x")])
        ledger._database.execute("UPDATE records SET record = x'00', times = x'01ff', notes = x'00'")
        for read in (ledger.record, ledger.times, ledger.notes):
            with pytest.raises(HarnessError, match=r"match cup/1/000001 is damaged .* from a copy"):
                read("cup/1/000001")
        with pytest.raises(HarnessError, match="match cup/1/000001 is damaged"):
            list(ledger.record_lines("cup"))


def test_a_snapshot_sees_one_moment(tmp_path: Path) -> None:
    with begun(tmp_path / "arena.db") as writer, Ledger(tmp_path / "arena.db") as reader:
        writer.add_match(record(1))
        with reader.snapshot():
            before = reader.match_count("cup")
            writer.add_match(record(2))
            within = reader.match_count("cup"), len(list(reader.results("cup")))
        after = reader.match_count("cup")

    assert (before, within, after) == (1, (1, 1), 2)


def test_hostile_text_passes_through(tmp_path: Path) -> None:
    text = "'; DROP TABLE matches; -- \"`\n\r\t\0\x1b[2J\u202e=cmd()|'/C calc'!A0 " + "x" * 5000
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        begin(ledger, entries=[entry("fox", team=text), *(entry(label) for label in BOTS)])
        ledger.withdraw("cup", 1, "fox", kind="start", detail=text, at_unix_ns=NOW_NS)
        ledger.add_match(record(faulted=(0,), detail=text), notes=[(0, 0, 0, text)])

        assert ledger.entries("cup", 1)[0].team == text
        assert ledger.withdrawals("cup", 1)[0].detail == text
        assert ledger.record("cup/1/000001").faults[0].detail == text
        assert ledger.notes("cup/1/000001")[0].text == text


def test_match_ids_go_there_and_back() -> None:
    assert match_id("spring-cup", 2, 17) == "spring-cup/2/000017"
    assert parse_match_id("spring-cup/2/000017") == ("spring-cup", 2, 17)
    assert parse_match_id("spring-cup/2/1234567") == ("spring-cup", 2, 1234567)


@pytest.mark.parametrize(
    "text", ["", "a", "a/1", "a/1/17", "a/01/000017", "a/1/0000017", "a/1/００００１７", "a/1/2/000017"]
)
def test_what_is_no_match_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a match"):
        parse_match_id(text)


def test_finished_numbers_grow() -> None:
    finished = FinishedNumbers(iter([5]))
    finished.add(1_000)
    finished.add(5)

    assert list(finished) == [5, 1_000]
    assert len(finished) == 2


def test_a_folder_whose_name_is_no_text_holds_a_ledger_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9 %20?#")  # Latin-1, and what means something in the address of a file
    folder.mkdir()
    with Ledger(folder / "arena.db", create=True):
        pass
    with Ledger(folder / "arena.db") as ledger:
        assert ledger.rounds("spring") == ()
    assert [path.name for path in folder.iterdir()] == ["arena.db"]
