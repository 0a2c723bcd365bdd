"""``fedcheck rule new``: a package with a rule that works, its tests and its entry point."""

from __future__ import annotations

import re
from pathlib import Path

from ...invariants.vocabulary.errors import UsageError
from ..rule import CODE, CODE_IN_WORDS

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_OURS = "FED"

_PYPROJECT = """\
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "fedcheck-{module}"
version = "0.1.0"
description = "{code}, a rule for fedcheck lint"
requires-python = ">=3.10"
dependencies = ["fedcheck"]

[project.entry-points."fedcheck.rules"]
{code} = "{module}:RULE"

[tool.setuptools]
py-modules = ["{module}"]
"""

_MODULE = '''\
"""{code}: a lint rule. Change what it looks for; keep an example for each case."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fedcheck.lint.rule import Example, Hit, Rule
from fedcheck.lint.view import FileView

EXTENSION = """\\
import asyncio
import time
from imperal_sdk import Extension

ext = Extension("notes")


@ext.panel("notes")
async def notes(ctx):
    {{}}
"""


def _check(view: FileView) -> Iterator[Hit]:
    """Yield a hit for each breach in one file; ``node`` is what is marked."""
    for call in view.module.nodes(ast.Call):
        if ast.unparse(call.func) == "time.sleep":
            yield Hit(
                node=call,
                message="time.sleep stops every user's handlers while it waits. "
                "Write await asyncio.sleep(...).",
            )


RULE = Rule(
    code="{code}",
    name="{name}",
    summary="A handler waits with time.sleep.",
    severity="warning",
    triggers=("time.sleep",),  # texts of which one stands in each file with a finding
    check=_check,
    what="Finds calls of `time.sleep`.",
    why="Handlers share one event loop: while one sleeps, no other runs.",
    example="time.sleep(1)",
    instead="await asyncio.sleep(1)",
    references=("asyncio: developing with asyncio, running blocking code",),
    bad=(Example(EXTENSION.format("time.sleep(1)"), holds="asyncio.sleep"),),
    good=(
        Example(EXTENSION.format("await asyncio.sleep(1)")),
        Example(EXTENSION.format('print("time.sleep(1)")')),
    ),
)
'''

_TEST = '''\
"""The rule is tried on its own examples."""

from fedcheck.lint.authoring.examples import problems
from fedcheck.lint.rules import all_rules
from {module} import RULE


def test_the_examples_hold():
    """Each bad one is reported, no good one is, and what is fixed stays fixed."""
    assert [] == problems(RULE)


def test_the_rule_is_installed():
    """The entry point brings it into ``fedcheck lint``."""
    assert RULE in all_rules()
'''


def new_rule(code: str, name: str | None, folder: Path) -> Path:
    """Write a new package and return its folder.

    Args:
        code: of the rule, ``ACME101``.
        name: of the rule, in words with hyphens; one is made of the code if it is missing.
        folder: in which the package's own folder is made.

    Raises:
        UsageError: code or name is not allowed, or the package's folder holds something.
    """
    if not CODE.fullmatch(code):
        raise UsageError(f"{code!r} is no code of a rule; write {CODE_IN_WORDS}")
    if code.startswith(_OURS):
        raise UsageError(
            f"codes that begin with {_OURS} are ours; take letters of your own, ACME101"
        )
    name = name or f"{code.lower()}-blocking-sleep"
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a rule; write small words with hyphens")
    module = code.lower()
    root = folder / f"fedcheck-{module}"
    if root.exists() and any(root.iterdir()):
        raise UsageError(
            f"{root} exists and is not empty; remove it, or give --into another folder"
        )
    files = {
        "pyproject.toml": _PYPROJECT,
        f"{module}.py": _MODULE,
        f"tests/test_{module}.py": _TEST,
    }
    for file, text in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(
            text.format(code=code, name=name, module=module), encoding="utf-8", newline="\n"
        )
    return root
