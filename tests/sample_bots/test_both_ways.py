"""The same bots play the same matches as processes in the arena and as classes in this process."""

import sys

import pytest

from harness import deals, games, local
from harness.arena import Arena, BotSpec, Played, TableSpec
from harness.bot import Bot
from harness.match import TimeControl
from tests.sample_bots.programs import SAMPLES, bot_class

NAMES = ("random", "stateless", "raw-stub")
PATIENT = TimeControl(bank_ns=600_000_000_000, increment_ns=0, decision_ns=60_000_000_000)


def table(game: str, seed: int) -> TableSpec:
    """A table of the three samples, `random` twice where the game wants four, dealt as `harness.local` deals."""
    secret = deals.secret_from_seed(seed, 1)
    labels = (*NAMES, "random#2") if game == "guillotine" else NAMES
    turn = seed % len(labels)
    pack = games.game(game).pack
    match_id = f"both-ways/1/{seed:06d}"
    return TableSpec(
        match_id=match_id,
        game=games.game(game),
        seats=labels[turn:] + labels[:turn],
        first_dealer=deals.first_dealer(secret, local.LOCAL_BLOCK, len(labels)),
        deck=lambda deal_index: deals.deck(secret, local.LOCAL_BLOCK, deal_index, pack),
        bot_seeds=tuple(deals.bot_seed(secret, match_id, seat) for seat in range(len(labels))),
    )


def class_of(label: str) -> type[Bot]:
    name = label.split("#")[0]
    return bot_class("random" if name == "raw-stub" else name)  # raw-stub draws the numbers that `random` draws


@pytest.mark.slow
async def test_processes_play_what_classes_play() -> None:
    tables = {seed: table("guillotine" if seed % 4 == 0 else "zhiletka", seed) for seed in range(24)}
    bots = [
        BotSpec(label, (sys.executable, "bot.py"), SAMPLES / label.split("#")[0], max_matches=8, start_s=60.0)
        for label in (*NAMES, "random#2")
    ]
    played: dict[str, Played] = {}

    def keep(match: Played) -> None:
        played[match.table.match_id] = match

    async with Arena(time_control=PATIENT) as arena:
        report = await arena.play(bots, tables.values(), keep)

    assert report.withdrawn == ()
    assert len(played) == len(tables)
    for seed, spec in tables.items():
        record = local.play(spec.game, [class_of(label) for label in spec.seats], seed=seed, match_id=spec.match_id)
        match = played[spec.match_id].match
        assert match.faults == []
        assert [tuple(deal.actions) for deal in match.deals] == [deal.actions for deal in record.deals]
