"""ACME-REPLY-SHOWN has been seen to hold and to be broken."""

import subprocess
import sys
from pathlib import Path

from fedcheck.reports.record.reader import read_record

CLAUSE = "ACME-REPLY-SHOWN/reply-shown"


def verdicts(kernel: str, folder: Path) -> dict[str, str]:
    """Judge a kernel by the plug-in's invariant alone."""
    words = ["run", "--no-config", "--kernel", kernel, "--select", "ACME-REPLY-SHOWN"]
    fedcheck = [sys.executable, "-m", "fedcheck"]
    subprocess.run([*fedcheck, *words, "--record", "run.ndjson"], cwd=folder, check=False)
    return {x.clause: x.verdict.value for x in read_record(folder / "run.ndjson").clauses}


def test_the_reference_kernel_keeps_it(tmp_path: Path) -> None:
    """A conforming kernel passes: every class of input was seen, and nothing is wrong."""
    assert {CLAUSE: "pass"} == verdicts("reference", tmp_path)


def test_the_broken_kernel_is_caught(tmp_path: Path) -> None:
    """A judge that has never failed is not known to judge anything."""
    assert {CLAUSE: "fail"} == verdicts("acme-reply-shown-broken", tmp_path)
