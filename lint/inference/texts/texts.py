"""Which characters the string of an expression can hold, and how long it can be."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from ..calls.call_sites import entering_calls
from ..calls.kept_decorators import is_followed
from ..containers.dicts import fields_of
from ..evaluator import Evaluator
from ..flow.branches import may_run
from ..flow.text_tests import is_looked_into, is_tested, safe_bindings, tested
from ..syntax.arguments import given_in
from ..syntax.bindings import Binding
from ..syntax.module import FUNCTIONS, Module, last_name
from ..values.known_calls import is_text
from ..values.origins import Written, called
from ..values.origins import written as origins_written
from ..values.values import Alternative, Const, Display, Frame, Instance, Made, SdkField, frame_of
from .call_texts import (
    of_base64,
    of_bytes,
    of_dump,
    of_join,
    of_json,
    of_percent,
    of_quote,
    of_sub,
    of_template,
    property_returns,
)
from .free_texts import chosen, free_name
from .text_values import (
    FREE,
    NOTHING_KNOWN,
    PADDED,
    SAFE,
    UNKNOWN,
    UNSAFE,
    Text,
    concatenated,
    literal,
    of_constant,
    of_container,
    of_field,
    of_format,
    of_made,
    of_time_format,
    worst,
    written,
)

_KEEPING = frozenset({"lower", "upper", "casefold", "title", "capitalize"})
_STRIPPING = frozenset({"strip", "lstrip", "rstrip"})
_TESTED = (ast.IfExp, ast.Name, ast.Attribute)
_DEPTH = 8
_Place = tuple[Module, ast.expr, Frame | None]


class Describer:
    """Describes the strings that expressions evaluate to."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._depth = 0

    @contextmanager
    def _deeper(self) -> Generator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def describe(
        self, module: Module, node: ast.expr, frame: Frame | None = None
    ) -> list[tuple[Text, Alternative]]:
        """Return the description of each alternative of an expression."""
        found: list[tuple[Text, Alternative]] | None = None
        if isinstance(node, ast.IfExp):
            sides = (node.body, node.orelse)
            return [item for side in sides for item in self.describe(module, side, frame)]
        if isinstance(node, ast.Name) and self._depth < _DEPTH:
            with self._deeper():
                found = self._of_tested(module, node, frame)
        if found is None:
            values = self.evaluator.values(module, node, frame)
            found = [(self.of_value(item), item) for item in values]
        if not any(text.chars in {FREE, UNSAFE} for text, _ in found):
            return found
        if isinstance(node, ast.Attribute) and is_tested(self.evaluator, module, node):
            return tested(found)
        call = self._only_call(module, node)
        return (self._of_returned(module, call, frame) or found) if call is not None else found

    def _only_call(self, module: Module, node: ast.expr) -> ast.Call | None:
        """Return the expression if it is a call, or the call whose result a name holds."""
        if not isinstance(node, ast.Name):
            return node if isinstance(node, ast.Call) else None
        _, found = self.evaluator.project.lookup(module, node)
        kept = found[0].value if [(it.kind, it.path) for it in found] == [("assign", ())] else None
        return kept if isinstance(kept, ast.Call) else None

    def _of_returned(
        self, module: Module, node: ast.Call, frame: Frame | None
    ) -> list[tuple[Text, Alternative]]:
        """Describe what functions of the extension return, at each ``return``."""
        if self._depth >= _DEPTH:
            return []
        with self._deeper():
            found = self._returned(module, node, frame)
            return [item for each in found for item in self.describe(*each)]

    def _returned(self, module: Module, node: ast.Call, frame: Frame | None) -> Iterator[_Place]:
        for function, inner in called(self.evaluator, module, node, frame):
            for value in function.module.returns(function.node):
                yield function.module, value, self.evaluator.frame(inner)

    def _of_tested(
        self, module: Module, node: ast.Name, frame: Frame | None
    ) -> list[tuple[Text, Alternative]] | None:
        """Describe a name by what tests prove of it; None if they prove nothing."""
        scope, bindings = self.evaluator.project.lookup(module, node)
        safe = safe_bindings(self.evaluator, module, node)
        if not safe and not any(_described(binding) for binding in bindings):
            return None
        possible = {item.value for item in self.evaluator.values(module, node, frame)}
        found: list[tuple[Text, Alternative]] = []
        for binding in bindings:
            given = _described(binding)
            if given is not None:
                items = self.describe(module, given, frame)
            else:
                values = self.evaluator.binding(module, scope, binding, frame)
                items = [(self.of_value(item), item) for item in values]
            items = [(text, item) for text, item in items if item.value in possible]
            found += tested(items) if binding in safe else items
        return found

    def of_value(self, item: Alternative) -> Text:
        """Describe one value, as ``str()`` shows it."""
        value = item.value
        if isinstance(value, Const):
            return of_constant(value.value)
        if isinstance(value, SdkField):
            return of_field(value)
        if isinstance(value, Made):
            return of_made(value)
        if isinstance(value, Display) and self._depth < _DEPTH:
            with self._deeper():
                return self._of_node(value.module, value.node, item.frame)
        return NOTHING_KNOWN

    def joined(self, module: Module, node: ast.expr, frame: Frame | None) -> Text:
        """Describe an expression by the worst of its alternatives."""
        values = self.evaluator.values(module, node, frame)
        known = bool(values) and all(isinstance(item.value, Const) for item in values)
        call = None if known else self._followed(module, node, frame)
        if call is not None:
            return call
        named = free_name(self.evaluator, module, node, frame)
        choice = chosen(self.evaluator, module, node, frame)
        found = [text for text, _ in self.describe(module, node, frame)]
        if found and any(text.chars != UNKNOWN for text in found):
            return worst(found)
        if choice:
            return Text(FREE, why=choice, is_possible=True)
        if named:
            return Text(FREE, why=named)
        return self._behind(module, node, frame) or worst(found)

    def _behind(self, module: Module, node: ast.expr, frame: Frame | None) -> Text | None:
        """Describe what a property or function returns, if that is free or unsafe."""
        found: list[_Place] = []
        if isinstance(node, ast.Call):
            found += self._returned(module, node, frame)
        elif isinstance(node, ast.Attribute):
            for item in self.evaluator.values(module, node.value, frame):
                if isinstance(item.value, Instance):
                    where, given = property_returns(self.evaluator, item.value.cls, node.attr)
                    found += [(where, value, None) for value in given]
        if self._depth >= _DEPTH or not found:
            return None
        with self._deeper():
            text = worst([self.joined(*each) for each in found])
        return text if text.chars in {FREE, UNSAFE} else None

    def _followed(self, module: Module, node: ast.expr, frame: Frame | None) -> Text | None:
        """Describe an expression by its syntax where that tells more than its values; else None."""
        if isinstance(node, ast.Call):
            return self._of_call(module, node, frame)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            text = worst([self.joined(module, part, frame) for part in node.values])
            return text if text.chars == FREE else None
        if not isinstance(node, ast.Name) or self._depth >= _DEPTH:
            return None
        with self._deeper():
            text = self._of_argument(module, node, frame) or self._of_assigned(module, node, frame)
        if text is None or text.chars != FREE:
            return text
        looked = is_looked_into(self.evaluator, module, node, {node.id})
        return text.changed(UNKNOWN, text.longest) if looked else text

    def _of_argument(self, module: Module, node: ast.Name, frame: Frame | None) -> Text | None:
        """Describe a parameter by the argument of the call in which it is read."""
        scope, bindings = self.evaluator.project.lookup(module, node)
        arg = bindings[0].node if len(bindings) == 1 else None
        if not isinstance(scope, FUNCTIONS) or not isinstance(arg, ast.arg):
            return None
        if not is_followed(self.evaluator, module, scope):
            return None
        own = frame_of(frame, scope)
        if own is not None:
            return self._given(arg, own)
        frames = entering_calls(self.evaluator, module, scope)
        live = (it for it in frames if may_run(self.evaluator, module, node, it))
        found = [self._given(arg, each) for each in live]
        return next((text for text in found if text is not None and text.chars == FREE), None)

    def _given(self, arg: ast.arg, frame: Frame) -> Text | None:
        given = given_in(frame, arg)
        return self.joined(frame.module, given, frame.outer) if given is not None else None

    def _of_assigned(self, module: Module, node: ast.Name, frame: Frame | None) -> Text | None:
        """Describe a name whose bindings are all of the kind ``name = text.strip()``; else None."""
        _, bindings = self.evaluator.project.lookup(module, node)
        safe = safe_bindings(self.evaluator, module, node)
        found = [
            Text(SAFE) if binding in safe else self._of_binding(module, binding, frame)
            for binding in bindings
        ]
        texts = [text for text in found if text is not None]
        return worst(texts) if texts and len(texts) == len(found) else None

    def _of_binding(self, module: Module, binding: Binding, frame: Frame | None) -> Text | None:
        given = binding.assigned
        if isinstance(given, ast.Call):
            return self._of_call(module, given, frame)
        if isinstance(given, ast.Attribute | ast.BoolOp):
            text = self.joined(module, given, frame)
            return text if text.chars == FREE else None
        return None

    def _of_node(self, module: Module, node: ast.expr, frame: Frame | None) -> Text:
        if isinstance(node, ast.JoinedStr):
            return concatenated([self._part(module, part, frame) for part in node.values])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = (node.left, node.right)
            return concatenated([self.joined(module, side, frame) for side in sides])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return of_percent(self, module, node, frame)
        if isinstance(node, ast.Call):
            return self._of_call(module, node, frame) or NOTHING_KNOWN
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self._cut(module, node, frame)
        return of_container(node)

    def _part(self, module: Module, part: ast.expr, frame: Frame | None) -> Text:
        if isinstance(part, ast.Constant):
            return literal(str(part.value))
        if not isinstance(part, ast.FormattedValue):
            return NOTHING_KNOWN
        if part.conversion == ord("r"):
            return self._of_repr(module, part.value, frame)
        if part.conversion not in {-1, ord("s")}:
            return NOTHING_KNOWN
        if part.format_spec is not None:
            return of_format(written(part.format_spec))
        return self.joined(module, part.value, frame)

    def _of_repr(self, module: Module, node: ast.expr, frame: Frame | None) -> Text:
        found = self.evaluator.values(module, node, frame)
        if found and all(is_text(item.value) for item in found):
            return Text(UNSAFE, 2, None, "what repr() makes of a text holds a quote")
        return worst([text for text, _ in self.describe(module, node, frame)])

    def _cut(self, module: Module, node: ast.Subscript, frame: Frame | None) -> Text:
        base = self.joined(module, node.value, frame)
        assert isinstance(node.slice, ast.Slice)  # noqa: S101 - the caller looked
        upper = node.slice.upper
        limit = (
            upper.value
            if isinstance(upper, ast.Constant) and isinstance(upper.value, int)
            else None
        )
        if node.slice.lower is not None or (limit is not None and limit < 0):
            limit = None
        chars = UNKNOWN if base.chars == UNSAFE or base.why.endswith(PADDED) else base.chars
        longest = min((n for n in (base.longest, limit) if n is not None), default=None)
        return base.changed(chars, longest)

    def _of_call(self, module: Module, node: ast.Call, frame: Frame | None) -> Text | None:
        """Describe the result of a method of str and the like; None if the call is another one."""
        if isinstance(node.func, ast.Name) and len(node.args) == 1:
            if node.func.id == "str":
                return self.joined(module, node.args[0], frame)
            if node.func.id == "repr":
                return self._of_repr(module, node.args[0], frame)
        if isinstance(node.func, ast.Name):
            named = _NAMED.get(node.func.id)
            return named(self, module, node, node.func, frame) if named else None
        method = _METHODS.get(last_name(node.func))
        if method is None or not isinstance(node.func, ast.Attribute):
            return None
        return method(self, module, node, node.func.value, frame)

    def of_case(self, module: Module, _: ast.Call, base: ast.expr, frame: Frame | None) -> Text:
        """``text.lower()``."""
        inner = self.joined(module, base, frame)
        return inner.changed(inner.chars, inner.longest)

    def of_strip(self, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None) -> Text:
        """``text.strip()`` may remove forbidden characters, except from an address."""
        inner = self.joined(module, base, frame)
        may_go = inner.chars == UNSAFE and "email" not in inner.why
        may_go |= inner.why.endswith(PADDED) and bool(node.args)
        return inner.changed(UNKNOWN if may_go else inner.chars, inner.longest)

    def of_replace(
        self, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
    ) -> Text:
        """``text.replace(" ", "_")``."""
        inner = self.joined(module, base, frame)
        known = [self.joined(module, it, frame).sample or "" for it in node.args]
        left = inner.left
        if len(known) > 1 and len(known[0]) == 1 and isinstance(node.args[1], ast.Constant):
            left = left.replace(known[0], known[1])
        return inner.changed(FREE if inner.is_typed else UNKNOWN, left=left)

    def of_strftime(self, module: Module, node: ast.Call, _: ast.expr, frame: Frame | None) -> Text:
        """``time.strftime(format)``."""
        known = self.joined(module, node.args[0], frame).sample if len(node.args) == 1 else None
        return of_time_format(known) if known is not None else NOTHING_KNOWN


