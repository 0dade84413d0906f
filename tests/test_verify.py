"""`verify` finds nothing in an honest ledger and names whatever was changed in one."""

import asyncio
import json
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from harness import deals
from harness.errors import HarnessError
from harness.games import game
from harness.record import MatchRecord, RecordError, ReplayStep, replay, replay_steps
from harness.schedule import make_schedule
from harness.store.ledger import Ledger
from harness.tournament import play_cup
from harness.verify import LedgerDifference, verify_cup
from tests.in_process import Bots, InProcess, Interrupted, Notes, cup_file

Members = dict[str, Any]
"""A record as JSON tells it."""

FIELD = Bots("ant", "bee", "cat", "dog")
MATCH = "test/1/000005"
KEY = "match_key = 1000000005"


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of two rounds, of 12 and 6 matches."""
    folder = tmp_path_factory.mktemp("honest")
    with Ledger(folder / "arena.db", create=True) as ledger:
        for matches in (12, 18):
            cup = cup_file(folder, matches=matches)
            asyncio.run(play_cup(cup, ledger, FIELD, Notes(), InProcess().opener()))
    return folder / "arena.db"


@pytest.fixture
def ledger(honest: Path, tmp_path: Path) -> Iterator[Ledger]:
    """A copy of it, to be changed."""
    with Ledger(Path(shutil.copy(honest, tmp_path / "arena.db"))) as opened:
        opened._database.execute("PRAGMA foreign_keys = OFF")
        yield opened


def change(ledger: Ledger, sql: str) -> None:
    assert ledger._database.execute(sql).rowcount > 0


def rewrite(ledger: Ledger, match: str, edit: Callable[[Members], None], *, forge_hash: bool = True) -> None:
    """Changes the members of a record in place, and the hash beside it where a record comes of it."""
    members = json.loads(ledger.record(match).to_json())
    edit(members)
    line = json.dumps(members)
    _, round, number = match.split("/")
    key = int(round) * 1_000_000_000 + int(number)
    ledger._database.execute("UPDATE records SET record = ? WHERE match_key = ?", (zlib.compress(line.encode()), key))
    with suppress(RecordError):
        digest = bytes.fromhex(MatchRecord.from_json(line).digest())
        if forge_hash:
            ledger._database.execute("UPDATE records SET sha256 = ? WHERE match_key = ?", (digest, key))


def difference(ledger: Ledger) -> str:
    """The first difference, which is also what is heard first by whoever wants all of them."""
    with pytest.raises(LedgerDifference) as found:
        verify_cup(ledger, "test")
    assert differences(ledger)[0] == str(found.value)
    return str(found.value)


def differences(ledger: Ledger, processes: int = 1) -> list[str]:
    heard: list[str] = []
    with suppress(HarnessError):  # what differs may be such that nothing more can be read
        verify_cup(ledger, "test", on_difference=heard.append, processes=processes)
    return heard


def test_an_honest_ledger_has_no_difference(ledger: Ledger) -> None:
    counts: list[int] = []

    checked = verify_cup(ledger, "test", lambda count, total: counts.append(count))

    assert checked == 18
    assert counts == list(range(1, 19))


def test_a_round_under_way_has_no_difference(tmp_path: Path) -> None:
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        with pytest.raises(Interrupted):
            asyncio.run(play_cup(cup_file(tmp_path), ledger, FIELD, Notes(), InProcess(stop_after=5).opener()))

        assert verify_cup(ledger, "test") == 5


def test_a_round_ended_by_stop_has_no_difference_unless_one_of_its_matches_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.round.make_schedule", partial(make_schedule, heat_matches=3, max_matches=1))
    with Ledger(tmp_path / "arena.db", create=True) as ledger:
        cup = cup_file(tmp_path, matches=60, stop_hours=1e-9)
        played = asyncio.run(play_cup(cup, ledger, FIELD, Notes(), InProcess().opener())).match_count
        checked = verify_cup(ledger, "test")
        ledger._database.execute("PRAGMA foreign_keys = OFF")
        for table in ("records", "match_seats", "matches"):
            change(ledger, f"DELETE FROM {table} WHERE match_key = 1000000002")

        assert checked == played < 60
        assert difference(ledger) == "test/1/000002: it is missing, though the round has ended"


def set_deal(member: str, value: object) -> Callable[[Members], None]:
    def edit(members: Members) -> None:
        members["deals"][0][member] = value

    return edit


def swap_cards(members: Members) -> None:
    deal = members["deals"][0]
    cards = deal["deck"].split()
    cards[3], cards[-1] = cards[-1], cards[3]
    deal["deck"] = " ".join(cards)


def drop_last_card(members: Members) -> None:
    deal = members["deals"][0]
    deal["deck"] = " ".join(deal["deck"].split()[:-1])


def raise_points(members: Members) -> None:
    members["points"] = [members["points"][0] + 10, *members["points"][1:]]


def change_places(members: Members) -> None:
    members["places"] = members["places"][1:] + members["places"][:1]


def swap_seats(members: Members) -> None:
    first, second, *rest = members["seats"]
    members["seats"] = [second, first, *rest]


def drop_action(members: Members) -> None:
    members["deals"][0]["actions"].pop()


def add_fault(members: Members) -> None:
    members["faults"] = [{"seat": 0, "kind": "crashed", "deal": 0, "action": 0, "detail": ""}]


def repeat_last_deal(members: Members) -> None:
    members["deals"].append(members["deals"][-1])


def set_member(name: str, value: object) -> Callable[[Members], None]:
    return lambda members: members.update({name: value})


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (swap_cards, "test/1/000005, deal 0: the deck differs from card 3 on"),
        (drop_last_card, "test/1/000005, deal 0: the deck differs from card 35 on"),
        (set_deal("deck", "7C XX"), "test/1/000005: its record cannot be read: "),
        (set_deal("actions", ["attack:??"]), "test/1/000005, deal 0, action 0: "),
        (drop_action, "test/1/000005, deal 0: the deal is not over after "),
        (repeat_last_deal, "test/1/000005, deal 12: the deck differs from card 0 on"),
        (set_deal("points", [1, 2, -3]), "test/1/000005, deal 0: points (1, 2, -3) recorded, "),
        (set_deal("dealer", 7), "test/1/000005: its record cannot be read: "),
        (raise_points, "test/1/000005: points "),
        (change_places, "test/1/000005: places "),
        (swap_seats, "test/1/000005: bots "),
        (add_fault, "test/1/000005"),
        (set_member("first_dealer", 7), "test/1/000005: its record cannot be read: "),
        (set_member("match", "test/1/000004"), "test/1/000005: id test/1/000004 in the ledger, test/1/000005 derived"),
        (set_member("block", "000001"), "test/1/000005: block 000001 in the ledger, "),
        (set_member("rotation", 3), "test/1/000005: rotation 3 in the ledger, "),
        (set_member("options", {"ante": 1000}), "test/1/000005: options {'ante': 1000} in the ledger, {} derived"),
        (set_member("rules_version", "0"), "test/1/000005: rules version 0 in the ledger, "),
        (set_member("game", "guillotine"), "test/1/000005: game guillotine in the ledger, zhiletka derived"),
        (set_member("round", 2), "test/1/000005: round 2 in the ledger, 1 derived"),
    ],
)
def test_whatever_is_changed_in_a_record_is_named(ledger: Ledger, edit: Callable[[Members], None], named: str) -> None:
    rewrite(ledger, MATCH, edit)

    assert difference(ledger).startswith(named)


def same_outcome(record: MatchRecord) -> list[str] | None:
    """Actions of the first deal with one changed, as legal and worth the same; None where there are none."""
    rules = game(record.game, record.options)
    actions = list(record.deals[0].actions)
    for step in replay_steps(record):
        if not isinstance(step, ReplayStep) or step.deal_index or len(step.before.actions) < 2:
            continue
        for other in step.before.actions:
            text = rules.action_name(step.before, other)
            state, _ = step.before.act(other)
            changed = [*actions[: step.action_index], text]
            while state.turn is not None:
                changed.append(rules.action_name(state, state.actions[0]))
                state, _ = state.act(state.actions[0])
            if text != step.text and state.points == record.deals[0].points:
                return changed
    return None


def test_a_game_as_legal_as_the_one_played_and_worth_the_same_is_found_by_its_hash(ledger: Ledger) -> None:
    found = next((record.match, same_outcome(record)) for record in ledger.records("test") if same_outcome(record))
    rewrite(ledger, found[0], set_deal("actions", found[1]), forge_hash=False)

    assert replay(ledger.record(found[0])).points == ledger.record(found[0]).points
    assert difference(ledger) == f"{found[0]}: its record is not the one that was kept when it was played"


def test_the_detail_of_a_record_that_no_rule_derives_is_found_by_its_hash(ledger: Ledger) -> None:
    change(ledger, f"UPDATE records SET sha256 = zeroblob(32) WHERE {KEY}")

    assert difference(ledger) == "test/1/000005: its record is not the one that was kept when it was played"


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        (f"UPDATE match_seats SET place = 1 WHERE {KEY}", "test/1/000005, the rows that the ladder reads: places "),
        (
            f"UPDATE match_seats SET points = points + 10 WHERE {KEY} AND seat = 1",
            "test/1/000005, the rows that the ladder reads: points ",
        ),
        (f"UPDATE match_seats SET fault = 'crashed' WHERE {KEY} AND seat = 1", "test/1/000005, the rows that "),
        (
            f"UPDATE match_seats SET entry_key = 1 + entry_key % 4 WHERE {KEY}",
            "test/1/000005, the rows that the ladder reads: bots ",
        ),
        (f"UPDATE matches SET block = 1 WHERE {KEY}", "test/1/000005, the rows that the ladder reads: block "),
        (f"DELETE FROM match_seats WHERE {KEY}", "test/1/000005: the rows that the ladder reads are missing"),
        (f"DELETE FROM match_seats WHERE {KEY} AND seat = 2", "test/1/000005, the rows that the ladder reads: "),
        (f"DELETE FROM records WHERE {KEY}", "test/1/000005: its record cannot be read: "),
        (f"UPDATE records SET record = x'00' WHERE {KEY}", "test/1/000005: its record cannot be read: "),
        ("UPDATE rounds SET secret = zeroblob(32) WHERE round = 1", "test, round 1: commitment "),
        (f"UPDATE rounds SET commitment = '{'0' * 64}' WHERE round = 2", "test, round 2: commitment 0000"),
        ("UPDATE rounds SET schedule_sha256 = 'ff' WHERE round = 1", "test, round 1: schedule ff in the ledger, "),
        (
            "UPDATE rounds SET settings = replace(settings, '\"matches\":12', '\"matches\":15')",
            "test, round 1: budget",
        ),
        ("UPDATE rounds SET settings = replace(settings, '\"seed\":42', '\"seed\":43')", "test, round 1: the secret "),
        ("UPDATE rounds SET round = 7 WHERE round = 1", "test: round 2 in the ledger, 1 derived"),
    ],
)
def test_whatever_is_changed_beside_the_records_is_named(ledger: Ledger, sql: str, named: str) -> None:
    change(ledger, sql)

    assert difference(ledger).startswith(named)


def test_a_secret_with_a_commitment_of_its_own_is_found_by_the_seed(ledger: Ledger) -> None:
    change(
        ledger,
        f"UPDATE rounds SET secret = zeroblob(32), commitment = '{deals.commitment(bytes(32)).hex()}' WHERE round = 1",
    )

    assert difference(ledger) == "test, round 1: the secret does not follow from the seed 42"


@pytest.mark.parametrize("number", [1, 5, 12])
def test_a_match_that_is_gone_is_named(ledger: Ledger, number: int) -> None:
    for table in ("records", "match_seats", "matches"):
        change(ledger, f"DELETE FROM {table} WHERE match_key = {1_000_000_000 + number}")

    assert difference(ledger) == f"test/1/{number:06d}: it is missing, though the round has ended"


def test_a_match_that_the_schedule_does_not_have_is_named(ledger: Ledger) -> None:
    for table in ("matches", "match_seats", "records"):
        change(ledger, f"UPDATE {table} SET match_key = 1000000013 WHERE match_key = 1000000012")
    rewrite(ledger, "test/1/000013", set_member("match", "test/1/000013"))

    assert difference(ledger) == "test/1/000013: the schedule has 12 matches"


@pytest.mark.slow
def test_several_processes_find_the_same_and_the_first_difference_in_the_order_of_the_ids(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.verify.FEW_MATCHES", 2)
    monkeypatch.setattr("harness.verify.CHUNK_MATCHES", 2)
    counts: list[int] = []
    assert verify_cup(ledger, "test", lambda count, total: counts.append(count), processes=3) == 18
    for match in ("test/1/000011", MATCH):
        rewrite(ledger, match, lambda members: members["points"].reverse())
    with pytest.raises(LedgerDifference) as found:
        verify_cup(ledger, "test", processes=3)

    assert counts == list(range(2, 19, 2))
    assert str(found.value) == difference(ledger)
    assert MATCH in str(found.value)
    assert differences(ledger, processes=3) == differences(ledger)


def test_whoever_wants_all_differences_hears_them_in_order_and_all_matches_are_checked(ledger: Ledger) -> None:
    for match in ("test/2/000004", MATCH, "test/1/000011"):
        rewrite(ledger, match, lambda members: members["points"].reverse())
    change(ledger, "UPDATE rounds SET commitment = printf('%064d', 1) WHERE round = 2")
    for table in ("records", "match_seats", "matches"):
        change(ledger, f"DELETE FROM {table} WHERE match_key = 1000000007")
        change(ledger, f"DELETE FROM {table} WHERE match_key = 1000000003")
    counts: list[int] = []
    heard: list[str] = []

    checked = verify_cup(ledger, "test", lambda count, total: counts.append(count), heard.append)

    assert checked == counts[-1] == 16
    assert [difference.partition(":")[0].partition(", deal")[0] for difference in heard] == [
        "test/1/000005",
        "test/1/000011",
        "test/1/000003",
        "test/1/000007",
        "test, round 2",  # its budget follows from what was played before
        "test, round 2",
        "test/2/000004",
    ]


def test_a_round_that_is_gone_is_named_once_and_the_later_ones_are_checked(ledger: Ledger) -> None:
    for table in ("records", "match_seats", "matches"):
        change(ledger, f"DELETE FROM {table} WHERE match_key < 2000000000")
    change(ledger, "DELETE FROM rounds WHERE round = 1")

    heard = differences(ledger)

    assert heard[0] == "test: round 2 in the ledger, 1 derived" == difference(ledger)
    assert not any("test/2/" in difference for difference in heard)
