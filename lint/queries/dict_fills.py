"""How code fills dicts: under tuples, which JSON has not as keys, and with lists that grow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.branches import may_run
from ..model.dict_shapes import escapes, is_shared
from ..model.evaluator import Evaluator
from ..model.models import known_type
from ..model.module import Module
from ..model.values import External, only_value
from ..model.written import Holder, Written, written

_MAKING = frozenset({
    "dict", "collections.defaultdict", "collections.Counter", "collections.OrderedDict",
})  # fmt: skip
_READING = frozenset({
    "get", "keys", "values", "items", "copy", "most_common", "setdefault",
})  # fmt: skip


def tuple_keys(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Yield one tuple for each dict that gets some: ``counts[row.a, row.b] += 1``."""
    for place in _made(evaluator, at):
        found = (_stored(evaluator, place, holder) for holder in place.holders)
        yield from next((keys[:1] for keys in found if keys), list[Written]())


def grouped(evaluator: Evaluator, at: Written) -> Iterator[tuple[Written, Written]]:
    """Yield (dict, what its lists get): ``groups.setdefault(row.kind, []).append(row)``."""
    for place in _made(evaluator, at):
        for holder in place.holders:
            names = [] if _is_lost(evaluator, holder) else list(holder.mentions(evaluator))
            if not any(_is_replaced(holder.module, name) for name in names):
                for name in names:
                    item = _appended(holder.module, name)
                    if item is not None and may_run(evaluator, holder.module, name, at.frame):
                        yield place, Written(holder.module, item, at.frame)


def _made(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Yield the dicts, also copied ones, in whose place code writes ``{}`` or ``Counter()``."""
    for place in written(evaluator, at.module, at.node, at.frame):
        call = place.node
        if isinstance(call, ast.Call):
            callee = only_value(evaluator.values(place.module, call.func, place.frame))
            if not isinstance(callee, External) or callee.name not in _MAKING:
                continue
            if callee.name == "dict" and len(call.args) == 1:
                yield from _made(evaluator, place.part(call.args[0]))
        if isinstance(call, ast.Dict | ast.Call):
            yield place


def _appended(module: Module, name: ast.Name) -> ast.expr | None:
    """Return ``row`` of ``groups[kind].append(row)``."""
    item = module.parents.get(name)
    if isinstance(item, ast.Attribute) and item.attr == "setdefault":
        item = module.parents.get(item)
    method = module.parents.get(item) if item is not None else None
    call = module.parents.get(method) if isinstance(method, ast.Attribute) else None
    is_grown = isinstance(method, ast.Attribute) and method.attr == "append"
    if not is_grown or not isinstance(call, ast.Call) or len(call.args) != 1:
        return None
    is_item = isinstance(item, ast.Subscript) or (isinstance(item, ast.Call) and len(item.args) > 1)
    return call.args[0] if is_item and call.func is method else None


def _is_replaced(module: Module, name: ast.Name) -> bool:
    """Tell whether something else than an empty list comes under a key: ``groups[kind] = …``."""
    item = module.parents.get(name)
    if not isinstance(item, ast.Subscript) or isinstance(item.ctx, ast.Load):
        return False
    value = getattr(module.parents.get(item), "value", None)
    return not (isinstance(value, ast.List) and not value.elts)


def _stored(evaluator: Evaluator, at: Written, holder: Holder) -> list[Written]:
    """Return the tuples that are keys; none if keys may be taken out again."""
    module = holder.module
    if _is_lost(evaluator, holder):
        return []
    stored = [
        Written(module, item.slice, at.frame)
        for name in holder.mentions(evaluator)
        if isinstance(item := module.parents.get(name), ast.Subscript)
        and isinstance(item.ctx, ast.Store)
        and may_run(evaluator, module, name, at.frame)
    ]
    return [key for key in stored if _is_tuple(evaluator, key)]


def _is_lost(evaluator: Evaluator, holder: Holder) -> bool:
    module = holder.module
    reads = module.reads(holder.scope, holder.use.id)
    uses = [it for it in reads if holder.binding in evaluator.project.lookup(module, it)[1]]
    return is_shared(evaluator, holder) or any(
        _may_lose(module, use) for use in uses if use is not holder.use
    )


def _may_lose(module: Module, use: ast.Name) -> bool:
    """Tell whether keys may be taken out of a dict here, or code that is not read gets it."""
    up = module.parents.get(use)
    if isinstance(up, ast.Attribute):
        call = module.parents.get(up)
        return up.attr not in _READING or isinstance(module.parents.get(call or up), ast.For)
    return escapes(module, use) or isinstance(getattr(up, "ctx", None), ast.Del)


def _is_tuple(evaluator: Evaluator, at: Written) -> bool:
    found = evaluator.values(at.module, at.node, at.frame)
    return bool(found) and all(known_type(item.value) == "a tuple" for item in found)
