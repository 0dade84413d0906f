"""What one bot process is put into: a level of the sandbox, and what the bot must reach all the same."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from harness.sandbox.cgroups import Cgroups
from harness.sandbox.landlock import SCOPES_ABI
from harness.sandbox.runtime import Runtime

LEVELS = ("bwrap", "landlock", "limits", "none")
"""From the best to the least."""
AUTO = "auto"


@dataclass(frozen=True)
class Sandbox:
    """A level as this machine offers it, found by `harness.sandbox.levels.choose`."""

    level: str
    """One of `LEVELS`."""
    says: str = ""
    """Which and why, in one line."""
    landlock_abi: int = 0
    cgroups: Cgroups | None = None
    """Where the kernel can count memory for us."""
    opens_ways: bool = True
    """As root: whether a bot can be shown what lies in folders that only root may enter."""

    @property
    def hides_files(self) -> bool:
        """Whether bots see nothing but what they are shown."""
        return self.level in ("bwrap", "landlock")

    @property
    def lets_signals_out(self) -> bool:
        """Whether a bot can send signals to processes of its user that are not in its sandbox."""
        return self.level != "bwrap" and (self.level != "landlock" or self.landlock_abi < SCOPES_ABI)

    @property
    def forwards_tcp(self) -> bool:
        """Whether a bot that needs TCP gets it inside its sandbox, so that the arena need not listen on it."""
        return self.level == "bwrap"


class Cell(NamedTuple):
    """Where one process lives."""

    sandbox: Sandbox
    directory: Path | None = None
    """Its own on disk, which goes when it has ended; it may write there where nothing better can be had."""
    socket: Path | None = None
    """The arena's."""
    runtime: Runtime | None = None
    """None: what its program needs, found by looking at it."""
    tcp: bool = False
    """It cannot dial unix sockets."""
    is_build: bool = False
    """It may write into the folder that it starts in, which the harness made for it."""
    has_network: bool = False
    """It reaches the network as the harness does."""


PLAIN = Cell(Sandbox("limits"))
"""Limits alone."""
