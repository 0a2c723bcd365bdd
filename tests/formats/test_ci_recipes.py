"""The recipes of docs/ci.md: valid for their CI systems, and every command in them works."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli

from .recipe_jobs import OF_ANOTHER_PROJECT
from .schemas import REPOSITORY, unavailable

PAGE = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
GITHUB, GITLAB, JUDGING, SIGNING, CONTAINER, SHARDS, CLUSTER, RESUMING, REST = (
    text for _, text in re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
)
JENKINS = f"{JUDGING}{OF_ANOTHER_PROJECT}{SIGNING}"
SCHEMAS = {"vendor.github-workflows": GITHUB, "vendor.gitlab-ci": GITLAB}


def commands(*recipes: str) -> list[list[str]]:
    """Return the arguments of every call of fedcheck in recipes, in order."""
    text = re.sub(r"\\\n\s*|\n\s*(?=--)", " ", "".join(recipes))
    text = re.sub(r" 2>&1 >&3 \|$", "", text, flags=re.MULTILINE)
    found = re.findall(r"fedcheck (?:run|bundle|report) [^\n]*", text)
    return [shlex.split(line.removesuffix("'"))[1:] for line in found]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_pipeline_is_valid(name: str, tmp_path: Path) -> None:
    """The published schema of the CI system accepts it."""
    if importlib.util.find_spec("check_jsonschema") is None:
        unavailable("check-jsonschema is not installed: pip install 'fedcheck[test]'")
    path = tmp_path / "pipeline.yml"
    path.write_text(SCHEMAS[name], encoding="utf-8")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", name, str(path)]
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert 0 == run.returncode, run.stdout + run.stderr
    path.write_text(SCHEMAS[name].replace("    - ", "    - unknown: [1]\n    - ", 1))
    run = subprocess.run(check, capture_output=True, text=True, check=False)
    assert 1 == run.returncode, "the schema was not really asked"


@pytest.mark.parametrize(
    ("recipe", "files"),
    [
        (GITHUB, ["annotations.txt", "summary.md", "fedcheck.sarif", "evidence.zip"]),
        (GITLAB, ["junit.xml", "gl-code-quality-report.json", "evidence.zip"]),
        (JENKINS, ["junit.xml", "evidence.zip"]),
    ],
    ids=["github", "gitlab", "jenkins"],
)
def test_every_command_does_what_the_recipe_counts_on(
    recipe: str, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a broken kernel the gate is closed, and every file is written and can be verified."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert 0 == runner.invoke(cli, ["keygen", "k"]).exit_code
    values = {"my_kernel:kernel": "mutant:emails-shown", "$FEDCHECK_SECRET_KEY": "k.key"}
    values["$SECRET_KEY"] = "k.key"
    monkeypatch.setenv("FEDCHECK_SECRET_KEY", Path("k.key").read_text())
    narrow = ["--select", "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF", "--examples", "2"]
    codes: dict[str, int] = {}
    for arguments in commands(recipe):
        if Path("run.ndjson").exists():
            values["$RECORD_SHA256"] = hashlib.sha256(Path("run.ndjson").read_bytes()).hexdigest()
        real = [values.get(x, x) for x in arguments] + (narrow if arguments[0] == "run" else [])
        result = runner.invoke(cli, real)
        codes[arguments[0]] = result.exit_code
        assert "could not be written" not in result.output
    assert {"run": 1, "bundle": 0} == codes
    assert [] == [name for name in files if not Path(name).stat().st_size]
    assert 0 == runner.invoke(cli, ["verify", "evidence.zip", "--key", "k.pub"]).exit_code
    _is_red({path.name: path.read_text() for path in map(Path, files[:-1])})


@pytest.mark.parametrize("recipe", [GITHUB, GITLAB, JENKINS], ids=["github", "gitlab", "jenkins"])
def test_every_recipe_demands_what_the_kernel_is_for(recipe: str) -> None:
    """A kernel that lost a claim would stay green."""
    runs = [arguments for arguments in commands(recipe) if arguments[0] == "run"]

    assert [True] * len(runs) == ["--must-claim" in arguments for arguments in runs] != []


def _is_red(files: dict[str, str]) -> None:
    clause = "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/masked-unless-true"
    if "annotations.txt" in files:
        assert files["annotations.txt"].startswith(f"::error title={clause}%3A fail::")
        results = json.loads(files["fedcheck.sarif"])["runs"][0]["results"]
        assert clause in {result["ruleId"] for result in results}
        assert clause in files["summary.md"]
    if "gl-code-quality-report.json" in files:
        issues = json.loads(files["gl-code-quality-report.json"])
        assert "critical" == issues[0]["severity"]
    if "junit.xml" in files:
        root = ET.fromstring(files["junit.xml"])  # noqa: S314  our own document
        assert int(root.get("failures", "0")) > 0


def test_reports_can_be_made_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command below the table writes one file for each format."""
    from fedcheck.reports.record.sample import sample_record
    from fedcheck.reports.record.writer import write_record

    monkeypatch.chdir(tmp_path)
    write_record("run.ndjson", sample_record())
    (arguments,) = commands(REST)
    assert 3 == CliRunner().invoke(cli, arguments).exit_code  # no run wrote it
    written = {path.name for path in Path().iterdir()}
    assert {"run.ndjson", "html.html", "tap.tap", "badge.svg"} == written


def test_the_shards_of_a_long_run_come_to_one_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither shard is a verdict alone; merged they are the gate."""
    monkeypatch.chdir(tmp_path)
    narrow = ["--select", "C-CACHE-*", "--examples", "2", "--no-config"]
    first, second = commands(SHARDS)
    (merging,) = re.findall(r"^fedcheck (merge [^\n]*)$", SHARDS, re.MULTILINE)
    shards = [
        [*shlex.split(shlex.join(words).partition(" '||'")[0]), *narrow]
        for words in (first, second)
    ]

    assert [3, 3] == [CliRunner().invoke(cli, words).exit_code for words in shards]
    assert 0 == CliRunner().invoke(cli, shlex.split(merging)).exit_code
