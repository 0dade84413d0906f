"""Versions: a name belongs to a team, a tree is one version, and what is retired plays no more."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.ledger import Ledger
from harness.store.versions import Versions
from tests.store.made_up import NOW_NS, begin, entry, record, version

A, B, C = "a" * 64, "b" * 64, "c" * 64


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def versions(ledger: Ledger) -> Versions:
    return ledger.versions


def test_a_version_comes_back(versions: Versions) -> None:
    kept = version(team="T 07 «ж»", manifest='{"bot":{}}', verdict="passed", retired_unix_ns=5)
    versions.add(kept)

    assert versions.get("fox", kept.sha256) == kept
    assert versions.get("fox", A) is None


def test_the_same_tree_again_is_the_same_version(versions: Versions) -> None:
    first = versions.add(version(sha256=A))
    again = versions.add(version(sha256=A, stored_unix_ns=NOW_NS + 9, submitted_unix_ns=NOW_NS + 9))

    assert again == first
    assert len(versions.of_name("fox")) == 1


def test_a_pinned_version_becomes_a_submitted_one(versions: Versions) -> None:
    versions.add(version(sha256=A, submitted_unix_ns=None))
    submitted = versions.add(version(sha256=A, team="T07", submitted_unix_ns=NOW_NS + 3, verdict="passed"))

    assert (submitted.team, submitted.submitted_unix_ns, submitted.verdict) == ("T07", NOW_NS + 3, "passed")
    assert versions.get("fox", A) == submitted


def test_a_submitted_version_stays_submitted_when_a_cup_pins_it(versions: Versions) -> None:
    submitted = versions.add(version(sha256=A, team="T07"))
    pinned = versions.add(version(sha256=A, submitted_unix_ns=None))

    assert pinned == submitted


def test_a_name_belongs_to_the_team_that_first_submitted_it(versions: Versions) -> None:
    versions.add(version(sha256=A, submitted_unix_ns=None, team="nobody"))
    versions.add(version(number="2.0", sha256=B, team="T07"))
    with pytest.raises(HarnessError, match="fox belongs to T07, who submitted it first; take another name"):
        versions.add(version(number="3.0", sha256=C, team="T08"))

    assert versions.owner_of("fox") == "T07"
    assert versions.get("fox", C) is None


def test_an_owner_with_a_hostile_name_is_shown_harmless(versions: Versions) -> None:
    versions.add(version(sha256=A, team="T\x1b[2J"))
    with pytest.raises(HarnessError) as caught:
        versions.add(version(number="2", sha256=B, team="T08"))

    assert str(caught.value).isprintable()


def test_the_number_of_a_submitted_version_is_used_once(versions: Versions) -> None:
    versions.add(version(sha256=A))
    with pytest.raises(HarnessError, match=r"fox 1\.0 was submitted with other contents; raise `version`"):
        versions.add(version(sha256=B))
    pinned = versions.add(version(sha256=C, submitted_unix_ns=None))

    assert pinned.sha256 == C


def test_a_name_means_its_newest_submitted_version(versions: Versions) -> None:
    versions.add(version(number="1.0", sha256=A))
    versions.add(version(number="1.1", sha256=B, submitted_unix_ns=NOW_NS + 1))
    versions.add(version(number="1.2", sha256=C, submitted_unix_ns=None))

    found = [versions.find(*form) for form in (("fox",), ("fox", "1.0"), ("fox", "1.2"), ("fox", "9"), ("owl",))]
    assert [row and row.version for row in found] == ["1.1", "1.0", "1.2", None, None]
    assert [row.version for row in versions.of_name("fox")] == ["1.1", "1.0", "1.2"]


def test_each_name_plays_with_its_newest_version_that_is_not_retired(versions: Versions) -> None:
    versions.add(version("owl", sha256=A))
    versions.add(version("fox", "1.0", A))
    versions.add(version("fox", "1.1", B, submitted_unix_ns=NOW_NS + 1))
    versions.add(version("elk", sha256=A, submitted_unix_ns=None))
    before = [(row.name, row.version) for row in versions.active()]
    versions.retire("fox", "1.1", at_unix_ns=NOW_NS + 2)
    after = [(row.name, row.version) for row in versions.active()]
    found = versions.find("fox")

    assert before == [("fox", "1.1"), ("owl", "1.0")]
    assert after == [("fox", "1.0"), ("owl", "1.0")]
    assert found is not None
    assert found.version == "1.0"


def test_a_name_is_retired_with_all_its_versions_and_comes_back(versions: Versions) -> None:
    versions.add(version(number="1.0", sha256=A))
    versions.add(version(number="1.1", sha256=B, submitted_unix_ns=NOW_NS + 1))
    retired = versions.retire("fox", at_unix_ns=NOW_NS + 2)
    gone = versions.active()
    versions.retire("fox", at_unix_ns=None)

    assert [(row.version, row.retired_unix_ns) for row in retired] == [("1.1", NOW_NS + 2), ("1.0", NOW_NS + 2)]
    assert gone == ()
    assert [row.version for row in versions.active()] == ["1.1"]


@pytest.mark.parametrize(
    ("name", "number", "hint"),
    [("fix", None, "did you mean fox?"), ("fox", "9.9", "fox@9.9 was never"), ("\x1b[2J", None, "was never submitted")],
)
def test_who_was_never_submitted_cannot_be_retired(
    versions: Versions, name: str, number: str | None, hint: str
) -> None:
    versions.add(version())
    with pytest.raises(HarnessError) as caught:
        versions.retire(name, number, at_unix_ns=NOW_NS)

    assert hint in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_verdict_is_kept(versions: Versions) -> None:
    versions.add(version(sha256=A))
    versions.set_verdict("fox", A, "failed: hello")

    kept = versions.get("fox", A)
    assert kept is not None
    assert kept.verdict == "failed: hello"


def test_listings_count_matches_and_faults_over_all_cups(ledger: Ledger) -> None:
    ledger.versions.add(version("fox", sha256=A))
    ledger.versions.add(version("owl", sha256=B))
    for cup in ("cup", "zoo"):
        begin(ledger, cup, entries=[entry("fox", sha256=A), entry("fox#2", sha256=A)])
        seats = tuple(seat._replace(sha256=A) for seat in record(labels=("fox", "fox#2"), places=(1, 2)).seats)
        made_up = record(cup=cup, labels=("fox", "fox#2"), places=(1, 2), faulted=(1,))
        ledger.add_match(replace(made_up, seats=seats))

    rows = [(row.version.name, row.match_count, row.fault_count) for row in ledger.versions.rows()]
    assert rows == [("fox", 4, 2), ("owl", 0, 0)]


def test_a_team_that_another_system_writes_in_another_way_keeps_its_bots(versions: Versions) -> None:
    versions.learn(version(sha256=A, version="1.0", team="E\u0301lan"))
    newer = version(sha256=B, version="2.0", team="\u00c9lan")

    assert versions.add(newer) == newer
    assert {kept.team for kept in versions.of_name("fox")} == {"\u00c9lan"}
