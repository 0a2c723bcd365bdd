"""Time of the linter against that of others, as ratios in one run, one core each.

    python benchmarks/lint_speed.py EXTENSIONS [--quiet TREE] [--one EXTENSION] [--rounds N]

EXTENSIONS holds extensions in folders, several hundred files; TREE is Python code that has
nothing to do with them, EXTENSION is one of them for the slow peers. Peers that
are not installed in the environment are left out. They do other work than we do: ruff checks
unused imports, the SDK's validator its own source rules, the others one rule.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from _measure import FEDCHECK, best_of, cpu_seconds_of, goal

_VALIDATOR = (
    "import sys, pathlib\n"
    "from imperal_sdk.validator_v1_6_0 import validate_source_tree\n"
    "for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
    "    folder.is_dir() and validate_source_tree(folder)\n"
)
_PEAK = (
    "import resource, sys\n"
    "from pathlib import Path\n"
    "from fedcheck.lint.engine import Target, check\n"
    "from fedcheck.lint.sdk.surface import versions\n"
    "check([Path(sys.argv[1])], Target(sdk=versions()[-1]))\n"
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
)
_SEMGREP = (
    "rules: [{id: r, languages: [python], severity: ERROR, message: m, pattern: $X.skeleton_data}]"
)


def ours(folder: Path, *options: str) -> list[str]:
    """Return our command over a folder; findings do not make it fail."""
    return [*FEDCHECK, "lint", str(folder), "--fail-on", "never", "--format", "json", *options]


def tool(name: str, *arguments: str) -> list[str] | None:
    """Return the command of a peer in this environment, or None."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.is_file() else shutil.which(name)
    return [found, *arguments] if found else None


def show(title: str, mine: list[str], peer: list[str] | None, limit: float, rounds: int) -> None:
    """Print the ratio of two commands."""
    if peer is None:
        print(f"{title:44} not installed")
        return
    left, right = (best_of(rounds, partial(_seconds, command)) for command in (mine, peer))
    print(f"{title:44} {left:.2f} s / {right:.2f} s = {goal(left / right, limit)}")


def _seconds(command: list[str]) -> float:
    """CPU time of a command whose exit code tells of findings."""
    return cpu_seconds_of(["sh", "-c", '"$@" || true', "sh", *command])


def lines_of(folder: Path) -> int:
    """Return the number of lines of Python below a folder."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py") if path.is_file())


def main() -> None:
    """Print a line for each peer, then the peak of memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extensions", type=Path)
    parser.add_argument("--quiet", type=Path, help="a tree without extensions")
    parser.add_argument("--one", type=Path, help="one extension, for slow peers")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    many, rounds = options.extensions, options.rounds
    ruff = ("check", "--no-cache", "--isolated", "--select", "F401", "--exit-zero", "-q")
    print(f"{many}: {lines_of(many):,} lines")
    show("ruff F401, no cache", ours(many), tool("ruff", *ruff, str(many)), 1.5, rounds)
    validator = [sys.executable, "-c", _VALIDATOR, str(many)]
    show("the SDK's source validator", ours(many), validator, 1 / 15, rounds)
    if options.quiet:
        print(f"{options.quiet}: {lines_of(options.quiet):,} lines")
        peer = tool("ruff", *ruff, str(options.quiet))
        show("ruff F401, no triggers", ours(options.quiet), peer, 0.4, rounds)
    if options.one:
        _slow(options.one, rounds)
    peak = best_of(1, lambda: _peak(many))
    print(f"peak memory over {many}: {goal(peak, 60, ' MB')}")


def _slow(folder: Path, rounds: int) -> None:
    print(f"{folder}: {lines_of(folder):,} lines")
    with tempfile.TemporaryDirectory() as scratch:
        rule = Path(scratch) / "rule.yaml"
        rule.write_text(_SEMGREP)
        semgrep = tool("semgrep", "--config", str(rule), "--metrics=off", "-j1", str(folder))
        show("semgrep, one rule", ours(folder), semgrep, 1 / 15, rounds)
    pylint = tool("pylint", "-j1", "--disable=all", "--enable=E1101", str(folder))
    show("pylint, one rule", ours(folder), pylint, 1 / 25, rounds)
    fixit = tool("fixit", "lint", str(folder))
    show("fixit", ours(folder), fixit, 1 / 25, rounds)


def _peak(folder: Path) -> float:
    import subprocess

    command = [sys.executable, "-c", _PEAK, str(folder)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


if __name__ == "__main__":
    main()
