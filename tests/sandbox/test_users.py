"""Bots of root are users of their own, at every level, and no two at the same time the same."""

import pytest

from harness.errors import HarnessError
from harness.sandbox import users
from harness.sandbox.cell import LEVELS
from harness.sandbox.levels import try_level
from harness.sandbox.probe import run_at
from harness.sandbox.users import FIRST, LAST, BotUser, runs_as_root, take_user

WORKING = [level for level in LEVELS if not try_level(level).problem]


@pytest.mark.slow
@pytest.mark.skipif(not runs_as_root(), reason="bots of an ordinary user are the same user")
@pytest.mark.parametrize("level", WORKING)
def test_a_bot_of_root_is_a_user_of_its_own(level: str) -> None:
    """Outside its name spaces, too: what the kernel calls it there stands in the user's map."""
    ran = run_at(try_level(level).sandbox, ("cat", "/proc/self/status", "/proc/self/uid_map"))
    rows = [line.split() for line in ran.output.splitlines()]
    (ids,) = (row[1:] for row in rows if row[0] == "Uid:")
    (capabilities,) = (row[1] for row in rows if row[0] == "CapEff:")

    assert ran.is_well
    assert len(set(ids)) == 1
    assert FIRST <= int(ids[0]) <= LAST
    assert int(capabilities, 16) == 0
    assert rows[-1] == ["0", "0", "4294967295"], "no name space of users, in which it would be somebody else"


def test_no_user_is_taken_twice_and_where_all_are_taken_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "LAST", FIRST + 3)
    monkeypatch.setattr(users, "_next", FIRST)
    taken: list[BotUser] = []

    def take_all() -> None:
        while True:
            taken.append(take_user())

    try:
        with pytest.raises(HarnessError, match="are taken by bots; fewer"):
            take_all()
    finally:
        for user in taken:
            user.give_back()

    assert len({user.uid for user in taken}) == len(taken)
    assert {user.uid for user in taken} <= set(range(FIRST, FIRST + 4))
