"""Which functions of the tree are called in place of one that decorators wrap.

A decorator is *clear* if all that it may do with the function stands in the code that is read here:
it gives the function back, or one that calls it by its name. Of every other one nothing is known.
"""

from __future__ import annotations

import ast

import msgspec

from ..arguments import callee_of
from ..attributes import class_chain
from ..bindings import parameters, sole_value
from ..definitions import definition
from ..evaluator import Evaluator
from ..fields import constructor
from ..kept_decorators import kept_callee
from ..module import FUNCTIONS, FunctionNode, Module, last_name
from ..remembered import remembered_in_circles
from ..roles import KINDS
from ..swallowing import MANAGERS
from ..values import (
    Class,
    External,
    Function,
    Instance,
    Made,
    Sdk,
    SdkClass,
    SdkMethod,
    Value,
    only_value,
)
from .decorators import (
    Method,
    Wrapper,
    calls_inside,
    dotted,
    gets,
    gives_back,
    hands_over,
    names_of,
    outer,
    passed_through,
    results_of,
    wrappers,
)
from .uses import is_own_use, is_plain_use, kept_by

_APPLYING = frozenset({"functools.partial", "functools.partialmethod", "functools.reduce"})
"""Functions that call what they are given, in a way that is not followed."""
_KEEPING = frozenset(
    {
        "asynccontextmanager",
        "cache",
        "classmethod",
        "contextmanager",
        "deprecated",
        "lru_cache",
        "no_type_check",
        "override",
        "staticmethod",
        "wraps",
    }
)
"""Decorators from elsewhere under which a decorator is still what it says."""


class Wrapping(msgspec.Struct, frozen=True, eq=False):
    """What the decorators of a function do with it.

    Attributes:
        wrappers: what calls the function when others call it.
        is_clear: whether that is all; else something unknown calls it, or nothing does.
    """

    wrappers: tuple[Wrapper, ...]
    is_clear: bool


_NAMED = -1
"""Stands for a number of calls where a name is followed, so that a circle is seen."""
_PLAIN = Wrapping((), is_clear=True)


@remembered_in_circles(meanwhile=_PLAIN)
def wrapping(evaluator: Evaluator, module: Module, function: FunctionNode) -> Wrapping:
    """Return what the decorators of a function do with it, those that register it left out."""
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    if not decorators:
        return _PLAIN
    walk = _Walk(evaluator)
    walk.found += wrappers(evaluator, module, function)
    others = [each for each in decorators if not registers(evaluator, module, each)]
    clear = [walk.decorator(module, each) for each in others]
    return Wrapping(tuple(walk.found), is_clear=all(clear))


def registers(evaluator: Evaluator, module: Module, decorator: ast.expr) -> bool:
    """Tell whether a decorator has the name of one that registers handlers: ``@ext.panel("p")``."""
    callee = kept_callee(evaluator, module, decorator)
    return (
        isinstance(callee, ast.Attribute)
        and callee.attr in KINDS
        and not any(isinstance(it.value, Function) for it in evaluator.values(module, callee))
    )


def of_decorator(evaluator: Evaluator, module: Module, decorator: ast.expr) -> Wrapping:
    """Return what one decorator does with what stands under it."""
    walk = _Walk(evaluator)
    is_clear = walk.decorator(module, decorator)
    return Wrapping(tuple(walk.found), is_clear)


