"""Time of the linter against that of others, as ratios in one run, one core each.

    python benchmarks/lint_speed.py EXTENSIONS [--quiet TREE] [--one EXTENSION]... [--peers DIR]...
    python benchmarks/lint_speed.py EXTENSIONS --rules [--peers DIR]...

EXTENSIONS holds extensions in folders, several hundred files; TREE is Python code that has
nothing to do with them, EXTENSION is one of them for the slow peers. A peer is taken from the
folders of --peers, else from the environment that runs this, else from PATH; those that are
nowhere are left out. They do other work than we do: ruff checks unused imports, the SDK's
validator its own source rules, fixit one of its own, the others look for one attribute. CPU time
counts, and the smallest of some rounds. With --rules each rule runs alone, against ruff and against
a rule that only reads manifests: what is left of it is the start and the reading.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from _measure import FEDCHECK, best_of, cpu_seconds_of, goal

_VALIDATOR = (
    "import sys, pathlib\n"
    "from imperal_sdk.validator_v1_6_0 import validate_source_tree\n"
    "for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
    "    folder.is_dir() and validate_source_tree(folder)\n"
)
_PARSE = (
    "import ast, sys\n"
    "from pathlib import Path\n"
    "from fedcheck.lint.files.walking import python_files\n"
    "for file in python_files(Path(sys.argv[1])):\n"
    "    try:\n"
    "        ast.parse(file.read_bytes())\n"
    "    except (SyntaxError, ValueError, RecursionError):\n"
    "        pass\n"
)
_LIBCST = (
    "import sys\n"
    "from pathlib import Path\n"
    "import libcst as cst\n"
    "from fedcheck.lint.files.walking import python_files\n"
    "class Seeker(cst.CSTVisitor):\n"
    "    def visit_Attribute(self, node):\n"
    "        if node.attr.value == 'skeleton_data':\n"
    "            print(node.attr.value)\n"
    "for file in python_files(Path(sys.argv[1])):\n"
    "    try:\n"
    "        cst.parse_module(file.read_bytes()).visit(Seeker())\n"
    "    except (cst.ParserSyntaxError, UnicodeDecodeError, RecursionError):\n"
    "        pass\n"
)
_SEMGREP = (
    "rules: [{id: r, languages: [python], severity: ERROR, message: m, pattern: $X.skeleton_data}]"
)
_PYLINT = (
    "from pylint.checkers import BaseChecker\n"
    "class Seeker(BaseChecker):\n"
    "    name = 'seeker'\n"
    "    msgs = {'E9901': ('no such attribute', 'no-such-attribute', 'It is not there.')}\n"
    "    def visit_attribute(self, node):\n"
    "        if node.attrname == 'skeleton_data':\n"
    "            self.add_message('no-such-attribute', node=node)\n"
    "def register(linter):\n"
    "    linter.register_checker(Seeker(linter))\n"
)
_FIXIT = "fixit.rules:AvoidOrInExcept"
"""Its smallest rule: what remains is what it needs for any."""
_FLOOR = "FED504"
"""A rule that parses no file."""
_COUNTING = (
    "import sys\n"
    "from fedcheck.__main__ import main\n"
    "from fedcheck.lint.inference import project\n"
    "parsed, parse = [], project.parse\n"
    "project.parse = lambda source: parsed.append(source.name) or parse(source)\n"
    "try:\n"
    "    main()\n"
    "finally:\n"
    "    print(len(parsed), file=sys.stderr)\n"
)
_MOST_FOR_WARM = 15
"""Rounds at least where a run takes hundredths of a second."""

Command = list[str]


class Peers:
    """Finds the commands of others.

    Args:
        folders: in which they are looked for first.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._path = os.pathsep.join(map(str, (*folders, Path(sys.executable).parent)))

    def tool(self, name: str, *arguments: str) -> Command | None:
        """Return the command of a peer, or None."""
        found = shutil.which(name, path=self._path) or shutil.which(name)
        return [found, *arguments] if found else None

    def ruff(self, folder: Path, *cache: str) -> Command | None:
        """Return the command of the fastest of them."""
        options = ("--isolated", "--select", "F401", "--exit-zero", "-q")
        return self.tool("ruff", "check", *options, *cache, str(folder))


