"""What authors trip over, known by what their programs say when they fail, and the way out of it."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class _Mend(NamedTuple):
    sign: re.Pattern[str]
    mend: str
    """`{0}` stands for the first group of the sign."""


_MENDS = tuple(
    _Mend(re.compile(sign), mend)
    for sign, mend in (
        (
            r"error while loading shared libraries: ([^\s:]+)",
            "{0} is missing: link it statically, or ship it in the folder and link with -Wl,-rpath,'$ORIGIN'",
        ),
        (
            r"No module named '(harness|grpc|google)[.']?",
            'the Python that ran has no {0}: write "{{python}}" in argv, or install cardarena where it runs',
        ),
        (r"No module named '([\w.]+)'", "{0} is not installed where the bot runs: ship it in the folder"),
        (
            r"(Detected incompatible Protobuf|Descriptors cannot be created directly|VersionError.*[Pp]rotobuf)",
            "the generated code is newer than the installed protobuf: generate it with an older protoc",
        ),
        (r"a bot class is wanted, not an object: write (\w+)", "hand the class to run: run({0})"),
        (r"(?:SyntaxError|IndentationError): (.*)", "it is no program of that language: {0}"),
        (r"can't open file '([^']*)'", "argv in bot.toml names {0}, which is not there"),
        (r"Cannot find module '([^']*)'", "{0} is not in the folder: npm install --no-bin-links, then pack it all"),
        (r"choose must return one of view\.actions", "return one of the ints in view.actions"),
        (
            r"\$'\\r'|\^M|\\x0d|\\r['\u2019]?: (?:not found|No such file)",
            "a script has Windows line ends: sed -i 's/\\r$//' FILE",
        ),
        (
            r"GLIBC(?:XX)?_([\d.]+)' not found",
            "built on a newer system: build it here, by [build], or link it statically",
        ),
        (r"[Ee]xec format error", "built for another machine: build it here, by [build]"),
        (r"NameResolver\w* for unix:", 'its gRPC knows no unix sockets: write address = "tcp" under [run]'),
        (
            r"UnsupportedClassVersionError",
            "compiled for a newer Java: javac --release 17, or compile it here, by [build]",
        ),
        (
            r"(?:ClassNotFoundException|Could not find or load main class)[:\s]+(\S+)",
            "-cp in argv does not lead to {0}",
        ),
        (r"fatal error: (\S+): No such file", "{0} is not here: ship it, or ask for its package (apt-file search {0})"),
        (r"(\S+): (?:command )?not found", "{0} is not here: ship what it makes, or ask the organiser for it"),
        (
            r"EAI_AGAIN|ENOTFOUND|Could not resolve host|[Nn]ame resolution|dial tcp: lookup",
            "there is no network: ship what it fetches in the folder (go mod vendor, npm install, pip download)",
        ),
        (r"heap out of memory|Could not reserve enough space", "it needs more memory than it is granted"),
        (r"EROFS|Read-only file system|PermissionError.*: '([^']*)'", "the folder is read-only: write to $TMPDIR"),
        (r"MemoryError|Cannot allocate memory|OutOfMemory", "it needs more memory than it is granted"),
        (
            r"(?:Too many open files|Resource temporarily unavailable)",
            "it opens more files or starts more threads than it is granted",
        ),
        (r"\b(UNAUTHENTICATED)\b", "send `authorization: Bearer TOKEN` as metadata, with the TOKEN of CARDARENA_TOKEN"),
        (r"\bUNIMPLEMENTED\b", "the one method is /cardarena.v1.ArenaService/Play"),
    )
)


def mend_for(last_lines: Sequence[str], hides: Iterable[str] = ()) -> str:
    """The mend for what the last lines of a bot's output complain about; "" where none is known.

    `hides`: files of its folder that hide modules.
    """
    text = "\n".join(last_lines)
    for name in hides:
        module = name.removesuffix(".py")
        if re.search(rf"\b{re.escape(module)}\b", text) and re.search(r"(Import|Attribute|ModuleNotFound)Error", text):
            return f"{name} in the folder hides the module {module}: give it another name"
    for line in reversed(last_lines):
        for mend in _MENDS:
            if found := mend.sign.search(line):
                return mend.mend.format(*(group or "" for group in found.groups()))
    return ""
