"""Runs the recipes of docs/ci.md as their CI systems would, step by step, in an empty folder.

Nothing is installed: the ``python`` of the job takes the two commands that the recipes give it
and, for the second, puts the fedcheck under test where the real installation would.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .schemas import unavailable

_FEDCHECK = f'#!/bin/sh\nexec {sys.executable} -m fedcheck "$@"\n'
_PYTHON = """#!/bin/sh
case "$*" in
"-I -m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
"-I -m pip install wheels/fedcheck"*"[sign]") exec cp "$READY/fedcheck" "$(dirname "$0")" ;;
*) echo "python of the test: unexpected: $*" >&2; exit 64 ;;
esac
"""
_KERNEL = """\
from fedcheck.fixtures.embedded import embedded

kernel = embedded({reference!r})
"""
_NARROW = 'select = ["I-FACT-LEDGER-PII-MASK-DEFAULT-OFF"]\nexamples = 2\n'
_OUTPUT = "${{ steps.judge.outputs.sha256 }}"
_NEEDS = "${{ always() && needs.conformance.outputs.sha256 != '' }}"
_DIGEST = re.compile(r"^record run\.ndjson: SHA-256 ([0-9a-f]{64})$", re.MULTILINE)
_GUARD = re.compile(r"\$\{\{ always\(\) && hashFiles\('([^']+)'\) != '' \}\}")


class Workspace:
    """The folder of a job, with a kernel in it, and what the job sees around it.

    Attributes:
        folder: where the job's steps run.
        said: what the last step wrote.
        environment: the environment of every step.
    """

    def __init__(self, outside: Path, reference: str, *, installable: bool = True) -> None:
        """Prepare a checkout that holds a kernel, and the programs of its image."""
        self._outside, self._reference = outside, reference
        tools, ready = outside / "bin", outside / "ready"
        for place in (tools, ready):
            place.mkdir(parents=True)
        for name in ("python", "python3"):
            _program(tools / name, _PYTHON)
        if installable:
            _program(ready / "fedcheck", _FEDCHECK)
        self.environment = {**os.environ, "READY": str(ready), "HOME": str(outside)}
        self.environment["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"
        self.environment.pop("FEDCHECK_SECRET_KEY", None)
        self.folder = self.checkout("job")
        self.said = ""

    def checkout(self, name: str) -> Path:
        """Return a new folder with what the repository holds."""
        folder = self._outside / name
        folder.mkdir()
        text = _KERNEL.format(reference=self._reference)
        (folder / "my_kernel.py").write_text(text, encoding="utf-8")
        (folder / "fedcheck.toml").write_text(_NARROW, encoding="utf-8")
        return folder

    def shell(self, *command: str, folder: Path | None = None, **more: str) -> int:
        """Run a step and return its exit code."""
        done = subprocess.run(
            command,
            cwd=folder or self.folder,
            env=self.environment | more,
            capture_output=True,
            text=True,
            check=False,
        )
        self.said = done.stdout + done.stderr
        sys.stdout.write(self.said)
        return done.returncode


def _program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def read_yaml(text: str) -> Any:
    """Return a YAML document; skip where nothing can read one, except in CI."""
    try:
        from ruamel.yaml import YAML
    except ImportError:
        unavailable("ruamel.yaml is not installed: pip install 'fedcheck[test]'")
    return YAML(typ="safe").load(text)


def github(recipe: str, job: Workspace, secret: Path) -> bool:
    """Run both jobs as GitHub does and return whether they succeeded.

    The second gets the artifact and the outputs of the first, and nothing else; only there may
    the secret be used.
    """
    jobs = read_yaml(recipe)["jobs"]
    job.environment["GITHUB_STEP_SUMMARY"] = str(job.folder.parent / "summary.md")
    first = _GitHubJob(job, job.folder, {})
    good = first.run(jobs["conformance"])
    second = jobs["evidence"]
    assert ("conformance", _NEEDS) == (second["needs"], second["if"])
    outputs = {
        f"needs.conformance.outputs.{name}": first.known[text]
        for name, text in jobs["conformance"]["outputs"].items()
    }
    if not all(outputs.values()):
        return False
    folder = job.checkout("evidence")
    known = {f"${{{{ {name} }}}}": value for name, value in outputs.items()}
    known["${{ secrets.FEDCHECK_SECRET_KEY }}"] = secret.read_text(encoding="ascii")
    packed = _GitHubJob(job, folder, known).run(second)
    shutil.copy(folder / "evidence.zip", job.folder)
    return good and packed


class _GitHubJob:
    """A job in a folder, and the values that its expressions may name.

    A step runs if nothing failed before it, or if its condition says ``always()`` and the file
    that it names is there. Every file that an action is given has to exist.
    """

    def __init__(self, workspace: Workspace, folder: Path, known: dict[str, str]) -> None:
        self._workspace, self._folder = workspace, folder
        self._artifacts = workspace.folder.parent / "artifacts"
        self.known = {_OUTPUT: "", **known}

    def run(self, job: Mapping[str, Any]) -> bool:
        """Run its steps; return whether all succeeded."""
        good = True
        for step in job["steps"]:
            guard = _GUARD.fullmatch(step.get("if", ""))
            assert guard or "if" not in step, f"a condition that no test can read: {step['if']}"
            if not ((self._folder / guard[1]).exists() if guard else good):
                continue
            if "run" in step:
                good = self._shell(step) and good
            else:
                self._use(step["uses"], step.get("with", {}))
        return good

    def _shell(self, step: Mapping[str, Any]) -> bool:
        output = self._folder.parent / "output"
        output.touch()
        given = {name: self.known[text] for name, text in step.get("env", {}).items()}
        code = self._workspace.shell(
            *("bash", "-e", "-c", step["run"]),
            folder=self._folder,
            GITHUB_OUTPUT=str(output),
            **given,
        )
        for line in output.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.known[f"${{{{ steps.{step['id']}.outputs.{name} }}}}"] = value
        output.unlink()
        return not code

    def _use(self, action: str, given: Mapping[str, str]) -> None:
        named = given["sarif_file"] if "sarif_file" in given else given.get("path", "")
        for name in named.split():
            assert (self._folder / name).is_file(), f"{action}: no {name}"
        if "artifact@" in action:
            store = self._artifacts / given["name"]
            if "download" in action:
                shutil.copytree(store, self._folder, dirs_exist_ok=True)
                return
            store.mkdir(parents=True)
            for name in named.split():
                shutil.copy(self._folder / name, store)


def gitlab(recipe: str, first: Workspace, secret: Path) -> bool:
    """Run both jobs as GitLab does; the second gets the artifacts of the first and nothing else."""
    jobs = read_yaml(recipe)
    good = _script(jobs["conformance"], first, first.folder)
    second = first.checkout("evidence")
    told = jobs["conformance"]["artifacts"]
    for name in told["paths"]:
        if (first.folder / name).is_file():
            shutil.copy(first.folder / name, second / name)
            reports = (first.folder / report for report in told["reports"].values())
            assert not good or all(report.is_file() for report in reports)
    assert "always" == jobs["evidence"]["when"] == told["when"]
    variables = first.folder / told["reports"]["dotenv"]
    for line in variables.read_text(encoding="utf-8").splitlines() if variables.exists() else ():
        name, _, value = line.partition("=")
        first.environment[name] = value
    first.environment["FEDCHECK_SECRET_KEY"] = str(secret)
    packed = _script(jobs["evidence"], first, second)
    assert packed == all(
        (second / name).is_file() for name in jobs["evidence"]["artifacts"]["paths"]
    )
    if packed:
        shutil.copy(second / "evidence.zip", first.folder)
    return good and packed


def _script(job: Mapping[str, Any], workspace: Workspace, folder: Path) -> bool:
    lines = "\n".join(job["script"])
    return not workspace.shell("bash", "-eo", "pipefail", "-c", lines, folder=folder)


OF_ANOTHER_PROJECT = "\n// the other project\n"
"""Stands between the two pipelines of Jenkins."""


def jenkins(recipe: str, job: Workspace, secret: Path) -> bool:
    """Run both pipelines with Groovy and return whether neither build failed.

    The second gets what the first archived and the digest that stands last in its log.
    """
    judging, _, signing = recipe.partition(OF_ANOTHER_PROJECT)
    artifacts = job.folder.parent / "artifacts"
    artifacts.mkdir()
    job.environment["ARTIFACTS"] = str(artifacts)
    good = _pipeline(judging, job, job.folder, secret.parent / "no key is here")
    digests = _DIGEST.findall(job.said)
    if not (artifacts / "run.ndjson").exists():
        return False
    folder = job.checkout("evidence")
    job.environment["RECORD_SHA256"] = digests[-1] if digests else ""
    packed = _pipeline(signing, job, folder, secret)
    if packed:
        shutil.copy(artifacts / "evidence.zip", job.folder)
    return good and packed


def _pipeline(recipe: str, job: Workspace, folder: Path, secret: Path) -> bool:
    java, groovy = shutil.which("java"), shutil.which("groovy")
    if not java or not groovy:
        unavailable("groovy is not on PATH; install it, and a Java runtime, to run the Jenkinsfile")
    home = str(Path(java).resolve().parents[1])
    path = folder / "Jenkinsfile"
    path.write_text(recipe, encoding="utf-8")
    told = str(Path(__file__).with_name("pipeline.groovy"))
    code = job.shell("groovy", told, str(path), str(secret), folder=folder, JAVA_HOME=home)
    assert code in {0, 1}, "the pipeline itself is wrong"
    return not code


SYSTEMS: dict[str, Callable[[str, Workspace, Path], bool]] = {
    "github": github,
    "gitlab": gitlab,
    "jenkins": jenkins,
}
