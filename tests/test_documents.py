"""The checker of examples finds what is wrong with them."""

from pathlib import Path

import pytest

from tests.documents import Block, Command, blocks, commands, missing_line, run_document


def _block(language: str, text: str, **marks: str) -> Block:
    return Block("it.md", 7, language, text, {name.replace("_", " "): value for name, value in marks.items()})


def test_a_block_carries_the_marks_before_it() -> None:
    text = "Text.\n\n<!-- exit: 2 -->\n<!-- wide -->\n\n```console\n$ false\n```\n\n```python\npass\n```\n"

    assert blocks("it.md", text) == [
        Block("it.md", 6, "console", "$ false\n", {"exit": "2", "wide": ""}),
        Block("it.md", 10, "python", "pass\n", {}),
    ]


def test_a_mark_is_not_carried_past_text() -> None:
    (block,) = blocks("it.md", "<!-- wide -->\nText.\n```text\n```\n")

    assert block.marks == {}


def test_a_block_in_a_list_loses_its_indent() -> None:
    (block,) = blocks("it.md", "* Item\n  ```python\n  if True:\n      pass\n  ```\n")

    assert block.text == "if True:\n    pass\n"


@pytest.mark.parametrize("text", ["\n```text\nnever closed\n", "<!-- wild -->\n```text\n```\n"])
def test_a_document_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"it\.md:2"):
        blocks("it.md", text)


def test_commands_go_on_over_lines() -> None:
    block = _block("console", "$ cat > x <<END\n> hello\n> END\n$ cat x\nhello\n")

    assert commands(block) == [Command("cat > x <<END\nhello\nEND", ()), Command("cat x", ("hello",))]


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (("3 matches in 0.5 s",), "17 matches in 12.25 s"),
        (("a  b",), "   a b  \n"),
        (("first", "third"), "first\nsecond\nthird"),
        (("rank ... elo",), "rank bot version elo"),
        (("first", "...", "last"), "first\nlast"),
        (("1,500 to 2,000",), "500 to 12,000"),
    ],
)
def test_output_is_compared_loosely(expected: tuple[str, ...], printed: str) -> None:
    assert missing_line(expected, printed) is None


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (("third", "first"), "first\nthird"),
        (("elo",), "elo 1500"),
        (("elo 1500",), "elo none"),
        (("(a)",), "a"),
    ],
)
def test_output_that_differs_is_found(expected: tuple[str, ...], printed: str) -> None:
    assert missing_line(expected, printed) == expected[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "block",
    [
        _block("console", "$ echo hello\nhello\n"),
        _block("console", "$ exit 3\n", exit="3"),
        _block("console", "$ exit 3\n", not_run="it would end the shell"),
        _block("console", "$ exit 3\n", wide=""),
        _block("python", "print(1)\n"),
        _block("python", "raise SystemExit(1)\n", file="fox/bot.py"),
        _block("python", ">>> 1 + 1\n2\n"),
        _block("toml", "a = 1\n"),
        _block("json", '{"a": 1}\n{"a": 2}\n'),
        _block("json", '{\n "a": 1}\n'),
        _block("text", "anything"),
    ],
)
def test_a_good_example_passes(tmp_path: Path, block: Block) -> None:
    assert run_document([block], tmp_path, wide=False) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "problem"),
    [
        (_block("console", "$ echo hello\ngoodbye\n"), "did not print"),
        (_block("console", "$ exit 3\n"), "exit 3, expected 0"),
        (_block("console", "$ false\n$ true\n"), "exit 1, expected 0"),
        (_block("console", "$ true\n", not_run=""), "no reason"),
        (_block("console", "$ exit 3\n", wide=""), "exit 3"),
        (_block("python", "raise SystemExit(1)\n"), "exit 1"),
        (_block("python", ">>> 1 + 1\n3\n"), "Expected"),
        (_block("toml", "a = \n"), "Invalid value"),
        (_block("toml", "schema = 1\n[cup]\nname = 'x'\ntables = 4\n"), "tables"),
        (_block("toml", "schema = 1\n[bot]\nname = 'x'\n"), "version"),
        (_block("json", "{\n"), "neither"),
        (_block("bash", "ls\n"), "```console"),
    ],
)
def test_a_bad_example_is_found(tmp_path: Path, block: Block, problem: str) -> None:
    found = run_document([block], tmp_path, wide=True)

    assert all(text.startswith("it.md:") for text in found)
    assert any(problem in text for text in found)


@pytest.mark.slow
def test_a_saved_block_is_there_for_later_examples(tmp_path: Path) -> None:
    saved = _block("python", "print('hello')\n", file="fox/bot.py")
    used = _block("console", "$ python fox/bot.py\nhello\n")

    assert run_document([saved, used], tmp_path, wide=False) == []


@pytest.mark.slow
def test_the_sessions_of_a_document_are_one(tmp_path: Path) -> None:
    text = "```python\n>>> a = 1\n```\n\nThen:\n\n```python\n>>> a + 1\n2\n>>> a\n2\n```\n"

    (problem,) = run_document(blocks("it.md", text), tmp_path, wide=False)
    assert "line 10, in session.txt" in problem


def test_a_block_whose_program_is_missing_is_left_alone_but_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = _block("console", "$ no-such-program\n", needs="no-such-program bash")

    monkeypatch.delenv("CARDARENA_NO_SKIP", raising=False)
    assert run_document([block], tmp_path, wide=False) == []
    monkeypatch.setenv("CARDARENA_NO_SKIP", "1")
    assert run_document([block], tmp_path, wide=False) == ["it.md:7: not here: no-such-program"]
