"""The calls that make results, and the least size of a payload."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Literal

import msgspec

from ...reports.lint.findings import ChainStep
from ..inference.calls.call_sites import call_sites
from ..inference.evaluator import Evaluator
from ..inference.flow.branches import may_run
from ..inference.syntax.module import Module
from ..inference.texts.texts import Describer
from ..inference.values.models import known_type
from ..inference.values.origins import Written, written
from ..inference.values.values import (
    Alternative,
    Const,
    Display,
    Instance,
    SdkClass,
    SdkField,
    SdkMethod,
    Value,
    only_value,
)
from ..sdk.surface import Signature, signature
from ..sdk_use.calls import shown
from ..sdk_use.import_errors import never_runs
from ..sdk_use.sdk_objects import argument_of, source_of
from ..view import FileView, asked_once, step_at
from .changes import ANY, Way
from .dumps import Dump, dump_of_field, dumped_fields, dumps_of, is_field_replaced
from .entries import Entry, containers, entries, is_container, key_of
from .items import Repeated, is_list, items_of, number, repeated
from .json_types import FieldType, refused

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
        """Return the least size of an expression's JSON, in characters."""
        return self._of(at, 0, Way())

    def of_largest(self, at: Written) -> tuple[int, Written]:
        """Return (least size, expression of that size), over all callers of the function.

        Callers do not count if the function tests or may rebind the name.
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
        """Tell whether an expression is a string or a number, measured by its value."""
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
        """``"text" + rest`` and ``"x" * n``, where too large to be folded."""
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
        """Return the known part of a string operand."""
        value = only_value(self._evaluator.values(at.module, node, at.frame))
        if isinstance(value, Const):
            return value.value if isinstance(value.value, str) else None
        is_joined = isinstance(value, Display) and isinstance(value.node, ast.JoinedStr)
        return "" if is_joined else None

    def _of_container(self, at: Written, depth: int, way: Way) -> int:
        if isinstance(at.node, (ast.ListComp, ast.DictComp)):
            return 2
        if not isinstance(at.node, (ast.List, ast.Tuple)):
            return self._of_entries(at, depth, way)
        sizes = [
            self._of(at.part(part), depth + 1, way.at(index))
            for index, part in enumerate(at.node.elts)
        ]
        return _joined(sizes)

    def _of_entries(self, at: Written, depth: int, way: Way) -> int:
        """The entries that are present together, or a single other one if that is larger."""
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
        """The known fields of a dump; of unknown ones the names."""
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
        """``[x] * 100``, ``[x for _ in range(100)]``; 0 if items may be removed later."""
        further = way.at(ANY)
        if any(True for _ in further.changes(self._evaluator)):
            return 2
        items = [at.part(item) for item in many.items]
        sizes = [self._of(item, depth + 1, further) for item in items]
        commas = max(len(sizes) * many.count - 1, 0)
        return 2 + sum(sizes) * many.count + many.more + commas


def _of_constant(value: object) -> int:
    if isinstance(value, (str, int, float, bool)) or value is None:
        return len(json.dumps(value))
    return 1


def _joined(sizes: list[int]) -> int:
    """Return the size of a list or dict: brackets, entries, commas."""
    return 2 + sum(sizes) + max(len(sizes) - 1, 0)


_DEEPEST = 6


def given_at(
    view: FileView, node: ast.AST, at: Written | None, note: str = ""
) -> tuple[ChainStep, ...]:
    """Return the chain step to a value's origin; none if it is in the marked function.

    Args:
        view: the file of the finding.
        node: what is marked.
        at: the value.
        note: the text of the step; by default the source.
    """
    if at is None:
        return ()
    places = [it for it in written(view.evaluator, at.module, at.node, at.frame) if _is_real(it)]
    place = places[0] if len(places) == 1 else at
    here = place.module is view.module and place.module.function(place.node) is (
        view.module.function(node)
    )
    if here or not _is_real(place):
        return ()
    return (step_at(place.module, place.node, note or f"gives {source_of(place.node)}"),)


def with_place(
    view: FileView, steps: tuple[ChainStep, ...], node: ast.expr
) -> tuple[ChainStep, ...]:
    """Return the steps to a value, with its origin if they do not end in that line."""
    given = given_at(view, node, Written(view.module, node))
    seen = {(step.path, step.span.line) for step in steps}
    more = (step for step in given if (step.path, step.span.line) not in seen)
    return tuple(dict.fromkeys((*steps, *more)))


def _is_real(at: Written) -> bool:
    """Tell whether an expression stands in the file and is not synthetic."""
    return at.node in at.module.parents


def largest(measure: Measure, evaluator: Evaluator, at: Written) -> Written:
    """Return the largest value in the dicts of an expression, or itself."""
    for _ in range(_DEEPEST):
        places = written(evaluator, at.module, at.node, at.frame)
        at = places[0] if len(places) == 1 else at
        found = entries(evaluator, at) if isinstance(at.node, ast.Dict) else ()
        values = [entry.values[0] for entry in found if len(entry.values) == 1]
        if not values:
            break
        at = max(values, key=measure.of)
    return at


def shown_items(evaluator: Evaluator, given: Written | None) -> list[tuple[object, Written]] | None:
    """Return (index, item) of a list display; None for others."""
    if given is None:
        return None
    places = containers(evaluator, given.module, given.node, given.frame)
    if len(places) != 1 or not is_list(evaluator, places[0][0]):
        return None
    found = items_of(evaluator, places[0][0])
    return [("…" if index is ANY else index, item) for index, item in found]


def presence(evaluator: Evaluator, given: Written | None) -> Literal["always", "maybe", "never"]:
    """Tell whether a value is not None: always, maybe or never."""
    if given is None:
        return "maybe"
    found = evaluator.values(given.module, given.node, given.frame)
    values: list[Value] = [item.value for item in found]
    nothing = [value == Const(None) for value in values]
    if values and all(nothing):
        return "never"
    known = all(refused(value) or isinstance(value, (Const, Display, Instance)) for value in values)
    return "always" if values and known and not any(nothing) else "maybe"


_RESULTS = "ActionResult"
_EXPOSED = "expose"
_DEEPEST_CALLS = 3
_CONSTRUCTOR = signature("(status, data, summary)")
"""How the fields of the dataclass begin, in every release that has it."""


class ResultCall(msgspec.Struct, frozen=True):
    """A call of ``ActionResult.success`` or of the constructor.

    Attributes:
        data, summary: the arguments, if the call shows them.
    """

    node: ast.Call
    data: ast.expr | None
    summary: ast.expr | None


def kept_calls(view: FileView) -> Iterator[tuple[ResultCall, ast.expr]]:
    """Yield (call, data) of the results that the kernel serialises and keeps.

    Results of ``@ext.expose`` functions go to the calling extension as objects:
    ``ExtensionsClient.call`` returns what the exposed function returned (6.3.7).
    """
    exposes = any(True for _ in view.evaluator.project.naming(_EXPOSED))
    for call in result_calls(view):
        function = view.module.function(call.node)
        is_exposed = exposes and _is_exposed(view, view.module, function, 0)
        if call.data is not None and not is_exposed:
            yield call, call.data


def _is_exposed(view: FileView, module: Module, function: ast.AST | None, depth: int) -> bool:
    """Tell whether only other extensions reach a function."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or depth > _DEEPEST_CALLS:
        return False
    kinds = {role.kind for role in view.evaluator.roles(module, function)}
    naming = view.evaluator.project.naming(function.name)
    if not kinds <= {_EXPOSED} or any(_is_handed_on(other, function.name) for other in naming):
        return False
    sites = call_sites(view.evaluator, module, function)
    return bool(kinds or sites) and all(
        _is_exposed(view, caller, caller.function(call), depth + 1) for caller, call, _ in sites
    )