class _Walk:
    """Follows decorators to the functions that call what they wrap.

    Its methods tell whether something is clear, and note in ``found`` what wraps.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.found: list[Wrapper] = []
        self._evaluator = evaluator
        self._seen: set[tuple[ast.AST, int]] = set()

    def decorator(self, module: Module, node: ast.expr) -> bool:
        """Follow a decorator as it is written: ``deco``, ``deco(3)``, ``DECOS["x"](3)``."""
        made = [node]
        while isinstance(made[-1], ast.Call):
            made.append(made[-1].func)
        for layers in reversed(range(len(made))):
            values = [item.value for item in self._evaluator.values(module, made[layers])]
            if values and not any(type(value) is Value for value in values):
                clear = [self._value(value, layers) for value in values]
                return all(clear) and self._is_bare(module, made[layers:])
        return False

    def _is_bare(self, module: Module, made: list[ast.expr]) -> bool:
        """Tell whether no function from elsewhere made a decorator of one of the tree."""
        place = definition(self._evaluator, module, made[0])
        calls = [(module, each) for each in made] if place is None else [place]
        return not any(
            isinstance(item.value, Function)
            for where, call in calls
            if isinstance(call, ast.Call)
            for given in call.args
            for item in self._evaluator.values(where, given)
        )

    def _value(self, value: Value, layers: int) -> bool:
        """Follow what decorates after some calls: none for ``@deco``, one for ``@deco(3)``."""
        if isinstance(value, Function):
            return self._function(value, layers)
        if isinstance(value, Class):
            return self._instance(value, layers - 1) if layers else self._class(value)
        if isinstance(value, Instance):
            return self._instance(value.cls, layers)
        if isinstance(value, External | Made):
            return (value.name if isinstance(value, External) else value.of) not in _APPLYING
        return isinstance(value, Sdk | SdkClass | SdkMethod)

    def _function(self, made: Function, layers: int) -> bool:
        if (made.node, layers) in self._seen:
            return True
        self._seen.add((made.node, layers))
        decorators: list[ast.expr] = getattr(made.node, "decorator_list", [])
        if any(last_name(callee_of(each)) in MANAGERS for each in decorators):
            return True
        if not all(self._keeps(made.module, each) for each in decorators):
            return False
        if not layers:
            return self._maker(made)
        results = results_of(made)
        if any(_is_itself(self._evaluator, made, each) for each in results):
            return self._function(made, layers - 1)
        clear = [self._made(made, each, layers) for each in results]
        return bool(clear) and all(clear)

    def _keeps(self, module: Module, decorator: ast.expr) -> bool:
        """Tell whether a decorator leaves a decorator what it is."""
        callee = callee_of(decorator)
        for item in self._evaluator.values(module, callee):
            value = item.value
            if isinstance(value, External) and last_name(callee) in _KEEPING:
                continue
            if not isinstance(value, Function) or callee is not decorator:
                return False
            if not gives_back(value, _first(value)):
                return False
        return True

    def _made(self, maker: Function, result: ast.expr, layers: int) -> bool:
        """Follow what a factory returns: a decorator, or what its first argument becomes."""
        own = _first(maker)
        given = result.args[:1] if isinstance(result, ast.Call) else []
        if isinstance(result, ast.Call) and any(getattr(it, "id", None) in own for it in given):
            return self.decorator(maker.module, result.func)
        values = [item.value for item in self._evaluator.values(maker.module, result)]
        clear = [self._value(value, layers - 1) for value in values]
        return bool(clear) and all(clear)

    # ---- a function that gets what is decorated ----------------------------------------------

    def _maker(self, maker: Function) -> bool:
        """Follow a function that gets a function and gives what is called in its place."""
        node, skip = maker.node, _skip(maker)
        taken = [*node.args.posonlyargs, *node.args.args][skip : skip + 1]
        if not taken:
            return False
        wrapper = self._noted(Wrapper(maker, names_of(node, {taken[0].arg})))
        inner: list[FunctionNode] = []
        clear = [self._result(wrapper, each, inner) for each in results_of(maker)]
        return bool(clear) and all(clear) and self._is_called(wrapper, inner)

    def _noted(self, wrapper: Wrapper) -> Wrapper:
        """Note a wrapper, unless one that holds it is noted."""
        node = wrapper.function.node
        is_held = any(
            wrapper.wrapped <= each.wrapped and (each.function.node is node or each.holds(node))
            for each in self.found
        )
        if not is_held:
            self.found.append(wrapper)
        return wrapper

    def _is_called(self, wrapper: Wrapper, inner: list[FunctionNode]) -> bool:
        """Tell whether the functions that replace another are seen to call it, and nothing else."""
        calls = list(calls_inside(wrapper))
        if inner and not calls and not hands_over(wrapper):
            return False
        return all(self._is_called_in(wrapper, call, inner) for call in calls) and all(
            is_plain_use(wrapper, part)
            for part in ast.walk(wrapper.function.node)
            if isinstance(part, ast.Name) and part.id in wrapper.wrapped
        )

    def _is_called_in(self, wrapper: Wrapper, call: ast.Call, inner: list[FunctionNode]) -> bool:
        """Tell whether a call stands in what is returned, or in a decorator inside this one."""
        module = wrapper.function.module
        caller = outer(module, call, wrapper)
        makers = module.functions_around(call)
        is_inner = any(wrapper.holds(up) and gets(up, wrapper) for up in makers)
        return is_inner or caller is None or caller in inner

    def _result(self, wrapper: Wrapper, node: ast.expr, inner: list[FunctionNode]) -> bool:
        """Follow what a decorator returns, and note the functions in it that it may be."""
        if isinstance(node, ast.Lambda):
            inner.append(node)
            return True
        if isinstance(node, ast.Call):
            return self._called(wrapper, node, inner)
        if not isinstance(node, ast.Name):
            return False
        if node.id in wrapper.wrapped or (node, _NAMED) in self._seen:
            return True
        self._seen.add((node, _NAMED))
        _, found = self._evaluator.project.lookup(wrapper.function.module, node)
        value = sole_value(found)
        if value is not None:
            return self._result(wrapper, value, inner)
        return bool(found) and all(self._defined(wrapper, each.node, inner) for each in found)

    def _defined(self, wrapper: Wrapper, node: ast.AST, inner: list[FunctionNode]) -> bool:
        """Follow a function that a decorator defines and returns."""
        if not isinstance(node, FUNCTIONS) or not wrapper.holds(node):
            return False
        module = wrapper.function.module
        if gets(node, wrapper):
            return self._function(Function(module, node), 0)
        inner.append(node)
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return all(self._is_outside(module, each) for each in decorators)

    def _is_outside(self, module: Module, decorator: ast.expr) -> bool:
        """Tell whether a decorator comes from elsewhere, and lets through what it gets."""
        found = self._evaluator.values(module, callee_of(decorator))
        return all(isinstance(it.value, External) and self._value(it.value, 0) for it in found)

    def _called(self, wrapper: Wrapper, node: ast.Call, inner: list[FunctionNode]) -> bool:
        """Follow ``return wraps(f)(inner)``, ``return other(f)``, ``return Kept(f)``."""
        passed = passed_through(node)
        if passed is not None:
            return self._result(wrapper, passed, inner)
        if _is_itself(self._evaluator, wrapper.function, node):
            return True
        module = wrapper.function.module
        if last_name(callee_of(node.func)) == "partial" and node.args:
            return self._partial(wrapper, node)
        if node.args and getattr(node.args[0], "id", None) in wrapper.wrapped:
            return self.decorator(module, node.func)
        for item in self._evaluator.values(module, node):
            cls = item.value.cls if isinstance(item.value, Instance) else None
            method = _method(cls.node, "__call__") if cls is not None else None
            if cls is None or method is None or not wrapper.holds(cls.node):
                return False
            inner.append(method)
        return True

    def _partial(self, wrapper: Wrapper, node: ast.Call) -> bool:
        """Follow ``return partial(run, f)`` to ``run``, which is called itself."""
        run = only_value(self._evaluator.values(wrapper.function.module, node.args[0]))
        if not isinstance(run, Function) or getattr(run.node, "decorator_list", ()):
            return False
        positional = [*run.node.args.posonlyargs, *run.node.args.args][_skip(run) :]
        given = dict(zip([arg.arg for arg in positional], node.args[1:], strict=False))
        given |= {item.arg or "": item.value for item in node.keywords}
        taken = {arg for arg, it in given.items() if getattr(it, "id", None) in wrapper.wrapped}
        if len(taken) != 1 or any(isinstance(it, ast.Starred) for it in node.args):
            return False
        names = names_of(run.node, taken)
        direct = self._noted(Wrapper(run, names, lead=len(node.args) - 1))
        return self._is_called(direct, [run.node])

    # ---- classes whose objects decorate ------------------------------------------------------

    def _instance(self, cls: Class, layers: int) -> bool:
        """Follow an object that is called with the function, after some more calls."""
        owner, method = self._method(cls, "__call__")
        if method is None:
            return True
        return self._function(Function(owner.module, method, Instance(cls)), layers)

    def _class(self, cls: Class) -> bool:
        """Follow a class whose object is called in place of the function that it is made with."""
        chain = list(class_chain(self._evaluator, cls))
        start = constructor(chain)
        owner, method = self._method(cls, "__call__")
        if method is None:
            bases = [base for each in chain for base in self._evaluator.bases(each)]
            return any(isinstance(base, External | SdkClass) for base in bases)
        taken = [*start.args.posonlyargs, *start.args.args][1:2] if start is not None else []
        if start is None or not taken or _is_made_otherwise(chain):
            return False
        kept = kept_by(start, taken[0].arg)
        wrapper = self._noted(Wrapper(Function(owner.module, method), kept or frozenset()))
        is_bare = all(self._is_outside(owner.module, each) for each in method.decorator_list)
        if kept is None or not is_bare or not any(True for _ in calls_inside(wrapper)):
            return False
        parents = {owner.node: owner.module for owner in chain}
        return all(
            is_own_use(module, part, method, start)
            for node, module in parents.items()
            for part in ast.walk(node)
            if isinstance(part, ast.Attribute) and dotted(part) in kept
        )

    def _method(self, cls: Class, name: str) -> tuple[Class, Method | None]:
        for owner in class_chain(self._evaluator, cls):
            method = _method(owner.node, name)
            if method is not None:
                return owner, method
        return cls, None


def _method(cls: ast.ClassDef, name: str) -> Method | None:
    return next((it for it in cls.body if isinstance(it, Method) and it.name == name), None)


def _skip(function: Function) -> int:
    """Return how many parameters a function has before what it is called with."""
    names = [last_name(each) for each in getattr(function.node, "decorator_list", ())]
    return int(function.bound is not None and "staticmethod" not in names)


def _first(function: Function) -> list[str]:
    """Return the name of the first parameter that calls give; nothing if there is none."""
    return [arg.arg for arg in parameters(function.node)[_skip(function) :][:1]]


def _is_itself(evaluator: Evaluator, maker: Function, result: ast.expr) -> bool:
    """``return partial(deco, times=times)`` of a decorator that got no function yet."""
    if not isinstance(result, ast.Call) or last_name(result.func) != "partial":
        return False
    first = result.args[0] if len(result.args) == 1 else None
    made = only_value(evaluator.values(maker.module, first) if first is not None else ())
    return isinstance(made, Function) and made.node is maker.node


def _is_made_otherwise(chain: list[Class]) -> bool:
    """Tell whether calling a class may do something else than to run its ``__init__``."""
    return any(
        owner.node.keywords or any(_method(owner.node, each) for each in ("__new__", "__get__"))
        for owner in chain
    )
