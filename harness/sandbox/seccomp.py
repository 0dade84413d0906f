"""The filter of system calls that bots run under at the levels bwrap and landlock, as the kernel reads it.

It takes away what no card player needs and what has been a way out of sandboxes, or a way to talk to
another bot behind the referee's back. A call that programs know how to do without is answered
as if the kernel were too old for it (ENOSYS); others are not permitted. Pure: bytes for a machine and a
network, nothing is installed here.
"""

import errno
import struct
from functools import cache

MACHINES = ("x86_64", "aarch64")
"""Machines that there is a filter for."""

_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000

# Numbers of system calls: x86_64, aarch64; None where the machine has no such call.
_TOO_OLD: dict[str, tuple[int | None, int | None]] = {
    "io_uring_setup": (425, 425),  # does what other calls do, past any filter of those
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),  # its flags lie in memory, where a filter cannot look; libraries fall back to clone
    "memfd_create": (319, 279),  # memory that no limit of a process counts
    "memfd_secret": (447, 447),
    "userfaultfd": (323, 282),
    # Whoever opens the same file can be seen: a channel between two bots that both see /usr.
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
}
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # The kernel's keys, programs and counters.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "lookup_dcookie": (212, 18),
    "syslog": (103, 116),
    # Name spaces and mounts.
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # The machine.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    # Memory and locks that programs share by name.
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
}
# What Landlock does not rule: whoever owns a file or a process may do these to it, wherever it is.
_ATTRIBUTES: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "file_setattr": (469, 469),
}
_SCHEDULING: dict[str, tuple[int | None, int | None]] = {
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
}
_NO_LOCKS: dict[str, tuple[int | None, int | None]] = {"flock": (73, 32)}
_LOCK_COMMANDS = (5, 6, 7, 36, 37, 38, 1024, 1026)  # F_GETLK, F_SETLK(W), F_OFD_*, F_SETLEASE, F_NOTIFY
_NEW_SPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_TERMINAL_COMMANDS = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_FLAG_COMMANDS = (0x40086602, 0x401C5820)  # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_SOCK_STREAM, _SOCK_TYPES = 1, 0xF
_IPPROTO_TCP = 6
_MSG_FASTOPEN = 0x20000000
_TCP_FASTOPEN_CONNECT = 30

NUMBERS = {**_TOO_OLD, **_DENIED, **_ATTRIBUTES, **_SCHEDULING, **_NO_LOCKS} | {
    "prlimit64": (302, 261),
    "clone": (56, 220),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "socket": (41, 198),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "setsockopt": (54, 208),
}
"""Every call that the filter knows, by name."""

# Instructions of the classic packet filter.
_LOAD, _JUMP_EQUAL, _JUMP_ANY_BIT, _JUMP_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16

ANY_NETWORK, LOOPBACK_TCP, NO_NETWORK = "any", "tcp", "none"
"""What is left of the network: all of it (of a name space of one's own), TCP alone, or nothing."""


@cache
def seccomp_filter(machine: str, network: str, *, among_others: bool = False, keeps_attributes: bool = False) -> bytes:
    """The filter for a machine of `MACHINES`. ValueError for another.

    `among_others`: it shares the machine's processes, and may not change how others run. `keeps_attributes`: it may not
    change modes, owners and times of files, whoever owns them.
    """
    if machine not in MACHINES:
        raise ValueError(f"no filter of system calls for {machine}; there are {', '.join(MACHINES)}")
    program = _Program(MACHINES.index(machine))
    program.refuse_other_machines(_ARCH[machine])
    for names, error in ((_TOO_OLD, errno.ENOSYS), (_DENIED, errno.EPERM), (_NO_LOCKS, errno.ENOLCK)):
        for name in names:
            program.refuse(name, error)
    if among_others:
        for name in _SCHEDULING:
            program.refuse(name, errno.EPERM)
        program.refuse_unless_zero("prlimit64", 0, errno.EPERM)  # 0: this process
    if keeps_attributes:
        for name in _ATTRIBUTES:
            program.refuse(name, errno.EPERM)
        program.refuse_values("ioctl", 1, _FLAG_COMMANDS, errno.EPERM)
    program.refuse_bits("clone", 0, _NEW_SPACES, errno.EPERM)
    program.refuse_values("fcntl", 1, _LOCK_COMMANDS, errno.ENOLCK)
    program.refuse_values("ioctl", 1, _TERMINAL_COMMANDS, errno.EPERM)
    program.refuse_sockets(network)
    return program.finished()


