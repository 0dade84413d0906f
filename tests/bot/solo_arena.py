"""A gRPC server with room for one bot: says what a test scripts, or plays a match against seats that play low."""

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

from harness import deals
from harness.bot.bot import Bot
from harness.bot.view import View
from harness.faults import SeatFaulted
from harness.games.game import Action, Game
from harness.games.view import SeatView, project
from harness.match import Ask, Finished, Match, NeedDeck
from harness.wire import arena_pb2 as pb
from harness.wire import codec

TOKEN = "sesame"
Script = Callable[[Iterator[pb.PlayRequest], grpc.ServicerContext], Iterator[bytes]]


class Lowest(Bot):
    """What the other seats of `match_script` play."""

    def choose(self, view: View) -> Action:
        return view.actions[0]


@contextmanager
def arena(script: Script, *, unix: bool = True) -> Iterator[str]:
    """The address of a server whose Play stream follows `script`."""

    def play(requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext) -> Iterator[bytes]:
        if ("authorization", f"Bearer {TOKEN}") not in context.invocation_metadata():
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "no such token")
        yield from script(requests, context)

    handlers: dict[str, grpc.RpcMethodHandler[pb.PlayRequest, bytes]] = {
        "Play": grpc.stream_stream_rpc_method_handler(play, pb.PlayRequest.FromString)
    }
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("cardarena.v1.ArenaService", handlers),))
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:  # a socket's path must be short
        address = f"unix:{folder}/bot.sock" if unix else "127.0.0.1:0"
        port = server.add_insecure_port(address)
        server.start()
        try:
            yield address if unix else f"127.0.0.1:{port}"
        finally:
            server.stop(0).wait()


def match_script(
    game: Game, seat_count: int, *, seed: int, match_id: str, played: list[Match], snapshot: bool = False
) -> Script:
    """Plays one match with the bot in seat 0, dealt as `harness.local.play` deals; `played` then holds it."""

    def script(requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext) -> Iterator[bytes]:
        assert next(requests).WhichOneof("message") == "hello"
        secret = deals.secret_from_seed(seed, 1)
        match = Match(game, seat_count, deals.first_dealer(secret, "000001", seat_count))
        fold = SeatView(0, seat_count, len(game.pack))
        unsent = b""
        started = codec.started_fragment(
            5,
            game=game.name,
            rules_version=game.rules_version,
            seat=0,
            seat_count=seat_count,
            bot_seed=deals.bot_seed(secret, match_id, 0),
        )
        yield codec.welcome_message("solo", "1")
        yield codec.batch_message([started])
        told, due = match.start()
        while due is not None:
            for event in told:
                seen = event if isinstance(event, SeatFaulted) else project(event, 0)
                fold.see(seen)
                unsent += codec.seen_bytes(seen)
            match due:
                case NeedDeck(deal_index, cards):
                    told, due = match.deal(deals.deck(secret, "000001", deal_index, cards))
                case Ask(0, actions, _):
                    body = unsent + codec.request_bytes(9, actions, None)
                    body += codec.observation_bytes(fold) if snapshot else b""
                    unsent = b""
                    yield codec.batch_message([codec.update_fragment(codec.match_id_bytes(5) + body)])
                    (decision,) = next(requests).decisions.decisions
                    told, due = match.answer(0, decision.action)
                case Ask(seat, actions, _):
                    told, due = match.answer(seat, actions[0])
                case Finished(points, places):
                    due = None
                    over = codec.over_fragment(5, pb.MATCH_END_FINISHED, points, places)
                    yield codec.batch_message([codec.update_fragment(codec.match_id_bytes(5) + unsent), over])
        played.append(match)
        yield codec.goodbye_message("played")

    return script
