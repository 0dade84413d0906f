"""A headless chromium and sites to look at, opened as files and over http. Skipped where there is no chromium."""

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from harness.publish import publish
from harness.rulings import voids, withdrawals
from ladder.site.folder import write_site
from ladder.site.pages import site_files
from ladder.site.values import Place
from tests.browser.windows import Window, Windows
from tests.ladder.site.made_up import HOSTILE, cup
from tests.played_cups import Skilled, played_cup
from tests.publish.conftest import Played, guillotine, zhiletka

__all__ = ["guillotine", "zhiletka"]

NOW_NS = 1_777_000_000_000_000_000
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these take their time."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def windows(folder: Path, ladder_folder: Path) -> Iterator[Windows]:
    """Opens windows of one browser.

    While it is open playwright runs an event loop in this thread and nothing else can: so the cups are played before,
    and the browser is closed at the end of each file.
    """
    pytest.importorskip("playwright", reason="playwright is not installed (pip install playwright)")
    if CHROMIUM is None:
        pytest.skip("there is no chromium (apt-get install chromium)")
    with Windows(CHROMIUM) as opened:
        yield opened


@pytest.fixture
def window(windows: Windows) -> Iterator[Window]:
    """A window of its own, which must not complain about anything."""
    with windows.open() as opened:
        yield opened


@pytest.fixture(scope="session")
def folder(guillotine: Played, zhiletka: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of Guillotine, with one of Zhiletka in `zhiletka/` beside it."""
    made = tmp_path_factory.mktemp("browser")
    for name, (ledger, played) in (("guillotine", guillotine), ("zhiletka", zhiletka)):
        publish(ledger, made / name, [played])
    return made


@pytest.fixture(scope="session")
def ladder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a cup with several rounds and several cups in the menu."""
    made = tmp_path_factory.mktemp("rounds")
    ledger, played = played_cup(made, ("ant", "bee", "cat"), Skilled(fault_every=7), matches=12)
    with ledger:
        void = voids(ledger, ["test/1/000001"], "somebody had seen the cards", at_unix_ns=NOW_NS)
        ledger.rulings.add([*void, *withdrawals(ledger, played, "cat", "plays for two teams", at_unix_ns=NOW_NS)])
        publish(ledger, made / "site", [played, played])
    return made / "site"


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site where every text that people may write tries to break out."""
    made = tmp_path_factory.mktemp("hostile")
    names = (HOSTILE, "</title><script>alert(2)</script>", "../../x")
    write_site(made, site_files([Place("", cup(names, text=HOSTILE))]))
    return made


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[str]:
    """The address of an http server that serves `folder`."""
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture(params=["file", "http"])
def address(request: pytest.FixtureRequest, folder: Path) -> str:
    """Where the sites are: in a folder, or on a server."""
    if request.param == "file":
        return folder.as_uri()
    served: str = request.getfixturevalue("server")
    return served
