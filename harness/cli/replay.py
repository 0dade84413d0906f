"""`cardarena replay`."""

from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from harness.agenda import voids_of
from harness.cli.app import Common, verb
from harness.cli.faces import faces_here
from harness.cli.homes import cup_in, open_ledger
from harness.cli.keys import has_keys, keys, own_screen
from harness.cli.narration import narrate
from harness.cli.tables import output, print_json, print_lines_as_they_are
from harness.cli.thoughts import Thoughts
from harness.decisions import decisions
from harness.errors import HarnessError
from harness.printable import printable
from harness.record import MatchRecord, ReplayDifference
from harness.standing import exported_results
from harness.store.ledger import Ledger
from harness.store.rows import parse_match_id


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
        bool,
        typer.Option("--times", help="Show every decision with its time and note; with --seat what it knew."),
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Export every match of the cup, or of all cups.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="With --all: match records, a JSON object a line.")] = False,
    results: Annotated[bool, typer.Option("--results", help="With --all: results for `ladder --from`.")] = False,
    choices: Annotated[bool, typer.Option("--decisions", help="With --all: a line a decision, for training.")] = False,
) -> None:
    """Show a match in the terminal, or export records."""
    common: Common = context.obj
    # All of them are lines of JSON: --jsonl alone means records, and may stand beside the others.
    exports = [export for export, asked in ((_results, results), (_decisions, choices)) if asked]
    exports = exports or [_records] * jsonl
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
    if as_json and not times:
        print_json(record.to_json())
    elif times:
        thoughts = Thoughts(record, ledger.times(record.match), ledger.notes(record.match), seat)
        if as_json:
            print_json(thoughts.members())
        elif seat is None:
            output().print(thoughts.table())
            output().print(thoughts.summary())
            print_lines_as_they_are(thoughts.left_notes())
        else:
            print_lines_as_they_are(thoughts.decisions(faces_here()))
    elif has_keys():
        _step(ledger, record, seat)
    else:
        title, *rest = narrate(record, faces_here(), seat)
        print_lines_as_they_are((title, *_void(ledger, record), *rest))


def _void(ledger: Ledger, record: MatchRecord) -> Iterator[str]:
    """What is to be said of a match that counts for nothing."""
    cup, round, number = parse_match_id(record.match)
    ruling = voids_of(ledger, cup).ruling_on(round, ledger.rulings.block_of(cup, round, number) or 0)
    if ruling is not None:
        yield f"  void    by ruling {ruling.ruling}: {printable(ruling.reason)}"


def _step(ledger: Ledger, record: MatchRecord, seat: int | None) -> None:
    from harness.cli.stepping import Stepper  # the frames of replays come with half of the site
    from harness.publish.frames import Beside

    notes = {(note.deal, note.action): note.text for note in ledger.notes(record.match)}
    stepper = Stepper(record, Beside(ledger.times(record.match), notes), faces_here(), seat)
    with own_screen() as screen:
        screen.show(stepper.screen())
        for key in keys():
            if not stepper.press(key):
                break
            screen.show(stepper.screen())


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