def _is_handed_on(module: Module, name: str) -> bool:
    """Tell whether a function's name is used as a value."""
    uses = [*module.names.get(name, ()), *module.attributes(name)]
    registering = module.decorating_calls(name)
    return any(
        isinstance(use.ctx, ast.Load)
        and module.parents.get(use) not in registering
        and getattr(module.parents.get(use), "func", None) is not use
        for use in uses
    )


@asked_once
def result_calls(view: FileView) -> tuple[ResultCall, ...]:
    """Return the calls that make a successful result; not unreachable ones."""
    found: list[ResultCall] = []
    for call, callees in view.sdk_calls.items():
        if isinstance(call.func, ast.Attribute) and call.func.attr not in {"success", _RESULTS}:
            continue
        specs = (_making(view, call, item.value) for item in callees)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and _runs(view, call):
            made = shown(view, call)
            data, summary = (argument_of(made, spec, name) for name in ("data", "summary"))
            found.append(ResultCall(call, data, summary))
    return tuple(found)


def _runs(view: FileView, call: ast.Call) -> bool:
    return not never_runs(view, call) and may_run(view.evaluator, view.module, call, None)


def _making(view: FileView, call: ast.Call, callee: Value) -> Signature | None:
    """Return the signature of ``success`` or the constructor; None for other callees."""
    if isinstance(callee, SdkMethod) and (callee.owner.cls, callee.name) == (_RESULTS, "success"):
        member = view.surface.member(_RESULTS, "success")
        return member.signature if member else None
    if callee != SdkClass(_RESULTS):
        return None
    status = argument_of(shown(view, call), _CONSTRUCTOR, "status")
    worth = [item.value for item in view.values(status)] if status is not None else []
    return _CONSTRUCTOR if worth == [Const("success")] else None


def type_of(view: FileView, value: Value) -> str:
    """Return the certain type of a value, ``(await ctx.ai.complete(…)).text`` too; else empty."""
    if not isinstance(value, SdkField):
        return known_type(value)
    member = view.surface.member(value.owner.cls, value.name)
    return "a text" if member is not None and member.text.rstrip("=") == "field str" else ""
