"""The pages in a browser: sorting, filtering, schemes, narrow windows, screen readers, hostile texts."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from harness.standing import cup_standings
from tests.browser.windows import Scheme, Window, Windows
from tests.publish.conftest import Played

PAGES = ("index.html", "matches.html", "how.html", "bots/amber.html", "matches/1-5.html")


@pytest.mark.parametrize("game", ["guillotine", "zhiletka"])
def test_every_page_opens_without_a_complaint_and_asks_for_nothing_elsewhere(
    window: Window, address: str, game: str
) -> None:
    for page in PAGES:
        window.go(f"{address}/{game}/{page}")

        assert window.page.locator("h1").count() == 1
    assert {url for url in window.requests if not url.startswith(address)} <= {"about:blank"}


def test_a_click_on_a_heading_sorts_and_another_turns_it_around(window: Window, address: str) -> None:
    window.go(f"{address}/guillotine/index.html")
    as_ranked = window.texts(".ladder tbody .bot a")

    def elos() -> list[int]:
        return [int(text.partition(" ")[0]) for text in window.texts(".ladder tbody .elo")]

    heading = window.page.get_by_role("columnheader", name="Elo")
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert elos() == sorted(elos(), reverse=True)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert elos() == sorted(elos())
    window.page.get_by_role("button", name="Bot").click()
    assert window.texts(".ladder tbody .bot a") == sorted(as_ranked)
    window.page.get_by_role("button", name="Rank").nth(0).click()
    assert window.texts(".ladder tbody .bot a") == as_ranked


def test_unknown_values_stand_last_whichever_way_a_column_is_sorted(window: Window, address: str) -> None:
    window.go(f"{address}/guillotine/index.html")
    button = window.page.get_by_role("button", name="Better than next")

    for _ in range(2):
        button.click()

        assert window.texts(".ladder tbody td:last-child")[-1] == "–"


def test_sorting_works_from_the_keyboard(window: Window, address: str) -> None:
    window.go(f"{address}/guillotine/index.html")

    window.page.get_by_role("button", name="Faults").focus()
    window.page.keyboard.press("Enter")

    faults = [int(text) for text in window.texts(".ladder tbody td:nth-child(8)")]
    assert faults == sorted(faults, reverse=True)


def test_matches_are_filtered_by_bots_and_faults(window: Window, address: str, guillotine: Played) -> None:
    ledger, cup = guillotine
    results = list(ledger.results(cup.name))
    window.go(f"{address}/guillotine/matches.html")

    def shown() -> int:
        rows: int = window.page.locator("tbody tr:visible").count()
        assert window.page.locator("#filter output").inner_text() == f"{rows} match{'' if rows == 1 else 'es'}"
        return rows

    def seated(*labels: str) -> int:
        return sum(set(labels) <= {entry.label for entry in result.entries} for result in results)

    assert shown() == len(results)
    window.page.get_by_label("Bot").select_option("amber")
    assert shown() == seated("amber")
    window.page.get_by_label("against").select_option("birch")
    assert shown() == seated("amber", "birch")
    window.page.get_by_label("Bot").select_option("")
    window.page.get_by_label("against").select_option("")
    window.page.get_by_label("with faults only").check()
    assert shown() == sum(any(result.faults) for result in results)


def test_a_bots_page_leads_to_its_matches(window: Window, address: str) -> None:
    window.go(f"{address}/guillotine/bots/amber.html")

    window.page.get_by_role("link", name="All in the list of matches").click()
    window.page.wait_for_url("**/matches.html#*")

    assert window.page.get_by_label("Bot").input_value() == "amber"
    assert all("amber" in text for text in window.texts("tbody tr:visible"))


def test_the_pages_tell_what_the_ladder_tells(window: Window, address: str, guillotine: Played) -> None:
    ledger, cup = guillotine
    standings = cup_standings(ledger, cup)
    window.go(f"{address}/guillotine/index.html")

    assert window.page.locator("h1").inner_text() == standings.sentence
    assert window.texts(".ladder tbody .bot a") == [row.bot for row in standings.rows]


def test_colours_follow_the_scheme(windows: Windows, folder: Path) -> None:
    def brightness(scheme: Scheme) -> int:
        with windows.open(scheme=scheme) as window:
            window.go(f"{folder.as_uri()}/guillotine/index.html")
            colour: str = window.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)))

    assert brightness("light") > 3 * 240
    assert brightness("dark") < 3 * 40


@pytest.mark.parametrize("width", [320, 360, 600, 768, 940, 1280, 1920])
@pytest.mark.parametrize("game", ["guillotine", "zhiletka"])
def test_no_page_is_wider_than_the_window(windows: Windows, folder: Path, game: str, width: int) -> None:
    with windows.open(width=width, height=800) as window:
        for page in PAGES:
            window.go(f"{folder.as_uri()}/{game}/{page}")
            if page.startswith("matches/"):
                window.page.wait_for_selector("#replay.ready")

            assert window.overflow_px() <= 0, page


@pytest.mark.parametrize("page", ["rulings.html", "matches/1-1.html"])
def test_a_table_becomes_cards_in_a_narrow_window_and_no_word_is_broken(
    windows: Windows, ladder_folder: Path, page: str
) -> None:
    with windows.open(width=360, height=800) as window:
        window.go((ladder_folder / page).as_uri())
        table = window.page.locator(".stack")
        cells = table.locator("tbody [role=cell]:visible")

        # Nothing has to be scrolled sideways, and no cell is so narrow that its words stand on several lines each.
        assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
        lines = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().height)")
        assert max(lines) < 3 * 25


def test_a_long_name_does_not_widen_a_narrow_window(windows: Windows, hostile: Path) -> None:
    with windows.open(width=360, height=800) as window:
        for page in sorted(hostile.rglob("*.html")):
            window.go(page.as_uri())

            assert window.overflow_px() <= 0, page.name


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_screen_reader_stumbles_over_nothing(
    windows: Windows, ladder_folder: Path, folder: Path, hostile: Path, scheme: Scheme, width: int
) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    pages = [folder / "guillotine" / page for page in PAGES]
    pages += [folder / "zhiletka/matches/1-20.html"]
    pages += [ladder_folder / page for page in ("index.html", "bots/ant.html", "rulings.html", "matches/1-1.html")]
    pages.append(hostile / "sheet.html")
    with windows.open(scheme=scheme, width=width) as window:
        for page in pages:
            window.go(page.as_uri())
            if page.parent.name == "matches":
                window.page.wait_for_selector("#replay.ready")
            window.page.evaluate(axe)

            found = window.page.evaluate("axe.run({preload: false})")
            problems = [
                (problem["id"], node["html"], node["failureSummary"])
                for problem in found["violations"]
                for node in problem["nodes"]
            ]
            assert problems == [], page.name


def test_hostile_texts_do_nothing(window: Window, hostile: Path) -> None:
    pages = sorted(hostile.rglob("*.html"))
    assert len(pages) == 9
    for page in pages:
        window.go(page.as_uri())
        if page.parent.name == "matches":
            window.page.wait_for_selector("#replay.ready")

        assert window.page.locator("[onload], [onerror], body script").count() == 0
        assert window.page.get_by_text("</script><svg/onload=alert(1)>").count() > 0


def test_the_policy_refuses_scripts_that_stand_in_the_page(windows: Windows, folder: Path) -> None:
    with windows.open() as window:
        window.go(f"{folder.as_uri()}/guillotine/index.html")
        window.page.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.pwned = 1'}))"
        )

        assert window.page.evaluate("window.pwned") is None
        assert len(window.complaints) == 1
        assert "Content Security Policy" in window.complaints.pop()


def test_without_scripts_the_ladder_and_results_can_be_read(windows: Windows, folder: Path) -> None:
    with windows.open(scripts=False) as window:
        window.go(f"{folder.as_uri()}/guillotine/index.html")
        assert window.page.locator(".ladder tbody .elo").count() > 0
        window.go(f"{folder.as_uri()}/guillotine/matches.html")
        assert window.page.locator("tbody tr:visible").count() == 20
        assert not window.page.locator("#filter").is_visible()
        window.go(f"{folder.as_uri()}/guillotine/matches/1-5.html")
        assert window.page.locator(".result tbody tr").count() == 4
        assert "need JavaScript" in window.page.locator("#replay").inner_text()


def test_cups_are_chosen_from_the_menu(window: Window, ladder_folder: Path) -> None:
    window.go((ladder_folder / "index.html").as_uri())

    window.page.get_by_text("Cups", exact=True).click()
    window.page.locator(".switch a").nth(1).click()

    window.page.wait_for_url("**/cups/test/index.html")
    assert window.page.locator("h1").count() == 1
