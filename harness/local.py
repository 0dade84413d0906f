"""Plays matches in this process with `Bot` classes and the same referee: for training, debugging and tests.

There are no processes, no gRPC and no clock. A bot gets the same views and makes the same choices
as over the wire; what it raises reaches the caller.
"""

import importlib.util
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from harness import deals, games
from harness.bot.bot import Bot, FaultNotice, check_bot_class, checked_action, load_once
from harness.bot.view import MatchInfo, Result, Snapshot, View, frozen
from harness.faults import Fault, FaultKind, SeatFaulted
from harness.games.game import Action, Event, Game, OptionValue, Seat
from harness.games.view import SeatView, project
from harness.match import Ask, Effects, Finished, Match, NeedDeck
from harness.record import MatchRecord, SeatEntry, record_of

LOCAL_MATCH = "local/1/000001"
LOCAL_BLOCK = "000001"
SAMPLE_BOTS = Path(__file__).parents[1] / "sample_bots"


def play(
    game: str | Game,
    bots: Sequence[type[Bot]],
    *,
    seed: int,
    first_dealer: Seat | None = None,
    options: Mapping[str, OptionValue] | None = None,
    match_id: str = LOCAL_MATCH,
    catch_faults: bool = False,
) -> MatchRecord:
    """Plays one match, `bots[i]` in seat i, and returns its record.

    All chance comes from `seed`: decks, the first dealer where none is given, and with `match_id`
    the seeds of the bots. The same arguments give the same record where the bots are deterministic.

    An illegal action is a fault of its seat: the house plays on for it, as in any match. What a bot
    raises is let through; with `catch_faults` it is the fault `crashed` of its seat.

    ValueError for an unknown game or option, or a number of bots that the game does not seat.
    """
    for bot_class in bots:
        check_bot_class(bot_class)
    if isinstance(game, str):
        game = games.game(game, options)
    elif options is not None:
        raise ValueError("options come with the name of a game; this game has its own")
    secret = deals.secret_from_seed(seed, 1)
    if first_dealer is None:
        first_dealer = deals.first_dealer(secret, LOCAL_BLOCK, len(bots))
    match = Match(game, len(bots), first_dealer)
    bot_seeds = [deals.bot_seed(secret, match_id, seat) for seat in range(len(bots))]
    table = _Table(match, bots, bot_seeds, catch_faults=catch_faults)
    effects: Effects | None = match.start()
    while effects is not None:
        effects = table.carry_out(effects, secret)
    return record_of(match, match_id=match_id, seats=_entries(bots))


def load(form: str | Path) -> type[Bot]:
    """The bot class in `bot.py` of a folder, or of a sample bot (`sample:sharp`), to play with in this process.

    The file is run here, with no sandbox around it, and finds the files beside it while it is read. ValueError
    unless it defines one class derived from `Bot`.
    """
    is_sample = isinstance(form, str) and form.startswith("sample:")
    folder = SAMPLE_BOTS / str(form).removeprefix("sample:") if is_sample else Path(form).resolve()
    name = f"bot_in_{sha256(str(folder).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, folder / "bot.py")
    if spec is None or spec.loader is None or not (folder / "bot.py").is_file():
        raise ValueError(f"{form}: there is no bot.py in {folder}")
    module = importlib.util.module_from_spec(spec)
    before = set(sys.modules)
    sys.modules[name] = module
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
        for other in set(sys.modules) - before - {name}:  # two bots may call their files alike
            if Path(getattr(sys.modules[other], "__file__", None) or "/").parent == folder:
                del sys.modules[other]
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == name
    ]
    if len(found) != 1:
        raise ValueError(f"{folder / 'bot.py'}: one class derived from Bot is wanted, not {len(found)}")
    return found[0]


class _Unread(list[tuple[Event | SeatFaulted, ...]]):
    """News of one seat, projected when they are read."""

    __slots__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat

    def pour(self, fold: SeatView) -> None:
        for events in self:
            for event in events:
                fold.see(event if isinstance(event, SeatFaulted) else project(event, self.seat))
        self.clear()


class _LocalSeat:
    """One seat: the author's object and what it sees."""

    def __init__(self, bot_class: type[Bot], info: MatchInfo) -> None:
        load_once(bot_class)
        self.news = _Unread(info.seat)
        self.lasting = View(info, self.news)
        self.bot = bot_class()
        self.bot.on_start(self.lasting)

    def view(self) -> View:
        """The view to choose with."""
        if not self.bot.snapshot:
            return self.lasting
        return View(self.lasting.info, Snapshot.of(self.lasting.fold), self.lasting.random)

    def choose(self, actions: tuple[Action, ...]) -> Action:
        view = self.view()
        view.actions = actions
        action = self.bot.choose(view)
        if type(action) is not int:
            action = checked_action(action)
        view.actions = ()
        view._note = ""
        return action

    def over(self, result: Result) -> None:
        view = self.view()
        view.result = result
        self.bot.on_over(view)


class _Table:
    def __init__(
        self, match: Match, bots: Sequence[type[Bot]], bot_seeds: Sequence[int], *, catch_faults: bool
    ) -> None:
        self.match = match
        self.catch_faults = catch_faults
        game = match.game
        options = frozen(dict(game.options))
        self.seats: dict[Seat, _LocalSeat] = {}
        """Seats not at fault."""
        for seat, bot_class in enumerate(bots):
            info = MatchInfo(
                match_id=1,
                game=game.name,
                rules_version=game.rules_version,
                options=options,
                seat=seat,
                seat_count=len(bots),
                pack=game.pack,
                bot_seed=bot_seeds[seat],
                bank_s=None,
                increment_s=0.0,
            )
            self.seats[seat] = _LocalSeat(bot_class, info)

    def carry_out(self, effects: Effects, secret: bytes) -> Effects | None:
        """Does what the referee asks for; its next effects come back, None at the end of the match."""
        told, due = effects
        if told:
            for place in self.seats.values():
                place.news.append(told)
        match due:
            case Ask(seat, actions, _):
                return self._ask(seat, actions)
            case NeedDeck(deal_index, cards):
                return self.match.deal(deals.deck(secret, LOCAL_BLOCK, deal_index, cards))
            case Finished(points, places):
                for place in self.seats.values():
                    place.over(Result(points, places, canceled=False))
        return None

    def _ask(self, seat: Seat, actions: tuple[Action, ...]) -> Effects:
        place = self.seats[seat]
        try:
            action = place.choose(actions)
        except Exception as error:  # whatever an author's code raises; let through unless the caller wants a fault
            if not self.catch_faults:
                raise
            del self.seats[seat]
            return self.match.fault(
                seat, Fault(FaultKind.CRASHED, " ".join(f"{type(error).__name__}: {error}".split()))
            )
        effects = self.match.answer(seat, action)
        if self.match.is_faulted(seat):
            del self.seats[seat]
            fault = self.match.faults[-1].fault
            place.bot.on_fault(place.lasting, FaultNotice(fault.kind, fault.detail))
        return effects


def _entries(bots: Sequence[type[Bot]]) -> list[SeatEntry]:
    """Names by class; the second of a class is `#2`, as in a cup."""
    seen: Counter[str] = Counter()
    entries = []
    for bot_class in bots:
        name = bot_class.__name__
        seen[name] += 1
        entries.append(SeatEntry(name if seen[name] == 1 else f"{name}#{seen[name]}", bot_class.version, ""))
    return entries
