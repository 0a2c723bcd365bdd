"""The strings that calls and format strings return."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Protocol
from urllib.parse import quote

from ..evaluator import Evaluator
from ..syntax.module import FUNCTIONS, Module, last_name
from ..values.attributes import class_chain
from ..values.known_calls import is_text, template_fields
from ..values.origins import Written, written
from ..values.values import Class, Display, External, Frame, Instance, Made
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
    of_format,
    sieved,
)

_ONE_CLASS = re.compile(r"(\[\^?([^\]\\]|\\[-_.:/wWdDsS])*\]|\\[WDsS])[+*]?")
"""Patterns that are tried out: of one class of characters, so that none of them takes long."""
_FLAGS = frozenset({"ASCII", "A", "IGNORECASE", "I", "UNICODE", "U"})
_JSON = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Tuple)
_SAME_PARTS = frozenset({"sorted", "list", "tuple", "reversed"})
_GROWING = frozenset({"append", "extend", "insert"})
_BYTES = Text(UNSAFE, 3, None, "bytes as a text hold a quote")


class Describing(Protocol):
    """What these functions need of ``Describer``."""

    evaluator: Evaluator

    def joined(self, module: Module, node: ast.expr, frame: Frame | None) -> Text:
        """Describe an expression by the worst of its alternatives."""
        ...


def of_json(
    describer: Describing, module: Module, node: ast.Call, _: ast.expr, frame: Frame | None
) -> Text | None:
    """``json.dumps(…)`` of a dict, a list or a text."""
    if not _calls(describer, module, node, frame, "json.dumps") or not node.args:
        return None
    values = [item.value for item in describer.evaluator.values(module, node.args[0], frame)]
    marked = values and all(
        is_text(value) or (isinstance(value, Display) and isinstance(value.node, _JSON))
        for value in values
    )
    return Text(UNSAFE, 2, None, "JSON holds quotes or brackets") if marked else NOTHING_KNOWN


def of_bytes(
    describer: Describing, module: Module, node: ast.Call, _: ast.expr, frame: Frame | None
) -> Text | None:
    """``base64.b64encode(…)`` and ``….digest()``, without ``decode``."""
    if _calls(describer, module, node, frame, "base64.b64encode", "base64.urlsafe_b64encode"):
        return _BYTES
    found = [item.value for item in describer.evaluator.values(module, node, frame)]
    made = [value.of for value in found if isinstance(value, Made)]
    is_digest = made and all(re.fullmatch(r"(hashlib|hmac)\..*\bdigest", name) for name in made)
    return _BYTES if is_digest and len(made) == len(found) else None


def of_base64(
    describer: Describing, module: Module, _: ast.Call, base: ast.expr, frame: Frame | None
) -> Text | None:
    """``base64.b64encode(text.encode()).decode()``; None if other bytes are decoded.

    Bytes of known length, such as a digest, may need no padding: unknown.
    """
    places = written(describer.evaluator, module, base, frame)
    at = places[0] if len(places) == 1 else None
    if at is None or not isinstance(at.node, ast.Call) or len(at.node.args) != 1:
        return None
    is_plain = _calls(describer, at.module, at.node, at.frame, "base64.b64encode")
    if not is_plain and not _calls(
        describer, at.module, at.node, at.frame, "base64.urlsafe_b64encode"
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


def _encoded(describer: Describing, module: Module, node: ast.expr, frame: Frame | None) -> Text:
    """Describe the text of ``text.encode()``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return NOTHING_KNOWN
    is_encoded = node.func.attr == "encode" and not node.args
    return describer.joined(module, node.func.value, frame) if is_encoded else NOTHING_KNOWN


def of_dump(
    describer: Describing, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
) -> Text | None:
    """``params.model_dump_json()`` and ``params.model_dump()`` of a pydantic model."""
    found = [item.value for item in describer.evaluator.values(module, base, frame)]
    known = bool(found) and all(
        isinstance(value, Instance) and _dumps_braces(describer.evaluator, value.cls)
        for value in found
    )
    kind = "JSON of a model" if last_name(node.func) == "model_dump_json" else "text of a dict"
    return Text(UNSAFE, 2, None, f"the {kind} holds '{{'") if known else None


