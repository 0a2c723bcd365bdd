"""What a text shows of what was fetched: ``", ".join(names)``, ``text += …``, a helper's text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from ..model.arguments import argument_node
from ..model.bindings import Binding
from ..model.evaluator import Evaluator
from ..model.module import FUNCTIONS, FunctionNode, Module, last_name
from ..model.values import External, Frame, Function, SdkMethod, Value
from .echo_parts import parts_inside
from .echoes import Echoes
from .read_texts import is_about_failure, is_reading, names_fact
from .text_parts import came_from, formatted, inner_lists, inner_texts, method_of, text_of

_DEEPEST = 24
_HOPS = 4
"""Helpers that call each other."""
_SAME = frozenset({"strip", "lstrip", "rstrip", "upper", "lower", "title", "capitalize", "replace",
                   "removeprefix", "removesuffix", "center", "ljust", "rjust", "expandtabs",
                   "casefold", "swapcase"})  # fmt: skip
"""Methods that give a text much like the one they are called on."""
_TAKING = _SAME | {"get", "json", "text"}
"""Methods that give a part of what they are called on."""
_OF_TEXT = frozenset({"textwrap.dedent", "textwrap.indent", "textwrap.fill", "textwrap.shorten",
                      "html.escape"})  # fmt: skip
"""Functions that give a text much like their first argument."""
_WRITING = frozenset({"str", "repr", "json.dumps", "pprint.pformat"})
"""Functions that make a text of anything."""
_WRAPS = "textwrap.wrap"
_SEQUENCES = frozenset({"list", "tuple", "sorted", "reversed", "set", "iter"})
_EXTENDING = "extend"
_ADDING = frozenset({"append", "add", "insert", "appendleft", _EXTENDING})
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class _Call(msgspec.Struct, frozen=True, eq=False):
    """The call of a helper, through which its parameters are read."""

    module: Module
    call: ast.Call
    function: FunctionNode
    skip: int
    outer: _Call | None


class _Part(msgspec.Struct, frozen=True, eq=False):
    """An expression that a text shows, in the helper of a call or in the function itself.

    Attributes:
        composed: whether the text is more than the expression alone, which may be a
            confirmation that a service wrote.
    """

    module: Module
    node: ast.expr
    frame: _Call | None
    composed: bool = False

    def at(self, node: ast.expr, *, composed: bool = False) -> _Part:
        return _Part(self.module, node, self.frame, self.composed or composed)

    def named(self, node: ast.expr) -> ast.expr:
        """Return an expression, of a helper its call in the function of the text."""
        frame = self.frame
        while frame is not None and frame.outer is not None:
            frame = frame.outer
        return node if frame is None else frame.call


_Follow = Callable[[_Part, int], Iterator[_Part]]
"""What goes on from an expression: that shows its text, or the texts of its items."""


def fetched_rows(
    evaluator: Evaluator, module: Module, text: ast.expr, frame: Frame | None = None
) -> ast.expr | None:
    """Return what was awaited and stands in a text that is joined, added up or made by a helper.

    Args:
        evaluator: of the extension.
        module: the file of the text.
        text: the expression.
        frame: the call through which the parameters of its function are read.

    Returns:
        The expression in the function of the text, or the call of that function: of a loop what
        it goes through. None if nothing that the text shows was certainly fetched.
    """
    search = _Search(evaluator)
    for part in search.shown(_Part(module, text, _call(frame)), 0):
        is_told = part.composed or (not is_about_failure(module, text) and search.is_read(part))
        found = search.fetched(part, 0) if is_told else None
        if found is not None and not Echoes(evaluator).holds(part.module, part.node):
            return found
    return None


def read_by(
    evaluator: Evaluator, module: Module, node: ast.expr
) -> list[tuple[Module, ast.Call] | None]:
    """Return the awaited calls of the SDK that an expression is part of; None for all else."""
    return list(_Search(evaluator).origins(_Part(module, node, None), 0))


class _Search:
    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._project = evaluator.project
        self._seen: set[tuple[ast.AST, _Call | None, str]] = set()

    def _is_new(self, part: _Part, how: str) -> bool:
        self._project.clock.tick()
        key = (part.node, part.frame, how)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new

    # ---- what a text shows -------------------------------------------------------------------

    def shown(self, part: _Part, depth: int) -> Iterator[_Part]:
        """Yield the expressions whose texts an expression shows."""
        if depth > _DEEPEST or not self._is_new(part, "text"):
            return
        node = part.node
        if isinstance(node, ast.Name):
            yield from self._of_name(part, node, depth, self.shown)
            return
        if isinstance(node, ast.Call):
            yield from self._of_call(part, node, depth)
            return
        if isinstance(node, ast.Await):
            yield from self._of_await(part, node, depth)
            return
        inner = inner_texts(node)
        if inner is None:
            yield part
        composed = isinstance(node, ast.JoinedStr | ast.BinOp)
        for each in inner or ():
            yield from self.shown(part.at(each, composed=composed), depth + 1)

    def _of_await(self, part: _Part, node: ast.Await, depth: int) -> Iterator[_Part]:
        call = node.value
        if not isinstance(call, ast.Call):
            return
        for each in self._inside(part, call, ast.AsyncFunctionDef):
            yield from self.shown(each, depth + 1)
        found = self._worth(part.module, call.func)
        if found and all(isinstance(value, SdkMethod) for value in found):
            yield part

    def _of_name(self, part: _Part, name: ast.Name, depth: int, follow: _Follow) -> Iterator[_Part]:
        given = self._given(part, name)
        held = self._held(part, name) if given is None else [given]
        for each in held:
            yield from follow(each, depth + 1)
        if not held:
            yield part

    def _held(self, part: _Part, name: ast.Name) -> list[_Part]:
        """Return what a name of the function gets as a whole; nothing if it gets something else."""
        found = self._bindings(part.module, name)
        values = [value for binding in found if (value := text_of(binding)) is not None]
        composed = any(isinstance(binding.node, ast.AugAssign) for binding in found)
        is_known = len(values) == len(found)
        return [part.at(value, composed=composed) for value in values] if is_known else []

    def _of_call(self, part: _Part, call: ast.Call, depth: int) -> Iterator[_Part]:
        callee = call.func
        method = callee.attr if isinstance(callee, ast.Attribute) else ""
        if isinstance(callee, ast.Attribute) and method == "join" and len(call.args) == 1:
            yield from self._items(part.at(call.args[0], composed=True), depth + 1)
        elif method == "format":
            for given in formatted(call):
                yield from self.shown(part.at(given, composed=True), depth + 1)
        elif isinstance(callee, ast.Attribute) and method in _SAME:
            yield from self.shown(part.at(callee.value), depth + 1)
        elif call.args and self._is_named(part.module, callee, _OF_TEXT):
            yield from self.shown(part.at(call.args[0]), depth + 1)
        elif call.args and self._is_named(part.module, callee, _WRITING):
            yield from self.shown(part.at(call.args[0], composed=True), depth + 1)
        else:
            yield from self._of_result(part, call, depth, self.shown)

    def _of_result(
        self, part: _Part, call: ast.Call, depth: int, follow: _Follow
    ) -> Iterator[_Part]:
        """A helper of the tree, a method of something known, or a function that nobody sees."""
        for each in self._inside(part, call, ast.FunctionDef, ast.Lambda):
            yield from follow(each, depth + 1)
        if not any(isinstance(value, Function) for value in self._worth(part.module, call.func)):
            yield part

    def _inside(self, part: _Part, call: ast.Call, *kinds: type[FunctionNode]) -> list[_Part]:
        """Return what a helper of the tree returns."""
        found = self._worth(part.module, call.func)
        helper = found[0] if len(found) == 1 else None
        if not isinstance(helper, Function):
            return []
        module, node = helper.module, helper.node
        if not isinstance(node, kinds) or _is_entered(part.frame, node):
            return []
        if module.is_generator(node) or getattr(node, "decorator_list", []):
            return []
        frame = _Call(part.module, call, node, int(helper.bound is not None), part.frame)
        return [_Part(module, value, frame, part.composed) for value in module.returns(node)]

    # ---- what a list of texts holds ----------------------------------------------------------

    def _items(self, part: _Part, depth: int) -> Iterator[_Part]:
        """Yield the expressions whose texts the items of an expression show."""
        if depth > _DEEPEST or not self._is_new(part, "items"):
            return
        node = part.node
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            yield from self._items_of_display(part, node.elts, depth)
        elif isinstance(node, _COMPREHENSIONS):
            yield from self.shown(part.at(node.elt), depth + 1)
        elif isinstance(node, ast.Name):
            yield from self._items_of_name(part, node, depth)
        elif isinstance(node, ast.Call):
            yield from self._items_of_call(part, node, depth)
        elif inner_lists(node) == [node]:
            yield part
        else:
            for each in inner_lists(node):
                yield from self._items(part.at(each), depth + 1)

    def _items_of_display(self, part: _Part, items: list[ast.expr], depth: int) -> Iterator[_Part]:
        for each in items:
            if isinstance(each, ast.Starred):
                yield from self._items(part.at(each.value), depth + 1)
            else:
                yield from self.shown(part.at(each), depth + 1)

    def _items_of_name(self, part: _Part, name: ast.Name, depth: int) -> Iterator[_Part]:
        yield from self._of_name(part, name, depth, self._items)
        if self._given(part, name) is None and self._held(part, name):
            for method, value in self._added(part, name):
                follow = self._items if method == _EXTENDING else self.shown
                yield from follow(part.at(value), depth + 1)

    def _items_of_call(self, part: _Part, call: ast.Call, depth: int) -> Iterator[_Part]:
        name = last_name(call.func)
        if call.args and name in _SEQUENCES and isinstance(call.func, ast.Name):
            yield from self._items(part.at(call.args[0]), depth + 1)
        elif len(call.args) == 2 and name in {"map", "filter"}:
            inner = part.at(call.args[1])
            is_text = name == "map" and last_name(call.args[0]) == "str"
            yield from self._items(inner, depth + 1) if is_text or name == "filter" else (part,)
        elif call.args and self._is_named(part.module, call.func, frozenset({_WRAPS})):
            yield from self.shown(part.at(call.args[0]), depth + 1)
        else:
            yield from self._of_result(part, call, depth, self._items)

    # ---- where a value comes from ------------------------------------------------------------

    def fetched(self, part: _Part, depth: int) -> ast.expr | None:
        """Return what of an expression was awaited, as the function of the text names it."""
        if depth > _DEEPEST or not self._is_new(part, "source"):
            return None
        nodes = [part.node, *parts_inside(part.node)]
        if any(isinstance(node, ast.Await) for node in nodes):
            return part.named(part.node)
        for name in nodes:
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
                found = self._fetched_name(part, name, depth)
                if found is not None:
                    return part.node if found is name else found
        return None

    def _fetched_name(self, part: _Part, name: ast.Name, depth: int) -> ast.expr | None:
        given = self._given(part, name)
        if given is not None:
            return self.fetched(given, depth + 1)
        for binding in self._bindings(part.module, name):
            came = came_from(binding)
            is_async = getattr(binding.node, "is_async", 0) or isinstance(
                binding.node, ast.AsyncFor
            )
            if came is not None and is_async:
                return part.named(came)
            found = self.fetched(part.at(came), depth + 1) if came is not None else None
            if found is not None:
                return found if binding.kind == "for" or part.frame is not None else name
        for _, value in self._added(part, name):
            if self.fetched(part.at(value), depth + 1) is not None:
                return part.named(name)
        return None

    def _added(self, part: _Part, name: ast.Name) -> Iterator[tuple[str, ast.expr]]:
        """Yield what the code puts into a list that a name holds, and the method that does it."""
        scope, _ = self._project.lookup(part.module, name)
        for use in part.module.reads(scope, name.id):
            method, call = method_of(part.module, use)
            if call is not None and call.args and method in _ADDING:
                yield method, call.args[-1]

    # ---- texts that stand alone ----------------------------------------------------------------

    def is_read(self, part: _Part) -> bool:
        """Tell whether a text that is shown as it is was certainly read, and confirms nothing."""
        if not names_fact(part.node) or is_about_failure(part.module, part.node):
            return False
        calls = list(self.origins(part, 0))
        return bool(calls) and all(
            each is not None and is_reading(self._evaluator, *each) for each in calls
        )

    def origins(self, part: _Part, depth: int) -> Iterator[tuple[Module, ast.Call] | None]:
        """Yield the awaited calls of the SDK that a value is part of; None for all else."""
        node = _taken_from(part.node)
        call = node.value if isinstance(node, ast.Await) else node
        if depth > _DEEPEST:
            yield None
        elif isinstance(node, ast.Name):
            for each in self._origins_of_name(part, node):
                yield from self.origins(each, depth + 1) if each is not None else (None,)
        elif isinstance(call, ast.Call):
            is_awaited = isinstance(node, ast.Await)
            kind = ast.AsyncFunctionDef if is_awaited else ast.FunctionDef
            inside = self._inside(part, call, kind)
            for each in inside:
                yield from self.origins(each, depth + 1)
            if not inside:
                yield (part.module, call) if is_awaited else None
        elif not isinstance(node, ast.Constant):
            yield None

    def _origins_of_name(self, part: _Part, name: ast.Name) -> list[_Part | None]:
        """Return what a name is given; nothing the second time, so that circles end."""
        if not self._is_new(part.at(name), "origin"):
            return []
        given = self._given(part, name)
        if given is not None:
            return [given]
        came = [came_from(binding) for binding in self._bindings(part.module, name)]
        return [part.at(value) if value is not None else None for value in came] or [None]

    # ---- names -------------------------------------------------------------------------------

    def _bindings(self, module: Module, name: ast.Name) -> list[Binding]:
        scope, found = self._project.lookup(module, name)
        return [] if isinstance(scope, ast.Module) else found

    def _given(self, part: _Part, name: ast.Name) -> _Part | None:
        """Return what the caller of a helper gives to a parameter."""
        frame = part.frame
        found = self._bindings(part.module, name)
        if frame is None or len(found) != 1 or found[0].value is not frame.function:
            return None
        arg = found[0].node
        if not isinstance(arg, ast.arg):
            return None
        given = argument_node(frame.call, frame.function, arg, skip=frame.skip)
        if given is None:
            return None
        return _Part(frame.module, given, frame.outer, part.composed)

    def _is_named(self, module: Module, callee: ast.expr, names: frozenset[str]) -> bool:
        if isinstance(callee, ast.Name) and callee.id in names:
            return not self._project.lookup(module, callee)[1]
        found = self._worth(module, callee)
        return bool(found) and all(
            isinstance(value, External) and value.name in names for value in found
        )

    def _worth(self, module: Module, node: ast.expr) -> list[Value]:
        return [item.value for item in self._evaluator.values(module, node)]


def _call(frame: Frame | None) -> _Call | None:
    if frame is None or not isinstance(frame.function, FUNCTIONS):
        return None
    return _Call(frame.module, frame.call, frame.function, int(frame.bound is not None), None)


def _taken_from(node: ast.expr) -> ast.expr:
    """Return what an expression takes a part of: ``doc`` of ``doc.data.get("title")``."""
    while True:
        method = node.func if isinstance(node, ast.Call) else None
        if isinstance(method, ast.Attribute) and method.attr in _TAKING:
            node = method.value
        elif isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        else:
            return node


def _is_entered(frame: _Call | None, function: FunctionNode) -> bool:
    """Tell whether a helper is read already, or is too far from the text."""
    hops = 0
    while frame is not None and frame.function is not function and hops < _HOPS:
        frame, hops = frame.outer, hops + 1
    return frame is not None
