"""What a bot writes, passed on by its keeper: the beginning at once, the end at the end, the middle left out."""

import os
import select
import time

READ_BYTES = 64 * 1024
LINE_BYTES = 1024
FLOOD_PAUSE_S = 0.001
FLUSH_S = 1.0
FLUSH_PAUSE_S = 0.002


class CappedLog:
    """Reads from `source_fd` and writes to `target_fd`, neither of which blocks."""

    def __init__(self, source_fd: int, target_fd: int, head_bytes: int, tail_bytes: int) -> None:
        self.source_fd = source_fd
        self.waiting = bytearray()
        """To be passed on."""
        self._target_fd = target_fd
        self._head_left = head_bytes
        self._tail_bytes = tail_bytes
        self._tail = bytearray()
        self._latest = b""
        self._left_out_bytes = 0

    def read(self) -> bool:
        """Takes one read of what was written. False at its end. A flood is read slowly: it holds up the bot alone."""
        try:
            data = os.read(self.source_fd, READ_BYTES)
        except BlockingIOError:
            return True
        self._latest = (self._latest + data)[-LINE_BYTES:]
        if self._head_left:
            self.waiting += data[: self._head_left]
            rest = data[self._head_left :]
            self._head_left = max(0, self._head_left - len(data))
        else:
            rest = data
            time.sleep(FLOOD_PAUSE_S)
        self._tail += rest
        excess = len(self._tail) - self._tail_bytes
        if excess > 0:
            self._left_out_bytes += excess
            del self._tail[:excess]
        return bool(data)

    def pass_on(self) -> None:
        """Writes what the target takes."""
        try:
            del self.waiting[: os.write(self._target_fd, self.waiting)]
        except BlockingIOError:
            pass
        except OSError:
            self.waiting.clear()  # Nobody reads any more.

    def drain(self) -> None:
        """Reads what is there."""
        while self._unread():
            self.read()

    def last_line(self) -> str:
        """The last line that was read, or the end of it."""
        lines = self._latest.decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")

    def finish(self) -> None:
        """Passes on the rest, once nothing writes any more."""
        self.drain()
        if self._left_out_bytes:
            self.waiting += f"\n[{self._left_out_bytes} bytes left out]\n".encode()
        self.waiting += self._tail
        deadline = time.monotonic() + FLUSH_S
        while self.waiting and time.monotonic() < deadline:
            self.pass_on()
            if self.waiting:
                time.sleep(FLUSH_PAUSE_S)

    def _unread(self) -> bool:
        poll = select.poll()
        poll.register(self.source_fd, select.POLLIN)
        return any(event & select.POLLIN for _, event in poll.poll(0))
