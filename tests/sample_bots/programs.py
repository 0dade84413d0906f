"""The sample bots as tests use them: their classes in this process, or their programs in one of their own."""

import subprocess
import sys
from functools import cache

from harness import local
from harness.bot import Bot
from tests.bot.solo_arena import TOKEN

SAMPLES = local.SAMPLE_BOTS


@cache
def bot_class(name: str) -> type[Bot]:
    """The class that the bot of folder `name` runs, the same one each time."""
    return local.load(f"sample:{name}")


def run_program(name: str, address: str) -> subprocess.CompletedProcess[str]:
    """The bot's program, played to its end."""
    env = {"CARDARENA_ADDRESS": address, "CARDARENA_TOKEN": TOKEN}
    command = [sys.executable, "bot.py"]
    return subprocess.run(
        command, cwd=SAMPLES / name, env=env, capture_output=True, text=True, check=False, timeout=600
    )
