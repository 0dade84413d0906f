"""Opens as many connections as it may have files, and lets them idle."""

import os
import socket

from harness.bot import Action, Bot, View, run

SOCKET = os.environ["CARDARENA_ADDRESS"].removeprefix("unix:")
TRIED = 160
connections: list[socket.socket] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not connections:
            connect()
        return view.actions[0]


def connect() -> None:
    """Half of them send a part of what begins a stream."""
    try:
        for number in range(TRIED):
            connections.append(socket.socket(socket.AF_UNIX))
            connections[-1].connect(SOCKET)
            if number % 2:
                connections[-1].send(b"PRI * HTTP/2.0\r\n")
    except OSError as error:
        print(f"{len(connections)} connections: {error}", flush=True)
    for connection in connections[-16:]:  # some are needed to go on
        connection.close()


run(FaultBot)
