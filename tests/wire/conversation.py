"""The conversation that protos/README.md shows, held again: `python -m tests.wire.conversation` prints it.

The referee, the session and the codec are the harness's own; the bot is `raw-stub`'s way of play, and the other seat
plays its lowest action.
"""

from collections.abc import Iterator

from google.protobuf import text_format
from google.protobuf.message import Message

from harness import deals, games
from harness.bot.bot import Bot
from harness.bot.chance import SplitMix64
from harness.bot.stream import BotStream
from harness.bot.view import View
from harness.games.game import Action
from harness.games.view import project
from harness.match import Ask, Finished, Match, NeedDeck, TimeControl
from harness.reports import Answer
from harness.session import Session
from harness.wire import arena_pb2 as pb
from harness.wire import codec

SEED = 164
LINE_CHARS = 110
BOT_SEAT = 1
THINKING_NS = 250_000
TIME = TimeControl(bank_ns=20_000_000_000, increment_ns=50_000_000, decision_ns=5_000_000_000)


class Chatty(Bot):
    """Plays at random and says so once."""

    games = ("zhiletka",)
    max_matches = 64
    version = "1.0.0"

    def choose(self, view: View) -> Action:
        """Any legal action."""
        if not view.table and view.deal_index == 0:
            view.note(f"one of {len(view.actions)}")
        return view.random.choice(view.actions)


def as_text(message: Message) -> str:
    """`message` in protobuf's text format, each part on one line where it fits."""
    return "\n".join(_lines(message, ""))


def _lines(message: Message, indent: str) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.message_type is None:
            alone = type(message)()
            alone.MergeFrom(message)
            for other, _ in message.ListFields():
                if other.number != field.number:
                    alone.ClearField(other.name)
            yield indent + _on_one_line(alone)
            continue
        for part in [value] if isinstance(value, Message) else value:
            short = _on_one_line(part)
            line = f"{indent}{field.name} {{ {short} }}"
            if len(line) <= LINE_CHARS and "events" not in short:
                yield line
            else:
                yield f"{indent}{field.name} {{"
                yield from _lines(part, indent + "  ")
                yield f"{indent}}}"


def _on_one_line(message: Message) -> str:
    return text_format.MessageToString(message, as_one_line=True, use_short_repeated_primitives=True).strip()


def conversation() -> Iterator[tuple[str, str]]:
    """Each message in order: who says it, and its text."""
    ids = SplitMix64(SEED)
    session = Session(iter(lambda: ids.next() >> 1, None), TIME.decision_ns)
    bot = BotStream(Chatty)
    now_ns = 0
    hello = bot.hello()
    yield "bot", as_text(hello)
    session.receive(hello.SerializeToString(), now_ns)
    session.welcome("raw-stub", "raw-stub/1")

    game = games.game("zhiletka", {"hands_per_seat": 1})
    secret = deals.secret_from_seed(SEED, 1)
    match = Match(game, 2, 0, (TIME, TIME))
    started = codec.started_fragment(
        1,
        game=game.name,
        rules_version=game.rules_version,
        seat=BOT_SEAT,
        seat_count=2,
        bot_seed=deals.bot_seed(secret, "readme/1/000001", BOT_SEAT),
        options=game.options,
        bank_ns=TIME.bank_ns,
        increment_ns=TIME.increment_ns,
        silence_ns=TIME.decision_ns,
    )
    seating = session.start(1, started)
    told, due = match.start()
    said_goodbye = False
    while True:
        while (raw := session.to_send(now_ns)) is not None:
            message = pb.PlayResponse.FromString(raw)
            yield "harness", as_text(message)
            now_ns += THINKING_NS
            for answer in bot.answers_to(message):
                yield "bot", as_text(answer)
                (report,) = session.receive(answer.SerializeToString(), now_ns)
                assert isinstance(report, Answer)
                told, due = match.answer(BOT_SEAT, report.action, report.spent_ns)
        if said_goodbye:
            return
        for event in told:
            seating.unsent.append(codec.seen_bytes(project(event, BOT_SEAT)))  # type: ignore[arg-type]  # nobody is at fault here
        match due:
            case NeedDeck(deal_index, cards):
                told, due = match.deal(deals.deck(secret, "000001", deal_index, cards))
            case Ask(seat, actions, bank_ns) if seat == BOT_SEAT:
                session.ask(seating, actions, bank_ns, now_ns)
                told, due = (), None
            case Ask(seat, actions, _):
                told, due = match.answer(seat, actions[0])
            case Finished(points, places):
                session.over(seating, pb.MATCH_END_FINISHED, points, places)
                session.goodbye("the round is over")
                said_goodbye = True


if __name__ == "__main__":
    for speaker, text in conversation():
        print(f"```text\n# {speaker}\n{text}\n```\n")
