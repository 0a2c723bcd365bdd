"""What JSON cannot carry of the data of a result when the result is handed over."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import msgspec

from ..model.written import Written
from ..view import FileView
from .payloads import ResultCall, kept_calls
from .refusals import refusals
from .refused_parts import Refusal
from .result_changes import Change, left, put_in


def lasting_refusals(view: FileView) -> Iterator[tuple[ResultCall, ast.expr, Refusal]]:
    """Yield (call, the data or what is put into it later, what JSON refuses of it)."""
    seen: set[ast.expr] = set()
    for call, data in kept_calls(view):
        for refusal in _lasting(view, call, data):
            yield call, data, refusal
        for change in put_in(view, call):
            if change.value is not None and change.value not in seen:
                seen.add(change.value)
                for refusal in _told(refusals(view.evaluator, Written(view.module, change.value))):
                    yield call, change.value, _placed(change, refusal)


def _lasting(view: FileView, call: ResultCall, data: ast.expr) -> list[Refusal]:
    """Return what is still there when the result is handed over."""
    found = list(_told(refusals(view.evaluator, Written(view.module, data))))
    rest = left(view, call) if found else data
    if rest is data:
        return found
    again = refusals(view.evaluator, Written(view.module, rest)) if rest is not None else ()
    kept = {(it.where, it.what) for it in again}
    return [it for it in found if (it.where, it.what) in kept]


def _told(found: Iterable[Refusal]) -> Iterator[Refusal]:
    """Yield what is certain, and of what only may be there the first."""
    is_said = False
    for refusal in found:
        if not (refusal.is_vague and is_said):
            yield refusal
        is_said = is_said or refusal.is_vague


def _placed(change: Change, refusal: Refusal) -> Refusal:
    """Return what is refused of a value that is put under a key of the data."""
    key = "".join(f"[{key!r}]" for key in change.keys or ())
    where = f"data{key}{refusal.where.removeprefix('data')}"
    return msgspec.structs.replace(refusal, where=where)
