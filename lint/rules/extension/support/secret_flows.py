"""Which part of an expression shows a secret of the vault."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ....inference.syntax.module import last_name
from ....inference.values.origins import Written, written
from ....inference.values.values import Class, Const, Sdk, SdkMethod
from ....view import FileView

_DEEPEST = 8
_KEEPING = frozenset({
    "decode", "dumps", "encode", "format", "join", "lstrip", "quote", "removeprefix",
    "removesuffix", "replace", "rstrip", "str", "repr", "strip", "dict", "list", "tuple",
    "urlencode", "success", "error",
})  # fmt: skip
"""Functions and methods whose result shows what they are given."""
_OWNER, _METHOD = "SecretClient", "get"


class Shown(msgspec.Struct, frozen=True, eq=False):
    """A secret that an expression shows.

    Attributes:
        name: of the secret; empty if it is computed.
        at: the call that reads it.
    """

    name: str
    at: Written


def secrets_in(view: FileView, node: ast.expr) -> Iterator[Shown]:
    """Yield the secrets that an expression shows whole, through names, helpers and texts."""
    yield from _shown(view, Written(view.module, node), 0)


def _shown(view: FileView, given: Written, depth: int) -> Iterator[Shown]:
    if depth > _DEEPEST or isinstance(given.node, ast.Constant):
        return
    for at in written(view.evaluator, given.module, given.node, given.frame):
        secret = _read(view, at)
        if secret is not None:
            yield secret
            continue
        for part in _parts(view, at):
            yield from _shown(view, at.part(part), depth + 1)


def _read(view: FileView, at: Written) -> Shown | None:
    """Return the secret that a call of ``ctx.secrets.get`` reads."""
    call = at.node
    if not isinstance(call, ast.Call) or last_name(call.func) != _METHOD:
        return None
    for item in view.evaluator.values(at.module, call.func, at.frame):
        value = item.value
        if not isinstance(value, SdkMethod) or not isinstance(value.owner, Sdk):
            continue
        if (value.owner.cls, value.name) == (_OWNER, _METHOD) and value.owner.certain:
            return Shown(_name(view, at, call), at)
    return None


def _name(view: FileView, at: Written, call: ast.Call) -> str:
    given = call.args[0] if call.args else next((it.value for it in call.keywords), None)
    found = view.evaluator.values(at.module, given, at.frame) if given is not None else ()
    names = [item.value.value for item in found if isinstance(item.value, Const)]
    return names[0] if len(names) == 1 and isinstance(names[0], str) else ""


def _parts(view: FileView, at: Written) -> list[ast.expr]:
    """Return the expressions that an expression shows whole; a slice shows none."""
    node = at.node
    if isinstance(node, ast.JoinedStr):
        return [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod | ast.BitOr):
        return [node.left, node.right]
    if isinstance(node, ast.Dict):
        return node.values
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return node.elts
    if isinstance(node, ast.Starred | ast.Await):
        return [node.value]
    if isinstance(node, ast.Call) and (last_name(node.func) in _KEEPING or _makes(view, at, node)):
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*owner, *node.args, *(item.value for item in node.keywords)]
    return []


def _makes(view: FileView, at: Written, call: ast.Call) -> bool:
    """Tell whether a call makes an object of a class of the extension, which keeps its fields."""
    found = view.evaluator.values(at.module, call.func, at.frame)
    return bool(found) and all(isinstance(item.value, Class) for item in found)
