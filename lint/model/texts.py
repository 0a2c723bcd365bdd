"""What is known of a text that is put together: its characters and its length."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import msgspec

from .bindings import Binding
from .evaluate import Evaluator
from .module import Module
from .values import (
    Alternative,
    Const,
    Display,
    External,
    Frame,
    Instance,
    Made,
    SdkField,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

SAFE, UNKNOWN, FREE, UNSAFE = "safe", "unknown", "free", "unsafe"
_ORDER = (SAFE, UNKNOWN, FREE, UNSAFE)
_ALLOWED = re.compile(r"[A-Za-z0-9_\-:]*")
_HEX_LENGTH = {"md5": 32, "sha1": 40, "sha224": 56, "sha256": 64, "sha384": 96, "sha512": 128}
_SAFE_FIELDS = frozenset({"imperal_id", "tenant_id"})
_FREE_WORDS = frozenset(
    [
        "query",
        "q",
        "text",
        "title",
        "label",
        "folder",
        "keyword",
        "keywords",
        "search",
        "prompt",
        "message",
        "topic",
        "phrase",
        "question",
        "subject",
        "body",
        "content",
        "description",
    ]
)
_KEEPING = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "casefold", "title", "capitalize"}
)
_DEPTH = 8


class Text(msgspec.Struct, frozen=True):
    """What is known of a text.

    Attributes:
        chars: ``safe`` for ``[A-Za-z0-9_:-]``, ``unsafe`` if a forbidden one is proved, ``free``
            for what users type, ``unknown``.
        shortest: its least length.
        longest: its greatest length, if there is one.
        why: what makes it unsafe or free.
        sample: the whole text, if it is known.
    """

    chars: str = UNKNOWN
    shortest: int = 0
    longest: int | None = None
    why: str = ""
    sample: str | None = None


NOTHING_KNOWN = Text()


def literal(text: str) -> Text:
    """Describe a known text."""
    bad = next((char for char in text if not _ALLOWED.fullmatch(char)), None)
    why = f"it holds {bad!r}" if bad is not None else ""
    return Text(SAFE if bad is None else UNSAFE, len(text), len(text), why, text)


class Describer:
    """Describes the texts of one expression after the other."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._depth = 0

    def describe(
        self, module: Module, node: ast.expr, frame: Frame | None = None
    ) -> list[tuple[Text, Alternative]]:
        """Return what is known of each alternative of an expression."""
        return [(self.of_value(item), item) for item in self._evaluator.values(module, node, frame)]

    def of_value(self, item: Alternative) -> Text:
        """Describe one value, as ``str()`` shows it."""
        value = item.value
        if isinstance(value, Const):
            return (
                literal(str(value.value)) if isinstance(value.value, str | int) else NOTHING_KNOWN
            )
        if isinstance(value, SdkField):
            return _of_field(value)
        if isinstance(value, Made):
            return _of_made(value)
        if isinstance(value, Display) and self._depth < _DEPTH:
            self._depth += 1
            try:
                return self._of_node(value.module, value.node, item.frame)
            finally:
                self._depth -= 1
        return NOTHING_KNOWN

    def joined(self, module: Module, node: ast.expr, frame: Frame | None) -> Text:
        """Describe an expression by the worst of its alternatives."""
        call = self._of_call(module, node, frame) if isinstance(node, ast.Call) else None
        if call is None and isinstance(node, ast.Name):
            call = self._of_assigned(module, node, frame)
        if call is not None:
            return call
        named = _free_name(self._evaluator, module, node, frame)
        found = [text for text, _ in self.describe(module, node, frame)]
        if named and (not found or all(text.chars == UNKNOWN for text in found)):
            return Text(FREE, why=named)
        return _worst(found)

    def _of_assigned(self, module: Module, node: ast.Name, frame: Frame | None) -> Text | None:
        """Describe ``name = text.strip()``; None if a name is not given by such values alone."""
        _, bindings = self._evaluator.project.lookup(module, node)
        if self._depth >= _DEPTH:
            return None
        self._depth += 1
        try:
            found = [self._of_binding(module, binding, frame) for binding in bindings]
        finally:
            self._depth -= 1
        texts = [text for text in found if text is not None]
        return _worst(texts) if texts and len(texts) == len(found) else None

    def _of_binding(self, module: Module, binding: Binding, frame: Frame | None) -> Text | None:
        if binding.kind != "assign" or binding.path:
            return None
        if isinstance(binding.value, ast.Call):
            return self._of_call(module, binding.value, frame)
        if isinstance(binding.value, ast.Attribute):
            text = self.joined(module, binding.value, frame)
            return text if text.chars == FREE else None
        return None

    def _of_node(self, module: Module, node: ast.expr, frame: Frame | None) -> Text:
        if isinstance(node, ast.JoinedStr):
            return _concatenated([self._part(module, part, frame) for part in node.values])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = (node.left, node.right)
            return _concatenated([self.joined(module, side, frame) for side in sides])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return self._formatted(module, node.left, frame)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self._cut(module, node, frame)
        return NOTHING_KNOWN

    def _part(self, module: Module, part: ast.expr, frame: Frame | None) -> Text:
        if isinstance(part, ast.Constant):
            return literal(str(part.value))
        if not isinstance(part, ast.FormattedValue) or part.conversion != -1:
            return NOTHING_KNOWN
        if part.format_spec is not None:
            return _of_format(_written(part.format_spec))
        return self.joined(module, part.value, frame)

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
        chars = UNKNOWN if base.chars == UNSAFE else base.chars
        longest = min((n for n in (base.longest, limit) if n is not None), default=None)
        return Text(chars, 0, longest, base.why)

    def _formatted(self, module: Module, template: ast.expr, frame: Frame | None) -> Text:
        """``"a/%s" % x``: only the template's own characters are proved."""
        known = self.joined(module, template, frame).sample
        if known is None:
            return NOTHING_KNOWN
        plain = literal(re.sub(r"%[-#0 +]*\d*(?:\.\d+)?[sdifrxXeEgGc%]|\{[^{}]*\}", "", known))
        return Text(UNSAFE if plain.chars == UNSAFE else UNKNOWN, plain.shortest, None, plain.why)

    def _of_call(self, module: Module, node: ast.Call, frame: Frame | None) -> Text | None:
        """Describe the result of a method of str and the like; None if the call is another one."""
        if isinstance(node.func, ast.Name) and node.func.id == "str" and len(node.args) == 1:
            return self.joined(module, node.args[0], frame)
        if not isinstance(node.func, ast.Attribute):
            return None
        name, base = node.func.attr, node.func.value
        if name in _KEEPING:
            inner = self.joined(module, base, frame)
            return Text(inner.chars, 0, inner.longest, inner.why)
        if name == "format":
            return self._formatted(module, base, frame)
        if name == "replace":
            inner = self.joined(module, base, frame)
            return Text(FREE if inner.chars == FREE else UNKNOWN, 0, None, inner.why)
        if name == "join" and len(node.args) == 1:
            return self._of_join(module, node.args[0], frame)
        return self._of_sub(module, node, frame) if name == "sub" else None

    def _of_join(self, module: Module, argument: ast.expr, frame: Frame | None) -> Text:
        """``"".join(c if c.isalnum() else "_" for c in text)`` lets letters of all scripts pass."""
        if isinstance(argument, ast.Call) and ast.unparse(argument.func) == "filter":
            return self._filtered(module, argument, frame)
        if not isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return NOTHING_KNOWN
        tests = {
            call.func.attr
            for call in ast.walk(argument)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        }
        if not tests & {"isalnum", "isalpha"} or "isascii" in tests:
            return NOTHING_KNOWN
        return _sieved(self.joined(module, argument.generators[0].iter, frame))

    def _filtered(self, module: Module, node: ast.Call, frame: Frame | None) -> Text:
        """``"".join(filter(str.isalnum, text))``."""
        if len(node.args) != 2 or ast.unparse(node.args[0]) not in {"str.isalnum", "str.isalpha"}:
            return NOTHING_KNOWN
        return _sieved(self.joined(module, node.args[1], frame))

    def _of_sub(self, module: Module, node: ast.Call, frame: Frame | None) -> Text | None:
        """``re.sub(r"[^A-Za-z0-9]+", "-", text)`` leaves only what the class keeps."""
        found = [item.value for item in self._evaluator.values(module, node.func, frame)]
        if found != [External("re.sub")] or len(node.args) < 3:
            return NOTHING_KNOWN
        pattern, replacement = (self.joined(module, arg, frame).sample for arg in node.args[:2])
        if pattern is None or replacement is None:
            return NOTHING_KNOWN
        kept = re.fullmatch(r"\[\^([^\]\\]|\\[-_.:/])*\][+*]?", pattern)
        if kept is None or not _ALLOWED.fullmatch(replacement):
            return NOTHING_KNOWN
        every = "".join(map(chr, range(32, 127))) + "é\u0416\u4e2d"
        return Text(SAFE if _ALLOWED.fullmatch(re.sub(pattern, replacement, every)) else UNKNOWN)


