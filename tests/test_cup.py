"""cup.toml: what a file means, what is refused, what a round pins, and what may change later."""

import json
from pathlib import Path
from typing import get_args

import pytest
from pydantic.fields import FieldInfo

from harness.cup import CupFile, TimeException, check_change, from_pinned, read_cup
from harness.errors import HarnessError
from harness.match import TimeControl
from harness.toml_file import Table, TomlError, parse
from tests.documents import blocks

DOCUMENT = Path(__file__).parent.parent / "docs" / "cup.md"

SMALLEST = """
[cup]
name = "spring-cup"
game = "guillotine"
matches = 600
bots = ["fox", "owl"]
"""

FULL = """
schema = 1
[cup]
name = "spring-cup"
title = "Spring Cup"
season = "2026-spring"
game = "zhiletka"
seats = [4, 2, 3]
format = "balanced"
matches = 600
duplicate = true
bots = ["submitted"]
exclude = ["owl"]
house = ["sample:random"]
anchor = { "sample:random" = 1500 }
same_team = "allowed"
ranked_after = 10
seed = 42
[stop]
hours = 9.0
separated = 3
[rules]
ante = 120
initial_tie = "split"
[time]
bank_s = 20.0
increment_s = 0.05
decision_s = 5.0
[limits]
sandbox = "bwrap"
memory_mb = 512
cpus = 1
processes = 64
tmp_mb = 32
log_kb = 256
bots_alive = 40
jobs = 2
[publish]
replays = "now"
authors = true
replay_limit = 100
[[bots]]
bot = "t07-fox"
team = "T07"
rated = false
time = { bank_s = 60.0 }
"""


def cup(text: str = SMALLEST) -> CupFile:
    return parse(text, CupFile, source="cup.toml")


def changed(before: str, after: str, text: str = SMALLEST) -> CupFile:
    """The cup with one piece of its text replaced, which must be there."""
    assert before in text
    return cup(text.replace(before, after))


def complaints(text: str) -> list[str]:
    with pytest.raises(TomlError) as caught:
        cup(text)
    assert all(line.isprintable() for line in caught.value.mistakes)
    return [line.removeprefix("cup.toml: ") for line in caught.value.mistakes]


def test_what_is_not_written_stands_at_its_default() -> None:
    small = cup()

    assert (small.name, small.title, small.cup.season) == ("spring-cup", "spring-cup", None)
    assert (small.cup.seats, small.cup.format, small.cup.duplicate) == ((4,), "balanced", False)
    assert (small.cup.same_team, small.cup.ranked_after, small.cup.seed) == ("apart", 30, None)
    assert (small.stop.hours, small.stop.separated) == (None, None)
    assert small.time.control == TimeControl(20_000_000_000, 50_000_000, 5_000_000_000)
    assert small.limits.model_dump() == {
        "sandbox": "auto",
        "memory_mb": 512,
        "cpus": 1,
        "processes": 64,
        "tmp_mb": 32,
        "log_kb": 256,
        "bots_alive": 40,
        "jobs": None,
    }
    assert small.publish.model_dump() == {"replays": "round", "authors": False, "replay_limit": 2000}
    assert small.options == {}
    assert not small.is_ladder


def test_every_key_is_read() -> None:
    full = cup(FULL)

    assert full.title == "Spring Cup"
    assert full.cup.seats == (2, 3, 4)
    assert full.options == {"ante": 120}
    assert full.game.name == "zhiletka"
    assert full.is_ladder
    assert full.cup.anchor == {"sample:random": 1500.0}
    assert full.bots[0].time.over(full.time.control) == TimeControl(60_000_000_000, 50_000_000, 5_000_000_000)
    assert full.bots[0].model_dump(exclude={"time"}) == {"bot": "t07-fox", "team": "T07", "rated": False}


