"""What is laid out for fault bots to find: a process, a file, a secret, ports. All of it belongs to the harness.

A bot is told of it in `CARDARENA_TRIAL`, so that it need not search, and so that all its processes bear a mark.
"""

import contextlib
import json
import os
import secrets
import socket
import subprocess
from pathlib import Path
from types import TracebackType

from harness.sandbox.scratch import Scratch

VARIABLE = "CARDARENA_TRIAL"
KEPT_IN = ("/tmp", "/var/tmp", "/dev/shm", "/run")
"""Folders in which bots leave files where nothing keeps them from it. They are removed."""


class Bait:
    """Laid out while it is entered."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(12)
        """No other process on this machine knows it by accident."""
        self.builds = Path()
        """Where the trees are kept that bots build: they are built anew, with what they are told."""
        self._stack = contextlib.ExitStack()
        self._told: dict[str, str | int] = {}

    def __enter__(self) -> "Bait":
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(Scratch("bait-"))
            stack.callback(self._remove_what_was_kept, folder)
            folder.chmod(0o755)  # what keeps a bot from it is to be the sandbox, not the mode
            (folder / "secret.txt").write_text(self.secret)
            self.builds = stack.enter_context(Scratch("builds-"))  # elsewhere: bots may see their own tree
            self.builds.chmod(0o755)
            environment = {"PATH": os.environ.get("PATH", os.defpath), "CARDARENA_SECRET": self.secret}
            sleeper = subprocess.Popen(["sleep", "3600"], env=environment, stdin=subprocess.DEVNULL)
            stack.callback(_end, sleeper)
            tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            udp.bind(("127.0.0.1", 0))
            by_path = stack.enter_context(socket.socket(socket.AF_UNIX))
            by_path.bind(str(folder / "socket"))
            by_path.listen(64)
            (folder / "socket").chmod(0o666)
            abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
            abstract.bind(f"\0cardarena-bait-{self.secret}")
            abstract.listen(64)
            self._told = {
                "secret": self.secret,
                "folder": str(folder),
                "home": str(Path.home()),
                "pid": sleeper.pid,
                "harness_pid": os.getpid(),
                "tcp": tcp.getsockname()[1],
                "udp": udp.getsockname()[1],
                "abstract": f"cardarena-bait-{self.secret}",
            }
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def environment(self) -> dict[str, str]:
        """What a bot is told."""
        return {VARIABLE: json.dumps(self._told)}

    def marked_processes(self) -> list[int]:
        """Processes that bots have started and that are alive."""
        found = []
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with contextlib.suppress(OSError):  # it has just ended
                    words = (process / "environ").read_bytes().split(b"\0")
                    if any(word.startswith(VARIABLE.encode()) and self.secret.encode() in word for word in words):
                        found.append(int(process.name))
        return found

    def _remove_what_was_kept(self, folder: Path) -> None:
        for place in (*KEPT_IN, str(folder)):
            with contextlib.suppress(OSError):
                Path(place, f".cardarena-{self.secret}").unlink()


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
