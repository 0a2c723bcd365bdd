"""The parts of a payload that JSON refuses, and the words for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from ..inference.containers.dicts import copied
from ..inference.evaluator import Alternatives, Evaluator
from ..inference.values.known_calls import LISTING
from ..inference.values.origins import Written, written
from ..inference.values.standard_types import class_name
from ..inference.values.values import (
    Alternative,
    Display,
    External,
    Function,
    Instance,
    Made,
    SdkField,
    Value,
)
from ..sdk_use.sdk_objects import operand_of, source_of
from ..view import FileView
from .changes import ANY, Way, grouped, passed_dumps, tuple_keys
from .dumps import (
    Dump,
    DumpedField,
    dump_of_field,
    dumped_fields,
    dumps_of,
    is_field_replaced,
    spread_dumps,
)
from .entries import (
    Entry,
    computed_items,
    containers,
    entries,
    factories,
    filled,
    key_of,
    object_at,
    refused_key,
    rows_of,
)
from .items import Item, grown, is_list, items_of
from .json_types import (
    COMPUTING,
    MEMBER,
    NOT_JSON,
    OBJECTS,
    FieldType,
    is_payload_model,
    refused,
    refused_member,
)
from .payloads import presence, shown_items

MODEL = "a pydantic model"


class Refusal(msgspec.Struct, frozen=True):
    """A part of a payload that JSON cannot carry.

    Attributes:
        what: in words.
        where: path inside the payload: ``data["when"]``.
        source: ``dump`` if ``model_dump()`` of the extension left it, ``asdict`` or ``vars`` if
            that did, ``model`` if ``model_dump()`` of ``ActionResult.to_dict()`` leaves it.
        at: the expression that puts it there.
    """

    what: str
    where: str
    certain: bool
    source: Literal["", "dump", "asdict", "vars", "model"] = ""
    at: Written | None = None

    @property
    def is_vague(self) -> bool:
        """Whether the type is one of several."""
        return self.source in {"dump", "asdict", "vars"} and not self.certain

    def unsure(self) -> Refusal:
        """Return a copy that is not certain."""
        return msgspec.structs.replace(self, certain=False)


_KEY = " as a key"
_ROW = "a Document"
_SHORT = 30
_SENT = {_ROW: "Write ….data", MODEL: 'Write ….model_dump(mode="json")'}
"""What else to write where a client sends it."""
_LASTING = ("the number", "a function", "a class", "a range", "a coroutine", "an iterator")
"""What ``mode="json"`` leaves too, or refuses."""
_INSTEAD = {
    **dict.fromkeys(OBJECTS.values(), "Write its fields: dataclasses.asdict(…) gives all"),
    "a set": "Write sorted(…)",
    "a generator": "Write list(…)",
    "bytes": "Write ….decode(), or keep it in ctx.storage and return the path",
    "a datetime": "Write ….isoformat()",
    "a date": "Write ….isoformat()",
    "a time": "Write ….isoformat()",
    "a timedelta": "Write ….total_seconds()",
    "a pattern": "Write ….pattern",
    "a tuple as a key": 'Write one text, such as f"{first}:{second}"',
    MODEL: 'Write ….model_dump(mode="json"): the SDK dumps only a model that is data itself',
    "a range": "Write list(…)",
    "a deque": "Write list(…)",
    "an iterator": "Write list(…)",
    "a view of a dict": "Write list(…)",
    "a function": "Call it: …()",
    "a class": "Write its name, or an instance's model_dump()",
    "a coroutine that nobody awaits": "Write await …",
    MEMBER: "Write ….value, or make it a class of str and Enum",
    f"{MEMBER}{_KEY}": "Write ….value",
    "the number nan": "Write None where there is no number",
    "the number inf": "Write None where there is no number",
    "the number -inf": "Write None where there is no number",
    "the context": "Return the fields that are needed",
    "an HTTPResponse": "Write ….json()",
    _ROW: 'Write {"id": ….id, **….data}',
    "a CompletionResult": "Write ….text",
    "a TimeContext": "Write ….now_utc",
}


def loss(view: FileView, refusal: Refusal) -> str:
    """Return the consequence for the result: ``data['at'] is a datetime: …``."""
    return (
        f"{said(refusal)}: the kernel loses the result\nActionResult.to_dict() leaves it so in "
        f"{view.sdk}, and JSON cannot carry it."
    )


def said(refusal: Refusal) -> str:
    """Return path and type: ``data['at'] is a datetime``."""
    if refusal.what.endswith(_KEY):
        return f"{refusal.where} has {refusal.what.removesuffix(_KEY)} as its key"
    return f"{refusal.where} {'may be' if refusal.is_vague else 'is'} {refusal.what}"


def advice_for_sending(refusal: Refusal) -> str:
    """Return what to send instead, without a full stop."""
    instead = "" if refusal.source else _SENT.get(refusal.what, "")
    if not instead:
        return advice(refusal)
    return _filled(instead, refusal.at.node) if refusal.at is not None else instead


def advice(refusal: Refusal) -> str:
    """Return what to write instead, without a full stop."""
    if refusal.source in {"asdict", "vars"}:
        return f"Write {{**{refusal.source}(…), {_replaced(refusal)}}}"
    if refusal.source and not refusal.what.startswith(_LASTING):
        return 'Write ….model_dump(mode="json")'
    instead = _INSTEAD.get(refusal.what, "Write str(…), or leave it out")
    if refusal.what == _ROW and refusal.where.endswith("id']"):
        instead = "Write ….id"
    is_one = not refusal.what.endswith(_KEY) and not refusal.where.endswith("[…]")
    return _filled(instead, refusal.at.node) if refusal.at is not None and is_one else instead


def _replaced(refusal: Refusal) -> str:
    """Return the replacing dict entry of a field: ``'at': ….isoformat()``."""
    instead = (
        _INSTEAD.get(refusal.what, "Write str(…)").removeprefix("Write ").partition(", or ")[0]
    )
    key = refusal.where.rpartition("[")[2].removesuffix("]")
    return f"{key}: {instead}"


def _filled(instead: str, part: ast.expr) -> str:
    """Replace the ellipsis by the source of the part, if that is short."""
    text, operand = source_of(part), operand_of(part)
    if len(text) > _SHORT:
        return instead
    for behind in (".", "()"):
        instead = instead.replace(f"…{behind}", f"{operand}{behind}")
    return instead.replace("…", text)


_DEPTH = 12
_MODEL = 3
"""How deep a model counts: those that name each other have many ways through them.

