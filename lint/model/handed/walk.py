"""Follows what is handed on to where it is called: through tables, loops, parameters, results."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..arguments import argument_node, default_of, shows_all, standing_for
from ..attributes import class_chain
from ..bindings import parameters
from ..branches import may_run
from ..class_changes import makes_itself
from ..evaluator import Evaluator
from ..fields import annotated_fields, constructor
from ..module import FUNCTIONS, FunctionNode
from ..values import Class, External, Frame, Function, Instance, Value, frame_of
from ..wrappers.arguments import passes_on
from .keys import SitesOf, decided
from .steps import kept, moves, named, passed
from .uses import Held, Part, Variable, uses

_MOST = 150
_DEEPEST = 4
_STARTING = {"asyncio.to_thread": 0, "anyio.to_thread.run_sync": 0}
"""Functions that call what they get with the arguments behind it → its place."""
_STARTING_METHODS = {"run_in_executor": 1, "call_soon": 0, "submit": 0}


class Arrived(msgspec.Struct, eq=False):
    """Where values came.

    Attributes:
        calls: what is called, and the calls.
        reads: what attributes are read of, and these.
    """

    calls: list[tuple[Held, ast.Call]] = []
    reads: list[tuple[Held, ast.Attribute]] = []


def follow(evaluator: Evaluator, sites_of: SitesOf, starts: list[Held]) -> Arrived:
    """Return where values come from where they are handed on.

    Args:
        evaluator: of the extension.
        sites_of: returns all calls of a function.
        starts: the uses of the values.
    """
    return _Walk(evaluator, sites_of, starts).found


class _Walk:
    """Follows values; nobody keeps it, for it keeps the evaluator."""

    def __init__(self, evaluator: Evaluator, sites_of: SitesOf, starts: list[Held]) -> None:
        self.found = Arrived()
        self._evaluator = evaluator
        self._sites_of = sites_of
        self._todo = starts
        self._seen: set[tuple[ast.AST, int, Frame | None, Value]] = set()
        while self._todo and len(self._seen) < _MOST:
            held = self._todo.pop(0)
            key = (held.node, len(held.path), held.frame, held.what)
            if key not in self._seen:
                self._seen.add(key)
                for each in decided(evaluator, sites_of, held):
                    self._step(each)

    def _step(self, held: Held) -> None:
        parent = held.module.parents.get(held.node)
        self._evaluator.project.clock.tick()
        if isinstance(parent, ast.Call):
            self._at_call(held, parent)
        elif isinstance(parent, ast.keyword | ast.Starred):
            self._spread(held, parent)
        elif isinstance(parent, ast.Return | ast.Lambda):
            self._todo.extend(self._returned(held))
        elif isinstance(parent, ast.arguments):
            self._todo.extend(self._default(held, parent))
        else:
            if isinstance(parent, ast.Attribute) and not held.path:
                self.found.reads.append((held, parent))
            self._todo.extend(moves(self._evaluator, self._sites_of, held))

    def _spread(self, held: Held, parent: ast.keyword | ast.Starred) -> None:
        """``run(f=load)``, ``run(**given)`` and ``run(*steps)``."""
        call = held.module.parents.get(parent)
        if isinstance(parent, ast.keyword):
            name = held.path[0].name if held.kind == "key" else None
            if isinstance(call, ast.Call) and parent.arg is not None:
                self._argument(held, call, -1, parent.arg)
            elif isinstance(call, ast.Call) and isinstance(name, str):
                self._argument(held.taken_out(), call, -1, name)
        elif isinstance(call, ast.Call):
            place = held.path[0].name if held.kind == "at" else None
            index = call.args.index(parent)
            if isinstance(place, int) and not _is_spread_before(call, index):
                self._argument(held.taken_out(), call, index + place, None)
        else:
            self._todo.extend(moves(self._evaluator, self._sites_of, held))

    def _at_call(self, held: Held, call: ast.Call) -> None:
        if call.func is not held.node:
            index = call.args.index(held.node)
            if not _is_spread_before(call, index):
                self._argument(held, call, index, None)
        elif not held.path and may_run(self._evaluator, held.module, call, held.frame):
            self.found.calls.append((held, call))
            made = held.what
            if isinstance(made, Class) and makes_itself(self._evaluator, made):
                self._todo.append(msgspec.structs.replace(held, node=call, what=Instance(made)))

    def _argument(self, held: Held, call: ast.Call, index: int, name: str | None) -> None:
        values = self._evaluator.values(held.module, call.func, held.frame)
        for item in values:
            value = item.value
            if isinstance(value, Function):
                self._todo.extend(self._parameter(held, call, value, index, name))
            elif isinstance(value, Class):
                self._todo.extend(self._field(held, call, value, index, name))
            elif isinstance(value, External):
                self._elsewhere(held, call, value.name, index, name)
        if not any(isinstance(it.value, Function | Class) for it in values) and name is None:
            self._todo.extend(kept(self._evaluator, held, call, index))
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if _STARTING_METHODS.get(method) == index and not held.path:
                self.found.calls.append((held, _started(held, call, index)))

    def _elsewhere(
        self, held: Held, call: ast.Call, callee: str, index: int, name: str | None
    ) -> None:
        if callee == "functools.partial" and index == 0 and not held.path:
            given = (*held.given, call)
            self._todo.append(msgspec.structs.replace(held, node=call, given=given, asked=()))
        elif _STARTING.get(callee) == index and not held.path:
            self.found.calls.append((held, _started(held, call, index)))
        elif callee == "map" and index > 0 and held.kind == "at":
            each = held.taken_out()
            for item in self._evaluator.values(held.module, call.args[0], held.frame):
                if isinstance(item.value, Function) and not _asks_for_more(item.value, index):
                    self._todo.extend(self._parameter(each, call, item.value, index - 1, None))
        elif name is not None:
            self._todo.extend(named(held, call, callee, name))
        else:
            self._todo.extend(passed(held, call, callee, index))

    def _parameter(
        self, held: Held, call: ast.Call, made: Function, index: int, name: str | None
    ) -> Iterator[Held]:
        """Yield the uses of the parameter that an argument is given to."""
        function, spec = made.node, made.node.args
        depth = held.frame.depth + 1 if held.frame else 1
        if depth > _DEEPEST or held.is_own:
            return
        if getattr(function, "decorator_list", ()) and not passes_on(
            self._evaluator, made.module, function
        ):
            return
        is_method = self._evaluator.enclosing_class(made.module, function) is not None
        positional = [*spec.posonlyargs, *spec.args]
        place = index + int(is_method and made.bound is not None)
        arg: ast.arg | None = None
        path = held.path
        if name is not None:
            arg = next((it for it in (*spec.args, *spec.kwonlyargs) if it.arg == name), None)
            arg, path = (arg, path) if arg else (spec.kwarg, held.inside(Part("key", name)))
        elif place < len(positional):
            arg = positional[place]
        elif spec.vararg is not None:
            arg, path = spec.vararg, held.inside(Part("at", place - len(positional)))
        if arg is None:
            return
        frame = Frame(function, held.module, call, held.frame, made.bound, depth)
        variable = Variable(made.module, function, arg.arg, arg)
        inner = held.at(held.node, path)
        for module, use in uses(self._evaluator, variable):
            yield inner.elsewhere(module, use, self._evaluator.frame(frame))

    def _field(
        self, held: Held, call: ast.Call, cls: Class, index: int, name: str | None
    ) -> Iterator[Held]:
        """Yield an object that keeps an argument of its class in a field."""
        chain = list(class_chain(self._evaluator, cls))
        start = constructor(chain)
        if start is not None:
            owner = next(each for each in chain if start in each.node.body)
            method = Function(owner.module, start, Instance(cls))
            yield from self._parameter(held, call, method, index, name)
            return
        declared = [it for each in reversed(chain) for it, _ in annotated_fields(each.node)]
        field = name or (declared[index] if 0 <= index < len(declared) else "")
        if field in declared:
            yield held.at(call, held.inside(Part("field", field)))

    def _returned(self, held: Held) -> Iterator[Held]:
        """Yield the calls of the function that returns a value, as far as they get it."""
        module = held.module
        function = module.function(held.node)
        if function is None or module.is_generator(function):
            return
        frame = frame_of(held.frame, function)
        if frame is not None:
            yield from _awaited(function, held.elsewhere(frame.module, frame.call, frame.outer))
        elif held.frame is None and not held.is_own:
            for site in self._sites_of(self._evaluator, module, function):
                inside = self._evaluator.frame(site.entering(function, site.frame))
                if may_run(self._evaluator, module, held.node, inside):
                    place, outer, is_own = site.module, site.frame, site.is_own
                    made = held.elsewhere(place, site.call, outer, is_own=is_own)
                    yield from _awaited(function, made)

    def _default(self, held: Held, spec: ast.arguments) -> Iterator[Held]:
        """Yield the uses of a parameter in the calls that leave it to its default."""
        function = held.module.parents.get(spec)
        if not isinstance(function, FUNCTIONS) or held.frame is not None:
            return
        named = parameters(function)
        arg = next(each for each in named if default_of(function, each) is held.node)
        found = list(uses(self._evaluator, Variable(held.module, function, arg.arg, arg)))
        for site in self._sites_of(self._evaluator, held.module, function):
            given = argument_node(site.call, function, arg, skip=int(site.bound is not None))
            if given is None and shows_all(site.call):
                frame = self._evaluator.frame(site.entering(function, site.frame))
                for module, use in found:
                    yield held.elsewhere(module, use, frame)
        if self._evaluator.roles(held.module, function):
            for module, use in found:
                yield held.elsewhere(module, use, is_own=True)


def _is_spread_before(call: ast.Call, index: int) -> bool:
    """Tell whether ``*args`` stands before an argument, so that nobody knows its place."""
    return any(isinstance(item, ast.Starred) for item in call.args[:index])


def _asks_for_more(function: Function, count: int) -> bool:
    """Tell whether a function takes other parameters than ``map`` gives it."""
    return len(parameters(function.node)) > count


def _started(held: Held, call: ast.Call, index: int) -> ast.Call:
    """Return the call that ``asyncio.to_thread(load, ctx)`` stands for, in its place."""
    return standing_for(held.module, call, held.node, call.args[index + 1 :], call.keywords)


def _awaited(function: FunctionNode, held: Held) -> Iterator[Held]:
    """Yield what a call returns: of an async function only if it is awaited at once."""
    parent = held.module.parents.get(held.node)
    if not isinstance(function, ast.AsyncFunctionDef):
        yield held
    elif isinstance(parent, ast.Await):
        yield held.at(parent)