_Method = Callable[[Describer, Module, ast.Call, ast.expr, Frame | None], Text | None]
_NAMED: dict[str, _Method] = {
    **dict.fromkeys(("quote", "quote_plus"), of_quote),
    **dict.fromkeys(("b64encode", "urlsafe_b64encode"), of_bytes),
    "sub": of_sub,
}
"""Functions that may be imported by their own names."""
_METHODS: dict[str, _Method] = {
    **dict.fromkeys(_KEEPING, Describer.of_case),
    **dict.fromkeys(_STRIPPING, Describer.of_strip),
    "format": of_template,
    "replace": Describer.of_replace,
    "join": of_join,
    "strftime": Describer.of_strftime,
    "dumps": of_json,
    "digest": of_bytes,
    "decode": of_base64,
    **dict.fromkeys(("model_dump", "model_dump_json"), of_dump),
    **_NAMED,
}


def _described(binding: Binding) -> ast.expr | None:
    """Return ``email`` of ``key = email``, about which tests may prove something."""
    return binding.assigned if isinstance(binding.assigned, _TESTED) else None


_DEEPEST = 6


def least_text(evaluator: Evaluator, at: Written) -> int:
    """Return the least length of a string, of alternatives the largest; 0 if unknown."""
    found = evaluator.values(at.module, at.node, at.frame)
    return max((_characters(evaluator, at, item.value, 0) for item in found), default=0)


