"""``--watch``: again after each change, and only then."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from fedcheck.lint.cli.watch import snapshot, watch


def watched(tmp_path: Path, *steps: Callable[[], object]) -> tuple[int, list[int]]:
    """Watch a folder while something happens between the looks; then the user stops it.

    Returns:
        The exit code, and before which steps it linted.
    """
    runs: list[int] = []
    done = 0

    def lint() -> int:
        runs.append(done)
        return 7

    def sleep(_seconds: float) -> None:
        nonlocal done
        if done == len(steps):
            raise KeyboardInterrupt
        steps[done]()
        done += 1

    return watch([tmp_path], lint, sleep=sleep), runs


def test_it_lints_at_once_and_after_each_change(tmp_path: Path) -> None:
    """A change of a file, a new file, a removed one, the manifest; nothing else."""
    file, other, ignored = (tmp_path / name for name in ("main.py", "new.py", "notes.txt"))
    file.write_text("x = 1\n")

    code, runs = watched(
        tmp_path,
        lambda: None,
        lambda: file.write_text("x = 12\n"),
        lambda: ignored.write_text("x"),
        lambda: other.write_text("y = 1\n"),
        lambda: os.utime(file, ns=(1, 1)),
        lambda: None,
        other.unlink,
        lambda: (tmp_path / "imperal.json").write_text("{}"),
    )

    assert (7, [0, 2, 4, 5, 7, 8]) == (code, runs)


def test_a_file_that_is_gone_is_no_error(tmp_path: Path) -> None:
    """A named file may be removed while it is watched."""
    assert {} == snapshot([tmp_path / "gone.py"])
