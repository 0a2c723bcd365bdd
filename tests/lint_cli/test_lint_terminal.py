"""Colour on terminals only, and file names that try to be more than names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo terminals here")

_FEDCHECK = Path(sys.executable).with_name("fedcheck")
_BAD = (
    "from imperal_sdk import Extension\next = Extension('x')\n@ext.panel('p')\n"
    "async def p(ctx):\n    return ctx.skeleton_data, '\x1b[2J'\n"
)


def on_terminal(*words: str, cwd: Path, **environment: str) -> str:
    """Run the installed command with a terminal as its standard output."""
    ours, theirs = pty.openpty()
    try:
        run = subprocess.Popen(
            [_FEDCHECK, *words],
            cwd=cwd,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            env={k: v for k, v in os.environ.items() if k != "NO_COLOR"} | environment,
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        run.wait(60)
    finally:
        os.close(ours)
    return shown.decode()


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    """An extension with a finding, whose source holds a terminal escape."""
    (tmp_path / "main.py").write_text(_BAD)
    return tmp_path


def test_colour_on_terminals_only(extension: Path) -> None:
    """Not in a pipe, and not for who has asked for none."""
    piped = subprocess.run(
        [_FEDCHECK, "lint"], cwd=extension, capture_output=True, text=True, check=False
    )

    assert "\x1b[31m" in on_terminal("lint", cwd=extension)
    assert "\x1b" not in piped.stdout
    assert "\x1b" not in on_terminal("lint", cwd=extension, NO_COLOR="1")


def test_the_source_cannot_drive_the_terminal(extension: Path) -> None:
    """Neither in the excerpt nor in a patch."""
    (extension / "helpers.py").write_text("x = 1  # fedcheck: ignore[FED101] \x1b[2J\n")
    (extension / "main.py").write_text(_BAD + "import helpers\n")

    assert "\x1b[2J" not in on_terminal("lint", cwd=extension)
    patch = on_terminal("lint", "--diff", cwd=extension)
    assert "\\x1b[2J" in patch
    assert "\x1b[2J" not in patch


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow fewer names")
@pytest.mark.parametrize("form", ["text", "concise", "github", "json", "sarif", "junit"])
def test_a_file_name_is_only_a_name(extension: Path, form: str) -> None:
    """Line feeds, commands, escapes, markup, and bytes that are no text."""
    name = b"a\n::error::forged\x1b[2J<b>\xff&,%.py"
    with open(os.path.join(os.fsencode(extension), name), "w") as file:  # noqa: PTH118, PTH123
        file.write("x = 1  # fedcheck: ignore\n")

    done = subprocess.run(
        [_FEDCHECK, "lint", "--all-files", "--format", form],
        cwd=extension,
        capture_output=True,
        check=False,
    )

    shown = done.stdout.decode("utf-8")
    assert 1 == done.returncode
    assert "FED003" in shown
    assert "\x1b" not in shown
    assert not any(line.startswith("::error::") for line in shown.splitlines())
    if form in {"json", "sarif"}:
        assert json.loads(shown)
