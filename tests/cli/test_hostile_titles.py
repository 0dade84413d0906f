"""Titles and teams that mean something to a shell, a page, a table or a database are text to every verb, or refused."""

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.command import Cardarena, play_without_processes, write_cup
from tests.in_process import InProcess, Interrupted

ACCEPTED = {
    "versus": "A vs X",
    "quotes": "O'Brien \"& Sons\" <script>alert(1)</script>'; DROP TABLE matches; -- {{ 7*7 }} $(id) `id` %s",
    "formula": "=cmd()|'/C calc'!A0",
    "long": "x" * 80,
}
REFUSED = {
    "newline": "Spring\\nCup",
    "escape": "Spring\\u001b[31m",
    "right-to-left": "Spring \\u202egnirpS",
    "null": "Spring\\u0000",
    "too long": "x" * 201,
}


class Page(HTMLParser):
    """What a browser makes of a page: its tags, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes it."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Notes it."""
        self.text += data


def titled(folder: Path, text: str) -> Path:
    """A cup with `text` as its title and as the name of a team."""
    cup = write_cup(folder, title=json.dumps(text))
    team = json.dumps(text[:80])
    cup.write_text(cup.read_text() + f'[[bots]]\nbot = "sample:stateless"\nteam = {team}\n')
    return cup


@pytest.mark.slow
@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_a_title_and_a_team_pass_through_every_output_and_a_resume(
    cardarena: Cardarena, tmp_path: Path, text: str
) -> None:
    cup = titled(tmp_path / "cup", text)
    with pytest.raises(Interrupted):
        play_without_processes(cup, InProcess(stop_after=5))
    home = play_without_processes(cup)
    again = cardarena("run", cup, "--home", home, "--no-progress")
    table = json.loads(cardarena("ladder", "--json", "--home", home).out)
    lines = list(csv.DictReader(io.StringIO(cardarena("ladder", "--csv", "--home", home).out)))
    plan = cardarena("plan", cup, "--home", tmp_path / "none")
    published = cardarena("publish", tmp_path / "site", "--home", home)
    verified = cardarena("verify", tmp_path / "site")

    assert again.code == published.code == verified.code == 0, again.err + published.err + verified.err
    assert text in plan.out
    assert "nothing to play" in again.out
    assert text[:80] in {row["team"] for row in table["bots"]}
    assert text[:80] in {line["team"].removeprefix("'") for line in lines}
    assert not [line for line in lines if line["team"].startswith(("=", "+", "-", "@"))]
    for path in (tmp_path / "site").rglob("*.html"):
        page = Page(path.read_text())
        assert not [attrs for tag, attrs in page.tags if tag == "script" and "src" not in attrs and "type" not in attrs]
    assert text[:80] in Page((tmp_path / "site" / "index.html").read_text()).text


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_title_that_could_forge_something_is_refused_with_the_reason(
    cardarena: Cardarena, tmp_path: Path, text: str
) -> None:
    told = cardarena("plan", write_cup(tmp_path / "cup", title=f'"{text}"'))

    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("cardarena: ")
    assert "[cup] title" in told.err
    assert told.err.isprintable() or told.err.rstrip("\n").isprintable()
