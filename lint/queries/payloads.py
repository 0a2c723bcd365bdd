"""The data of an ActionResult: what JSON cannot carry, and how large it is at least."""

from __future__ import annotations

import ast
import builtins
import json
import math
from collections.abc import Iterator

import msgspec

from ..model.enums import is_plain
from ..model.evaluator import Evaluator
from ..model.models import is_function, is_model, known_type
from ..model.module import Module
from ..model.texts import Describer
from ..model.times import MADE_TIMES, TIMES
from ..model.values import (
    Alternative,
    Class,
    Const,
    Coroutine,
    Display,
    EnumMember,
    External,
    Frame,
    Instance,
    Made,
    Sdk,
    SdkField,
    SdkMethod,
    Value,
)
from ..model.written import Written
from ..view import FileView
from .inner_changes import Way
from .payload_entries import Entry, containers, entries, is_container, key_of
from .sdk_objects import argument_of
from .spread_arguments import shown

_DEPTH = 12
_NOT_JSON = {
    **MADE_TIMES,
    "set": "a set", "frozenset": "a set", "bytes": "bytes", "bytearray": "bytes",
    "memoryview": "bytes", "secrets.token_bytes": "bytes", "os.urandom": "bytes",
    "complex": "a complex number", "object": "an object", "decimal.Decimal": "a Decimal",
    "uuid.uuid4": "a UUID", "uuid.uuid1": "a UUID", "uuid.UUID": "a UUID",
    "pathlib.Path": "a Path", "re.compile": "a pattern", "range": "a range",
    "dict.keys": "a view of a dict", "dict.values": "a view of a dict",
    "dict.items": "a view of a dict",
    **dict.fromkeys(("map", "filter", "zip", "reversed", "iter", "enumerate"), "an iterator"),
}  # fmt: skip


_MEMBER = "a member of an Enum"
_OBJECTS = {
    "Context": "the context", "HTTPResponse": "an HTTPResponse", "Document": "a Document",
    "CompletionResult": "a CompletionResult", "FileInfo": "a FileInfo",
}  # fmt: skip
"""Classes of the SDK that are no pydantic models, so that nothing turns them into dicts."""


class ResultCall(msgspec.Struct, frozen=True):
    """A call of ``ActionResult.success`` or of the constructor.

    Attributes:
        data, summary: the arguments, if the call shows them.
    """

    node: ast.Call
    data: ast.expr | None
    summary: ast.expr | None


def result_calls(view: FileView) -> Iterator[ResultCall]:
    """Yield the calls that make a successful result."""
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute) and call.func.attr != "success":
            continue
        for item in callees:
            value = item.value
            if not isinstance(value, SdkMethod) or value.name != "success":
                continue
            if value.owner.cls == "ActionResult":
                member = view.surface.member("ActionResult", "success")
                spec = member.signature if member else None
                if spec is not None:
                    plain = shown(view, call)
                    data, summary = (argument_of(plain, spec, name) for name in ("data", "summary"))
                    yield ResultCall(call, data, summary)
                break


def type_of(view: FileView, value: Value) -> str:
    """Return what a value certainly is, ``(await ctx.ai.complete(…)).text`` too; else empty."""
    if not isinstance(value, SdkField):
        return known_type(value)
    member = view.surface.member(value.owner.cls, value.name)
    return "a text" if member is not None and member.text.rstrip("=") == "field str" else ""


class Refusal(msgspec.Struct, frozen=True):
    """A part of a payload that JSON cannot carry.

    Attributes:
        what: in words.
        where: path inside the payload: ``data["when"]``.
    """

    what: str
    where: str
    certain: bool


def refusals(
    evaluator: Evaluator,
    module: Module,
    node: ast.expr,
    frame: Frame | None = None,
    where: str = "data",
    depth: int = 0,
    way: Way = Way(),  # noqa: B008 - frozen
) -> Iterator[Refusal]:
    """Yield the parts of an expression that JSON cannot carry."""
    found = evaluator.values(module, node, frame)
    if depth and any(_is_model(evaluator, item.value) for item in found):
        if not _is_mended(evaluator, way, depth):
            yield Refusal("a pydantic model", where, certain=False)
        return
    own = _refusal(evaluator, node, found, where)
    if own is not None and not _is_mended(evaluator, way, depth):
        yield own
    if depth < _DEPTH and any(is_container(item) for item in found):
        for at, alone in containers(evaluator, module, node, frame):
            for refusal in _inside(evaluator, at, where, depth, way.through(evaluator, at)):
                yield refusal if alone else Refusal(refusal.what, refusal.where, certain=False)


