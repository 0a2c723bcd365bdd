"""Reachability from handlers, monkey-patching of the SDK, and for which user code runs."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from ..inference.calls.call_sites import call_sites
from ..inference.calls.roles import Role
from ..inference.evaluator import Evaluator
from ..inference.flow.settled_tests import settled_outcome
from ..inference.syntax.blocks import leaves
from ..inference.syntax.memo import remembered
from ..inference.syntax.module import FunctionNode, Module, last_name, own_nodes
from ..inference.values.origins import is_left_alone
from ..inference.values.values import (
    UNKNOWN,
    Alternative,
    Const,
    External,
    Frame,
    Function,
    Sdk,
    SdkClass,
    SdkMethod,
    Step,
    Value,
)
from ..sdk.surface import PACKAGE
from ..view import FileView, ProjectView

_MOST = 60

Way = tuple[Step, ...]
Place = tuple[Module, FunctionNode, Way]


class Reached(msgspec.Struct, frozen=True):
    """A handler and the call path from it to a node.

    Attributes:
        item: an alternative that ``FileView.chain`` and ``FileView.way`` can show.
    """

    role: Role
    item: Alternative


def reaching_handler(view: FileView, node: ast.AST) -> Reached | None:
    """Return the handler that reaches a node by the fewest calls."""
    start = function_around(view.module, node)
    todo: deque[Place] = deque()
    if start is not None:
        todo.append((view.module, start, ()))
    seen: set[ast.AST] = set()
    while todo and len(seen) < _MOST:
        module, function, way = todo.popleft()
        if function not in seen:
            seen.add(function)
            for role in view.evaluator.roles(module, function):
                return Reached(role, Alternative(UNKNOWN, way, (module, function)))
            todo.extend(_before(view, module, function, way))
    return None


def is_for_type_checkers(module: Module, node: ast.AST) -> bool:
    """Tell whether a node runs for type checkers only: below ``if TYPE_CHECKING:``."""
    child = node
    for up in module.ancestors(node):
        if isinstance(up, ast.If) and child is not up.test:
            is_opposite = isinstance(up.test, ast.UnaryOp) and isinstance(up.test.op, ast.Not)
            asked = up.test.operand if isinstance(up.test, ast.UnaryOp) else up.test
            if (child in up.orelse) is is_opposite and _asks_for_types(asked):
                return True
        child = up
    return False


def _asks_for_types(test: ast.expr) -> bool:
    is_both = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)
    parts = test.values if isinstance(test, ast.BoolOp) and is_both else [test]
    return any(last_name(part) == "TYPE_CHECKING" for part in parts)


def function_around(module: Module, node: ast.AST) -> FunctionNode | None:
    """Return the nearest function around a node, also around its decorators."""
    return next(module.functions_around(node), None)


def _before(view: FileView, module: Module, function: FunctionNode, way: Way) -> Iterator[Place]:
    """Yield the enclosing function and the callers of a function."""
    outer = function_around(module, function)
    if outer is not None:
        yield module, outer, way
    name = view.evaluator.project_name(module, function)
    for caller, call, _ in call_sites(view.evaluator, module, function):
        inside = function_around(caller, call)
        if inside is not None:
            yield caller, inside, (Step(caller, call, name), *way)


_DEEPEST = 8
_NEVER = frozenset({"NoReturn", "Never"})
_LEAVING = frozenset({
    "sys.exit", "os._exit", "os.abort", "exit", "quit", "typing.assert_never",
    "typing_extensions.assert_never",
})  # fmt: skip


def frame_by(evaluator: Evaluator, module: Module, node: ast.AST, via: Way) -> Frame | None:
    """Return the frame of a node on a call path; None if the path does not call its function."""
    frame: Frame | None = None
    inner = [*((step.module, step.node) for step in via[1:]), (module, node)]
    for step, (where, place) in zip(via, inner[: len(via)], strict=True):
        function = function_around(where, place)
        sites = call_sites(evaluator, where, function) if function is not None else ()
        site = next((each for each in sites if each[1] is step.node), None)
        if site is None or function is None:
            return None
        depth = frame.depth + 1 if frame else 1
        frame = evaluator.frame(Frame(function, site[0], site[1], frame, site[2], depth))
    return frame


def never_passes(evaluator: Evaluator, module: Module, node: ast.stmt, depth: int = 0) -> bool:
    """Tell whether control never passes a statement; also by a call that always raises.

    Args:
        evaluator: of the extension.
        module: where the statement stands.
        node: the statement.
        depth: number of helpers around it.
    """
    if isinstance(node, ast.Expr):
        return _never_returns(evaluator, module, node.value, depth)

    def ends(block: list[ast.stmt]) -> bool:
        return bool(block) and never_passes(evaluator, module, block[-1], depth)

    if isinstance(node, ast.If):
        taken = settled_outcome(evaluator.project, module, node.test)
        return (taken is False or ends(node.body)) and (taken is True or ends(node.orelse))
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return node not in module.swallowing and ends(node.body)
    if isinstance(node, ast.Try):
        blocks = [node.orelse or node.body, *(handler.body for handler in node.handlers)]
        return ends(node.finalbody) or all(map(ends, blocks))
    if isinstance(node, ast.Match):
        return _takes_all(node) and all(ends(case.body) for case in node.cases)
    return leaves(node, module.swallowing)


def never_ends(
    evaluator: Evaluator, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> bool:
    """Tell whether a function never returns normally, or is abstract."""
    in_class = isinstance(module.parents.get(function), ast.ClassDef)
    stub = all(isinstance(item, ast.Pass) or _is_text(item) for item in function.body)
    return (in_class and stub) or never_passes(evaluator, module, function.body[-1])


def bare_returns(module: Module, function: ast.AST) -> list[ast.Return]:
    """Return the statements ``return`` without a value of a function itself."""
    nodes = (node for node in module.nodes(ast.Return) if node.value is None)
    return [node for node in nodes if module.function(node) is function]


def _is_text(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def _takes_all(node: ast.Match) -> bool:
    last = node.cases[-1]
    is_open = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    return is_open and last.guard is None


def _never_returns(evaluator: Evaluator, module: Module, node: ast.expr, depth: int) -> bool:
    awaited = isinstance(node, ast.Await)
    call = node.value if isinstance(node, ast.Await) else node
    if not isinstance(call, ast.Call) or depth > _DEEPEST:
        return False
    found = [item.value for item in evaluator.values(module, call.func)]
    functions = [value for value in found if isinstance(value, Function)]
    if functions:
        return len(functions) == len(found) and all(
            isinstance(value.node, ast.AsyncFunctionDef) is awaited
            and _always_raises(evaluator, value.module, value.node, depth)
            for value in functions
        )
    outside = [value.name for value in found if isinstance(value, External)]
    return not awaited and bool(outside) and len(outside) == len(found) and {*outside} <= _LEAVING


def _always_raises(
    evaluator: Evaluator, module: Module, function: FunctionNode, depth: int
) -> bool:
    if isinstance(function, ast.Lambda) or not is_left_alone(function):
        return False
    said = function.returns
    name = said.value if isinstance(said, ast.Constant) else last_name(said) if said else ""
    if str(name).rpartition(".")[2] in _NEVER:
        return True
    returns = any(isinstance(part, ast.Return) for part in own_nodes(function))
    if returns or module.is_generator(function):
        return False
    return never_passes(evaluator, module, function.body[-1], depth + 1)


_STORING = frozenset({"setdefault", "update"})


def is_patched(view: FileView, name: str) -> bool:
    """Tell whether the extension assigns that name in a module of the SDK."""
    return _sets(view.extension, name, is_of_package)


def is_replaced(view: FileView, cls: str, name: str) -> bool:
    """Tell whether the extension patches a class of the SDK: ``Page.next = f``.

    Patches of a base, and a replacement of the class, count too.
    """
    bases = view.surface.member(cls, "(bases)")
    given = {cls, *(bases.text.split(", ") if bases is not None else ())}

    def is_of_class(value: Value) -> bool:
        return isinstance(value, SdkClass) and value.cls in given

    return _sets(view.extension, name, is_of_class) or is_patched(view, cls)


def is_stubbed(view: FileView, path: str) -> bool:
    """Tell whether the extension replaces a module of the SDK.

    ``sys.modules["imperal_sdk.tools"] = stub``

    Args:
        view: a file of the extension.
        path: dotted, below the package; submodules count too.
    """
    parts = path.split(".")
    stubs = view.extension.once(_stubs)
    return any(".".join(parts[:count]) in stubs for count in range(1, len(parts) + 1))


def is_of_package(value: Value) -> bool:
    """Tell whether a value is a module of the SDK, or a name from one."""
    return isinstance(value, External) and value.name.partition(".")[0] == PACKAGE


def _sets(extension: ProjectView, name: str, is_owner: Callable[[Value], bool]) -> bool:
    values = extension.evaluator.values
    for module, owner in _owners(extension, name):
        if any(is_owner(item.value) for item in values(module, owner)):
            return True
    return any(
        any(is_owner(item.value) for item in values(module, owner))
        and may_name(extension.evaluator, module, key, name)
        for module, owner, key in extension.once(_set_by_function)
    )


@remembered
def _owners(extension: ProjectView, name: str) -> list[tuple[Module, ast.expr]]:
    """Return (file, object) of each assignment to an attribute of that name."""
    return [
        (module, node.value)
        for module in extension.project.naming(name)
        for node in module.stored(name)
    ]


def _set_by_function(extension: ProjectView) -> list[tuple[Module, ast.expr, ast.expr]]:
    """Return (file, object, name) of each ``setattr``."""
    return [
        (module, call.args[0], call.args[1])
        for module in extension.project.naming("setattr")
        for call in setters(module)
    ]


def setters(module: Module) -> list[ast.Call]:
    """Return the calls of ``setattr(x, key, value)`` in a file."""
    found = (call for call in module.calls.get("setattr", ()) if isinstance(call.func, ast.Name))
    return [call for call in found if len(call.args) == 3]


def may_name(evaluator: Evaluator, module: Module, key: ast.expr, name: str) -> bool:
    """Tell whether an expression may evaluate to this name."""
    told = [item.value for item in evaluator.values(module, key)]
    return not told or any(not isinstance(it, Const) or it.value == name for it in told)


def _stubs(extension: ProjectView) -> frozenset[str]:
    """Return the SDK modules (below the package) that the extension replaces."""
    values = extension.evaluator.values
    named = (
        item.value.value
        for module in extension.project.naming("modules")
        for key in _keys(module)
        for item in values(module, key)
        if isinstance(item.value, Const) and isinstance(item.value.value, str)
    )
    start = f"{PACKAGE}."
    return frozenset(name[len(start) :] for name in named if name.startswith(start))


def _keys(module: Module) -> Iterator[ast.expr]:
    """Yield the keys that a file sets in ``sys.modules``."""
    for node in module.nodes(ast.Subscript):
        if isinstance(node.ctx, ast.Store) and last_name(node.value) == "modules":
            yield node.slice
    for call in (call for name in _STORING for call in module.calls.get(name, ())):
        is_table = isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "modules"
        for given in call.args[:1] if is_table else ():
            yield from filter(None, given.keys) if isinstance(given, ast.Dict) else (given,)


SYSTEM = frozenset({"schedule", "signal"})
"""Kinds of handlers that run as ``__system__``."""
USERS = frozenset(
    {
        "tool",
        "function",
        "skeleton",
        "alert",
        "panel",
        "widget",
        "tray",
        "menu_item",
        "expose",
        "search_provider",
    }
)
"""Kinds of handlers that run for a user. Of the others the SDK does not say for whom they run."""
WEBHOOK = "webhook"
"""The kind of handlers that run as ``__webhook__``."""
A_USER = "a user"
AS_SYSTEM = "__system__"
AS_WEBHOOK = "__webhook__"


def owner_of(value: Value) -> Sdk | None:
    """Return the SDK object whose method a value is."""
    owner = value.owner if isinstance(value, SdkMethod) else None
    return owner if isinstance(owner, Sdk) else None


def pseudo_user(owner: Sdk) -> str:
    """Return the pseudo-user for whom an SDK object acts; empty if none or unknown."""
    user = "" if owner.scoped else acting(owner.kind)
    return "" if user == A_USER else user


def acts_for_a_user(owner: Sdk) -> bool:
    """Tell whether an object of the SDK acts for a user."""
    return owner.scoped or owner.kind in USERS


def acting(kind: str) -> str:
    """Return as whom handlers of a kind run: ``A_USER`` or a pseudo-user; empty if unknown."""
    if kind in SYSTEM:
        return AS_SYSTEM
    if kind == WEBHOOK:
        return AS_WEBHOOK
    return A_USER if kind in USERS else ""


LACKING = ("for_user", "list_users")
"""Methods that ``MockStore`` and ``MockNotify`` of imperal_sdk.testing 6.3.7 do not have."""

IN_TESTS = (
    f"\nIn production `{LACKING[0]}` and `{LACKING[1]}` are there; `MockStore` and `MockNotify`\n"
    "of `imperal_sdk.testing` (6.3.7) have neither: extend them in your tests.\n"
)
