"""Sites of strangers: whatever is done to the files of a true one, `verify`, `publish` and `import` say a line each."""

import gzip
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.cup import from_pinned
from harness.errors import HarnessError
from harness.intake import take_in, take_sheets
from harness.printable import printable
from harness.publish import publish
from harness.published import SiteDifference, verify_site
from harness.sources import sources_at
from harness.store.ledger import Ledger
from harness.store.sheets import KeptRuntime, KeptSheet, Sheets
from ladder.errors import LadderError
from tests.played_cups import Skilled, played_cup

pytestmark = pytest.mark.slow

FEEDS = ("site.json", "rounds.json", "matches.jsonl.gz", "ladder.json", "ladder.csv", "sheet.json")
_DEEP = b"[" * 100_000
_STRANGE: list[object] = [
    *(None, True, False, -1, 0, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, 1e308, float("nan"), float("inf")),
    *("", "\0", "a\0b", "\ud800", "\udcff", "..", "../x", "/etc/passwd", "a/../../b", "\x1b[2J", "x" * 5000),
    *("\u202e", "\r\n", "00", "NaN", "-1", [], {}, [[]], [None], {"": None}, [[[[]]]]),
]
_SHEET = KeptSheet((("machine", "Linux"),), (KeptRuntime("python", "3.12.1", ("numpy 2.0.1",)),))


class Kept:
    """A site as it was published, and the cup that it is of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger, self.cup = played_cup(
            folder, ("amber", "birch", "cedar"), Skilled(fault_every=5), game="zhiletka", seats=2, matches=6
        )
        (row,) = self.ledger.rounds(self.cup.name)
        self.sheets = Sheets(folder / "sheets")
        self.sheets.keep(row, _SHEET)
        publish(self.ledger, folder / "site", [self.cup], self.sheets)

    def site(self, name: str, data: bytes) -> Path:
        """A copy of the site in which the file `name` holds `data`."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder / "site", copy)
        (copy / name).write_bytes(data)
        return copy

    def text(self, name: str) -> bytes:
        """What a feed holds, unpacked."""
        data = (self.folder / "site" / name).read_bytes()
        return gzip.decompress(data) if name.endswith(".gz") else data


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    found = Kept(tmp_path_factory.mktemp("kept"))
    with found.ledger:
        yield found


def _short(value: object) -> str:
    return repr(value)[:20]


def survive(kept: Kept, site: Path) -> None:
    """Whoever reads `site` does it, or says in one line why not."""
    _survives(lambda: verify_site(site))
    _survives(lambda: publish(kept.ledger, site, [kept.cup], kept.sheets))


def survive_import(kept: Kept, site: Path) -> None:
    home = kept.folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()

    def imported() -> None:
        sources = sources_at(site)
        with Ledger(home / "arena.db", create=True) as ledger:
            take_in(ledger, sources)
            take_sheets(ledger, Sheets(home / "sheets"), sources)
            cups = [from_pinned(ledger.rounds(row.cup)[-1].settings, source="test") for row in ledger.cups()]
            publish(ledger, home / "site", cups, Sheets(home / "sheets"))

    _survives(imported)


def _survives(read: Callable[[], object]) -> None:
    try:
        read()
    except (HarnessError, LadderError, SiteDifference) as error:
        said = printable(str(error))
        said.encode()
        assert said
        assert "\n" not in said


def _places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where in a JSON value something stands."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*path, key))


def _with(value: Any, path: tuple[str | int, ...], change: Callable[[Any], object]) -> Any:
    """`value` with what stands at `path` changed."""
    if not path:
        return change(value)
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _with(value[path[0]], path[1:], change)
    return copy


