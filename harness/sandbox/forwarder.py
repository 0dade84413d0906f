"""TCP for bots that cannot dial unix sockets: on loopback inside their sandbox, leading to the arena's socket outside.

The forwarder is a fork of the keeper that enters the sandbox's network and nothing else of it, so that it
needs no program inside and no bot can reach it.
"""

import fcntl
import os
import select
import signal
import socket

from harness.sandbox import kernel

PORT = 7000
"""On loopback of a network that the bot has for itself."""
_GET_OWNER = 0xB701  # NS_GET_USERNS
_CHUNK_BYTES = 64 * 1024


def start_forwarder(inside_pid: int, socket_path: str) -> None:
    """Starts forwarding for the sandbox that `inside_pid` lives in; once this returns, `PORT` can be dialled."""
    ready_fd, ready_end = os.pipe()
    if os.fork() == 0:
        try:
            for number in (signal.SIGTERM, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            _enter_network(inside_pid)
            listener = socket.create_server(("127.0.0.1", PORT))
            os.write(ready_end, b".")
            os.close(ready_end)
            _forward(listener, socket_path)
        finally:
            os._exit(1)
    os.close(ready_end)
    is_ready = os.read(ready_fd, 1)
    os.close(ready_fd)
    if not is_ready:
        raise OSError("the forwarder for TCP did not start")


def _enter_network(inside_pid: int) -> None:
    network_fd = os.open(f"/proc/{inside_pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    if os.geteuid() != 0:
        # Only whoever rules the network's owner may enter it.
        kernel.enter(fcntl.ioctl(network_fd, _GET_OWNER))
    kernel.enter(network_fd)


def _forward(listener: socket.socket, socket_path: str) -> None:
    """Copies bytes both ways, for ever."""
    peers: dict[int, tuple[socket.socket, socket.socket]] = {}
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd == listener.fileno():
                _accept(listener, socket_path, peers, poll)
            elif fd in peers:
                source, target = peers[fd]
                if not _copy(source, target):
                    for end in (source, target):
                        poll.unregister(end)
                        del peers[end.fileno()]
                        end.close()


def _accept(
    listener: socket.socket,
    socket_path: str,
    peers: dict[int, tuple[socket.socket, socket.socket]],
    poll: "select.poll",
) -> None:
    near, _ = listener.accept()
    near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    far = socket.socket(socket.AF_UNIX)
    try:
        far.connect(socket_path)
    except OSError:
        near.close()  # The arena is closing.
        return
    for source, target in ((near, far), (far, near)):
        peers[source.fileno()] = (source, target)
        poll.register(source, select.POLLIN)


def _copy(source: socket.socket, target: socket.socket) -> bool:
    """Copies what has come. False when either end is gone. A target that does not read holds up this bot alone."""
    try:
        data = source.recv(_CHUNK_BYTES)
        target.sendall(data)
    except OSError:
        return False
    return bool(data)