def test_an_exception_replaces_only_what_it_names() -> None:
    control = TimeControl(1, 2, 3)

    assert TimeException().over(control) == control
    assert TimeException(increment_s=0.0, decision_s=0.5).over(control) == TimeControl(1, 0, 500_000_000)


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ('name = "spring-cup"', 'name = "../etc"', "[cup] name: must be 1 to 40 of a-z"),
        ("[cup]", '[cup]\ntitle = "a\\u001b[31m"', "[cup] title: holds U+001B, a control character; leave it out"),
        ("[cup]", '[cup]\nseason = "a/b"', "[cup] season: must be 1 to 40"),
        ('"guillotine"', '"guilotine"', "[cup] game: no game is called 'guilotine'; did you mean guillotine?"),
        ('"guillotine"', '"whist"', "[cup] game: no game is called 'whist'; there are guillotine, zhiletka"),
        ("[cup]", "[cup]\nseats = 3", "[cup] seats: guillotine is not played by 3 (but by 4)"),
        ("[cup]", "[cup]\nseats = []", "[cup] seats: must be a whole number or a list of them"),
        ("[cup]", "[cup]\nseats = [4, 4]", "[cup] seats: names a table size twice: [4, 4]"),
        ("[cup]", '[cup]\nformat = "swiss"', "[cup] format: must be 'balanced', 'round-robin' or 'gauntlet'"),
        ("matches = 600", "", '[cup] matches: a "balanced" cup needs a budget; write matches = 600 or matches_per_bot'),
        (
            "matches = 600",
            "matches = 600\nmatches_per_bot = 9",
            "[cup] matches_per_bot: given beside matches; keep one",
        ),
        ("matches = 600", "matches = 0", "[cup] matches: must be at least 1, not 0"),
        ("[cup]", '[cup]\nformat = "round-robin"', '[cup] matches: a "round-robin" plays every group'),
        ("[cup]", '[cup]\nformat = "gauntlet"', '[cup] house: a "gauntlet" is played against the house; write house ='),
        ('bots = ["fox", "owl"]', "", '[cup] bots: nobody plays; write bots = ["submitted"]'),
        ('"owl"', '"wait:owl"', "[cup] bots, item 2: wait:owl: a bot that is waited for plays practice matches only"),
        ('"owl"', '""', "[cup] bots, item 2: must be a bot: a name, name@version, a folder or sample:NAME, not ''"),
        ('"owl"', '"o\\nwl"', "[cup] bots, item 2: must be a bot"),
        ("[cup]", '[cup]\nhouse = ["submitted"]', '[cup] house: "submitted" stands in bots only'),
        ("[cup]", '[cup]\nexclude = ["submitted"]', '[cup] exclude: "submitted" stands in bots only'),
        ("[cup]", '[cup]\nanchor = { "a" = 1, "b" = 2 }', "[cup] anchor: fixes 2 bots; one is enough"),
        ("[cup]", '[cup]\nanchor = { "a" = "high" }', "[cup] anchor.a: must be a number, not 'high'"),
        ("[cup]", "[cup]\nseed = -1", "[cup] seed: must be at least 0, not -1"),
        ("[cup]", "[cup]\nhours = 9", "[cup] hours: no such key here; it belongs in [stop]"),
        ("[cup]", "[cup]\nmemory_mb = 9", "[cup] memory_mb: no such key here; it belongs in [limits]"),
        ("[cup]", "[cup]\nrated = true", "[cup] rated: no such key here; it belongs in [[bots]]"),
        ("[cup]", "[cup]\nmatchs = 9", "[cup] matchs: no such key; did you mean matches?"),
        (
            "[cup]",
            "[rules]\nrank_ordr = 'french'\n[cup]",
            "[rules]: guillotine has no option 'rank_ordr'; did you mean",
        ),
        ("[cup]", "[rules]\nrank_order = 'x'\n[cup]", "[rules]: guillotine"),
        ("[cup]", "[rules]\nrank_order = 1.5\n[cup]", "[rules] rank_order: must be a text, a whole number, true or"),
        ("[cup]", "[time]\nbank_s = 0\n[cup]", "[time] bank_s: must be at least 0.001, not 0"),
        ("[cup]", "[time]\nbank_s = inf\n[cup]", "[time] bank_s: must be a finite number, not inf"),
        ("[cup]", "[time]\nbank = 3\n[cup]", "[time] bank: no such key; did you mean bank_s?"),
        ("[cup]", "[time]\nbank_s = '20'\n[cup]", "[time] bank_s: must be a number, not '20'"),
        ("[cup]", "[stop]\nhours = 0\n[cup]", "[stop] hours: must be more than 0"),
        ("[cup]", "[limits]\nsandbox = 'docker'\n[cup]", "[limits] sandbox: must be 'auto', 'bwrap', 'landlock'"),
        (
            "[cup]",
            "[limits]\nmemory_mb = 99999999999\n[cup]",
            "[limits] memory_mb: must be at most 1048576, not 99999999999",
        ),
        (
            "[cup]",
            "[limits]\nprocesses = 9999999999\n[cup]",
            "[limits] processes: must be at most 65536, not 9999999999",
        ),
        ("[cup]", "[limits]\nmemory = 512\n[cup]", "[limits] memory: no such key; did you mean memory_mb?"),
        ("[cup]", "[limits]\nbots_alive = 3\n[cup]", "[limits] bots_alive: must be at least 4, the seats of a table"),
        ("[cup]", "[publish]\nreplays = 'never'\n[cup]", "[publish] replays: must be 'now', 'round' or 'end'"),
        ("[cup]", "[[bots]]\nbot = 'a'\n[[bots]]\nbot = 'a'\n[cup]", "[[bots]] 2 bot: a has an entry already"),
        ("[cup]", "[[bots]]\nbot = 'submitted'\n[cup]", '[[bots]] 1 bot: "submitted" stands in [cup] bots only'),
        ("[cup]", "[[bots]]\nteam = 'T07'\n[cup]", '[[bots]] 1 bot: missing; write bot = "t07-fox"'),
    ],
)
def test_a_mistake_names_the_key_and_the_mend(before: str, after: str, complaint: str) -> None:
    assert before in SMALLEST
    assert any(complaint in line for line in complaints(SMALLEST.replace(before, after, 1)))


