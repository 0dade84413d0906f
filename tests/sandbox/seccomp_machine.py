"""The kernel's machine for filters of system calls, as far as the filter uses it."""

import struct
from collections.abc import Sequence

ALLOW, KILL = 0x7FFF0000, 0x80000000
ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(code: bytes, number: int, arguments: Sequence[int] | None = (), arch: int = ARCHES["x86_64"]) -> int:
    """What the filter returns for a call. `arguments` None: struct.error where it looks at any."""
    data = struct.pack("<iIQ", number, arch, 0)
    if arguments is not None:
        data += struct.pack("<6Q", *arguments, *[0] * (6 - len(arguments)))
    instructions = [struct.unpack_from("<HBBI", code, at) for at in range(0, len(code), 8)]
    accumulator = at = 0
    while True:
        operation, if_true, if_false, value = instructions[at]
        at += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif operation == 0x54:
            accumulator &= value
        elif operation == 0x06:
            return int(value)
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[operation]
            at += if_true if holds else if_false


def error_of(returned: int) -> int:
    """The error that a call fails with; 0: it is allowed."""
    assert returned == ALLOW or returned >> 16 == 5, hex(returned)
    return 0 if returned == ALLOW else returned & 0xFFFF
