"""Mistakes of the person at the controls: shown in one line, without a traceback.

A bot's fault is never one of these: it is a value (`harness.faults.Fault`) and costs the bot
its match. A programmer's mistake is a ValueError or an AssertionError and is let through.
"""


class HarnessError(Exception):
    """An operator's mistake. The message says what is wrong, where, and the mend."""
