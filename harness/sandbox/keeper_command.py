"""How a keeper is started."""

import sys
from pathlib import Path

from harness.sandbox.plan import Plan

KEEPER = Path(__file__).with_name("keeper.py")


def keeper_command(plan: Plan) -> list[str]:
    """The command line of the keeper that carries out `plan`."""
    # -I -S: no environment variable and no site-packages of a bot has a say in the keeper, and it starts quickly.
    return [sys.executable, "-I", "-S", str(KEEPER), *plan.words()]
