"""What the keeper holds against a bot is the bot's own."""

import os

import pytest

from harness.sandbox import watch
from harness.sandbox.plan import Plan


def test_a_sandbox_still_being_made_is_not_charged_with_the_files_of_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """bubblewrap names its child before that has a root of its own: until then its /tmp is everybody's."""
    monkeypatch.setattr(watch, "FILE_COUNT", -1)  # so that any folder holds too many
    looking = watch.Watch(Plan(), os.getpid())
    looking.inside_pid = os.getpid()

    assert looking.excess() == ""


def test_a_sandbox_without_a_tmp_yet_is_not_charged() -> None:
    looking = watch.Watch(Plan(), os.getpid())
    looking.inside_pid = 2**22 + 1  # no process has such a number

    assert looking.excess() == ""
