"""The sample bots as tests use them: their classes in this process, or their programs in one of their own."""

import importlib.util
import subprocess
import sys
from functools import cache
from pathlib import Path

from harness.bot import Bot
from tests.bot.solo_arena import TOKEN

SAMPLES = Path(__file__).parents[2] / "sample_bots"


@cache
def bot_class(name: str) -> type[Bot]:
    """The class that the bot of folder `name` runs."""
    module_name = f"sample_{name.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(module_name, SAMPLES / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    sys.path.insert(0, str(SAMPLES / name))  # as Python does for the program: its other files lie beside it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SAMPLES / name))
    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module_name
    )
    return found


def run_program(name: str, address: str) -> subprocess.CompletedProcess[str]:
    """The bot's program, played to its end."""
    env = {"CARDARENA_ADDRESS": address, "CARDARENA_TOKEN": TOKEN}
    command = [sys.executable, "bot.py"]
    return subprocess.run(command, cwd=SAMPLES / name, env=env, capture_output=True, text=True, check=False, timeout=60)
