"""Certainty of findings, repeated declarations, and near names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from ..inference.calls.roles import Role
from ..inference.evaluator import Evaluator
from ..inference.flow.conditions import conditions
from ..inference.syntax.bindings import Binding, sole_value
from ..inference.syntax.module import FunctionNode, Module, block_of
from ..inference.syntax.names import imported_path
from ..inference.syntax.spelling import names_own
from ..inference.values.attributes import class_chain
from ..inference.values.classes import subclasses
from ..inference.values.fields import sets_by_name
from ..inference.values.values import Alternative, Class, ModuleValue, is_same_way
from ..rule import Hit
from ..view import FileView, step_at
from .calls import is_proved
from .sdk_objects import is_attached, keyed_stores

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)


def is_alone(
    view: FileView, node: ast.expr, item: Alternative, wrong: Callable[[Alternative], object]
) -> bool:
    """Tell whether an expression has no right alternative on the path of a wrong value.

    Args:
        view: the file.
        node: the expression in it.
        item: the wrong one of its values.
        wrong: tells whether a value is wrong.
    """
    given = _given(view, node)
    if given is not None and not is_alone(view, given, item, wrong):
        return False
    others = (
        other
        for other in view.values(node)
        if is_same_way(item, other) or _is_of_some_object(view, node, item)
    )
    return (
        all(wrong(other) for other in others)
        and not is_bounded(view, node)
        and not _is_bound_again(view, node)
    )


def _given(view: FileView, node: ast.expr) -> ast.expr | None:
    """Return the expression assigned to a name, if that is a name or attribute itself."""
    if not isinstance(node, ast.Name) or node not in view.module.parents:
        return None
    given = sole_value(view.extension.project.lookup(view.module, node)[1])
    is_named = isinstance(given, (ast.Attribute, ast.Name))
    return given if is_named and given.lineno < node.lineno else None


def _is_of_some_object(view: FileView, node: ast.expr, item: Alternative) -> bool:
    """Tell whether a value is a constructor argument of some, unknown object.

    ``Limits(900)`` proves nothing about ``Limits(60)``.
    """
    if not isinstance(node, ast.Attribute) or names_own(node.value) or not item.via:
        return False
    step = item.via[-1]
    callee = step.node.func if isinstance(step.node, ast.Call) else None
    made = view.evaluator.values(step.module, callee) if callee is not None else ()
    return any(isinstance(each.value, Class) for each in made)


def is_bounded(view: FileView, node: ast.expr) -> bool:
    """Tell whether a comparison around a name may rule out wrong values."""
    return isinstance(node, ast.Name) and any(
        isinstance(part, ast.Compare)
        and isinstance(part.ops[0], _ORDERS)
        and any(isinstance(name, ast.Name) and name.id == node.id for name in ast.walk(part))
        for test, _ in conditions(view.module, node)
        for part in ast.walk(test)
    )


def _is_bound_again(view: FileView, node: ast.expr) -> bool:
    """Tell whether an attribute is assigned in several places, or outside of its class."""
    if not isinstance(node, ast.Attribute):
        return False
    if not names_own(node.value):
        naming = view.evaluator.project.naming(node.attr)
        return is_attached(view, node.attr, own=False) or any(map(keyed_stores, naming))
    own = view.module.class_around(node)
    family = _family(view, Class(view.module, own)) if own is not None else set[ast.ClassDef]()
    places = [
        stored
        for module in view.evaluator.project.naming(node.attr)
        for stored, cls in _stores(module, node.attr)
        if cls is None or cls in family
    ]
    return len(places) > 1 or any(map(sets_by_name, family))


def _family(view: FileView, cls: Class) -> set[ast.ClassDef]:
    """Return the classes whose objects may run a method, and their bases."""
    runs = [cls, *subclasses(view.evaluator, cls)]
    return {base.node for each in runs for base in class_chain(view.evaluator, each)}


def _stores(module: Module, name: str) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Yield (assignment of an attribute, class if it is one of ``self``)."""
    for node in module.stored(name):
        yield node, module.class_around(node) if names_own(node.value) else None
    for node in module.names.get(name, ()):
        scope = module.scope(node)
        if isinstance(node.ctx, ast.Store) and isinstance(scope, ast.ClassDef):
            yield node, scope


REPLACES = (
    "The later declaration replaces the other without a word, and the earlier handler never runs."
)
"""What follows from a repetition that the SDK accepts."""
_HOPS = 8

Declared = tuple[Module, FunctionNode | ast.stmt, Role]


class Repetition(msgspec.Struct, frozen=True, eq=False):
    """A declaration after another one of the same name.

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
    """Yield the handlers of a file that repeat the name of an earlier one.

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
    """Return a hit on the later declaration, with the earlier one in its chain."""
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
    """Return the expression that creates the object of a name, through imports."""
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
    """Tell whether two definitions may be alternatives of which only one runs.

    In two branches of one statement, or each under a condition, ``try`` or function of its own.
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


def near_names(name: str, known: Collection[str], *, most: int, alike: float) -> list[str]:
    """Return the known names that are most alike, best first.

    Args:
        name: as it is written.
        known: the names that there are.
        most: number of names that are returned.
        alike: least likeness, from 0 to 1.
    """
    import difflib  # only findings ask

    return difflib.get_close_matches(name, known, n=most, cutoff=alike)
