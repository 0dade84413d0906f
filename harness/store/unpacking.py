"""Unpacks what a ledger keeps packed, no more of it than there may be: a ledger may come from a stranger."""

import zlib

WINDOW_BITS = 13
"""With which zlib packs: a window of 8 KiB finds as much in a match as the usual 32 KiB, and is ready in less time."""
MOST_BYTES = 64 << 20
"""The record of a Guillotine match is 20 kB; no part of a match comes near this."""


def unpacked(data: bytes, *, most_bytes: int = MOST_BYTES) -> bytes:
    """What `data` was before zlib packed it. ValueError where it is damaged, cut off, or more than `most_bytes`."""
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(data, most_bytes)
    except (TypeError, zlib.error) as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        raise ValueError(f"cut off, or more than {most_bytes:,} bytes")
    return found
