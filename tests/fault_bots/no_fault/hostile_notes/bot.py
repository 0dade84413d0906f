"""Says Hello with, and adds to its answers, what no terminal and no page should show as it is."""

import os
import queue

import grpc

from harness.wire import arena_pb2 as pb

outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
channel = grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"])
play = channel.stream_stream("/cardarena.v1.ArenaService/Play", None, pb.PlayResponse.FromString)
stream = play(iter(outbox.get, None), metadata=[("authorization", f"Bearer {os.environ['CARDARENA_TOKEN']}")])
HOSTILE = "\x1b]0;owned\x07\x9b31m\0\u202e<script>alert(1)</script>'; DROP TABLE matches; --=cmd()\r\n"
hello = pb.Hello(games=["guillotine", "zhiletka"], bot_version=HOSTILE[:64])
outbox.put(pb.PlayRequest(hello=hello).SerializeToString())

for message in stream:
    for update in message.updates.updates:
        if update.HasField("request"):
            note = HOSTILE * 100
            decision = pb.Decision(
                match_id=update.match_id,
                decision_id=update.request.decision_id,
                action=update.request.legal_actions[0],
                note=note,
            )
            outbox.put(pb.PlayRequest(decisions=pb.DecisionBatch(decisions=[decision])).SerializeToString())