def ours(folder: Path, *options: str) -> Command:
    """Return our command over a folder; findings do not make it fail."""
    return [*FEDCHECK, "lint", str(folder), "--fail-on", "never", "--format", "json", *options]


def show(title: str, mine: Command, peer: Command | None, limit: float, rounds: int) -> None:
    """Print the ratio of two commands."""
    if peer is None:
        print(f"{title:34} not installed")
        return
    for command in (mine, peer):
        if not _works(command):
            print(f"{title:34} does not run here: {' '.join(command[:3])} …")
            return
    left, right = (best_of(rounds, partial(_seconds, command)) for command in (mine, peer))
    print(f"{title:34} {left:.3f} s / {right:.3f} s = {_ratio(left / right, limit)}", flush=True)


def _ratio(value: float, limit: float) -> str:
    if limit >= 0.1:
        return goal(value, limit)
    met = "met" if value <= limit else "MISSED"
    shown = f"1/{1 / value:.1f}" if value < 1 else f"{value:.1f}"
    return f"{shown} (goal 1/{1 / limit:.0f} {met})"


def _works(command: Command) -> bool:
    """Run a command once, which also warms its cache; findings may make it fail, errors may not."""
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode in _codes(command) and b"Traceback" not in done.stderr


def _codes(command: Command) -> Collection[int]:
    """Return the exit codes by which a command tells of findings, or of none."""
    return range(32) if "pylint" in Path(command[0]).name else (0, 1)


def _seconds(command: Command) -> float:
    """CPU time of a command; one that fails is not taken for a fast one."""
    return cpu_seconds_of(command, codes=_codes(command))


class Alone(NamedTuple):
    """What a rule costs alone: CPU seconds, files that it has parsed, peak memory in MB."""

    seconds: float
    parsed: int
    peak: float


def show_rules(folder: Path, peers: Peers, rounds: int) -> None:
    """Print what each default rule costs alone, cheapest first."""
    from fedcheck.lint.rules import all_rules

    command = peers.ruff(folder, "--no-cache")
    peer = best_of(rounds, partial(_seconds, command)) if command is not None else None
    floor = min(_alone(folder, _FLOOR) for _ in range(rounds)).seconds
    print(f"{folder.name}: {lines_of(folder):,} lines; floor {floor:.3f} s", end="")
    print(f", ruff {peer:.3f} s" if peer is not None else ", ruff is not installed", flush=True)
    codes = [rule.code for rule in all_rules() if rule.default]
    rows = [(min(_alone(folder, code) for _ in range(rounds)), code) for code in codes]
    print("rule    CPU s  / floor   / ruff  files parsed  peak MB")
    for cost, code in sorted(rows):
        ratio = f"{cost.seconds / peer:8.1f}" if peer is not None else f"{'-':>8}"
        print(
            f"{code} {cost.seconds:6.2f} {cost.seconds / floor:8.1f} {ratio} {cost.parsed:13,} "
            f"{cost.peak:8.0f}"
        )


