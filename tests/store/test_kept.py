"""A match comes back from its packed row as it went in."""

import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.faults import FaultKind
from harness.record import FaultRecord
from harness.store.kept import KeptMatch, kept_match
from harness.store.unpacking import MOST_BYTES
from tests.store.made_up import record


@given(st.text() | st.just('", "play:') | st.just("\x01"))
def test_a_record_comes_back_whatever_a_bot_wrote(detail: str) -> None:
    made = replace(record(), faults=(FaultRecord(0, FaultKind.CRASHED, 0, 1, detail),))
    kept = kept_match(7, made, (), ())

    assert kept.line() == made.to_json()
    assert kept.match_record() == made
    assert kept.digest() == made.digest()


def test_a_record_that_grows_without_end_is_a_value_error() -> None:
    kept = KeptMatch(7, zlib.compress(b"\x01" * (MOST_BYTES // 8)), bytes(32), b"", None)

    with pytest.raises(ValueError, match="more than"):
        kept.line()
