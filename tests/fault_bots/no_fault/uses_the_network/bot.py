"""Calls out, by every way that there is on one machine."""

import json
import os
import socket

from harness.bot import Action, Bot, View, run

BAIT = json.loads(os.environ["CARDARENA_TRIAL"])
"""What the harness has laid out to be found."""
tried: list[bool] = []


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        if not tried:
            tried.append(True)
            look_around()
        return view.actions[0]


def dial_tcp() -> None:
    socket.create_connection(("127.0.0.1", BAIT["tcp"]), timeout=5).close()


def send_udp() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(0.2)
        sender.connect(("127.0.0.1", BAIT["udp"]))
        sender.send(b"hello")
        try:
            sender.recv(16)  # refused where nobody listens
        except TimeoutError:
            return


def dial_abstract() -> None:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(f"\0{BAIT['abstract']}")


def dial_path() -> None:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(os.path.join(BAIT["folder"], "socket"))


def dial_netlink() -> None:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()


def dial_vsock() -> None:
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()


def look_around() -> None:
    """Says what it reached."""
    for what, reach in (
        ("a port over TCP", dial_tcp),
        ("a port over UDP", send_udp),
        ("an abstract socket", dial_abstract),
        ("a socket by its path", dial_path),
        ("the kernel over netlink", dial_netlink),
        ("the host of a virtual machine", dial_vsock),
    ):
        try:
            reach()
        except OSError as error:
            print(f"kept from {what}: {error}", flush=True)
        else:
            print(f"reached: {what}", flush=True)


run(FaultBot)
