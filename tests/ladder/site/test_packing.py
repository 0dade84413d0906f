"""A packed replay unfolds into the frames that it was packed from, in few bytes."""

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

from ladder.site.frames import Deal, Frame, Say
from ladder.site.packing import CARD_LETTERS, replay_members, replay_script, time_character
from tests.ladder.site.unfolding import unfold

PACK = ("7C", "8C", "7S", "8S")


def _frame(places: str, *says: Say, turn: int | None = 0, points: tuple[int, ...] = (0, 0), **more: Any) -> Frame:
    """`places` as `7C:hand.0 8C:hand.1`."""
    lies = dict(word.split(":") for word in places.split())
    return Frame(lies, says, turn, points)._replace(**more)


DEAL = Deal(
    "Royalty",
    0,
    "tricks",
    "stock",
    (
        _frame("7C:hand.0 8C:hand.1", Say("{s} deals", (0,)), turn=1, pot=120, tally=(0, 0)),
        _frame("7C:hand.0 8C:table.1", Say("{a} leads {m}"), turn=0, pot=120, tally=(0, 0), spent_ms=2.5),
        _frame(
            "7C:table.0 8C:table.1",
            Say("{a} plays {m}"),
            Say("{s} takes the trick", (1,)),
            turn=1,
            pot=120,
            tally=(0, 1),
            winner=1,
            house=(0,),
        ),
        _frame(
            "7C:won.1 8C:won.1 7S:hand.1", Say("{s} draws {p}", (1, "7S")), turn=1, pot=120, tally=(0, 1), house=(0,)
        ),
        _frame(
            "7C:won.1 8C:won.1 7S:hand.1",
            Say("{s} shows a set: {c}", (1, "7S")),
            Say("{s} takes {n} from the pot", (1, 120)),
            turn=None,
            points=(0, 120),
            pot=0,
            tally=(0, 1),
            house=(0,),
            out=(0,),
            shown=("7S",),
            note="<b>hm</b>",
        ),
    ),
    ending="set",
    tally_name="tricks",
)


def _members(deals: list[Deal]) -> Mapping[str, Any]:
    members = replay_members("m", "g", ("fox", "hen"), PACK, "points", deals)
    read: Mapping[str, Any] = json.loads(json.dumps(members))
    return read


def test_frames_come_back_as_they_were() -> None:
    (seen,) = unfold(_members([DEAL]))

    for frame, found in zip(DEAL.frames, seen, strict=True):
        assert {card: place for card, place in found.places.items() if place != "stock"} == frame.places
        assert found.turn == frame.turn
        assert found.points == frame.points
        assert found.pot == frame.pot
        assert found.tally == frame.tally
        assert (found.house, found.out, found.shown, found.winner) == (
            frame.house,
            frame.out,
            frame.shown,
            frame.winner,
        )
    assert [found.words for found in seen] == [
        ("0 deals",),
        ("1 leads 8C",),
        ("0 plays 7C", "1 takes the trick"),
        ("1 draws 7S",),
        ("1 shows a set: 7S", "1 takes 120 from the pot"),
    ]


def test_points_go_on_from_deal_to_deal() -> None:
    later = DEAL._replace(
        frames=tuple(
            frame._replace(points=tuple(sum(both) for both in zip(frame.points, (0, 120), strict=True)))
            for frame in DEAL.frames
        )
    )

    first, second = unfold(_members([DEAL, later]))

    assert first[-1].points == (0, 120)
    assert [seen.points for seen in second] == [frame.points for frame in later.frames]


def test_moves_that_differ_in_the_card_alone_share_a_shape() -> None:
    members = _members([DEAL, DEAL])

    assert len(members["shapes"]) == len(DEAL.frames) + 1  # the second deal begins with other points
    assert members["deals"][1]["f"][1:] == members["deals"][0]["f"][1:]


def test_notes_and_times_stand_at_their_frame() -> None:
    members = _members([DEAL])

    (deal,) = members["deals"]
    assert deal["notes"] == {"4": "<b>hm</b>"}
    assert deal["ms"] == time_character(2.5)


def test_the_script_holds_nothing_that_could_end_it_or_an_attribute() -> None:
    script = replay_script('</script>"', "g", ("</script>", "\u2028"), PACK, "points", [DEAL]).decode()

    packed = script.removeprefix('window.REPLAY="').removesuffix('";\n')
    assert not set(packed) & set('"\\\n\r')
    assert "</script" not in script
    members = json.loads(zlib.decompress(base64.b85decode(packed), wbits=-15))
    assert members["seats"] == ["</script>", "\ufffd"]


def test_a_sentence_with_too_few_arguments_is_refused() -> None:
    deal = DEAL._replace(frames=(_frame("7C:hand.0", Say("{s} draws {c}", (0,))),))

    with pytest.raises(ValueError, match="zip"):
        _members([deal])


def test_times_keep_their_order_over_the_whole_scale() -> None:
    spent = [0.0, 0.01, 0.02, 0.5, 1, 3, 10, 100, 1000, 60_000, 1e9]

    characters = [time_character(ms) for ms in spent]
    assert characters == sorted(characters)
    assert len(set(characters)) == len(characters) - 1  # nothing is shorter than the first step


def test_there_is_a_letter_for_every_card() -> None:
    assert len(set(CARD_LETTERS)) == 52
