"""Tells what its build reached, and looks for what that kept for it: in its home, and among the processes."""

from pathlib import Path

from harness.bot import Action, Bot, View, run

KEPT = "kept: "

for line in Path("built.txt").read_text().splitlines():
    if not line.startswith(KEPT):
        print(line, flush=True)
    elif Path(line.removeprefix(KEPT)).exists():
        print("reached: a file that its build has kept", flush=True)


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


run(FaultBot)
