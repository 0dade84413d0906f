"""Which level is taken, and what is said about it."""

import platform
from collections.abc import Callable, Mapping

import pytest

from harness.errors import HarnessError
from harness.sandbox import bwrap, kernel, levels
from harness.sandbox.cell import LEVELS, Sandbox
from harness.sandbox.levels import Trial, choose, try_level

Machine = Callable[[Mapping[str, tuple[str, str]]], None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Makes a machine on which some levels do not work: problem and mend by level."""

    def made(broken: Mapping[str, tuple[str, str]]) -> None:
        def tried(level: str) -> Trial:
            return Trial(Sandbox(level, landlock_abi=4), *broken.get(level, ("", "")))

        monkeypatch.setattr(levels, "try_level", tried)

    return made


NO_BWRAP = {"bwrap": ("bubblewrap is not installed", "apt install bubblewrap")}
NO_LANDLOCK = {"landlock": ("this kernel has no Landlock", "")}


def test_the_best_level_that_works_is_taken(machine: Machine) -> None:
    machine({})
    best = choose()
    machine(NO_BWRAP)
    second = choose()
    machine(NO_BWRAP | NO_LANDLOCK)
    third = choose()

    assert [best.level, second.level, third.level] == ["bwrap", "landlock", "limits"]


def test_one_line_says_which_and_why(machine: Machine) -> None:
    machine(NO_BWRAP)

    assert choose().says == (
        "sandbox landlock (bwrap does not work here: bubblewrap is not installed (apt install bubblewrap)): "
        "bots cannot read your files and have no network, but can dial unix sockets, your user's among them; "
        "Landlock 4 does not keep them from signals and abstract sockets"
    )


def test_a_required_sandbox_does_not_fall_back(machine: Machine) -> None:
    machine(NO_BWRAP)

    with pytest.raises(HarnessError, match=r"required, and level bwrap does not work here: .*apt install bubblewrap"):
        choose(require=True)
    with pytest.raises(HarnessError, match='and "limits" is asked for'):
        choose("limits", require=True)


def test_a_level_that_is_asked_for_is_had_or_refused(machine: Machine) -> None:
    machine(NO_BWRAP)

    assert choose("limits").level == "limits"
    assert choose("limits").says.startswith("sandbox limits (asked for): bots can read your files")
    with pytest.raises(HarnessError, match="level bwrap does not work here: bubblewrap is not installed"):
        choose("bwrap")


def test_a_machine_without_any_level_says_all_reasons(machine: Machine) -> None:
    machine({level: (f"no {level}", "") for level in LEVELS})

    with pytest.raises(HarnessError, match=r"no bwrap; .*no landlock; .*no limits; .*no none"):
        choose()


def test_the_least_levels_work_wherever_the_tests_run() -> None:
    assert try_level("limits").problem == ""
    assert try_level("none").problem == ""


def test_a_level_that_is_none_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="docker"):
        try_level("docker")


def test_another_system_than_linux_has_the_level_none(monkeypatch: pytest.MonkeyPatch) -> None:
    try_level.cache_clear()
    monkeypatch.setattr(kernel, "is_linux", lambda: False)
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    chosen = choose()
    try_level.cache_clear()

    assert chosen.level == "none"
    assert "limits does not work here: Darwin is not Linux" in chosen.says


def test_bubblewrap_that_is_not_there_is_what_is_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    try_level.cache_clear()
    monkeypatch.setattr(bwrap, "find_bwrap", lambda: None)
    trial = try_level("bwrap")
    try_level.cache_clear()

    assert (trial.problem, trial.mend) == ("bubblewrap is not installed", "apt install bubblewrap")
