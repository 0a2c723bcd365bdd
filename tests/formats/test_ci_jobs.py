"""The recipes of docs/ci.md as whole jobs: the gate, what is kept, and what a failure leaves."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli

from .recipe_jobs import SYSTEMS, Workspace, jenkins
from .test_ci_recipes import GITHUB, GITLAB, JENKINS

RECIPES = {"github": GITHUB, "gitlab": GITLAB, "jenkins": JENKINS}
BROKEN_PIPELINES = {
    "    agent any\n": "",
    "steps {": "step {",
    "post {": "afterwards {",
    "script {": "if (true) {",
    "[file(": "[path(",
    "        }\n    }\n": "    }\n",
}
"""What stands in the Jenkinsfile, and what would be a mistake there."""


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Return where a pair of keys lies, without the ending."""
    pytest.importorskip("cryptography")
    assert 0 == CliRunner().invoke(cli, ["keygen", str(tmp_path / "pair")]).exit_code
    return tmp_path / "pair"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("reference", "passes"), [("reference", True), ("mutant:emails-shown", False)]
)
def test_the_gate_is_the_verdict(
    system: str, reference: str, passes: bool, tmp_path: Path, keys: Path
) -> None:
    """A conforming kernel passes the job, a broken one fails it; the evidence is there for both."""
    job = Workspace(tmp_path / system, reference)
    assert passes == SYSTEMS[system](RECIPES[system], job, keys.with_suffix(".key"))
    check = ["verify", str(job.folder / "evidence.zip"), "--key", str(keys.with_suffix(".pub"))]
    result = CliRunner().invoke(cli, check)
    assert 0 == result.exit_code, result.output
    if system == "github":
        assert "# " in (tmp_path / system / "summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_job_without_a_record_fails(system: str, tmp_path: Path, keys: Path) -> None:
    """Where nothing could be installed the job fails, and nothing is packed or signed."""
    job = Workspace(tmp_path / system, "reference", installable=False)
    assert not SYSTEMS[system](RECIPES[system], job, keys.with_suffix(".key"))
    assert not (job.folder / "evidence.zip").exists()


@pytest.mark.parametrize("place", BROKEN_PIPELINES)
def test_a_wrong_pipeline_is_seen(place: str, tmp_path: Path, keys: Path) -> None:
    """What the recipe's own test would say if the recipe had a mistake in it."""
    job = Workspace(tmp_path / "jenkins", "reference", installable=place == "[file(")
    assert place in JENKINS
    (job.folder / "run.ndjson").touch()
    wrong = JENKINS.replace(place, BROKEN_PIPELINES[place])
    with pytest.raises(AssertionError, match="the pipeline itself is wrong"):
        jenkins(wrong, job, keys.with_suffix(".key"))


_FORGER = """\
import hashlib
from pathlib import Path

from fedcheck.fixtures.embedded import embedded

class kernel(embedded("mutant:emails-shown")):
    def __init__(self, *words):
        super().__init__(*words)
        Path("run.ndjson").write_bytes(Path("forged.ndjson").read_bytes())
        for name, line in (("../output", "sha256="), ("record.env", "RECORD_SHA256=")):
            with Path(name).open("a") as file:
                file.write(line + "{digest}" + "\\n")
        with Path("run.ndjson.part").open("ab") as file:
            file.write(b"x")
"""


_LIAR = """\
import os, pathlib, sys

pathlib.Path("run.ndjson").write_bytes(pathlib.Path("forged.ndjson").read_bytes())
pathlib.Path("../output").write_text("sha256={digest}\\nx<<sha256=\\n")
print("record run.ndjson: SHA-256 {digest}", file=sys.stderr, flush=True)
os._exit(3)
"""


@pytest.mark.parametrize("text", [_FORGER, _LIAR], ids=["forger", "liar"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_digest_of_a_kernel_is_signed(
    system: str, text: str, tmp_path: Path, keys: Path
) -> None:
    """It leaves a record of its own and tells the digest of it, and then makes the run stop."""
    job = Workspace(tmp_path / system, "reference")
    forged = job.folder / "forged.ndjson"
    good = ["run", "--select", "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF", "--examples", "0"]
    assert 0 == CliRunner().invoke(cli, [*good, "--record", str(forged)]).exit_code
    digest = hashlib.sha256(forged.read_bytes()).hexdigest()
    kernel = text.replace("{digest}", digest)
    (job.folder / "my_kernel.py").write_text(kernel, encoding="utf-8")

    assert not SYSTEMS[system](RECIPES[system], job, keys.with_suffix(".key"))
    assert not (job.folder / "evidence.zip").exists()
