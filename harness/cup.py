"""`cup.toml`: which bots meet, how often, under what rules, clocks and limits.

`read_cup` reads and checks a file; a `CupFile` is pure data and knows no folder, no ledger and no
bot. What a round pins is its `pinned()` text; `from_pinned` gives the value back, and `check_change`
says which later changes of the file a cup that has begun accepts.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from harness import games
from harness.errors import HarnessError
from harness.games import Game
from harness.games.game import OptionValue
from harness.match import TimeControl
from harness.names import SUBMITTED, did_you_mean, in_one_form, why_not_a_name, why_not_a_team, why_not_a_title
from harness.printable import printable
from harness.toml_file import (
    AsTuple,
    KeyMistakes,
    Table,
    TomlError,
    build,
    canonical_json,
    checked_by,
    read,
    shown,
)

NS_PER_S = 1_000_000_000
MAX_TIME_S = 7 * 86_400.0
MAX_MB = 1 << 20
MAX_MATCH_COUNT = 100_000_000


def _why_not_a_bot(text: str) -> str | None:
    if not text or not text.isprintable():
        return f"must be a bot: a name, name@version, a folder or sample:NAME, not {shown(text)}"
    if text.startswith("wait:"):
        return f"{text}: a bot that is waited for plays practice matches only; name its folder"
    return None


BotForm = Annotated[str, checked_by(_why_not_a_bot)]
Bots = Annotated[tuple[BotForm, ...], AsTuple]


def _seats(value: object) -> tuple[int, ...]:
    sizes = value if isinstance(value, list | tuple) else [value]
    if not sizes or not all(type(size) is int for size in sizes):
        raise ValueError(f"must be a whole number or a list of them, such as [2, 3, 4], not {shown(value)}")
    if len(set(sizes)) < len(sizes):
        raise ValueError(f"names a table size twice: {shown(value)}")
    return tuple(sorted(sizes))


MOST_ANCHOR_ELO = 100_000
"""On either side of 0. Beyond it ratings lose digits."""


def _anchor(anchor: dict[str, float]) -> dict[str, float]:
    if len(anchor) > 1:
        raise ValueError(f"fixes {len(anchor)} bots; one is enough to fix the scale, keep one")
    if any(abs(elo) > MOST_ANCHOR_ELO for elo in anchor.values()):
        raise ValueError(f"is beyond {MOST_ANCHOR_ELO:,} Elo; 1500 is usual")
    return anchor


def _option(value: object) -> object:
    if not isinstance(value, str | int | bool):
        raise ValueError(f"must be a text, a whole number, true or false, not {shown(value)}")
    return value


class CupTable(Table):
    """`[cup]`: what is played, by whom and how often."""

    name: Annotated[str, checked_by(why_not_a_name), Field(examples=['"spring-cup"'])]
    title: Annotated[str, checked_by(why_not_a_title)] | None = None
    season: Annotated[str, checked_by(why_not_a_name)] | None = None
    game: Annotated[str, Field(examples=['"guillotine"'])]
    seats: Annotated[tuple[int, ...], BeforeValidator(_seats)] = (4,)
    format: Literal["balanced", "round-robin", "gauntlet"] = "balanced"
    matches: int | None = Field(default=None, ge=1, le=MAX_MATCH_COUNT)
    matches_per_bot: int | None = Field(default=None, ge=1, le=MAX_MATCH_COUNT)
    duplicate: bool = False
    bots: Bots = ()
    exclude: Bots = ()
    house: Bots = ()
    anchor: Annotated[dict[BotForm, float], AfterValidator(_anchor)] = Field(default_factory=dict)
    same_team: Literal["apart", "allowed"] = "apart"
    ranked_after: int = Field(default=30, ge=0)
    seed: int | None = Field(default=None, ge=0, lt=1 << 63)


class StopTable(Table):
    """`[stop]`: whichever comes first."""

    hours: float | None = Field(default=None, gt=0)
    separated: int | None = Field(default=None, ge=1)


class TimeTable(Table):
    """`[time]`: the clock of every seat."""

    bank_s: float = Field(default=20.0, ge=0.001, le=MAX_TIME_S)
    increment_s: float = Field(default=0.05, ge=0, le=MAX_TIME_S)
    decision_s: float = Field(default=5.0, ge=0.001, le=MAX_TIME_S)

    @property
    def control(self) -> TimeControl:
        """The same in nanoseconds."""
        return TimeControl(_ns(self.bank_s), _ns(self.increment_s), _ns(self.decision_s))


class TimeException(Table):
    """What differs for one bot."""

    bank_s: float | None = Field(default=None, ge=0.001, le=MAX_TIME_S)
    increment_s: float | None = Field(default=None, ge=0, le=MAX_TIME_S)
    decision_s: float | None = Field(default=None, ge=0.001, le=MAX_TIME_S)

    def over(self, control: TimeControl) -> TimeControl:
        """`control` with what differs put in its place."""
        return TimeControl(
            control.bank_ns if self.bank_s is None else _ns(self.bank_s),
            control.increment_ns if self.increment_s is None else _ns(self.increment_s),
            control.decision_ns if self.decision_s is None else _ns(self.decision_s),
        )


class LimitsTable(Table):
    """`[limits]`: what the process of a bot may use, and how many run."""

    sandbox: Literal["auto", "bwrap", "landlock", "limits", "none"] = "auto"
    memory_mb: int = Field(default=512, ge=16, le=MAX_MB)
    cpus: int = Field(default=1, ge=1, le=1024)
    processes: int = Field(default=64, ge=1, le=65_536)
    tmp_mb: int = Field(default=32, ge=1, le=MAX_MB)
    log_kb: int = Field(default=256, ge=0, le=1 << 20)
    bots_alive: int = Field(default=40, ge=1, le=65_536)
    jobs: int | None = Field(default=None, ge=1)
    """Bots that may owe an answer at the same time; None: the cores of the machine."""


class PublishTable(Table):
    """`[publish]`: who sees what, and when."""

    replays: Literal["now", "round", "end"] = "round"
    authors: bool = False
    replay_limit: int = Field(default=2000, ge=0)


class EntryTable(Table):
    """`[[bots]]`: one more bot, or an exception for one that `bots` names."""

    bot: Annotated[BotForm, Field(examples=['"t07-fox"'])]
    team: Annotated[str, checked_by(why_not_a_team), AfterValidator(in_one_form)] | None = None
    rated: bool = True
    time: TimeException = TimeException()


class CupFile(Table):
    """A `cup.toml` whose keys fit together."""

    schema_number: Literal[1] = Field(default=1, alias="schema")
    cup: CupTable
    stop: StopTable = StopTable()
    rules: dict[str, Annotated[str | int | bool, BeforeValidator(_option)]] = Field(default_factory=dict)
    time: TimeTable = TimeTable()
    limits: LimitsTable = LimitsTable()
    publish: PublishTable = PublishTable()
    bots: Annotated[tuple[EntryTable, ...], AsTuple] = ()

    @model_validator(mode="after")
    def _keys_fit_together(self) -> "CupFile":
        mistakes = [*self._budget_mistakes(), *self._game_mistakes(), *self._bot_mistakes()]
        if mistakes:
            raise KeyMistakes(mistakes)
        return self

    def _budget_mistakes(self) -> Iterator[tuple[str, str]]:
        cup = self.cup
        given = [key for key in ("matches", "matches_per_bot") if getattr(cup, key) is not None]
        if cup.format == "round-robin":
            for key in given:
                yield f"[cup] {key}", 'a "round-robin" plays every group of bots; leave it out'
        elif not given:
            yield "[cup] matches", f'a "{cup.format}" cup needs a budget; write matches = 600 or matches_per_bot = 240'
        elif len(given) > 1:
            yield "[cup] matches_per_bot", "given beside matches; keep one of them"

    def _game_mistakes(self) -> Iterator[tuple[str, str]]:
        cup = self.cup
        if cup.game not in games.GAME_NAMES:
            yield "[cup] game", f"no game is called {shown(cup.game)}; {did_you_mean(cup.game, games.GAME_NAMES)}"
            return
        try:
            game = games.game(cup.game, self.rules)
        except ValueError as error:
            yield "[rules]", str(error)
            return
        for size in cup.seats:
            if size not in game.seat_counts:
                offered = ", ".join(str(count) for count in game.seat_counts)
                yield "[cup] seats", f"{cup.game} is not played by {size} (but by {offered})"
        if self.limits.bots_alive < max(cup.seats):
            yield "[limits] bots_alive", f"must be at least {max(cup.seats)}, the seats of a table"

    def _bot_mistakes(self) -> Iterator[tuple[str, str]]:
        cup = self.cup
        if not cup.bots and not self.bots:
            yield "[cup] bots", 'nobody plays; write bots = ["submitted"], or names, folders and sample:NAME'
        if cup.format == "gauntlet" and not cup.house:
            yield "[cup] house", 'a "gauntlet" is played against the house; write house = ["sample:random"]'
        for key, forms in (("house", cup.house), ("exclude", cup.exclude), ("anchor", tuple(cup.anchor))):
            if SUBMITTED in forms:
                yield f"[cup] {key}", f'"{SUBMITTED}" stands in bots only; name the bots'
        seen: set[str] = set()
        for number, entry in enumerate(self.bots, 1):
            if entry.bot == SUBMITTED:
                yield f"[[bots]] {number} bot", f'"{SUBMITTED}" stands in [cup] bots only; name one bot'
            elif entry.bot in seen:
                yield f"[[bots]] {number} bot", f"{entry.bot} has an entry already; to seat it twice, name it in bots"
            seen.add(entry.bot)

    @property
    def name(self) -> str:
        """`[cup].name`."""
        return self.cup.name

    @property
    def title(self) -> str:
        """The title, or the name where there is none."""
        return self.cup.title or self.cup.name

    @property
    def heading(self) -> str:
        """The title, with the season where it has one."""
        return f"{self.title}, season {self.cup.season}" if self.cup.season else self.title

    @property
    def anchors(self) -> Mapping[str, float]:
        """Elo at which bots are fixed, by their names: `sample:random` and `random@1.0` mean `random`."""
        return {
            form.removeprefix("sample:").partition("@")[0].rstrip("/").rpartition("/")[2]: elo
            for form, elo in self.cup.anchor.items()
        }

    @property
    def is_ladder(self) -> bool:
        """Whether every submitted bot plays."""
        return SUBMITTED in self.cup.bots

    @property
    def game(self) -> Game:
        """The game under the cup's rules."""
        return games.game(self.cup.game, self.rules)

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Options that differ from the defaults."""
        return dict(self.game.options)

    def pinned(self) -> str:
        """What a round pins, as canonical JSON: every key, defaults included, and the version of the rules."""
        members = self.model_dump(mode="json", by_alias=True)
        return canonical_json({**members, "rules": self.options, "rules_version": self.game.rules_version})


def _ns(seconds: float) -> int:
    return round(seconds * NS_PER_S)


def read_cup(path: Path) -> CupFile:
    """The cup at `path`. TomlError where the file cannot be used, a line a mistake."""
    return read(path, CupFile)


def from_pinned(text: str, *, source: str) -> CupFile:
    """The settings that a round pinned. HarnessError where this program plays other rules; `source` names the round."""
    members = _json_object(text, source)
    rules_version = members.pop("rules_version", None)
    cup = build(members, CupFile, source=source)
    if cup.game.rules_version != rules_version:
        raise HarnessError(
            f"{source}: pinned version {printable(str(rules_version))[:40]} of the rules of {cup.cup.game}, this "
            f"program plays {cup.game.rules_version}; finish it with the cardarena that began it, or start a cup of "
            "another name"
        )
    return cup


def check_change(begun: CupFile, now: CupFile, *, source: str) -> None:
    """Nothing where a cup that pinned `begun` may go on as `now`; TomlError with key, old value, new value and mend.

    A cup that has begun may grow: more matches, more hours, more bots; it may exclude bots and change
    titles, `[publish]` and `jobs`. A new season counts its matches from zero.
    """
    refused = [*_changed_keys(begun, now), *_changed_rules(begun, now), *_changed_bots(begun, now)]
    if refused:
        raise TomlError([f"{source}: {line}" for line in refused])


_TABLES = ("cup", "stop", "time", "limits")
_FREE = {"[cup] title", "[cup] season", "[cup] exclude", "[limits] jobs"}
_GROWING = {"[cup] matches", "[cup] matches_per_bot", "[stop] hours"}
_MEND = "put it back, or give the cup another name"


def _changed_keys(begun: CupFile, now: CupFile) -> Iterator[str]:
    same_season = begun.cup.season == now.cup.season
    for name in _TABLES:
        old, new = getattr(begun, name).model_dump(), getattr(now, name).model_dump()
        for key in old:
            where = f"[{name}] {key}"
            if old[key] == new[key] or where in _FREE or where == "[cup] bots":
                continue
            if where in _GROWING and (where == "[stop] hours" or None not in (old[key], new[key])):
                if same_season and not _is_more(old[key], new[key]):
                    yield f"{where}: {_toml(old[key])} before, {_toml(new[key])} now; it may only grow; put it back"
            else:
                yield f"{where}: {_toml(old[key])} before, {_toml(new[key])} now; {_MEND}"


def _is_more(old: float | None, new: float | None) -> bool:
    return new is None or (old is not None and new > old)


def _changed_rules(begun: CupFile, now: CupFile) -> Iterator[str]:
    old, new = begun.options, now.options
    if begun.cup.game != now.cup.game:
        return  # told at its own key
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            values = [_toml(options[name]) if name in options else "its default" for options in (old, new)]
            yield f"[rules] {name}: {values[0]} before, {values[1]} now; {_MEND}"


def _changed_bots(begun: CupFile, now: CupFile) -> Iterator[str]:
    old, new = _entries(begun), _entries(now)
    for bot, entry in old.items():
        if bot not in new:
            yield f"[cup] bots: {bot} before, not now; put it back and add it to exclude"
            continue
        if _times_entered(begun, bot) > _times_entered(now, bot):
            yield (
                f"[cup] bots: {bot} entered {_times_entered(begun, bot)} times before, "
                f"{_times_entered(now, bot)} now; {_MEND}"
            )
        before, after = entry.model_dump(exclude_none=True), new[bot].model_dump(exclude_none=True)
        for key in sorted({*before, *after}):
            if before.get(key) != after.get(key):
                values = f"{_toml(before.get(key))} before, {_toml(after.get(key))} now"
                yield f"[[bots]] {bot} {key}: {values}; {_MEND}"


def _entries(cup: CupFile) -> dict[str, EntryTable]:
    plain = {bot: EntryTable(bot=bot) for bot in cup.cup.bots}
    return plain | {entry.bot: entry for entry in cup.bots}


def _times_entered(cup: CupFile, bot: str) -> int:
    return max(1, cup.cup.bots.count(bot))


def _toml(value: object) -> str:
    return "absent" if value is None else json.dumps(value, ensure_ascii=False)


def _json_object(text: str, source: str) -> dict[str, object]:
    try:
        members = json.loads(text)
    except ValueError:
        members = None
    if not isinstance(members, dict):
        raise HarnessError(f"{source}: its pinned settings are damaged; take the ledger from a copy")
    return members
