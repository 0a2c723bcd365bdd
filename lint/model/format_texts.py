"""What is known of the texts that ``%`` and ``format`` put together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .call_texts import Describing
from .known_calls import template_fields
from .module import Module
from .text_values import NOTHING_KNOWN, Text, concatenated, literal, of_format
from .values import Frame

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
    """Yield what each field gets; None where that is not known."""
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
