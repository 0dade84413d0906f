"""bot.toml: what it promises, what is refused and why."""

import json
from pathlib import Path

import pytest

from harness.toml_file import TomlError, build, parse
from harness.workshop.manifest import BotManifest, command, read_manifest
from tests.documents import blocks
from tests.workshop.folders import bot_folder

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "bot-toml.md"

SMALLEST = """
[bot]
name = "tallinn-fox"
version = "1.4.0"
games = ["guillotine"]
[run]
argv = ["{python}", "bot.py"]
"""


def manifest(text: str = SMALLEST) -> BotManifest:
    return parse(text, BotManifest, source="bot.toml")


def complaints(text: str) -> list[str]:
    with pytest.raises(TomlError) as caught:
        manifest(text)
    assert all(line.isprintable() for line in caught.value.mistakes)
    return [line.removeprefix("bot.toml: ") for line in caught.value.mistakes]


def test_what_is_not_written_stands_at_its_default() -> None:
    small = manifest()

    assert (small.name, small.version, small.bot.games) == ("tallinn-fox", "1.4.0", ("guillotine",))
    assert (small.bot.authors, small.bot.notes) == ((), "private")
    assert (small.run.env, small.run.protocol, small.run.address, small.run.max_matches) == ({}, "grpc", "unix", 64)
    assert small.build is None
    assert small.needs.model_dump() == {"memory_mb": None, "start_s": None, "runtime": None}


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ('"tallinn-fox"', '"Tallinn Fox"', "[bot] name: must be 1 to 40 of a-z, 0-9"),
        ('"tallinn-fox"', '"submitted"', "[bot] name: 'submitted' is a word of cup.toml; take another"),
        ('"1.4.0"', '"../1"', "[bot] version: must be 1 to 40 of letters"),
        ('"1.4.0"', "1.4", "[bot] version: must be a text in quotes, not 1.4"),
        ('["guillotine"]', "[]", "[bot] games: must name at least one game; there are guillotine, zhiletka"),
        ('["guillotine"]', '["guillotin"]', "[bot] games: no game is called 'guillotin'; did you mean guillotine?"),
        ('["guillotine"]', '["zhiletka", "zhiletka"]', "[bot] games: names a game twice"),
        ('["guillotine"]', '"guillotine"', "[bot] games: must be a list in [brackets], not 'guillotine'"),
        ("[bot]", '[bot]\nauthors = ["a\\u202e"]', "[bot] authors, item 1: holds U+202E, an invisible mark"),
        ("[bot]", '[bot]\nnotes = "pubic"', "[bot] notes: must be 'private' or 'public', not 'pubic'; did you mean"),
        ("[bot]", '[bot]\nprotocol = "grpc"', "[bot] protocol: no such key here; it belongs in [run]"),
        ('["{python}", "bot.py"]', '"python bot.py"', "[run] argv: must be a list of words, such as"),
        ('["{python}", "bot.py"]', "[]", "[run] argv: must begin with the program"),
        ('["{python}", "bot.py"]', '["", "x"]', "[run] argv: must begin with the program"),
        ('["{python}", "bot.py"]', '["a", 3]', "[run] argv, item 2: must be a text in quotes, not 3"),
        ('["{python}", "bot.py"]', '["a\\u0000"]', "[run] argv: 'a\\x00' holds a NUL"),
        ('["{python}", "bot.py"]', '["{pyton}"]', "[run] argv: nothing stands for {pyton}; did you mean {python}?"),
        ("[run]", "[run]\nenv = { A = 3 }", "[run] env.A: must be a text in quotes, not 3"),
        ("[run]", "[run]\nenv = { 'A B' = '3' }", "[run] env: 'A B' cannot be the name of a variable"),
        ("[run]", "[run]\nenv = { CARDARENA_TOKEN = 'x' }", "[run] env: CARDARENA_TOKEN: names that begin with"),
        ("[run]", "[run]\nenv = { A = 'x\\u0000' }", "[run] env"),
        ("[run]", "[run]\nmax_matches = 0", "[run] max_matches: must be at least 1, not 0"),
        ("[run]", "[run]\nprotocol = 'http'", "[run] protocol: must be 'grpc' or 'lines', not 'http'"),
        ("[run]", "[build]\nargv = ['make']\n[run]", "[build] argv, item 1: must be a list of words"),
        ("[run]", "[build]\nargv = []\n[run]", "[build] argv: "),
        ("[run]", "[needs]\nmemory = 5\n[run]", "[needs] memory: no such key; did you mean memory_mb?"),
        ("[run]", "[needs]\nstart_s = 0\n[run]", "[needs] start_s: must be more than 0"),
        ("[run]", "[needs]\nruntime = '/bin/sh'\n[run]", "[needs] runtime: must be a name from the organiser's"),
        ("[run]", "[sandbox]\n[run]", "sandbox: no such key; there are schema, bot, run, build, needs"),
    ],
)
def test_a_mistake_names_the_key_and_the_mend(before: str, after: str, complaint: str) -> None:
    if "x\\u0000" in after:
        after = after.replace("'", '"')
    assert before in SMALLEST
    assert any(line.startswith(complaint) for line in complaints(SMALLEST.replace(before, after, 1)))


def test_the_manifest_of_a_folder_is_read(tmp_path: Path) -> None:
    assert read_manifest(bot_folder(tmp_path, "fox")).name == "fox"


def test_a_manifest_of_a_megabyte_is_refused_unread(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "fox")
    (folder / "bot.toml").write_text("#" * 1_000_000)

    with pytest.raises(TomlError, match=r"bot\.toml: larger than 65,536 bytes"):
        read_manifest(folder)


def test_a_command_line_is_filled_in_and_not_split() -> None:
    argv = command(["{python}", "-I", "{dir}/a b.py", "$(rm)"], python="/usr/bin/python3", folder=Path("/bots/fox 1"))

    assert argv == ("/usr/bin/python3", "-I", "/bots/fox 1/a b.py", "$(rm)")


def test_a_manifest_comes_back_from_its_canonical_json() -> None:
    text = manifest(SMALLEST + "[build]\nargv = [['make', '-s']]\n[needs]\nstart_s = 10\n").canonical_json()

    assert build(json.loads(text), BotManifest, source="").canonical_json() == text


def test_the_document_shows_every_key_at_its_default() -> None:
    (text,) = [block.text for block in blocks("bot-toml.md", DOCUMENT.read_text()) if "schema = 1" in block.text]
    shown = {line.partition(" = ")[0] for line in text.splitlines() if " = " in line}
    document, small = manifest(text).model_dump(by_alias=True), manifest().model_dump(by_alias=True)

    assert {key for table in document.values() if isinstance(table, dict) for key in table} <= shown
    for table, keys in (("bot", ("authors", "notes")), ("run", ("protocol", "address", "max_matches"))):
        assert [document[table][key] for key in keys] == [small[table][key] for key in keys]
