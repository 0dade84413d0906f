"""`cardarena replay`."""

import json
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.homes import cup_in, open_ledger
from harness.cli.narration import narrate
from harness.cli.tables import grid, output
from harness.decisions import decisions
from harness.errors import HarnessError
from harness.printable import printable
from harness.record import MatchRecord, ReplayDifference
from harness.store.ledger import Ledger
from harness.store.rows import parse_match_id

NS_PER_MS = 1_000_000


@verb("cardarena replay spring-cup/1/000017 --seat 0")
def replay(
    context: typer.Context,
    match: Annotated[str | None, typer.Argument(help="Id of a match; with --all, name of a cup.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=5, help="Show only what this seat saw.")] = None,
    times: Annotated[
        bool, typer.Option("--times", help="Show the thinking time of every decision, and notes.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Export every match of the cup, or of all cups.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="With --all: match records, a JSON object a line.")] = False,
    results: Annotated[bool, typer.Option("--results", help="With --all: results for `ladder --from`.")] = False,
    choices: Annotated[bool, typer.Option("--decisions", help="With --all: a line a decision, for training.")] = False,
) -> None:
    """Show a match in the terminal, or export records."""
    common: Common = context.obj
    with open_ledger(common) as ledger:
        if everything:
            _export(ledger, match, jsonl=jsonl, results=results, choices=choices)
        elif jsonl or results or choices:
            raise HarnessError("replay: --jsonl, --results and --decisions go with --all")
        elif match is None:
            raise HarnessError("replay: name a match, such as spring-cup/1/000017, or say --all --jsonl")
        elif common.json:
            print(_record(ledger, match).to_json())
        elif times:
            _show_times(ledger, match)
        else:
            _show(_record(ledger, match), seat)


def _record(ledger: Ledger, match: str) -> MatchRecord:
    try:
        parse_match_id(match)
    except ValueError as error:
        raise HarnessError(str(error)) from None
    return ledger.record(match)


def _show(record: MatchRecord, seat: int | None) -> None:
    if seat is not None and seat >= len(record.seats):
        raise HarnessError(f"{record.match}: has seats 0 to {len(record.seats) - 1}")
    try:
        for line in narrate(record, seat):
            print(printable(line))
    except ReplayDifference as difference:
        raise HarnessError(f"{difference}; `cardarena verify` checks the whole ledger") from None


def _show_times(ledger: Ledger, match: str) -> None:
    record = _record(ledger, match)
    names = [seat.bot for seat in record.seats]
    rows = [
        (str(number), names[time.seat], f"{time.spent_ns / NS_PER_MS:.3f}", str(time.owed))
        for number, time in enumerate(ledger.times(match))
    ]
    console = output()
    console.print(grid(("answer", "bot", "ms", "owed"), rows, right=(0, 2, 3)))
    for note in ledger.notes(match):
        console.print(
            printable(f"deal {note.deal}, action {note.action}, {names[note.seat]}: {note.text}"), soft_wrap=True
        )


def _export(ledger: Ledger, cup: str | None, *, jsonl: bool, results: bool, choices: bool) -> None:
    if jsonl + results + choices != 1:
        raise HarnessError("replay --all: choose one of --jsonl, --results and --decisions")
    cups = [cup_in(ledger, cup).name] if cup else [row.cup for row in ledger.cups()]
    for name in cups:
        for line in _lines(ledger, name, results=results, choices=choices):
            sys.stdout.write(line + "\n")


def _lines(ledger: Ledger, cup: str, *, results: bool, choices: bool) -> Iterator[str]:
    if results:
        for result in ledger.results(cup):
            members: dict[str, object] = {
                "match": result.match,
                "block": result.block,
                "bots": [entry.label for entry in result.entries],
                "places": result.places,
                "points": result.points,
            }
            faults = [{"seat": seat, "kind": kind} for seat, kind in enumerate(result.faults) if kind]
            yield json.dumps(members | ({"faults": faults} if faults else {}), ensure_ascii=False)
        return
    for record in ledger.records(cup):
        if choices:
            yield from (json.dumps(decision, ensure_ascii=False) for decision in decisions(record))
        else:
            yield record.to_json()
