"""How large the JSON of a payload is at least."""

from __future__ import annotations

import ast
import json

from ..model.evaluator import Evaluator
from ..model.module import Module
from ..model.texts import Describer
from ..model.values import Alternative, Const, Display, Frame
from ..model.written import Written
from .dumped_models import Dump, dump_of_field, dumped_fields, dumps_of
from .field_types import FieldType
from .inner_changes import Way
from .own_dumps import is_field_replaced
from .payload_entries import Entry, containers, entries, is_container, key_of

_DEPTH = 12
_KEY = 4
"""The least size of a key, its quotation marks and the colon."""
_LONG = 100
"""From here on it matters whether other code shortens what a field is given."""
_KEPT = frozenset({"text", "open"})
"""Kinds of types whose values pydantic takes as they are."""


class Measure:
    """Measures the least size of values as compact JSON with ASCII escapes, in characters."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._describer = Describer(evaluator)

    def of(self, at: Written) -> int:
        """Return the size that the JSON of an expression has at least."""
        return self._of(at, 0, Way())

    def _of(self, at: Written, depth: int, way: Way) -> int:
        if depth > _DEPTH or any(True for _ in way.changes(self._evaluator)):
            return 1
        dumps = dumps_of(self._evaluator, at.module, at.node, at.frame, bare=not depth)
        if dumps and dumps[0].single:
            return self._of_dump(dumps[0], depth, way)
        found = self._evaluator.values(at.module, at.node, at.frame)
        sizes = [self._of_value(item, depth) for item in found if not is_container(item)]
        if len(sizes) < len(found):
            places = containers(self._evaluator, at.module, at.node, at.frame)
            sizes += [
                self._of_container(place, depth, way.through(self._evaluator, place))
                for place, _ in places
            ] or [1]
        return min(sizes, default=1)

    def _of_value(self, item: Alternative, depth: int) -> int:
        value = item.value
        if isinstance(value, Const):
            return _of_constant(value.value)
        if not isinstance(value, Display):
            return 1
        node = value.node
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return self._of_repeated(value.module, node, item.frame, depth)
        if isinstance(node, ast.JoinedStr | ast.BinOp):
            return 2 + self._describer.of_value(item).shortest
        return 1

    def _of_container(self, at: Written, depth: int, way: Way) -> int:
        if isinstance(at.node, ast.List | ast.Tuple):
            sizes = [
                self._of(Written(at.module, part, at.frame), depth + 1, way.at(index))
                for index, part in enumerate(at.node.elts)
            ]
        elif isinstance(at.node, ast.ListComp | ast.DictComp):
            return 2
        else:
            found = entries(self._evaluator, at)
            sizes = [self._of_entry(entry, at, depth, way) for entry in found]
        return 2 + sum(sizes) + max(len(sizes) - 1, 0)

    def _of_entry(self, entry: Entry, at: Written, depth: int, way: Way) -> int:
        key = entry.key
        further = way.at(key_of(entry))
        size = 1 + (
            _of_constant(key.value)
            if isinstance(key, ast.Constant)
            else self._of(Written(at.module, key, at.frame), depth + 1, Way())
        )
        found = (self._of(each, depth + 1, further) for each in entry.values)
        return size + (min(found, default=1) if entry.sure else 1)

    def _of_dump(self, dump: Dump, depth: int, way: Way) -> int:
        """Of what is known of the fields; of their names only that they are there."""
        inner = way.through(self._evaluator, dump.at)
        if any(True for _ in self._evaluator.project.naming("str_strip_whitespace")):
            return 2
        sizes: list[int] = []
        for field in dumped_fields(self._evaluator, dump):
            at = field.given or (None if field.is_factory else field.default)
            if at is not None and (field.given is not None or field.known):
                size = self._of_field(field.type, at, depth, inner.at(field.name))
                is_long = size > _LONG and is_field_replaced(self._evaluator, dump.cls, field.name)
                sizes.append(1 if is_long else size)
        return 2 + sum(size + _KEY for size in sizes) + max(len(sizes) - 1, 0)

    def _of_field(self, kind: FieldType, at: Written, depth: int, way: Way) -> int:
        if depth > _DEPTH:
            return 1
        inner = kind.inner
        if kind.kind == "model" and kind.cls is not None:
            dump = dump_of_field(self._evaluator, kind.cls, at)
            return self._of_dump(dump, depth + 1, way) if dump and dump.made else 1
        if kind.kind == "optional" and inner is not None:
            return self._of_field(inner, at, depth + 1, way)
        if kind.kind == "many" and inner is not None and inner.kind == "model":
            parts = at.node.elts if isinstance(at.node, ast.List) else []
            items = [Written(at.module, part, at.frame) for part in parts]
            return 2 + sum(self._of_field(inner, item, depth + 1, Way()) for item in items)
        is_kept = kind.kind in _KEPT or (inner is not None and inner.kind in _KEPT)
        return self._of(at, depth + 1, way) if is_kept else 1

    def _of_repeated(self, module: Module, node: ast.BinOp, frame: Frame | None, depth: int) -> int:
        """``[x] * 100``."""
        times = self._evaluator.values(module, node.right, frame)
        count = times[0].value if len(times) == 1 else None
        if not isinstance(node.left, ast.List) or not isinstance(count, Const):
            return 1
        if not isinstance(count.value, int):
            return 1
        least = self._of(Written(module, node.left, frame), depth + 1, Way())
        return least * max(count.value, 0)


def _of_constant(value: object) -> int:
    if isinstance(value, str | int | float | bool) or value is None:
        return len(json.dumps(value))
    return 1
