"""A site of made-up values: a few bots of any names, results that say who is better, one match with a replay."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from ladder.columns import gather
from ladder.fit import fit
from ladder.results import Result
from ladder.site.frames import Deal, Frame, Say
from ladder.site.pages import File, site_files
from ladder.site.values import (
    Bot,
    Cup,
    FaultCount,
    FaultFact,
    Feature,
    Feed,
    Match,
    MatchDetails,
    Moment,
    Opponent,
    Place,
    Round,
    RoundEntry,
    Ruling,
    Runtime,
    SeatResult,
    SettingsTable,
    Sheet,
    Tally,
    TallyTable,
    Thinking,
    Turning,
)
from ladder.standings import Entry, Standings, standings

NAMES = ("fox", "hen", "owl")
HOSTILE = "</script><svg/onload=alert(1)>\"'><b>&amp; {{ 7*7 }} \u202eabc"


def board(names: Sequence[str] = NAMES) -> Standings:
    """Standings in which each name is better than the next."""
    results = [
        Result(f"m{number}-{pair[0]}-{pair[1]}", None, pair, (1, 2) if number % 4 else (2, 1), (10.0, 5.0))
        for pair in combinations(names, 2)
        for number in range(20)
    ]
    columns = gather(results)
    entries = [Entry(name, name, "1.0", f"team {name}") for name in names]
    return standings(columns, fit(columns), entries=entries, cup="made-up", game="guillotine")


def deal() -> Deal:
    """A deal of one card each."""
    first = Frame({"7C": "hand.0", "8C": "hand.1"}, (Say("{s} deals", (0,)),), 1, (0, 0))
    led = Frame({"7C": "hand.0", "8C": "table.1"}, (Say("{a} leads {m}"),), 0, (0, 0), spent_ms=3.0, note=HOSTILE)
    end = Frame({"7C": "table.0", "8C": "table.1"}, (Say("{s} takes the trick", (1,)),), None, (0, 20), winner=1)
    return Deal("Royalty", 0, "tricks", "gone", (first, led, end), tally_name="tricks")


def match(number: str = "1/17", names: Sequence[str] = NAMES, *, text: str = "plain", digest: str = "d1") -> Match:
    """A match of the first two names."""
    thought = Thinking(12, 2.5, 40.0, 0.2)

    def details() -> MatchDetails:
        return MatchDetails(
            versions=(text, "1.0"),
            thinking=(thought, None),
            faults=(FaultFact(1, "timeout", 1, 2, text),),
            turning=Turning(1, text),
            facts=(("started", text),),
            pack=("7C", "8C"),
            deals=lambda: [deal()],
        )

    seats = (SeatResult(names[0], 1, 0), SeatResult(names[1], 2, 20, "timeout"))
    return Match(f"made-up/{number}", number, "block 4", seats, digest, details)


def cup(names: Sequence[str] = NAMES, *, text: str = "plain", matches: Sequence[Match] | None = None) -> Cup:
    """A cup of `names`; `text` stands wherever people may write."""
    shown = tuple(matches if matches is not None else [match(names=names, text=text)])
    found = board(names)
    rows = {row.bot: row for row in found.rows}
    bots = tuple(
        Bot(
            name=name,
            row=rows[name],
            other_versions=(rows[name]._replace(version=text, player="old"),),
            version=text,
            sha256="ab" * 32,
            team=text,
            authors=(text,),
            facts=(("role", text),),
            tables=(TallyTable("By seat", "Seat", "matches", (Tally("0", 4, 1.5, -2.5, 1.0),)),),
            opponents=tuple(Opponent(other, 20, 12, 1, 7, 0.9) for other in names if other != name),
            faults=(FaultCount("timeout", 1, shown[:1]),),
            thinking=Thinking(400, 2.1, 41.0, 3.0),
            history=(Moment(1, 1500.0, 1450.0, 1550.0), Moment(2, 1540.0, None, None)),
        )
        for name in names
    )
    return Cup(
        name="made-up",
        title=text,
        subtitle="",
        game="guillotine",
        unit=("Guillotine", text),
        points_name="points",
        points_low_win=True,
        duplicate=True,
        notices=(text,),
        standings=found,
        bots=bots,
        matches=shown,
        matches_note=text,
        features=tuple(Feature("Closest", text, each, 1) for each in shown[:1]),
        rounds=(Round(1, "ended", 4, "c0", "5e", "5c", False, tuple(RoundEntry(n, text, "ab", "bot") for n in names)),),
        settings=(SettingsTable("cup", (("title", text),)),),
        method=(("Ratings", text),),
        feeds=(Feed("matches.jsonl.gz", text, "f1", lambda: b"records"),),
        rulings=(
            Ruling(1, 1, "2026-05-01T10:00:00Z", None, shown[0].id, 1, shown[0], "the organiser", text, None),
            Ruling(2, 1, "2026-05-01T10:00:00Z", names[0], None, None, None, "the organiser", text, "later"),
        )
        if shown
        else (),
        sheet=Sheet(1, (("machine", text),), (Runtime(text, text, (text,)), Runtime("node", "", ()))),
    )


def files(made: Cup) -> dict[str, bytes]:
    """Every file of a site of one cup, by path."""
    return {file.path: file.data() for file in site_files([Place("", made)])}


def files_of(*places: Place) -> list[File]:
    """The files of several cups."""
    return list(site_files(places))


def renamed(made: Cup, title: str) -> Cup:
    """The same cup under another title."""
    return replace(made, title=title)
