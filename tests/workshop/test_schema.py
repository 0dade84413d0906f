"""The schemas in docs/ are those of the program, and say of a file what the program says."""

import json
import tomllib
from pathlib import Path

import pytest

from harness.workshop.schema import FILE_NAMES, schemas
from tests.documents import blocks
from tests.schema_files import FOLDER
from tests.sources import ROOT
from tests.workshop.json_schema import problems

SCHEMAS = {name: json.loads(text) for name, text in schemas().items()}
EXAMPLES = [
    (block.document, block.line, block.text)
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
    for block in blocks(str(path.relative_to(ROOT)), path.read_text())
    if block.language == "toml" and ("[cup]" in block.text or "[bot]" in block.text)
]


def told(text: str) -> list[str]:
    members = tomllib.loads(text)
    schema = SCHEMAS["cup.schema.json" if "cup" in members else "bot.schema.json"]
    return list(problems(members, schema, schema))


@pytest.mark.parametrize("name", FILE_NAMES)
def test_the_files_are_up_to_date(name: str) -> None:
    assert (FOLDER / name).read_text() == schemas()[name], "run `make docs`"


@pytest.mark.parametrize(("document", "line", "text"), EXAMPLES, ids=[f"{name}:{line}" for name, line, _ in EXAMPLES])
def test_every_example_of_a_file_fits(document: str, line: int, text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("sample_bots/*/bot.toml")), ids=lambda path: path.parent.name)
def test_every_sample_bot_fits(path: Path) -> None:
    assert told(path.read_text()) == []


BOT = '[bot]\nname = "fox"\nversion = "1"\ngames = ["zhiletka"]\n[run]\nargv = ["./fox"]\n'
CUP = '[cup]\nname = "c"\ngame = "zhiletka"\nseats = 2\nmatches = 1\nbots = ["fox"]\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (BOT.replace('"fox"', '"Fox"'), "/bot/name: 'Fox' does not fit"),
        (BOT.replace("zhiletka", "chess"), "/bot/games/0: 'chess' is none of ['guillotine', 'zhiletka']"),
        (BOT.replace('["zhiletka"]', "[]"), "/bot/games: too short"),
        (BOT.replace("argv", "arg"), "/run: no key is called arg"),
        (BOT + "max_matches = 0\n", "/run/max_matches: 0 is out of bounds"),
        (BOT + "[needs]\nmemory_mb = 'all'\n", "/needs/memory_mb: 'all' is no integer"),
        (BOT + "[build]\nargv = [[]]\n", "/build/argv/0: too short"),
        (CUP.replace("seats = 2", "seats = [2, 2]"), "/cup/seats: twice the same"),
        (CUP.replace("seats = 2", 'seats = "2"'), "/cup/seats: '2' is no ['integer', 'array']"),
        (CUP + "[time]\nbank_s = 0\n", "/time/bank_s: 0 is out of bounds"),
        (CUP + "[rules]\nx = 1.5\n", "/rules/x: fits none of the forms"),
        ("schema = 2\n" + CUP, "/schema: 2 is none of [1]"),
    ],
)
def test_a_mistake_is_one_for_the_schema_too(text: str, problem: str) -> None:
    assert problem in told(text)
