"""`cardarena verify`."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.codes import DIFFERENCE_FOUND, DONE
from harness.cli.homes import cup_in, open_ledger
from harness.cli.pace import Pace
from harness.cli.tables import print_json
from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.printable import printable
from harness.verify import LedgerDifference, verify_cup, verify_whole

SITE_LIST = "site.json"
"""`ladder.site.folder.LIST_NAME`, which is not loaded where a ledger is checked: it brings scipy."""


@dataclass
class _Found:
    """What was checked, and the first difference."""

    matches: dict[str, int] = field(default_factory=dict)
    """By cup."""
    remarks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    difference: str | None = None


@verb("cardarena verify spring-cup")
def verify(
    context: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[CUP|DIR]",
            help="Name of a cup, or the folder of a published site, which needs no home; else every cup of the home.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Play every record again, deal every deck again, and name the first difference."""
    common: Common = context.obj
    is_site = what is not None and _is_folder(what)
    found = _in_folder(common, Path(what)) if what is not None and is_site else _in_home(common, what)
    if common.json:
        print_json({"matches": found.matches, "remarks": found.remarks, "difference": found.difference})
    else:
        _print(found, "and so is the ladder" if is_site else "")
    return DONE if found.difference is None else DIFFERENCE_FOUND


def _is_folder(what: str) -> bool:
    """Whether a published site is meant and not a cup."""
    return "/" in what or (Path(what) / SITE_LIST).is_file()


def _in_home(common: Common, cup: str | None) -> _Found:
    found = _Found()
    with open_ledger(common) as ledger:
        try:
            verify_whole(ledger)
        except LedgerDifference as difference:
            found.difference = str(difference)
            return found
        names = [row.cup for row in ledger.cups()]
        if cup is not None:
            if cup not in names and not cup.endswith(".toml"):
                hint = did_you_mean(cup, names) if names else "the home holds no cup yet"
                raise HarnessError(f"{printable(cup)}: neither a cup nor the folder of a published site; {hint}")
            names = [cup_in(ledger, cup).name]
        try:
            for name in names:
                pace = Pace(common, f"of {name} checked")
                found.matches[name] = verify_cup(ledger, name, pace, processes=os.cpu_count() or 1)
        except LedgerDifference as difference:
            found.difference = str(difference)
    return found


def _in_folder(common: Common, folder: Path) -> _Found:
    from harness.published import SiteDifference, verify_site  # as above

    found = _Found()
    try:
        for checked in verify_site(folder, Pace(common, f"of {folder} checked"), processes=os.cpu_count() or 1):
            found.matches[checked.cup] = checked.match_count
            found.remarks[checked.cup] = checked.remarks
            found.notes[checked.cup] = checked.notes
    except SiteDifference as difference:
        found.difference = str(difference)
    return found


def _print(found: _Found, also: str) -> None:
    for name, count in found.matches.items():
        remarks = found.remarks.get(name, ())
        end = f", {also}" if also and not remarks else ""
        print(printable(f"{name}: {count} {'match' if count == 1 else 'matches'} as they must be{end}"))
        for remark in (*remarks, *found.notes.get(name, ())):
            print(printable(f"{name}: {remark}"))
    if found.difference is not None:
        print(printable(f"difference: {found.difference}"))
