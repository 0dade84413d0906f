"""Points in time for people and records."""

from datetime import UTC, datetime

NS_PER_S = 1_000_000_000


def utc_text(unix_ns: int) -> str:
    """A point in time, to the second.

    >>> utc_text(1_777_000_000_000_000_000)
    '2026-04-24T03:06:40Z'
    """
    return datetime.fromtimestamp(unix_ns // NS_PER_S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
