"""What a ruling does to the standings, and how rulings are told: for `void`, `withdraw` and `rulings`."""

import json
from collections.abc import Iterable, Iterator, Sequence

from harness.cli.app import Common
from harness.cli.homes import cup_in
from harness.cli.standings import print_standings
from harness.cli.tables import print_json, print_text
from harness.counting import void_blocks
from harness.cup import CupFile
from harness.moment import utc_text
from harness.rulings import with_changes
from harness.standing import cup_standings
from harness.store.ledger import Ledger
from harness.store.rows import Ruling, RulingKind
from ladder.export import to_json
from ladder.words import plural


def show_effect(ledger: Ledger, changed: Sequence[Ruling], common: Common) -> None:
    """What would come of it: the standings of each cup concerned before and after. Changes nothing."""
    found = []
    for name in dict.fromkeys(ruling.cup for ruling in changed):
        cup = cup_in(ledger, name)
        rulings = with_changes(ledger.rulings.of_cup(name), [ruling for ruling in changed if ruling.cup == name])
        found.append((name, cup_standings(ledger, cup), cup_standings(ledger, cup, rulings=rulings)))
    if common.json:
        standings = [
            {"cup": name, "before": json.loads(to_json(before)), "after": json.loads(to_json(after))}
            for name, before, after in found
        ]
        print_json({"dry_run": True, "rulings": [members(ruling) for ruling in changed], "standings": standings})
        return
    for ruling in changed:
        print_text(f"would be: {says(ruling)}")
    for name, before, after in found:
        print_text(f"{name}, before:")
        print_standings(before)
        print_text(f"{name}, after:")
        print_standings(after)


def print_rulings(rulings: Sequence[Ruling], common: Common, more: Iterable[str] = ()) -> None:
    """What was decided, a line a ruling, and what else there is to say of it."""
    if common.json:
        print_json({"dry_run": False, "rulings": [members(ruling) for ruling in rulings]})
        return
    for line in (*map(says, rulings), *more):
        print_text(line)


def says(ruling: Ruling) -> str:
    """A ruling in one line."""
    number = f"ruling {ruling.ruling}: " if ruling.ruling else ""
    state = "" if ruling.undone_unix_ns is None else "; undone"
    return f"{number}{what(ruling)}: {ruling.reason}{state}"


def what(ruling: Ruling) -> str:
    """What it does, without why."""
    if ruling.kind is RulingKind.WITHDRAW:
        return f"{ruling.label} is withdrawn from {ruling.cup}"
    return f"{ruling.match} is void, with its block {ruling.block}"


def members(ruling: Ruling) -> dict[str, object]:
    """A ruling for JSON."""
    return {
        "ruling": ruling.ruling or None,
        "kind": str(ruling.kind),
        "cup": ruling.cup,
        "round": ruling.round,
        "match": ruling.match,
        "block": ruling.block,
        "bot": ruling.label,
        "reason": ruling.reason,
        "at": utc_text(ruling.at_unix_ns),
        "undone": None if ruling.undone_unix_ns is None else utc_text(ruling.undone_unix_ns),
    }


def standing_lines(ledger: Ledger, cup: CupFile) -> Iterator[str]:
    """What a reader of the ladder of a season is to know of the rulings that stand behind it."""
    void = void_blocks(ledger, cup)
    if void.blocks:
        yield (
            f"{plural(void.blocks, 'block')} of matches void, {void.by_organiser} by the organiser and "
            f"{void.blocks - void.by_organiser} where the harness failed; {void.again}; `cardarena rulings` tells why"
        )
