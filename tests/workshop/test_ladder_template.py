"""`new --ladder`: the repository that it makes plays, publishes and remembers, and what may push runs no bot."""

import json
import re
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from harness.cup import read_cup
from harness.errors import HarnessError
from harness.published import verify_site
from harness.workshop.ladder_template import TEMPLATE, ladder_template
from harness.workshop.scaffold import scaffold
from tests.workshop.folders import bot_folder
from tests.workshop.workflow import Job, Service, git, read_workflow

_THINK_TIMES = re.compile(rb"<div><dt>(Think time, median|99 of 100 below|Harness late, not charged)<.*\n")
WORKFLOW = (TEMPLATE / ".github/workflows/ladder.yml").read_text()


@pytest.fixture
def jobs() -> dict[str, Job]:
    return read_workflow(WORKFLOW)


def test_it_has_a_cup_an_example_and_a_workflow(tmp_path: Path) -> None:
    made = ladder_template(tmp_path / "card-league", game="zhiletka")

    assert sorted(str(path.relative_to(tmp_path / "card-league")) for path in made) == [
        ".github/workflows/ladder.yml",
        ".gitignore",
        "README.md",
        "bots/example/beginner/README.md",
        "bots/example/beginner/bot.py",
        "bots/example/beginner/bot.toml",
        "ladder.toml",
        "requirements.txt",
    ]
    cup = read_cup(tmp_path / "card-league/ladder.toml")
    assert (cup.name, cup.title, cup.cup.game, cup.cup.bots) == (
        "card-league",
        "Card league",
        "zhiletka",
        ("submitted",),
    )

    assert f"\ncardarena=={version('cardarena')}\n" in (tmp_path / "card-league/requirements.txt").read_text()
    assert "install --quiet --requirement requirements.txt\n" in WORKFLOW


@pytest.mark.parametrize(
    ("name", "game", "said"),
    [
        ("League", "zhiletka", "the name of a ladder must be 1 to 40 of a-z"),
        ("league", "guilotine", "no game is called guilotine; did you mean guillotine?"),
        ("there", "zhiletka", "is there already; take another name"),
    ],
)
def test_what_cannot_be_made_is_said_and_leaves_nothing(tmp_path: Path, name: str, game: str, said: str) -> None:
    (tmp_path / "there").mkdir()

    with pytest.raises(HarnessError, match=said):
        ladder_template(tmp_path / name, game=game)

    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_the_job_that_runs_bots_has_nothing_that_could_push(jobs: dict[str, Job]) -> None:
    play, publish = jobs["play"], jobs["publish"]
    checkout = play.steps[0]

    assert "\npermissions: {}\n" in WORKFLOW
    assert play.permissions == {"contents": "read"}
    assert (checkout.uses, checkout.inputs["persist-credentials"]) == ("actions/checkout@v4", "false")
    assert "secrets" not in WORKFLOW
    assert "token" not in "".join(step.script for step in play.steps)
    assert publish.needs == "play"
    assert publish.permissions == {"contents": "write"}


def test_the_job_that_may_push_runs_git_alone(jobs: dict[str, Job]) -> None:
    scripts = [step.script for step in jobs["publish"].steps if step.script]

    assert len(scripts) == 1
    assert "cardarena" not in scripts[0]
    assert "pip" not in scripts[0]


def test_nothing_of_the_inputs_is_pasted_into_a_script(jobs: dict[str, Job]) -> None:
    assert not any("${{" in step.script for job in jobs.values() for step in job.steps)


def test_a_round_ends_before_its_job_does(tmp_path: Path) -> None:
    ladder_template(tmp_path / "league")
    hours = read_cup(tmp_path / "league/ladder.toml").stop.hours

    assert hours is not None
    assert f"    timeout-minutes: {round(hours * 60) + 90}\n" in WORKFLOW


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """A service with a repository that holds a small ladder."""
    work = tmp_path / "league"
    ladder_template(work, game="zhiletka")
    cup = work / "ladder.toml"
    text = cup.read_text().replace("seats = 4", "seats = 2").replace("matches_per_bot = 96", "matches_per_bot = 4")
    cup.write_text(text.replace("ranked_after = 24", "ranked_after = 2"))
    git("init", "--quiet", "--bare", "--initial-branch=main", str(tmp_path / "origin.git"), folder=tmp_path)
    git("init", "--quiet", "--initial-branch=main", folder=work)
    git("remote", "add", "origin", str(tmp_path / "origin.git"), folder=work)
    push(work)
    return Service(tmp_path, tmp_path / "origin.git")


def push(work: Path) -> None:
    git("add", "--all", folder=work)
    git("commit", "--quiet", "--message", "Change", folder=work)
    git("push", "--quiet", "origin", "main", folder=work)


def site_of(service: Service) -> Path:
    """What the branch `site` holds now."""
    site = service.folder / f"site-{service.run_count}"
    git("clone", "--quiet", "--branch", "site", str(service.repository), str(site), folder=service.folder)
    return site


@pytest.mark.wide
@pytest.mark.timeout(600)
def test_the_workflow_plays_publishes_remembers_and_is_idempotent(service: Service, jobs: dict[str, Job]) -> None:
    work = service.folder / "league"
    list(service.run(jobs, skip="Install"))
    first = site_of(service)
    said = "".join(service.run(jobs, skip="Install"))
    second = site_of(service)
    thief = bot_folder(work / "bots/a-thief", "beginner", version="9.0")
    scaffold(work / "bots/other/owl", games=("zhiletka",))
    push(work)
    third_said = "".join(service.run(jobs, skip="Install"))
    third = site_of(service)
    shutil.rmtree(thief)
    push(work)
    list(service.run(jobs, skip="Install", inputs={"retire": "owl"}))
    fourth = site_of(service)
    list(service.run(jobs, skip="Install"))
    fifth = site_of(service)

    # The second run plays nothing, and every word of the ladder is the same.
    assert "nothing to play" in said
    assert "sheet.html" in files_of(first)
    assert files_of(second) == files_of(first)
    # A late entry plays a second round, and the first is still there. Nobody takes the name of another.
    assert "beginner belongs to example, who submitted it first" in third_said
    rounds = [json.loads((site / "rounds.json").read_text())["rounds"] for site in (first, third)]
    assert rounds[1][0] == rounds[0][0]
    assert len(rounds[1]) == 2
    assert bots(third) == {"beginner", "owl", "stateless"}
    # A retirement lasts, though nothing is kept but the site.
    assert bots(fourth) == bots(fifth) == {"beginner", "stateless"}
    (checked,) = verify_site(fifth)
    assert checked.match_count == sum(row["match_count"] for row in rounds[1])
    assert git("rev-list", "--count", "HEAD", folder=fifth) == "1"


def files_of(site: Path) -> dict[str, bytes]:
    """Every file of a site, but what git keeps there, and without what a home alone knows: how long its bots thought.

    Times stand beside the records in a ledger and are in no feed. `site.json` has the hashes of pages that tell them.
    """
    found = {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    told = {name: data for name, data in found.items() if not name.startswith(".git/") and name != "site.json"}
    return {name: _THINK_TIMES.sub(b"", data) if name.startswith("bots/") else data for name, data in told.items()}


def bots(site: Path) -> set[str]:
    return {row["bot"] for row in json.loads((site / "ladder.json").read_text())["bots"]}
