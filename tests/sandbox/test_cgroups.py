"""Control groups: found where they can be made, and set as the limits say."""

import os
import subprocess
from pathlib import Path

import pytest

from harness.sandbox import cgroups
from harness.sandbox.cgroups import Cgroups, find_cgroups
from harness.sandbox.limits import MB, ProcessLimits
from harness.sandbox.plan import Plan

VERSION_1 = "4:memory:/box\n3:cpuacct:/\n2:cpu:/box\n1:name=systemd:/\n0::/\n"
VERSION_2 = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope\n"


def folder(path: Path, controllers: str = "") -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "cgroup.subtree_control").write_text(controllers)
    return path


@pytest.fixture
def divisible(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Groups that this process can divide."""
    groups: set[Path] = set()
    monkeypatch.setattr(cgroups, "_can_divide", lambda group, file: group in groups)
    return groups


def test_root_divides_its_own_groups_of_version_1(tmp_path: Path, divisible: set[Path]) -> None:
    divisible |= {tmp_path / "memory/box", tmp_path / "cpu/box"}

    assert find_cgroups(tmp_path, VERSION_1) == Cgroups(1, tmp_path / "memory/box", tmp_path / "cpu/box")


def test_time_is_left_uncounted_where_only_memory_can_be(tmp_path: Path, divisible: set[Path]) -> None:
    divisible |= {tmp_path / "memory/box"}

    assert find_cgroups(tmp_path, VERSION_1) == Cgroups(1, tmp_path / "memory/box", None)


def test_a_user_divides_the_nearest_group_that_systemd_delegated(tmp_path: Path, divisible: set[Path]) -> None:
    service = tmp_path / "user.slice/user-1000.slice/user@1000.service"
    divisible |= {folder(service / "app.slice", "cpu memory pids"), folder(service, "cpu memory pids")}

    assert find_cgroups(tmp_path, VERSION_2) == Cgroups(2, service / "app.slice", service / "app.slice")


def test_there_may_be_none(tmp_path: Path, divisible: set[Path]) -> None:
    assert find_cgroups(tmp_path, VERSION_2) is None
    assert find_cgroups(tmp_path, VERSION_1) is None
    assert find_cgroups(tmp_path, "") is None


def test_version_1_counts_memory_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    plan = Plan()
    Cgroups(1, tmp_path / "m", tmp_path / "c").confine(plan, ProcessLimits(memory_mb=100, cpus=2))
    memory, cpu = plan.cgroups

    assert Path(memory).parent == tmp_path / "m"
    assert plan.cgroup_settings == (
        f"{memory}/memory.limit_in_bytes {100 * MB}",
        f"{cpu}/cpu.cfs_period_us 20000",
        f"{cpu}/cpu.cfs_quota_us 40000",
    )
    assert plan.oom_file == f"{memory}/memory.oom_control"


def test_version_2_has_one_group_for_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    plan = Plan()
    Cgroups(2, tmp_path, tmp_path).confine(plan, ProcessLimits(memory_mb=100, cpus=1))
    (group,) = plan.cgroups

    assert plan.cgroup_settings == (f"{group}/memory.max {100 * MB}", f"{group}/cpu.max 20000 20000")
    assert plan.oom_file == f"{group}/memory.events"


def test_every_bot_has_a_group_of_its_own(tmp_path: Path) -> None:
    first, second = Plan(), Plan()
    for plan in (first, second):
        Cgroups(2, tmp_path, None).confine(plan, ProcessLimits())

    assert set(first.cgroups).isdisjoint(second.cgroups)


def test_a_share_of_all_cores_is_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    plan = Plan()
    Cgroups(2, tmp_path, tmp_path).confine(plan, ProcessLimits(cpus=2))

    assert not any("cpu" in setting for setting in plan.cgroup_settings)


def test_trying_leaves_nothing_and_sweeps_up_after_the_dead(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    for name in (f"cardarena-{dead.pid}-7", f"cardarena-{os.getpid()}-1", "cardarena-x", "other"):
        (tmp_path / name).mkdir()
    found = cgroups._can_divide(tmp_path, "memory.max")

    assert not found  # an ordinary folder
    assert {path.name for path in tmp_path.iterdir()} == {f"cardarena-{os.getpid()}-1", "cardarena-x", "other"}
