"""`cardarena ladder`."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.cli.app import Common, verb
from harness.cli.decree import standing_lines
from harness.cli.history import print_history
from harness.cli.homes import cup_in, open_ledger
from harness.cli.pairs import print_pairs
from harness.cli.standings import print_standings
from harness.cli.tables import print_lines, print_text
from harness.counting import failures
from harness.errors import HarnessError
from harness.standing import cup_standings, history, standings_and_company
from ladder.columns import Columns, gather
from ladder.company import Company, measure_company
from ladder.export import to_csv, to_json, to_markdown
from ladder.fit import Fit, fit
from ladder.pgn import read_pgn
from ladder.results import read_results
from ladder.standings import standings


@verb("cardarena ladder spring-cup --csv")
def ladder(
    context: typer.Context,
    cup: Annotated[str | None, typer.Argument(help="Name of the cup; else the only one of the home.")] = None,
    season: Annotated[
        str | None, typer.Option(metavar="NAME", help="An earlier season; else that of the newest round.")
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    md: Annotated[bool, typer.Option("--md", help="Print Markdown.")] = False,
    versions: Annotated[
        Literal["newest", "all"], typer.Option(help="Rows for the newest version of a bot, or for all.")
    ] = "newest",
    ignore_rulings: Annotated[
        bool, typer.Option("--ignore-rulings", help="As if the organiser had declared nothing void, nobody withdrawn.")
    ] = False,
    past: Annotated[bool, typer.Option("--history", help="Show the rating of each bot after each round.")] = False,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Show what every two bots gain where both sit at one table.")
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Rate a results file (JSON lines) or the headers of a .pgn."),
    ] = None,
    prior: Annotated[float, typer.Option(help="Virtual tied games with the pool's mean; 0 is maximum likelihood.")] = 1,
    anchor: Annotated[list[str] | None, typer.Option(metavar="BOT=ELO", help="Fix the rating of a bot.")] = None,
) -> None:
    """Print standings: Elo with 95 % intervals, ranks, points."""
    common: Common = context.obj
    if csv + md + common.json > 1:
        raise HarnessError("--csv, --md and --json: choose one")
    if pairs and csv + md + past:
        raise HarnessError("ladder: --pairs goes with a table or --json alone")
    if past:
        if csv or md or source is not None or versions == "all" or ignore_rulings:
            raise HarnessError("ladder: --history goes with no other option than --season and --json")
        with open_ledger(common) as ledger:
            print_history(history(ledger, cup_in(ledger, cup, season)), json=common.json)
        return
    heading: str | None = None
    remarks: list[str] = []
    company: Company | None = None
    with_company = pairs or not (csv or md or common.json)
    if source is not None:
        if cup is not None or season is not None or versions == "all" or ignore_rulings:
            raise HarnessError(
                "ladder: --from rates a file; a cup, its --season and its --versions come from the ledger"
            )
        columns, rated = _rate_file(source, prior, _anchors(anchor or []))
        found = standings(columns, rated)
        company = measure_company(columns, rated) if with_company else None
    else:
        if anchor or prior != 1:
            raise HarnessError("ladder: --prior and --anchor go with --from; a cup has its own in the cup file")
        with open_ledger(common) as ledger:
            settings = cup_in(ledger, cup, season)
            heading = settings.heading if settings.cup.season else None
            rulings = failures(ledger.rulings.of_cup(settings.name)) if ignore_rulings else None
            every = versions == "all"
            if with_company:
                found, company = standings_and_company(ledger, settings, all_versions=every, rulings=rulings)
            else:
                found = cup_standings(ledger, settings, all_versions=every, rulings=rulings)
            remarks = [] if ignore_rulings else list(standing_lines(ledger, settings))
    if pairs and company is not None:
        print_pairs(company, json=common.json)
    elif common.json:
        sys.stdout.write(to_json(found))
    elif csv:
        print_lines(to_csv(found))
    elif md:
        print_lines(to_markdown(found))
    else:
        if heading is not None:
            print_text(heading)
        print_standings(found)
        for remark in (*remarks, *(() if company is None else company.sentences)):
            print_text(remark)


def _rate_file(path: Path, prior: float, anchors: dict[str, float]) -> tuple[Columns, Fit]:
    if not (prior == 0 or 0.001 <= prior <= 1000):
        raise HarnessError(f"--prior {prior:g}: 0, or from 0.001 to 1000")
    results = read_pgn(path) if path.suffix == ".pgn" else read_results(path)
    columns = gather(results)
    return columns, fit(columns, prior=prior, anchors=anchors)


def _anchors(texts: list[str]) -> dict[str, float]:
    anchors: dict[str, float] = {}
    for bot, elo in map(_anchor, texts):
        if anchors.setdefault(bot, elo) != elo:
            raise HarnessError(f"--anchor {bot}: given twice; keep one")
    return anchors


def _anchor(text: str) -> tuple[str, float]:
    bot, equals, elo = text.rpartition("=")
    try:
        value = float(elo)
    except ValueError:
        value = float("nan")
    if not (bot and equals and abs(value) < 1e6):
        raise HarnessError(f"--anchor {text}: write BOT=ELO, such as --anchor fox=1500")
    return bot, value
