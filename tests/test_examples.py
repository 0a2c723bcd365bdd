"""The examples do what they say, each in a copy of its folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.reader import read_record

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


def copied(name: str, target: Path) -> Path:
    """Return a copy of an example's folder, in which nothing else lies."""
    return Path(
        shutil.copytree(
            EXAMPLES / name, target / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    )


def started(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of ours in the folder, as from a terminal of its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def judged(folder: Path, kernel: str, code: int) -> RunRecord:
    """Judge a kernel in the folder, which must end with this exit code."""
    words = ["fedcheck", "run", "--kernel", kernel, "--examples", "2", "--record", "run.ndjson"]
    run = started(folder, *words)
    assert code == run.returncode, run.stdout + run.stderr
    return read_record(folder / "run.ndjson")


def verdicts(record: RunRecord) -> dict[str, set[str]]:
    """Return verdict → clauses."""
    found: dict[str, set[str]] = {}
    for result in record.clauses:
        found.setdefault(result.effective.value, set()).add(result.clause)
    return found


def test_the_ten_line_kernel_breaks_what_it_does_not_check(tmp_path: Path) -> None:
    """It stores whatever it is given, so keys, lives and sizes are not bounded."""
    record = judged(copied("ten_line_kernel", tmp_path), "my_module:kernel", 1)

    assert ("cache",) == record.header.kernel.capabilities
    assert {
        "I-CACHE-KEY-SAFETY/key-length-capped",
        "I-CACHE-KEY-SAFETY/unsafe-key-not-stored",
        "I-CACHE-TTL-CAP-300S/over-cap-not-stored",
        "I-CACHE-VALUE-SIZE-CAP-64KB/oversized-not-stored",
    } == verdicts(record)["fail"]
    assert {"fail", "pass", "not_claimed"} == set(verdicts(record))


def test_the_ten_line_kernel_is_the_one_of_the_readme() -> None:
    """One text in two places; without head and blank lines it has ten lines."""
    text = (EXAMPLES / "ten_line_kernel" / "my_module.py").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")

    assert text in re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert 10 == sum(bool(line.strip()) for line in text.splitlines()[1:])


def test_the_program_is_conformant_and_needs_nothing_but_python(tmp_path: Path) -> None:
    """A fact ledger over JSON-RPC, run without any installed package."""
    folder = copied("exec_kernel", tmp_path)
    record = judged(folder, f"exec:{sys.executable} -I -S kernel.py", 0)

    assert "exec-example" == record.header.kernel.kernel
    assert {"pass", "not_claimed"} == set(verdicts(record))
    assert "I-FACT-LEDGER-PER-TURN-AGG-CAP/newest-most-complete" in verdicts(record)["pass"]


def test_two_statements_give_a_test_for_each_clause(tmp_path: Path) -> None:
    """They judge the kernel that the file names; it keeps every promise about a cache."""
    words = ["-q", "-p", "no:cacheprovider", "--fedcheck-examples", "0"]
    run = started(copied("pytest", tmp_path), "pytest", *words)

    assert 0 == run.returncode, run.stdout + run.stderr
    assert re.search(r"\d\d passed, \d+ skipped in", run.stdout)


def test_the_two_statements_see_a_kernel_that_breaks_a_promise(tmp_path: Path) -> None:
    """The same file is red when the kernel beside it keeps entries for a second too long."""
    folder = copied("pytest", tmp_path)
    text = (folder / "my_kernel.py").read_text("utf-8")
    (folder / "my_kernel.py").write_text(text.replace("= 300, 65536", "= 301, 65536"), "utf-8")
    words = ["-q", "-p", "no:cacheprovider", "--fedcheck-examples", "0", "-k", "CACHE-TTL"]
    run = started(folder, "pytest", *words)

    assert 1 == run.returncode, run.stdout + run.stderr
    assert "I-CACHE-TTL-CAP-300S/over-cap-not-stored: fail: " in run.stdout
    assert "1 failed, 2 passed" in run.stdout


def test_the_two_statements_are_two() -> None:
    """What a kernel team has to write, besides the name of its kernel."""
    text = (EXAMPLES / "pytest" / "test_promises.py").read_text("utf-8")
    _, _, code = text.rpartition('"""')

    assert 2 == len([line for line in code.splitlines() if line.strip()])
