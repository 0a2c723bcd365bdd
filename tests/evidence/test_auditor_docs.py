"""docs/auditors.md: what it tells an auditor to do works, on a bundle and a key alone."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "auditors.md").read_text(encoding="utf-8")
KERNEL = "mutant:key-end-unchecked"


def call(*arguments: str) -> tuple[int, str]:
    """Return exit code and output of a command."""
    result = CliRunner().invoke(cli, list(arguments))
    return result.exit_code, result.output


@pytest.fixture
def evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with nothing but the bundle of a failed run and the public key."""
    pytest.importorskip("cryptography")
    monkeypatch.chdir(tmp_path)
    select = ("--select", "I-CACHE-KEY-SAFETY", "--examples", "2")
    call("run", "--kernel", KERNEL, "--record", "run.ndjson", *select)
    call("keygen", "fedcheck")
    code, output = call("bundle", "run.ndjson", "-o", "evidence.zip", "--key", "fedcheck.key")
    assert 0 == code, output
    Path("run.ndjson").unlink()
    Path("fedcheck.key").unlink()
    return tmp_path


def test_an_auditor_verifies_understands_and_performs_the_run_again(evidence: Path) -> None:
    """With the commands of the page, as they stand there."""
    verify, made_again, render, again, replay = re.findall(r"```sh\nfedcheck (.*?)\n```", PAGE)
    code, output = call(*verify.split())
    assert 0 == code, output
    assert "signed by the key" in output
    code, output = call(*made_again.split())
    assert 0 == code, output
    assert "beside the record: the same again" in output
    code, output = call(*again.replace("REF", KERNEL).split())
    assert 0 == code, output
    assert "verdicts: the same again" in output
    code, output = call(*again.replace("REF", "reference").split())
    assert (1, True) == (code, "recorded fail, now pass" in output)
    with zipfile.ZipFile("evidence.zip") as archive:
        archive.extractall(evidence)
        page = archive.read("reports/html.html").decode()
    assert (0, "") == call(*render.split())
    assert page == Path("again.html").read_text(encoding="utf-8")
    examples = sorted(path.as_posix() for path in Path("counterexamples").iterdir())
    assert examples
    for example in examples:
        told = json.loads(Path(example).read_text())
        assert told["id"] in page
        code, output = call(*replay.replace("FILE.json", Path(example).name)
                            .replace("REF", KERNEL).split())  # fmt: skip
        assert 1 == code, output
    code, _ = call("replay", "counterexamples", "--kernel", "reference")
    assert 0 == code


def test_every_section_of_the_report_is_explained(evidence: Path) -> None:
    """And no section is explained that is not there."""
    with zipfile.ZipFile(evidence / "evidence.zip") as archive:
        page = archive.read("reports/html.html").decode()
    shown = set(re.findall(r'<h2 id="[\w-]+">([^<]+)</h2>', page))
    explained = set(
        re.findall(r"^\| ([A-Z][\w -]+?) \| ", PAGE.partition("### The words")[0], re.MULTILINE)
    )
    beside = {"Contents", "Configuration", "Evidence index", "Words"}
    assert set() == shown - explained - beside
    assert {"Changes", "Linter", "What was tried"} >= explained - shown


def test_the_readme_of_a_bundle_names_what_is_in_it(evidence: Path) -> None:
    """Every file has a line."""
    with zipfile.ZipFile(evidence / "evidence.zip") as archive:
        names = {name.partition("/")[0] for name in archive.namelist()}
        told = archive.read("README.txt").decode()
    assert [] == sorted(name for name in names - {"README.txt"} if name not in told)