def _is_mended(evaluator: Evaluator, way: Way, depth: int) -> bool:
    """Tell whether later code puts something else here, or may, that JSON can carry."""
    return any(
        write.value is None
        or not any(True for _ in refusals(evaluator, write.module, write.value, depth=depth + 4))
        for write in way.changes(evaluator)
    )


def _refusal(
    evaluator: Evaluator, node: ast.expr, found: tuple[Alternative, ...], where: str
) -> Refusal | None:
    """Return what JSON refuses of the values of an expression, whatever they hold.

    Of members of an Enum only if there is nothing else: behind ``if isinstance(x.state, State)``
    the other value of ``x.state.value if … else x.state`` is none.
    """
    kinds = [_refused(item.value) or _refused_member(evaluator, item.value) for item in found]
    for item, what in zip(found, kinds, strict=True):
        certain = all(kinds) or bool(item.via)
        if what == _MEMBER:
            if all(kinds):
                typed = isinstance(item.value, Instance) and not isinstance(node, ast.Call)
                return Refusal(what, where, certain=not typed)
        elif what:
            return Refusal(what, where, certain)
    return None


def _inside(
    evaluator: Evaluator, at: Written, where: str, depth: int, way: Way
) -> Iterator[Refusal]:
    if isinstance(at.node, ast.Dict | ast.Call | ast.BinOp):
        for entry in entries(evaluator, at):
            yield from _in_entry(evaluator, entry, f"{where}[{_short(entry.key)}]", depth, way)
    elif isinstance(at.node, ast.List | ast.Tuple):
        for index, part in enumerate(at.node.elts):
            if not isinstance(part, ast.Starred):
                inner = f"{where}[{index}]"
                further = way.at(index)
                yield from refusals(evaluator, at.module, part, at.frame, inner, depth + 1, further)


def _in_entry(
    evaluator: Evaluator, entry: Entry, where: str, depth: int, way: Way
) -> Iterator[Refusal]:
    """Yield what is refused whichever of the values stands there."""
    bad_key = _refused_key(evaluator, entry)
    if bad_key:
        yield Refusal(f"{bad_key} as a key", where, certain=True)
    further = way.at(key_of(entry))
    found = [
        list(refusals(evaluator, at.module, at.node, at.frame, where, depth + 1, further))
        for at in entry.values
    ]
    for refusal in found[0] if all(found) else ():
        yield Refusal(refusal.what, refusal.where, refusal.certain and entry.sure)


def _refused_key(evaluator: Evaluator, entry: Entry) -> str:
    if isinstance(entry.key, ast.Tuple):
        return "a tuple"
    if isinstance(entry.key, ast.Constant):
        return _refused_constant(entry.key.value) if isinstance(entry.key.value, bytes) else ""
    at = entry.values[0]
    found = [_refused(item.value) for item in evaluator.values(at.module, entry.key, at.frame)]
    return found[0] if found and all(found) else ""


