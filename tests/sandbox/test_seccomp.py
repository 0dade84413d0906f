"""The filter of system calls, run by a machine like the kernel's: what it refuses, and that it refuses nothing else."""

import errno
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from harness.sandbox.seccomp import ANY_NETWORK, LOOPBACK_TCP, MACHINES, NO_NETWORK, NUMBERS, seccomp_filter
from tests.sandbox.seccomp_machine import ALLOW, ARCHES, KILL, error_of, verdict

ROOT = Path(__file__).parents[2]
NETWORKS = (ANY_NETWORK, LOOPBACK_TCP, NO_NETWORK)
REFUSED_BY_NAME = {
    "ptrace": errno.EPERM,
    "process_vm_readv": errno.EPERM,
    "keyctl": errno.EPERM,
    "bpf": errno.EPERM,
    "mount": errno.EPERM,
    "unshare": errno.EPERM,
    "setns": errno.EPERM,
    "open_by_handle_at": errno.EPERM,
    "shmget": errno.EPERM,
    "io_uring_setup": errno.ENOSYS,
    "clone3": errno.ENOSYS,
    "memfd_create": errno.ENOSYS,
    "userfaultfd": errno.ENOSYS,
    "inotify_add_watch": errno.ENOSYS,
    "flock": errno.ENOLCK,
}


def outcome(name: str, *arguments: int, machine: str = "x86_64", network: str = ANY_NETWORK) -> int:
    """The error that a call of `name` fails with; 0: none."""
    number = NUMBERS[name][MACHINES.index(machine)]
    assert number is not None
    return error_of(verdict(seccomp_filter(machine, network), number, arguments, ARCHES[machine]))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", REFUSED_BY_NAME)
def test_what_no_card_player_needs_is_refused(name: str, machine: str) -> None:
    assert outcome(name, machine=machine) == REFUSED_BY_NAME[name]


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("machine", MACHINES)
def test_all_calls_that_are_not_named_are_allowed(machine: str, network: str) -> None:
    code = seccomp_filter(machine, network)
    named = {numbers[MACHINES.index(machine)] for numbers in NUMBERS.values()}

    refused = [n for n in range(700) if n not in named and verdict(code, n, arch=ARCHES[machine]) != ALLOW]
    assert refused == []


@pytest.mark.parametrize("network", [ANY_NETWORK, NO_NETWORK])
@pytest.mark.parametrize("machine", MACHINES)
def test_what_a_decision_calls_is_allowed_by_its_number_alone(machine: str, network: str) -> None:
    """Then the kernel, from Linux 5.11 on, does not run the filter for it any more."""
    code = seccomp_filter(machine, network, among_others=True, keeps_attributes=True)
    index = MACHINES.index(machine)
    looks = {NUMBERS[name][index] for name in ("prlimit64", "clone", "fcntl", "ioctl", "socket")}
    refused = {n for n in range(700) if verdict(code, n, arch=ARCHES[machine]) != ALLOW}

    for number in set(range(700)) - looks - refused:
        assert verdict(code, number, arguments=None, arch=ARCHES[machine]) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_what_landlock_does_not_rule_is_refused_where_bots_share_a_machine(machine: str) -> None:
    index = MACHINES.index(machine)
    alone = seccomp_filter(machine, NO_NETWORK)
    shared = seccomp_filter(machine, NO_NETWORK, among_others=True, keeps_attributes=True)

    def error(code: bytes, name: str, *arguments: int) -> int:
        number = NUMBERS[name][index]
        assert number is not None
        return error_of(verdict(code, number, arguments, ARCHES[machine]))

    for name in ("fchmodat", "fchownat", "setxattr", "utimensat", "file_setattr", "setpriority", "sched_setaffinity"):
        assert (error(alone, name), error(shared, name)) == (0, errno.EPERM)
    for command in (0x40086602, 0x401C5820):  # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR
        assert (error(alone, "ioctl", 0, command), error(shared, "ioctl", 0, command)) == (0, errno.EPERM)
    assert [error(shared, "prlimit64", pid) for pid in (0, 1, 4711)] == [0, errno.EPERM, errno.EPERM]
    assert error(seccomp_filter(machine, NO_NETWORK, among_others=True), "fchmodat") == 0, "a build marks programs"


def test_the_numbers_of_another_machine_kill() -> None:
    code = seccomp_filter("x86_64", ANY_NETWORK)

    assert verdict(code, 0, arch=0x40000003) == KILL  # i386
    assert error_of(verdict(code, 0x40000000 | 101)) == errno.ENOSYS  # ptrace by its number in the ABI x32


