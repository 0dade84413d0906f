"""What a ledger keeps packed is unpacked whole or refused, and never without end."""

import zlib

import pytest

from harness.store.unpacking import unpacked


def test_what_was_packed_comes_back() -> None:
    assert unpacked(zlib.compress(b"a record"), most_bytes=8) == b"a record"
    assert unpacked(zlib.compress(b"")) == b""


@pytest.mark.parametrize("data", [zlib.compress(b"a record")[:-5], b"", b"no zlib", "text", None])
def test_what_is_damaged_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        unpacked(data)  # type: ignore[arg-type]  # a ledger from elsewhere may hold anything


def test_a_bomb_is_refused_without_being_unpacked() -> None:
    with pytest.raises(ValueError, match="more than 1,000 bytes"):
        unpacked(zlib.compress(bytes(50 << 20)), most_bytes=1_000)