def _sieved(source: Text) -> Text:
    """Describe what ``isalnum`` leaves of a text."""
    if source.chars in {FREE, UNSAFE}:
        why = f"{source.why}, and str.isalnum() lets letters of every script through"
        return Text(FREE, 0, source.longest, why)
    return Text(source.chars, 0, source.longest)


def _of_field(value: SdkField) -> Text:
    if value.owner.cls in {"UserContext", "User"} and value.name == "email":
        return Text(UNSAFE, 3, None, "ctx.user.email holds '@'")
    return Text(SAFE) if value.name in _SAFE_FIELDS else NOTHING_KNOWN


def _of_made(value: Made) -> Text:
    name = value.of
    last = name.rpartition(".")[2]
    if name in {"int", "len", "hash", "ord", "id"} or name.startswith("uuid."):
        return Text(SAFE)
    if last == "hexdigest":
        kind = name.partition("hashlib.")[2].partition("(")[0]
        length = _HEX_LENGTH.get(kind)
        return Text(SAFE, length or 0, length)
    if last == "isoformat":
        return _of_isoformat(name)
    if name in {"float", "time.time", "time.monotonic"}:
        return Text(UNSAFE, 1, None, "a float holds '.'")
    return NOTHING_KNOWN


def _of_isoformat(name: str) -> Text:
    if "date.today()" in name or name.endswith("date().isoformat"):
        return Text(SAFE, 10, 10)
    if re.search(r"datetime\.(now|utcnow)\(\)", name):
        return Text(UNSAFE, 19, None, "datetime.isoformat() holds '.' and '+'")
    return NOTHING_KNOWN


