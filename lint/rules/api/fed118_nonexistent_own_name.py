"""FED118: a name of the extension itself that its module does not define."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Severity
from ...files.plain_text import mentions
from ...inference.syntax.module import Module
from ...inference.values.values import ModuleValue
from ...rule import Example, Hit, Rule
from ...sdk_use.certainty import near_names
from ...sdk_use.guards import guard
from ...sdk_use.import_errors import Runs, failure, never_runs
from ...sdk_use.reach import is_for_type_checkers
from ...sdk_use.sdk_objects import source_of
from ...view import Access, FileView

_ERRORS = ("ImportError", "ModuleNotFoundError")
_MAKING = ("globals", "__getattr__", "__dict__", "setattr", "vars", "exec")
"""Words of a module that may have names which no statement binds."""


def _check(view: FileView) -> Iterator[Hit]:
    for statement in view.module.nodes(ast.ImportFrom):
        yield from _imported(view, statement)
    own = _own_modules(view)
    for node in view.module.nodes(ast.Attribute) if own else ():
        if isinstance(node.value, ast.Name) and node.value.id in own:
            yield from _read(view, node)


def _imported(view: FileView, statement: ast.ImportFrom) -> Iterator[Hit]:
    name = "." * statement.level + (statement.module or "")
    found = view.evaluator.module_named(view.module, name)
    if not isinstance(found, ModuleValue) or is_for_type_checkers(view.module, statement):
        return
    for alias in statement.names:
        dotted = _dotted(statement, alias.name)
        if alias.name == "*" or not _lacks(view, found.module, alias.name, dotted):
            continue
        comes = failure(view, statement, *_ERRORS)
        if comes.runs in {Runs.NEVER, Runs.CAUGHT}:
            continue
        raised = "ImportError"
        yield _hit(view, alias, found.module, alias.name, raised + comes.effect, comes.severity)


def _read(view: FileView, node: ast.Attribute) -> Iterator[Hit]:
    found = [item.value for item in view.values(node.value)]
    modules = [value.module for value in found if isinstance(value, ModuleValue)]
    if len(found) != 1 or not modules or not isinstance(node.ctx, ast.Load):
        return
    access = Access(node, node.value, node.attr, "read")
    if not _lacks(view, modules[0], node.attr) or is_for_type_checkers(view.module, node):
        return
    if not guard(view, access) and not never_runs(view, node):
        yield _hit(view, node, modules[0], node.attr, "AttributeError", "error")


def _hit(
    view: FileView, node: ast.AST, module: Module, name: str, raised: str, severity: Severity
) -> Hit:
    defined = [each for each in view.extension.project.table(module.tree) if each != "*"]
    close = near_names(name, defined, most=1, alike=0.75)
    advice = f"Write {close[0]}." if close else "Define it there, or leave it out."
    file = module.source.path.name
    how = f"{source_of(node)}: it" if isinstance(node, ast.Attribute) else f"import of {name}: it"
    return Hit(
        node=node,
        message=f"{how} raises {raised}\n{file} defines no {name}. {advice}",
        severity=severity,
    )


def _own_modules(view: FileView) -> frozenset[str]:
    """Return the names under which a file imports modules of the extension."""
    found = [
        (alias.asname or alias.name, alias.name)
        for statement in view.module.nodes(ast.Import)
        for alias in statement.names
        if alias.asname or "." not in alias.name
    ]
    found += [
        (alias.asname or alias.name, _dotted(statement, alias.name))
        for statement in view.module.nodes(ast.ImportFrom)
        for alias in statement.names
    ]
    named = view.evaluator.module_named
    return frozenset(
        known for known, name in found if isinstance(named(view.module, name), ModuleValue)
    )


def _dotted(statement: ast.ImportFrom, name: str) -> str:
    module = statement.module or ""
    return f"{'.' * statement.level}{module}{'.' if module else ''}{name}"


def _lacks(view: FileView, module: Module, name: str, dotted: str = "") -> bool:
    """Tell whether no statement of a module binds a name, and no other code may."""
    project = view.extension.project
    table = project.table(module.tree)
    if name in table or "*" in table or (name.startswith("__") and name.endswith("__")):
        return False
    makes = any(mentions(module.source, word) for word in _MAKING)
    if makes or _replaces_itself(module):
        return False
    if any(name in node.names for node in module.nodes(ast.Global)):
        return False
    if module.source.path.name == "__init__.py" or _is_elsewhere(view, module, name):
        return False
    if dotted and isinstance(view.evaluator.module_named(view.module, dotted), ModuleValue):
        return False
    return not any(other.stored(name) for other in project.naming(name))


def _replaces_itself(module: Module) -> bool:
    """Tell whether a module may put something else in its place: ``sys.modules[__name__] = …``."""
    return mentions(module.source, "modules") and mentions(module.source, "__name__")


def _is_elsewhere(view: FileView, module: Module, name: str) -> bool:
    """Tell whether another module of this name has it, which Python may find first."""
    project = view.extension.project
    path = module.source.path
    return any(
        other.source.path != path
        and path.stem in {other.source.path.stem, other.source.path.parent.name}
        for other in project.naming(name)
    )


RULE = Rule(
    code="FED118",
    name="nonexistent-own-name",
    summary="A name that a module of the extension does not define cannot be imported or read.",
    severity="error",
    check=_check,
    what="Finds `from helpers import name` and `helpers.name` where `helpers.py` belongs to the "
    "extension and binds no such name. Packages, modules that make names while they run, and "
    "imports whose failure is caught are left alone.",
    why="At the top of a file the import keeps the whole extension from loading; in a function it "
    "fails for the user who comes there first.",
    example="from helpers import lod  # helpers.py defines load",
    instead="from helpers import load",
    references=("Python: the import statement",),
    bad=(
        Example(
            "from imperal_sdk import Extension\nfrom helpers import lod\n\next = Extension('n')\n",
            files={"helpers.py": "def load():\n    return 1\n"},
            holds="helpers.py defines no lod. Write load.",
        ),
        Example(
            """
import helpers


@ext.panel("p")
async def p(ctx):
    return helpers.lod()
""",
            files={"helpers.py": "def load():\n    return 1\n"},
            holds="helpers.lod: it raises AttributeError",
        ),
    ),
    good=(
        Example(
            """
import helpers
from helpers import load

try:
    from helpers import fast
except ImportError:
    fast = load


@ext.panel("p")
async def p(ctx):
    helpers.later = 1
    if hasattr(helpers, "other"):
        return helpers.other()
    return helpers.load(), helpers.later, helpers.__name__
""",
            files={"helpers.py": "def load():\n    return 1\n"},
        ),
        Example(
            "from imperal_sdk import Extension\nfrom helpers import lod\n\next = Extension('n')\n",
            files={"helpers.py": "globals()['lod'] = 1\n"},
        ),
    ),
)
