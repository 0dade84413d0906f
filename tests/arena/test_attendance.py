"""Deaths: each costs one match, the bot comes back to its other tables, and plays them as if nothing had happened."""

import itertools
from collections.abc import Sequence

import pytest

from harness import games
from harness.arena.specs import Played
from harness.bot import Action, Bot, View
from harness.bot.chance import SplitMix64
from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.view import Seen
from harness.match import TimeControl
from harness.record import SeatEntry, record_of, replay
from harness.wire import arena_pb2 as pb
from harness.wire.codec import seen_of
from tests.arena.in_memory import Clock, Death, MemoryArena
from tests.arena.tables import table

SMALL = games.game("zhiletka", {"hands_per_seat": 4})
CONTROL = TimeControl(10**10, 10**7, 10**9)
CRASH = Fault(FaultKind.CRASHED, "exited with code 1")
LABELS = ("mine", "other", "third")


class Steady(Bot):
    """Chooses at random, and always the same in the same position: it need not remember what it has drawn."""

    def choose(self, view: View) -> Action:
        return chance(view, "choice").choice(view.actions)


class Deadly(Steady):
    """Dies of some positions, always of the same ones."""

    one_in = 60

    def choose(self, view: View) -> Action:
        if chance(view, "death").below(self.one_in) == 0:
            raise Death
        return super().choose(view)


class Forgetful(Deadly):
    snapshot = True


def chance(view: View, what: str) -> SplitMix64:
    return SplitMix64((view.info.bot_seed + 1_000_003 * view.deal_index + 101 * len(view.history) + len(what)) >> 1)


def mortal(one_in: int) -> type[Bot]:
    """A bot that dies of every so many decisions, whatever they are about."""

    class Mortal(Steady):
        count = 0

        def choose(self, view: View) -> Action:
            Mortal.count += 1
            if Mortal.count % one_in == 0:
                raise Death
            return super().choose(view)

    return Mortal


def arena(mine: type[Bot], *, time_control: TimeControl | None = None, clock: Clock | None = None) -> MemoryArena:
    return MemoryArena({"mine": mine, "other": Steady, "third": Steady}, itertools.count(1), time_control, clock)


def play(mine: type[Bot], count: int, at_once: int) -> MemoryArena:
    there = arena(mine)
    there.keep_sent = False
    for first in range(1, count + 1, at_once):
        there.play([table(number, LABELS[:2], SMALL) for number in range(first, first + at_once)])
    assert len(there.played) == count
    return there


def lost(there: MemoryArena) -> set[str]:
    """Matches that ended in a fault of the bot under test, who alone may be at fault."""
    faults = [(played.table.match_id, at.seat) for played in there.played for at in played.match.faults]
    assert {seat for _, seat in faults} <= {0}
    return {match for match, _ in faults}


def digests(played: Sequence[Played]) -> dict[str, str]:
    found = {}
    for match in played:
        entries = [SeatEntry(label, "1", "") for label in match.table.seats]
        record = record_of(match.match, match_id="m", seats=entries)
        replay(record)
        found[match.table.match_id] = record.digest()
    return found


def told(there: MemoryArena, since: int = 0) -> list[pb.UpdateBatch]:
    """What the bot under test was told, but for the first `since` messages."""
    return [pb.PlayResponse.FromString(raw).updates for raw in there.sent["mine"][since:]]


def updates(there: MemoryArena, match_id: int, since: int = 0) -> list[pb.Update]:
    return [update for batch in told(there, since) for update in batch.updates if update.match_id == match_id]


def seen(updates: Sequence[pb.Update]) -> list[Seen | SeatFaulted]:
    events = (seen_of(event) for update in updates for event in update.events)
    return [event for event in events if event is not None]


# What it costs --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("mine", [Deadly, Forgetful])
def test_a_position_that_kills_costs_its_own_match_and_no_other_at_any_concurrency(mine: type[Bot]) -> None:
    alone = play(mine, 64, at_once=1)
    for at_once in (4, 64):
        together = play(mine, 64, at_once)

        assert together.most_owed["mine"] > 1
        assert digests(together.played) == digests(alone.played)
    assert 10 < len(lost(alone)) < 54


