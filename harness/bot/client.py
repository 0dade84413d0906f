"""A bot's side of the wire: one stream to the harness, for as long as it lasts.

gRPC's sync client sends what a request generator yields, and pulls it in a thread of its own. That
generator is the bot's whole loop: it reads a message, lets the bot choose, and yields the answers.
So a message costs one change of threads less than with a queue between two loops (about 70 us of
300 at one decision a message); the main thread only waits for the end.
"""

import os
import sys
import threading
from collections.abc import Iterator

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # read by grpc when it is imported

import grpc

from harness.bot.bot import Bot, load_once
from harness.bot.stream import BotRaised, BotStream
from harness.wire import arena_pb2 as pb

PLAY = "/cardarena.v1.ArenaService/Play"
_OPTIONS = (("grpc.enable_http_proxy", 0),)

_MENDS = {
    grpc.StatusCode.UNAUTHENTICATED: "is CARDARENA_TOKEN the one that this harness gave out?",
    grpc.StatusCode.ALREADY_EXISTS: "another process plays with this token; stop it first",
    grpc.StatusCode.FAILED_PRECONDITION: "do the bot's `games` name one that is played here?",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "the harness has no place left, or a message was too long",
    grpc.StatusCode.INVALID_ARGUMENT: "the harness could not read a message: is this SDK the version of that harness?",
    grpc.StatusCode.UNAVAILABLE: "is the harness running, and does CARDARENA_ADDRESS lead to it?",
}

FLUSH_S = 0.25
"""What was answered before the end has so long to get out: cancelling the call would drop it."""


def play_until_goodbye(bot_class: type[Bot], stream: BotStream | None = None) -> str | None:
    """Plays until the stream ends. None after an orderly end, else what to tell the author.

    `stream`: what answers the messages, where it is not a plain `BotStream` of that class.
    """
    address = os.environ.get("CARDARENA_ADDRESS", "")
    token = os.environ.get("CARDARENA_TOKEN", "")
    if not address:
        return (
            "CARDARENA_ADDRESS is not set: the harness starts a bot and sets it. "
            "Try `cardarena match guillotine FOLDER` with the bot's folder"
        )
    with grpc.insecure_channel(address, _OPTIONS) as channel:
        return _Conversation(bot_class, stream or BotStream(bot_class), channel, address, token).outcome()


class _Conversation:
    def __init__(
        self, bot_class: type[Bot], stream: BotStream, channel: grpc.Channel, address: str, token: str
    ) -> None:
        self._bot_class = bot_class
        self._address = address
        self._stream = stream
        self._failure: str | None = None
        self._error: BaseException | None = None
        self._opened = threading.Event()
        self._done = threading.Event()
        play: grpc.StreamStreamMultiCallable[pb.PlayRequest, pb.PlayResponse] = channel.stream_stream(
            PLAY, pb.PlayRequest.SerializeToString, pb.PlayResponse.FromString
        )
        self._call = play(self._requests(), metadata=(("authorization", f"Bearer {token}"),))
        self._over = threading.Event()
        if not self._call.add_callback(self._over.set):
            self._over.set()  # it has ended already
        self._opened.set()

    def outcome(self) -> str | None:
        """Waits for the end, in the main thread, where Ctrl-C arrives."""
        try:
            self._done.wait()
        except KeyboardInterrupt:
            sys.exit(130)
        else:
            self._over.wait(FLUSH_S)
        finally:
            self._call.cancel()
        if self._error is not None:
            raise self._error
        return self._failure

    def _requests(self) -> Iterator[pb.PlayRequest]:
        self._opened.wait()
        try:
            load_once(self._bot_class)
            yield self._stream.hello()
            for message in self._call:
                yield from self._stream.answers_to(message)
                if self._stream.ended:
                    break
        except BotRaised as raised:
            self._failure = str(raised)
        except (grpc.RpcError, GeneratorExit):  # gRPC drops the generator where it cannot send what was yielded
            self._failure = self._status()
        except BaseException as error:  # handed to the main thread, which raises it: here gRPC would swallow it
            self._error = error
        finally:
            self._done.set()

    def _status(self) -> str | None:
        """What the status of the ended call means to the author; None where all is well."""
        code = self._call.code()
        if code is grpc.StatusCode.OK:
            return None
        details = " ".join((self._call.details() or "no details").split())
        mend = _MENDS.get(code)
        return f"{self._address}: {code.name}: {details}" + (f" ({mend})" if mend else "")
