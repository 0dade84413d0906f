"""What is shipped is complete: the wheel works outside the checkout, the pins hold, the versions agree."""

import json
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.sources import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _build(target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_the_wheel_holds_the_packages_with_their_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    assert {"harness/py.typed", "ladder/py.typed", "harness/wire/arena_pb2.py", "harness/wire/arena_pb2.pyi"} <= names
    assert {name.split("/")[0] for name in names} == {
        "harness",
        "ladder",
        "sample_bots",
        f"cardarena-{PROJECT['version']}.dist-info",
    }


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_sample_bots(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    paths = [path.relative_to(ROOT) for path in (ROOT / "sample_bots").rglob("*") if path.is_file()]
    files = {str(path) for path in paths if not any(part.startswith((".", "__pycache__")) for part in path.parts)}
    assert "sample_bots/random/bot.toml" in files
    assert files <= names


@pytest.mark.slow
def test_the_wheel_holds_what_new_copies(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    templates = [ROOT / "harness/workshop" / name for name in ("scaffolds", "ladder_template")]
    paths = [path for folder in templates for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    files = {str(path.relative_to(ROOT)) for path in paths}
    assert "harness/workshop/scaffolds/node/package.json" in files
    assert "harness/workshop/ladder_template/.github/workflows/ladder.yml" in files
    assert files <= names


@pytest.mark.slow
def test_the_wheel_holds_every_fault_bot(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    folder = ROOT / "tests" / "fault_bots"
    files = [path for path in folder.glob("*/*/*") if path.is_file()]
    assert {f"harness/doctor/bots/{path.relative_to(folder)}" for path in files} <= names
    assert not [name for name in names if "__pycache__" in name]


@pytest.mark.slow
def test_the_source_distribution_holds_what_building_and_testing_need(tmp_path: Path) -> None:
    with tarfile.open(_build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    needed = "Makefile LICENSE README.md constraints.txt buf.yaml protos/cardarena/v1/arena.proto tests/conftest.py"
    assert set(needed.split()) <= names


@pytest.mark.wide
def test_the_installed_wheel_works_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Its dependencies are borrowed from this environment by a line of path, so that no network is needed."""
    env_folder = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(env_folder)], check=True)
    python = env_folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    borrowed = env_folder / "lib" / version / "site-packages" / "borrowed.pth"
    borrowed.write_text(sysconfig.get_path("purelib") + "\n")

    def run(*command: str) -> str:
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    where = "import harness, ladder, sample_bots; print(*harness.__path__, *ladder.__path__, *sample_bots.__path__)"
    for place in run(str(python), "-P", "-c", where).split():
        assert Path(place).is_relative_to(env_folder)
    cardarena = str(env_folder / "bin" / "cardarena")
    assert "demo" in run(cardarena, "--help")
    # Without a sandbox: what is borrowed lies in a folder that no sandbox would show.
    match = ("match", "zhiletka", "sample:random", "sample:stateless", "--seed", "1", "--json", "--sandbox", "none")
    assert "points" in run(cardarena, *match)
    doctor = ("doctor", "--bots", "--sandbox", "none", "crash_in_move", "--json", "--quiet")
    assert json.loads(run(cardarena, *doctor))["bots"][0]["ok"]


def test_every_dependency_is_pinned_to_a_version_that_its_range_allows() -> None:
    pins = dict(re.findall(r"^([a-z0-9-]+)==([^\s#]+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE))
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["test"], *extras["dev"]]
    names = {re.split(r"[\[<>=~! ]", requirement)[0].lower() for requirement in wanted} - {"cardarena"}

    assert names - set(pins) == set()
    assert pins["grpcio-tools"] == "1.81.1", "newer generated code does not load on the oldest protobuf of the range"


def test_constraints_hold_names_and_versions_alone() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]

    assert [line for line in pins if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []
    assert pins == sorted(set(pins), key=lambda line: line.split("==")[0])


def test_the_changelog_knows_this_version_or_what_comes_after_it() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()

    assert "## [Unreleased]" in text or f"## [{PROJECT['version']}]" in text
