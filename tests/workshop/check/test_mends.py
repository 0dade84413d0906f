"""What programs say when they fail is known, and answered with the way out."""

import pytest

from harness.workshop.check.mends import mend_for


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        (
            "./bot: error while loading shared libraries: libfoo.so.3: cannot open shared object",
            "libfoo.so.3 is missing",
        ),
        ("ModuleNotFoundError: No module named 'harness'", 'has no harness: write "{python}" in argv'),
        ("ModuleNotFoundError: No module named 'torch'", "torch is not installed where the bot runs"),
        ("google.protobuf.runtime_version.VersionError: Detected incompatible Protobuf Gencode", "an older protoc"),
        ("TypeError: a bot class is wanted, not an object: write MyBot, not MyBot(). Every", "run(MyBot)"),
        ("SyntaxError: invalid syntax", "no program of that language: invalid syntax"),
        ("./start.sh: line 2: $'\\r': command not found", "Windows line ends: sed -i 's/\\r$//'"),
        ("/usr/bin/env: 'python3\\r': No such file or directory", "Windows line ends"),
        ("/bin/sh: 1: exec: ./run\\x0d: not found", "Windows line ends"),
        ("./bot: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./bot)", "by [build]"),
        ("sh: 1: ./bot: Exec format error", "built for another machine"),
        ("IllegalArgumentException: cannot find a NameResolver for unix:/run/cardarena/arena.sock", 'address = "tcp"'),
        ("java.lang.UnsupportedClassVersionError: Bot has been compiled by a more recent version", "--release 17"),
        ("Error: Could not find or load main class Bot", "does not lead to Bot"),
        (
            "arena.grpc.pb.h:7:10: fatal error: grpcpp/grpcpp.h: No such file or directory",
            "grpcpp/grpcpp.h is not here",
        ),
        ("/bin/sh: 1: protoc: not found", "protoc is not here: ship what it makes"),
        ("go: example.org/x@v1: dial tcp: lookup proxy.example.org: no such host", "no network: ship what it fetches"),
        ("npm ERR! code EAI_AGAIN", "there is no network"),
        ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "more memory"),
        ("SyntaxError: Unexpected token '}'", "no program of that language: Unexpected token '}'"),
        ("Error: Cannot find module '@grpc/grpc-js'", "@grpc/grpc-js is not in the folder"),
        (
            "TypeError: choose must return one of view.actions, an int; it returned 'QS'",
            "one of the ints in view.actions",
        ),
        ("PermissionError: [Errno 13] Permission denied: 'log.txt'", "write to $TMPDIR"),
        ("MemoryError", "more memory than it is granted"),
        ("unix:/tmp/arena.sock: UNAUTHENTICATED: no bot is expected", "authorization: Bearer TOKEN"),
        ("all is well", ""),
    ],
)
def test_a_known_complaint_gets_its_mend(line: str, mend: str) -> None:
    assert mend in mend_for(["Traceback (most recent call last):", line, "  at the end"])


def test_a_file_that_hides_a_module_is_blamed_for_what_the_module_lacks() -> None:
    lines = ["AttributeError: module 'random' has no attribute 'Random'"]

    assert "random.py in the folder hides the module random" in mend_for(lines, ("random.py",))
    assert mend_for(lines) == ""
