"""Sends a message that is short on the wire and long when it is unpacked, and lives on."""

import os
import queue
import time

import grpc

from harness.wire import arena_pb2 as pb

outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play", None, pb.PlayResponse.FromString)
stream = play(iter(outbox.get, None), metadata=[("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")])
outbox.put(pb.PlayRequest(hello=pb.Hello(games=["guillotine", "zhiletka"])).SerializeToString())

try:
    for message in stream:
        for update in message.updates.updates:
            if update.HasField("request"):
                outbox.put(bytes(64 << 20))
except grpc.RpcError as error:
    print(error.code().name, flush=True)
    time.sleep(3600)
