"""Which characters the string of an expression can hold, and how long it can be."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from urllib.parse import quote

from ..calls.call_sites import entering_calls
from ..calls.kept_decorators import is_followed
from ..evaluator import Evaluator
from ..flow.branches import may_run
from ..flow.text_tests import is_looked_into, is_tested, safe_bindings, tested
from ..syntax.arguments import given_in
from ..syntax.bindings import Binding
from ..syntax.module import FUNCTIONS, Module, last_name
from ..values.known_calls import is_text, template_fields
from ..values.origins import called, written
from ..values.values import (
    Alternative,
    Const,
    Display,
    Frame,
    Instance,
    Made,
    SdkField,
    frame_of,
)
from .call_texts import (
    PERCENT,
    calls,
    dumps_braces,
    flags_of,
    given_operands,
    growths,
    property_returns,
    several,
    tried_pattern,
)
from .free_texts import chosen, free_name
from .text_values import (
    ALLOWED,
    EVERY,
    EVERY_SCRIPT,
    FREE,
    LETTERS,
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
    sieved,
    spec_text,
    worst,
)

_KEEPING = frozenset({"lower", "upper", "casefold", "title", "capitalize"})
_STRIPPING = frozenset({"strip", "lstrip", "rstrip"})
_TESTED = (ast.IfExp, ast.Name, ast.Attribute)
_JSON = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Tuple)
_SAME_PARTS = frozenset({"sorted", "list", "tuple", "reversed"})
_ENCODERS = ("base64.b64encode", "base64.urlsafe_b64encode")
_BYTES = Text(UNSAFE, 3, None, "bytes as a text hold a quote")
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
        if isinstance(given, (ast.Attribute, ast.BoolOp)):
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
            return of_format(spec_text(part.format_spec))
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


# ---- calls and format strings -----------------------------------------------------------------


def of_json(
    describer: Describer, module: Module, node: ast.Call, _: ast.expr, frame: Frame | None
) -> Text | None:
    """``json.dumps(…)`` of a dict, a list or a text."""
    if not calls(describer.evaluator, module, node, frame, "json.dumps") or not node.args:
        return None
    values = [item.value for item in describer.evaluator.values(module, node.args[0], frame)]
    marked = values and all(
        is_text(value) or (isinstance(value, Display) and isinstance(value.node, _JSON))
        for value in values
    )
    return Text(UNSAFE, 2, None, "JSON holds quotes or brackets") if marked else NOTHING_KNOWN


def of_bytes(
    describer: Describer, module: Module, node: ast.Call, _: ast.expr, frame: Frame | None
) -> Text | None:
    """``base64.b64encode(…)`` and ``….digest()``, without ``decode``."""
    if calls(describer.evaluator, module, node, frame, *_ENCODERS):
        return _BYTES
    found = [item.value for item in describer.evaluator.values(module, node, frame)]
    made = [value.of for value in found if isinstance(value, Made)]
    is_digest = made and all(re.fullmatch(r"(hashlib|hmac)\..*\bdigest", name) for name in made)
    return _BYTES if is_digest and len(made) == len(found) else None


def of_base64(
    describer: Describer, module: Module, _: ast.Call, base: ast.expr, frame: Frame | None
) -> Text | None:
    """``base64.b64encode(text.encode()).decode()``; None if other bytes are decoded.

    Bytes of known length, such as a digest, may need no padding: unknown.
    """
    places = written(describer.evaluator, module, base, frame)
    at = places[0] if len(places) == 1 else None
    if at is None or not isinstance(at.node, ast.Call) or len(at.node.args) != 1:
        return None
    is_plain = calls(describer.evaluator, at.module, at.node, at.frame, "base64.b64encode")
    if not is_plain and not calls(
        describer.evaluator, at.module, at.node, at.frame, "base64.urlsafe_b64encode"
    ):
        return None
    text = _encoded(describer, at.module, at.node.args[0], at.frame)
    if text.sample is not None:
        import base64

        encode = base64.b64encode if is_plain else base64.urlsafe_b64encode
        return literal(encode(text.sample.encode(errors="replace")).decode())
    if not text.is_typed and text.chars != UNSAFE:
        return NOTHING_KNOWN
    made = "what b64encode() makes of it may hold '+', '/' or '='" if is_plain else PADDED
    return Text(FREE, why=f"{text.why}, and {made}", is_possible=True)


def _encoded(describer: Describer, module: Module, node: ast.expr, frame: Frame | None) -> Text:
    """Describe the text of ``text.encode()``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return NOTHING_KNOWN
    is_encoded = node.func.attr == "encode" and not node.args
    return describer.joined(module, node.func.value, frame) if is_encoded else NOTHING_KNOWN


