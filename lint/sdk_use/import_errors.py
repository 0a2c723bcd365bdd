"""Exceptions during import, and whether they end the loading of the extension."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from functools import cache
from pathlib import Path

import msgspec

from ...reports.lint.findings import Severity
from ..files.walking import ENTRIES
from ..inference.flow.conditions import known_inside
from ..inference.flow.settled_tests import settled_outcome
from ..inference.syntax.module import Module, last_name
from ..inference.syntax.names import imported_path
from ..inference.values.values import Const
from ..view import FileView, ProjectView
from .guards import BROAD, exception_names, runs_later, suppressed
from .reach import function_around, is_for_type_checkers
from .sdk_names import absent, taken_from_sdk

_IMPORTERS = ("import_module", "__import__")


def imports_in_turn(view: FileView, name: str) -> bool:
    """Tell whether a module imports this file, directly or not, so that a top import is a cycle.

    Imports inside of functions count. Not if the file imports the module at its top already.
    """
    if _imports_at_top(view, name):
        return _leads_here(view, name, at_top=True)
    return _leads_here(view, name, at_top=False)


def _leads_here(view: FileView, name: str, *, at_top: bool) -> bool:
    resolve, parsed = view.extension.project.resolver, view.extension.project.module
    wanted = view.module.source.path
    seen = {folder / "__init__.py" for folder in wanted.parents}  # loaded before either
    todo = list(resolve.modules(wanted, name))
    while todo:
        path = todo.pop()
        if path == wanted:
            return True
        module = None if path in seen else parsed(path)
        seen.add(path)
        for imported in _imported(module, at_top=at_top) if module is not None else ():
            todo.extend(resolve.modules(path, imported))
    return False


def _imports_at_top(view: FileView, name: str) -> bool:
    resolve, here = view.extension.project.resolver, view.module.source.path
    wanted = resolve.module(here, name)
    found = _imported(view.module, at_top=True)
    return wanted is not None and any(wanted in resolve.modules(here, each) for each in found)


def _imported(module: Module, *, at_top: bool) -> Iterator[str]:
    """Yield the dotted names that a module may import."""
    for kind in (ast.Import, ast.ImportFrom):
        for node in module.nodes(kind):
            is_meant = not at_top or function_around(module, node) is None
            if is_meant and not is_for_type_checkers(module, node):
                yield from names_of(node)


def names_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the dotted names that an import may load, imported members included."""
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.Import):
        return names
    base = imported_path(node)
    between = "" if base.endswith(".") else "."
    return [base, *(f"{base}{between}{name}" for name in names)]


def importing_calls(module: Module) -> Iterator[ast.Call]:
    """Yield the calls that import the module named by their first argument."""
    for name in _IMPORTERS:
        for call in module.calls.get(name, ()):
            if call.args and last_name(call.func) == name:
                yield call


_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})


class Runs(IntEnum):
    """How certainly an exception ends the loading of the extension."""

    NEVER = 0
    CAUGHT = 1
    SOMETIMES = 2
    LATER = 3
    ALWAYS = 4


_SEVERITIES: dict[Runs, Severity] = {
    Runs.NEVER: "info",
    Runs.CAUGHT: "info",
    Runs.SOMETIMES: "warning",
    Runs.LATER: "error",
    Runs.ALWAYS: "error",
}
_HERE = {
    Runs.NEVER: ", but this branch never runs",
    Runs.CAUGHT: ", which the code catches",
    Runs.SOMETIMES: " where the condition around it holds, and the extension then fails to load",
    Runs.LATER: " when the function runs",
    Runs.ALWAYS: ", so the whole extension fails to load",
}
_OF_THE_FILE = {
    Runs.NEVER: ", but nothing that runs imports this file",
    Runs.CAUGHT: ", which the code that imports this file catches",
    Runs.SOMETIMES: " where a condition lets this file be imported, and the extension then "
    "fails to load",
    Runs.LATER: " when a function imports this file",
}


class Failure(msgspec.Struct, frozen=True):
    """The consequence of an exception.

    Attributes:
        runs: how certainly it ends the loading.
        severity: of a finding on it.
        effect: continues "it raises …".
    """

    runs: Runs
    severity: Severity
    effect: str


def failure(view: FileView, node: ast.AST, *errors: str) -> Failure:
    """Return the consequence if a node raises one of the named exceptions."""
    caught = frozenset(errors) | BROAD
    here = _at(view.extension, view.module, node, caught)
    file = Runs.ALWAYS
    if here in {Runs.ALWAYS, Runs.SOMETIMES}:
        file = _of_files(view.extension, caught).get(view.module.source.path, Runs.ALWAYS)
    runs = min(here, file)
    effect = _OF_THE_FILE[file] if file < here else _HERE[here]
    return Failure(runs, _SEVERITIES[runs], effect)


def never_runs(view: FileView, node: ast.AST, module: Module | None = None) -> bool:
    """Tell whether a node is unreachable: ``if False``, ``if not LIVE: return`` before it.

    ``LIVE`` is a global that is bound once.

    Args:
        view: a file of the extension.
        node: what is evaluated.
        module: the file of the node, if it is another one.
    """
    return _at(view.extension, module or view.module, node, frozenset()) is Runs.NEVER


# ---- one file --------------------------------------------------------------------------------


