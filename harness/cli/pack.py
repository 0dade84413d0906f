"""`cardarena pack`."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.tables import print_json
from harness.errors import HarnessError
from harness.printable import printable
from harness.workshop.archive import pack as pack_folder
from harness.workshop.manifest import FILE_NAME
from harness.workshop.tree import tree_sha256


@verb("cardarena pack ./my-bot")
def pack(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder with a bot.toml.", metavar="FOLDER")],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the archive goes.", show_default="this folder")
    ] = Path(),
) -> None:
    """Write NAME-VERSION.zip, the file to hand in. The same folder always gives the same file."""
    common: Common = context.obj
    if not folder.is_dir():
        raise HarnessError(f"{printable(str(folder))}: no such folder")
    if not (folder / FILE_NAME).is_file():
        raise HarnessError(f"{folder}: not a bot, for there is no {FILE_NAME} in it")
    if not out.is_dir():
        raise HarnessError(f"{out}: no such folder")
    packed = pack_folder(folder, out)
    tree = tree_sha256(folder)
    if common.json:
        facts = {"path": str(packed.path), "bytes": packed.size_bytes, "sha256": packed.sha256, "tree_sha256": tree}
        print_json(facts)
        return
    print(printable(f"{packed.path}: {packed.size_bytes:,} bytes, sha256 {packed.sha256}"))
    if not common.quiet:
        print(f"the version is the hash of its files: {tree}")