Models that only may stand somewhere are not followed further.
"""
_MENDING = 4
"""How deep what is written later counts: it may be changed by what is written later."""
_DUMPED = ("an object of", *(it for cls, it in OBJECTS.items() if cls != "Context"))
"""What pydantic makes dicts of if it is a dataclass in a field of a model."""


def refusals(evaluator: Evaluator, at: Written, where: str = "data") -> Iterator[Refusal]:
    """Yield the parts of the data of a result that JSON cannot carry.

    Args:
        evaluator: of the extension.
        at: the data.
        where: what to call it.
    """
    yield from _refusals(evaluator, at, where, 0, Way(), dumped=False)


def _refusals(
    evaluator: Evaluator, at: Written, where: str, depth: int, way: Way, *, dumped: bool
) -> Iterator[Refusal]:
    """Yield what JSON refuses of an expression and of what it holds.

    Args:
        evaluator: of the extension.
        at: the expression.
        where: what to call it.
        depth: how deep it lies in the payload.
        way: the path from the names that hold the payload.
        dumped: whether ``model_dump`` turns models within it into dicts.
    """
    if passed_dumps(evaluator, at):
        return
    found = evaluator.values(at.module, at.node, at.frame)
    if depth and not dumped and any(is_payload_model(evaluator, item.value) for item in found):
        if not _is_mended(evaluator, way, depth):
            yield Refusal(MODEL, where, certain=False, at=at)
        return
    own = _refusal(evaluator, at, found, where, dumped)
    if own is not None and not _is_mended(evaluator, way, depth):
        yield own
    if own is None and any(map(_is_open, found)):
        yield from _in_open(evaluator, at, where, depth, way, dumped)
    if depth < _DEPTH:
        yield from _in_containers(evaluator, at, where, depth, way, dumped)
        bare = dumped or not depth
        for dump in dumps_of(evaluator, at.module, at.node, at.frame, bare=bare):
            yield from () if dump.is_json else _in_dump(evaluator, dump, where, depth, way)


def _is_mended(evaluator: Evaluator, way: Way, depth: int) -> bool:
    """Tell whether later code may replace the value by one that JSON can carry."""
    return any(
        write.value is None or not _is_refused(evaluator, Written(write.module, write.value), depth)
        for write in way.changes(evaluator)
    )


def _is_refused(evaluator: Evaluator, at: Written, depth: int) -> bool:
    found = _refusals(evaluator, at, "", depth + _MENDING, Way(), dumped=False)
    return any(True for _ in found)


def _refusal(
    evaluator: Evaluator,
    at: Written,
    found: tuple[Alternative, ...],
    where: str,
    dumped: bool,
) -> Refusal | None:
    """Return the refusal of an expression's values themselves, not of their items.

    Members of an Enum only if there is no alternative: ``x.state.value if … else x.state``.
    """
    kinds = [refused(item.value) or refused_member(evaluator, item.value) for item in found]
    for item, what in zip(found, kinds, strict=True):
        certain = all(kinds) or bool(item.via)
        if what == MEMBER:
            if all(kinds):
                typed = isinstance(item.value, Instance) and not isinstance(at.node, ast.Call)
                return Refusal(what, where, certain=not typed, at=at)
        elif what:
            if dumped and what.startswith(_DUMPED):
                return None
            certain = certain or object_at(evaluator, at) == (what, True)
            return Refusal(what, where, certain, at=at)
    what, certain = object_at(evaluator, at) if any(map(_is_open, found)) else ("", False)
    if not what or (dumped and what.startswith(_DUMPED)):
        return None
    return Refusal(what, where, certain, at=at)


def _is_open(item: Alternative) -> bool:
    """Tell whether the syntax may tell more about an expression than its value."""
    value = item.value
    if isinstance(value, Display):
        return isinstance(value.node, (ast.BinOp, ast.UnaryOp, ast.Subscript))
    if isinstance(value, Made):
        return value.of in LISTING or value.of in COMPUTING
    return type(value) is Value or isinstance(value, SdkField)


def _in_open(
    evaluator: Evaluator, at: Written, where: str, depth: int, way: Way, dumped: bool
) -> Iterator[Refusal]:
    """Yield the refusals of page rows, and of the items of ``rows += […]``."""
    what = rows_of(evaluator, at)
    for place in written(evaluator, at.module, at.node, at.frame) if depth < _DEPTH else ():
        inner = way.through(evaluator, place)
        if what and not dumped and not _is_mended(evaluator, inner.at(ANY), depth):
            yield Refusal(what, f"{where}[…]", certain=True, at=place)
            return
        if isinstance(place.node, ast.Name):
            items, held = grown(evaluator, place)
            inner = way.through(evaluator, held)
            yield from _of_items(evaluator, items, where, depth, inner, dumped)


def _in_containers(
    evaluator: Evaluator, at: Written, where: str, depth: int, way: Way, dumped: bool
) -> Iterator[Refusal]:
    for place, alone in containers(evaluator, at.module, at.node, at.frame):
        inner = way.through(evaluator, place)
        for refusal in _inside(evaluator, place, where, depth, inner, dumped):
            yield refusal if alone else refusal.unsure()
    for place, entry in filled(evaluator, at.module, at.node, at.frame):
        inner = way.through(evaluator, place)
        yield from _in_entry(evaluator, entry, where, depth, inner, dumped)
    yield from _in_fills(evaluator, at, where, depth, way, dumped)


def _in_fills(
    evaluator: Evaluator, at: Written, where: str, depth: int, way: Way, dumped: bool
) -> Iterator[Refusal]:
    """Yield the refusals of the values of computed keys."""
    for key in tuple_keys(evaluator, at):
        if not _is_mended(evaluator, way, depth):
            yield Refusal("a tuple as a key", where, certain=True, at=key)
    for place, item in grouped(evaluator, at):
        inner = way.through(evaluator, place).at(ANY).at(ANY)
        yield from _refusals(evaluator, item, f"{where}[…][…]", depth + 2, inner, dumped=dumped)
    for place, factory in factories(evaluator, at.module, at.node, at.frame):
        inner = way.through(evaluator, place)
        if not _is_mended(evaluator, inner.at(ANY), depth):
            yield from _of_factory(evaluator, factory, f"{where}[…]", depth)


def _inside(
    evaluator: Evaluator, at: Written, where: str, depth: int, way: Way, dumped: bool
) -> Iterator[Refusal]:
    if is_list(evaluator, at):
        yield from _of_items(evaluator, items_of(evaluator, at), where, depth, way, dumped)
    elif isinstance(at.node, ast.DictComp) and copied(at.node) is None:
        value, inner = at.part(at.node.value), f"{where}[…]"
        yield from _refusals(evaluator, value, inner, depth + 1, way.at(ANY), dumped=dumped)
    else:
        for entry in entries(evaluator, at):
            yield from _in_entry(evaluator, entry, where, depth, way, dumped)
        keyed = [
            list(_of_items(evaluator, [(ANY, value)], where, depth, way, dumped))
            for value in computed_items(evaluator, at)
        ]
        yield from keyed[0] if keyed and all(keyed) else ()
        for dump, field in spread_dumps(evaluator, at):
            yield from _in_field(evaluator, dump, field, f"{where}[{field.name!r}]", depth, way)


def _of_items(
    evaluator: Evaluator, items: Iterable[Item], where: str, depth: int, way: Way, dumped: bool
) -> Iterator[Refusal]:
    for index, item in items:
        inner = f"{where}[{'…' if index is ANY else index}]"
        for refusal in _refusals(evaluator, item, inner, depth + 1, way.at(index), dumped=dumped):
            may_fail = index is ANY and refusal.where == inner and refusal.what in OBJECTS.values()
            is_row = may_fail and object_at(evaluator, item)[0]
            yield refusal.unsure() if may_fail and not is_row else refusal


def _in_entry(
    evaluator: Evaluator, entry: Entry, where: str, depth: int, way: Way, dumped: bool
) -> Iterator[Refusal]:
    """Yield the refusals that all alternatives of an entry share."""
    bad_key, where = refused_key(evaluator, entry), f"{where}[{_short(entry.key)}]"
    if bad_key:
        yield Refusal(f"{bad_key} as a key", where, certain=True, at=entry.values[0])
    further = way.at(key_of(entry))
    found = (
        list(_refusals(evaluator, at, where, depth + 1, further, dumped=dumped))
        for at in entry.values
    )
    first = next(found, None)
    for refusal in first if first and all(found) else ():
        yield refusal if entry.sure else refusal.unsure()


def _short(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 30 else f"{text[:29]}…"


# ---- models ----------------------------------------------------------------------------------


def _in_dump(
    evaluator: Evaluator, dump: Dump, where: str, depth: int, way: Way
) -> Iterator[Refusal]:
    """Yield the refusals of the fields of a dump.

    A model that is the data itself is dumped by the SDK; there only given or required fields
    count, as warnings.
    """
    inner = way.through(evaluator, dump.at)
    for field in dumped_fields(evaluator, dump) if depth < _DEPTH else ():
        evaluator.project.clock.tick()
        place = f"{where}[{field.name!r}]" if dump.is_call else f"{where}.{field.name}"
        yield from _in_field(evaluator, dump, field, place, depth, inner)


def _in_field(
    evaluator: Evaluator, dump: Dump, field: DumpedField, where: str, depth: int, way: Way
) -> Iterator[Refusal]:
    found = list(_of_field(evaluator, field, where, depth + _MODEL))
    found = [it for it in found if it.certain] or found[:1]
    if not found or is_field_replaced(evaluator, dump.cls, field.name):
        return
    if _is_mended(evaluator, way.at(field.name), depth + 1):
        return
    for refusal in found:
        certain = refusal.certain and dump.alone
        told = msgspec.structs.replace(refusal, certain=certain, at=refusal.at or dump.at)
        if dump.is_call or depth:
            sure = certain and not field.is_unchecked
            yield msgspec.structs.replace(told, source=dump.source, certain=sure)
        elif certain:
            yield msgspec.structs.replace(told, source="model").unsure()


def _of_field(
    evaluator: Evaluator, field: DumpedField, where: str, depth: int
) -> Iterator[Refusal]:
    if field.given is not None:
        yield from _typed(evaluator, field.type, field.given, where, depth, sure=True)
        return
    default = field.default
    left = list(_of_default(evaluator, field, default, where, depth)) if default else []
    if field.known:
        yield from left
    else:
        sure = default is None or bool(left)
        yield from _typed(evaluator, field.type, None, where, depth, sure=sure)


def _of_default(
    evaluator: Evaluator, field: DumpedField, default: Written, where: str, depth: int
) -> Iterator[Refusal]:
    """Yield the refusals of a default, which pydantic does not validate."""
    if not field.is_factory:
        yield from _refusals(evaluator, default, where, depth + 1, Way(), dumped=True)
    else:
        yield from _of_factory(evaluator, default, where, depth)


def _of_factory(
    evaluator: Evaluator, factory: Written, where: str, depth: int
) -> Iterator[Refusal]:
    """Yield the refusals of ``default_factory=set``."""
    for item in evaluator.values(factory.module, factory.node, factory.frame):
        value = item.value
        what = NOT_JSON.get(class_name(value.name)) if isinstance(value, External) else None
        if what:
            yield Refusal(what, where, certain=True, at=factory)
        elif isinstance(value, Function):
            for line in value.module.returns(value.node):
                at = Written(value.module, line)
                yield from _refusals(evaluator, at, where, depth + 1, Way(), dumped=True)


def _typed(
    evaluator: Evaluator,
    kind: FieldType,
    given: Written | None,
    where: str,
    depth: int,
    *,
    sure: bool,
) -> Iterator[Refusal]:
    """Yield the refusals of a value that pydantic validated against a type.

    Args:
        evaluator: of the extension.
        kind: the type.
        given: the value before validation; None if unknown.
        where: what to call it.
        depth: how deep it lies in the payload.
        sure: whether the field certainly has a value.
    """
    if kind.kind == "refused":
        yield Refusal(kind.what, where, certain=sure, at=given)
    elif kind.kind == "open" and given is not None:
        yield from _refusals(evaluator, given, where, depth + 1, Way(), dumped=True)
    elif kind.cls is not None:
        dump = dump_of_field(evaluator, kind.cls, given)
        inner = depth if sure else max(depth, _DEPTH - 1)
        for refusal in _in_dump(evaluator, dump, where, inner, Way()) if dump is not None else ():
            yield refusal if sure else refusal.unsure()
    elif kind.kind == "optional" and kind.inner is not None:
        state = presence(evaluator, given)
        certain = sure and state == "always"
        if state != "never":
            yield from _typed(evaluator, kind.inner, given, where, depth + 1, sure=certain)
    elif kind.inner is not None:
        yield from _typed_items(evaluator, kind, kind.inner, given, where, depth)


def _typed_items(
    evaluator: Evaluator,
    kind: FieldType,
    inner: FieldType,
    given: Written | None,
    where: str,
    depth: int,
) -> Iterator[Refusal]:
    items = shown_items(evaluator, given) if kind.kind == "many" else None
    if items is None:
        yield from _typed(evaluator, inner, None, f"{where}[…]", depth + 1, sure=False)
    for index, item in items or ():
        yield from _typed(evaluator, inner, item, f"{where}[{index}]", depth + 1, sure=True)


def sent_refusals(evaluator: Evaluator, at: Written, name: str) -> Iterator[Refusal]:
    """Yield the parts of an argument that a client sends as JSON, and JSON cannot carry.

    Args:
        evaluator: of the extension.
        at: the argument.
        name: of the parameter.
    """
    found = [is_payload_model(evaluator, it.value) for it in _values(evaluator, at)]
    if any(found):
        yield Refusal(MODEL, name, certain=all(found), at=at)
        return
    for refusal in refusals(evaluator, at, name):
        inside = _values(evaluator, refusal.at) if refusal.what == MODEL and refusal.at else ()
        certain = all(is_payload_model(evaluator, it.value) for it in inside)
        yield refusal if not inside else msgspec.structs.replace(refusal, certain=certain)


def _values(evaluator: Evaluator, at: Written) -> Alternatives:
    return evaluator.values(at.module, at.node, at.frame)
