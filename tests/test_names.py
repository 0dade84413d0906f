"""Names that people choose: what is accepted, what is refused and why."""

import pytest

from harness.names import did_you_mean, why_not_a_name, why_not_a_team, why_not_a_title, why_not_a_version


@pytest.mark.parametrize("name", ["a", "0", "tallinn-fox", "fox.2", "a_b", "x" * 40])
def test_a_name_is_accepted(name: str) -> None:
    assert why_not_a_name(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Fox",
        "-fox",
        ".fox",
        "..",
        "a/b",
        "a\\b",
        "fox\n",
        "fox ",
        "fox#2",
        "fox@1",
        "füchs",
        "x" * 41,
        "a\0",
        "submitted",
        "sample:fox",
        "\u202efox",
        "'; DROP TABLE",
        "=cmd()",
    ],
)
def test_anything_else_is_refused_in_one_printable_line(name: str) -> None:
    why_not = why_not_a_name(name)

    assert why_not is not None
    assert why_not.isprintable()


@pytest.mark.parametrize("version", ["1", "1.4.0", "2026-05-01", "v1.0+build_7", "A" * 40])
def test_a_version_is_accepted(version: str) -> None:
    assert why_not_a_version(version) is None


@pytest.mark.parametrize("version", ["", "1.0\n", "1/0", "..", "-1", "1 0", "1@2", "é", "1" * 41])
def test_what_could_not_be_part_of_a_path_is_no_version(version: str) -> None:
    assert why_not_a_version(version) is not None


@pytest.mark.parametrize(
    "title",
    ["A vs X", "Весенний кубок", 'O\'Brien "& Sons" <b>', "=cmd()|'/C calc'!A0", "春", "x" * 200, "10 % off; --"],
)
def test_a_title_in_any_language_is_accepted(title: str) -> None:
    assert why_not_a_title(title) is None


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("a\nb", "holds U+000A, a control character"),
        ("a\x1b[31m", "holds U+001B, a control character"),
        ("a\x85b", "holds U+0085, a control character"),
        ("a\u2028b", "holds U+2028, a line end"),
        ("a\u202eb", "holds U+202E, an invisible mark"),
        ("a\u200bb", "holds U+200B, an invisible mark"),
        ("a\u00a0b", "holds U+00A0, a space that looks like another"),
        ("a\ud800", "holds U+D800, not a character that can be shown"),
        (" a", "begins or ends with a space"),
        ("x" * 201, "has 201 characters; 200 is the most"),
    ],
)
def test_a_title_that_could_forge_a_page_is_refused_with_the_reason(title: str, reason: str) -> None:
    why_not = why_not_a_title(title)

    assert why_not is not None
    assert why_not.startswith(reason)
    assert why_not.isprintable()


def test_a_team_is_shorter_than_a_title() -> None:
    assert why_not_a_team("x" * 80) is None
    assert why_not_a_team("x" * 81) is not None


def test_the_closest_word_is_offered_else_all() -> None:
    assert did_you_mean("foxx", ["fox", "owl"]) == "did you mean fox?"
    assert did_you_mean("zebra", ["fox", "owl"]) == "there are fox, owl"
