"""How a keeper is started."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from harness.sandbox.plan import TOKEN_VARIABLE, Plan

KEEPER = Path(__file__).with_name("keeper.py")


def keeper_command(plan: Plan) -> list[str]:
    """The command line of the keeper that carries out `plan`."""
    # -I -S: no environment variable and no site-packages of a bot has a say in the keeper, and it starts quickly.
    return [sys.executable, "-I", "-S", str(KEEPER), *plan.words()]


def keeper_environment(bots: Mapping[str, str]) -> dict[str, str]:
    """The environment of the keeper of a bot with the environment `bots`: nothing of it but the token."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    if TOKEN_VARIABLE in bots:
        environment[TOKEN_VARIABLE] = bots[TOKEN_VARIABLE]
    return environment
