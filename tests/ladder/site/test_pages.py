"""Pages: everything is there, nothing comes from elsewhere, and whatever people write stays text."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from ladder.site.values import Place, safe_stem
from tests.ladder.site.made_up import HOSTILE, NAMES, cup, files, files_of, match, renamed

PAGES = {path: data.decode() for path, data in files(cup(text=HOSTILE)).items() if path.endswith(".html")}


class _Tags(HTMLParser):
    """Collects tags with their attributes, ids and the text of titles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def links(self) -> list[str]:
        return [value for _, attrs in self.tags for name in ("href", "src") if (value := attrs.get(name))]


def test_a_cup_has_all_its_files() -> None:
    assert set(files(cup())) == {
        ".nojekyll",
        "assets/icon.svg",
        "assets/site.css",
        "assets/site.js",
        "assets/viewer.js",
        "index.html",
        "matches.html",
        "how.html",
        "rulings.html",
        "sheet.html",
        *(f"bots/{name}.html" for name in NAMES),
        *(f"badges/{name}.svg" for name in NAMES),
        "matches/1-17.html",
        "replays/replay_1-17.js",
        "ladder.json",
        "ladder.csv",
        "matches.jsonl.gz",
    }


@pytest.mark.parametrize("path", PAGES)
def test_what_people_write_stays_text(path: str) -> None:
    tags = _Tags(PAGES[path]).tags

    assert "<svg/onload" not in PAGES[path]
    assert "\u202e" not in PAGES[path], "nothing may turn the text around it"
    assert "49" not in PAGES[path].partition("</title>")[0], "a title is no template"
    assert {name for _, attrs in tags for name in attrs if name.startswith("on")} == set()
    scripts = [attrs.get("src") for tag, attrs in tags if tag == "script"]
    assert None not in scripts, "no script stands in a page"
    assert {tag for tag, attrs in tags if "style" in attrs or tag in ("style", "iframe", "object", "base")} == set()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_for_a_policy_that_allows_our_files_alone(path: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', PAGES[path])

    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules.pop("default-src") == "'none'"
    assert set(rules.values()) == {"'self'", "'none'"}
    assert PAGES[path].index("Content-Security-Policy") < PAGES[path].index("<link")


@pytest.mark.parametrize("path", PAGES)
def test_links_are_relative_and_lead_to_files_of_the_site(path: str) -> None:
    made = files(cup(text=HOSTILE))
    folder = path.rpartition("/")[0]

    for link in _Tags(PAGES[path]).links():
        target = link.partition("#")[0]
        assert not re.match(r"[a-z]+:|/", target)
        parts: list[str] = folder.split("/") if folder else []
        for part in filter(None, target.split("/")):
            parts = parts[:-1] if part == ".." else [*parts, part]
        assert not target or "/".join(parts) in made, link


def test_names_that_would_leave_the_folder_do_not() -> None:
    names = ("../../etc/passwd", "a/b", "CON", "fox#2", "</script>", "é", "\u202e", ".hidden")
    made = files(cup(names))

    paths = [path for path in made if path.startswith(("bots/", "badges/"))]
    assert len(paths) == 2 * len(names)
    assert [path for path in paths if not re.fullmatch(r"[a-z]+/[a-z0-9~_-][a-z0-9._~-]*\.(html|svg)", path)] == []


def test_stems_of_different_names_differ() -> None:
    names = ["fox#2", "fox~2", "fox~232", "fox", "FOX", "", ".", "..", "~", "a.b", "a/b", "é", "e\u0301"]

    assert len({safe_stem(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", NAMES)
def test_a_badge_is_a_picture_with_the_rating(name: str) -> None:
    badge = ElementTree.fromstring(files(cup())[f"badges/{name}.svg"])

    assert badge.attrib["aria-label"].startswith(f"{name}: Elo 1")
    assert "±" in badge.attrib["aria-label"]


def test_a_badge_of_a_hostile_name_is_well_formed() -> None:
    made = files(cup(("</svg><script>", "hen")))

    badge = ElementTree.fromstring(made[f"badges/{safe_stem('</svg><script>')}.svg"])
    assert badge.attrib["aria-label"].startswith("</svg><script>: ")
    assert [element.tag.rpartition("}")[2] for element in badge.iter()].count("script") == 0


def test_the_first_page_opens_with_the_sentence_of_the_ladder() -> None:
    made = cup()

    page = files(made)["index.html"].decode()
    assert f'<h1 class="verdict">{made.standings.sentence}</h1>' in page
    assert page.index("verdict") < page.index('class="unit"') < page.index("<table")


def test_what_bots_run_on_is_a_page_where_it_is_known_and_how_leads_to_it() -> None:
    known, unknown = files(cup()), files(replace(cup(), sheet=None))

    page = known["sheet.html"].decode()
    assert "on which round 1 was played" in page
    assert '<tr><th scope="row">node<td>does not run in the sandbox' in page
    assert '<a href="sheet.html">' in known["how.html"].decode()
    assert "sheet.html" not in unknown
    assert all(b"sheet.html" not in data for data in unknown.values())


def test_a_cup_without_matches_has_its_pages() -> None:
    made = files(replace(cup(matches=()), features=(), bots=()))

    assert "0 matches to look at" in made["matches.html"].decode()
    assert "Worth seeing" not in made["index.html"].decode()


def test_the_pages_of_a_match_are_told_apart_by_what_they_show() -> None:
    def digests(*places: Place) -> set[str | None]:
        return {file.digest for file in files_of(*places) if file.path.endswith("1-17.html")}

    first = digests(Place("", cup()))
    assert None not in first
    assert digests(Place("", cup())) == first
    assert digests(Place("", cup(matches=[match(digest="d2")]))) != first
    assert digests(Place("", renamed(cup(), "Other"))) != first
    assert digests(Place("", cup()), Place("cups/b/", cup())) != first


def test_cups_stand_in_folders_of_their_own_and_link_to_each_other() -> None:
    made = {file.path: file.data() for file in files_of(Place("", cup()), Place("cups/b/", renamed(cup(), "Second")))}

    assert {"index.html", "cups/b/index.html", "cups/b/matches/1-17.html", "assets/site.css"} <= set(made)
    assert "cups/b/assets/site.css" not in made
    assert b'href="cups/b/index.html"' in made["index.html"]
    below = made["cups/b/matches/1-17.html"].decode()
    assert 'href="../../../assets/site.css"' in below
    assert 'href="../../../index.html"' in below
    assert 'href="../index.html">Second' in below


def test_two_runs_make_the_same_bytes() -> None:
    assert files(cup(text=HOSTILE)) == files(cup(text=HOSTILE))
