"""Standings as JSON, CSV and Markdown."""

import csv
import io
import json
from collections.abc import Mapping, Sequence

from ladder.standings import Row, Standings

_JSON_MEMBERS = (
    "rank",
    "rank_low",
    "rank_high",
    "bot",
    "version",
    "team",
    "elo",
    "elo_low",
    "elo_high",
    "se",
    "matches",
    "blocks",
    "points_mean",
    "points_low",
    "points_high",
    "place_mean",
    "faults",
    "rated",
    "reason",
)


def to_json(standings: Standings) -> str:
    """Standings as JSON, one bot and one row of `los` a line; floats with 6 decimals, no time and no path in it."""
    head = {
        "cup": standings.cup,
        "game": standings.game,
        "unit": "elo",
        "anchor": standings.anchors or None,
        "matches": standings.matches,
        "connected": standings.connected,
        "sentence": standings.sentence,
    }
    lines = [f"{json.dumps(name)}: {_json(value)}" for name, value in head.items()]
    lines.append(_json_rows("los", [_json(row) for row in standings.los]))
    rows = [{name: getattr(row, name) for name in _JSON_MEMBERS} for row in standings.rows]
    lines.append(_json_rows("bots", [_json(row) for row in rows]))
    void = dict.fromkeys((row.round, row.block) for row in standings.rulings if row.block is not None)
    lines.append(_json_rows("void", [_json({"round": round, "block": block}) for round, block in void]))
    lines.append(_json_rows("rulings", [_json(ruling._asdict()) for ruling in standings.rulings]))
    lines.append(f'"season": {_json(standings.season)}')
    return "{" + ",\n".join(lines) + "}\n"


def _json_rows(name: str, rows: Sequence[str]) -> str:
    return f"{json.dumps(name)}: [" + ",".join(f"\n  {row}" for row in rows) + "]"


def _json(value: object) -> str:
    if isinstance(value, float):
        return f"{value + 0.0:.6f}".replace("-0.000000", "0.000000")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(name)}: {_json(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_json, value)) + "]"
    return json.dumps(value)


def to_csv(standings: Standings) -> str:
    """Standings as CSV with a header line, the members of a JSON row as columns; unknown numbers are empty.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_JSON_MEMBERS)
    writer.writerows([_csv(getattr(row, name)) for name in _JSON_MEMBERS] for row in standings.rows)
    return out.getvalue()


def _csv(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
    return _json(value)


def to_markdown(standings: Standings) -> str:
    """The sentences and a table of the standings as Markdown."""
    lines = [
        _markdown(" ".join(filter(None, [standings.sentence, standings.luck.sentence]))),
        "",
        "| rank | bot | Elo | 95 % | ranks | points | matches | faults | |",
        "|---:|---|---:|---|---|---:|---:|---:|---|",
    ]
    for row in standings.rows:
        name = f"{row.bot} {row.version}" if row.version else row.bot
        cells = (
            "–" if row.rank is None else str(row.rank),
            _markdown(name),
            elo_text(row),
            _range(row.elo_low, row.elo_high, 0),
            "–" if row.rank is None else f"{row.rank_low}–{row.rank_high}",
            points_text(row),
            str(row.matches),
            str(row.faults),
            _markdown(row.reason or ""),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def elo_text(row: Row) -> str:
    """Rating for people: `1612 ± 34`, `at least 1823` for a perfect record, a dash when unknown."""
    if row.elo is None:
        return "–"
    if row.bound == "at least" and row.elo_low is not None:
        return f"at least {row.elo_low:.0f}"
    if row.bound == "at most" and row.elo_high is not None:
        return f"at most {row.elo_high:.0f}"
    if row.elo_high is None:
        return f"{row.elo:.0f}"
    return f"{row.elo:.0f} ± {row.elo_high - row.elo:.0f}"


def points_text(row: Row) -> str:
    """Mean points for people: `98.2 ± 4.1`, without the half width where it is unknown, a dash when none count."""
    if row.points_mean is None:
        return "–"
    half = "" if row.points_high is None else f" ± {row.points_high - row.points_mean:.1f}"
    return f"{row.points_mean:.1f}{half}"


def _range(low: float | None, high: float | None, decimals: int) -> str:
    if low is None or high is None:
        return ""
    return f"{low:.{decimals}f} to {high:.{decimals}f}"


def _markdown(text: str) -> str:
    return "".join(f"\\{character}" if character in "\\|`*_[]<>#~" else character for character in text)