class _Program:
    """Instructions, each rule of which falls through to the next where it does not apply."""

    def __init__(self, machine_index: int) -> None:
        self._index = machine_index
        self._code = bytearray()

    def _add(self, code: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        self._code += struct.pack("<HBBI", code, if_true, if_false, value)

    def refuse_other_machines(self, arch: int) -> None:
        """Kills what uses the numbers of another machine: they would mean other calls. Leaves the number loaded."""
        self._add(_LOAD, _ARCH_AT)
        self._add(_JUMP_EQUAL, arch, 1)
        self._add(_RETURN, _KILL)
        self._add(_LOAD, _NUMBER_AT)
        if self._index == 0:
            self._add(_JUMP_AT_LEAST, _X32_BIT, 0, 1)
            self._add(_RETURN, _ERRNO | errno.ENOSYS)

    def refuse(self, name: str, error: int) -> None:
        """The call fails with `error`, whatever its arguments."""
        number = NUMBERS[name][self._index]
        if number is not None:
            self._add(_JUMP_EQUAL, number, 0, 1)
            self._add(_RETURN, _ERRNO | error)

    def _when(self, name: str, rule: list[tuple[int, int, int, int]]) -> None:
        """`rule` sees only calls of `name`; after it the number is loaded again."""
        number = NUMBERS[name][self._index]
        assert number is not None
        self._add(_JUMP_EQUAL, number, 0, len(rule) + 1)
        for instruction in rule:
            self._add(*instruction)
        self._add(_LOAD, _NUMBER_AT)

    def refuse_values(self, name: str, argument: int, values: tuple[int, ...], error: int) -> None:
        """Fails where the low word of an argument is one of `values`: the kernel looks at no more of these."""
        rule = [_argument(argument)]
        for value in values:
            rule += [(_JUMP_EQUAL, value, 0, 1), (_RETURN, _ERRNO | error, 0, 0)]
        self._when(name, rule)

    def refuse_unless_zero(self, name: str, argument: int, error: int) -> None:
        """Fails where the low word of an argument is not 0."""
        self._when(name, [_argument(argument), (_JUMP_EQUAL, 0, 1, 0), (_RETURN, _ERRNO | error, 0, 0)])

    def refuse_bits(self, name: str, argument: int, bits: int, error: int) -> None:
        """Fails where an argument has any of `bits` set."""
        rule = [_argument(argument), (_JUMP_ANY_BIT, bits, 0, 1), (_RETURN, _ERRNO | error, 0, 0)]
        self._when(name, rule)

    def refuse_sockets(self, network: str) -> None:
        """No sockets but those of `network` and unix sockets: other families have their own way out of a sandbox."""
        families = (_AF_UNIX,) if network == NO_NETWORK else (_AF_UNIX, _AF_INET, _AF_INET6)
        rule = [_argument(0)]
        for place, family in enumerate(families):
            rule.append((_JUMP_EQUAL, family, len(families) - place, 0))
        rule.append((_RETURN, _ERRNO | errno.EAFNOSUPPORT, 0, 0))
        self._when("socket", rule)
        if network == LOOPBACK_TCP:
            self._refuse_all_but_tcp()

    def _refuse_all_but_tcp(self) -> None:
        """Landlock rules what TCP may connect to, and nothing else that goes over the network."""
        refused = (_RETURN, _ERRNO | errno.EACCES, 0, 0)
        rule = [
            _argument(0),
            (_JUMP_EQUAL, _AF_UNIX, 8, 0),
            _argument(1),
            (_AND, _SOCK_TYPES, 0, 0),
            (_JUMP_EQUAL, _SOCK_STREAM, 1, 0),
            refused,
            _argument(2),
            (_JUMP_EQUAL, 0, 2, 0),
            (_JUMP_EQUAL, _IPPROTO_TCP, 1, 0),
            refused,
        ]
        self._when("socket", rule)
        # Fast open connects in the first send, and is not asked about.
        for name, argument in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)):
            self.refuse_bits(name, argument, _MSG_FASTOPEN, errno.EOPNOTSUPP)
        rule = [
            _argument(1),
            (_JUMP_EQUAL, _IPPROTO_TCP, 0, 3),
            _argument(2),
            (_JUMP_EQUAL, _TCP_FASTOPEN_CONNECT, 0, 1),
            (_RETURN, _ERRNO | errno.EOPNOTSUPP, 0, 0),
        ]
        self._when("setsockopt", rule)

    def finished(self) -> bytes:
        """The program: what no rule refused is allowed."""
        self._add(_RETURN, _ALLOW)
        return bytes(self._code)


def _argument(index: int) -> tuple[int, int, int, int]:
    """Loads the low word of an argument (both machines are little-endian)."""
    return (_LOAD, _ARGUMENTS_AT + 8 * index, 0, 0)
