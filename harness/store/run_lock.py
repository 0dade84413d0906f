"""One `run` of a cup at a time: a lock of the operating system, free the moment its holder is gone."""

import errno
import fcntl
import os
from pathlib import Path
from types import TracebackType

from harness.errors import HarnessError


class RunLock:
    """Held from the start of a `with` block to its end; ends with the process however that ends.

    The file stays behind and means nothing by itself: the lock is what counts, and the process id in
    the file is for the message. Bots cannot inherit it (the descriptor closes on exec).
    """

    def __init__(self, ledger: Path, cup: str) -> None:
        self.path = ledger.with_name(f".{ledger.name}-run-{cup}.lock")
        self.cup = cup
        self._descriptor: int | None = None

    def __enter__(self) -> "RunLock":
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise HarnessError(f"{self.path}: cannot be opened: {error.strerror}; the home must be writable") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise HarnessError(f"{self.path}: cannot be locked here: {error.strerror}") from None
            process = f"process {holder}" if holder.isdecimal() else "another process"
            raise HarnessError(f"{self.cup} is being run by {process}; wait for it, or stop it") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._descriptor is not None
        os.close(self._descriptor)
        self._descriptor = None
