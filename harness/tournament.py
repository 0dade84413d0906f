"""Plays cups: finishes the round under way, then plays another where the file asks for more than the ledger holds.

A round is fixed when it starts (`harness.round`); what is played is what is missing. So a resumed run,
a late entry, a longer cup and a cron job are the same call, `play_cup`.
"""

import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from harness import deals, interruption
from harness.agenda import next_plan, plan_of, replay_plan, season_remark, settings_of
from harness.arena.specs import BotSpec
from harness.cup import CupFile, check_change
from harness.errors import HarnessError
from harness.executor import OpenExecutor
from harness.observer import Observer
from harness.round import RoundPlan
from harness.round_player import RoundPlayer
from harness.shard import WHOLE, Shard
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Round


class Roster(Protocol):
    """Where the bots of a cup come from and how their processes are started."""

    def entries(self, cup: CupFile) -> tuple[Entry, ...]:
        """The bots that the file names now, each stored as a version, fill included. HarnessError where one is bad."""

    def spec(self, entry: Entry, cup: CupFile) -> BotSpec:
        """How to start the pinned version of `entry`."""


@dataclass(frozen=True)
class CupRun:
    """What a call of `play_cup` did."""

    match_count: int
    """Matches played now."""
    withdrawn: tuple[str, ...]
    """Labels of bots withdrawn in the rounds played now."""


async def play_cup(
    cup: CupFile,
    ledger: Ledger,
    roster: Roster,
    observer: Observer,
    open_executor: OpenExecutor,
    *,
    shard: Shard = WHOLE,
) -> CupRun:
    """Plays what `cup` asks for and the ledger does not hold yet. The caller holds the cup's run lock.

    Of a `shard` its blocks of the round under way, or of the next where the cup has a seed; the round goes on until a
    run plays what is missing of the whole.

    HarnessError where the file changed in a way that a cup under way does not accept.
    """
    played = 0
    withdrawn: list[str] = []
    while due := _due_round(cup, ledger, roster, observer, may_begin=shard == WHOLE or cup.cup.seed is not None):
        player = RoundPlayer(*due, ledger, roster.spec, observer, open_executor, shard)
        await player.play()
        played += player.match_count
        withdrawn += player.withdrawn
        if player.stopped is not None or shard != WHOLE:
            break
    return CupRun(played, tuple(withdrawn))


def begin_round(cup: CupFile, ledger: Ledger, roster: Roster, observer: Observer) -> RoundPlan | None:
    """Begins the round that is due, with entries, schedule and commitment, and plays nothing of it: its plan.

    Where one is under way, it is that; None where nothing is due.
    """
    with ledger.run_lock(cup.name):
        due = _due_round(cup, ledger, roster, observer)
    if due is None:
        return None
    plan, _ = due
    row, done = ledger.round(cup.name, plan.number), ledger.match_count(cup.name, plan.number)
    observer.round_begins(plan, row.commitment, done, plan.schedule.match_count)
    return plan


def _due_round(
    cup: CupFile, ledger: Ledger, roster: Roster, observer: Observer, *, may_begin: bool = True
) -> tuple[RoundPlan, bytes] | None:
    """The round under way with its secret, else the next one, which begins with this; None where nothing is due."""
    rounds = ledger.rounds(cup.name)
    if rounds:
        check_change(settings_of(rounds[-1]), cup, source=cup.name)
        if (remark := season_remark(cup, rounds)) is not None:
            observer.notice(remark)
    if rounds and rounds[-1].ended_unix_ns is not None and rounds[-1].revealed_unix_ns is None:
        ledger.reveal(cup.name, rounds[-1].round, at_unix_ns=time.time_ns())
    if rounds and rounds[-1].ended_unix_ns is None:
        plan, secret = _plan_under_way(cup, ledger, rounds[-1])
        _tell_changed_folders(cup, roster, plan, observer)
        return plan, secret
    due = replay_plan(cup, ledger) or next_plan(cup, roster.entries(cup), ledger)
    if due is not None and not may_begin:
        raise HarnessError(
            f"{cup.name}: shards share a round that has begun: begin it once with `cardarena run CUP.toml --begin`, "
            "then copy the cup file and the home to the other machines"
        )
    return None if due is None else (due, _start_round(due, ledger))


def _plan_under_way(cup: CupFile, ledger: Ledger, row: Round) -> tuple[RoundPlan, bytes]:
    plan = plan_of(ledger, row)
    secret = ledger.round_secret(row.cup, row.round)
    if secret is None:
        raise HarnessError(f"{row.cup}, round {row.round}: its secret is not here; finish it where it began")
    if plan.schedule.digest() != row.schedule_sha256:
        raise HarnessError(
            f"{row.cup}, round {row.round}: this cardarena makes another schedule of it; finish it with the one "
            "that began it"
        )
    limits = plan.cup.limits.model_copy(update={"jobs": cup.limits.jobs})
    return replace(plan, cup=plan.cup.model_copy(update={"limits": limits, "stop": cup.stop})), secret


def _start_round(plan: RoundPlan, ledger: Ledger) -> bytes:
    seed = plan.cup.cup.seed
    secret = secrets.token_bytes(32) if seed is None else deals.secret_from_seed(seed, plan.number)
    ledger.start_round(
        plan.cup.name,
        plan.number,
        settings=plan.cup.pinned(),
        budget=plan.budget.pinned(),
        schedule_sha256=plan.schedule.digest(),
        commitment=deals.commitment(secret).hex(),
        secret=secret,
        entries=plan.entries,
        started_unix_ns=time.time_ns(),
    )
    return secret


def _tell_changed_folders(cup: CupFile, roster: Roster, plan: RoundPlan, observer: Observer) -> None:
    """A cup plays what it pinned: says once which bots have changed since."""
    pinned = {entry.label: entry for entry in plan.entries}
    with suppress(HarnessError):  # a folder that is gone or broken is no matter: the pinned copy plays
        for entry in roster.entries(cup):
            before = pinned.get(entry.label)
            if before is None:
                observer.notice(f"{entry.label} is new: it plays in the next round")
            elif before.sha256 != entry.sha256:
                observer.notice(
                    f"{entry.label} has changed since round {plan.number} began; the round plays the version that it "
                    f"pinned ({before.version}, {before.sha256[:12]})"
                )


def run_until_stopped(
    cup: CupFile,
    ledger: Ledger,
    roster: Roster,
    observer: Observer,
    open_executor: OpenExecutor,
    *,
    shard: Shard = WHOLE,
) -> CupRun:
    """`play_cup` in a loop of its own, under the cup's lock. KeyboardInterrupt once SIGINT or SIGTERM has ended it.

    What was finished by then is in the ledger and nothing of a bot is alive.
    """
    with ledger.run_lock(cup.name):
        return interruption.run(play_cup(cup, ledger, roster, observer, open_executor, shard=shard))