@st.composite
def _damage(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """Something that may befall the text of a feed."""
    where, strange = draw(st.floats(0, 1, exclude_max=True)), draw(st.sampled_from(_STRANGE))
    kind = draw(st.sampled_from(["value", "value", "value", "key", "gone", "cut", "bytes", "deep", "twice"]))

    def damaged(text: bytes) -> bytes:
        at = int(where * len(text))
        match kind:
            case "cut":
                return text[:at]
            case "bytes":
                return text[:at] + json.dumps(strange).encode()[1:] + text[at + 3 :]
            case "deep":
                return text[:at] + _DEEP + text[at:]
            case "twice":
                return text + text
        lines = text.splitlines(keepends=True)
        try:
            lines, number, value = [text], 0, json.loads(text)
        except ValueError:
            number = int(where * len(lines))
            try:
                value = json.loads(lines[number])
            except ValueError:  # CSV
                return text.replace(b",", str(strange).encode("utf-8", "replace") + b",", 3)
        places = list(_places(value))
        path = places[int(where * len(places))]
        if kind != "value" and path and isinstance(path[-1], str):
            changed = _with(value, path[:-1], lambda found: _other_key(found, path[-1], strange, kind))
        else:
            changed = _with(value, path, lambda found: strange)
        lines[number] = json.dumps(changed).encode() + b"\n"
        return b"".join(lines)

    return damaged


def _other_key(members: Mapping[str, object], key: object, strange: object, kind: str) -> object:
    kept = {name: value for name, value in members.items() if name != key}
    return kept if kind == "gone" else {**kept, str(strange): members[str(key)]}


@given(name=st.sampled_from(FEEDS), damage=_damage())
@settings(max_examples=60)
def test_whatever_is_done_to_a_feed_is_told_in_a_line(kept: Kept, name: str, damage: Callable[[bytes], bytes]) -> None:
    data = damage(kept.text(name))
    site = kept.site(name, gzip.compress(data, 1, mtime=0) if name.endswith(".gz") else data)

    if name not in ("site.json", "ladder.json", "ladder.csv"):
        survive_import(kept, site)
    survive(kept, site)


@pytest.mark.parametrize("strange", _STRANGE, ids=_short)
def test_whatever_a_list_of_files_calls_a_file_is_told_in_a_line(kept: Kept, strange: object) -> None:
    members = json.loads(kept.text("site.json"))
    members["files"][str(strange)] = members["files"].pop("how.html")
    site = kept.site("site.json", json.dumps(members).encode())

    survive(kept, site)


@pytest.mark.parametrize("strange", [float("nan"), float("inf"), "\ud800", "a\0b", 10**400], ids=_short)
@pytest.mark.parametrize("table", ["cup", "time", "publish"])
def test_whatever_a_round_has_pinned_is_told_in_a_line(kept: Kept, table: str, strange: object) -> None:
    members = json.loads(kept.text("rounds.json"))
    pinned = members["rounds"][0]["settings"].setdefault(table, {})
    for key in [*pinned, "unheard-of"]:
        before = pinned.get(key)
        pinned[key] = strange
        survive_import(kept, kept.site("rounds.json", json.dumps(members).encode()))
        pinned[key] = before


@pytest.mark.parametrize("anchor", [99_999.0, -1e5, 1e17, 1e308, float("nan"), float("inf")])
def test_an_anchor_of_any_size_is_shown_or_refused_in_a_line(kept: Kept, anchor: float) -> None:
    members = json.loads(kept.text("rounds.json"))
    members["rounds"][0]["entries"][0]["anchor_elo"] = anchor
    site = kept.site("rounds.json", json.dumps(members).encode())

    survive_import(kept, site)
    survive(kept, site)
    if abs(anchor) <= 1e5:
        assert (kept.folder / "home" / "site" / "index.html").is_file()


def test_of_a_ladder_no_more_is_read_than_ours_could_have(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.published.MOST_CHARACTERS", 100)

    with pytest.raises(SiteDifference, match=r"ladder\.json: cannot be read"):
        verify_site(kept.folder / "site")


@pytest.mark.parametrize("name", FEEDS)
def test_a_pipe_in_place_of_a_feed_keeps_nobody_waiting(kept: Kept, name: str) -> None:
    site = kept.site(name, b"")
    (site / name).unlink()
    os.mkfifo(site / name)

    if name != "site.json":
        survive_import(kept, site)
        _survives(lambda: verify_site(site))
    else:
        survive(kept, site)