@pytest.mark.slow
def test_one_death_in_so_many_decisions_costs_as_many_matches_at_64_as_at_1() -> None:
    alone = play(mortal(100), 128, at_once=1)
    together = play(mortal(100), 128, at_once=64)

    assert len(lost(alone)) > 20
    assert abs(len(lost(together)) - len(lost(alone))) <= 0.1 * len(lost(alone))
    for there in (alone, together):
        assert len(lost(there)) == there.start_counts["mine"] - 1


def several_owed(count: int = 4) -> MemoryArena:
    """A bot that owes several answers."""
    there = arena(Steady, time_control=CONTROL)
    for number in range(1, count + 1):
        there.start(table(number, LABELS[:2], SMALL))
    for _ in range(6):
        there.turn()
    there.lives["mine"].session.to_send(there.clock())
    assert there.lives["mine"].owed_count > 1
    return there


def test_silence_costs_one_match_the_one_whose_answer_was_owed_longest() -> None:
    there = several_owed()
    longest = there.lives["mine"].session.owed[0]
    there.fall_silent("mine")
    there.play([])

    assert lost(there) == {f"test/1/{longest:06d}"}
    (fault,) = (at.fault for played in there.played for at in played.match.faults)
    assert fault == Fault(FaultKind.TIMEOUT, "gave no answer for 1 s")
    assert len(there.played) == 4


def test_what_was_owed_is_asked_again_one_at_a_time_and_before_anything_else() -> None:
    there = several_owed()
    held, *suspects = there.lives["mine"].session.owed
    since = len(there.sent["mine"])
    there.die("mine", CRASH)
    there.turn()
    batches = [[update.match_id for update in batch.updates] for batch in told(there, since) if batch.updates]

    assert batches[: len(suspects)] == [[suspect] for suspect in suspects]
    there.play([])
    assert lost(there) == {f"test/1/{held:06d}"}


@pytest.mark.parametrize("which", ["held", "suspect"])
def test_a_match_that_becomes_void_meanwhile_holds_up_no_inquest(which: str) -> None:
    there = several_owed()
    held, *suspects = there.lives["mine"].session.owed
    there.die("mine", CRASH)
    chosen = held if which == "held" else suspects[-1]
    (table_of_it,) = (table for table in there.running if table.id_of(0) == chosen)
    table_of_it.give_up("the machine failed")
    there.play([])

    assert lost(there) == (set() if which == "held" else {f"test/1/{held:06d}"})
    assert len(there.played) == 3
    assert not there.attendances["mine"].is_under_inquest


def test_who_dies_thrice_and_owes_nothing_is_withdrawn_with_the_kind_of_its_last_fault() -> None:
    there = arena(Steady)
    there.start(table(1, LABELS[:2], SMALL))
    there.turn()
    for _ in range(3):
        there.die("mine", CRASH)
    there.play([])

    (played,) = there.played
    assert [at.fault for at in played.match.faults] == [Fault(FaultKind.CRASHED, "withdrawn")]


def test_a_match_played_to_its_end_ends_a_row_of_failed_starts() -> None:
    there = arena(Steady)
    for number in range(1, 4):
        there.die("mine", CRASH)
        there.die("mine", CRASH)
        there.play([table(number, LABELS[:2], SMALL)])
        there.attendances["mine"].played()

    assert lost(there) == set()
    assert there.start_counts["mine"] == 7


# Coming back ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mine", [Steady, Forgetful])
@pytest.mark.parametrize("turns", [0, 1, 2, 7, 20])
def test_a_bot_that_was_away_plays_on_as_if_it_had_been_there(
    mine: type[Bot], turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Forgetful, "one_in", 1 << 62)
    specs = [table(number, LABELS, SMALL) for number in (1, 2, 3)]
    there = arena(mine, time_control=CONTROL)
    for spec in specs:
        there.start(spec)
    for _ in range(turns):
        there.turn()
    there.die("mine", CRASH, stays_away=True)
    there.play([])  # The others play as far as they come without it.
    assert len(there.running) == 3
    there.be_born("mine")
    there.play([])

    assert digests(there.played) == digests(arena(mine, time_control=CONTROL).play(specs))