def _dumps_braces(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a pydantic model that is no RootModel and has no dump of its own."""
    bases: set[str] = set()
    for owner in class_chain(evaluator, cls):
        if any(isinstance(item, FUNCTIONS) for item in owner.node.body):
            return False  # a serializer of its own may make anything
        bases |= {last_name(base) for base in owner.node.bases}
    return "BaseModel" in bases


def of_quote(
    describer: Describing, module: Module, node: ast.Call, _: ast.expr, frame: Frame | None
) -> Text | None:
    """``urllib.parse.quote(text)`` writes a percent sign for most of what is not allowed."""
    if not node.args or not _calls(
        describer, module, node, frame, "urllib.parse.quote", "urllib.parse.quote_plus"
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


# ---- join ------------------------------------------------------------------------------------


def of_join(
    describer: Describing, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
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
        return _several(separator, text) if is_open else text
    return _several(separator, _element(describer, module, argument, frame))


def _several(separator: Text, element: Text) -> Text:
    """Describe an unknown number of parts."""
    if element.chars == FREE:
        return element.changed(FREE, element.longest)
    for times, text in (("parts", element), ("two parts", separator)):
        if text.chars == UNSAFE:
            why = f"join() may have {times}, and then {text.why}"
            return Text(FREE, why=why, is_possible=True)
    return NOTHING_KNOWN


def _element(describer: Describing, module: Module, node: ast.expr, frame: Frame | None) -> Text:
    """Describe one part, or the filtered characters of a string."""
    if isinstance(node, ast.Call) and last_name(node.func) == "filter":
        return _filtered(describer, module, node, frame)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        inner = describer.joined(module, node.func.value, frame)
        is_part = node.func.attr == "split" and inner.is_typed
        left = inner.left if node.args or node.keywords else inner.left.replace(" ", "")
        return inner.changed(FREE, left=left) if is_part else NOTHING_KNOWN
    if not isinstance(node, ast.GeneratorExp | ast.ListComp):
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
    describer: Describing,
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


def _filtered(describer: Describing, module: Module, node: ast.Call, frame: Frame | None) -> Text:
    """``"".join(filter(str.isalnum, text))`` lets letters of all scripts pass."""
    if len(node.args) != 2 or ast.unparse(node.args[0]) not in {"str.isalnum", "str.isalpha"}:
        return NOTHING_KNOWN
    return sieved(describer.joined(module, node.args[1], frame))


def _elements(
    describer: Describing, module: Module, node: ast.expr, frame: Frame | None
) -> tuple[list[Text], int] | None:
    """Return (parts, their least number); None if unknown."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id in _SAME_PARTS and len(node.args) == 1:
            return _elements(describer, module, node.args[0], frame)
        if node.func.id == "map" and [*map(ast.unparse, node.args[:1])] == ["str"]:
            return _elements(describer, module, node.args[1], frame) if node.args[1:] else None
        return None
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return _generated(describer, module, node, frame)
    places = written(describer.evaluator, module, node, frame)
    at = places[0] if len(places) == 1 else None
    if at is None or not isinstance(at.node, ast.List | ast.Tuple):
        return None
    later = _growths(describer.evaluator, at)
    if later is None:
        return None
    parts = [describer.joined(at.module, each, at.frame) for each in at.node.elts if _is_one(each)]
    sure = len(parts)
    return [*parts, *[NOTHING_KNOWN] * (later + len(at.node.elts) - sure)], sure


def _is_one(node: ast.expr) -> bool:
    return not isinstance(node, ast.Starred)


def _generated(
    describer: Describing,
    module: Module,
    node: ast.GeneratorExp | ast.ListComp,
    frame: Frame | None,
) -> tuple[list[Text], int] | None:
    """``str(p) for p in (a, b)``: as many parts as there are elements."""
    source = node.generators[0]
    if len(node.generators) != 1 or source.ifs or not isinstance(source.iter, ast.List | ast.Tuple):
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


def _growths(evaluator: Evaluator, at: Written) -> int | None:
    """Return the number of statements that may extend a list; None if it may change otherwise."""
    if isinstance(at.node, ast.Tuple):
        return 0
    count = 0
    for holder in at.holders:
        for use in holder.mentions(evaluator):
            attribute = holder.module.parents.get(use)
            if not isinstance(attribute, ast.Attribute) or attribute.attr not in _GROWING:
                return None
            count += 1
    return count


# ---- re.sub ----------------------------------------------------------------------------------


def of_sub(
    describer: Describing, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
) -> Text | None:
    r"""``re.sub(r"[^A-Za-z0-9]+", "-", text)`` leaves only what the class keeps.

    ``\w`` keeps the letters of all scripts, unless ``re.ASCII`` is given.
    """
    places = written(describer.evaluator, module, base, frame)
    at = places[0] if len(places) == 1 else None
    if _calls(describer, module, node, frame, "re.sub"):
        given, flags = node.args, [*node.args[4:], *_flags_of(node)]
        pattern = describer.joined(module, given[0], frame).sample if len(given) > 2 else None
        given = given[1:]
    elif at is not None and isinstance(at.node, ast.Call) and at.node.args:
        if not _calls(describer, at.module, at.node, at.frame, "re.compile"):
            return None
        given, flags = node.args, [*at.node.args[1:], *_flags_of(at.node)]
        pattern = describer.joined(at.module, at.node.args[0], at.frame).sample
    else:
        return None
    if pattern is None or len(given) < 2:
        return NOTHING_KNOWN
    replacement = describer.joined(module, given[0], frame).sample
    inner = describer.joined(module, given[1], frame)
    tried = None if replacement is None else _tried(pattern, replacement, flags, inner.left)
    if tried is None:
        return NOTHING_KNOWN
    if ALLOWED.fullmatch(tried):
        return Text(SAFE)
    if inner.is_typed and set(LETTERS) <= set(tried):
        passing = f", and the pattern {pattern!r} lets {EVERY_SCRIPT}"
        why = inner.why if inner.why.endswith(EVERY_SCRIPT) else f"{inner.why}{passing}"
        return Text(FREE, 0, None, why, left="".join(dict.fromkeys(tried.lstrip("\n"))))
    return Text(UNKNOWN)


def _flags_of(call: ast.Call) -> list[ast.expr]:
    return [item.value for item in call.keywords if item.arg == "flags"]


def _tried(pattern: str, replacement: str, flags: list[ast.expr], every: str) -> str | None:
    """Return the result of a substitution on every kind of character; None if unknown."""
    if not _ONE_CLASS.fullmatch(pattern):
        return None
    names = {name for flag in flags for part in ast.walk(flag) if (name := last_name(part))}
    if not names - {"re"} <= _FLAGS:
        return None
    mode = re.ASCII if names & {"ASCII", "A"} else re.UNICODE
    try:
        made = re.sub(pattern, replacement, every, flags=mode)
    except re.error:
        return None
    keeps_controls = not re.match(r"\[\^|\\[WD]", pattern)
    return f"\n{made}" if keeps_controls and every == EVERY else made


# ---- callees ---------------------------------------------------------------------------------


def _calls(
    describer: Describing, module: Module, node: ast.Call, frame: Frame | None, *names: str
) -> bool:
    """Tell whether a call certainly calls one of these external functions."""
    found = describer.evaluator.values(module, node.func, frame)
    return bool(found) and all(
        isinstance(item.value, External) and item.value.name in names for item in found
    )


def property_returns(evaluator: Evaluator, cls: Class, name: str) -> tuple[Module, list[ast.expr]]:
    """Return the module of a property and its return expressions; empty for other attributes."""
    for owner in class_chain(evaluator, cls):
        for item in owner.node.body:
            if getattr(item, "name", None) == name:
                marks: list[ast.expr] = getattr(item, "decorator_list", [])
                known = [last_name(mark) in {"property", "cached_property"} for mark in marks]
                return owner.module, owner.module.returns(item) if known == [True] else []
    return cls.module, []


_PERCENT = re.compile(r"%%|%(?:\((?P<key>[^()]*)\))?(?P<spec>[-#0 +]*\d*(?:\.\d+)?[sdifrxXeEgGc])")


def of_percent(describer: Describing, module: Module, node: ast.BinOp, frame: Frame | None) -> Text:
    """``"a/%s" % x``, ``"a/%s/%d" % (x, 1)`` and ``"a/%(x)s" % {"x": x}``."""
    known = describer.joined(module, node.left, frame).sample
    if known is None or "%" in _PERCENT.sub("", known):
        return NOTHING_KNOWN
    fields = list(_PERCENT.finditer(known))
    asked = [field for field in fields if field["spec"] is not None]
    given = _given(node.right, asked)
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


def _given(right: ast.expr, asked: list[re.Match[str]]) -> Iterator[ast.expr | None]:
    """Yield the operand of each conversion; None where it is unknown."""
    keys = [field["key"] for field in asked]
    if any(key is not None for key in keys):
        pairs = zip(right.keys, right.values, strict=True) if isinstance(right, ast.Dict) else ()
        known = {key.value: value for key, value in pairs if isinstance(key, ast.Constant)}
        is_whole = isinstance(right, ast.Dict) and len(known) == len(right.keys)
        yield from (known.get(key) if is_whole else None for key in keys)
        return
    values = right.elts if isinstance(right, ast.Tuple) else [right]
    is_whole = len(asked) == len(values) and not isinstance(right, ast.Dict)
    yield from (values if is_whole else [None] * len(asked))


def of_template(
    describer: Describing, module: Module, node: ast.Call, base: ast.expr, frame: Frame | None
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
