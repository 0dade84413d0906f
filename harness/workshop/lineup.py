"""Who plays a cup: the bots that its file names, found, with teams, clocks and labels, in one fixed order."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from harness.cup import CupFile, EntryTable, TimeException
from harness.errors import HarnessError
from harness.match import TimeControl
from harness.names import SUBMITTED
from harness.printable import printable
from harness.store.rows import Entry, Role
from harness.workshop.entry import BotFinder, FoundBot, labels


@dataclass(frozen=True)
class Entrant:
    """A bot that plays, as the cup file enters it."""

    label: str
    bot: FoundBot
    team: str
    rated: bool
    role: Role
    time: TimeControl | None
    """Its own clock; None: the cup's."""

    def entry(self) -> Entry:
        """What a round pins of it."""
        return Entry(
            self.label,
            self.bot.name,
            self.bot.version,
            self.bot.sha256,
            self.team,
            rated=self.rated,
            role=self.role,
            time=self.time,
        )


@dataclass(frozen=True)
class Lineup:
    """The bots of a cup: those of `bots`, in its order, then the further ones of `[[bots]]`, then the house."""

    entrants: tuple[Entrant, ...]
    anchor: tuple[str, float] | None
    """A label, and the Elo that it is fixed at."""
    remarks: tuple[str, ...]
    """Who was left out, and why, for people."""


def lineup(cup: CupFile, finder: BotFinder) -> Lineup:
    """The bots that `cup` enters now. HarnessError with a line for each that cannot be found or used."""
    reader = _Reader(cup, finder)
    entrants = reader.entrants()
    anchor = reader.anchor(entrants)
    if reader.mistakes:
        raise HarnessError("\n".join(reader.mistakes))
    return Lineup(entrants, anchor, tuple(reader.remarks))


class _Reader:
    """Goes through a cup file and gathers what is wrong with it on the way."""

    def __init__(self, cup: CupFile, finder: BotFinder) -> None:
        self.cup = cup
        self.finder = finder
        self.mistakes: list[str] = []
        self.remarks: list[str] = []

    def entrants(self) -> tuple[Entrant, ...]:
        exceptions = [(entry, self._found("[[bots]]", entry.bot)) for entry in self.cup.bots]
        playing: list[tuple[FoundBot, EntryTable]] = []
        for form in self.cup.cup.bots:
            for bot in self._players("[cup] bots", form, self._found("[cup] bots", form)):
                exception = next((entry for entry, found in exceptions if _is_among(bot, found)), None)
                playing.append((bot, exception or EntryTable(bot=form)))
        entered = tuple(bot for bot, _ in playing)
        for entry, found in exceptions:
            if not any(_is_among(bot, entered) for bot in found):
                playing += [(bot, entry) for bot in self._players("[[bots]]", entry.bot, found)]
        playing = self._without_excluded(playing)
        house = [
            bot
            for form in self.cup.cup.house
            for bot in self._players("[cup] house", form, self._found("[cup] house", form))
        ]
        seated = [(bot, entry, Role.BOT) for bot, entry in playing]
        seated += [(bot, EntryTable(bot=bot.name), Role.HOUSE) for bot in house]
        names = labels([bot.name for bot, _, _ in seated])
        return tuple(self._entrant(label, *seat) for label, seat in zip(names, seated, strict=True))

    def anchor(self, entrants: tuple[Entrant, ...]) -> tuple[str, float] | None:
        for form, elo in self.cup.cup.anchor.items():
            found = self._found("[cup] anchor", form)
            for entrant in entrants:
                if _is_among(entrant.bot, found):
                    return entrant.label, elo
            if found:
                self.mistakes.append(f"[cup] anchor: {form} does not play; name a bot that does, or put it into house")
        return None

    def _found(self, where: str, form: str) -> tuple[FoundBot, ...]:
        try:
            return self.finder.all(form) if where == "[cup] bots" else (self.finder.one(form),)
        except HarnessError as error:
            self.mistakes += [f"{where}: {line}" for line in str(error).splitlines()]
            return ()

    def _players(self, where: str, form: str, found: tuple[FoundBot, ...]) -> list[FoundBot]:
        """Those of `found` that can play; the others are mistakes where they were named one by one."""
        game = self.cup.cup.game
        players = []
        for bot in found:
            if bot.is_retired:
                self.remarks.append(f"{bot.name} {bot.version} is retired and does not play")
            elif game in bot.manifest.bot.games:
                players.append(bot)
            elif self.finder.is_pattern(form):
                self.remarks.append(f"{bot.name} {bot.version} does not play {game} and is left out")
            elif form != SUBMITTED:
                self.mistakes.append(
                    f"{where}: {form} does not play {game}; take it out, or add the game to its bot.toml"
                )
        return players

    def _without_excluded(self, playing: list[tuple[FoundBot, EntryTable]]) -> list[tuple[FoundBot, EntryTable]]:
        for form in self.cup.cup.exclude:
            try:
                named = self.finder.all(form)
            except HarnessError:
                named = ()
            kept = [
                (bot, entry)
                for bot, entry in playing
                if form != entry.bot and not _is_called(bot, form) and not _is_among(bot, named)
            ]
            if len(kept) == len(playing):
                self.remarks.append(f"exclude: {printable(form)} fits nobody who plays")
            playing = kept
        return playing

    def _entrant(self, label: str, bot: FoundBot, entry: EntryTable, role: Role) -> Entrant:
        time = None if entry.time == TimeException() else entry.time.over(self.cup.time.control)
        return Entrant(label, bot, entry.team or bot.team, entry.rated, role, time)


def _is_among(bot: FoundBot, found: tuple[FoundBot, ...]) -> bool:
    return any((bot.name, bot.sha256) == (other.name, other.sha256) for other in found)


def _is_called(bot: FoundBot, form: str) -> bool:
    """Whether `form` is the name of `bot`, its name@version, or a pattern of either."""
    return fnmatchcase(bot.name, form) or fnmatchcase(f"{bot.name}@{bot.version}", form)
