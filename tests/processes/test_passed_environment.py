"""What the process of a kernel gets of our environment."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli
from fedcheck.conformance.adapters.passed_environment import passed, withheld

OURS = {
    "PATH": "/bin",
    "LC_ALL": "C",
    "PYTHONPATH": ".",
    "FEDCHECK_TOKEN": "t",
    "FEDCHECK_KEY_PASSWORD": "p",
    "PYTHON_REPO_PASSWORD": "p",
    "FEDCHECK_SECRET_KEY": "s",
    "SIGNING_KEY": "k",
    "DATABASE_URL": "d",
}


HELD_BACK = [
    "FEDCHECK_KEY_PASSWORD",
    "FEDCHECK_SECRET_KEY",
    "FEDCHECK_TOKEN",
    "PYTHON_REPO_PASSWORD",
    "SIGNING_KEY",
]


def test_a_short_list_is_passed() -> None:
    """Paths, locale and language run-times; of secrets only what its user names."""
    assert {"PATH", "LC_ALL", "PYTHONPATH"} == set(passed((), OURS))
    assert ["DATABASE_URL", *HELD_BACK] == withheld((), OURS)
    assert HELD_BACK == withheld(["DATABASE_URL"], OURS)


TELLING = """\
import os

print("SIGNING_KEY" in os.environ, "WANTED" in os.environ, file=open("seen", "w"))


class Kernel:
    def cache_get(self, step):
        return None
"""


@pytest.mark.parametrize("how", ["exec:{python} kernel.py", "kernel:Kernel"])
def test_a_kernel_sees_no_secret(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Started by its command or hosted; smoke names what was withheld where something failed."""
    import sys

    (tmp_path / "kernel.py").write_text(TELLING, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIGNING_KEY", "k")
    monkeypatch.setenv("WANTED", "w")
    reference = how.format(python=sys.executable)
    result = CliRunner().invoke(cli, ["smoke", "--kernel", reference, "--pass-env", "WANTED"])
    assert "False True\n" == (tmp_path / "seen").read_text()
    lines = [x for x in result.stdout.splitlines() if "--pass-env NAME: " in x]
    assert (result.exit_code != 0) == bool(lines), result.output
    assert all(("SIGNING_KEY" in x, "WANTED" in x) == (True, False) for x in lines)
