"""What the rounds of a season were played on, as the home keeps it."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from harness.store.rows import Round
from harness.store.sheets import SHEET_NAME, Sheets, sheet_text
from ladder.site import values


def with_newest_sheet(cup: values.Cup, sheets: Sheets, rounds: Sequence[Round]) -> values.Cup:
    """`cup` with the sheet of the newest of `rounds`, which ascend, as page and feed; as it is where there is none."""
    kept = sheets.read(rounds[-1]) if rounds else None
    if kept is None:
        return cup
    newest = rounds[-1]
    runtimes = tuple(values.Runtime(found.name, found.version, found.packages) for found in kept.runtimes)
    data = sheet_text(newest, kept).encode()
    about = f"what bots ran on in round {newest.round}: machine, sandbox, programs"
    feed = values.Feed(SHEET_NAME, about, hashlib.sha256(data).hexdigest(), lambda: data)
    return replace(cup, sheet=values.Sheet(newest.round, kept.facts, runtimes), feeds=(*cup.feeds, feed))
