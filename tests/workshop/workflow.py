"""A workflow of a hosting service, read as far as ours are written, and played here: a job in a clone of its own."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.command import environment

TIMEOUT_S = 300


@dataclass
class Step:
    """One step: a script, or an action with its inputs."""

    name: str = ""
    uses: str = ""
    script: str = ""
    condition: str = ""
    inputs: dict[str, str] = field(default_factory=dict)


@dataclass
class Job:
    """One job."""

    needs: str = ""
    permissions: dict[str, str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)


def read_workflow(text: str) -> dict[str, Job]:
    """The jobs of a workflow, in order. Knows what our template uses of YAML: indented keys, lists, `|` blocks."""
    lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    _, *parts = re.split(r"(?m)^  (\w+):\n", "\n".join(lines[lines.index("jobs:") + 1 :]) + "\n") or [""]
    return {name: _job(body) for name, body in zip(parts[::2], parts[1::2], strict=True)}


def _job(body: str) -> Job:
    head, _, steps = body.partition("    steps:\n")
    keys = dict(re.findall(r"(?m)^ +([\w-]+): (\S.*)$", head))
    permissions = re.search(r"(?m)^    permissions:\n((?:      .*\n)+)", head)
    return Job(
        needs=keys.get("needs", ""),
        permissions={} if permissions is None else dict(re.findall(r"([\w-]+): (\w+)", permissions[1])),
        steps=[_step(part) for part in re.split(r"(?m)^      - ", steps)[1:]],
    )


def _step(text: str) -> Step:
    keys = dict(re.findall(r"(?m)^(?:        )?(name|uses|run|if): ([^|\n].*)$", text))
    block = re.search(r"(?m)^        run: \|\n((?:          .*\n?)+)", text)
    return Step(
        name=keys.get("name", ""),
        uses=keys.get("uses", ""),
        script=keys.get("run", "") if block is None else re.sub(r"(?m)^          ", "", block[1]),
        condition=keys.get("if", ""),
        inputs=dict(re.findall(r"(?m)^          ([\w-]+): (.+)$", text)),
    )


class Service:
    """The hosting service: a repository, and what jobs leave for each other. All of it below `folder`."""

    def __init__(self, folder: Path, repository: Path) -> None:
        self.folder = folder
        self.repository = repository
        self.run_count = 0

    def run(self, jobs: dict[str, Job], *, skip: str, inputs: dict[str, str] | None = None) -> Iterator[str]:
        """Plays all jobs, without the steps called `skip`; yields what each script printed."""
        self.run_count += 1
        artifacts = self.folder / f"artifacts-{self.run_count}"
        for name, job in jobs.items():
            clone = self.folder / f"{name}-{self.run_count}"
            for step in job.steps:
                if step.name == skip:
                    continue
                if step.uses.startswith("actions/checkout@"):
                    git("clone", "--quiet", str(self.repository), str(clone), folder=self.folder)
                elif step.uses.startswith("actions/upload-artifact@"):
                    shutil.copytree(clone / step.inputs["path"], artifacts / step.inputs["name"])
                elif step.uses.startswith("actions/download-artifact@"):
                    shutil.copytree(artifacts / step.inputs["name"], clone / step.inputs["path"])
                elif step.script and self._is_due(step, inputs or {}):
                    yield _script(step.script, clone, inputs or {})
                else:
                    assert not step.uses, f"nothing is known here of {step.uses}"

    @staticmethod
    def _is_due(step: Step, inputs: dict[str, str]) -> bool:
        return not step.condition or bool(inputs.get(step.condition.removeprefix("inputs.")))


def git(*words: str, folder: Path) -> str:
    """Runs git; what it printed."""
    name = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    done = subprocess.run(["git", *name, *words], cwd=folder, capture_output=True, text=True, check=True, env=_plain())
    return done.stdout.strip()


def _plain() -> dict[str, str]:
    """No settings of whoever runs the tests."""
    ours = {key: value for key, value in environment().items() if not key.startswith("GIT_")}
    return ours | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def _script(script: str, folder: Path, inputs: dict[str, str]) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = _plain() | {"PATH": path} | {name.upper(): value for name, value in inputs.items()}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr
