"""Opens its stream and says nothing."""

import os
import threading

import grpc

channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play")
stream = play(
    iter(threading.Semaphore(0).acquire, True),  # waits for ever
    metadata=[("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")],
)
for _ in stream:
    pass
