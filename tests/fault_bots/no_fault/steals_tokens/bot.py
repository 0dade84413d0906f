"""Looks for tokens of other bots and dials in with them."""

import json
import os
import time
from pathlib import Path

import grpc

from harness.bot import Action, Bot, View, run

BAIT = json.loads(os.environ["CARDARENA_TRIAL"])
"""What the harness has laid out to be found."""
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            time.sleep(3)  # until all others have dialled: a token that nobody has used is as good as its owner
            look_around()
        return view.actions[0]


MARK = b"CARDARENA_TOKEN="


def tokens() -> set[str]:
    """Tokens in the environments of all processes that it may look into, but for its own."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        found |= {word.removeprefix(MARK).decode() for word in words if word.startswith(MARK)}
    return found - {os.environ["CARDARENA_TOKEN"]}


def find() -> None:
    if not tokens():
        raise FileNotFoundError("no token but its own")


def dial() -> None:
    stolen = [*tokens(), os.environ["CARDARENA_TOKEN"][::-1], BAIT["secret"], ""]
    with grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"]) as channel:
        play = channel.stream_stream("/cardarena.v1.ArenaService/Play")
        for token in stolen:
            try:
                for _ in play(iter([b""]), metadata=[("authorization", f"Bearer {token}")], timeout=10):
                    return
            except grpc.RpcError as error:
                print(error.code().name, flush=True)
    raise PermissionError("nobody was let in")


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("a token of another bot", find),
        ("a stream of another bot", dial),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
