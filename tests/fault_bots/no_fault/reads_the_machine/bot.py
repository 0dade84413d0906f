"""Reads what the machine tells everybody, while others think: how busy it is, and who makes it so.

Load, interrupts and the time since the start can be read at every level, and tell a bot how busy all others are
together. What must not be in them is anybody's name: whose process, whose socket, whose folder, whose cards.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from harness.bot import Action, Bot, View, run

BAIT = json.loads(os.environ["CARDARENA_TRIAL"])
"""What the harness has laid out to be found."""
LARGE = ("kcore", "kmsg", "kallsyms", "kpagecount", "kpageflags", "kpagecgroup", "sysrq-trigger")
"""Without end, without names, or not to be read twice."""
MOST_BYTES = 1 << 22
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            look_around()
        return view.actions[0]


def files_of_the_machine() -> Iterator[Path]:
    """What the kernel tells of itself, of its network and of this process."""
    for folder in (Path("/proc"), Path("/proc/self"), Path("/proc/self/net"), Path("/proc/sysvipc")):
        try:
            yield from (path for path in folder.iterdir() if path.is_file() and path.name not in LARGE)
        except OSError:
            continue


def text_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def look_around() -> None:
    """Says what it reached, and that it saw how busy the machine is."""
    told = {path: text_of(path) for path in files_of_the_machine() if path.name != "environ"}
    print(f"read {sum(map(bool, told.values()))} files of the machine, {len(told[Path('/proc/stat')])} bytes of times")
    for path, text in told.items():
        if BAIT["secret"].encode() in text:
            print(f"somebody else is named in {path}")
    if any(BAIT["secret"].encode() in text for path, text in told.items() if path.name == "unix"):
        print("reached: the name of a socket of somebody else")
    if any(BAIT["secret"].encode() in text for path, text in told.items() if path.name != "unix"):
        print("reached: the name of a file of somebody else")
    if b"sleep" in text_of(Path(f"/proc/{BAIT['pid']}/stat")):
        print("reached: when a process of somebody else was started")
    print(end="", flush=True)


run(FaultBot)
