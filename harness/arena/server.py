"""The gRPC server of an arena: one method, raw bytes, one token for each process that may dial in."""

import asyncio
import resource
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import grpc
import grpc.aio

from harness.arena.directory import private_directory
from harness.sandbox.cell import PLAIN, Sandbox
from harness.sandbox.scratch import Scratch
from harness.sandbox.users import runs_as_root

PLAY = "/cardarena.v1.ArenaService/Play"
HARD_MESSAGE_BYTES = 1024 * 1024
"""gRPC ends a stream that brings a longer message. The session's own limit is lower and names the fault."""
STOP_S = 0.5

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"
Serve = Callable[[Context], Awaitable[None]]

_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_receive_message_length", HARD_MESSAGE_BYTES),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    ("grpc.server_handshake_timeout_ms", 5000),
    # A client that pings while it is idle is not cut off for it.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 1000),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.so_reuseport", 0),
)


class _PlayOnly(grpc.GenericRpcHandler):
    """Play and nothing else, without (de)serializers: a malformed message must be a fault, not an exception."""

    def __init__(self, play: Callable[[AsyncIterator[bytes], Context], Awaitable[None]]) -> None:
        self._handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        return self._handler if handler_call_details.method == PLAY else None


class _Door:
    """Where one process is expected."""

    def __init__(self, serve: Serve) -> None:
        self.serve = serve
        self.is_used = False


class Server:
    """Listens on a unix socket in a directory of its own and, if asked, on loopback TCP."""

    def __init__(self, *, tcp: bool = False, guests: bool = False, sandbox: Sandbox = PLAIN.sandbox) -> None:
        """`tcp`: bots that we start need it. `guests`: others are invited, who may choose."""
        self.sandbox = sandbox
        """The level at which bots dial in."""
        self._tcp = guests or (tcp and not sandbox.forwards_tcp)
        self._doors: dict[str, _Door] = {}
        self._closing = False
        self._server: grpc.aio.Server | None = None
        self._directory: Scratch | None = None
        self.unix_address = ""
        self.tcp_address = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where it listens: the unix socket, then perhaps TCP."""
        return (self.unix_address, self.tcp_address) if self.tcp_address else (self.unix_address,)

    @property
    def directory(self) -> Path:
        """Private to this server; gone when it stops. ValueError before it listens."""
        if self._directory is None:
            raise ValueError("the server does not listen yet")
        return self._directory.path

    @property
    def socket(self) -> Path:
        """The unix socket."""
        return self.directory / "arena.sock"

    async def start(self) -> None:
        """Begins to listen."""
        self._directory = private_directory()
        self._raise_file_limit()
        server = self._server = grpc.aio.server(options=_OPTIONS)
        server.add_generic_rpc_handlers((_PlayOnly(self._play),))
        self.unix_address = f"unix:{self.socket}"
        server.add_insecure_port(self.unix_address)
        if self._tcp:
            self.tcp_address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        starting = asyncio.create_task(server.start())
        try:
            await asyncio.shield(starting)
        finally:
            await asyncio.wait({starting})  # a server of gRPC that is cancelled while it starts cannot be stopped
        self._let_bots_in()

    async def stop(self) -> None:
        """Ends what is left of calls, and the directory."""
        self._closing = True
        if self._server is not None:
            await self._server.stop(STOP_S)
        if self._directory is not None:
            self._directory.remove()

    def expect(self, serve: Serve) -> str:
        """Lets one process in, once: returns its token. Its call is handed to `serve`."""
        token = secrets.token_urlsafe(24)
        self._doors[token] = _Door(serve)
        return token

    def forget(self, token: str) -> None:
        """Nobody is let in with `token` any more."""
        self._doors.pop(token, None)

    async def _play(self, _requests: AsyncIterator[bytes], context: Context) -> None:
        if self._closing:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the arena is closing")
        door = self._doors.get(_bearer(context))
        if door is None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "no bot is expected with this token")
        if door.is_used:
            await context.abort(grpc.StatusCode.ALREADY_EXISTS, "a stream with this token is open already")
        door.is_used = True
        await door.serve(context)

    def _let_bots_in(self) -> None:
        """Bots of root are other users than root. Who else may dial is decided by the directory, and by the token."""
        self.socket.chmod(0o666)
        if runs_as_root() and self.sandbox.level != "bwrap" and not self.sandbox.opens_ways:
            self.directory.chmod(0o711)

    @staticmethod
    def _raise_file_limit() -> None:
        """Each bot costs the harness some files; a soft limit of 1024 is soon reached."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _bearer(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str) and value.startswith("Bearer "):
            return value.removeprefix("Bearer ")
    return ""
