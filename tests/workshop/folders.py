"""Bot folders made up on disk."""

from pathlib import Path

MANIFEST = """
schema = 1
[bot]
name = "{name}"
version = "{version}"
games = {games}
[run]
argv = ["{{python}}", "bot.py"]
"""


def bot_folder(
    parent: Path, name: str, *, version: str = "1.0", games: str = '["guillotine", "zhiletka"]', code: str = "pass\n"
) -> Path:
    """Makes `parent/name`, a bot that nobody will start."""
    folder = parent / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(MANIFEST.format(name=name, version=version, games=games))
    (folder / "bot.py").write_text(code)
    return folder
