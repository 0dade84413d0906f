"""Whether the program that a bot's argv names can run here, told before anything is started."""

import os
import platform
import shutil
import sys
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from harness.printable import printable

HEAD_BYTES = 4096
_MACHINES = {0x03: "i386", 0x28: "arm", 0x3E: "x86_64", 0xB7: "aarch64", 0xF3: "riscv64"}
_SAME = {"amd64": "x86_64", "arm64": "aarch64", "i686": "i386"}
_FOREIGN = {
    b"MZ": "Windows",
    b"\xcf\xfa\xed\xfe": "macOS",
    b"\xfe\xed\xfa\xcf": "macOS",
    b"\xca\xfe\xba\xbe": "macOS",
}
_OWN_MODULES = frozenset({"harness", "grpc", "google"})
PYTHON_NAMES = ("python", "python3")
TELLS_VERSION = ("python", "node", "java", "ruby", "perl", "deno", "bun", "php", "lua")
"""Programs that answer `--version` and do nothing else."""


@dataclass(frozen=True)
class Program:
    """What argv[0] means, or why it means nothing that runs."""

    path: Path | None
    problem: str = ""
    mend: str = ""
    hides: tuple[str, ...] = ()
    """Files of the bot's folder that hide modules of Python or of the SDK."""

    @property
    def is_python(self) -> bool:
        """Whether it is an interpreter of Python."""
        return self.path is not None and (self.path == Path(sys.executable) or _is_python(self.path.name))


def examine(argv: tuple[str, ...], folder: Path, search_path: str) -> Program:
    """The program that `argv` starts in `folder`. Nothing of the bot is run."""
    word = argv[0]
    if "/" in word:
        path = folder / word
        if not path.exists():
            return Program(None, f"there is no {printable(str(path))}", _absent(word, folder))
    else:
        found = shutil.which(word, path=search_path)
        if found is None:
            problem = f"no program called {printable(word)} on the path {search_path}"
            return Program(None, problem, _absent(word, folder))
        path = Path(found)
    if path.is_dir():
        return Program(None, f"{printable(str(path))} is a folder", "name the program in it")
    if not os.access(path, os.X_OK):
        return Program(None, f"{printable(str(path))} may not be executed", f"chmod +x {printable(word)}")
    problem, mend = _unloadable(path, search_path)
    if problem:
        return Program(None, problem, mend)
    program = Program(path)
    return _with_script(program, argv, folder) if program.is_python else program


def _absent(word: str, folder: Path) -> str:
    name = word.rpartition("/")[2]
    if "/" not in word and (folder / word).is_file():
        return f'the folder itself is not searched; write "./{printable(word)}"'
    if _is_python(name):
        return 'write "{python}", the organiser\'s interpreter'
    close = get_close_matches(name, [path.name for path in folder.iterdir()], 1)
    if close:
        return f"did you mean ./{printable(close[0])}?"
    return "install it here, or ship it in the bot's folder"


def _is_python(name: str) -> bool:
    return name in PYTHON_NAMES or name.startswith("python3.")


def _unloadable(path: Path, search_path: str) -> tuple[str, str]:
    """Why the kernel cannot load `path`, and the mend; two empty texts where it can."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return "", ""  # may be executed and not be read
    shown = printable(str(path))
    if head.startswith(b"\x7fELF"):
        return _foreign_elf(head, shown)
    for magic, system in _FOREIGN.items():
        if head.startswith(magic):
            return f"{shown} is a program for {system}", f"build it for {platform.system()} {platform.machine()}"
    if not head.startswith(b"#!"):
        return (
            f"{shown} is no program: neither ELF, nor does it begin with #!",
            'name its interpreter first, such as argv = ["{python}", "bot.py"]',
        )
    line = head[2:].split(b"\n", 1)[0]
    words = line.decode(errors="replace").split()
    if line.endswith(b"\r"):
        return (
            f"{shown} has Windows line ends, so that its interpreter is looked for as {line.decode('latin-1')!r}",
            f"save it with Unix line ends: sed -i 's/\\r$//' {path.name}",
        )
    if not words or not Path(words[0]).exists():
        asked = printable(words[0] if words else "nothing")
        return f"{shown} asks for {asked}, which is not here", "mend its first line"
    if words[0].endswith("/env") and len(words) > 1 and shutil.which(words[-1], path=search_path) is None:
        asked = printable(words[-1])
        return f"{shown} asks for {asked}, which is not on the path {search_path}", "mend its first line"
    return "", ""


def _foreign_elf(head: bytes, shown: str) -> tuple[str, str]:
    little = head[5:6] == b"\x01"
    machine = int.from_bytes(head[18:20], "little" if little else "big")
    here = _SAME.get(platform.machine().lower(), platform.machine())
    there = _MACHINES.get(machine, f"machine {machine:#x}")
    if there != here:
        return f"{shown} is built for {there}, this machine is {here}", f"build it for {here}"
    loader = _elf_loader(head) if head[4:5] == b"\x02" and little else None
    if loader is not None and not Path(loader).exists():
        return f"{shown} needs {printable(loader)} to be loaded, which is not here", "link it statically"
    return "", ""


def _elf_loader(head: bytes) -> str | None:
    """What PT_INTERP of a little-endian ELF of 64 bits names, as far as it lies within `head`."""
    offset, size, count = (int.from_bytes(head[at : at + n], "little") for at, n in ((32, 8), (54, 2), (56, 2)))
    for index in range(count):
        entry = head[offset + index * size : offset + (index + 1) * size]
        if len(entry) == size >= 56 and int.from_bytes(entry[:4], "little") == 3:
            begin, length = (int.from_bytes(entry[at : at + 8], "little") for at in (8, 32))
            name = head[begin : begin + length]
            return name.rstrip(b"\0").decode(errors="replace") if len(name) == length else None
    return None


def _with_script(program: Program, argv: tuple[str, ...], folder: Path) -> Program:
    script = next((word for word in argv[1:] if not word.startswith("-")), None)
    if script is not None and "-m" not in argv and "-c" not in argv and not (folder / script).exists():
        close = get_close_matches(script, [path.name for path in folder.glob("*.py")], 1)
        mend = f"did you mean {printable(close[0])}?" if close else "argv in bot.toml names what Python runs"
        return Program(None, f"there is no {printable(script)} in the bot's folder", mend)
    known = sys.stdlib_module_names | _OWN_MODULES
    own = [path for path in sorted(folder.iterdir()) if path.suffix == ".py" or (path / "__init__.py").is_file()]
    return Program(program.path, hides=tuple(path.name for path in own if path.stem in known))