def _alone(folder: Path, code: str) -> Alone:
    words = ours(folder, "--no-cache", "--select", code)[len(FEDCHECK) :]
    command = [sys.executable, "-c", _COUNTING, *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read() if process.stderr else b""
    usage = _usage(process)
    return Alone(usage.ru_utime + usage.ru_stime, int(said.split()[-1]), _megabytes(usage))


def lines_of(folder: Path) -> int:
    """Return the number of lines of Python below a folder."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py") if path.is_file())


def main() -> None:
    """Print a line for each peer, then the peak of memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extensions", type=Path)
    parser.add_argument("--quiet", type=Path, help="a tree without extensions")
    parser.add_argument(
        "--one", type=Path, action="append", default=[], help="one extension, for slow peers"
    )
    parser.add_argument("--peers", type=Path, action="append", default=[], help="folder of peers")
    parser.add_argument("--rules", action="store_true", help="each rule alone, and nothing else")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # what is started has it too
    peers, rounds = Peers(options.peers), options.rounds
    if options.rules:
        show_rules(options.extensions.resolve(), peers, rounds)
        return
    with tempfile.TemporaryDirectory() as scratch:
        _many(options.extensions.resolve(), peers, rounds, Path(scratch))
        if options.quiet:
            folder = options.quiet.resolve()
            print(f"{folder.name}: {lines_of(folder):,} lines")
            peer = peers.ruff(folder, "--no-cache")
            show("ruff F401, no triggers", ours(folder, "--no-cache"), peer, 0.4, rounds)
        for folder in options.one:
            _slow(folder.resolve(), peers, rounds, Path(scratch))


def _many(folder: Path, peers: Peers, rounds: int, scratch: Path) -> None:
    """Compare with those that are fast enough for many extensions."""
    print(f"{folder.name}: {lines_of(folder):,} lines")
    cold = ours(folder, "--no-cache")
    show("ruff F401, no cache", cold, peers.ruff(folder, "--no-cache"), 1.5, rounds)
    warm = ours(folder, "--cache-dir", str(scratch / "ours"))
    for _ in range(2):  # the second one sees files that are old enough for their stamps
        _seconds(warm)
    peer = peers.ruff(folder, "--cache-dir", str(scratch / "ruff"))
    show("ruff F401, both warm", warm, peer, 0.6, max(rounds, _MOST_FOR_WARM))
    show("ast.parse", cold, [sys.executable, "-c", _PARSE, str(folder)], 6, rounds)
    validator = [sys.executable, "-c", _VALIDATOR, str(folder)]
    known = importlib.util.find_spec("imperal_sdk") is not None
    show("the SDK's source validator", cold, validator if known else None, 1.2, rounds)
    everything = [sys.executable, "-c", _LIBCST, str(folder)]
    show("libcst on everything", cold, everything, 1 / 50, 1)
    print(f"{'peak memory':34} {goal(_peak(cold), 90, ' MB')}", flush=True)


def _slow(folder: Path, peers: Peers, rounds: int, scratch: Path) -> None:
    """Compare with those that are slow; they work offline and without results of earlier runs."""
    print(f"{folder.name}: {lines_of(folder):,} lines")
    (scratch / "rule.yaml").write_text(_SEMGREP)
    (scratch / "seeker.py").write_text(_PYLINT)
    cold = ours(folder, "--no-cache")
    show("ruff F401, no cache (no goal)", cold, peers.ruff(folder, "--no-cache"), 1.5, rounds)
    silent = ("--metrics=off", "--disable-version-check", "--quiet", "-j1")
    config = ("--config", str(scratch / "rule.yaml"))
    semgrep = peers.tool("semgrep", "scan", *config, *silent, str(folder))
    show("semgrep, one rule", cold, semgrep, 1 / 15, rounds)
    hook = f"--init-hook=import sys; sys.path.insert(0, {str(scratch)!r})"
    alone = ("-j1", "--recursive=y", "--persistent=n", "--disable=all")
    plugin = (hook, "--load-plugins=seeker", "--enable=no-such-attribute")
    pylint = peers.tool("pylint", *alone, *plugin, str(folder))
    show("pylint, a plug-in's rule", cold, pylint, 1 / 25, rounds)
    pylint = peers.tool("pylint", *alone, "--enable=no-member", str(folder))
    show("pylint, no-member: it infers", cold, pylint, 1 / 25, rounds)
    fixit = peers.tool("fixit", "--rules", _FIXIT, "lint", str(folder))
    show("fixit, one rule", cold, fixit, 1 / 25, rounds)


def _peak(command: Command) -> float:
    """Return the most memory that a command had, in MB."""
    quiet = subprocess.DEVNULL
    return _megabytes(_usage(subprocess.Popen(command, stdout=quiet, stderr=quiet)))


def _usage(process: subprocess.Popen[bytes]) -> resource.struct_rusage:
    """Wait for a process, and return what it used."""
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0  # it has been waited for
    return usage


def _megabytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
