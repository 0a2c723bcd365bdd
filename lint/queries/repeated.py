"""Handlers that take each other's name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

import msgspec

from ..model.bindings import Binding, sole_value
from ..model.evaluator import Evaluator
from ..model.import_paths import imported_path
from ..model.module import FunctionNode, Module, block_of
from ..model.roles import Role
from ..model.values import ModuleValue
from ..rule import Hit
from ..view import FileView, step_at
from .sdk_calls import is_proved

REPLACES = (
    "the later declaration replaces the other without a word, and the earlier handler never runs."
)
"""What comes of a repetition that the SDK accepts."""
_HOPS = 8

Declared = tuple[Module, FunctionNode | ast.stmt, Role]


class Repetition(msgspec.Struct, frozen=True, eq=False):
    """A declaration that stands behind another one of the same name.

    Attributes:
        role: the later one.
        module: where the earlier one stands.
        first: its function, or the statement that declares it.
        certain: whether both certainly run, one after the other, on the same extension.
    """

    role: Role
    module: Module
    first: FunctionNode | ast.stmt
    certain: bool

    @property
    def where(self) -> str:
        """The earlier one's place, for messages."""
        return f"{self.module.source.path.name}:{self.first.lineno}"


def repetitions(
    view: FileView,
    handlers: Iterable[tuple[FunctionNode | ast.stmt, Role]],
    everywhere: Callable[[Role], Iterable[Declared]],
    same: Callable[[Role, Role], bool],
) -> Iterator[Repetition]:
    """Yield those handlers of a file before which another one of the same name stands.

    Args:
        view: the file.
        handlers: of the file; a declaration that is no handler with its statement.
        everywhere: role → the handlers of the extension among which to look.
        same: whether two roles take the same name.
    """
    for function, role in handlers:
        for module, first, other in everywhere(role):
            earlier = _place(module, other) < _place(view.module, role)
            if not earlier or not same(other, role):
                continue
            if module is view.module and _is_choice(module, first, function):
                continue
            if _one_owner(view, module, role, other):
                runs = always_runs(view.module, function) and always_runs(module, first)
                certain = module is view.module and runs and is_proved(view, role)
                yield Repetition(role, module, first, certain)
                break


def hit(found: Repetition, message: str) -> Hit:
    """Mark the later declaration, and lead to the earlier one."""
    return Hit(
        node=found.role.call,
        message=message,
        severity=None if found.certain else "warning",
        chain=(step_at(found.module, found.first, "the other declaration"),),
    )


def _place(module: Module, role: Role) -> tuple[str, int, int]:
    return (module.source.name, role.call.lineno, role.call.col_offset)


def _one_owner(view: FileView, module: Module, role: Role, other: Role) -> bool:
    """Tell whether two handlers are registered with one object."""
    ours, theirs = _owner(role), _owner(other)
    if ours is None or theirs is None:
        return False
    here = creation(view.evaluator, view.module, ours)
    there = creation(view.evaluator, module, theirs)
    if here is None or there is None:
        return module is view.module and ast.unparse(ours) == ast.unparse(theirs)
    return here is there


def _owner(role: Role) -> ast.expr | None:
    callee = role.call.func if isinstance(role.call, ast.Call) else role.call
    return callee.value if isinstance(callee, ast.Attribute) else None


def creation(evaluator: Evaluator, module: Module, node: ast.AST | None) -> ast.AST | None:
    """Return the expression that makes the object behind a name, through imports."""
    for _ in range(_HOPS):
        if not isinstance(node, ast.Name):
            return node if isinstance(node, ast.Call) else None
        found = evaluator.project.lookup(module, node)[1]
        for _ in range(_HOPS):
            if len(found) == 1 and found[0].kind == "import":
                module, found = _imported(evaluator, module, found[0])
        node = sole_value(found)
    return None


def _imported(
    evaluator: Evaluator, module: Module, binding: Binding
) -> tuple[Module, list[Binding]]:
    """Return where ``from base import name`` leads: a module of the tree and its bindings."""
    alias, statement = binding.node, binding.value
    if not isinstance(statement, ast.ImportFrom) or not isinstance(alias, ast.alias):
        return module, []
    owner = evaluator.module_named(module, imported_path(statement))
    if not isinstance(owner, ModuleValue) or owner.module is module:
        return module, []
    return owner.module, evaluator.project.table(owner.module.tree).get(alias.name, [])


def _is_choice(module: Module, first: ast.AST, second: ast.AST) -> bool:
    """Tell whether two definitions stand under conditions of which one may be the other's opposite.

    In two branches of one statement, or each under a condition, a ``try`` or a function of its own.
    """
    ours, theirs = _places(module, first), _places(module, second)
    shared = [up for up in ours if up in theirs]
    if any(ours[up] is not theirs[up] for up in shared):
        return True
    return len(ours) > len(shared) and len(theirs) > len(shared)


def _places(module: Module, function: ast.AST) -> dict[ast.AST, ast.AST]:
    """Return statement around a definition → the block in it, as its first node."""
    found: dict[ast.AST, ast.AST] = {}
    child: ast.AST = function
    for parent in module.ancestors(function):
        if isinstance(parent, _CONDITIONAL):
            block = block_of(parent, child) if isinstance(child, ast.stmt) else []
            found[parent] = block[0] if block else child
        child = parent
    return found


_CONDITIONAL = (ast.If, ast.Try, ast.Match, ast.While, ast.For, ast.FunctionDef)


def always_runs(module: Module, function: ast.AST) -> bool:
    """Tell whether a definition stands at the top level of its file, under no condition."""
    return isinstance(module.parents.get(function), ast.Module)
