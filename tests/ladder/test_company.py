"""Company: what two bots gain by each other, found where it was put in, and nowhere else more often than is said."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.special import expit

from ladder.columns import gather
from ladder.company import WRONG, Company, Pair, measure_company
from ladder.fit import ELO_PER_UNIT, fit
from ladder.results import Result
from tests.ladder.made_up import ONE, OTHER, played_cup, result

CUPS = 100
cup = partial(played_cup, blocks=300)


def company_of(results: Sequence[Result]) -> Company:
    columns = gather(results)
    return measure_company(columns, fit(columns))


def names(pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    return [(pair.one, pair.other) for pair in pairs]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bots", "seats", "blocks", "rotations"), [(8, (4,), 200, 1), (6, (4,), 60, 4), (8, (2, 3, 4), 300, 1)]
)
def test_honest_bots_stand_out_no_more_often_than_is_said(
    bots: int, seats: tuple[int, ...], blocks: int, rotations: int
) -> None:
    found = sum(
        bool(company_of(cup(bots=bots, seats=seats, blocks=blocks, rotations=rotations, seed=seed)).standing_out)
        for seed in range(CUPS)
    )

    assert found <= CUPS * WRONG + 2 * (CUPS * WRONG) ** 0.5


def test_two_who_help_each_other_stand_out_and_nobody_else() -> None:
    company = company_of(cup(blocks=1000, gains=(1.5, 1.5)))

    assert names(company.standing_out) == [(f"bot{ONE}", f"bot{OTHER}")]
    (pair,) = company.standing_out
    assert pair.most == ("joint", pair.joint)
    assert company.sentences[0].startswith(f"bot{ONE} and bot{OTHER} did better at one table than apart: each by ")


def test_who_gives_itself_up_for_another_leaves_that_one_standing_out() -> None:
    company = company_of(cup(blocks=600, gains=(-2.0, 2.0)))

    assert names(company.standing_out) == [(f"bot{ONE}", f"bot{OTHER}")]
    (pair,) = company.standing_out
    assert pair.most == ("other", pair.of_other)
    assert pair.of_one.elo < 0 < pair.of_other.elo
    assert company.sentences[0].startswith(f"bot{OTHER} did better where bot{ONE} sat than elsewhere: by ")


def test_who_does_worse_in_company_does_not_stand_out() -> None:
    assert company_of(cup(blocks=600, gains=(-2.0, -2.0))).standing_out == ()


def test_a_shift_is_one_newton_step_with_the_shift_as_one_more_unknown() -> None:
    columns = gather(cup(blocks=120, seats=(3, 4), rotations=2, seed=3))
    rated = fit(columns, prior=0)
    strength = rated.elo / ELO_PER_UNIT
    (pair,) = (
        pair for pair in measure_company(columns, rated).pairs if (pair.one, pair.other) == (f"bot{ONE}", f"bot{OTHER}")
    )

    for helped, shift in (({ONE, OTHER}, pair.joint), ({ONE}, pair.of_one), ({OTHER}, pair.of_other)):
        slope, curvature = np.zeros(len(strength) + 1), np.zeros((len(strength) + 1,) * 2)
        for match in range(columns.match_count):
            rows = slice(columns.first[match], columns.first[match + 1])
            seated = list(zip(columns.player[rows].tolist(), columns.place[rows].tolist(), strict=True))
            both_sit = {ONE, OTHER} <= {player for player, _ in seated}
            for (i, own), (j, others) in combinations(seated, 2):
                unknowns = np.zeros(len(slope))
                unknowns[i], unknowns[j] = 1, -1
                if both_sit and len({i, j} & {ONE, OTHER}) == 1:
                    unknowns[-1] = (i in helped) - (j in helped)
                ahead, weight = expit(strength[i] - strength[j]), 3 / (len(seated) + 1)
                slope += weight * ((np.sign(others - own) + 1) / 2 - ahead) * unknowns
                curvature += weight * ahead * (1 - ahead) * np.outer(unknowns, unknowns)
        step = np.linalg.solve(curvature[1:, 1:], slope[1:])  # the first bot holds the scale
        assert shift.elo == pytest.approx(ELO_PER_UNIT * step[-1], rel=1e-6)


def test_the_order_of_matches_and_seats_makes_no_difference() -> None:
    matches = cup(blocks=200)
    turned = [
        match._replace(bots=match.bots[::-1], places=match.places[::-1], points=(match.points or ())[::-1])
        for match in reversed(matches)
    ]

    one, other = company_of(matches), company_of(turned)

    assert names(one.pairs) == names(other.pairs)
    assert one.elo == pytest.approx(other.elo)
    assert one.half_width == pytest.approx(other.half_width)


def test_however_many_pairs_are_looked_at_at_once_the_numbers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = cup(blocks=200, seats=(3, 4))
    at_once = company_of(matches)

    monkeypatch.setattr("ladder.company._ROWS_AT_ONCE", 100)

    assert company_of(matches).elo == pytest.approx(at_once.elo)
    assert company_of(matches).chance == pytest.approx(at_once.chance)


def test_rotations_of_one_deal_are_one_observation() -> None:
    """The same matches told four times, in the same blocks, prove no more than once."""
    once = cup(blocks=200, gains=(1.0, 1.0))
    often = [match._replace(match=f"{match.match}-{copy}") for match in once for copy in range(4)]

    few, many = company_of(once), company_of(often)

    assert many.half_width == pytest.approx(few.half_width, rel=0.1)
    assert (many.blocks == few.blocks).all()


@pytest.mark.parametrize(
    ("matches", "too_few"),
    [
        ([], 0),
        (cup(seats=(2,)), 0),
        (cup(bots=4), 6),
        (cup(blocks=20), 28),
        ([result(f"{number}", "aab") for number in range(40)], 1),
    ],
    ids=["no match", "tables of two", "always together", "too few blocks", "one bot twice and another"],
)
def test_of_pairs_that_cannot_be_judged_nothing_is_said(matches: list[Result], too_few: int) -> None:
    company = company_of(matches)

    assert (company.pairs, company.standing_out, company.sentences) == ((), (), ())
    assert company.too_few == too_few


def test_nobody_gains_where_all_matches_end_alike() -> None:
    tied = [match._replace(places=(1,) * match.size) for match in cup(blocks=200)]

    company = company_of(tied)

    assert len(company.pairs) == 28
    assert company.elo == pytest.approx(0.0)
    assert company.standing_out == ()


def test_bots_that_are_not_rated_keep_no_company() -> None:
    columns = gather(cup(blocks=400, gains=(1.5, 1.5)))

    company = measure_company(columns, fit(columns, without=[f"bot{ONE}"]))

    assert not [pair for pair in names(company.pairs) if f"bot{ONE}" in pair]
    assert company.pairs
