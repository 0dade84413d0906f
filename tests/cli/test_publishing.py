"""`run --publish`: the site follows the cup, and nothing that goes wrong with it stops the cup."""

from pathlib import Path

import pytest

from harness.cli import publishing
from harness.cli.publishing import AT_MOST_EVERY_NS, FIRST_AFTER_NS, SHARE, SiteKeeper
from harness.published import verify_site
from tests.cli.command import Cardarena, play_without_processes, write_cup

S = 1_000_000_000


class Process:
    """A process that ends when a test says so."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.pid = 0
        self.returncode: int | None = None
        self.says = ""

    def poll(self) -> int | None:
        return self.returncode

    def wait(self) -> int | None:
        self.log.append("waited")
        self.returncode = self.returncode or 0
        return self.returncode

    def kill(self) -> None:
        self.log.append("killed")

    def communicate(self) -> tuple[None, str]:
        return None, self.says


class Bench:
    """A keeper with a clock that is a number and processes that are made up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_ns = 0
        self.log: list[str] = []
        self.processes: list[Process] = []
        self.refuses: OSError | None = None
        monkeypatch.setattr("harness.cli.publishing.time.monotonic_ns", lambda: self.now_ns)
        monkeypatch.setattr("harness.cli.publishing.subprocess.Popen", self.start)
        monkeypatch.setattr("harness.cli.publishing.os.setpriority", lambda *words: self.log.append("lowered"))
        self.keeper = SiteKeeper(Path("site"), Path("/home"), "spring", self.log.append)

    def start(self, command: list[str], **options: object) -> Process:
        if self.refuses is not None:
            raise self.refuses
        assert command[-6:] == ["publish", str(Path("site").absolute()), "spring", "--home", "/home", "--quiet"]
        self.processes.append(Process(self.log))
        return self.processes[-1]

    def look(self, after_ns: int) -> int:
        """Looks later; how many processes were started so far."""
        self.now_ns += after_ns
        self.keeper.look()
        return len(self.processes)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


def test_it_begins_when_the_cup_has_run_for_a_while_and_one_process_runs_at_a_time(bench: Bench) -> None:
    assert bench.look(FIRST_AFTER_NS - 1) == 0
    assert bench.look(1) == 1
    assert bench.look(100 * AT_MOST_EVERY_NS) == 1
    assert bench.log == ["lowered"]


def test_it_takes_a_small_share_of_the_time_at_most(bench: Bench) -> None:
    bench.look(FIRST_AFTER_NS)
    bench.processes[0].returncode = 0
    assert bench.look(10 * S) == 1
    assert bench.look((SHARE - 1) * 10 * S - 1) == 1
    assert bench.look(1) == 2
    bench.processes[1].returncode = 0
    bench.look(1 * S)
    assert bench.look(AT_MOST_EVERY_NS - 1) == 2
    assert bench.look(1) == 3


def test_what_goes_wrong_is_told_once_until_it_goes_well_again(bench: Bench) -> None:
    for says in ("cardarena: site: full\n", "cardarena: site: full\n", "", "cardarena: site: full\n"):
        bench.look(SHARE * AT_MOST_EVERY_NS)
        bench.processes[-1].returncode, bench.processes[-1].says = (2 if says else 0), says
        bench.look(0)

    told = "the site was not brought up to date: site: full; the cup goes on"
    assert [line for line in bench.log if line != "lowered"] == [told, told]


def test_a_process_that_cannot_be_started_is_told_and_tried_again_later(bench: Bench) -> None:
    bench.refuses = OSError(11, "Resource temporarily unavailable")
    bench.look(FIRST_AFTER_NS)
    bench.refuses = None

    assert bench.log == ["the site was not brought up to date: Resource temporarily unavailable; the cup goes on"]
    assert bench.look(AT_MOST_EVERY_NS - 1) == 0
    assert bench.look(1) == 1


def test_at_the_end_it_waits_and_where_the_cup_is_broken_off_it_kills(bench: Bench) -> None:
    with bench.keeper:
        bench.look(FIRST_AFTER_NS)
    with pytest.raises(KeyboardInterrupt):
        _broken_off(bench)

    assert bench.log == ["lowered", "waited", "lowered", "killed", "waited"]


def _broken_off(bench: Bench) -> None:
    with bench.keeper:
        bench.look(SHARE * AT_MOST_EVERY_NS)
        raise KeyboardInterrupt


@pytest.mark.slow
def test_the_command_that_it_starts_publishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = write_cup(tmp_path)
    home = play_without_processes(cup)
    monkeypatch.setattr(publishing, "FIRST_AFTER_NS", 0)
    told: list[str] = []
    with SiteKeeper(tmp_path / "site", home, "spring", told.append) as keeper:
        keeper.look()

    assert told == []
    assert verify_site(tmp_path / "site")[0].match_count == 12


@pytest.mark.slow
def test_a_run_ends_with_a_site_that_is_up_to_date(cardarena: Cardarena, tmp_path: Path) -> None:
    cup = write_cup(tmp_path)
    run = cardarena("run", cup, "--publish", "site")
    again = cardarena("run", cup, "--publish", "site", "--json")

    assert run.code == 0
    assert run.err.splitlines()[-1].endswith(f"written; {tmp_path / 'site/index.html'}")
    assert cardarena("verify", "site").out == "spring: 12 matches as they must be, and so is the ladder\n"
    assert ": 0 written; " in again.err
    assert again.out == cardarena("ladder", "--json").out
    sheet = (tmp_path / "site/sheet.html").read_text()
    assert "512 MB of memory, 1 core, " in sheet
    assert "<li>grpcio 1." in sheet
    assert str(tmp_path) not in sheet


def test_a_folder_that_is_not_ours_is_refused_before_anything_is_played(cardarena: Cardarena, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/thesis.tex").write_text("all of it")

    told = cardarena("run", write_cup(tmp_path), "--publish", "thesis")

    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("cardarena: thesis: holds thesis.tex and is no site of cardarena; ")
    assert not (tmp_path / ".cardarena").exists()


def test_a_full_disk_costs_the_site_and_not_the_cup(
    cardarena: Cardarena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = write_cup(tmp_path)
    play_without_processes(cup)

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    told = cardarena("run", cup, "--publish", "site")

    assert told.code == 2
    assert told.out == cardarena("run", cup).out
    assert told.err.count("\n") == 1
    assert "cannot be written (No space left on device)" in told.err
