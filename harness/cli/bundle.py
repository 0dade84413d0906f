"""What a team may see of its own bots, as a ZIP file: nothing of others but what its bots were told.

Names of opponents are left out, for a cup may hold them back; so is whatever an own seat could not see.
"""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.cli.faces import Faces
from harness.cli.narration import narrate
from harness.decisions import decisions
from harness.errors import HarnessError
from harness.fault_groups import Played
from harness.games.game import Seat
from harness.printable import printable, printable_json
from harness.record import MatchRecord, SeatEntry, replay_steps
from harness.store.bot_logs import BotLogs
from harness.store.ledger import Ledger
from harness.store.rows import Version
from harness.thinking import times_by_moment
from harness.whole_file import whole_file

FAULTED_MATCHES = 100
"""So many matches with a fault are told, the first ones of each bot."""
_DATE = (1980, 1, 1, 0, 0, 0)
_PLAIN = Faces(colour=False, signs=False)
_README = """\
What your bots did, as far as you may see it. Deals and actions are counted from 0.

report.txt, report.json   their faults, grouped, each with a command that plays it again
BOT/check.txt             what the check of the submitted version told
BOT/logs/                 what its processes wrote on stdout and stderr, a file a process
BOT/decisions.jsonl       a line for each decision: what the bot knew, what was legal, what it chose, how long it
                          thought, what it noted, in which place the match ended
BOT/matches/              matches that it lost by a fault, as it saw them

While a round is under way, what was seen of cards that others have still to play is left out, and so are its logs.

`cardarena rerun` needs a ledger that holds the match: the organiser's, or your own after `cardarena import` of the
published site. With `--bot ./FOLDER` it plays your newest code, with `--bot wait:NAME` what you have in a debugger.
"""


def write_bundle(
    path: Path,
    ledger: Ledger,
    logs: BotLogs,
    bots: Sequence[tuple[Version, Sequence[Played]]],
    files: Mapping[str, object],
) -> None:
    """Writes the bundle of `bots`, all of one team; the same ledger gives the same bytes. `files`: texts, or JSON.

    With each bot come its matches that may be seen.

    HarnessError where it cannot be written.
    """
    try:
        with whole_file(path) as unfinished, zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, parts in _contents(ledger, logs, bots, files):
                info = zipfile.ZipInfo(name, _DATE)
                info.external_attr = 0o644 << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                with bundle.open(info, "w", force_zip64=True) as file:  # decisions of a long cup are more than 2 GB
                    for part in parts:
                        file.write(part)
    except OSError as error:
        raise HarnessError(f"{printable(str(path))}: cannot be written: {error.strerror}") from None


def _contents(
    ledger: Ledger,
    logs: BotLogs,
    bots: Sequence[tuple[Version, Sequence[Played]]],
    files: Mapping[str, object],
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Names of files, and their bytes in parts."""
    yield "README.txt", [_README.encode()]
    for name, content in files.items():
        text = content if isinstance(content, str) else printable_json(json.dumps(content, ensure_ascii=False)) + "\n"
        yield name, [text.encode()]
    for version, played in bots:
        folder = version.name
        if text := logs.check(version.name, version.sha256):
            yield f"{folder}/check.txt", [text.encode()]
        for cup, round_number, label in sorted({_round_of(one) for one in played if not one.in_open_round}):
            for number, log in enumerate(logs.read(cup, round_number, label), 1):
                head = f"{log.how}: {log.kind}: {log.detail}" if log.kind else log.how
                name = f"{folder}/logs/{cup}-{round_number}-{label}-{number:02d}.log"
                yield name, [printable(head).encode() + b"\n" + log.output]
        lines = (f"{line}\n".encode() for one in played for line in _decision_lines(ledger, one))
        yield f"{folder}/decisions.jsonl", lines
        for one in [one for one in played if one.is_fault][:FAULTED_MATCHES]:
            record = as_seen(ledger.record(one.match), one.seat)
            told = "".join(line + "\n" for line in narrate(record, _PLAIN, one.seat))
            yield f"{folder}/matches/{one.match.replace('/', '-')}-seat-{one.seat}.txt", [told.encode()]


def _round_of(played: Played) -> tuple[str, int, str]:
    cup, round_number, _ = played.match.split("/")
    return cup, int(round_number), played.label


def as_seen(record: MatchRecord, seat: Seat) -> MatchRecord:
    """`record` without the names of the others. Their hands are still in it: tell it with `seat` as the viewer."""
    seats = tuple(
        entry if other == seat else SeatEntry(f"seat-{other}", "", "") for other, entry in enumerate(record.seats)
    )
    return replace(record, seats=seats)


def _decision_lines(ledger: Ledger, played: Played) -> Iterator[str]:
    record = ledger.record(played.match)
    times = times_by_moment(record, replay_steps(record), ledger.times(played.match))
    notes = {(note.deal, note.action): note.text for note in ledger.notes(played.match) if note.seat == played.seat}
    for row in decisions(record):
        if row["seat"] == played.seat:
            moment = int(str(row["deal"])), int(str(row["action"]))
            time = times.get(moment)
            beside = {
                "spent_ms": None if time is None else time.spent_ns / 1e6,
                "owed": None if time is None else time.owed,
                "note": notes.get(moment),
            }
            yield printable_json(json.dumps({**row, **beside}, ensure_ascii=False))
