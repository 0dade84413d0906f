"""The replay viewer against the rules: it shows every card where the harness says that it lies."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cards import EMPTY, CardSet, card_name, cards_in, set_of
from harness.games import game
from harness.games.view import SeatView, project
from harness.publish.frames import Beside, deals_of
from harness.record import MatchRecord, ReplayDeal, replay_steps
from ladder.site.frames import Deal
from tests.browser.windows import Window, Windows
from tests.publish.conftest import Played

RANKS = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
HIDDEN = "hidden card"


def label(card: str) -> str:
    """What the viewer calls a card."""
    return f"{RANKS.get(card[0], card[0])} of {SUITS[card[1]]}"


def _url(folder: Path, record: MatchRecord, place: str = "") -> str:
    number = int(record.match.rpartition("/")[2])
    return f"{folder.as_uri()}/{record.game}/matches/1-{number}.html{place}"


@pytest.fixture(params=["guillotine", "zhiletka"])
def record(request: pytest.FixtureRequest) -> MatchRecord:
    """A match of four seats without faults, whose first deal is not over at once."""
    ledger, cup = request.getfixturevalue(request.param)
    found: MatchRecord = next(
        record
        for record in ledger.records(cup.name)
        if len(record.seats) == 4 and not record.faults and len(record.deals[0].actions) > 3
    )
    return found


def _points(window: Window, record: MatchRecord) -> tuple[int, ...]:
    shown = {}
    for panel in window.page.locator(".seat").all():
        name = panel.locator("header b").inner_text()
        shown[name] = int(panel.locator(".points").inner_text().split()[0].replace("−", "-"))
    return tuple(shown[seat.bot] for seat in record.seats)


def test_the_last_move_shows_the_points_of_the_record(window: Window, folder: Path, record: MatchRecord) -> None:
    window.replay(_url(folder, record, f"#d{len(record.deals)}m{len(record.deals[-1].actions)}"))

    assert _points(window, record) == record.points
    assert [text.replace("−", "-") for text in window.texts(".sheet tfoot th")[1:]] == [
        str(each) for each in record.points
    ]


def test_stepping_through_the_match_ends_at_the_points_of_the_record(
    window: Window, folder: Path, record: MatchRecord
) -> None:
    moves = sum(len(deal.actions) + 1 for deal in record.deals) - 1
    window.replay(_url(folder, record))

    window.page.evaluate(
        "moves => { for (; moves; moves--) document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'})) }",
        moves,
    )

    end = f"#d{len(record.deals)}m{len(record.deals[-1].actions)}"
    assert window.page.evaluate("location.hash") == end  # playwright's own `page.url` may be late
    assert _points(window, record) == record.points
    window.page.keyboard.press("ArrowRight")
    assert window.page.evaluate("location.hash") == end


def _panel(window: Window, record: MatchRecord, seat: int) -> str:
    """What finds the panel of a seat."""
    return f'.seat:has(header b:text-is("{record.seats[seat].bot}"))'


def _check_frames(window: Window, record: MatchRecord, deal: Deal) -> None:
    for frame in deal.frames:
        for seat in range(len(record.seats)):
            held = [card for card, place in frame.places.items() if place == f"hand.{seat}"]
            shown = window.cards(_panel(window, record, seat))
            assert sorted(shown) == sorted(map(label, held))
        on_table = [
            card
            for card, place in frame.places.items()
            if place.partition(".")[0] in ("table", "layout", "attack", "cover", "upcard")
        ]
        faces = [shown for shown in window.cards(".center") if " of " in shown]
        assert sorted(faces) == sorted(map(label, on_table))
        window.page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("deal_index", [0, 9])
def test_every_card_lies_where_the_rules_put_it(
    window: Window, folder: Path, record: MatchRecord, deal_index: int
) -> None:
    deal = list(deals_of(record, Beside()))[deal_index]
    window.replay(_url(folder, record, f"#d{deal_index + 1}"))

    _check_frames(window, record, deal)


def test_a_domino_is_laid_out_in_suits_and_ranks(window: Window, folder: Path, guillotine: Played) -> None:
    ledger, cup = guillotine
    record = next(ledger.records(cup.name))
    index, deal = next((i, deal) for i, deal in enumerate(deals_of(record, Beside())) if deal.layout == "domino")
    window.replay(_url(folder, record, f"#d{index + 1}"))

    _check_frames(window, record, deal)
    assert window.page.locator(".layout .row").count() in (0, 4)


def _views(record: MatchRecord, viewer: int) -> Iterator[list[CardSet]]:
    """After each frame: what `viewer` knows of each hand, its own included."""
    pack_size = len(game(record.game, record.options).pack)
    view = SeatView(viewer, len(record.seats), pack_size)
    out: set[int] = set()
    for step in replay_steps(record):
        if isinstance(step, ReplayDeal):
            out = set()
        for event in step.events:
            view.see(project(event, viewer))
        out = set(view.out)
        yield [
            EMPTY if seat in out else view.hand if seat == viewer else view.known[seat]
            for seat in range(len(record.seats))
        ]


def test_the_view_from_a_seat_shows_what_that_seat_knows_and_no_more(
    window: Window, folder: Path, zhiletka: Played
) -> None:
    ledger, cup = zhiletka
    record = next(
        r for r in ledger.records(cup.name) if len(r.seats) == 3 and any(len(d.actions) > 12 for d in r.deals)
    )
    index = next(i for i, deal in enumerate(record.deals) if len(deal.actions) > 12)
    viewer = 1
    before = sum(len(deal.actions) + 1 for deal in record.deals[:index])
    known = list(_views(record, viewer))[before:]
    deal = list(deals_of(record, Beside()))[index]
    window.replay(_url(folder, record, f"#d{index + 1}"))
    window.page.get_by_label("Hands").select_option(str(viewer))

    for frame, hands in zip(deal.frames, known, strict=False):
        for seat, cards in enumerate(hands):
            if seat in frame.out:
                continue  # it lies there until the next move; then it has gone
            shown = window.cards(_panel(window, record, seat))
            faces = {card for card in shown if card != HIDDEN}
            held = set_of(card for card in cards_in(cards) if frame.places.get(card_name(card)) == f"hand.{seat}")
            assert faces == {label(card_name(card)) for card in cards_in(held)}
            assert len(shown) == sum(place == f"hand.{seat}" for place in frame.places.values())
        window.page.keyboard.press("ArrowRight")


def test_the_list_of_moves_hides_what_others_draw(window: Window, folder: Path, zhiletka: Played) -> None:
    ledger, cup = zhiletka
    record = next(r for r in ledger.records(cup.name) if len(r.seats) == 2)
    window.replay(_url(folder, record))

    window.page.get_by_label("Hands").select_option("0")
    drawn = [text for text in window.texts(".log li") if f"{record.seats[1].bot} draws" in text]

    assert drawn
    assert all(f"{record.seats[1].bot} draws a card" in text for text in drawn)


def test_links_lead_to_deal_and_move(window: Window, folder: Path, record: MatchRecord) -> None:
    window.replay(_url(folder, record, "#d3m2"))
    assert window.page.locator(".where").inner_text().startswith("Deal 3 of")
    assert "move 2 of" in window.page.locator(".where").inner_text()

    window.page.locator(".sheet a").nth(4).click()

    window.page.locator(".where", has_text="Deal 5 of").wait_for()
    assert window.page.locator(".strip [aria-current]").inner_text() == "5"


@pytest.mark.parametrize("place", ["#d0", "#d999m999", "#d1m99999999999999999999", "#dxm1", "#d1m-1", "#"])
def test_an_odd_address_does_no_harm(window: Window, folder: Path, record: MatchRecord, place: str) -> None:
    window.replay(_url(folder, record, place))

    assert window.page.locator(".where").inner_text().startswith("Deal ")
    assert window.page.locator(".seat").count() == 4


def test_keys_step_jump_and_look_into_hands(window: Window, folder: Path, record: MatchRecord) -> None:
    window.replay(_url(folder, record))

    def where(key: str) -> str:
        window.page.keyboard.press(key)
        return str(window.page.evaluate("location.hash"))

    last = len(record.deals[0].actions)
    assert where("ArrowRight") == "#d1m1"
    assert where("End") == f"#d1m{last}"
    assert where("ArrowRight") == "#d2m0"
    assert where("ArrowLeft") == f"#d1m{last}"
    assert where("Home") == "#d1m0"
    assert where("Shift+ArrowRight") == "#d2m0"
    assert where("Shift+ArrowLeft") == "#d1m0"
    window.page.keyboard.press("h")
    assert window.page.get_by_label("Hands").input_value() == "0"
    assert HIDDEN in window.cards(_panel(window, record, 1))


def test_play_goes_on_by_itself_and_stops_at_the_end(windows: Windows, folder: Path, record: MatchRecord) -> None:
    with windows.open() as window:
        window.page.clock.install(time=0)
        window.replay(_url(folder, record, "#d1m0"))
        window.page.clock.pause_at(3_600_000)

        window.page.locator(".play").click()
        window.page.clock.run_for(3500)
        assert window.page.evaluate("location.hash") == "#d1m3"
        window.page.locator(".play").click()
        window.page.clock.run_for(5000)
        assert window.page.evaluate("location.hash") == "#d1m3"

        end = f"#d{len(record.deals)}m{len(record.deals[-1].actions)}"
        window.jump(end)
        window.page.keyboard.press("ArrowLeft")
        window.page.locator(".play").click()
        window.page.clock.run_for(5000)
        assert window.page.evaluate("location.hash") == end
        assert window.page.locator(".play").get_attribute("aria-label") == "Play (space)"


def test_the_slider_and_the_list_of_moves_jump(window: Window, folder: Path, record: MatchRecord) -> None:
    window.replay(_url(folder, record))

    window.page.locator(".log button").nth(3).click()
    assert window.page.evaluate("location.hash") == "#d1m3"
    assert window.page.get_by_label("Move of the deal").input_value() == "3"
    window.page.get_by_label("Move of the deal").fill("1")
    assert window.page.evaluate("location.hash") == "#d1m1"


def test_four_colours_are_remembered(windows: Windows, folder: Path, server: str, record: MatchRecord) -> None:
    with windows.open() as window:
        url = _url(folder, record).replace(folder.as_uri(), server)
        window.replay(url)
        assert window.page.locator("#replay.four").count() == 0

        window.page.get_by_label("four colours").check()
        window.replay(url)

        assert window.page.locator("#replay.four").count() == 1


def test_a_fault_is_marked_from_its_move_on(window: Window, folder: Path, guillotine: Played) -> None:
    ledger, cup = guillotine
    record = next(record for record in ledger.records(cup.name) if record.faults)
    (fault,) = record.faults
    window.replay(_url(folder, record))

    window.page.locator(".notice.fault a").click()

    assert window.page.evaluate("location.hash") == f"#d{fault.deal + 1}m{fault.action + 1}"
    window.page.locator(_panel(window, record, fault.seat), has_text="house plays").wait_for()
    window.page.keyboard.press("ArrowLeft")
    assert "house plays" not in window.page.locator(_panel(window, record, fault.seat)).inner_text()


def test_the_status_line_reads_out_the_move(window: Window, folder: Path, guillotine: Played) -> None:
    ledger, cup = guillotine
    record = next(ledger.records(cup.name))
    window.replay(_url(folder, record, "#d1m2"))
    card = record.deals[0].actions[1].removeprefix("play:")

    status = window.page.get_by_role("status")
    assert status.inner_text().startswith(f"{record.seats[record.deals[0].dealer].bot} leads ")
    assert status.get_by_role("img", name=label(card)).count() == 1
