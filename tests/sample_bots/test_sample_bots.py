"""The sample bots that show the SDK, the snapshot mode and life without an SDK."""

import ast
import tomllib

import pytest

from harness import games, local
from harness.bot import GUILLOTINE, PARLIAMENT, ROYALTY, TAKE, Bot, View, pair, parse_card, parse_cards
from harness.games.game import Acted, Action, OptionValue
from harness.games.view import HandDealt
from harness.match import Match
from harness.record import MatchRecord, replay
from tests.bot.solo_arena import Lowest, arena, match_script
from tests.bot.story import card_set, view_of
from tests.sample_bots.programs import SAMPLES, bot_class, run_program

PROGRAMS = ("random", "stateless", "raw-stub")
SIZES = [("guillotine", 4), ("zhiletka", 2), ("zhiletka", 3), ("zhiletka", 6)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_sample_is_named_as_its_folder(name: str) -> None:
    manifest = tomllib.loads((SAMPLES / name / "bot.toml").read_text())

    assert (manifest["bot"]["name"], manifest["run"]["argv"]) == (name, ["{python}", "bot.py"])


def test_raw_stub_imports_nothing_of_the_harness() -> None:
    tree = ast.parse((SAMPLES / "raw-stub" / "bot.py").read_text())

    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"arena_pb2", "collections.abc", "grpc", "os", "queue", "sys"}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(("game", "seat_count"), [("guillotine", 4), ("zhiletka", 3)])
def test_a_program_plays_its_match_to_the_end(name: str, game: str, seat_count: int) -> None:
    # raw-stub draws the numbers that `random` draws.
    counterpart = bot_class("random" if name == "raw-stub" else name)
    played: list[Match] = []
    script = match_script(
        games.game(game),
        seat_count,
        seed=2,
        match_id=local.LOCAL_MATCH,
        played=played,
        snapshot=counterpart.snapshot,
    )
    with arena(script) as address:
        ended = run_program(name, address)

    record = local.play(game, [counterpart, *[Lowest] * (seat_count - 1)], seed=2)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [tuple(deal.actions) for deal in played[0].deals] == [deal.actions for deal in record.deals]


@pytest.mark.parametrize("name", ["random", "stateless"])
@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_a_match_of_samples_is_sound_and_repeats(name: str, game: str, seat_count: int) -> None:
    once, again = (local.play(game, [bot_class(name)] * seat_count, seed=3) for _ in range(2))

    replay(once)
    assert once == again
    assert once.faults == ()


OPTIONS: list[tuple[str, dict[str, OptionValue]]] = [
    ("guillotine", {"rank_order": "french", "ace_bonus": "one", "domino_same_rank": "any"}),
    ("guillotine", {"ace_bonus": "off"}),
    ("zhiletka", {"set_exact": False, "limit_attack": False, "undecided": "carry"}),
    ("zhiletka", {"set_on_take": False, "initial_tie": "eldest", "hands_per_seat": 2}),
]


@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_stateless_plays_under_all_options(game: str, options: dict[str, OptionValue]) -> None:
    record = local.play(game, [bot_class("stateless")] * 4, seed=8, options=options)

    assert record.faults == ()


@pytest.mark.parametrize(("game", "seat_count"), SIZES)
def test_stateless_is_a_function_of_what_it_sees(game: str, seat_count: int) -> None:
    stateless = bot_class("stateless")

    class Remembering(stateless):  # type: ignore[valid-type, misc]  # a class found at run time
        snapshot = False

    forgetful = local.play(game, [stateless] * seat_count, seed=3)
    assert local.play(game, [Remembering] * seat_count, seed=3).deals == forgetful.deals


def points_of(bot: type[Bot], record: MatchRecord, seats: list[type[Bot]]) -> int:
    return sum(points for points, seated in zip(record.points, seats, strict=True) if seated is bot)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seat_count", "better"), [("guillotine", 4, -1), ("zhiletka", 4, 1), ("zhiletka", 2, 1)]
)
def test_stateless_beats_random(game: str, seat_count: int, better: int) -> None:
    stateless, chance = bot_class("stateless"), bot_class("random")
    margins = []
    for seed in range(20):
        seats = [stateless if (seat + seed) % 2 else chance for seat in range(seat_count)]
        record = local.play(game, seats, seed=seed)
        margins.append(better * (points_of(stateless, record, seats) - points_of(chance, record, seats)))

    assert sum(margin > 0 for margin in margins) >= 17


def chosen(view: View, actions: str | tuple[Action, ...]) -> str:
    view.actions = parse_cards(actions) if isinstance(actions, str) else actions
    return view.name(bot_class("stateless")().choose(view))


@pytest.mark.parametrize(
    ("contract", "card"),
    [
        (ROYALTY, "play:JH"),  # as high as it can without winning
        (PARLIAMENT, "play:AH"),  # tricks are wanted, and others are still to play
    ],
)
def test_stateless_ducks_or_wins_as_the_contract_asks(contract: Action, card: str) -> None:
    hand = card_set("7H JH AH 8C")
    view = view_of("guillotine", HandDealt(0, 3, hand, 0), Acted(3, contract), Acted(3, parse_card("QH")))

    assert chosen(view, "7H JH AH") == card


def test_stateless_throws_the_costly_card_when_void() -> None:
    hand = card_set("7H QS AC")
    view = view_of("guillotine", HandDealt(0, 3, hand, 0), Acted(3, GUILLOTINE), Acted(3, parse_card("9D")))

    assert chosen(view, "AC 7H QS") == "play:QS"


def test_stateless_announces_what_its_hand_suits() -> None:
    low = view_of("guillotine", HandDealt(0, 0, card_set("7C 8C 7D 8D 7H 8H 7S 8S"), 0))
    high = view_of("guillotine", HandDealt(0, 0, card_set("AC KC AD KD AH QH AS KS"), 0))

    assert chosen(low, (ROYALTY, PARLIAMENT, GUILLOTINE)) == "contract:guillotine"
    assert chosen(high, (ROYALTY, PARLIAMENT, GUILLOTINE)) == "contract:parliament"


def test_stateless_attacks_with_the_card_that_does_not_fit() -> None:
    view = view_of("zhiletka", HandDealt(0, 3, card_set("6C 9C AD"), card_set("TS")))

    assert chosen(view, (*parse_cards("6C 9C AD"), pair(*parse_cards("6C 9C")))) == "attack:AD"


def test_stateless_takes_only_when_it_must() -> None:
    view = view_of("zhiletka", HandDealt(0, 2, card_set("8C 9C AC"), card_set("TS")), Acted(3, parse_card("7C")))

    assert chosen(view, (*parse_cards("8C 9C AC"), TAKE)) == "cover:8C"
