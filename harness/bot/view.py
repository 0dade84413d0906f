"""What a bot sees of a match: the same words in every game, in events and in snapshot mode."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from harness.bot.chance import SplitMix64
from harness.bot.inference import next_holder, possible_cards
from harness.cards import SUIT_MASKS, Card, CardSet, Suit, card_name, cards_in, set_of, suit_of
from harness.faults import SeatFaulted
from harness.games.game import CONTRACT_NAMES, CONTRACTS, DOMINO, END, PASS, TAKE, Acted, Action, OptionValue, Seat
from harness.games.game import Taken as TakenEvent
from harness.games.game import action_cards as cards_of_action
from harness.games.view import SeatView, Seen

if TYPE_CHECKING:
    from harness.wire import arena_pb2 as pb  # a bot that plays in process needs no protobuf

NOTE_BYTES = 200
"""As much of a decision's note as is kept, in UTF-8."""


class MatchInfo(NamedTuple):
    """What stands from the start of a match to its end."""

    match_id: int
    """Tells the matches of this process apart; says nothing else."""
    game: str
    rules_version: str
    options: Mapping[str, OptionValue]
    seat: Seat
    seat_count: int
    pack: tuple[Card, ...]
    bot_seed: int
    bank_s: float | None
    increment_s: float


class Result(NamedTuple):
    """How a match ended. Lists are by seat; `places` from 1, equal ones are ties."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    canceled: bool
    """Given up by the harness: counts for nothing."""


class Trick(NamedTuple):
    """A trick that was won: who laid which card, in order, and who took them."""

    plays: tuple[tuple[Seat, Card], ...]
    winner: Seat


class News(Protocol):
    """Events received and not read yet."""

    def __len__(self) -> int:
        """Not 0 while there is something to read."""

    def pour(self, fold: SeatView) -> None:
        """Moves everything into `fold`."""


class View:
    """What one seat knows, at the moment when its bot is called.

    One object lasts for a match and is brought up to date before each call (in snapshot mode each
    `choose` gets a new one). Nothing is worked out before it is looked at: a bot that reads only
    `actions` and `random` pays for nothing else. Cards are ints (see `harness.cards`); collections
    of cards are tuples in ascending order; "by seat" means one entry for each seat, from seat 0.

    A bot that counts in bits finds the same knowledge as sets in `fold`.
    """

    __slots__ = ("_fold", "_info", "_news", "_note", "_random", "_request", "actions", "result")

    actions: tuple[Action, ...]
    """Legal actions, ascending; `choose` returns one of them. Empty outside `choose`."""
    result: Result | None
    """How the match ended; None before `on_over`."""

    def __init__(self, info: MatchInfo, news: News, random: SplitMix64 | None = None) -> None:
        """For those who run bots: `news` is read when something asks for it."""
        self._info = info
        self._news = news
        self._fold: SeatView | None = None
        self._random = random
        self._request: pb.DecisionRequest | None = None
        self._note = ""
        self.actions = ()
        self.result = None

    # The match ------------------------------------------------------------------------------------

    @property
    def info(self) -> MatchInfo:
        """What stands from the start of the match to its end."""
        return self._info

    @property
    def game(self) -> str:
        """Name of the game: `guillotine` or `zhiletka`."""
        return self._info.game

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Rule options that differ from the defaults: `view.options.get("ace_bonus", "all")`."""
        return self._info.options

    @property
    def seat(self) -> Seat:
        """The bot's own seat."""
        return self._info.seat

    @property
    def seat_count(self) -> int:
        """Seats at the table."""
        return self._info.seat_count

    @property
    def pack(self) -> tuple[Card, ...]:
        """Every card of the game."""
        return self._info.pack

    @property
    def clock_s(self) -> float | None:
        """Thinking time left in this match when `choose` was asked; None where there is no limit."""
        request = self._request
        if request is None or not request.HasField("clock"):
            return None
        return request.clock.seconds + request.clock.nanos / 1e9

    @property
    def random(self) -> SplitMix64:
        """Chance for this bot in this match: one stream, seeded by the harness, so that a match can be played again."""
        if self._random is None:
            self._random = SplitMix64(self._info.bot_seed)
        return self._random

    def note(self, text: str) -> None:
        """Keeps `text` beside this decision, for the author's own eyes: 200 bytes. Several are joined by a space."""
        self._note = f"{self._note} {text}" if self._note else text

    # What the seat knows --------------------------------------------------------------------------

    @property
    def fold(self) -> SeatView:
        """All that the seat knows, with sets of cards as bits. To be read, not changed."""
        if self._fold is None:
            info = self._info
            self._fold = SeatView(info.seat, info.seat_count, len(info.pack))
        if len(self._news):
            self._news.pour(self._fold)
        return self._fold

    @property
    def deal_index(self) -> int:
        """Number of the deal, from 0."""
        return self.fold.deal_index

    @property
    def dealer(self) -> Seat:
        """Who dealt, and in Guillotine announces the contract."""
        return self.fold.dealer

    @property
    def hand(self) -> tuple[Card, ...]:
        """The seat's own cards."""
        return cards_in(self.fold.hand)

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self.fold.hand_counts)

    @property
    def stock_count(self) -> int:
        """Cards left to draw, the upcard under them included."""
        return self.fold.stock_count

    @property
    def upcards(self) -> tuple[Card, ...]:
        """Cards turned face up at the deal, also after somebody drew them."""
        return cards_in(self.fold.upcards)

    @property
    def trumps(self) -> Suit | None:
        """The suit of the upcard; None in a game without trumps."""
        upcards = self.fold.upcards
        return suit_of(upcards.bit_length() - 1) if upcards else None

    @property
    def table(self) -> tuple[tuple[Seat, Card], ...]:
        """Who laid which card, in order: the trick under way, the domino layout, the attack to answer."""
        return tuple(self.fold.table)

    @property
    def trick(self) -> tuple[tuple[Seat, Card], ...]:
        """Guillotine: the trick under way; empty when the seat is to lead, and in Domino."""
        fold = self.fold
        return () if fold.contract in (None, DOMINO) else tuple(fold.table)

    @property
    def led(self) -> Suit | None:
        """Guillotine: the suit led to the trick under way; None when there is none."""
        trick = self.trick
        return suit_of(trick[0][1]) if trick else None

    @property
    def attack(self) -> tuple[Card, ...]:
        """Zhiletka: the cards to beat, lower card number first, as `cover` names them; empty when the seat attacks."""
        return tuple(card for _, card in self.fold.table) if self._info.game == "zhiletka" else ()

    @property
    def defender(self) -> Seat | None:
        """Zhiletka: the seat that has to beat the attack, or that an attack would go to (Z4.2); None in Guillotine."""
        if self._info.game != "zhiletka":
            return None
        fold = self.fold
        attacker = fold.table[0][0] if fold.table else fold.seat
        return next_holder(attacker, fold.hand_counts)

    @property
    def contract(self) -> Action | None:
        """Guillotine: what the dealer announced for this deal, ROYALTY to DOMINO; None before that."""
        return self.fold.contract

    @property
    def contracts(self) -> tuple[tuple[Action, ...], ...]:
        """Guillotine: the contracts that each seat has announced so far, ascending, by seat."""
        return tuple(tuple(sorted(contracts)) for contracts in self.fold.contracts)

    @property
    def taken(self) -> tuple[tuple[Card, ...], ...]:
        """Guillotine: the cards of the tricks that each seat won in this deal, by seat."""
        return tuple(cards_in(cards) for cards in self.fold.taken)

    @property
    def known(self) -> tuple[tuple[Card, ...], ...]:
        """Cards that each other seat is known to hold, since it picked them up or showed them, by seat."""
        return tuple(cards_in(cards) for cards in self.fold.known)

    @property
    def gone(self) -> tuple[Card, ...]:
        """Cards seen to leave the game: beaten attacks with their covers."""
        return cards_in(self.fold.gone)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """Cards of the pack that the seat has not seen in this deal: in other hands, in the stock, or gone unseen."""
        unseen = self.fold.unseen
        return tuple(card for card in self._info.pack if unseen >> card & 1)

    @property
    def unseen_set(self) -> CardSet:
        """The same as a set of bits."""
        return self.fold.unseen & set_of(self._info.pack)

    @property
    def possible(self) -> tuple[CardSet, ...]:
        """The cards that each seat may hold as far as this one knows: sets of bits, by seat; its own are its hand."""
        return possible_cards(self.fold, self.unseen_set)

    @property
    def voids(self) -> tuple[tuple[Suit, ...], ...]:
        """The suits of which each seat is known to hold no card, by seat: it did not follow, or they lie elsewhere."""
        return tuple(tuple(suit for suit, mask in enumerate(SUIT_MASKS) if not cards & mask) for cards in self.possible)

    @property
    def out(self) -> tuple[Seat, ...]:
        """Seats out of this deal, in order."""
        return tuple(self.fold.out)

    @property
    def points(self) -> tuple[int, ...]:
        """Points so far, by seat: Guillotine's, of which few are good; Zhiletka's net chips."""
        return tuple(self.fold.points)

    @property
    def pot(self) -> int:
        """Chips in the pot."""
        return self.fold.pot

    @property
    def faulted(self) -> tuple[Seat, ...]:
        """Seats at fault, in order: the house plays for them, the lowest legal action each time."""
        return tuple(fault.seat for fault in self.fold.faulted)

    @property
    def history(self) -> tuple[Seen | SeatFaulted, ...]:
        """All that the seat saw of this deal, in order, `HandDealt` first."""
        return tuple(self.fold.deal_events)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Guillotine: the tricks won in this deal, in order."""
        tricks = []
        plays: list[tuple[Seat, Card]] = []
        for event in self.fold.deal_events:
            if type(event) is Acted:
                plays += [(event.seat, card) for card in cards_of_action(event.action)]
            elif type(event) is TakenEvent:
                tricks.append(Trick(tuple(plays), event.seat))
                plays = []
        return tuple(tricks)

    # Texts ----------------------------------------------------------------------------------------

    def name(self, action: Action) -> str:
        """Text of a legal action, as match records write it: `contract:royalty`, `play:QS`, `attack:7S+9S`, `take`."""
        if action in CONTRACTS:
            return f"contract:{CONTRACT_NAMES[CONTRACTS.index(action)]}"
        if action in _NAMED:
            return _NAMED[action]
        verb = "play" if self._info.game == "guillotine" else "cover" if self.fold.table else "attack"
        return f"{verb}:{'+'.join(card_name(card) for card in cards_of_action(action))}"

    def card_names(self, cards: Iterable[Card]) -> str:
        """Notation of `cards`, in their order, a space between: `7C QS`."""
        return " ".join(card_name(card) for card in cards)

    def __repr__(self) -> str:
        fold = self.fold
        hand = self.card_names(cards_in(fold.hand)) or "no cards"
        return f"<View of {self.game}: seat {self.seat}, deal {fold.deal_index}, {hand}>"


_NAMED = {PASS: "pass", END: "end", TAKE: "take"}


class Snapshot:
    """News that hold everything: the events of the deal under way and what earlier deals left behind."""

    __slots__ = ("_unread", "contracts", "events", "points", "pot")

    def __init__(
        self,
        events: Iterable[Seen | SeatFaulted],
        points: Sequence[int],
        pot: int,
        contracts: Iterable[tuple[Seat, Action]],
    ) -> None:
        self.events = events
        self.points = points
        self.pot = pot
        self.contracts = contracts
        self._unread = 1

    @classmethod
    def of(cls, fold: SeatView) -> "Snapshot":
        """All that `fold` holds at this moment."""
        contracts = [(seat, contract) for seat, announced in enumerate(fold.contracts) for contract in announced]
        return cls(tuple(fold.snapshot_events), tuple(fold.points), fold.pot, contracts)

    def __len__(self) -> int:
        return self._unread

    def pour(self, fold: SeatView) -> None:
        """Fills a new `fold`."""
        self._unread = 0
        for event in self.events:
            fold.see(event)
        fold.points = list(self.points)
        fold.pot = self.pot
        fold.contracts = [[] for _ in range(fold.seat_count)]
        for seat, contract in self.contracts:
            fold.contracts[seat].append(contract)


def frozen(options: Mapping[str, OptionValue]) -> Mapping[str, OptionValue]:
    """A read-only copy of `options`."""
    return MappingProxyType(dict(options))


def clipped(note: str) -> str:
    """As much of `note` as is kept, cut between characters."""
    raw = note.encode("utf-8", "replace")
    return raw[:NOTE_BYTES].decode("utf-8", "ignore")