def of_dump(
    describer: Describer, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
) -> Text | None:
    """``params.model_dump_json()`` and ``params.model_dump()`` of a pydantic model."""
    found = [item.value for item in describer.evaluator.values(module, base, frame)]
    known = bool(found) and all(
        isinstance(value, Instance) and dumps_braces(describer.evaluator, value.cls)
        for value in found
    )
    kind = "JSON of a model" if last_name(node.func) == "model_dump_json" else "text of a dict"
    return Text(UNSAFE, 2, None, f"the {kind} holds '{{'") if known else None


def of_quote(
    describer: Describer, module: Module, node: ast.Call, _: ast.expr, frame: Frame | None
) -> Text | None:
    """``urllib.parse.quote(text)`` writes a percent sign for most of what is not allowed."""
    if not node.args or not calls(
        describer.evaluator, module, node, frame, "urllib.parse.quote", "urllib.parse.quote_plus"
    ):
        return None
    inner = describer.joined(module, node.args[0], frame)
    is_plain = len(node.args) == 1 and not node.keywords
    if inner.chars == UNSAFE and "email" in inner.why:
        sign = "'%'" if is_plain else "'%' or '@'"
        return Text(UNSAFE, 3, None, f"what quote() makes of ctx.user.email holds {sign}")
    if inner.sample is not None and is_plain and last_name(node.func) == "quote":
        return literal(quote(inner.sample))
    if inner.is_typed:
        why = f"{inner.why}, and what quote() makes of it may hold '%' or '.'"
        return Text(FREE, why=why, is_possible=True)
    return NOTHING_KNOWN


def of_join(
    describer: Describer, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
) -> Text:
    """``"/".join(parts)``: its parts, with what stands between them."""
    if len(node.args) != 1:
        return NOTHING_KNOWN
    separator = describer.joined(module, base, frame)
    argument = node.args[0]
    known = _elements(describer, module, argument, frame)
    if known is not None:
        parts, sure = known
        between = [part for each in parts for part in (separator, each)][1:]
        whole = between if sure == len(parts) else [*parts, *[separator] * (sure - 1)]
        text = concatenated(whole)
        is_open = sure < len(parts) and text.chars in {SAFE, UNKNOWN}
        return several(separator, text) if is_open else text
    return several(separator, _element(describer, module, argument, frame))


def _element(describer: Describer, module: Module, node: ast.expr, frame: Frame | None) -> Text:
    """Describe one part, or the filtered characters of a string."""
    if isinstance(node, ast.Call) and last_name(node.func) == "filter":
        return _filtered(describer, module, node, frame)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        inner = describer.joined(module, node.func.value, frame)
        is_part = node.func.attr == "split" and inner.is_typed
        left = inner.left if node.args or node.keywords else inner.left.replace(" ", "")
        return inner.changed(FREE, left=left) if is_part else NOTHING_KNOWN
    if not isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        return NOTHING_KNOWN
    tests = {
        call.func.attr
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    }
    if "isascii" in tests:
        return NOTHING_KNOWN
    if tests & {"isalnum", "isalpha"}:
        besides = _besides(describer, module, node, frame)
        return sieved(describer.joined(module, node.generators[0].iter, frame), besides)
    is_tested = any(part.ifs for part in node.generators) or isinstance(node.elt, ast.IfExp)
    return NOTHING_KNOWN if is_tested else describer.joined(module, node.elt, frame)


def _besides(
    describer: Describer,
    module: Module,
    node: ast.GeneratorExp | ast.ListComp,
    frame: Frame | None,
) -> str:
    """Return the characters that ``c if c.isalnum() or c in "-_" else " "`` keeps or inserts."""
    others = [part.comparators[0] for part in ast.walk(node) if isinstance(part, ast.Compare)]
    sides = (node.elt.body, node.elt.orelse) if isinstance(node.elt, ast.IfExp) else ()
    others += [part for part in sides if isinstance(part, ast.Constant)]
    known = [describer.joined(module, it, frame).sample for it in others]
    return "".join(EVERY if sample is None else sample for sample in known)


def _filtered(describer: Describer, module: Module, node: ast.Call, frame: Frame | None) -> Text:
    """``"".join(filter(str.isalnum, text))`` lets letters of all scripts pass."""
    if len(node.args) != 2 or ast.unparse(node.args[0]) not in {"str.isalnum", "str.isalpha"}:
        return NOTHING_KNOWN
    return sieved(describer.joined(module, node.args[1], frame))


