"""What one edited file costs the linter, as a part of a cold run over its extension.

    python benchmarks/lint_edits.py EXTENSION...

Each file of an extension is edited in turn, in memory: the body of its longest function gets a
statement more. Three ways to lint it again are measured in this process, so that no start-up is
in any of them: as ``fedcheck lsp`` does while it is typed into (one open document, the trees of
unchanged files kept), as a commit hook that names only the changed file, and the whole extension,
of which nothing is kept once a file in it is another. Each finding must be that of the cold run.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from _measure import best_of, cpu_seconds, goal

from fedcheck.lint.cli import preload
from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.files.walking import python_files
from fedcheck.lint.inference.syntax.kept_trees import KeptTrees
from fedcheck.lint.sdk.targets import newest, target_of

_TARGET = Target(sdk=newest(), sdk_of=target_of(""))
_ROUNDS = 3
_SMALLEST = 300
"""Bytes below which a file holds next to nothing."""


def edited(data: bytes) -> bytes | None:
    """Return a text with one more statement in its longest function; None if it has none."""
    try:
        functions = [
            node
            for node in ast.walk(ast.parse(data))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
    except (SyntaxError, ValueError):
        return None
    if not functions:
        return None
    last = max(functions, key=lambda it: (it.end_lineno or 0) - it.lineno).body[-1]
    lines = data.split(b"\n")
    indent = b" " * last.col_offset
    before = last.lineno - 1
    return b"\n".join((*lines[:before], indent + b"noted = 'edited'", *lines[before:]))


def linted(
    paths: Sequence[Path],
    overlay: Mapping[Path, bytes] | None = None,
    kept: KeptTrees | None = None,
) -> CheckResult:
    """Lint some paths."""
    return check(paths, _TARGET, overlay=overlay, trees=kept)


def in_editor(path: Path, before: bytes, overlay: Mapping[Path, bytes]) -> float:
    """Return the CPU seconds of a run after a key stroke in an open document."""
    kept = KeptTrees()

    def typed() -> float:
        linted([path], {path: before}, kept)
        return cpu_seconds(lambda: linted([path], overlay, kept))

    return best_of(_ROUNDS, typed)


def is_equal(root: Path, path: Path, before: bytes, overlay: Mapping[Path, bytes]) -> bool:
    """Tell whether an editor is told of a file what a cold run over the extension finds in it."""
    kept = KeptTrees()
    linted([path], {path: before}, kept)
    told = linted([path], overlay, kept)
    cold = linted([root], overlay)
    of_file = [it for it in cold.findings if it.path == path.as_posix()]
    return of_file == [it for it in told.findings if it.path == path.as_posix()]


def main() -> None:
    """Print a line for each extension, then of all files together."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extensions", type=Path, nargs="+")
    options = parser.parse_args()
    preload.load()
    editor: list[float] = []
    hook: list[float] = []
    whole: list[float] = []
    different: list[Path] = []
    for root in (it.resolve() for it in options.extensions):
        linted([root])
        cold = best_of(_ROUNDS, lambda root=root: cpu_seconds(lambda: linted([root])))
        ratios: list[float] = []
        for path in python_files(root):
            before = path.read_bytes()
            after = edited(before) if len(before) > _SMALLEST else None
            if after is None:
                continue
            overlay = {path: after}
            ratios.append(in_editor(path, before, overlay) / cold)
            hook.append(
                best_of(_ROUNDS, lambda p=path, o=overlay: cpu_seconds(lambda: linted([p], o)))
                / cold
            )
            if not is_equal(root, path, before, overlay):
                different.append(path)
        whole.append(cpu_seconds(lambda r=root, o=overlay: linted([r], o)) / cold)
        lines = sum(path.read_bytes().count(b"\n") for path in python_files(root))
        print(
            f"{root.name}: {lines:,} lines, cold {cold:.3f} s; an edit in the editor: "
            f"median {median(ratios):.2f}, worst {max(ratios):.2f} of it",
            flush=True,
        )
        editor += ratios
    for title, ratios in (
        ("editor, one document", editor),
        ("hook, one file named", hook),
        ("whole extension", whole),
    ):
        share = sum(it <= 1 / 3 for it in ratios) / len(ratios)
        print(f"{title:22} median {goal(median(ratios), 0.33)}, {share:.0%} of {len(ratios)} in it")
    print(f"other findings than a cold run: {len(different)} of {len(editor)}")
    for path in different:
        print(f"  {path}")


if __name__ == "__main__":
    main()
