"""Conditions on the installed release of the SDK."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from ..inference.flow.narrowing import COMPARISONS
from ..inference.syntax.bindings import Binding, settled
from ..inference.syntax.module import Module, last_name
from ..inference.syntax.names import imported_path
from ..inference.values.values import External, Function, ModuleValue, only_value
from ..sdk.releases import version_key
from ..sdk.surface import PACKAGE
from ..view import FileView

_TEXTS = frozenset({"split", "rsplit", "partition", "strip", "lstrip", "rstrip", "replace",
                    "removeprefix", "startswith", "endswith", "isdigit", "isnumeric",
                    "isdecimal"})  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "int": int,
    "str": str,
    "float": float,
    "tuple": tuple,
    "list": list,
    "Version": version_key,
    "parse": version_key,
    "parse_version": version_key,
    "LooseVersion": version_key,
    "StrictVersion": version_key,
}


class Unreadable(Exception):
    """The value of an expression is unknown."""


def items_of(value: Any) -> list[object]:
    """Return the items of a text, list or tuple.

    Raises:
        Unreadable: It is none of them.
    """
    if not isinstance(value, (str, list, tuple)):
        raise Unreadable
    return [*value]  # pyright: ignore[reportUnknownVariableType]


def compared(how: ast.cmpop, left: Any, right: Any) -> object:
    """Return the outcome of a comparison.

    Raises:
        Unreadable: The operator compares objects, not what they are worth, or is a new one.
        TypeError: The values cannot be compared.
    """
    if isinstance(how, (ast.Is, ast.IsNot)) or type(how) not in COMPARISONS:
        raise Unreadable
    return COMPARISONS[type(how)](left, right)


def item_of(value: Any, index: Any) -> object:
    """Return an item or a slice of a text, list or tuple.

    Raises:
        Unreadable: It is none of them.
        LookupError: It has no such item.
    """
    if not isinstance(value, (str, list, tuple)):
        raise Unreadable
    return value[index]  # pyright: ignore[reportUnknownVariableType]


def called(name: str, *given: Any, method: bool = False) -> object:
    """Return the result of a function, or of a text's method, by its name.

    Args:
        name: of the function or method.
        given: the arguments; of a method the text comes first.
        method: whether it is a method.

    Raises:
        Unreadable: It is none of those with which versions are taken apart.
        ValueError: The function refuses the values.
    """
    if method:
        if name not in _TEXTS or not isinstance(given[0], str):
            raise Unreadable
        return getattr(given[0], name)(*given[1:])
    if name not in _FUNCTIONS:
        raise Unreadable
    return _FUNCTIONS[name](*given)


Given = tuple[Module, ast.expr, tuple[int, ...]]
"""File and expression that gave a name its value, and indexes into it for unpacking."""

_IsVersion = Callable[[FileView, Module, ast.AST], bool]
_HOPS = 6
_STEPS = 150
"""Enough for programs, and few enough for Python's stack."""
_ATTRIBUTE = "__version__"
_ATTRIBUTES = frozenset({_ATTRIBUTE, "VERSION", "version"})
_PARTS = {"major": 0, "minor": 1, "micro": 2}
_RELEASES = frozenset({"Version", "LooseVersion", "StrictVersion", "parse_version"})
_MAKING = _RELEASES | {"int", "tuple", "list", "str", "float", "map", "parse", "next",
                       "match", "search", "fullmatch", "findall", "split", "sub"}  # fmt: skip
"""Functions that make another form of a version of one that they get."""
_CUTTING = frozenset({"split", "rsplit", "partition", "strip", "lstrip", "rstrip", "replace",
                      "removeprefix", "group", "groups"})  # fmt: skip
_ASKING = frozenset({"startswith"})
_REFUSALS = (Unreadable, TypeError, ValueError, LookupError, ArithmeticError, RecursionError)
"""What follows from an expression that the target version does not settle."""


class VersionCheck(ast.expr):
    """A condition on the version of the SDK.

    Attributes:
        outcome: whether it holds in the target version; None if unknown.
    """

    outcome: bool | None = None


class OtherVersion(ast.expr):
    """A condition on the version of another package, or of Python."""


