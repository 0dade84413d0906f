"""Opens streams that it may not open, calls what there is not, and plays on."""

import contextlib
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import grpc

from harness.bot import Action, Bot, View, run

PLAY = "/cardarena.v1.ArenaService/Play"
TOKEN = ("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")
TRIES = 200


class FaultBot(Bot):
    has_knocked = False

    def choose(self, view: View) -> Action:
        if not FaultBot.has_knocked:
            FaultBot.has_knocked = True
            print(*knock(), flush=True)
        return view.actions[0]


def knock() -> list[str]:
    """Tries every door that is not its own; returns what came of it."""
    address = os.environ["CARDARENA_ADDRESS"]
    with socket.socket(socket.AF_UNIX) as garbage:
        garbage.connect(address.removeprefix("unix:"))
        garbage.send(b"GET / HTTP/1.1\r\n\r\n" + bytes(4096))
    tries = [
        (PLAY, [TOKEN]),
        (PLAY, [("authorization", "Bearer another")]),
        (PLAY, []),
        (PLAY, [("authorization", "x" * 100_000)]),
        ("/cardarena.v1.ArenaService/Stop", [TOKEN]),
        ("/grpc.health.v1.Health/Check", [TOKEN]),
    ]
    with grpc.insecure_channel(address) as channel, ThreadPoolExecutor() as pool:
        return list(pool.map(lambda one: status(channel, *one), tries * 5))


def status(channel: grpc.Channel, method: str, metadata: list[tuple[str, str]]) -> str:
    """Name of the status that the call ends with, once somebody has looked at it.

    A connection has four streams, and one counts until the server has put its call away. What comes before that is
    refused unseen (RST_STREAM, REFUSED_STREAM; here UNAVAILABLE), and may be sent again (RFC 9113, 8.7).
    """
    name = ""
    for _ in range(TRIES):
        call = channel.stream_stream(method)(iter([b""]), metadata=metadata, timeout=20)
        with contextlib.suppress(grpc.RpcError):
            list(call)
        name = str(call.code().name)
        if name != "UNAVAILABLE":
            break
        time.sleep(0.02)
    return name


run(FaultBot)
