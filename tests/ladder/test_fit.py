"""The fit against hand computation, other software, and its own symmetries."""

import csv
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power
from scipy.special import expit

from ladder.columns import gather
from ladder.errors import LadderError
from ladder.fit import ELO_PER_UNIT, Fit, Unconnected, fit
from ladder.pairs import field_of
from ladder.pgn import read_pgn
from ladder.results import Result
from ladder.sandwich import scatter
from tests.ladder.made_up import played_cup, result, scored, series

REFERENCE = Path(__file__).parent / "reference"
SETS = ("tcec_s15_div4a", "tcec_s28_4k_v", "pentaordo_example")


def _table(name: str) -> dict[str, dict[str, str]]:
    with (REFERENCE / name).open() as file:
        return {row.get("PLAYER") or row["player"]: row for row in csv.DictReader(file)}


def _reference_fit(name: str) -> Fit:
    return fit(read_pgn(REFERENCE / f"{name}.pgn"), prior=0, pool_mean=0)


def _same(one: Fit, other: Fit) -> None:
    assert one.players == other.players
    for name in ("elo", "se", "blocks", "covariance", "model_covariance", "limit", "freedom", "provisional"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("name", SETS)
def test_without_a_prior_ratings_are_those_of_ordo(name: str) -> None:
    rated = _reference_fit(name)

    expected = _table(f"{name}.points400.csv")
    assert set(expected) == set(rated.players)
    for player, elo in zip(rated.players, rated.elo, strict=True):
        assert elo == pytest.approx(float(expected[player]["RATING"]), abs=0.001)


@pytest.mark.parametrize("name", SETS)
def test_both_kinds_of_error_are_those_of_independent_programs(name: str) -> None:
    rated = _reference_fit(name)
    field = field_of(gather(read_pgn(REFERENCE / f"{name}.pgn")))
    inverse = rated.model_covariance / ELO_PER_UNIT**2
    count = len(rated.players)

    found = scatter(field, rated.elo / ELO_PER_UNIT, inverse, np.ones(count), prior=0).meat

    expected = _table(f"{name}.compare.csv")
    # A game of two has one surprise and one leverage; CR1, CR2 and CR3 differ by what is divided by what is left.
    meats = {power: np.zeros((count, count)) for power in (0.0, 0.5, 1.0)}
    table = field.tables[0]
    for (i, j), (first, second) in zip(table.player, table.place, strict=True):
        ahead = expit((rated.elo[i] - rated.elo[j]) / ELO_PER_UNIT)
        surprise = (np.sign(second - first) + 1) / 2 - ahead
        leverage = ahead * (1 - ahead) * (inverse[i, i] + inverse[j, j] - 2 * inverse[i, j])
        for power, meat in meats.items():
            square = (surprise / (1 - leverage) ** power) ** 2
            meat[np.ix_([i, j], [i, j])] += square * np.array([[1, -1], [-1, 1]])
    games = len(table.player)
    errors = {power: ELO_PER_UNIT * np.sqrt((inverse @ meat @ inverse).diagonal()) for power, meat in meats.items()}
    assert found == pytest.approx(meats[0.5], abs=1e-9)
    for i, player in enumerate(rated.players):
        row = expected[player]
        assert np.sqrt(rated.model_covariance[i, i]) == pytest.approx(float(row["fisher_se"]), abs=0.001)
        assert errors[0.0][i] * (games / (games - 1)) ** 0.5 == pytest.approx(
            float(row["robust_se_CR1_game"]), abs=0.01
        )
        assert errors[1.0][i] * ((games - 1) / games) ** 0.5 == pytest.approx(
            float(row["robust_se_CR3_game"]), abs=0.01
        )
        assert errors[0.0][i] < errors[0.5][i] < errors[1.0][i]


def test_blocks_of_several_are_corrected_by_the_root_of_what_is_left_of_them() -> None:
    rated = fit(played_cup(bots=6, blocks=12, rotations=2), prior=0)
    field = field_of(gather(played_cup(bots=6, blocks=12, rotations=2)))
    inverse, strength = rated.model_covariance / ELO_PER_UNIT**2, rated.elo / ELO_PER_UNIT

    found = scatter(field, strength, inverse, np.ones(6), prior=0).meat

    meat = np.zeros((6, 6))
    (table,) = field.tables
    for block in np.unique(table.block):
        score, curvature = np.zeros(6), np.zeros((6, 6))
        for player, place in zip(table.player[table.block == block], table.place[table.block == block], strict=True):
            for one, other in combinations(range(4), 2):
                i, j = player[one], player[other]
                ahead = expit(strength[i] - strength[j])
                surprise = (np.sign(place[other] - place[one]) + 1) / 2 - ahead
                score[[i, j]] += table.weight * surprise * np.array([1, -1])
                curvature[np.ix_([i, j], [i, j])] += table.weight * ahead * (1 - ahead) * np.array([[1, -1], [-1, 1]])
        corrected = np.real(fractional_matrix_power(np.eye(6) - curvature @ inverse, -0.5)) @ score
        meat += np.outer(corrected, corrected)
    assert found == pytest.approx(meat, abs=1e-9)


def test_bots_with_few_blocks_have_the_scatter_of_the_field() -> None:
    games = played_cup(bots=12, blocks=240, rotations=4)
    late = [
        scored(f"late{i}", f"late{i // 4}", ["late", "bot1", "bot2", "bot3"], [(5 * i + 3 * j) % 4 for j in range(4)])
        for i in range(40)
    ]

    rated = fit([*games, *late])

    i = rated.index("late")
    assert i is not None
    assert (rated.blocks[i], rated.freedom[i]) == (10, 19)
    assert rated.freedom[0] == rated.blocks[0] + 9
    # Whether its own few blocks look calm or wild, its error is near that of the field's luck, not of the model's.
    calm = fit([*games, *(result._replace(places=(2, 1, 3, 4)) for result in late)])
    assert 0.5 < calm.se[i] / rated.se[i] < 2


def test_two_bots_that_met_each_other_alone_are_the_whole_field() -> None:
    rated = fit(series(*["ab", "ba", "ab"] * 10))

    assert rated.freedom.tolist() == [29, 29]


def _three(copies: int = 1) -> list[Result]:
    """A takes 75 % from B, B 75 % from C, A 90 % from C: 20 games a pair."""
    games = ["ab"] * 15 + ["ba"] * 5 + ["bc"] * 15 + ["cb"] * 5 + ["ac"] * 18 + ["ca"] * 2
    return series(*games * copies)


def test_three_players_by_hand() -> None:
    # Odds of 3, 3 and 9 fit exactly when neighbours are 400 log10(3) apart.
    rated = fit(_three(), prior=0, pool_mean=0)

    assert rated.elo == pytest.approx([400 * math.log10(3), 0, -400 * math.log10(3)], abs=1e-6)
    assert rated.elo[0] == pytest.approx(190.849, abs=0.001)


def test_the_same_games_four_times_halve_the_error_and_move_nothing() -> None:
    once, four_times = fit(_three(), prior=0), fit(_three(4), prior=0)

    assert four_times.elo == pytest.approx(once.elo, abs=1e-6)
    assert four_times.model_covariance == pytest.approx(once.model_covariance / 4, rel=1e-9)
    assert four_times.se == pytest.approx(once.se / 2, rel=0.05)  # the sandwich corrects small samples


def test_copies_inside_their_block_leave_the_errors_alone() -> None:
    games = played_cup(blocks=80)
    copies = [game._replace(match=f"{game.match}/{copy}") for game in games for copy in range(4)]

    once, four_times = fit(games, prior=0), fit(copies, prior=0)

    assert four_times.elo == pytest.approx(once.elo, abs=1e-6)
    assert four_times.se == pytest.approx(once.se, rel=1e-6)


def test_order_of_matches_changes_no_bit() -> None:
    games = played_cup(seats=(2, 3, 4, 5, 6), rotations=2)

    shuffled = [games[i] for i in np.random.default_rng(3).permutation(len(games))]

    _same(fit(games), fit(shuffled))


def test_telling_results_twice_changes_no_bit() -> None:
    games = played_cup()

    _same(fit(games), fit([*games, *games[10:40]]))


def test_order_of_seats_changes_nothing() -> None:
    games = played_cup(seats=(2, 3, 6))
    turned = [
        game._replace(bots=game.bots[::-1], places=game.places[::-1], points=(game.points or ())[::-1])
        for game in games
    ]

    one, other = fit(games), fit(turned)

    assert one.elo == pytest.approx(other.elo, abs=1e-8)
    assert one.se == pytest.approx(other.se, abs=1e-8)


def test_renaming_bots_changes_nothing() -> None:
    games = played_cup(bots=6)
    renamed = [game._replace(bots=tuple(f"bot{5 - int(bot[3:])}" for bot in game.bots)) for game in games]

    one, other = fit(games), fit(renamed)

    assert one.elo == pytest.approx(other.elo[::-1], abs=1e-8)
    assert one.se == pytest.approx(other.se[::-1], abs=1e-8)


def test_ties_are_half_points() -> None:
    rated = fit(series("(abcd)", "(abcd)", "abcd"), prior=0, pool_mean=0)

    # Weights are 3/5: each of a's three pairs scored 2 of 3.
    assert rated.points_won[0] == pytest.approx(0.6 * 6)
    assert rated.points_lost[0] == pytest.approx(0.6 * 3)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_pairs_of_a_match_weigh_three_over_seats_plus_one(size: int) -> None:
    rated = fit([scored("m", None, "abcdef"[:size], range(size))])

    assert rated.points_won[-1] == pytest.approx(3 / (size + 1) * (size - 1))


@pytest.mark.slow
def test_leaving_out_a_block_is_what_the_sandwich_estimates() -> None:
    games = played_cup(blocks=200, rotations=2, seed=5)
    blocks = sorted({game.block or game.match for game in games})

    rated = fit(games, pool_mean=0)
    left_out = np.array([fit([game for game in games if game.block != block], pool_mean=0).elo for block in blocks])
    jackknife = np.sqrt((len(blocks) - 1) / len(blocks) * ((left_out - rated.elo) ** 2).sum(axis=0))

    assert not rated.provisional.any()
    assert rated.se == pytest.approx(jackknife, rel=0.03)


def test_an_anchor_shifts_everybody_and_has_no_error() -> None:
    games = played_cup()

    free, anchored = fit(games), fit(games, anchors={"bot3": 2000.0})

    assert anchored.elo == pytest.approx(free.elo - free.elo[3] + 2000, abs=1e-6)
    assert anchored.se[3] == 0
    lead = anchored.difference("bot0", "bot3")
    assert lead is not None
    assert anchored.se[0] == pytest.approx(lead.se)


def test_an_anchor_leaves_differences_alone() -> None:
    games = played_cup()

    free = fit(games).difference("bot0", "bot7")
    anchored = fit(games, anchors={"bot3": 2000.0}).difference("bot0", "bot7")

    assert free is not None
    assert free == pytest.approx(anchored, abs=1e-6)


def test_several_anchors_all_hold() -> None:
    rated = fit(played_cup(), anchors={"bot2": 1500.0, "bot5": 1600.0})

    assert (rated.elo[2], rated.elo[5]) == pytest.approx((1500, 1600))
    assert (rated.se[2], rated.se[5]) == (0, 0)
    assert (rated.se[[0, 1, 3, 4, 6, 7]] > 10).all()


def test_anchors_that_the_results_confirm_change_nothing() -> None:
    free = fit(played_cup(), prior=0)

    rated = fit(played_cup(), prior=0, anchors={"bot2": float(free.elo[2]), "bot5": float(free.elo[5])})

    assert rated.elo == pytest.approx(free.elo, abs=1e-6)


def test_an_anchor_without_a_pair_holds_nothing() -> None:
    rated = fit([*series("ab", "ba"), Result("m9", None, ("z",), (1,))], anchors={"z": 2000.0})

    assert rated.pool_mean == 1500
    assert not rated.anchors


def test_an_unknown_anchor_is_named() -> None:
    with pytest.raises(LadderError, match="anchor zoe is in no result"):
        fit(series("ab", "ba"), anchors={"zoe": 1500.0})


def test_anchors_join_pools_that_never_met() -> None:
    games = series("ab", "ba", "ab", "cd", "dc")

    rated = fit(games, prior=0, anchors={"b": 1500.0, "c": 1700.0})

    assert (rated.pool == 0).all()
    assert rated.elo == pytest.approx([1500 + 400 * math.log10(2), 1500, 1700, 1700], abs=1e-6)


def test_a_perfect_record_of_sixty_games_proves_over_623() -> None:
    pool = series(*["bc", "cb"] * 100)

    rated = fit([*pool, *series(*["ab", "ac"] * 30, prefix="x")], pool_mean=0)

    a = rated.index("a")
    assert a is not None
    opponents = (rated.elo[1] + rated.elo[2]) / 2
    assert rated.bound == ("at least", None, None)
    # Against equals at 0: 120 log(1 + 10^(-L/400)) = 2.7055.
    assert rated.limit[a] - opponents == pytest.approx(-400 * math.log10(math.expm1(2.7055434541 / 120)), abs=0.01)
    assert rated.limit[a] - opponents >= 623
    assert rated.provisional[a]


def test_a_record_without_a_point_mirrors_a_perfect_one() -> None:
    wins = fit(series(*["bc", "cb"] * 50, *["ab", "ac"] * 5), pool_mean=0)
    losses = fit(series(*["bc", "cb"] * 50, *["ba", "ca"] * 5), pool_mean=0)

    assert losses.bound[0] == "at most"
    assert losses.limit[0] == pytest.approx(-wins.limit[0])
    assert losses.elo == pytest.approx(-wins.elo, abs=1e-6)


def test_without_a_prior_unlinked_groups_are_refused_by_name() -> None:
    with pytest.raises(Unconnected, match=r"not enough data.*2 groups.*c, d, e \| a, b;.*prior") as caught:
        fit(series("ab", "ba", "cde", "edc", "ac", "bd"), prior=0)

    assert caught.value.groups == (("c", "d", "e"), ("a", "b"))


def test_pools_that_never_met_are_numbered() -> None:
    rated = fit(series("ab", "ba", "cde", "edc"))

    assert rated.pool.tolist() == [1, 1, 0, 0, 0]
    assert rated.groups == (("c", "d", "e"), ("a", "b"))
    assert rated.difference("a", "c") is None
    assert rated.elo[2:].mean() == pytest.approx(1500)


def test_an_unrated_seat_leaves_the_other_pairs() -> None:
    games = played_cup(blocks=40)
    without_seat = [
        Result(
            game.match,
            game.block,
            tuple(bot for bot in game.bots if bot != "bot0"),
            tuple(place for bot, place in zip(game.bots, game.places, strict=True) if bot != "bot0"),
        )
        for game in games
    ]
    marked = [game._replace(unrated=(game.bots.index("bot0"),)) if "bot0" in game.bots else game for game in games]

    _same(fit(marked), fit(without_seat))
    _same(fit(games, without={"bot0"}), fit(without_seat))


def test_a_bot_that_meets_itself_learns_nothing_from_it() -> None:
    games = played_cup(blocks=30)
    mirrored = [*games, *(Result(f"self{i}", None, ("bot1",) * 4, (1, 2, 3, 4)) for i in range(20))]

    _same(fit(games), fit(mirrored))


def test_two_entries_of_one_bot_at_a_table_give_finite_numbers() -> None:
    rated = fit(
        [Result(f"m{i}", None, ("a", "a", "b"), (1 + i % 3, 1 + (i + 1) % 3, 1 + (i + 2) % 3)) for i in range(30)]
    )

    assert rated.elo == pytest.approx([1500, 1500], abs=1e-6)
    assert np.isfinite(rated.se).all()


def test_everything_tied_has_the_errors_of_the_model() -> None:
    rated = fit(series(*["(abcd)"] * 40))

    assert rated.elo == pytest.approx([1500] * 4)
    assert (rated.se > 10).all()
    assert rated.provisional.all()
    assert rated.better(np.arange(4)) == pytest.approx(np.full((4, 4), 0.5))


def test_few_blocks_are_provisional_and_never_narrower_than_the_model() -> None:
    rated = fit(played_cup(blocks=10))

    gauge = np.eye(8) - 1 / 8
    model = np.sqrt((gauge @ rated.model_covariance @ gauge).diagonal())
    assert rated.provisional.all()
    assert (rated.se >= model - 1e-9).all()


def test_the_limit_of_a_perfect_record_of_few_blocks_is_no_tighter_than_an_interval() -> None:
    rated = fit(series(*["bc", "cb"] * 50, *["ab", "ac"] * 2), pool_mean=0)

    half = rated.half_width(0)
    assert half is not None
    assert rated.bound[0] == "at least"
    assert rated.limit[0] == pytest.approx(rated.elo[0] - half)


def test_one_match_gives_ratings_and_no_intervals() -> None:
    rated = fit(series("ab(cd)"))

    assert np.isfinite(rated.elo).all()
    assert rated.provisional.all()
    difference = rated.difference("b", "c")
    assert difference is not None
    assert (difference.low, difference.high) == (None, None)


def test_no_results_give_an_empty_fit() -> None:
    rated = fit([])

    assert rated.players == ()
    assert rated.groups == ()


def test_a_newcomer_with_a_perfect_block_hardly_widens_the_others() -> None:
    games = played_cup(bots=12, blocks=240)
    newcomer = [
        scored(f"new{i}", "new", ["new", "bot1", "bot2", "bot3"], [99, i % 3, (i + 1) % 3, (i + 2) % 3])
        for i in range(4)
    ]

    before, after = fit(games), fit([*games, *newcomer])

    old = [after.players.index(name) for name in before.players]
    assert (after.se[old] < 1.5 * before.se + 5).all()


def test_sorted_differences_agree_with_los() -> None:
    rated = fit(played_cup())
    everybody = np.arange(8)

    better = rated.better(everybody)

    assert better + better.T == pytest.approx(np.ones((8, 8)))
    lead = rated.difference("bot7", "bot0")
    assert lead is not None
    assert lead.better == pytest.approx(better[7, 0])
    assert lead.elo == pytest.approx(rated.elo[7] - rated.elo[0])
    assert lead.better == pytest.approx(0.5 * math.erfc(-lead.elo / lead.se / math.sqrt(2)))


@pytest.mark.parametrize("prior", [-1.0, math.nan, math.inf, 1e-9])
def test_an_impossible_prior_is_the_callers_mistake(prior: float) -> None:
    with pytest.raises(ValueError, match="prior"):
        fit(series("ab"), prior=prior)


def test_elo_is_four_hundred_a_decade() -> None:
    assert ELO_PER_UNIT * math.log(10) == pytest.approx(400)
    assert result("m", "a(bc)d").places == (1, 2, 2, 4)
