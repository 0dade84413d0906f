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
from harness.verify import verify_cup, verify_whole
from ladder.words import plural

SITE_LIST = "site.json"
"""`ladder.site.folder.LIST_NAME`, which is not loaded where a ledger is checked: it brings scipy."""


SHOWN = 20
"""Differences that people are told, a line each."""


@dataclass
class _Found:
    """What was checked, and what differs."""

    is_told: bool
    """Differences are told to people as they are found: what is left to be checked may take long."""
    matches: dict[str, int] = field(default_factory=dict)
    """By cup, of those without a difference."""
    remarks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def differs(self, difference: str) -> None:
        self.differences.append(difference)
        if self.is_told and len(self.differences) <= SHOWN:
            print(printable(f"difference: {difference}"), flush=True)


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
    """Play every record again, deal every deck again, and name what differs."""
    common: Common = context.obj
    found = _Found(is_told=not common.json)
    is_site = what is not None and _is_folder(what)
    try:
        if what is not None and is_site:
            _look_in_folder(common, Path(what), found)
        else:
            _look_in_home(common, what, found)
    except HarnessError as error:
        if not found.differences:
            raise
        found.differs(str(error))  # most likely for what differs
    if common.json:
        first = found.differences[0] if found.differences else None
        told = {"matches": found.matches, "remarks": found.remarks, "difference": first}
        print_json({**told, "differences": found.differences})
    else:
        _print(found, "and so is the ladder" if is_site else "")
    return DIFFERENCE_FOUND if found.differences else DONE


def _is_folder(what: str) -> bool:
    """Whether a published site is meant and not a cup."""
    return "/" in what or (Path(what) / SITE_LIST).is_file()


def _look_in_home(common: Common, cup: str | None, found: _Found) -> None:
    with open_ledger(common) as ledger:
        verify_whole(ledger, found.differs)
        is_whole = not found.differences
        names = [row.cup for row in ledger.cups()]
        if cup is not None:
            if cup not in names and not cup.endswith(".toml"):
                hint = did_you_mean(cup, names) if names else "the home holds no cup yet"
                raise HarnessError(f"{printable(cup)}: neither a cup nor the folder of a published site; {hint}")
            names = [cup_in(ledger, cup).name]
        for name in names:
            before = len(found.differences)
            pace = Pace(common, f"of {name} checked")
            count = verify_cup(ledger, name, pace, found.differs, processes=os.cpu_count() or 1)
            if is_whole and len(found.differences) == before:
                found.matches[name] = count


def _look_in_folder(common: Common, folder: Path, found: _Found) -> None:
    from harness.published import verify_site  # as above

    pace = Pace(common, f"of {folder} checked")
    cups = verify_site(folder, pace, found.differs, processes=os.cpu_count() or 1)
    if found.differences:
        return  # of a site that differs in one place nothing is vouched for
    for checked in cups:
        found.matches[checked.cup] = checked.match_count
        found.remarks[checked.cup] = checked.remarks
        found.notes[checked.cup] = checked.notes


def _print(found: _Found, also: str) -> None:
    for name, count in found.matches.items():
        remarks = found.remarks.get(name, ())
        end = f", {also}" if also and not remarks else ""
        print(printable(f"{name}: {plural(count, 'match', 'matches')} as they must be{end}"))
        for remark in (*remarks, *found.notes.get(name, ())):
            print(printable(f"{name}: {remark}"))
    if len(found.differences) > SHOWN:
        print(f"... and {len(found.differences) - SHOWN:,} more")
