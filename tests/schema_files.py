"""Writes docs/bot.schema.json and docs/cup.schema.json. `make docs` runs it."""

from harness.workshop.schema import schemas
from tests.sources import ROOT

FOLDER = ROOT / "docs"


if __name__ == "__main__":
    for name, text in schemas().items():
        (FOLDER / name).write_text(text)
