"""How large the JSON of a payload is at least."""

from __future__ import annotations

import ast
import json

from ..model.evaluator import Evaluator
from ..model.texts import Describer
from ..model.values import Alternative, Const, Display, only_value
from ..model.written import Written, written
from .dumped_models import Dump, dump_of_field, dumped_fields, dumps_of
from .field_types import FieldType
from .inner_changes import ANY, Way
from .own_dumps import is_field_replaced
from .payload_entries import Entry, containers, entries, is_container, key_of
from .repeated_items import Repeated, number, repeated

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

    def of_largest(self, at: Written) -> tuple[int, Written]:
        """Return (the least size, what is that large): of what several calls give the largest.

        Not where the function itself asks for it, or may put something else in its place.
        """
        whole = (self.of(at), at)
        here = at.module.function(at.node)
        places = written(self._evaluator, at.module, at.node, at.frame)
        own = {place.module.function(place.node) for place in places}
        asked = (holder for place in places for holder in place.holders if holder.scope is here)
        if here in own or any(True for holder in asked for _ in holder.mentions(self._evaluator)):
            return whole
        known = [each for each, _ in containers(self._evaluator, at.module, at.node, at.frame)]
        sizes = [
            (self._of_container(place, 0, Way().through(self._evaluator, place)), place)
            for place in known
        ]
        return max(whole, *sizes, key=lambda item: item[0]) if sizes else whole

    def _of(self, at: Written, depth: int, way: Way) -> int:
        if depth > _DEPTH or any(True for _ in way.changes(self._evaluator)):
            return 1
        dumps = dumps_of(self._evaluator, at.module, at.node, at.frame, bare=not depth)
        if dumps and dumps[0].single:
            return self._of_dump(dumps[0], depth, way)
        found = self._evaluator.values(at.module, at.node, at.frame)
        sizes = [self._of_value(item) for item in found if not is_container(item)]
        if len(sizes) < len(found):
            sizes += self._of_places(at, depth, way) or [1]
        return min(sizes, default=1)

    def _of_places(self, at: Written, depth: int, way: Way) -> list[int]:
        """Return the sizes of the dicts and lists that an expression may be."""
        known = containers(self._evaluator, at.module, at.node, at.frame)
        sizes: list[int] = []
        for place in written(self._evaluator, at.module, at.node, at.frame):
            inner = way.through(self._evaluator, place)
            many = repeated(self._evaluator, place)
            if many is not None:
                sizes.append(self._of_repeated(place, many, depth, inner))
            elif any(place.node is each.node for each, _ in known):
                sizes.append(self._of_container(place, depth, inner))
            elif isinstance(place.node, ast.BinOp):
                sizes.append(self._of_operation(place))
            elif not self._is_constant(place):
                sizes.append(1)
        return sizes

    def _is_constant(self, at: Written) -> bool:
        """Tell whether a place is a text or a number, which is measured as a value."""
        found = self._evaluator.values(at.module, at.node, at.frame)
        return all(isinstance(item.value, Const) for item in found)

    def _of_value(self, item: Alternative) -> int:
        value = item.value
        if isinstance(value, Const):
            return _of_constant(value.value)
        if not isinstance(value, Display):
            return 1
        if isinstance(value.node, ast.JoinedStr):
            return 2 + self._describer.of_value(item).shortest
        return 1

    def _of_operation(self, at: Written) -> int:
        """``"text" + rest`` of a text, and a text that is repeated more often than is folded."""
        node = at.node
        assert isinstance(node, ast.BinOp)  # noqa: S101 - the caller looked
        if isinstance(node.op, ast.Mult):
            text, times = self._text(at, node.left), number(self._evaluator, at, node.right)
            return 2 + len(text) * max(times, 0) if text and times else 1
        if not isinstance(node.op, ast.Add):
            return 1
        if self._text(at, node.left) is None and self._text(at, node.right) is None:
            return 1
        item = Alternative(Display(at.module, node), frame=at.frame)
        return 2 + self._describer.of_value(item).shortest

    def _text(self, at: Written, node: ast.expr) -> str | None:
        """Return a text that an operand certainly is, as far as it is known."""
        value = only_value(self._evaluator.values(at.module, node, at.frame))
        if isinstance(value, Const):
            return value.value if isinstance(value.value, str) else None
        is_joined = isinstance(value, Display) and isinstance(value.node, ast.JoinedStr)
        return "" if is_joined else None

    def _of_container(self, at: Written, depth: int, way: Way) -> int:
        if isinstance(at.node, ast.ListComp | ast.DictComp):
            return 2
        if not isinstance(at.node, ast.List | ast.Tuple):
            return self._of_entries(at, depth, way)
        sizes = [
            self._of(at.part(part), depth + 1, way.at(index))
            for index, part in enumerate(at.node.elts)
        ]
        return _joined(sizes)

    def _of_entries(self, at: Written, depth: int, way: Way) -> int:
        """Of what stands there at the same time, or of one entry that stands there otherwise."""
        together: list[int] = []
        other = 0
        for entry in entries(self._evaluator, at):
            size = self._of_entry(entry, at, depth, way)
            if entry.together:
                together.append(size)
            else:
                other = max(other, size)
        return max(_joined(together), 2 + other)

    def _of_entry(self, entry: Entry, at: Written, depth: int, way: Way) -> int:
        key = entry.key
        further = way.at(key_of(entry))
        size = 1 + (
            _of_constant(key.value)
            if isinstance(key, ast.Constant)
            else self._of(at.part(key), depth + 1, Way())
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
        return _joined([size + _KEY for size in sizes])

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
            items = [at.part(part) for part in parts]
            return 2 + sum(self._of_field(inner, item, depth + 1, Way()) for item in items)
        is_kept = kind.kind in _KEPT or (inner is not None and inner.kind in _KEPT)
        return self._of(at, depth + 1, way) if is_kept else 1

    def _of_repeated(self, at: Written, many: Repeated, depth: int, way: Way) -> int:
        """``[x] * 100``, ``[x for _ in range(100)]``; nothing if items may be taken out later."""
        further = way.at(ANY)
        if any(True for _ in further.changes(self._evaluator)):
            return 2
        items = [at.part(item) for item in many.items]
        sizes = [self._of(item, depth + 1, further) for item in items]
        commas = max(len(sizes) * many.count - 1, 0)
        return 2 + sum(sizes) * many.count + many.more + commas


def _of_constant(value: object) -> int:
    if isinstance(value, str | int | float | bool) or value is None:
        return len(json.dumps(value))
    return 1


def _joined(sizes: list[int]) -> int:
    """Return the size of a list or dict: its brackets, its entries, the commas between them."""
    return 2 + sum(sizes) + max(len(sizes) - 1, 0)
