"""Says Hello for less than no match."""

import os
import queue

import grpc

from harness.wire import arena_pb2 as pb

outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play", None, pb.PlayResponse.FromString)
stream = play(iter(outbox.get, None), metadata=[("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")])
hello = pb.Hello(games=["zhiletka"], max_match_count=-1)
outbox.put(pb.PlayRequest(hello=hello).SerializeToString())
for _ in stream:
    pass
