"""In which calls a key may lead to one entry of a table: ``ACTIONS[kind]`` for ``"load"``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from ..conditions import conditions, subjects
from ..evaluator import Evaluator
from ..module import FUNCTIONS, FunctionNode, Module
from ..narrowing import allows, asks_about
from ..remembered import remembered_in_circles
from ..values import Class, Const, EnumMember, Frame, Function, Value, frame_of
from .uses import ANY, Held

_DEEPEST = 12
_MOST = 1_000
"""Calls that a search for ways looks at; where there are more, nothing is said."""


class Site(msgspec.Struct, frozen=True, eq=False):
    """A call of a function of the tree.

    Attributes:
        bound: the instance, for a method.
        frame: the call through which its callee came, in which its arguments are to be read.
        is_own: whether, without that, only what the caller gets as a handler is given.
    """

    module: Module
    call: ast.Call
    bound: Value | None
    frame: Frame | None = None
    is_own: bool = False

    def entering(self, function: FunctionNode, outer: Frame | None) -> Frame:
        """Return what it makes of a function that it calls, in one call of the one around it."""
        depth = outer.depth + 1 if outer else 1
        return Frame(function, self.module, self.call, outer, self.bound, depth)


SitesOf = Callable[[Evaluator, Module, FunctionNode], tuple[Site, ...]]
Context = tuple[Frame | None, bool]
"""A call of the function around an expression, or that it runs as a handler."""


def contexts(
    evaluator: Evaluator, sites_of: SitesOf, held: Held, key: ast.expr
) -> tuple[Context, ...]:
    """Return the calls in which a key is to be read, if callers give it."""
    plain = ((held.frame, held.is_own),)
    if held.frame is not None or held.is_own:
        return plain
    function = giving(evaluator, held.module, key)
    if function is None or not sites_of(evaluator, held.module, function):
        return plain
    return chains(evaluator, sites_of, held.module, function)


@remembered_in_circles(meanwhile=())
def chains(
    evaluator: Evaluator, sites_of: SitesOf, module: Module, function: FunctionNode
) -> tuple[Context, ...]:
    """Return the ways to call a function, from those that nobody calls; none if there are many.

    Ways of more than a few calls are left out.
    """
    search = _Search(evaluator, sites_of)
    found = tuple(search.chains(module, function, ()))
    return () if search.is_over else found


class _Search:
    """Looks for the ways to a function; of circles none is followed twice."""

    def __init__(self, evaluator: Evaluator, sites_of: SitesOf) -> None:
        self.looked_at = 0
        self._evaluator = evaluator
        self._sites_of = sites_of

    @property
    def is_over(self) -> bool:
        """Whether there are too many."""
        return self.looked_at > _MOST

    def chains(
        self, module: Module, function: FunctionNode, inner: tuple[FunctionNode, ...]
    ) -> Iterator[Context]:
        """Yield the ways to a function that leads to others."""
        sites = self._sites_of(self._evaluator, module, function)
        self.looked_at += len(sites)
        if not sites:
            yield None, False
            return
        if self._evaluator.roles(module, function):
            yield None, True
        for site in sites if len(inner) < _DEEPEST else ():
            for frame, _ in self._outer(site, (*inner, function)):
                if self.is_over:
                    return
                yield self._evaluator.frame(site.entering(function, frame)), False

    def _outer(self, site: Site, inner: tuple[FunctionNode, ...]) -> Iterator[Context]:
        around = site.module.function(site.call)
        if site.frame is not None or site.is_own or around is None:
            yield site.frame, site.is_own
        elif around not in inner and not self.is_over:
            yield from self.chains(site.module, around, inner)


def giving(
    evaluator: Evaluator, module: Module, key: ast.expr, hops: int = 2
) -> FunctionNode | None:
    """Return the function whose callers give a key, or a part of it."""
    for name in ast.walk(key):
        if not isinstance(name, ast.Name):
            continue
        scope, found = evaluator.project.lookup(module, name)
        for binding in found if isinstance(scope, FUNCTIONS) else ():
            if binding.kind == "param":
                return scope if isinstance(scope, FUNCTIONS) else None
            given = binding.value if binding.kind == "assign" and hops else None
            if isinstance(given, ast.expr):
                function = giving(evaluator, module, given, hops - 1)
                if function is not None:
                    return function
    return None


def decided(evaluator: Evaluator, sites_of: SitesOf, held: Held) -> Iterator[Held]:
    """Yield what is held once for each call that comes to it, if conditions ask what calls give."""
    tests = list(_asked(evaluator, sites_of, held))
    if held.frame is not None or held.is_own or not tests:
        if held.frame is None or _comes(evaluator, held.module, tests, held.frame):
            yield held
        return
    for frame, is_own in chains(evaluator, sites_of, held.module, tests[0].function):
        if frame is None or _comes(evaluator, held.module, tests, frame):
            yield msgspec.structs.replace(held, frame=frame, is_own=is_own)


class _Test(msgspec.Struct, frozen=True, eq=False):
    """A condition that speaks of a parameter."""

    function: FunctionNode
    name: ast.Name
    test: ast.expr
    truth: bool


def _asked(evaluator: Evaluator, sites_of: SitesOf, held: Held) -> Iterator[_Test]:
    module = held.module
    for test, truth in conditions(module, held.node, rebound=False):
        for name in subjects(test):
            scope, found = evaluator.project.lookup(module, name)
            if not isinstance(scope, FUNCTIONS) or [it.kind for it in found] != ["param"]:
                continue
            if held.frame is not None or sites_of(evaluator, module, scope):
                yield _Test(scope, name, test, truth)


def _comes(evaluator: Evaluator, module: Module, tests: list[_Test], frame: Frame) -> bool:
    return all(
        any(
            _holds(evaluator, module, each, item.value)
            for item in evaluator.values(module, each.name, frame)
        )
        for each in tests
        if frame_of(frame, each.function) is not None
    )


def _holds(evaluator: Evaluator, module: Module, asked: _Test, value: Value) -> bool:
    if isinstance(asked.test, ast.Name) and isinstance(value, Function | Class):
        return asked.truth
    return allows(evaluator, module, asked.test, asked.name.id, value, truth=asked.truth)


def entries(
    evaluator: Evaluator, sites_of: SitesOf, held: Held, key: ast.expr, table: ast.expr
) -> Iterator[Held]:
    """Yield what stands under the first part of a path, once for each call that may ask for it."""
    name = held.path[0].name
    for frame, is_own in contexts(evaluator, sites_of, held, key):
        if may_be(evaluator, held.module, key, frame, name, (key, table)):
            asked = (*held.asked, (key, table, name))
            inner = held.taken_out()
            yield msgspec.structs.replace(inner, frame=frame, is_own=is_own, asked=asked)


def may_be(
    evaluator: Evaluator,
    module: Module,
    key: ast.expr,
    frame: Frame | None,
    name: object,
    place: tuple[ast.AST, ast.expr],
) -> bool:
    """Tell whether a key may be one name at a place, as far as values and conditions show it."""
    if name is ANY:
        return True
    found = [item.value for item in evaluator.values(module, key, frame)]
    known = [name_of(value) for value in found if isinstance(value, Const)]
    if found and len(known) == len(found):
        is_one = any(each == name and type(each) is type(name) for each in known)
        return is_one and (len(known) == 1 or not _is_field(key))
    node, table = place
    return all(
        _allows(evaluator, module, test, truth, key, name, table)
        for test, truth in conditions(module, node, rebound=False)
        if _speaks_of(test, key) and not any(part is key for part in ast.walk(test))
    )


def name_of(key: Const) -> object:
    """Return what a key is known by: a member of an Enum by itself."""
    return key if isinstance(key, EnumMember) else key.value


def _is_field(key: ast.expr) -> bool:
    """Tell whether a key is kept in an object: of several ones nobody says which this is."""
    return any(isinstance(part, ast.Attribute) for part in ast.walk(key))


def _speaks_of(test: ast.expr, key: ast.expr) -> bool:
    written = ast.dump(key)
    return any(isinstance(part, ast.expr) and ast.dump(part) == written for part in ast.walk(test))


def _allows(
    evaluator: Evaluator,
    module: Module,
    test: ast.expr,
    truth: bool,
    key: ast.expr,
    name: object,
    table: ast.expr,
) -> bool:
    """Tell whether a test lets a key be a name; one that nothing decides does not."""
    if isinstance(test, ast.Compare) and ast.dump(test.comparators[-1]) == ast.dump(table):
        return True
    if not isinstance(key, ast.Name) or not asks_about(test, key.id):
        return False
    given = name if isinstance(name, EnumMember) else Const(name)
    if not allows(evaluator, module, test, key.id, given, truth=truth):
        return False
    return not allows(evaluator, module, test, key.id, given, truth=not truth)
