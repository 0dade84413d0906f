"""Opens stream after stream beside its own, many at a time."""

import os
from concurrent.futures import ThreadPoolExecutor

import grpc

from harness.bot import Action, Bot, View, run

PLAY = "/cardarena.v1.ArenaService/Play"
TOKEN = ("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")
answers: list[str] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not answers:
            open_many()
        return view.actions[0]


def open_many() -> None:
    """Each is refused: the token is in use."""
    with grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"]) as channel, ThreadPoolExecutor(16) as pool:
        play = channel.stream_stream(PLAY)
        answers.extend(pool.map(lambda _: status(play(iter([b""]), metadata=[TOKEN], timeout=20)), range(200)))
    print(*sorted(set(answers)), flush=True)


def status(call: grpc.Call) -> str:
    """Name of the status that the call ends with."""
    try:
        for _ in call:
            pass
    except grpc.RpcError:
        pass
    return str(call.code().name)


run(FaultBot)
