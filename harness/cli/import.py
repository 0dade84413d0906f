"""`cardarena import`."""  # noqa: N999 the keyword is loaded as a text, as the files of all verbs are

import os
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.homes import home_to_fill
from harness.cli.pace import Pace
from harness.cli.tables import print_json, print_text
from harness.intake import Taken, take_in, take_sheets
from harness.sources import sources_at
from harness.store.home import find_home
from harness.store.sheets import Sheets
from ladder.words import plural

SHOWN = 5
"""Bots named in a line."""


@verb("cardarena import site", name="import")
def import_(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE|DIR...",
            help="Ledgers (arena.db) or homes, published sites, files of records (*.jsonl, *.jsonl.gz).",
            show_default=False,
        ),
    ],
) -> None:
    """Add rounds and matches from ledgers, published sites and files of records. What is here is passed over."""
    common: Common = context.obj
    sources = [source for path in paths for source in sources_at(path)]
    home = find_home(common.home)
    with home_to_fill(home) as ledger:
        taken = take_in(ledger, sources, partial(Pace, common), processes=os.cpu_count() or 1)
        take_sheets(ledger, Sheets(home.sheets), sources)
        absent = [
            f"{row.version.name}@{row.version.version}"
            for row in ledger.versions.rows()
            if not row.version.is_here and row.version.submitted_unix_ns and row.version.retired_unix_ns is None
        ]
    if common.json:
        print_json([vars(cup) for cup in taken])
        return
    if not taken:
        print_text(f"nothing to add: no round and no match in {', '.join(map(str, paths))}")
    for cup in taken:
        for line in _lines(cup):
            print_text(line)
    if absent and not common.quiet:
        shown = ", ".join(absent[:SHOWN]) + (f" and {len(absent) - SHOWN} more" if len(absent) > SHOWN else "")
        print_text(f"bots whose files are not here, who play once they are submitted: {shown}")


def _lines(taken: Taken) -> list[str]:
    known = f", {plural(taken.known_count, 'was', 'were')} here" if taken.known_count else ""
    added = f"{plural(taken.round_count, 'round')} and {plural(taken.match_count, 'match', 'matches')} added"
    lines = [f"{taken.cup}: {added}{known}"]
    if taken.waiting:
        first, *rest = taken.waiting
        after = f"; later rounds wait for it: {', '.join(map(str, rest))}" if rest else ""
        lines.append(f"{taken.cup}: round {first} has ended there, but its matches have not all come{after}")
    return lines
