"""What the records of a round come to, a stretch of blocks at a time: kept, so that a record is opened once.

A file of a stretch names by a hash the results that it was counted from. Where more were played, or a ruling takes some
away, the stretch is counted again; where the files cannot be read or written, or somebody deletes them, all are.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from harness.checkers import checkers
from harness.counted import CountedRound
from harness.errors import HarnessError
from harness.publish.record_counts import CountsSum, RecordCounts, record_counts
from harness.store.ledger import Ledger
from harness.whole_file import whole_file

FORMAT = 1
"""Counts changes of what is counted, and of how it is written."""
STRETCH_BLOCKS = 256
FEW_STRETCHES = 16
"""Of fewer the processes would only just have started."""


class Stretches:
    """Counts records, on as many cores as there are `processes`."""

    def __init__(
        self,
        ledger: Ledger,
        folder: Path | None,
        processes: int,
        on_opened: Callable[[int, int], None] = lambda count, total: None,
    ) -> None:
        """`folder` keeps what was counted; None: nothing does.

        `on_opened` is told how many matches of a round were opened, and how many are to be.
        """
        self._ledger = ledger
        self._folder = folder
        self._processes = processes
        self._on_opened = on_opened

    def counts(self, counted: CountedRound, game: str) -> RecordCounts:
        """What the records of a round of `game` come to. HarnessError where one is damaged."""
        total = CountsSum(len(counted.entries))
        missing: list[tuple[CountedRound, Path | None, bytes]] = []
        for part in counted.parts(STRETCH_BLOCKS):
            path, key = self._path(part), _key(part, game)
            kept = _kept(path, key)
            if kept is None:
                missing.append((part, path, key))
            else:
                total.add(kept)
        parts = [part for part, _, _ in missing]
        match_count = sum(len(part.number) for part in parts)
        opened_count = 0
        for (part, path, key), found in zip(missing, self._opened(parts, game), strict=True):
            _keep(path, key, found)
            total.add(found)
            opened_count += len(part.number)
            self._on_opened(opened_count, match_count)
        return total.counts()

    def _path(self, part: CountedRound) -> Path | None:
        if self._folder is None:
            return None
        return self._folder / part.row.cup / f"{part.row.round}-{(int(part.block[0]) - 1) // STRETCH_BLOCKS}"

    def _opened(self, parts: Sequence[CountedRound], game: str) -> Iterator[RecordCounts]:
        if self._processes == 1 or len(parts) < FEW_STRETCHES:
            yield from (record_counts(self._ledger, part, game) for part in parts)
            return
        with checkers(partial(_opener, self._ledger.path, game), self._processes) as open_all:
            for found in open_all(parts):
                if isinstance(found, str):
                    raise HarnessError(found)
                yield found


def _opener(path: Path, game: str) -> Callable[[CountedRound], RecordCounts | str]:
    """For a process of its own: what counts a stretch, or says what is wrong with the ledger."""
    ledger = Ledger(path)

    def opened(part: CountedRound) -> RecordCounts | str:
        try:
            return record_counts(ledger, part, game)
        except HarnessError as error:
            return str(error)

    return opened


def _key(part: CountedRound, game: str) -> bytes:
    """Names all that the counts of a stretch follow from."""
    entries = [(entry.label, entry.sha256) for entry in part.entries]
    head = json.dumps([FORMAT, game, part.row.commitment, part.row.started_unix_ns, entries, part.kinds])
    told = hashlib.sha256(head.encode())
    for column in (part.number, part.size, part.block, part.entry, part.place, part.points, part.fault):
        told.update(column.tobytes())
    return told.hexdigest().encode()


def _kept(path: Path | None, key: bytes) -> RecordCounts | None:
    try:
        found, _, data = path.read_bytes().partition(b"\n") if path is not None else (b"", b"", b"")
        return RecordCounts.from_bytes(data) if found == key else None
    except (OSError, ValueError, TypeError, zlib.error):  # it is counted again
        return None


def _keep(path: Path | None, key: bytes, counts: RecordCounts) -> None:
    """Puts a file in its place whole; where nothing can be written here, the next one counts again."""
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as unfinished:
            unfinished.write_bytes(key + b"\n" + counts.to_bytes())
