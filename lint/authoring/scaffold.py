"""``fedcheck rule new``: a rule that works, with its tests, as a package or in fedcheck's tree."""

from __future__ import annotations

import re
from pathlib import Path

from ...invariants.vocabulary.errors import UsageError
from ..rule import CODE, CODE_IN_WORDS

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_OURS = "FED"
ROOMS = {"1": "api", "2": "skeleton", "3": "cache", "4": "results", "5": "extension"}
"""Folder of `lint/rules` by the first digit of the code."""

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

from fedcheck.lint.inference.syntax.module import own_nodes
from fedcheck.lint.inference.values.values import External
from fedcheck.lint.rule import COMPUTED_NAME, Example, Hit, Rule
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
    for handler in dict(view.handlers()):  # once, whatever it is registered as
        for node in own_nodes(handler):
            if isinstance(node, ast.Call) and _sleeps(view, node):
                yield Hit(
                    node=node,
                    message="time.sleep stops every user's handlers while it waits. "
                    "Write await asyncio.sleep(...).",
                )


def _sleeps(view: FileView, call: ast.Call) -> bool:
    """Tell whether a call can be of nothing but ``time.sleep``, whatever it is called here."""
    return {{External("time.sleep")}} == {{item.value for item in view.values(call.func)}}


RULE = Rule(
    code="{code}",
    name="{name}",
    summary="A handler waits with time.sleep.",
    severity="warning",
    triggers=("sleep", COMPUTED_NAME),  # one of them stands in each file with a finding
    check=_check,
    what="Finds calls of `time.sleep` in the handlers themselves.",
    why="Handlers share one event loop: while one sleeps, no other runs.",
    example="time.sleep(1)",
    instead="await asyncio.sleep(1)",
    references=("asyncio: developing with asyncio, running blocking code",),
    bad=(
        Example(EXTENSION.format("time.sleep(1)"), holds="asyncio.sleep"),
        Example(EXTENSION.format('getattr(time, "sl" + "eep")(1)')),
    ),
    good=(
        Example(EXTENSION.format("await asyncio.sleep(1)")),
        Example(EXTENSION.format("await asyncio.to_thread(lambda: time.sleep(1))")),
    ),
)
'''

_CASES = """\
# {code}: {name}

## Only a call that stops the event loop is marked

```python frame
import asyncio
import time
from time import sleep as pause

def work():
    time.sleep(1)

@ext.tool("notes")
@ext.panel("notes")
async def notes(ctx):
    BODY
```

```python each
time.sleep(1)  # warning: {code} "asyncio.sleep"
pause(1)  # warning: {code}
await asyncio.sleep(1)
await asyncio.to_thread(time.sleep, 1)
print("time.sleep(1)")
```
"""

_IN_TREE = """\
Change what it looks for, its texts and its examples. Then, in this order:
  python -m pytest -n 2 tests/lint/test_rule_examples.py tests/lint/test_cases.py -k {code}
  fedcheck rule docs docs/rules
  python -m pytest -n 2 tests/lint_cli/test_rule_command.py
  ruff format . && ruff check . && pyright
  bash .ci/run
The second command writes docs/rules/{code}.md and the list of all rules. By hand: CHANGELOG.md, and
docs/lint.md if the rule brings a new notion. What only this rule needs goes into
lint/rules/{room}/support/."""

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


def new_own_rule(code: str, name: str | None, tree: Path) -> tuple[list[Path], str]:
    """Write a rule and its cases into the source tree; return the files, and what to do next.

    Args:
        code: of the rule, ``FED549``; its first digit tells the room.
        name: of the rule, in words with hyphens.
        tree: the root of fedcheck's checkout.

    Raises:
        UsageError: the code or the name is not allowed or taken, or this is no checkout.
    """
    from ..rules import own_rules
    from ..rules.retired import retired

    room = ROOMS.get(code[len(_OURS) :][:1], "")
    if not CODE.fullmatch(code) or not code.startswith(_OURS) or not room:
        told = ", ".join(f"{_OURS}{digit}.. for {room}" for digit, room in ROOMS.items())
        raise UsageError(f"{code!r} is no code of a rule of ours; write {told}")
    if not name or not _NAME.fullmatch(name):
        raise UsageError("give --name: what the rule finds, in small words with hyphens")
    for rule in own_rules():
        if code == rule.code or name == rule.name:
            raise UsageError(f"{rule.code} ({rule.name}) exists already; take another code or name")
    if gone := retired(code) or retired(name):
        raise UsageError(f"{gone}; its code and its name are never used again")
    if not (tree / "lint" / "rules" / room).is_dir():
        raise UsageError(f"{tree}: this is not the root of fedcheck's checkout; go there")
    module = tree / "lint" / "rules" / room / f"{code.lower()}_{name.replace('-', '_')}.py"
    files = {
        module: _MODULE.replace("from fedcheck.lint.", "from ..."),
        tree / "tests" / "lint" / "cases" / f"{code}.md": _CASES,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text.format(code=code, name=name))
    return list(files), _IN_TREE.format(code=code, room=room)


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
            f"codes that begin with {_OURS} are ours; take letters of your own, ACME101, "
            "or give --in-tree to write a rule of fedcheck's own"
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
