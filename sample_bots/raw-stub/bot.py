"""Random play without the SDK: gRPC and the messages generated from the protocol, nothing else.

A model for authors in other languages: everything that a bot must do is in this file. With the same
bot_seed it chooses as `random` does.

`arena_pb2.py` beside it is made from the protocol:
    python -m grpc_tools.protoc -I../../protos/cardarena/v1 --python_out=. --pyi_out=. arena.proto
"""

import os
import sys
from collections.abc import Iterator
from queue import SimpleQueue

import arena_pb2 as pb
import grpc

MASK = (1 << 64) - 1


class SplitMix64:
    """Chance that is the same in every language."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        """The next number of 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & MASK
        return mixed ^ mixed >> 31

    def below(self, bound: int) -> int:
        """A number from 0 to `bound - 1`, each equally likely."""
        end = (1 << 64) - (1 << 64) % bound  # numbers from here on would make small remainders likelier
        number = self.next()
        while number >= end:
            number = self.next()
        return number % bound


class Player:
    """The conversation: each message of the harness is answered by at most one of ours."""

    def __init__(self) -> None:
        self.chances: dict[int, SplitMix64] = {}  # one a match, by match_id

    def answer(self, message: pb.PlayResponse) -> pb.PlayRequest | None:
        """What to send after `message`, if anything."""
        kind = message.WhichOneof("message")
        if kind == "updates":
            return self.decide(message.updates)
        if kind == "ping":
            return pb.PlayRequest(pong=pb.Pong(nonce=message.ping.nonce))
        if kind == "fault":
            print(f"fault: {message.fault.detail}", file=sys.stderr)
            if message.fault.HasField("match_id"):
                self.chances.pop(message.fault.match_id, None)
        return None

    def decide(self, batch: pb.UpdateBatch) -> pb.PlayRequest | None:
        """A decision for each request of `batch`."""
        for started in batch.started:  # also for a match that it has already: from the start, forget the rest
            self.chances[started.match_id] = SplitMix64(started.bot_seed)
        answers = pb.PlayRequest()
        for update in batch.updates:
            if update.HasField("request") and update.match_id in self.chances:
                legal = update.request.legal_actions
                answers.decisions.decisions.add(
                    match_id=update.match_id,
                    decision_id=update.request.decision_id,
                    action=legal[self.chances[update.match_id].below(len(legal))],
                )
        for over in batch.over:
            self.chances.pop(over.match_id, None)
        return answers if answers.decisions.decisions else None


def main() -> None:
    """Plays until the harness says goodbye."""
    outbox: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
    hello = pb.Hello(bot_version="1.0.0", games=["guillotine", "zhiletka"], max_match_count=256)
    outbox.put(pb.PlayRequest(hello=hello))
    player = Player()
    with grpc.insecure_channel(os.environ["CARDARENA_ADDRESS"]) as channel:
        play = channel.stream_stream(
            "/cardarena.v1.ArenaService/Play", pb.PlayRequest.SerializeToString, pb.PlayResponse.FromString
        )
        token = os.environ["CARDARENA_TOKEN"]
        responses: Iterator[pb.PlayResponse] = play(
            iter(outbox.get, None), metadata=(("authorization", f"Bearer {token}"),)
        )
        for message in responses:
            if message.WhichOneof("message") == "goodbye":
                break
            answer = player.answer(message)
            if answer is not None:
                outbox.put(answer)
    outbox.put(None)


if __name__ == "__main__":
    main()
