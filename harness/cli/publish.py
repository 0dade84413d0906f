"""`cardarena publish`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.homes import cup_in, open_ledger
from harness.cli.pace import Pace
from harness.cli.tables import output, print_json
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.printable import printable
from harness.publish import publish as publish_site
from harness.store.home import Home, find_home
from harness.store.ledger import Ledger
from harness.store.sheets import Sheets
from ladder.site.folder import Written
from ladder.words import plural


@verb("cardarena publish site spring-cup")
def publish(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the site; made where there is none.")],
    cup: Annotated[str | None, typer.Argument(help="Name of the cup; else every cup, the newest first.")] = None,
) -> None:
    """Write the static site: ladder, bots, matches, replays, how it was made. Only what changed is written again."""
    common: Common = context.obj
    with open_ledger(common) as ledger:
        cups = [cup_in(ledger, cup)] if cup is not None else newest_first(ledger)
        written = bring_up_to_date(ledger, folder, cups, find_home(common.home), common)
    if common.json:
        print_json({"index": str(index_of(folder)), **written._asdict()})
    elif not common.quiet:
        print_written(folder, written)


def bring_up_to_date(ledger: Ledger, folder: Path, cups: Sequence[CupFile], home: Home, common: Common) -> Written:
    """Makes `folder` show `cups`, with progress on stderr."""
    return publish_site(
        ledger,
        folder,
        cups,
        Sheets(home.sheets),
        counts=home.counts,
        processes=os.cpu_count() or 1,
        on_opened=Pace(common, "opened"),
    )


def newest_first(ledger: Ledger) -> list[CupFile]:
    """Every cup of the ledger, the newest first. HarnessError where there is none."""
    names = [row.cup for row in reversed(ledger.cups())]
    if not names:
        raise HarnessError("the ledger holds no cup yet; `cardarena run CUP.toml` plays one")
    return [cup_in(ledger, name) for name in names]


def index_of(folder: Path) -> Path:
    """The page to open first."""
    return folder.absolute() / "index.html"


def summary(written: Written) -> str:
    """What was done, in a phrase."""
    removed = f", {written.removed_count:,} removed" if written.removed_count else ""
    files = f"{plural(written.file_count, 'file')}, {written.byte_count / 1e6:.1f} MB"
    return f"{files}: {written.changed_count:,} written{removed}"


def print_written(folder: Path, written: Written) -> None:
    """What was done, and last the page to open."""
    console = output()
    console.print(summary(written), soft_wrap=True)
    console.print(printable(str(index_of(folder))), soft_wrap=True)
