"""Limits that leave no room to start are named where a bot did not start."""

import pytest

from harness.sandbox.limits import SDK_MEMORY_MB, SDK_PROCESSES, ProcessLimits, scarcity


@pytest.mark.parametrize(
    ("limits", "named"),
    [
        (ProcessLimits(memory_mb=24), "[limits] memory_mb = 24 may be too little"),
        (ProcessLimits(processes=1), "[limits] processes = 1 may be too little"),
        (ProcessLimits(memory_mb=24, processes=1), "[limits] memory_mb = 24 and processes = 1 may be too little"),
    ],
)
def test_what_is_scarce_is_named_with_what_would_do(limits: ProcessLimits, named: str) -> None:
    assert named in scarcity(limits)
    assert f"within {SDK_MEMORY_MB} MB and {SDK_PROCESSES} processes" in scarcity(limits)


def test_where_there_is_room_nothing_is_said() -> None:
    assert scarcity(ProcessLimits(memory_mb=SDK_MEMORY_MB, processes=SDK_PROCESSES)) == ""
    assert scarcity(ProcessLimits()) == ""
