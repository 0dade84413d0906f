"""What two bots gain by each other: a row a pair, those first that chance explains least."""

from collections.abc import Callable

from harness.cli.tables import Column, grid, output, print_json, print_text
from ladder.company import Company, Pair, Shift, shift_text
from ladder.words import plural

PAIRS_SHOWN = 20
"""--json has all."""
NAME_WIDTH = 20


def print_pairs(company: Company, *, json: bool) -> None:
    """All pairs that can be judged on stdout."""
    pairs = company.pairs
    if json:
        print_json({"unit": "elo", "pairs": [_members(pair) for pair in pairs], "too_few": company.too_few})
        return
    if pairs:
        columns = [
            Column[Pair]("one", lambda pair: pair.one, width=NAME_WIDTH),
            Column[Pair]("other", lambda pair: pair.other, width=NAME_WIDTH),
            Column[Pair]("blocks", lambda pair: str(pair.blocks), is_number=True),
            _column("together", lambda pair: pair.joint),
            _column("the one", lambda pair: pair.of_one),
            _column("the other", lambda pair: pair.of_other),
            Column[Pair]("chance", lambda pair: _chance(pair.most[1].chance), is_number=True),
        ]
        output().print(grid(columns, pairs[:PAIRS_SHOWN]))
        print_text("Elo by which they are stronger against the others where both sit than elsewhere.")
    if len(pairs) > PAIRS_SHOWN:
        print_text(f"{len(pairs) - PAIRS_SHOWN:,} more: --json has all.")
    if company.too_few:
        print_text(f"Too few blocks together, or apart, to judge {plural(company.too_few, 'pair')}.")
    for sentence in company.sentences:
        print_text(sentence)
    if not company.sentences:
        print_text("No pair stands out." if pairs else "No pair can be judged: that takes tables of three or more.")


def _column(heading: str, shift: Callable[[Pair], Shift]) -> Column[Pair]:
    return Column(heading, lambda pair: shift_text(shift(pair)), is_number=True)


def _chance(chance: float) -> str:
    return "likely" if chance > 0.5 else f"{chance:.2g}"


def _members(pair: Pair) -> dict[str, object]:
    """What is told of a pair: numbers with six decimals, as everywhere."""
    shifts = {"together": pair.joint, "one_with_other": pair.of_one, "other_with_one": pair.of_other}
    told = {
        name: {member: round(value, 6) for member, value in zip(("elo", "half_width", "chance"), shift, strict=True)}
        for name, shift in shifts.items()
    }
    return {"bots": [pair.one, pair.other], "blocks": pair.blocks, **told}
