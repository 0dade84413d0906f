"""`cardarena verify`."""

from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.codes import DIFFERENCE_FOUND, DONE
from harness.cli.homes import cup_in, open_ledger
from harness.cli.pace import Pace
from harness.cli.tables import print_json
from harness.printable import printable
from harness.verify import LedgerDifference, verify_cup


@verb("cardarena verify spring-cup")
def verify(
    context: typer.Context,
    cup: Annotated[str | None, typer.Argument(help="Name of a cup; else every cup of the home.")] = None,
) -> int:
    """Play every record again, deal every deck again, and name the first difference."""
    common: Common = context.obj
    counts: dict[str, int] = {}
    difference = None
    with open_ledger(common) as ledger:
        names = [cup_in(ledger, cup).name] if cup else [row.cup for row in ledger.cups()]
        try:
            for name in names:
                counts[name] = verify_cup(ledger, name, Pace(common, f"of {name} checked"))
        except LedgerDifference as found:
            difference = str(found)
    if common.json:
        print_json({"matches": counts, "difference": difference})
    else:
        for name, count in counts.items():
            print(f"{name}: {count} matches as they must be")
        if difference is not None:
            print(printable(f"difference: {difference}"))
    return DONE if difference is None else DIFFERENCE_FOUND
