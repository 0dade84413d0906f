"""Writes bytes to the socket that are no HTTP/2, while it plays."""

import contextlib
import os
import queue
import socket

import grpc

from harness.wire import arena_pb2 as pb

outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play", None, pb.PlayResponse.FromString)
stream = play(iter(outbox.get, None), metadata=[("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")])
outbox.put(pb.PlayRequest(hello=pb.Hello(games=["guillotine", "zhiletka"])).SerializeToString())


def answer(match_id: int, decision_id: int, action: int) -> bytes:
    decision = pb.Decision(match_id=match_id, decision_id=decision_id, action=action)
    return pb.PlayRequest(decisions=pb.DecisionBatch(decisions=[decision])).SerializeToString()


for message in stream:
    for update in message.updates.updates:
        if update.HasField("request"):
            with socket.socket(socket.AF_UNIX) as garbage:
                garbage.connect(os.environ["CARDARENA_ADDRESS"].removeprefix("unix:"))
                with contextlib.suppress(OSError):  # it may be closed in our face
                    garbage.send(
                        os.urandom(1) * 4096
                        if update.match_id % 2
                        else b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(4096)
                    )
            outbox.put(answer(update.match_id, update.request.decision_id, update.request.legal_actions[0]))