def test_processes_may_be_made_and_name_spaces_may_not() -> None:
    assert outcome("clone", 0x01200011) == 0  # fork
    assert outcome("clone", 0x003D0F00) == 0  # a thread
    assert outcome("clone", 0x10000000 | 17) == errno.EPERM  # CLONE_NEWUSER
    assert outcome("clone", 0x00020000 | 17) == errno.EPERM  # CLONE_NEWNS


def test_locks_are_refused_and_other_uses_of_fcntl_are_not() -> None:
    assert [outcome("fcntl", 3, command) for command in (1, 2, 3, 4, 1030)] == [0] * 5
    assert {outcome("fcntl", 3, command) for command in (5, 6, 7, 36, 37, 38, 1024, 1026)} == {errno.ENOLCK}


def test_nothing_can_be_typed_into_a_terminal_whatever_the_high_word_says() -> None:
    assert outcome("ioctl", 0, 0x5413) == 0
    assert outcome("ioctl", 0, 0x5412) == errno.EPERM
    assert outcome("ioctl", 0, 0x1_0000_5412) == errno.EPERM


@pytest.mark.parametrize("family", [16, 17, 38, 40, 44])  # netlink, packet, alg, vsock, xdp
@pytest.mark.parametrize("network", NETWORKS)
def test_sockets_of_other_families_are_refused(network: str, family: int) -> None:
    assert outcome("socket", family, 1, 0, network=network) == errno.EAFNOSUPPORT


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_each_network_has_its_sockets(family: int) -> None:
    tcp, udp, raw, mptcp = (family, 1, 0), (family, 2, 0), (family, 3, 255), (family, 1, 262)
    outcomes = {network: [outcome("socket", *one, network=network) for one in (tcp, udp, raw)] for network in NETWORKS}

    assert outcomes[ANY_NETWORK] == [0, 0, 0]
    assert outcomes[LOOPBACK_TCP] == [0, errno.EACCES, errno.EACCES]
    assert outcomes[NO_NETWORK] == [errno.EAFNOSUPPORT] * 3
    assert outcome("socket", *mptcp, network=LOOPBACK_TCP) == errno.EACCES
    assert outcome("socket", family, 1 | 0o2000000, 6, network=LOOPBACK_TCP) == 0  # with SOCK_CLOEXEC


@pytest.mark.parametrize("network", NETWORKS)
def test_unix_sockets_are_always_there(network: str) -> None:
    assert [outcome("socket", socket.AF_UNIX, kind, 0, network=network) for kind in (1, 2, 5)] == [0, 0, 0]


def test_tcp_alone_cannot_be_had_by_fast_open() -> None:
    fast_open = 0x20000000

    assert outcome("sendto", 3, 0, 0, fast_open, network=LOOPBACK_TCP) == errno.EOPNOTSUPP
    assert outcome("sendmsg", 3, 0, fast_open, network=LOOPBACK_TCP) == errno.EOPNOTSUPP
    assert outcome("setsockopt", 3, 6, 30, network=LOOPBACK_TCP) == errno.EOPNOTSUPP
    assert outcome("setsockopt", 3, 6, 1, network=LOOPBACK_TCP) == 0  # TCP_NODELAY
    assert outcome("sendto", 3, 0, 0, 0x4000, network=LOOPBACK_TCP) == 0


def test_another_machine_has_no_filter() -> None:
    with pytest.raises(ValueError, match="riscv64"):
        seccomp_filter("riscv64", NO_NETWORK)


@pytest.mark.parametrize(
    ("index", "header"),
    [(0, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), (1, "/usr/include/asm-generic/unistd.h")],
)
def test_the_numbers_are_those_of_the_kernels_headers_where_there_are_any(index: int, header: str) -> None:
    text = Path(header).read_text() if Path(header).exists() else ""
    known = {name: int(number) for name, number in re.findall(r"#define\s+__NR(?:3264)?_(\w+)\s+(\d+)", text)}

    wrong = {
        name: numbers[index]
        for name, numbers in NUMBERS.items()
        if name in known and numbers[index] not in (None, known[name])
    }
    assert wrong == {}


def test_the_kernel_takes_every_filter_for_this_machine() -> None:
    program = (
        "import platform\n"
        "from harness.sandbox import kernel\n"
        "from harness.sandbox.seccomp import *\n"
        "kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)\n"
        "for network in (ANY_NETWORK, LOOPBACK_TCP, NO_NETWORK):\n"
        "    kernel.set_filter(seccomp_filter(platform.machine(), network))\n"
        "import socket\n"
        "try: socket.socket()\n"
        "except OSError as error: print(error.strerror)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)

    assert ran.stdout.strip() == "Address family not supported by protocol", ran.stderr
