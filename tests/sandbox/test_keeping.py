"""The gate of the keeper: nothing of a bot runs before its control groups hold it."""

import asyncio
import sys
from pathlib import Path

import pytest

from harness.sandbox import probe
from harness.sandbox.cell import LEVELS, Cell, Sandbox
from harness.sandbox.cgroups import PREFIX, Cgroups
from harness.sandbox.descendants import family
from harness.sandbox.levels import try_level
from harness.sandbox.limits import ProcessLimits
from harness.sandbox.plan import Plan
from harness.sandbox.probe import run_at
from harness.sandbox.process import start_process
from tests.sandbox.test_process import ENV, ROOT

WORKING = [level for level in LEVELS if not try_level(level).problem]
REFUSING = f"""
import select, sys
sys.path.append({str(ROOT)!r})
from harness.sandbox import keeping

def refuse(keeper, pid):
    if keeper.plan.bwrap and pid == keeper.bot_pid:
        return  # Bubblewrap itself: what becomes the bot comes after it.
    written = select.poll()
    written.register(keeper.log.source_fd, select.POLLIN)
    written.poll(300)  # Time enough for a bot that is let in too early.
    raise OSError("there is no room")

keeping.Keeper._join_groups = refuse
keeping.main(sys.argv[1:])
"""
"""A keeper that cannot put its bot into a group, and takes its time to find out."""


@pytest.mark.slow
@pytest.mark.parametrize("level", WORKING)
def test_nothing_of_a_bot_runs_before_its_groups_hold_it(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(plan: Plan) -> list[str]:
        return [sys.executable, "-I", "-S", "-c", REFUSING, *plan.words()]

    monkeypatch.setattr(probe, "keeper_command", refusing)
    ran = run_at(try_level(level).sandbox, ("echo", "in"))

    assert (ran.status, ran.output) == ("broken there is no room", "")


def test_a_group_that_takes_no_process_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    class Closed(Cgroups):
        def confine(self, plan: Plan, limits: ProcessLimits) -> None:
            plan.cgroups = (f"{tmp_path}/bot", f"{tmp_path}/bot/cgroup.procs")

    ran = run_at(Sandbox("limits", cgroups=Closed(2, tmp_path, None)), ("echo", "in"))

    assert ran.status.startswith("broken no control group takes the bot: [Errno 21]")
    assert not ran.output


@pytest.mark.parametrize("level", WORKING)
async def test_all_of_a_bot_is_in_its_groups(level: str) -> None:
    """Seen from outside, where such groups can be had; where not, it is in none."""
    sandbox = try_level(level).sandbox
    process = start_process(("sh", "-c", "echo in; sleep 1000"), Path("/usr"), ENV, ProcessLimits(), Cell(sandbox))
    while b"in\n" not in process.output:
        assert process.exit is None, process.exit
        await asyncio.sleep(0.01)
    bots = family(process.pid)[1:]
    in_groups = [PREFIX in Path(f"/proc/{pid}/cgroup").read_text() for pid in bots]
    process.kill()
    await process.gone()

    assert len(bots) >= 1
    assert in_groups == [sandbox.cgroups is not None] * len(bots)
