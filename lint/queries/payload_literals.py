"""The texts that stand as literals in a payload, whatever lies around them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.dict_sources import copied
from ..model.evaluator import Evaluator
from ..model.values import Const, Display
from ..model.written import Written
from .dumped_models import Dump, DumpedField, dump_of_field, dumped_fields, dumps_of
from .field_types import FieldType
from .inner_changes import ANY, Way
from .list_items import is_list, items_of
from .own_dumps import is_field_replaced
from .payload_entries import containers, entries, is_container, key_of

_DEEPEST = 8
_TELLING = 6
"""Length from which a text may be a secret or an address."""
_LONG = 10**12
"""Numbers above it may be those of a card."""


class Literal(msgspec.Struct, frozen=True):
    """A text, or a long number as text.

    Attributes:
        key: under which it stands; empty for data that is a text itself.
        certain: whether no other value can stand there.
        at: the expression that puts it there.
    """

    key: str
    text: str
    certain: bool
    at: Written


def literals(evaluator: Evaluator, at: Written) -> Iterator[Literal]:
    """Yield the literals of an expression that are still there when it is used."""
    yield from _Search(evaluator).of(at, "", 0, Way(), certain=True)


class _Search:
    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def of(
        self, at: Written, key: str, depth: int, way: Way, *, certain: bool
    ) -> Iterator[Literal]:
        """Yield the literals of an expression: of a text, a display or a model."""
        found = self._evaluator.values(at.module, at.node, at.frame)
        literal = list(self._texts(at, key, depth, certain=certain and len(found) == 1))
        if literal and not any(True for _ in way.changes(self._evaluator)):
            yield from literal
        if depth >= _DEEPEST:
            return
        if any(is_container(item) for item in found):
            for place, alone in containers(self._evaluator, at.module, at.node, at.frame):
                inner = way.through(self._evaluator, place)
                yield from self._inside(place, key, depth, inner, certain=certain and alone)
        for dump in dumps_of(self._evaluator, at.module, at.node, at.frame, bare=not depth):
            inner = way.through(self._evaluator, dump.at)
            yield from self._dumped(dump, depth, inner, certain=certain and dump.alone)

    def _texts(self, at: Written, key: str, depth: int, *, certain: bool) -> Iterator[Literal]:
        for item in self._evaluator.values(at.module, at.node, at.frame):
            value = item.value
            if isinstance(value, Const):
                text = value.value
                if isinstance(text, str) or (type(text) is int and text > _LONG):
                    yield Literal(key, str(text), certain, at)
            elif isinstance(value, Display) and isinstance(value.node, ast.JoinedStr):
                parts = value.node.values if depth < _DEEPEST else ()
                for part in parts:
                    if isinstance(part, ast.Constant):
                        yield Literal(key, str(part.value), certain=True, at=at)

    def _inside(
        self, at: Written, key: str, depth: int, way: Way, *, certain: bool
    ) -> Iterator[Literal]:
        if is_list(self._evaluator, at):
            for index, item in items_of(self._evaluator, at):
                yield from self.of(item, key, depth + 1, way.at(index), certain=certain)
        elif isinstance(at.node, ast.DictComp) and copied(at.node) is None:
            value = at.part(at.node.value)
            yield from self.of(value, key, depth + 1, way.at(ANY), certain=certain)
        else:
            for entry in entries(self._evaluator, at):
                name = entry.key.value if isinstance(entry.key, ast.Constant) else key
                sure = certain and entry.sure and len(entry.values) == 1
                further = way.at(key_of(entry))
                for value in entry.values:
                    yield from self.of(value, str(name), depth + 1, further, certain=sure)

    def _dumped(self, dump: Dump, depth: int, way: Way, *, certain: bool) -> Iterator[Literal]:
        for field in dumped_fields(self._evaluator, dump):
            found = list(self._field(field, depth, way.at(field.name), certain=certain))
            telling = any(len(literal.text) >= _TELLING for literal in found)
            if telling and not is_field_replaced(self._evaluator, dump.cls, field.name):
                yield from found

    def _field(
        self, field: DumpedField, depth: int, way: Way, *, certain: bool
    ) -> Iterator[Literal]:
        at = field.given
        if at is None:
            at, certain = field.default, certain and field.known
        if at is not None:
            yield from self._typed(field.type, at, field.name, depth + 1, way, certain=certain)

    def _typed(
        self, kind: FieldType, at: Written, key: str, depth: int, way: Way, *, certain: bool
    ) -> Iterator[Literal]:
        """Follow what pydantic keeps of a value: of a model only the fields that it has."""
        inner = kind.inner
        if depth >= _DEEPEST:
            return
        self._evaluator.project.clock.tick()
        if kind.kind in {"text", "open"}:
            yield from self.of(at, key, depth, way, certain=certain)
        elif kind.kind == "model" and kind.cls is not None:
            dump = dump_of_field(self._evaluator, kind.cls, at)
            if dump and dump.made:
                yield from self._dumped(dump, depth, way, certain=certain)
        elif kind.kind == "optional" and inner is not None:
            yield from self._typed(inner, at, key, depth + 1, way, certain=certain)
        elif kind.kind == "many" and inner is not None:
            for item, alone in self._items(at):
                sure = certain and alone
                yield from self._typed(inner, item, key, depth + 1, way.at(ANY), certain=sure)

    def _items(self, at: Written) -> Iterator[tuple[Written, bool]]:
        for place, alone in containers(self._evaluator, at.module, at.node, at.frame):
            yield from ((item, alone) for _, item in items_of(self._evaluator, place))
