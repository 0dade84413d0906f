"""Sends more in its messages than the protocol knows: those of a later version of it do."""

import os
import queue

import grpc

from harness.wire import arena_pb2 as pb

outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play", None, pb.PlayResponse.FromString)
stream = play(iter(outbox.get, None), metadata=[("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")])
outbox.put(pb.PlayRequest(hello=pb.Hello(games=["guillotine", "zhiletka"])).SerializeToString())
UNKNOWN = b"\xfa\x3f\x05later"  # field 1023


def answer(match_id: int, decision_id: int, action: int) -> bytes:
    decision = pb.Decision(match_id=match_id, decision_id=decision_id, action=action)
    return pb.PlayRequest(decisions=pb.DecisionBatch(decisions=[decision])).SerializeToString()


for message in stream:
    for update in message.updates.updates:
        if update.HasField("request"):
            known = answer(update.match_id, update.request.decision_id, update.request.legal_actions[0])
            outbox.put(known + UNKNOWN)