def test_it_is_told_the_match_again_under_its_id_with_all_events_in_one_update() -> None:
    there = arena(Steady)
    for number in (1, 2):
        there.start(table(number, LABELS, SMALL))
    for _ in range(9):
        there.turn()
    since = len(there.sent["mine"])
    before = {match: seen(updates(there, match)) for match in (1, 2)}
    there.die("mine", CRASH)
    while there.turn():
        pass

    assert [begun.match_id for batch in told(there, since) for begun in batch.started] == [1, 2]
    for match in (1, 2):
        assert len(before[match]) > 10
        first = updates(there, match, since)[0]
        assert seen([first])[: len(before[match])] == before[match]
        assert first.HasField("request")


def test_no_two_matches_of_a_bot_have_one_id_whatever_stream_they_began_on() -> None:
    there = arena(Steady)
    there.play([table(1, LABELS, SMALL)])
    there.die("mine", CRASH)
    there.play([table(2, LABELS, SMALL)])

    assert [begun.match_id for batch in told(there) for begun in batch.started] == [1, 2]


def test_its_clock_stands_where_it_stood() -> None:
    clock = Clock()

    class Slow(Steady):
        def choose(self, view: View) -> Action:
            clock.now_ns += 300_000_000
            return super().choose(view)

    there = arena(Slow, time_control=CONTROL, clock=clock)
    there.start(table(1, LABELS, SMALL))
    for _ in range(4):
        there.turn()
    (running,) = there.running
    left_ns = running.match.banks_ns[0]
    assert left_ns is not None
    since = len(there.sent["mine"])
    there.die("mine", CRASH, stays_away=True)
    there.play([])
    clock.now_ns += 10 * CONTROL.bank_ns
    there.be_born("mine")
    there.turn()

    assert left_ns < CONTROL.bank_ns
    assert running.match.faults == []
    batch = next(batch for batch in told(there, since) if batch.started)
    assert batch.started[0].clock.ToNanoseconds() == CONTROL.bank_ns
    assert batch.updates[0].request.clock.ToNanoseconds() == left_ns


def test_a_match_that_a_bot_has_lost_is_not_told_again() -> None:
    there = arena(Steady)
    for number in (1, 2):
        there.start(table(number, LABELS, SMALL))
    there.turn()
    there.running[0].fault(0, CRASH, 0)
    since = len(there.sent["mine"])
    there.die("mine", CRASH)
    there.play([])

    assert {begun.match_id for batch in told(there, since) for begun in batch.started} == {2}


def test_a_match_that_ended_meanwhile_is_not_told_again() -> None:
    there = arena(Steady)
    there.start(table(1, LABELS, SMALL))
    there.turn()
    since = len(there.sent["mine"])
    there.die("mine", CRASH, stays_away=True)
    there.running[0].fault(0, CRASH, 0)  # whoever rules so: the others can end it without the bot
    there.play([])
    assert there.attendances["mine"].away_count == 0
    there.be_born("mine")
    there.turn()

    assert len(there.played) == 1
    assert [batch for batch in told(there, since) if batch.started] == []


def test_a_bot_comes_back_to_as_many_tables_as_it_can_sit_at() -> None:
    there = arena(Steady)
    for number in (1, 2, 3):
        there.start(table(number, LABELS, SMALL))
    there.turn()
    there.die("mine", CRASH, stays_away=True)
    attendance = there.attendances["mine"]
    assert (attendance.away_count, attendance.games) == (3, {"zhiletka"})
    there.be_born("mine", room=2)

    assert attendance.away_count == 1
    assert sorted(there.lives["mine"].seats) == [1, 2]
