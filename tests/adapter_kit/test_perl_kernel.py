"""The example in Perl, written from the guide alone: judged, and caught with a bug."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "perl_kernel" / "kernel.pl"


@pytest.fixture
def perl() -> str:
    """Return the path of a Perl that has a JSON module."""
    found = shutil.which("perl")
    if found is None:
        pytest.skip("no perl on PATH")
    if subprocess.run([found, "-MJSON::PP", "-e1"], check=False, capture_output=True).returncode:
        pytest.skip("this perl has no JSON::PP")
    return found


def judged(perl: str, program: Path, folder: Path, *words: str) -> tuple[int, dict[str, str]]:
    """Judge the program; return the exit code and each clause's verdict."""
    command = [sys.executable, "-m", "fedcheck", "run", "--timeout", "60", "--record", "run.ndjson"]
    kernel = f"exec:{shlex.join([perl, str(program)])}"
    done = subprocess.run(
        [*command, "--kernel", kernel, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    lines = [json.loads(x) for x in (folder / "run.ndjson").read_text("ascii").splitlines()]
    return done.returncode, {x["clause"]: x["verdict"] for x in lines if x["type"] == "clause"}


def test_it_keeps_what_it_claims(perl: str, tmp_path: Path) -> None:
    """Four capabilities, and every required clause of theirs passes."""
    code, verdicts = judged(perl, EXAMPLE, tmp_path, "--examples", "5")
    passed = {clause for clause, verdict in verdicts.items() if verdict == "pass"}

    assert 0 == code, verdicts
    assert {"pass", "not_claimed", "not_exercised"} >= set(verdicts.values())
    assert passed >= {
        "C-NO-EXTENSION-API/no-ledger-decorator",
        "C-USER-AUTHORITATIVE/right-user",
        "I-CACHE-KEY-SAFETY/unsafe-key-not-stored",
        "I-CACHE-TTL-CAP-300S/expired-not-served",
        "I-CACHE-VALUE-SIZE-CAP-64KB/oversized-not-stored",
    }


def test_a_bug_in_it_is_caught(perl: str, tmp_path: Path) -> None:
    """A life of one second too many is seen through Perl as through anything else."""
    text = EXAMPLE.read_text("utf-8")
    assert 1 == text.count("$life <= 300")
    program = tmp_path / "kernel.pl"
    program.write_text(text.replace("$life <= 300", "$life <= 301"), "utf-8")
    words = ("--select", "I-CACHE-TTL-CAP-300S", "--examples", "0")
    code, verdicts = judged(perl, program, tmp_path, *words)

    assert 1 == code
    assert "fail" == verdicts["I-CACHE-TTL-CAP-300S/over-cap-not-stored"]
    assert "pass" == verdicts["I-CACHE-TTL-CAP-300S/within-cap-accepted"]
