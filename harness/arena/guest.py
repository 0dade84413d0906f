"""The bot's end of a stream in this process: for those whom the arena invites rather than starts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc.aio

from harness.arena.server import PLAY
from harness.wire import arena_pb2 as pb

_OPTIONS = (("grpc.enable_http_proxy", 0),)


class Line:
    """An open stream. Get one by `dial`."""

    def __init__(self, call: "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]") -> None:
        self._call = call

    async def batches(self) -> AsyncIterator[pb.UpdateBatch]:
        """News of matches, until the arena says goodbye or ends the stream."""
        async for message in self._call:
            if message.HasField("goodbye"):
                return
            if message.HasField("updates"):
                yield message.updates

    async def decide(self, match_id: int, decision_id: int, action: int) -> None:
        """Answers one request."""
        decision = pb.Decision(match_id=match_id, decision_id=decision_id, action=action)
        await self._call.write(pb.PlayRequest(decisions=pb.DecisionBatch(decisions=[decision])))


@asynccontextmanager
async def dial(address: str, token: str, game: str) -> AsyncIterator[Line]:
    """Dials in and says Hello for one match of `game` at a time; hangs up when the block is left."""
    async with grpc.aio.insecure_channel(address, _OPTIONS) as channel:
        stream: grpc.aio.StreamStreamMultiCallable[pb.PlayRequest, pb.PlayResponse] = channel.stream_stream(
            PLAY, pb.PlayRequest.SerializeToString, pb.PlayResponse.FromString
        )
        call = stream(metadata=(("authorization", f"Bearer {token}"),))
        await call.write(pb.PlayRequest(hello=pb.Hello(games=[game], max_match_count=1)))
        try:
            yield Line(call)
        finally:
            call.cancel()