def _characters(evaluator: Evaluator, at: Written, value: object, depth: int) -> int:
    if isinstance(value, Const):
        return len(value.value) if isinstance(value.value, str) else 0
    if not isinstance(value, Display) or depth > _DEEPEST:
        return 0
    node = value.node
    if isinstance(node, ast.JoinedStr):
        parts = (part.value for part in node.values if isinstance(part, ast.Constant))
        return sum(len(str(part)) for part in parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return sum(
            _side(evaluator, Written(value.module, side, at.frame), depth)
            for side in (node.left, node.right)
        )
    return 0


def _side(evaluator: Evaluator, at: Written, depth: int) -> int:
    found = evaluator.values(at.module, at.node, at.frame)
    return min((_characters(evaluator, at, item.value, depth + 1) for item in found), default=0)


def least_json(evaluator: Evaluator, at: Written, depth: int = 0) -> int:
    """Return the least number of characters of a value as compact JSON."""
    if depth > _DEEPEST:
        return 1
    places = origins_written(evaluator, at.module, at.node, at.frame)
    return min((_size(evaluator, place, depth) for place in places), default=1)


def _size(evaluator: Evaluator, at: Written, depth: int) -> int:
    fields = fields_of(evaluator, at)
    if fields is not None:
        return 2 + sum(
            len(key)
            + 3
            + min((least_json(evaluator, value, depth + 1) for value in values), default=1)
            for key, values in fields.values.items()
            if key in fields.sure and isinstance(at.node, ast.Dict) and not at.holders
        )
    if isinstance(at.node, ast.List | ast.Tuple):
        return 2 + sum(1 + least_json(evaluator, at.part(item), depth + 1)
                       for item in at.node.elts if not isinstance(item, ast.Starred))  # fmt: skip
    return 1 + _side(evaluator, at, depth)
