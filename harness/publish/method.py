"""How a cup was made, in words: the unit of its numbers, its method, its settings."""

from collections.abc import Iterator, Sequence

from harness.cup import CupFile
from harness.match import TimeControl
from harness.toml_file import canonical_json
from ladder.site.values import SettingsTable
from ladder.standings import Standings
from ladder.words import plural

GAME_TITLES = {"guillotine": "Guillotine", "zhiletka": "Zhiletka"}
_FORMATS = {
    "balanced": "every pair of bots meets as often as every other, as nearly as the number of matches allows, and "
    "every bot sits in every seat equally often",
    "round-robin": "every group of bots that fits a table meets, in every rotation of the seats",
    "gauntlet": "the bots play against the house one by one",
}

_PER_BOT = (
    "every version of a bot plays {count} matches in a season. A round seats those that have fewer, such as late "
    "entries and new versions, with opponents drawn evenly from all that play, and everybody sits in every seat "
    "equally often. A bot that is replaced or retired plays no more; its matches stay in the ratings"
)


def unit(cup: CupFile, standings: Standings, sandboxes: Sequence[str]) -> tuple[str, ...]:
    """What one number of the ladder is made of, a phrase each."""
    sizes = cup.cup.seats
    seats = f"{sizes[0]} seats" if len(sizes) == 1 else f"tables of {listing([str(size) for size in sizes])}"
    deals = "duplicate deals" if cup.cup.duplicate else "independent deals"
    options = [f"{name} = {value}" for name, value in sorted(cup.options.items())]
    return (
        GAME_TITLES.get(cup.cup.game, cup.cup.game),
        *options,
        seats,
        deals,
        clock(cup.time.control),
        *([f"sandbox {listing(sandboxes)}"] if sandboxes else []),
        plural(standings.matches, "match", "matches"),
        scale(standings),
    )


def clock(control: TimeControl) -> str:
    """A clock for people."""
    bank_s, increment_s, decision_s = (part_ns / 1e9 for part_ns in control)
    return f"{bank_s:g} s + {increment_s:g} s a decision, at most {decision_s:g} s each"


def scale(standings: Standings) -> str:
    """What fixes the Elo scale."""
    if standings.anchors:
        return listing([f"{bot} is {elo:g}" for bot, elo in standings.anchors.items()])
    return "the mean is 1500" if standings.pool_mean is None else f"the mean is {standings.pool_mean:g}"


def listing(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def method(cup: CupFile, standings: Standings) -> tuple[tuple[str, str], ...]:
    """How the cup works, heading by heading; paragraphs are lines."""
    return (
        ("Ratings", "\n".join(_ratings(cup, standings))),
        ("Schedule", "\n".join(_schedule(cup))),
        ("Deals", "\n".join(_deals(cup))),
        ("Referee", "\n".join(_referee(cup))),
    )


def _ratings(cup: CupFile, standings: Standings) -> Iterator[str]:
    ranked = f"A bot is ranked from {cup.cup.ranked_after} matches on. " if cup.cup.ranked_after else ""
    observation = (
        "All matches with the same deals are one observation, because the cards make them alike."
        if cup.cup.duplicate
        else "Every match has deals of its own and is one observation."
    )
    yield (
        "A match says of every two bots at the table which came out ahead. All matches of the season together give the "
        "ratings for which these results are the most likely, on the scale of Elo: 400 points more are odds of ten to "
        "one to come out ahead. The order of the matches makes no difference."
    )
    yield (
        f"{observation} The interval of a rating would hold the true strength 95 times in 100. A rank interval holds "
        "the ranks that the bot may truly have. Where the sentence at the top says that ranks are open, the matches do "
        "not tell these bots apart yet."
    )
    if max(cup.cup.seats) > 2:
        yield (
            "Of every two bots it is measured how much better they do against the others where both sit than "
            "elsewhere. They are named above the ladder where chance does that in fewer than one of twenty ladders. "
            "That is a reason to look at their matches and no verdict: styles may suit each other."
        )
    yield (f"The scale: {scale(standings)}. {ranked}Bots of the house are rated and never ranked.")


def _schedule(cup: CupFile) -> Iterator[str]:
    text = _FORMATS[cup.cup.format]
    if cup.cup.matches_per_bot is not None and cup.cup.format == "balanced":
        text = _PER_BOT.format(count=cup.cup.matches_per_bot)
    yield f"{text[0].upper()}{text[1:]}. Who meets whom follows from the settings and entries of a round alone."
    if cup.cup.duplicate:
        yield (
            "Each set of deals is played once in every rotation of the seats, so that every bot of the table gets the "
            "same cards; these matches are a block. Only whole blocks count, and only whole blocks are shown here."
        )
    if cup.cup.same_team == "apart":
        yield "Different bots of one team never meet."


def _deals(cup: CupFile) -> Iterator[str]:
    yield (
        "Every round has a secret of 32 bytes. Its hash, the commitment, is written down before the first match, and "
        "the secret is revealed after the last. Every deck follows from the secret, the number of the block and the "
        "number of the deal by HMAC-SHA256, so that anybody can deal every deck again and see that nobody chose the "
        "cards: `cardarena verify` does it, with the folder of this site alone."
    )
    if cup.cup.seed is not None:
        yield f"This cup has a fixed seed ({cup.cup.seed}): its deals could be known in advance."


def _referee(cup: CupFile) -> Iterator[str]:
    yield (
        "Bots are programs of their own, each in a process that is told only what its seat may see. A seat has "
        f"{clock(cup.time.control)}. Moves that the rules leave no choice in are played for it at once."
    )
    yield (
        "Whoever answers too late, chooses what the rules forbid, or ends, is at fault: it is placed last in that "
        "match, and the house plays its lowest legal move to the end, so that the others have a match. Its points "
        "count nowhere."
    )


def settings(cup: CupFile) -> tuple[SettingsTable, ...]:
    """The settings of the cup, table by table, as a cup file would write the values."""
    members = cup.model_dump(mode="json", by_alias=True)
    tables = []
    for name in ("cup", "stop", "time", "limits", "publish"):
        rows = tuple((key, value_text(value)) for key, value in members[name].items() if value is not None)
        if rows:
            tables.append(SettingsTable(name, rows))
    rules = tuple((key, value_text(value)) for key, value in sorted(cup.options.items()))
    tables.append(SettingsTable("rules", rules or (("every option", "at its default"),)))
    return tuple(tables)


def value_text(value: object) -> str:
    """A value as a cup file writes it."""
    if isinstance(value, dict):
        return ", ".join(f"{key} = {value_text(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(value_text(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, float) else canonical_json(value)
