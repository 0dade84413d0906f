"""Whole matches, packed and unfolded again."""

import json

import pytest

from harness.cards import card_name
from harness.games import game
from harness.publish.frames import Beside, deals_of
from ladder.site.packing import replay_members, replay_script
from tests.ladder.site.unfolding import unfold
from tests.publish.conftest import Played

MOST_BYTES = {"guillotine": 4000, "zhiletka": 3000}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["guillotine", "zhiletka"])
def test_a_match_unfolds_into_its_frames(name: str, request: pytest.FixtureRequest) -> None:
    played: Played = request.getfixturevalue(name)
    ledger, cup = played
    for record in ledger.records(cup.name):
        pack = [card_name(card) for card in game(record.game, record.options).pack]
        seats = [seat.bot for seat in record.seats]
        deals = list(deals_of(record, Beside(ledger.times(record.match))))

        members = replay_members(record.match, record.game, seats, pack, "points", deals)
        unfolded = unfold(json.loads(json.dumps(members)))
        assert len(unfolded) == len(deals)
        for deal, seen in zip(deals, unfolded, strict=True):
            for frame, found in zip(deal.frames, seen, strict=True):
                assert {card: found.places[card] for card in frame.places} == frame.places
                assert {found.places[card] for card in set(pack) - set(frame.places)} <= {deal.rest}
                assert found[2:] == (
                    frame.turn,
                    frame.points,
                    frame.pot,
                    frame.tally or (0,) * len(seats),
                    frame.house,
                    frame.out,
                    frame.shown,
                    frame.winner,
                )

        script = replay_script(record.match, record.game, seats, pack, "points", deals)
        assert len(script) < MOST_BYTES[name]