def test_a_team_written_in_two_ways_is_one() -> None:
    composed, decomposed = (
        cup(f'{SMALLEST}[[bots]]\nbot = "a"\nteam = "{team}"\n') for team in ("\u00c9lan", "E\u0301lan")
    )

    assert composed == decomposed
    assert composed.bots[0].team == "\u00c9lan"


@pytest.mark.parametrize("team", ["T\\n7", "T\\u202e7", "T\\u001b[2J", " T7", ""])
def test_a_team_that_could_forge_a_page_is_refused(team: str) -> None:
    (line,) = complaints(f'{SMALLEST}[[bots]]\nbot = "a"\nteam = "{team}"\n')

    assert line.startswith("[[bots]] 1 team: ")


def test_a_hostile_but_visible_title_is_kept() -> None:
    title = "A vs X \"'<script>`=cmd()|;-- " + "x" * 170
    text = SMALLEST.replace("[cup]", f"[cup]\ntitle = {json.dumps(title)}")

    assert cup(text).title == title
    assert from_pinned(cup(text).pinned(), source="cup, round 1").title == title


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(FULL)

    assert read_cup(tmp_path / "cup.toml") == cup(FULL)


def test_what_a_round_pins_gives_the_cup_back() -> None:
    for text in (SMALLEST, FULL):
        pinned = cup(text).pinned()

        assert from_pinned(pinned, source="cup, round 1").pinned() == pinned


def test_what_is_pinned_does_not_depend_on_how_the_file_is_written() -> None:
    other = """
    [limits]
    memory_mb = 512
    [rules]
    rank_order = "seed"
    [cup]
    bots = ["fox", "owl"]
    matches = 600
    seats = [4]
    game = "guillotine"
    name = "spring-cup"
    [time]
    bank_s = 20
    """

    assert cup(other).pinned() == cup().pinned()


def test_the_version_of_the_rules_is_pinned() -> None:
    members = json.loads(cup().pinned())
    newer = json.dumps(members | {"rules_version": "999"})
    with pytest.raises(HarnessError, match=r"spring-cup, round 1: pinned version 999 of the rules of guillotine, this"):
        from_pinned(newer, source="spring-cup, round 1")

    assert members["rules_version"] == cup().game.rules_version