def version_check(
    view: FileView, module: Module, test: ast.expr, known: Mapping[str, object] | None = None
) -> VersionCheck | OtherVersion | None:
    """Return the version check that a condition is; None for other conditions.

    Args:
        view: a file of the extension.
        module: the file in which the condition stands.
        test: the condition.
        known: name of a parameter → its value, where a helper asks.
    """
    if not _Reader(view).asks(module, test):
        is_other = isinstance(test, ast.Compare) and _Reader(view, _is_of_other).asks(module, test)
        return OtherVersion() if is_other else None
    check = VersionCheck()
    with suppress(*_REFUSALS):
        check.outcome = bool(_Reader(view).worth(module, test, known or {}))
    return check


class _Reader:
    """Evaluates one condition, within a limit of steps."""

    def __init__(self, view: FileView, is_version: _IsVersion | None = None) -> None:
        self._view = view
        self._is_version = is_version or _is_version
        self._left = _STEPS

    def _step(self) -> bool:
        self._left -= 1
        return self._left > 0

    # ---- does it speak of the version ------------------------------------------------------

    def asks(self, module: Module, test: ast.expr) -> bool:
        """Tell whether a condition compares something derived from the SDK's version."""
        if isinstance(test, ast.Compare):
            return any(self._comes(module, part) for part in (test.left, *test.comparators))
        callee = test.func if isinstance(test, ast.Call) else None
        return (
            isinstance(callee, ast.Attribute)
            and callee.attr in _ASKING
            and self._comes(module, callee.value)
        )

    def _comes(self, module: Module, node: ast.AST, hops: int = _HOPS) -> bool:
        """Tell whether an expression is the SDK's version in some form."""
        if not hops or not self._step():
            return False
        if self._is_version(self._view, module, node):
            return True
        if isinstance(node, (ast.Name, ast.Attribute)):
            given = [*self._given(module, node)]
            if any(self._comes(where, value, hops - 1) for where, value, _ in given):
                return True
        return any(self._comes(where, it, hops) for where, it in self._sources(module, node))

    def _sources(self, module: Module, node: ast.AST) -> Iterator[tuple[Module, ast.expr]]:
        """Yield the operands from which an expression derives."""
        is_part = isinstance(node, ast.Attribute) and node.attr in {*_PARTS, "release"}
        if is_part or isinstance(node, (ast.Subscript, ast.NamedExpr, ast.Starred)):
            yield module, node.value  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        elif isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            yield module, node.generators[0].iter
        elif isinstance(node, ast.BoolOp):
            yield from ((module, part) for part in node.values)
        elif isinstance(node, ast.IfExp):
            yield from ((module, part) for part in (node.body, node.orelse))
        elif isinstance(node, (ast.Tuple, ast.List)):
            yield from ((module, part) for part in node.elts)
        elif isinstance(node, ast.Call):
            yield from self._sources_of_call(module, node)

    def _sources_of_call(self, module: Module, call: ast.Call) -> Iterator[tuple[Module, ast.expr]]:
        if isinstance(call.func, ast.Attribute) and call.func.attr in _CUTTING:
            yield module, call.func.value
        if last_name(call.func) in _MAKING:
            yield from ((module, part) for part in call.args)
            return
        helper = self._helper(module, call)
        if helper is None:
            return
        if len(call.args) == 1 and not call.keywords:
            yield module, call.args[0]
        returns = helper.module.returns(helper.node) if not call.args else []
        yield from ((helper.module, value) for value in returns)

    def _helper(self, module: Module, call: ast.Call) -> Function | None:
        helper = only_value(self._view.evaluator.values(module, call.func))
        if not isinstance(helper, Function) or not isinstance(helper.node, ast.FunctionDef):
            return None
        return helper

    # ---- where a name has its value from ---------------------------------------------------

    def _given(self, module: Module, node: ast.Name | ast.Attribute) -> Iterator[Given]:
        """Yield the assignments to a name, also of another file."""
        project = self._view.extension.project
        if isinstance(node, ast.Name):
            _, found = project.lookup(module, node)
            yield from self._of_bindings(module, found, _HOPS)
            return
        for item in self._view.evaluator.values(module, node.value):
            if isinstance(item.value, ModuleValue):
                yield from self._of_file(item.value.module, node.attr, _HOPS)

    def _of_file(self, module: Module, name: str, hops: int) -> Iterator[Given]:
        known = self._view.extension.project.table(module.tree).get(name, [])
        yield from self._of_bindings(module, settled(module.tree, known), hops)

    def _of_bindings(self, module: Module, found: list[Binding], hops: int) -> Iterator[Given]:
        for binding in found if hops and self._step() else ():
            value, alias = binding.value, binding.node
            if binding.kind == "assign" and isinstance(value, ast.expr):
                yield module, value, binding.path
            elif isinstance(value, ast.ImportFrom) and isinstance(alias, ast.alias):
                base = imported_path(value)
                owner = self._view.evaluator.module_named(module, base)
                if isinstance(owner, ModuleValue):
                    yield from self._of_file(owner.module, alias.name, hops - 1)

    # ---- what it is worth in the target version --------------------------------------------

    def worth(self, module: Module, node: ast.AST, known: Mapping[str, object]) -> object:
        """Return the value of an expression in the target version.

        Raises:
            Unreadable: The expression holds something else.
        """
        if not self._step():
            raise Unreadable
        if _is_version(self._view, module, node):
            return self._view.surface.version
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.Attribute) and node.attr in _PARTS:
            return item_of(self.worth(module, node.value, known), _PARTS[node.attr])
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._worth_of_name(module, node)
        return self._worth_of_parts(module, node, known)

    def _worth_of_name(self, module: Module, node: ast.Name | ast.Attribute) -> object:
        given = [*self._given(module, node)]
        if len(given) > 1:
            given = [each for each in given if self._comes(each[0], each[1])]
        if len(given) != 1:
            raise Unreadable
        where, value, path = given[0]
        found = self.worth(where, value, {})
        for index in path:
            found = item_of(found, index)
        return found

    def _worth_of_parts(self, module: Module, node: ast.AST, known: Mapping[str, object]) -> object:
        def worth(part: ast.AST) -> object:
            return self.worth(module, part, known)

        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [worth(part) for part in node.elts]
            return tuple(parts) if isinstance(node, ast.Tuple) else parts
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return compared(node.ops[0], worth(node.left), worth(node.comparators[0]))
        if isinstance(node, ast.Subscript):
            return item_of(worth(node.value), _index(node.slice))
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            return self._worth_of_items(module, node, known)
        if isinstance(node, ast.Call) and not node.keywords:
            return self._worth_of_call(module, node, known)
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            return worth(self._chosen(module, node))
        raise Unreadable

    def _chosen(self, module: Module, node: ast.BoolOp | ast.IfExp) -> ast.expr:
        """Return the only operand that derives from the version."""
        chosen = [it for _, it in self._sources(module, node) if self._comes(module, it)]
        if len(chosen) != 1:
            raise Unreadable
        return chosen[0]

    def _worth_of_call(self, module: Module, call: ast.Call, known: Mapping[str, object]) -> object:
        name, callee = last_name(call.func), call.func
        given = [self.worth(module, arg, known) for arg in call.args if name != "map"]
        if name == "map" and len(call.args) == 2:
            items = items_of(self.worth(module, call.args[1], known))
            return [called(last_name(call.args[0]), item) for item in items]
        helper = self._helper(module, call)
        returned = helper.module.returns(helper.node) if helper is not None else []
        if helper is not None and len(returned) == 1:
            inside = dict(zip((arg.arg for arg in helper.node.args.args), given, strict=False))
            return self.worth(helper.module, returned[0], inside)
        if isinstance(callee, ast.Attribute) and name not in _RELEASES | {"parse"}:
            return called(name, self.worth(module, callee.value, known), *given, method=True)
        return called(name, *given)

    def _worth_of_items(
        self, module: Module, node: ast.GeneratorExp | ast.ListComp, known: Mapping[str, object]
    ) -> object:
        (generator, *more) = node.generators
        if more or not isinstance(generator.target, ast.Name):
            raise Unreadable
        found: list[object] = []
        for item in items_of(self.worth(module, generator.iter, known)):
            inner = {**known, generator.target.id: item}
            if all(self.worth(module, test, inner) for test in generator.ifs):
                found.append(self.worth(module, node.elt, inner))
        return found


