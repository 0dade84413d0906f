"""Files that people write: each mistake is one line with file, key, what is wrong and the mend."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from harness.errors import HarnessError
from harness.toml_file import AsTuple, Table, Texts, TomlError, canonical_json, parse, read


class Hen(Table):
    name: Annotated[str, Field(examples=['"Berta"'])]
    eggs: int = Field(default=0, ge=0, le=9)
    colour: Literal["brown", "white"] = "brown"
    weight_kg: float = Field(default=2.0, gt=0)
    likes: Texts = ()
    is_tame: bool = False


class Feed(Table):
    corn_kg: int = 0


class Chick(Table):
    name: str
    feed: Feed = Feed()


class Farm(Table):
    schema_number: Literal[1] = Field(default=1, alias="schema")
    hen: Hen
    feed: Feed = Feed()
    chicks: Annotated[tuple[Chick, ...], AsTuple] = ()
    prices: dict[str, int] = Field(default_factory=dict)


def complaints(text: str) -> list[str]:
    with pytest.raises(TomlError) as caught:
        parse(text, Farm, source="farm.toml")
    assert str(caught.value) == "\n".join(caught.value.mistakes)
    assert all(line.isprintable() and line.startswith("farm.toml: ") for line in caught.value.mistakes)
    return [line.removeprefix("farm.toml: ") for line in caught.value.mistakes]


def test_a_good_file_is_a_frozen_value() -> None:
    farm = parse('[hen]\nname = "Berta"\nweight_kg = 3\nlikes = ["corn"]\n[[chicks]]\nname = "a"', Farm, source="")

    assert farm.hen == Hen(name="Berta", weight_kg=3.0, likes=("corn",))
    assert farm.chicks[0].feed.corn_kg == 0
    with pytest.raises(ValueError, match="frozen"):
        farm.hen.eggs = 3


def test_equal_values_have_equal_canonical_json() -> None:
    one = parse('[hen]\nname = "B"\nweight_kg = 2\n', Farm, source="")
    other = parse('schema = 1\n[hen]\nweight_kg = 2.0\nname = "B"\nlikes = []\n[feed]\n', Farm, source="")

    assert one.canonical_json() == other.canonical_json()
    assert one.canonical_json() == (
        '{"chicks":[],"feed":{"corn_kg":0},"hen":{"colour":"brown","eggs":0,"is_tame":false,"likes":[],"name":"B",'
        '"weight_kg":2.0},"prices":{},"schema":1}'
    )


def test_canonical_json_refuses_what_json_cannot_say() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "[hen]: missing; write [hen]"),
        ("[hen]", 'hen] name: missing; write name = "Berta"'),
        ('[hen]\nname = "B"\negs = 1', "[hen] egs: no such key; did you mean eggs?"),
        ('[hen]\nname = "B"\nzzz = 1', "[hen] zzz: no such key; there are name, eggs, colour,"),
        ('[hen]\nname = "B"\ncorn_kg = 1', "[hen] corn_kg: no such key here; it belongs in [feed]"),
        ('[hen]\nname = "B"\nprices = 1', "[hen] prices: no such key here; it belongs at the top level, as a table"),
        ('[hen]\nname = "B"\n[fed]\n', "fed: no such key; did you mean feed?"),
        ('name = "B"\n[hen]\nname = "B"', "name: no such key here; it belongs in [hen]"),
        ('[hen]\nname = "B"\neggs = "3"', "[hen] eggs: must be a whole number, not '3'"),
        ('[hen]\nname = "B"\neggs = 3.5', "[hen] eggs: must be a whole number, not 3.5"),
        ('[hen]\nname = "B"\neggs = true', "[hen] eggs: must be a whole number, not true"),
        ('[hen]\nname = "B"\neggs = -1', "[hen] eggs: must be at least 0, not -1"),
        ('[hen]\nname = "B"\neggs = 10', "[hen] eggs: must be at most 9, not 10"),
        ('[hen]\nname = "B"\nweight_kg = 0', "[hen] weight_kg: must be more than 0"),
        ('[hen]\nname = "B"\nweight_kg = nan', "[hen] weight_kg: must be a finite number, not nan"),
        ('[hen]\nname = "B"\nweight_kg = "2"', "[hen] weight_kg: must be a number, not '2'"),
        ('[hen]\nname = "B"\ncolour = "whit"', "must be 'brown' or 'white', not 'whit'; did you mean white?"),
        ('[hen]\nname = "B"\ncolour = 1', "[hen] colour: must be 'brown' or 'white', not 1"),
        ('[hen]\nname = "B"\nlikes = "corn"', "[hen] likes: must be a list in [brackets], not 'corn'"),
        ('[hen]\nname = "B"\nlikes = ["corn", 1]', "[hen] likes, item 2: must be a text in quotes, not 1"),
        ('[hen]\nname = "B"\nis_tame = 1', "[hen] is_tame: must be true or false, not 1"),
        ("[hen]\nname = 2026-05-01", "[hen] name: must be a text in quotes, not datetime.date(2026, 5, 1)"),
        ("hen = 3", "[hen]: must be a table, not 3"),
        ('[hen]\nname = "B"\n[chicks]\nname = "a"', "[chicks]: must be a list in [brackets]"),
        ('[hen]\nname = "B"\n[[chicks]]\nname = "a"\n[[chicks]]\nnmae = "b"', "[[chicks]] 2 nmae: no such key"),
        ('[hen]\nname = "B"\n[[chicks]]\nname = "a"\nfeed = { corn = 1 }', "[[chicks]] 1 feed.corn: no such key"),
        ('[hen]\nname = "B"\n[prices]\negg = "x"', "[prices] egg: must be a whole number, not 'x'"),
        ('schema = 2\n[hen]\nname = "B"', "schema: this program reads schema 1, not 2; a newer one may"),
        ('[hen]\nname = "B"\n"\\u001b[2J" = 1', "[hen] '\\x1b[2J': no such key"),
        ('[hen]\nname = "B"\n"" = 1', "[hen] '': no such key"),
        ("[hen", "not TOML: Expected ']' at the end of a table declaration (at"),
        ('[hen]\nname = "B"\nname = "C"', "not TOML: Cannot overwrite a value (at "),
        ('[hen]\nname = "\x1b"', "not TOML: Illegal character '\\x1b' (at line 2"),
        ("a = " + "[" * 5_000, "nested too deeply"),
        ("a = " + "9" * 5_000, "not TOML: "),
    ],
)
def test_a_mistake_is_one_line_with_the_mend(text: str, complaint: str) -> None:
    assert any(complaint in line for line in complaints(text))


def test_all_mistakes_are_told_at_once() -> None:
    assert len(complaints("[hen]\neggs = -1\nlikes = [1, 2]\nzzz = 1\n[fed]")) == 6


def test_long_values_and_keys_are_cut() -> None:
    lines = complaints(f'[hen]\nname = "B"\neggs = "{"x" * 5_000}"\n{"y" * 5_000} = 1')

    assert all(len(line) < 300 for line in lines)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "farm.toml").write_bytes(b'\xef\xbb\xbf[hen]\r\nname = "B"\r\n')

    assert read(tmp_path / "farm.toml", Farm).hen.name == "B"


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes('[hen]\nname = "Bärta"'.encode("latin-1"))
    (tmp_path / "big.toml").write_bytes(b"#" * 2_000)
    cases = {
        "none.toml": "there is no such file",
        ".": "cannot be read: Is a directory",
        "latin.toml": "line 2 is not UTF-8; save the file as UTF-8",
        "big.toml": "larger than 1,000 bytes",
    }
    for name, complaint in cases.items():
        with pytest.raises(TomlError) as caught:
            read(tmp_path / name, Farm, max_bytes=1_000)

        assert complaint in str(caught.value)
        assert str(caught.value).startswith(str(tmp_path))


@given(st.text(alphabet=st.sampled_from("[]{}=\"'.#,\n abhen01\\ux\x00\u202e"), max_size=60))
def test_whatever_a_file_holds_it_is_a_value_or_one_line_a_mistake(text: str) -> None:
    try:
        parse(text, Farm, source="farm.toml")
        lines = []
    except HarnessError as error:
        lines = str(error).split("\n")

    assert all(line.isprintable() for line in lines)
