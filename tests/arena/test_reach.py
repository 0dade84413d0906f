"""What a bot can get at, read by one that reads everything: no secret of a round, no token or hand of another."""

import base64
import re
from pathlib import Path

import pytest

from harness import games
from harness.arena import Arena, Played, ProcessEnd
from harness.sandbox.levels import choose, try_level
from harness.sandbox.process import BotProcess
from tests.arena.tables import SECRET, bot_in, table, time_control

READER = '''
import os, sys
from pathlib import Path

import harness
from harness.bot import Action, Bot, View, run


def read_all() -> None:
    """Prints its environment, its arguments, the files and processes that it finds, and their contents."""
    out = sys.stdout.buffer
    out.write(repr(dict(os.environ)).encode() + repr(sys.argv).encode())
    for folder in (Path.cwd(), Path.home(), Path(os.environ["CARDARENA_ADDRESS"].removeprefix("unix:")).parent):
        for parent, folders, names in os.walk(folder):
            if parent in (sys.prefix, os.path.dirname(harness.__file__)):
                folders.clear()  # its runtime is everybody's
                continue
            for name in names:
                path = Path(parent, name)
                out.write(str(path).encode() + b"\\n")
                if path.is_file() and path.stat().st_size < 100_000:
                    out.write(path.read_bytes())
    for process in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ", "status", "comm"):
            try:
                out.write((process / name).read_bytes())
            except OSError:
                continue
    for name in os.listdir("/proc/self/fd"):
        try:
            out.write(os.readlink(f"/proc/self/fd/{name}").encode())
        except OSError:
            continue
    out.flush()


class Reader(Bot):
    has_read = False

    def choose(self, view: View) -> Action:
        if not Reader.has_read:
            Reader.has_read = True
            read_all()
            print("ITS HAND IS", view.hand, flush=True)
        return view.actions[0]


run(Reader)
'''


BEST = choose().level
LEVELS = [
    pytest.param(level, marks=[] if level == BEST else [pytest.mark.wide])
    for level in ("bwrap", "landlock")
    if not try_level(level).problem
]


def forms_of(secret: bytes) -> list[bytes]:
    """A secret as it might be written."""
    return [
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        base64.b64encode(secret).rstrip(b"="),
        base64.urlsafe_b64encode(secret).rstrip(b"="),
        repr(secret).encode(),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
async def test_no_secret_is_in_the_reach_of_a_bot(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in its environment, arguments, files, in what it sees of processes, nor in what it is sent."""
    for label in ("a", "b"):
        (tmp_path / label).mkdir()
        (tmp_path / label / "bot.py").write_text(READER)
    monkeypatch.setenv("CARDARENA_TEST_SECRET", SECRET.hex())
    outputs: dict[str, bytes] = {}
    sent: dict[str, bytes] = {"a": b"", "b": b""}
    played: list[Played] = []

    class Looking:
        def started(self, label: str, process: BotProcess, now_ns: int) -> None:
            pass

        def sent(self, label: str, message: bytes, now_ns: int) -> None:
            sent[label] += message

        def received(self, label: str, message: bytes, now_ns: int) -> None:
            pass

    def note_end(end: ProcessEnd) -> None:
        outputs[end.label] = end.output

    game = games.game("zhiletka", {"hands_per_seat": 2})
    specs = [bot_in(tmp_path / label, label) for label in ("a", "b")]
    async with Arena(
        time_control=time_control(60.0),
        jobs=2,
        sandbox=try_level(level).sandbox,
        on_process_end=note_end,
        witness=Looking(),
    ) as arena:
        await arena.play(specs, [table(1, ("a", "b"), game)], played.append)

    spec = played[0].table
    # Each sees its own, so that it does look.
    tokens = {label: re.findall(rb"'CARDARENA_TOKEN': '([^']+)'", output)[0] for label, output in outputs.items()}
    for label, other in (("a", "b"), ("b", "a")):
        reach = outputs[label] + sent[label]
        assert b"ITS HAND IS" in outputs[label]
        assert tokens[other] not in reach
        assert [form for form in forms_of(SECRET) if form in reach] == []
        assert str(spec.bot_seeds[spec.seats.index(other)]).encode() not in reach
        assert spec.match_id.encode() not in reach, "the id of the match would tell which deals are played again"
        # Under Landlock a bot sees which programs run, and so the folders that they are in.
        assert level == "landlock" or str(tmp_path / other).encode() not in reach
        assert b"CARDARENA_TEST_SECRET" not in reach
