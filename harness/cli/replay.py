"""`cardarena replay`."""

from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from harness.cli.app import Common, verb
from harness.cli.homes import cup_in, open_ledger
from harness.cli.narration import narrate
from harness.cli.tables import Column, grid, output, print_json
from harness.decisions import decisions
from harness.errors import HarnessError
from harness.printable import printable
from harness.record import MatchRecord, ReplayDifference
from harness.standing import exported_results
from harness.store.ledger import Ledger
from harness.store.times import DecisionTime

NS_PER_MS = 1_000_000


@verb("cardarena replay spring-cup/1/000017 --seat 0")
def replay(
    context: typer.Context,
    match: Annotated[
        str | None, typer.Argument(help="Id of a match; with --all, name of a cup.", show_default=False)
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Show only what this seat saw.", metavar="N", show_default=False)
    ] = None,
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
    exports = [export for export, asked in ((_records, jsonl), (_results, results), (_decisions, choices)) if asked]
    if everything and (len(exports) != 1 or seat is not None or times):
        raise HarnessError("replay --all: say one of --jsonl, --results and --decisions, and nothing else")
    if exports and not everything:
        raise HarnessError("replay: --jsonl, --results and --decisions go with --all")
    if match is None and not everything:
        raise HarnessError("replay: name a match, such as spring-cup/1/000017, or say --all --jsonl")
    with open_ledger(common) as ledger:
        try:
            if everything:
                _export(ledger, match, exports[0])
            else:
                assert match is not None
                _show_match(ledger, match, seat, times=times, as_json=common.json)
        except ReplayDifference as difference:
            raise HarnessError(f"{difference}; `cardarena verify` checks the whole ledger") from None


def _show_match(ledger: Ledger, match: str, seat: int | None, *, times: bool, as_json: bool) -> None:
    record = ledger.record(match)
    if seat is not None and seat >= len(record.seats):
        raise HarnessError(f"{record.match}: there is no seat {seat}, it has seats 0 to {len(record.seats) - 1}")
    if as_json:
        print_json(_times_members(ledger, record, seat) if times else record.to_json())
    elif times:
        _show_times(ledger, record, seat)
    else:
        for line in narrate(record, seat):
            print(printable(line))


def _show_times(ledger: Ledger, record: MatchRecord, seat: int | None) -> None:
    names = [entry.bot for entry in record.seats]
    columns = (
        Column[tuple[int, DecisionTime]]("answer", lambda row: str(row[0]), is_number=True),
        Column[tuple[int, DecisionTime]]("bot", lambda row: names[row[1].seat]),
        Column[tuple[int, DecisionTime]]("ms", lambda row: f"{row[1].spent_ns / NS_PER_MS:.3f}", is_number=True),
        Column[tuple[int, DecisionTime]]("owed", lambda row: str(row[1].owed), is_number=True),
    )
    times = enumerate(ledger.times(record.match))
    output().print(grid(columns, [row for row in times if seat in (None, row[1].seat)]))
    for note in ledger.notes(record.match):
        if seat in (None, note.seat):
            print(printable(f"deal {note.deal}, action {note.action}, {names[note.seat]}: {note.text}"))


def _times_members(ledger: Ledger, record: MatchRecord, seat: int | None) -> dict[str, object]:
    times = [time._asdict() for time in ledger.times(record.match) if seat in (None, time.seat)]
    notes = [note._asdict() for note in ledger.notes(record.match) if seat in (None, note.seat)]
    return {"match": record.match, "bots": [entry.bot for entry in record.seats], "times": times, "notes": notes}


def _export(ledger: Ledger, cup: str | None, lines: Callable[[Ledger, str], Iterator[object]]) -> None:
    cups = [cup_in(ledger, cup).name] if cup else [row.cup for row in ledger.cups()]
    for name in cups:
        for line in lines(ledger, name):
            print_json(line)


def _records(ledger: Ledger, cup: str) -> Iterator[str]:
    return ledger.record_lines(cup)


def _results(ledger: Ledger, cup: str) -> Iterator[object]:
    for result in exported_results(ledger, cup):
        faults = [{"seat": seat, "kind": kind} for seat, kind in enumerate(result.faults) if kind]
        yield {
            "match": result.match,
            "block": result.block,
            "bots": result.bots,
            "places": result.places,
            "points": result.points,
            **({"faults": faults} if faults else {}),
            **({"unrated": result.unrated} if result.unrated else {}),
        }


def _decisions(ledger: Ledger, cup: str) -> Iterator[object]:
    for record in ledger.records(cup):
        yield from decisions(record)
