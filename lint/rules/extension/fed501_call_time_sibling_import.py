"""FED501: a function imports a module of the extension when it runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...inference.calls.calling import constant_text
from ...inference.values.values import External, ModuleValue
from ...rule import Example, Hit, Rule
from ...sdk_use.import_errors import importing_calls, imports_in_turn
from ...sdk_use.reach import function_around, is_for_type_checkers, reaching_handler
from ...view import FileView
from .support.chat_functions import lacking_names
from .support.import_time import runs_only_while_loading
from .support.top_imports import at_top, stands_at_top

_INDENTED = tuple(
    re.compile(pattern)
    for pattern in (
        *(before + rb"[ \t]*(?:from|import)\b" for before in (rb"\n[ \t]", rb":", rb";")),
        rb"import_module|__import__",
    )
)
"""Each starts with a literal, so a search is fast; one joint pattern takes ten times as long."""
_IMPORTING = (External("importlib.import_module"), External("__import__"))


def _check(view: FileView) -> Iterator[Hit]:
    for kind in (ast.ImportFrom, ast.Import):
        for node in view.module.nodes(kind):
            name = _sibling(view, node) if function_around(view.module, node) else ""
            if (
                name
                and not is_for_type_checkers(view.module, node)
                and not runs_only_while_loading(view, node)
            ):
                yield _hit(view, node, name)
    for call in importing_calls(view.module):
        name = _sibling_by_text(view, call)
        if name and not runs_only_while_loading(view, call):
            yield _hit(view, call, name)


def _sibling(view: FileView, node: ast.ImportFrom | ast.Import) -> str:
    """Return the extension's own module that a statement imports by an absolute name."""
    if isinstance(node, ast.ImportFrom):
        names = [node.module or ""] if not node.level else []
    else:
        names = [alias.name for alias in node.names]
    for name in names:
        if name and isinstance(view.evaluator.module_named(view.module, name), ModuleValue):
            return name
    return ""


def _sibling_by_text(view: FileView, call: ast.Call) -> str:
    """Return the extension's own module that ``import_module("name")`` imports."""
    if function_around(view.module, call) is None:
        return ""
    found = view.values(call.func)
    if any(item.value not in _IMPORTING for item in found):
        return ""
    name = constant_text(view.evaluator, view.module, call.args[0]) if found else None
    if not name or name.startswith("."):
        return ""
    return name if isinstance(view.evaluator.module_named(view.module, name), ModuleValue) else ""


def _hit(view: FileView, node: ast.ImportFrom | ast.Import | ast.Call, name: str) -> Hit:
    in_turn = imports_in_turn(view, name)
    lacking = lacking_names(view, node) if isinstance(node, ast.ImportFrom) else []
    has_it = not isinstance(node, ast.Call) and stands_at_top(view, node)
    if _is_itself(view, name):
        advice = f"{name} is this file itself: take the import out, and use what stands here"
    elif lacking:
        advice = (
            f"{name} has no {' and no '.join(lacking)}, so that the line raises ImportError: name "
            "what is there, at the top of the file"
        )
    elif has_it:
        advice = "Take it out: the top of the file imports it already"
    elif in_turn:
        advice = (
            f"{name} imports this file in turn, and not both can do it at the top: put what both "
            "need into a third file, and import that at the top"
        )
    elif isinstance(node, ast.Call):
        advice = f"Write at the top of the file: import {name}"
    else:
        advice = f"Move it to the top of the file: {ast.unparse(node)}"
    is_stuck = bool(lacking) or (in_turn and not has_it)
    reached = reaching_handler(view, node)
    return Hit(
        node=node,
        message=f"{name} is imported when the function runs: it may get another extension's "
        "module\n"
        "By then another module of that name may stand in sys.modules. "
        f"{advice}.",
        chain=view.chain(reached.item) if reached else (),
        fix=None if is_stuck or isinstance(node, ast.Call) else at_top(view, node),
    )


def _is_itself(view: FileView, name: str) -> bool:
    found = view.evaluator.module_named(view.module, name)
    return isinstance(found, ModuleValue) and found.module is view.module


_LOADING = """
def boot():
    import storage
    return storage.x


def setup():
    return boot()


setup()
"""

RULE = Rule(
    code="FED501",
    name="import-inside-function",
    summary="Modules of the extension are imported at the top.",
    severity="warning",
    invariant="I-EXT-MODULE-ISOLATION",
    triggers=("import",),
    screen=lambda text: any(pattern.search(text) for pattern in _INDENTED),
    check=_check,
    what="""
Finds imports of the extension's own modules inside functions. It is an error where a handler can
come to the import, else a warning. Relative imports and foreign packages are fine, and so is a
function that runs only while the extension is loaded, however many calls lead to it.
""",
    why="""
The kernel loads many extensions into one process and isolates their modules only while it loads
them. A later `from app import ext` finds whatever module is called `app` by then: in production an
extension has worked with another one's objects.
""",
    example="async def notes(ctx):\n    from storage import load\n\n    return await load(ctx)",
    instead="from storage import load\n\n\nasync def notes(ctx):\n    return await load(ctx)",
    safety="Moves the import to the top; unsafe, for the module is then loaded earlier. Where the "
    "top has it already, the line is only taken out. There is none where that module imports this "
    "file in turn, or where the name means something else at the top.",
    references=("I-EXT-MODULE-ISOLATION",),
    bad=(
        Example(
            """
@ext.panel("p")
async def p(ctx):
    return await load(ctx)


async def load(ctx):
    from storage import read
    return await read(ctx)
""",
            {
                "storage.py": """\
async def read(ctx):
    return 1
"""
            },
            holds="calls load",
        ),
        Example(
            """
def unused():
    import storage
    return storage
""",
            {"storage.py": "x = 1\n"},
            severity="warning",
        ),
        Example(
            _LOADING
            + """

@ext.panel("p")
async def p(ctx):
    return setup()
""",
            {"storage.py": "x = 1\n"},
            holds="calls boot",
        ),
        Example(
            """
from importlib import import_module


@ext.panel("p")
async def p(ctx):
    return import_module("storage").x
""",
            {"storage.py": "x = 1\n"},
            holds="import storage.",
        ),
        Example(
            """
KEY = "notes"


@ext.panel("p")
async def p(ctx):
    from storage import read
    return await read(ctx)
""",
            {
                "storage.py": """\
from loader import KEY


async def read(ctx):
    return KEY
""",
                "loader.py": "from main import KEY\n",
            },
            holds="storage imports this file in turn",
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    import storage
    return storage.x
""",
            {
                "storage.py": """\
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import main

x = 1
"""
            },
            holds="Move it to the top of the file: import storage.",
        ),
    ),
    good=(
        Example(
            """
import importlib

MODULE = importlib.import_module("storage")


@ext.panel("p")
async def p(ctx):
    return importlib.import_module("json"), importlib.import_module(".storage", __package__)
""",
            {"storage.py": "x = 1\n"},
        ),
        Example(
            """
@ext.panel("p")
async def p(ctx):
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        import storage
""",
            {"storage.py": "x = 1\n"},
        ),
        Example(
            """
from imperal_sdk import Extension
import storage

ext = Extension("n")


@ext.panel("p")
async def p(ctx):
    import json
    return json.dumps(storage.x)
""",
            {"storage.py": "x = 1\n"},
        ),
        Example(
            """
def boot():
    import storage
    return storage.x


START = boot()
""",
            {"storage.py": "x = 1\n"},
        ),
        Example(_LOADING, {"storage.py": "x = 1\n"}),
    ),
)