def _at(extension: ProjectView, module: Module, node: ast.AST, errors: frozenset[str]) -> Runs:
    """Return how certainly an exception ends the loading of its own file."""
    runs = Runs.ALWAYS
    child = node
    for parent in module.ancestors(node):
        is_called = runs_later(parent, child)
        step = Runs.LATER if is_called else _step(extension, module, parent, child, errors)
        if step is Runs.NEVER or _is_shut(extension, module, parent, child):
            return Runs.NEVER
        if is_called and runs is not Runs.CAUGHT:
            runs = Runs.LATER
        elif runs is not Runs.LATER:
            runs = min(runs, step)
        child = parent
    return runs


def _is_shut(extension: ProjectView, module: Module, parent: ast.AST, child: ast.AST) -> bool:
    """Tell whether a test with a constant outcome makes a child of a node unreachable."""
    return any(
        settled_outcome(extension.project, module, test) is (not truth)
        for test, truth in known_inside(module, parent, child)
    )


def _step(
    extension: ProjectView,
    module: Module,
    parent: ast.AST,
    child: ast.AST,
    errors: frozenset[str],
) -> Runs:
    if _is_caught(parent, child, errors):
        return Runs.CAUGHT
    if isinstance(parent, (ast.If, ast.IfExp, ast.While)) and child is not parent.test:
        truth = settled_outcome(extension.project, module, parent.test)
        return Runs.SOMETIMES if truth is None else Runs.ALWAYS
    if isinstance(parent, ast.BoolOp) and child is not parent.values[0]:
        return Runs.SOMETIMES
    if isinstance(parent, ast.Match) and child is not parent.subject:
        return Runs.SOMETIMES
    if isinstance(parent, ast.For) and child in parent.body:
        items = parent.iter.elts if isinstance(parent.iter, (ast.Tuple, ast.List)) else []
        return Runs.ALWAYS if items else Runs.SOMETIMES
    if isinstance(parent, ast.Try) and isinstance(child, ast.ExceptHandler):
        truth = _handler_runs(extension, parent, child)
        return {True: Runs.ALWAYS, False: Runs.NEVER, None: Runs.SOMETIMES}[truth]
    return Runs.ALWAYS


def _is_caught(parent: ast.AST, child: ast.AST, errors: frozenset[str]) -> bool:
    """Tell whether a statement catches an exception and does not raise again."""
    if isinstance(parent, ast.Try) and child in parent.body:
        for handler in parent.handlers:
            if handler.type is None or errors & exception_names(handler.type):
                return not isinstance(handler.body[-1], ast.Raise)
    return not errors.isdisjoint(suppressed(parent, child))


def _handler_runs(extension: ProjectView, node: ast.Try, handler: ast.ExceptHandler) -> bool | None:
    """Tell whether a handler of ImportError runs, if its ``try`` holds only imports of the SDK."""
    if handler.type is not None and not exception_names(handler.type) & (_IMPORT_ERRORS | BROAD):
        return None
    taken = [path for statement in node.body for path in taken_from_sdk(statement)]
    missing = any(absent(extension.surface, path) for path in taken)
    others = [it for it in node.body if not any(taken_from_sdk(it)) and not _binds_name(it)]
    return True if missing else False if taken and not others else None


def _binds_name(statement: ast.stmt) -> bool:
    """Tell whether a statement only keeps a constant or a name: ``HAS = True``."""
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Constant, ast.Name))
    )


# ---- who imports it --------------------------------------------------------------------------


def _of_files(extension: ProjectView, errors: frozenset[str]) -> dict[Path, Runs]:
    """Return file → how certainly an exception in it ends the loading; imported files only."""
    return extension.once(_ways_of(errors))


@cache
def _ways_of(errors: frozenset[str]) -> Callable[[ProjectView], dict[Path, Runs]]:
    def compute(extension: ProjectView) -> dict[Path, Runs]:
        return _widest(extension, errors)

    return compute


def _widest(extension: ProjectView, errors: frozenset[str]) -> dict[Path, Runs]:
    project = extension.project
    entries = [project.root / name for name in ENTRIES if project.root / name in project.sources]
    found = dict.fromkeys(entries or project.sources, Runs.ALWAYS)
    todo = list(found)
    while todo:
        path = todo.pop()
        module = project.module(path)
        for target, step in _imports(extension, module, errors) if module is not None else ():
            runs = min(step, found[path])
            if target not in found or found[target] < runs:
                found[target] = runs
                todo.append(target)
    return found


def _imports(
    extension: ProjectView, module: Module, errors: frozenset[str]
) -> Iterator[tuple[Path, Runs]]:
    """Yield (imported file, how certainly an exception in it ends the importer's loading)."""
    path, resolve = module.source.path, extension.project.resolver
    for node, names in _importing(extension, module):
        targets = [target for name in names for target in resolve.modules(path, name)]
        if targets:
            runs = _at(extension, module, node, errors)
            yield from ((target, runs) for target in targets)


def _importing(extension: ProjectView, module: Module) -> Iterator[tuple[ast.AST, Iterable[str]]]:
    for kind in (ast.Import, ast.ImportFrom):
        yield from ((node, names_of(node)) for node in module.nodes(kind))
    for call in importing_calls(module):
        known = extension.evaluator.values(module, call.args[0])
        texts = (item.value.value for item in known if isinstance(item.value, Const))
        yield call, [text for text in texts if isinstance(text, str)]
