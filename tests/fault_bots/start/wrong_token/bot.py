"""Dials with a token that is not its own, and goes on trying."""

import os
import time

import grpc

channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play")
while True:
    try:
        for _ in play(iter([b""]), metadata=[("authorization", "Bearer guessed")]):
            pass
    except grpc.RpcError:
        time.sleep(0.05)