def _short(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 30 else f"{text[:29]}…"


def _refused(value: Value) -> str:
    if isinstance(value, Const):
        is_member = isinstance(value, EnumMember)
        return _MEMBER if is_member else _refused_constant(value.value)
    if isinstance(value, Made):
        return _NOT_JSON.get(value.of) or _refused_result(value)
    if isinstance(value, Display):
        return _refused_display(value.node)
    if isinstance(value, Coroutine):
        return "a coroutine that nobody awaits"
    if is_function(value) or isinstance(value, SdkMethod) or _is_builtin_function(value):
        return "a function"
    if isinstance(value, Class):
        return "a class"
    if isinstance(value, Instance):
        return _refused_object(value)
    return _OBJECTS.get(value.cls, "") if isinstance(value, Sdk) else ""


def _refused_display(node: ast.expr) -> str:
    if isinstance(node, ast.DictComp):
        return "a dict with tuples as keys" if isinstance(node.key, ast.Tuple) else ""
    if isinstance(node, ast.Set | ast.SetComp):
        return "a set"
    return "a generator" if isinstance(node, ast.GeneratorExp) else ""


def _refused_object(value: Instance) -> str:
    """Of a class that extends nothing; what a decorator makes of it is not known."""
    names = {ast.unparse(item).partition("(")[0] for item in value.cls.node.decorator_list}
    plain = not value.cls.node.bases and names <= {"dataclass", "dataclasses.dataclass"}
    return f"an object of {value.cls.node.name}" if plain else ""


def _refused_member(evaluator: Evaluator, value: Value) -> str:
    """Of an Enum that is no text and no number; pydantic may keep only the value of a member."""
    if not isinstance(value, Instance) or not is_plain(evaluator, value.cls):
        return ""
    return "" if any(evaluator.project.naming("use_enum_values")) else _MEMBER


def _is_model(evaluator: Evaluator, value: Value) -> bool:
    """Tell whether a value is a model; ``to_dict()`` of the SDK dumps only data itself."""
    if isinstance(value, Sdk):
        return value.cls in {"UserContext", "TenantContext"}
    return isinstance(value, Instance) and is_model(evaluator, value.cls) is True


def _refused_result(value: Made) -> str:
    base, _, last = value.of.rpartition(".")
    if (base.startswith("hashlib.") and last == "digest") or (
        base == "base64" and last.endswith(("encode", "decode"))
    ):
        return "bytes"
    kind = known_type(value)
    return kind if kind in TIMES else ""


def _is_builtin_function(value: Value) -> bool:
    """Tell whether a value is ``len`` or the like; ``int`` beside a value often is its type."""
    found = getattr(builtins, value.name, None) if isinstance(value, External) else None
    return callable(found) and not isinstance(found, type)


def _refused_constant(value: object) -> str:
    if isinstance(value, bytes):
        return "bytes"
    if isinstance(value, complex):
        return "a complex number"
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return f"the number {value}"
    return "an Ellipsis" if value is ... else ""


class Measure:
    """Measures the least size of values as compact JSON with ASCII escapes, in characters."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._describer = Describer(evaluator)

    def of(
        self,
        module: Module,
        node: ast.expr,
        frame: Frame | None = None,
        depth: int = 0,
        way: Way = Way(),  # noqa: B008 - frozen
    ) -> int:
        """Return the size that the JSON of an expression has at least."""
        if depth > _DEPTH or any(True for _ in way.changes(self._evaluator)):
            return 1
        found = self._evaluator.values(module, node, frame)
        sizes = [self._of_value(item, depth) for item in found if not is_container(item)]
        if len(sizes) < len(found):
            places = containers(self._evaluator, module, node, frame)
            sizes += [
                self._of_container(at, depth, way.through(self._evaluator, at)) for at, _ in places
            ]
        return min(sizes, default=1)

    def _of_value(self, item: Alternative, depth: int) -> int:
        value = item.value
        if isinstance(value, Const):
            return _of_constant(value.value)
        if not isinstance(value, Display):
            return 1
        node, module = value.node, value.module
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return self._of_repeated(module, node, item.frame, depth)
        if isinstance(node, ast.JoinedStr | ast.BinOp):
            return 2 + self._describer.of_value(item).shortest
        return 1

    def _of_container(self, at: Written, depth: int, way: Way) -> int:
        if isinstance(at.node, ast.List | ast.Tuple):
            sizes = [
                self.of(at.module, part, at.frame, depth + 1, way.at(index))
                for index, part in enumerate(at.node.elts)
            ]
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
            else self.of(at.module, key, at.frame, depth + 1)
        )
        found = (
            self.of(each.module, each.node, each.frame, depth + 1, further) for each in entry.values
        )
        return size + (min(found, default=1) if entry.sure else 1)

    def _of_repeated(self, module: Module, node: ast.BinOp, frame: Frame | None, depth: int) -> int:
        """``[x] * 100``."""
        times = self._evaluator.values(module, node.right, frame)
        count = times[0].value if len(times) == 1 else None
        if not isinstance(node.left, ast.List) or not isinstance(count, Const):
            return 1
        if not isinstance(count.value, int):
            return 1
        return self.of(module, node.left, frame, depth + 1) * max(count.value, 0)


def _of_constant(value: object) -> int:
    if isinstance(value, str | int | float | bool) or value is None:
        return len(json.dumps(value))
    return 1
