"""The tutorials do what they say: their files and commands, in their order, in one folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(sh|python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS = {"first-audit": "cryptography"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_can_be_followed(page: Path, tmp_path: Path) -> None:
    """Each command ends with the code beside it, else 0, and says what stands below it."""
    if needed := NEEDS.get(page.stem):
        pytest.importorskip(needed)
    folder = copy_tree(tmp_path / "fedcheck") if page.stem == "first-change" else tmp_path
    said = ""
    for kind, text in BLOCK.findall(page.read_text("utf-8")):
        if kind == "python":
            (folder / text.splitlines()[0].removeprefix("# ")).write_text(text, "utf-8")
        elif kind == "sh":
            said = "".join(followed(command, folder) for command in text.splitlines())
        else:
            assert [] == [line for line in text.splitlines() if squeezed(line) not in said], said


def followed(command: str, folder: Path) -> str:
    """Run a command as its reader would; return what it said, on one line."""
    environment = {
        **os.environ,
        "COLUMNS": "100",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(folder.parent),  # a copy of the tree, if it is one, comes first
    }
    run = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    code = re.search(r"# exit code (\d)(?: or (\d))?", command)
    expected = {each for each in code.groups() if each} if code else {"0"}
    assert str(run.returncode) in expected, f"{command}\n{run.stdout}{run.stderr}"
    return squeezed(run.stdout + run.stderr)


def squeezed(text: str) -> str:
    """Return a text without the line ends that the width of a terminal makes."""
    return " ".join(text.split())


def copy_tree(target: Path) -> Path:
    """Copy what a clone holds: the commands of one page change it."""
    git = shutil.which("git") or pytest.skip("needs git")
    listed = subprocess.run(
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("needs a clone: this tree is none")
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        if (source := ROOT / name).is_file():
            copy = target / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(source.read_bytes())
    return target


def test_each_kind_of_people_has_a_tutorial() -> None:
    """They are named on the first page of the site."""
    named = re.findall(r"tutorials/([\w-]+)", (ROOT / "docs" / "index.md").read_text("utf-8"))
    assert {page.stem for page in PAGES} == set(named)
    assert {"first-kernel", "first-agent", "first-extension", "first-audit", "first-change"} <= {
        *named
    }
