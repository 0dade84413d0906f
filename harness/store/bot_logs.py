"""What the bots of a cup wrote on stdout and stderr, kept in the home: a few files a bot and round.

`logs/CUP/ROUND/LABEL/last.log` is of the last process that ended in order; `failed-01.log` and so on are of processes
that were ended for a fault: the first ones, and in the last place the last one. A file is one line of JSON, then the
bytes as the bot wrote them. `logs/checks` holds what `submit` told of each version that was handed in.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FAILED_LOGS = 10
"""So many failed processes of a bot and round are kept."""
_LAST = "last.log"


class BotLog(NamedTuple):
    """What one process wrote. The output is a stranger's: escape it where it is shown."""

    how: str
    """How it ended, for people."""
    kind: str
    """The fault that it was ended for; "" where it ended in order."""
    detail: str
    output: bytes


class BotLogs:
    """The logs of a home."""

    def __init__(self, folder: Path) -> None:
        """`folder`: `Home.logs`."""
        self._folder = folder

    def keep(self, cup: str, round: int, label: str, log: BotLog) -> None:
        """Keeps what a process wrote. OSError where it cannot be written."""
        if not (log.output or log.kind):
            return
        folder = self._of(cup, round, label)
        folder.mkdir(parents=True, exist_ok=True)
        name = _LAST
        if log.kind:
            name = f"failed-{min(FAILED_LOGS, 1 + len(list(folder.glob('failed-*.log')))):02d}.log"
        head = json.dumps({"how": log.how, "kind": log.kind, "detail": log.detail})
        (folder / name).write_bytes(head.encode() + b"\n" + log.output)

    def read(self, cup: str, round: int, label: str) -> Iterator[BotLog]:
        """The logs of a bot: those of failures in their order, then that of the last process that ended in order.

        A file that cannot be read as one is passed over.
        """
        for path in sorted(self._of(cup, round, label).glob("*.log")):
            try:
                head, _, output = path.read_bytes().partition(b"\n")
                members = json.loads(head)
                yield BotLog(str(members["how"]), str(members["kind"]), str(members["detail"]), output)
            except (OSError, ValueError, TypeError, KeyError):
                continue

    def keep_check(self, name: str, sha256: str, text: str) -> None:
        """Keeps what the last check of a version told its team. OSError where it cannot be written."""
        path = self._check(name, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self, name: str, sha256: str) -> str:
        """What the last check of a version told its team; "" where nothing is kept."""
        try:
            return self._check(name, sha256).read_text()
        except OSError:
            return ""

    def _check(self, name: str, sha256: str) -> Path:
        return self._folder / "checks" / f"{name}-{sha256[:12]}.txt"

    def _of(self, cup: str, round: int, label: str) -> Path:
        return self._folder / cup / str(round) / label
