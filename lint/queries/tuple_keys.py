"""Tuples under which code puts something into a dict: JSON has no such keys."""

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
_READING = frozenset({"get", "keys", "values", "items", "copy", "most_common"})


def tuple_keys(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Yield one tuple for each dict that gets some: ``counts[row.a, row.b] += 1``."""
    for place in written(evaluator, at.module, at.node, at.frame):
        call = place.node
        if isinstance(call, ast.Call):
            callee = only_value(evaluator.values(place.module, call.func, place.frame))
            if not isinstance(callee, External) or callee.name not in _MAKING:
                continue
            if callee.name == "dict" and len(call.args) == 1:
                yield from tuple_keys(evaluator, place.part(call.args[0]))
        if isinstance(call, ast.Dict | ast.Call):
            found = (_stored(evaluator, place, holder) for holder in place.holders)
            yield from next((keys[:1] for keys in found if keys), list[Written]())


def _stored(evaluator: Evaluator, at: Written, holder: Holder) -> list[Written]:
    """Return the tuples that are keys; none if keys may be taken out again."""
    module = holder.module
    if is_shared(evaluator, holder):
        return []
    reads = module.reads(holder.scope, holder.use.id)
    uses = [it for it in reads if holder.binding in evaluator.project.lookup(module, it)[1]]
    if any(_may_lose(module, use) for use in uses if use is not holder.use):
        return []
    stored = [
        Written(module, item.slice, at.frame)
        for name in holder.mentions(evaluator)
        if isinstance(item := module.parents.get(name), ast.Subscript)
        and isinstance(item.ctx, ast.Store)
        and may_run(evaluator, module, name, at.frame)
    ]
    return [key for key in stored if _is_tuple(evaluator, key)]


def _may_lose(module: Module, use: ast.Name) -> bool:
    """Tell whether keys may be taken out of a dict here, or code that is not read gets it."""
    up = module.parents.get(use)
    if isinstance(up, ast.Attribute):
        return up.attr not in _READING
    return escapes(module, use) or isinstance(getattr(up, "ctx", None), ast.Del)


def _is_tuple(evaluator: Evaluator, at: Written) -> bool:
    found = evaluator.values(at.module, at.node, at.frame)
    return bool(found) and all(known_type(item.value) == "a tuple" for item in found)
