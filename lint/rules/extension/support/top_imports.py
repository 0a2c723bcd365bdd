"""Imports inside of functions, moved to the top of the file or left out where that has them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import takewhile

from .....reports.lint.findings import Edit, Fix, Span
from ....inference.syntax.bindings import Binding
from ....inference.syntax.module import FUNCTIONS, Module, block_of, last_name
from ....view import FileView, span_of

Import = ast.Import | ast.ImportFrom
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})


def stands_at_top(view: FileView, node: Import) -> bool:
    """Tell whether the file imports all that at its top, above, and binds the names only so."""
    return all(_is_at_top(view, node, alias) for alias in node.names)


def at_top(view: FileView, node: Import) -> Fix | None:
    """Move an import to the top, without what stands there; unsafe: a module is loaded earlier.

    None if a name means something else there or in the function, or if more than its line would
    change.
    """
    module = view.module
    scope = module.scope(node)
    repeated = _repeated(view, scope, node)
    missing = [alias for alias in node.names if not _is_at_top(view, node, alias)]
    tops = _imports_above(module)
    if (
        not all(_is_removable(module, each, repeated) for each in repeated)
        or not all(_means_one_thing(view, scope, node, alias) for alias in node.names)
        or (missing and (not tops or _may_be_missing(module, node)))
    ):
        return None
    removed = tuple(_removal(module, each) for each in repeated)
    if not missing:
        title = "Leave the import out: the top of the file has it"
        return Fix(title=title, safety="unsafe", edits=removed)
    line = (tops[-1].end_lineno or tops[-1].lineno) + 1
    top = Span(line=line, column=1, end_line=line, end_column=1)
    added = Edit(span=top, replacement=_written(module, node, missing))
    return Fix(title="Import at the top of the file", safety="unsafe", edits=(added, *removed))


def _imports_above(module: Module) -> list[Import]:
    """Return the imports before the first function or class: one place for all that is moved."""
    above = takewhile(lambda it: not isinstance(it, _DEFINITIONS), module.tree.body)
    return [it for it in above if isinstance(it, Import)]


def _written(module: Module, node: Import, names: list[ast.alias]) -> str:
    line = module.source.lines[node.lineno - 1]
    ending = "\r\n" if line.endswith("\r\n") else "\n"
    if names == node.names:
        return line.strip() + ending
    kept = ast.Import(names)
    if isinstance(node, ast.ImportFrom):
        kept = ast.ImportFrom(node.module, names, node.level)
    return ast.unparse(kept) + ending


# ---- what the names mean ---------------------------------------------------------------------


def _bound(node: Import, alias: ast.alias) -> str:
    """Return the name that an import binds."""
    if alias.asname or isinstance(node, ast.ImportFrom):
        return alias.asname or alias.name
    return alias.name.partition(".")[0]


def _meaning(node: Import, alias: ast.alias) -> tuple[object, ...]:
    """Return what an import binds to its name; ``import a.b`` binds ``a``, and loads ``a.b``."""
    if isinstance(node, ast.ImportFrom):
        return node.level, node.module, alias.name
    return (alias.name,) if alias.asname else (_bound(node, alias), None)


def _are_same(found: Iterable[Binding], node: Import, alias: ast.alias) -> bool:
    return all(
        isinstance(it.value, Import)
        and isinstance(it.node, ast.alias)
        and type(it.value) is type(node)
        and _meaning(it.value, it.node) == _meaning(node, alias)
        for it in found
    )


def _at_module(view: FileView, node: Import, alias: ast.alias) -> list[Binding]:
    return view.extension.project.table(view.module.tree).get(_bound(node, alias), [])


def _is_at_top(view: FileView, node: Import, alias: ast.alias) -> bool:
    found = _at_module(view, node, alias)
    return _are_same(found, node, alias) and any(
        isinstance(it.value, Import)
        and isinstance(it.node, ast.alias)
        and it.node.name == alias.name
        and it.value in view.module.tree.body
        and it.value.lineno < node.lineno
        for it in found
    )


def _means_one_thing(view: FileView, scope: ast.AST, node: Import, alias: ast.alias) -> bool:
    """Tell whether the name would mean the same at the top, to the function and to all others."""
    module, project, name = view.module, view.extension.project, _bound(node, alias)
    own = project.table(scope).get(name, [])
    if not own or not isinstance(scope, FUNCTIONS) or not _are_same(own, node, alias):
        return False
    if any(name in project.table(up) for up in module.functions_around(scope)):
        return False
    found = _at_module(view, node, alias)
    if found:
        return _are_same(found, node, alias)
    return all(
        project.bindings(module, use)[0] is not module.tree for use in module.names.get(name, ())
    )


def _may_be_missing(module: Module, node: Import) -> bool:
    """Tell whether the code goes on where the module is not there."""
    child: ast.AST = node
    for up in module.ancestors(node):
        if isinstance(up, ast.Try) and child in up.body:
            caught = [handler.type for handler in up.handlers if handler.type is not None]
            parts = (part for kind in caught for part in ast.walk(kind))
            if _ERRORS & set(map(last_name, parts)):
                return True
        child = up
    return False


# ---- what is removed -------------------------------------------------------------------------


def _repeated(view: FileView, scope: ast.AST, node: Import) -> list[Import]:
    """Return the statements of a function that import the same: one alone would not help."""
    text = ast.dump(node)
    names = {_bound(node, alias) for alias in node.names}
    binding = {
        it.value: None
        for name in names
        for it in view.extension.project.table(scope).get(name, [])
        if isinstance(it.value, Import)
    }
    return [each for each in binding if ast.dump(each) == text] if node in binding else []


def _is_removable(module: Module, node: Import, removed: list[Import]) -> bool:
    """Tell whether a statement fills its line, and its block holds more than what is removed."""
    block = block_of(module.parents[node], node)
    line = module.source.lines[node.lineno - 1]
    is_alone = line.strip() == module.source.slice(span_of(module, node)).strip()
    kept = [each for each in block if each not in removed]
    return bool(kept) and is_alone


def _removal(module: Module, node: Import) -> Edit:
    """Take out the line, and the blank ones that would then meet others, or begin a block."""
    block = block_of(module.parents[node], node)
    lines = module.source.lines
    first, behind = node.lineno - 1, node.lineno  # from 0
    if node is block[0] or _is_blank(lines[first - 1]):
        while behind < len(lines) and _is_blank(lines[behind]) and node is not block[-1]:
            behind += 1
        while node is block[-1] and _is_blank(lines[first - 1]):
            first -= 1
    place = Span(line=first + 1, column=1, end_line=behind + 1, end_column=1)
    return Edit(span=place, replacement="")


def _is_blank(line: str) -> bool:
    return not line.strip(" \t\r\n")
