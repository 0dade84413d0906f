"""A match played with bots' streams in memory: everything that crosses is bytes of the protocol, as over gRPC."""

from collections.abc import Callable, Sequence

from harness import deals
from harness.bot.bot import Bot
from harness.bot.stream import BotStream
from harness.faults import SeatFaulted
from harness.games.game import Game, Seat
from harness.games.view import SeatView, project
from harness.match import Ask, Finished, Match, NeedDeck
from harness.record import MatchRecord, SeatEntry, record_of
from harness.wire import arena_pb2 as pb
from harness.wire import codec

MATCH_ID = 77
Listener = Callable[[Seat, bytes], None]


def play_over_wire(
    game: Game, bots: Sequence[type[Bot]], *, seed: int, match_id: str, listen: Listener = lambda seat, raw: None
) -> MatchRecord:
    """The record of a match dealt as `harness.local.play` deals. `listen` hears what each seat is sent."""
    secret = deals.secret_from_seed(seed, 1)
    match = Match(game, len(bots), deals.first_dealer(secret, "000001", len(bots)))
    streams = [BotStream(bot) for bot in bots]
    folds = [SeatView(seat, len(bots), len(game.pack)) for seat in range(len(bots))]
    unsent: list[list[bytes]] = [[] for _ in bots]

    def send(seat: Seat, *fragments: bytes) -> list[pb.Decision]:
        raw = codec.batch_message(fragments)
        listen(seat, raw)
        answers = [
            pb.PlayRequest.FromString(answer.SerializeToString())
            for answer in streams[seat].answers_to(pb.PlayResponse.FromString(raw))
        ]
        return [decision for answer in answers for decision in answer.decisions.decisions]

    for seat in range(len(bots)):
        started = codec.started_fragment(
            MATCH_ID,
            game=game.name,
            rules_version=game.rules_version,
            seat=seat,
            seat_count=len(bots),
            bot_seed=deals.bot_seed(secret, match_id, seat),
            options=game.options,
        )
        send(seat, started)
    told, due = match.start()
    while due is not None:
        for seat, fold in enumerate(folds):
            seen = [event if isinstance(event, SeatFaulted) else project(event, seat) for event in told]
            for event in seen:
                fold.see(event)
            unsent[seat] += [codec.seen_bytes(event) for event in seen]
        match due:
            case NeedDeck(deal_index, cards):
                told, due = match.deal(deals.deck(secret, "000001", deal_index, cards))
            case Ask(seat, actions, bank_ns):
                body = b"".join(unsent[seat]) + codec.request_bytes(2**63 - 1, actions, bank_ns)
                if bots[seat].snapshot:
                    body += codec.observation_bytes(folds[seat])
                unsent[seat] = []
                (decision,) = send(seat, codec.update_fragment(codec.match_id_bytes(MATCH_ID) + body))
                assert (decision.match_id, decision.decision_id) == (MATCH_ID, 2**63 - 1)
                told, due = match.answer(seat, decision.action)
            case Finished(points, places):
                due = None
                over = codec.over_fragment(MATCH_ID, pb.MATCH_END_FINISHED, points, places)
                for seat in range(len(bots)):
                    send(seat, codec.update_fragment(codec.match_id_bytes(MATCH_ID) + b"".join(unsent[seat])), over)
    entries = [SeatEntry(bot.__name__, bot.version, "") for bot in bots]
    return record_of(match, match_id=match_id, seats=entries)