def _index(node: ast.expr) -> object:
    """Return an index that is written out."""
    if not isinstance(node, ast.Slice):
        return ast.literal_eval(node)
    ends = (node.lower, node.upper, node.step)
    return slice(*(None if end is None else ast.literal_eval(end) for end in ends))


def _is_version(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether an expression is the SDK's version as Python gives it."""
    if isinstance(node, ast.Attribute):
        if node.attr == _ATTRIBUTE:
            return _is_sdk(view, module, node.value)
        made = node.value
        return node.attr == "version" and isinstance(made, ast.Call) and _is_for_sdk(made)
    if isinstance(node, ast.Name):
        _, found = view.extension.project.lookup(module, node)
        return any(_takes_version(binding) for binding in found)
    if not isinstance(node, ast.Call) or not node.args:
        return False
    name = last_name(node.func)
    if name == "getattr" and len(node.args) > 1:
        asked = node.args[1]
        is_asked = isinstance(asked, ast.Constant) and asked.value == _ATTRIBUTE
        return is_asked and _is_sdk(view, module, node.args[0])
    return name == "version" and _is_for_sdk(node)


def _is_sdk(view: FileView, module: Module, node: ast.expr) -> bool:
    return any(item.value == External(PACKAGE) for item in view.evaluator.values(module, node))


def _is_of_other(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether an expression is the version of another package."""
    if isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
        found = [item.value for item in view.evaluator.values(module, node.value)]
        return bool(found) and all(
            isinstance(value, External) and value.name.partition(".")[0] != PACKAGE
            for value in found
        )
    if isinstance(node, ast.Name):
        _, bound = view.extension.project.lookup(module, node)
        return bool(bound) and all(_takes_version(binding) is False for binding in bound)
    if not isinstance(node, ast.Call) or last_name(node.func) != "version" or not node.args:
        return False
    return isinstance(node.args[0], ast.Constant) and not _is_for_sdk(node)


def _is_for_sdk(call: ast.Call) -> bool:
    """Tell whether ``version("imperal-sdk")`` or ``distribution("imperal-sdk")`` asks for it."""
    asked = call.args[0] if call.args else None
    if not isinstance(asked, ast.Constant) or not isinstance(asked.value, str):
        return False
    return asked.value.lower().replace("-", "_") == PACKAGE


def _takes_version(binding: Binding) -> bool | None:
    """Tell whether an import takes the SDK's version, or another package's; None for others."""
    taken, alias = binding.value, binding.node
    if not isinstance(taken, ast.ImportFrom) or not isinstance(alias, ast.alias) or taken.level:
        return None
    is_of_sdk = (taken.module or "").partition(".")[0] == PACKAGE
    return is_of_sdk if alias.name == _ATTRIBUTE else None


_DEPTH = 3
_OPPOSITE = (ast.Eq, ast.Is, ast.NotIn)
_SIGNATURES = frozenset({"getfullargspec", "signature"})


def asks_for_signature(view: FileView, module: Module, test: ast.expr, *, holds: bool) -> bool:
    """Tell whether a true condition depends on ``inspect.signature``."""
    return _is_plain(test, holds=holds) and any(
        isinstance(part, (ast.Attribute, ast.Name))
        and (part.attr if isinstance(part, ast.Attribute) else part.id) in _SIGNATURES
        for part in parts_behind(view, module, test)
    )


def asks_for_member(
    view: FileView, module: Module, test: ast.expr, asks: Callable[[ast.Call], bool], *, holds: bool
) -> bool:
    """Tell whether ``self.has_it`` or ``KNOWN["it"]`` holds the result of a test."""
    bare = test
    while isinstance(bare, ast.UnaryOp):
        bare = bare.operand
    is_kept = isinstance(bare, (ast.Attribute, ast.Subscript)) or (
        isinstance(bare, ast.Call) and isinstance(bare.func, ast.Attribute)
    )
    return (
        is_kept
        and _is_plain(test, holds=holds)
        and any(isinstance(it, ast.Call) and asks(it) for it in parts_behind(view, module, bare))
    )


def _is_plain(test: ast.expr, *, holds: bool) -> bool:
    """Tell whether a condition holds with a positive test."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    return holds and not (isinstance(test, ast.Compare) and isinstance(test.ops[0], _OPPOSITE))


def parts_behind(view: FileView, module: Module, test: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a condition, and of the definitions of its names, nearest first.

    Each definition is visited once.
    """
    level, seen = [test], {test}
    for is_last in (*[False] * _DEPTH, True):
        sources: list[ast.AST] = []
        for part in (part for each in level for part in ast.walk(each)):
            yield part
            if not is_last and part in module.parents:
                sources += _sources(view, module, part)
        level = [each for each in dict.fromkeys(sources) if each not in seen]
        seen.update(level)


def _sources(view: FileView, module: Module, part: ast.AST) -> Iterator[ast.AST]:
    """Yield the definitions of a name of the file."""
    if isinstance(part, ast.Name):
        for binding in view.extension.project.lookup(module, part)[1]:
            if binding.kind == "def":
                yield binding.node
            elif binding.kind == "assign" and binding.value is not None:
                yield binding.value
    elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
        cls = module.class_around(part) if part.value.id == "self" else None
        if cls is not None:
            yield from module.assigned_to_self(cls, part.attr)