def _written(spec: ast.expr) -> str:
    """Return a format as it stands there; empty if a part of it is computed."""
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return "".join(map(str, texts)) if len(texts) == len(parts) else ""


def _of_format(spec: str) -> Text:
    if re.fullmatch(r"0?\d*[dxXb]", spec):
        return Text(SAFE)
    if re.fullmatch(r"\.[1-9]\d*f", spec):
        return Text(UNSAFE, 3, None, "a float holds '.'")
    return NOTHING_KNOWN


def _free_name(evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None) -> str:
    """``params.query``: a text field of a model that a user or the classifier fills."""
    if isinstance(node, ast.BoolOp):
        found = (_free_name(evaluator, module, part, frame) for part in node.values)
        return next((name for name in found if name), "")
    if isinstance(node, ast.Name) and node.id in _FREE_WORDS:
        return f"{node.id} is free text" if _is_parameter(evaluator, module, node) else ""
    if not isinstance(node, ast.Attribute) or node.attr not in _FREE_WORDS:
        return ""
    base = [item.value for item in evaluator.values(module, node.value, frame)]
    typed = any(isinstance(value, Instance) for value in base)
    return f"{ast.unparse(node)} is free text" if typed else ""


def _is_parameter(evaluator: Evaluator, module: Module, node: ast.Name) -> bool:
    _, found = evaluator.project.lookup(module, node)
    return bool(found) and all(
        binding.kind == "param"
        and isinstance(binding.node, ast.arg)
        and binding.node.annotation is not None
        and ast.unparse(binding.node.annotation) == "str"
        for binding in found
    )


def _worst(found: Iterable[Text]) -> Text:
    texts = list(found)
    if not texts:
        return NOTHING_KNOWN
    return texts[0] if len(texts) == 1 else _united(texts)


def _united(texts: list[Text]) -> Text:
    """One of several: unsafe only if each is, for the choice is not ours to know."""
    chars = {text.chars for text in texts}
    kind = texts[0].chars if len(chars) == 1 else FREE if FREE in chars else UNKNOWN
    longest = [text.longest for text in texts]
    why = next((text.why for text in texts if text.why), "")
    return Text(
        kind,
        min(text.shortest for text in texts),
        None if None in longest else max(length or 0 for length in longest),
        why if kind in {FREE, UNSAFE} else "",
    )


def _concatenated(parts: list[Text]) -> Text:
    chars = max((part.chars for part in parts), key=_ORDER.index, default=SAFE)
    why = next((part.why for part in parts if part.chars == chars and part.why), "")
    longest: int | None = 0
    for part in parts:
        longest = None if longest is None or part.longest is None else longest + part.longest
    samples = [part.sample for part in parts]
    known = "".join(sample or "" for sample in samples) if None not in samples else None
    return Text(chars, sum(part.shortest for part in parts), longest, why, known)


__all__ = ["Describer", "Text", "literal", "SAFE", "UNKNOWN", "FREE", "UNSAFE"]
