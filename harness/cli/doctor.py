"""`cardarena doctor`."""

from collections.abc import Iterator
from typing import Annotated

import typer

from harness import interruption
from harness.cli.app import Common, verb
from harness.cli.codes import CHECK_FAILED, DONE
from harness.cli.sandboxing import LevelName
from harness.cli.tables import Column, grid, output, print_json, print_text, remarks
from harness.doctor.fault_bot import FaultBot, fault_bots_folder, find_fault_bots
from harness.doctor.machine import Finding, examine
from harness.doctor.selftest import Row, run_selftest
from harness.doctor.sheet import Sheet, ask_runtimes, outline
from harness.errors import HarnessError
from harness.names import did_you_mean
from harness.printable import printable
from harness.sandbox.cell import AUTO, LEVELS, Sandbox
from harness.sandbox.levels import choose, try_level
from harness.store.home import find_home
from harness.workshop.runtimes import read_runtimes
from ladder.words import plural


@verb("cardarena doctor --bots --sandbox bwrap")
def doctor(
    context: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(help="With --bots: only these.", metavar="NAME", show_default=False)
    ] = None,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="Print what bots run on: programs with versions, packages, limits, clock.")
    ] = False,
    bots: Annotated[
        bool, typer.Option("--bots", help="Play the fault bots; print what was expected and seen.")
    ] = False,
    sandbox: Annotated[
        LevelName | None, typer.Option("--sandbox", help="With --bots: only this level.", show_default=False)
    ] = None,
) -> int:
    """Say what works on this machine and what to install; try its sandbox with bots that do their worst."""
    common: Common = context.obj
    if not bots:
        if sheet and not names and sandbox is None:
            return _print_sheet(common)
        if names or sandbox is not None:
            raise HarnessError("doctor: names of fault bots and --sandbox go with --bots")
        _print_findings(common)
        return DONE
    if sheet:
        raise HarnessError("doctor: --sheet and --bots go one at a time")
    chosen = _chosen(names or [])
    rows = [row for level in _levels(sandbox) for row in _play(common, chosen, level)]
    if common.json:
        print_json({"bots": [{**row._asdict(), "ok": row.ok} for row in rows]})
    else:
        _print_rows(common, rows)
    return DONE if all(row.ok for row in rows) else CHECK_FAILED


def _print_findings(common: Common) -> None:
    machine = examine()
    if common.json:
        findings = [finding._asdict() for finding in machine.findings]
        print_json({"sandbox": machine.sandbox and machine.sandbox.level, "findings": findings})
        return
    width = max(len(finding.what) for finding in machine.findings)
    for finding in machine.findings:
        print_text(f"{finding.what:<{width}}  {'ok ' if finding.works else 'no '}  {_told(finding)}")


def _print_sheet(common: Common) -> int:
    sandbox = choose()
    runtimes = read_runtimes(find_home(common.home))
    sheet = outline(sandbox)._replace(runtimes=tuple(ask_runtimes(sandbox, runtimes)))
    if common.json:
        print_json(
            {
                **sheet._asdict(),
                "limits": sheet.limits.model_dump(),
                "time": sheet.time.model_dump(),
                "runtimes": [
                    {**facts._asdict(), "packages": [package._asdict() for package in facts.packages]}
                    for facts in sheet.runtimes
                ],
            }
        )
        return DONE
    for what, text in _sheet_lines(sheet):
        print_text(f"{what:<9} {text}")
    return DONE


def _sheet_lines(sheet: Sheet) -> Iterator[tuple[str, str]]:
    yield "machine", sheet.machine
    yield "clock", sheet.clock
    yield "sandbox", sheet.sandbox
    yield "limits", f"{sheet.limits_text}; unless a cup says other, or grants what a bot needs"
    yield "time", sheet.time_text
    for facts in sheet.runtimes:
        yield facts.name, facts.version or f"does not run in the sandbox: {facts.problem}"
        if facts.packages:
            yield "", ", ".join(f"{package.name} {package.version}" for package in facts.packages)


def _told(finding: Finding) -> str:
    return f"{finding.says}. Mend: {finding.mend}" if finding.mend else finding.says


def _chosen(names: list[str]) -> tuple[FaultBot, ...]:
    bots = find_fault_bots(fault_bots_folder())
    known = [bot.name for bot in bots]
    for name in names:
        if name not in known:
            raise HarnessError(f"no fault bot is called {printable(name)}; {did_you_mean(name, known)}")
    return tuple(bot for bot in bots if not names or bot.name in names)


def _levels(asked: LevelName | None) -> list[Sandbox]:
    """The levels to play at: the one that is asked for, or all that work here."""
    if asked is not None:
        return [choose(asked)]
    trials = [try_level(level) for level in LEVELS]
    working = [trial.sandbox for trial in trials if not trial.problem]
    return working or [choose(AUTO)]  # which says why there is none


def _play(common: Common, bots: tuple[FaultBot, ...], level: Sandbox) -> list[Row]:
    def tell(text: str) -> None:
        if common.progress != "none":
            remarks().print(printable(text))

    return interruption.run(run_selftest(bots, level, tell)).rows()


def _print_rows(common: Common, rows: list[Row]) -> None:
    columns = (
        Column[Row]("bot", lambda row: row.bot, is_whole=True),
        Column[Row]("level", lambda row: row.level, is_whole=True),
        Column[Row]("expected", lambda row: row.expected),
        Column[Row]("seen", lambda row: "the same" if row.ok else row.seen),
        Column[Row]("", lambda row: "ok" if row.ok else "NOT OK", is_whole=True),
    )
    wrong = [row for row in rows if not row.ok]
    output().print(grid(columns, wrong if common.quiet else rows))
    if wrong:
        all_of = f"of {len(rows)}"
        print(plural(len(wrong), f"{all_of} is not as it must be", f"{all_of} are not as they must be"))
    else:
        print(f"all {len(rows)} are as they must be")