@pytest.mark.parametrize("text", ["", "[]", "{", '{"cup": {}}', "nul"])
def test_damaged_settings_are_one_line(text: str) -> None:
    with pytest.raises(HarnessError) as caught:
        from_pinned(text, source="spring-cup, round 1")

    assert str(caught.value).startswith("spring-cup, round 1: ")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("matches = 600", "matches = 601"),
        ("hours = 9.0", "hours = 9.5"),
        ("hours = 9.0", ""),
        ('bots = ["submitted"]', 'bots = ["submitted", "elk"]'),
        ('exclude = ["owl"]', 'exclude = ["owl", "elk"]'),
        ('exclude = ["owl"]', ""),
        ('title = "Spring Cup"', 'title = "The Spring Cup"'),
        ('replays = "now"', 'replays = "end"'),
        ("replay_limit = 100", ""),
        ("jobs = 2", "jobs = 8"),
        ("ante = 120\ninitial_tie = 'split'".replace("'", '"'), "ante = 120"),
        ("[[bots]]", '[[bots]]\nbot = "elk"\nteam = "T01"\n[[bots]]'),
        ("seats = [4, 2, 3]", "seats = [2, 3, 4]"),
        ("bank_s = 20.0", "bank_s = 20"),
    ],
)
def test_a_cup_that_has_begun_may_grow(before: str, after: str) -> None:
    check_change(cup(FULL), changed(before, after, FULL), source="cup.toml")


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("matches = 600", "matches = 599", "[cup] matches: 600 before, 599 now; it may only grow"),
        ("matches = 600", "matches_per_bot = 600", "[cup] matches: 600 before, absent now"),
        ("hours = 9.0", "hours = 8.0", "[stop] hours: 9.0 before, 8.0 now; it may only grow"),
        (
            "separated = 3",
            "separated = 2",
            "[stop] separated: 3 before, 2 now; put it back, or give the cup another name",
        ),
        ('game = "zhiletka"', 'game = "guillotine"\n', '[cup] game: "zhiletka" before, "guillotine" now'),
        ("seats = [4, 2, 3]", "seats = 4", "[cup] seats: [2, 3, 4] before, [4] now"),
        ("duplicate = true", "duplicate = false", "[cup] duplicate: true before, false now"),
        ("seed = 42", "", "[cup] seed: 42 before, absent now"),
        ('house = ["sample:random"]', "", '[cup] house: ["sample:random"] before, [] now'),
        ("= 1500", "= 1600", '[cup] anchor: {"sample:random": 1500.0} before, {"sample:random": 1600.0} now'),
        ('same_team = "allowed"', "", '[cup] same_team: "allowed" before, "apart" now'),
        ("ante = 120", "ante = 180", "[rules] ante: 120 before, 180 now"),
        ("ante = 120", "", "[rules] ante: 120 before, its default now"),
        ("bank_s = 20.0", "bank_s = 30.0", "[time] bank_s: 20.0 before, 30.0 now"),
        ("memory_mb = 512", "memory_mb = 513", "[limits] memory_mb: 512 before, 513 now"),
        (
            'bots = ["submitted"]',
            'bots = ["elk"]',
            "[cup] bots: submitted before, not now; put it back and add it to exclude",
        ),
        ('team = "T07"', "", '[[bots]] t07-fox team: "T07" before, absent now'),
        ("rated = false", "", "[[bots]] t07-fox rated: false before, true now"),
        ("bank_s = 60.0", "bank_s = 61.0", '[[bots]] t07-fox time: {"bank_s": 60.0} before, {"bank_s": 61.0} now'),
        ('bot = "t07-fox"', 'bot = "t08-fox"', "[cup] bots: t07-fox before, not now"),
    ],
)
def test_any_other_change_is_refused_with_both_values(before: str, after: str, complaint: str) -> None:
    text = FULL.replace('ante = 120\ninitial_tie = "split"\n', "") if "guillotine" in after else FULL
    now = changed(before, after, text.replace("[4, 2, 3]", "4") if "guillotine" in after else text)
    with pytest.raises(TomlError) as caught:
        check_change(cup(FULL), now, source="cup.toml")

    assert any(line.startswith(f"cup.toml: {complaint}") for line in caught.value.mistakes)
    assert all(line.isprintable() for line in caught.value.mistakes)


def test_an_exception_for_a_bot_that_plays_already_is_a_change() -> None:
    with pytest.raises(TomlError, match=r'\[\[bots\]\] fox team: absent before, "T01" now'):
        check_change(cup(), cup(SMALLEST + '[[bots]]\nbot = "fox"\nteam = "T01"\n'), source="cup.toml")


def test_a_bot_entered_twice_stays_entered_twice() -> None:
    twice = changed('["fox", "owl"]', '["fox", "owl", "fox"]')
    check_change(cup(), twice, source="cup.toml")

    with pytest.raises(TomlError, match="fox entered 2 times before, 1 now"):
        check_change(twice, cup(), source="cup.toml")


def test_a_new_season_counts_its_matches_from_zero() -> None:
    text = FULL.replace("2026-spring", "2026-summer").replace("hours = 9.0", "hours = 1.0")

    check_change(cup(FULL), changed("matches = 600", "matches = 60", text), source="cup.toml")
    with pytest.raises(TomlError, match="duplicate"):
        check_change(cup(FULL), changed("duplicate = true", "", text), source="cup.toml")


def test_the_document_shows_every_key_at_its_default() -> None:
    (text,) = [block.text for block in blocks("cup.md", DOCUMENT.read_text()) if "schema = 1" in block.text]
    shown = {line.removeprefix("# ").partition(" = ")[0] for line in text.splitlines() if " = " in line}
    tables: list[type[Table]] = [
        CupFile,
        *(held for held in map(_held, CupFile.model_fields.values()) if held is not None),
    ]
    keys = {field.alias or name for table in tables for name, field in table.model_fields.items()}

    assert keys - {"cup", "stop", "rules", "publish", "limits", "matches_per_bot"} <= shown
    assert "matches_per_bot" in text
    document, small = cup(text).model_dump(), cup().model_dump()
    for table in ("stop", "time", "limits", "publish"):
        assert document[table] == small[table]
    own = ("name", "game", "bots")
    assert {key: document["cup"][key] for key in document["cup"] if key not in own} == {
        key: small["cup"][key] for key in small["cup"] if key not in own
    }


def _held(field: FieldInfo) -> type[Table] | None:
    for kind in (field.annotation, *get_args(field.annotation)):
        if isinstance(kind, type) and issubclass(kind, Table):
            return kind
    return None