def _elements(
    describer: Describer, module: Module, node: ast.expr, frame: Frame | None
) -> tuple[list[Text], int] | None:
    """Return (parts, their least number); None if unknown."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id in _SAME_PARTS and len(node.args) == 1:
            return _elements(describer, module, node.args[0], frame)
        if node.func.id == "map" and [*map(ast.unparse, node.args[:1])] == ["str"]:
            return _elements(describer, module, node.args[1], frame) if node.args[1:] else None
        return None
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        return _generated(describer, module, node, frame)
    places = written(describer.evaluator, module, node, frame)
    at = places[0] if len(places) == 1 else None
    if at is None or not isinstance(at.node, (ast.List, ast.Tuple)):
        return None
    later = growths(describer.evaluator, at)
    if later is None:
        return None
    parts = [describer.joined(at.module, each, at.frame) for each in at.node.elts if _is_one(each)]
    sure = len(parts)
    return [*parts, *[NOTHING_KNOWN] * (later + len(at.node.elts) - sure)], sure


def _is_one(node: ast.expr) -> bool:
    return not isinstance(node, ast.Starred)


def _generated(
    describer: Describer,
    module: Module,
    node: ast.GeneratorExp | ast.ListComp,
    frame: Frame | None,
) -> tuple[list[Text], int] | None:
    """``str(p) for p in (a, b)``: as many parts as there are elements."""
    source = node.generators[0]
    if (
        len(node.generators) != 1
        or source.ifs
        or not isinstance(source.iter, (ast.List, ast.Tuple))
    ):
        return None
    known = _elements(describer, module, source.iter, frame)
    if known is None:
        return None
    same = ast.unparse(node.elt) in {
        ast.unparse(source.target),
        f"str({ast.unparse(source.target)})",
    }
    element = NOTHING_KNOWN if same else describer.joined(module, node.elt, frame)
    return (known[0] if same else [element] * len(known[0])), known[1]


def of_sub(
    describer: Describer, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
) -> Text | None:
    r"""``re.sub(r"[^A-Za-z0-9]+", "-", text)`` leaves only what the class keeps.

    ``\w`` keeps the letters of all scripts, unless ``re.ASCII`` is given.
    """
    places = written(describer.evaluator, module, base, frame)
    at = places[0] if len(places) == 1 else None
    if calls(describer.evaluator, module, node, frame, "re.sub"):
        given, flags = node.args, [*node.args[4:], *flags_of(node)]
        pattern = describer.joined(module, given[0], frame).sample if len(given) > 2 else None
        given = given[1:]
    elif at is not None and isinstance(at.node, ast.Call) and at.node.args:
        if not calls(describer.evaluator, at.module, at.node, at.frame, "re.compile"):
            return None
        given, flags = node.args, [*at.node.args[1:], *flags_of(at.node)]
        pattern = describer.joined(at.module, at.node.args[0], at.frame).sample
    else:
        return None
    if pattern is None or len(given) < 2:
        return NOTHING_KNOWN
    replacement = describer.joined(module, given[0], frame).sample
    inner = describer.joined(module, given[1], frame)
    tried = None if replacement is None else tried_pattern(pattern, replacement, flags, inner.left)
    if tried is None:
        return NOTHING_KNOWN
    if ALLOWED.fullmatch(tried):
        return Text(SAFE)
    if inner.is_typed and set(LETTERS) <= set(tried):
        passing = f", and the pattern {pattern!r} lets {EVERY_SCRIPT}"
        why = inner.why if inner.why.endswith(EVERY_SCRIPT) else f"{inner.why}{passing}"
        return Text(FREE, 0, None, why, left="".join(dict.fromkeys(tried.lstrip("\n"))))
    return Text(UNKNOWN)


def of_percent(describer: Describer, module: Module, node: ast.BinOp, frame: Frame | None) -> Text:
    """``"a/%s" % x``, ``"a/%s/%d" % (x, 1)`` and ``"a/%(x)s" % {"x": x}``."""
    known = describer.joined(module, node.left, frame).sample
    if known is None or "%" in PERCENT.sub("", known):
        return NOTHING_KNOWN
    fields = list(PERCENT.finditer(known))
    asked = [field for field in fields if field["spec"] is not None]
    given = given_operands(node.right, asked)
    parts: list[Text] = []
    start = 0
    for field in fields:
        parts.append(literal(known[start : field.start()]))
        start = field.end()
        if field["spec"] is None:
            parts.append(literal("%"))
            continue
        value = next(given)
        if field["spec"] == "s" and value is not None:
            parts.append(describer.joined(module, value, frame))
        else:
            parts.append(of_format(field["spec"].replace("i", "d")))
    return concatenated([*parts, literal(known[start:])])


def of_template(
    describer: Describer, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
) -> Text:
    """``"a/{}".format(x)``."""
    fields = template_fields(describer.joined(module, base, frame).sample or "")
    if not fields or any(isinstance(item, ast.Starred) for item in node.args):
        return NOTHING_KNOWN
    named = {item.arg: item.value for item in node.keywords}
    position = 0
    parts: list[Text] = []
    for text, name, spec, conversion in fields:
        parts.append(literal(text))
        if name is None:
            continue
        key = name or str(position)
        position += not name
        numbered = int(key) if key.isdecimal() and int(key) < len(node.args) else None
        given = node.args[numbered] if numbered is not None else named.get(key)
        if given is None or conversion:
            parts.append(NOTHING_KNOWN)
        else:
            parts.append(of_format(spec) if spec else describer.joined(module, given, frame))
    return concatenated(parts)


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
