"""Writes beyond the folder that is built, leaves a process, and notes what it reached and what it kept."""

import json
import os
import socket
import subprocess
from pathlib import Path

BAIT = json.loads(os.environ.get("CARDARENA_TRIAL", '{"secret": "", "home": "", "folder": "/nowhere", "tcp": 9}'))
"""What the harness has laid out to be found; nothing where it lays nothing out."""
NAME = f".cardarena-{BAIT['secret']}"
notes: list[str] = []


def write_into(folder: Path) -> None:
    (folder / NAME).touch()
    (folder / NAME).unlink()


def write_home() -> None:
    home = Path(BAIT["home"])
    if home.is_relative_to("/tmp"):
        raise OSError(f"{home} lies in /tmp, which may be one's own")
    write_into(home)


def write_system() -> None:
    write_into(Path("/usr"))


def write_var_tmp() -> None:
    write_into(Path("/var/tmp"))


def write_bait() -> None:
    write_into(Path(BAIT["folder"]))


def read_bait() -> None:
    Path(BAIT["folder"], "secret.txt").read_text()


def dial() -> None:
    socket.create_connection(("127.0.0.1", BAIT["tcp"]), timeout=5).close()


for what, reach in (
    ("the home of whoever runs the harness", write_home),
    ("the system", write_system),
    ("/var/tmp", write_var_tmp),
    ("a folder of somebody else", write_bait),
    ("a file of somebody else", read_bait),
    ("the network", dial),
):
    try:
        reach()
    except OSError as error:
        notes.append(f"its build was kept from {what}: {error}")
    else:
        notes.append(f"reached: {what}, while it was built")
for folder in {Path.home(), Path("/tmp")}:
    try:
        (folder / NAME).touch()
    except OSError as error:
        notes.append(f"its build was kept from {folder}: {error}")
    else:
        notes.append(f"kept: {folder / NAME}")
subprocess.Popen(["sleep", "3600"], start_new_session=True)
Path("built.txt").write_text("\n".join(notes) + "\n")
