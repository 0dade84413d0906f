"""A file that is there whole, or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write what takes the place of `path` once the block has ended, and is gone where it raises.

    A device or a pipe is written to itself. OSError where nothing can be put in its place.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        yield path
        return
    unfinished = target.with_name(f".unfinished-{os.getpid()}{target.suffix}")
    try:
        yield unfinished
        unfinished.replace(target)
    finally:
        with suppress(OSError):  # it has taken its place, or was never made
            unfinished.unlink()
