"""Says Hello with a version of 100,000 characters."""

import os
import queue

import grpc

from harness.wire import arena_pb2 as pb

outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play", None, pb.PlayResponse.FromString)
stream = play(iter(outbox.get, None), metadata=[("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")])
hello = pb.Hello(games=["zhiletka"], bot_version="1" * 100_000)
outbox.put(pb.PlayRequest(hello=hello).SerializeToString())
for _ in stream:
    pass
