"""Two processes that nobody waits for, in sessions of their own, deaf to every signal that can be ignored."""

import contextlib
import os
import signal
import time

for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        for number in signal.valid_signals():
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        os.closerange(0, 3)
        time.sleep(3600)
