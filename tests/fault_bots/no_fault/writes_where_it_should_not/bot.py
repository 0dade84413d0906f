"""Writes into its own folder, the system and the folders that everybody may write to."""

import json
import os
from pathlib import Path

from harness.bot import Action, Bot, View, run

BAIT = json.loads(os.environ["CARDARENA_TRIAL"])
"""What the harness has laid out to be found."""
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            look_around()
        return view.actions[0]


def write_into(folder: Path) -> None:
    path = folder / f".cardarena-{BAIT['secret']}"
    path.touch()
    path.unlink()


def write_here() -> None:
    write_into(Path.cwd())


def change_program() -> None:
    with open(__file__, "r+"):
        pass


def write_system() -> None:
    write_into(Path("/usr"))


def write_var_tmp() -> None:
    write_into(Path("/var/tmp"))


def write_bait() -> None:
    write_into(Path(BAIT["folder"]))


def change_mode() -> None:
    Path(BAIT["folder"], "secret.txt").chmod(0o644)


def change_time() -> None:
    os.utime(Path(BAIT["folder"], "secret.txt"))


def set_kernel() -> None:
    with open("/proc/sys/kernel/core_pattern", "r+"):
        pass


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("its own folder", write_here),
        ("its own program", change_program),
        ("the system", write_system),
        ("/var/tmp", write_var_tmp),
        ("a folder of somebody else", write_bait),
        ("the mode of a file of somebody else", change_mode),
        ("the time of a file of somebody else", change_time),
        ("settings of the kernel", set_kernel),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
