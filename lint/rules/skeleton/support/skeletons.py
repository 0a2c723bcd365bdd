"""Skeleton sections, and the kinds of the tools beside them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

import msgspec

from ....files.plain_text import mentions
from ....inference.calls.roles import Role
from ....inference.containers.dicts import Fields, fields_of
from ....inference.flow.branches import live_returns
from ....inference.flow.conditions import conditions, left_true, split
from ....inference.flow.narrowing import COMPARISONS
from ....inference.syntax.blocks import ran_before
from ....inference.syntax.module import FUNCTIONS, Module, last_name, own_nodes
from ....inference.texts.call_texts import property_returns
from ....inference.values.definitions import definition
from ....inference.values.models import is_model, known_type
from ....inference.values.origins import Written, called, is_changed, written
from ....inference.values.values import (
    Alternative,
    Const,
    Display,
    Function,
    Instance,
    Made,
    Sdk,
    SdkField,
    SdkMethod,
    Value,
)
from ....view import FileView, Handlers, ProjectView, asked_once

TRIGGER = "skeleton"
FIELDS_KEPT = 6
LIST_KEPT = 5
TEXT_KEPT = 500
SECTION_AIM = 2048
_REFRESH = "skeleton_refresh_"
_ALERT = "skeleton_alert_"


class Section(msgspec.Struct, frozen=True, eq=False):
    """One value that a skeleton handler may return.

    Attributes:
        returned: the expression behind ``return``, in the handler.
        envelope: ``response`` for ``{"response": …}``, ``result`` for an ActionResult, else the
            type in words; empty if unknown.
        certain: whether all values of the expression are of this kind.
        held: the type under ``response``, in words, if that is certainly no dict.
        content: the known fields of the section.
    """

    role: Role
    returned: ast.expr
    envelope: str
    certain: bool
    content: Fields | None
    held: str = ""

    @property
    def name(self) -> str:
        """The section as messages name it."""
        return f"section {self.role.name.removeprefix(_REFRESH)!r}"

    def holding(self, view: FileView) -> Iterator[tuple[str, list[Written]]]:
        """Yield (key, origins of its values) for the known fields."""
        for key, values in (self.content.values if self.content else {}).items():
            if not key.startswith("_"):
                yield key, [place for value in values for place in _written_at(view, value)]

    def variable(self, key: str) -> str:
        """Return the only variable that a field holds; else empty."""
        values = self.content.values.get(key, []) if self.content else []
        names = {value.node.id for value in values if isinstance(value.node, ast.Name)}
        return names.pop() if len(names) == 1 else ""

    def unnamed(self, view: FileView) -> list[list[Written]]:
        """Return the origins of the values of computed keys."""
        values = self.content.unnamed if self.content else []
        return [_written_at(view, value) for value in values]


@asked_once
def skeleton_handlers(view: FileView) -> Handlers:
    """Return the skeleton handlers of a file that says so: the trigger of these rules."""
    if not mentions(view.module.source, TRIGGER):
        return ()
    return tuple((function, role) for function, role in view.handlers() if role.kind == TRIGGER)


@asked_once
def sections(view: FileView) -> list[Section]:
    """Return the values that the skeleton handlers of a file return."""
    return list(_sections(view))


def alert_advice(view: FileView, section: Section, keys: Collection[str]) -> str:
    """Return the addition to a message if the section's alert tool reads one of these fields.

    The tool gets the section: changing a field on our advice alone would silence it, or make it
    report changes that did not happen.
    """
    tool = f"{_ALERT}{section.role.name.removeprefix(_REFRESH)}"
    for _, function, role in view.extension.handlers(TRIGGER):
        if role.kind == "alert" and role.name == tool:
            texts = {part.value for part in ast.walk(function) if isinstance(part, ast.Constant)}
            read = [repr(key) for key in keys if key in texts]
            return f" {tool} reads {' and '.join(read)} too: change both." if read else ""
    return ""


def _sections(view: FileView) -> Iterator[Section]:
    for function, role in skeleton_handlers(view):
        live = live_returns(view.evaluator, view.module, function)
        for returned in () if is_changed(view.evaluator, view.module, function) else live:
            yield from _returned(view, role, returned)


def _returned(view: FileView, role: Role, returned: ast.expr) -> Iterator[Section]:
    found = [
        (_envelope(view, item), item) for item in written(view.evaluator, view.module, returned)
    ]
    same = len({envelope for envelope, _ in found}) == 1
    for envelope, item in found:
        places = _places(view, item, envelope)
        contents = [fields_of(view.evaluator, place) for place in places]
        held = _held(view, places) if envelope == "response" else ""
        for content in contents if contents and not held else [None]:
            yield Section(role, returned, envelope, same, content, held)


def _places(view: FileView, item: Written, envelope: str) -> list[Written]:
    """Return the origins of the values inside of an envelope."""
    inner: list[Written] = []
    if envelope == "response":
        outer = fields_of(view.evaluator, item)
        inner = outer.values.get("response", []) if outer else []
    elif envelope == "result" and isinstance(item.node, ast.Call):
        inner = [item.part(node) for node in _data(item.node)]
    return [place for value in inner for place in _written_at(view, value)]


def _written_at(view: FileView, value: Written) -> list[Written]:
    return list(written(view.evaluator, value.module, value.node, value.frame))


def _held(view: FileView, places: list[Written]) -> str:
    """Return the type under ``response``, in words; empty if it may be a dict."""
    values = [
        item
        for place in places
        for item in view.evaluator.values(place.module, place.node, place.frame)
    ]
    words = [_of_model(view, item.value) or _in_words(item) for item in values]
    told = " or ".join(dict.fromkeys(words)) if "" not in words else ""
    return "an ActionResult" if told == "result" else told


def _of_model(view: FileView, value: Value) -> str:
    if not isinstance(value, Instance) or not is_model(view.evaluator, value.cls):
        return ""
    return f"a {value.cls.node.name} object"


def _data(call: ast.Call) -> list[ast.expr]:
    named = [item.value for item in call.keywords if item.arg == "data"]
    return named or call.args[:1]


def _envelope(view: FileView, item: Written) -> str:
    known = fields_of(view.evaluator, item)
    if known is not None:
        if "response" in known.values:
            return "response"
        return "" if known.dynamic else "a dict without the key response"
    if isinstance(item.node, ast.Call) and _is_result(view, item):
        return "result"
    values = view.values(item.node, item.frame) if item.module is view.module else ()
    words = {_in_words(each) for each in values}
    return words.pop() if len(words) == 1 else ""


def _is_result(view: FileView, item: Written) -> bool:
    assert isinstance(item.node, ast.Call)  # noqa: S101 - the caller looked
    return any(
        isinstance(each.value, SdkMethod) and each.value.owner.cls == "ActionResult"
        for each in view.evaluator.values(item.module, item.node.func, item.frame)
    )


def _in_words(item: Alternative) -> str:
    value: Value = item.value
    if isinstance(value, Const):
        name = type(value.value).__name__
        return "None" if value.value is None else f"{'an' if name == 'int' else 'a'} {name}"
    if isinstance(value, Display):
        return _KINDS.get(type(value.node), "")
    if isinstance(value, Sdk) and value.cls == "ActionResult":
        return "result"
    return known_type(value) if isinstance(value, Made) and value.of != "dict" else ""


_KINDS: dict[type[ast.expr], str] = {
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.Tuple: "a tuple",
    ast.Set: "a set",
    ast.JoinedStr: "a str",
    ast.Call: "a str",
}


_FIELD = "_tool_type"
_SKELETON = "skeleton"
_OTHERS = ("tool", "panel", "chat_fn")
"""What the SDK's ``Context`` documents beside ``skeleton``."""
_ASKING = (ast.Compare, ast.BoolOp, ast.UnaryOp)
_DEPTH = 4
_OPEN = object()

Asked = tuple[Module, ast.expr, bool]
"""A test, its file, and whether it is true."""


def only_skeletons(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether a test admits only skeleton handlers to a place.

    The SDK itself tests ``ctx._tool_type`` (``_SkeletonAccessGuard.get``). A test of it that is
    not understood counts as a guard; one that only other handlers pass does not.

    Args:
        view: a file of the extension.
        module: the file of the place.
        node: a call that leads to a use, or the use.
    """
    if _is_chosen(view, module, node):
        return True
    places = (node, *module.functions_around(node))
    return any(
        _keeps_others_out(view, *asked)
        for place in places
        for asked in _asked_around(view, module, place)
    )


def _is_chosen(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether the kind chooses what is called: ``{"skeleton": load}[ctx._tool_type](ctx)``."""
    return isinstance(node, ast.Call) and any(
        _is_kind(view, module, part) for part in _inside(node.func)
    )


def _asked_around(view: FileView, module: Module, node: ast.AST) -> Iterator[Asked]:
    """Yield the tests around a node in its function."""
    for test, truth in (*conditions(module, node, rebound=False), *_cases(module, node)):
        yield from _spelt_out(view, module, test, truth)
    for before in ran_before(module, node):
        yield from _left_by(view, module, before)


def _left_by(view: FileView, module: Module, statement: ast.stmt) -> Iterator[Asked]:
    """Yield what ``ensure(ctx)`` leaves true, which raises for other kinds of handlers."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    call = call.value if isinstance(call, ast.Await) else call
    found = called(view.evaluator, module, call, None) if isinstance(call, ast.Call) else []
    for function, _ in found if len(found) == 1 else ():
        body = function.node.body
        returns = any(isinstance(it, ast.Return) for it in own_nodes(function.node))
        for test, truth in (
            left_true(function.module, body) if isinstance(body, list) and not returns else ()
        ):
            yield from _spelt_out(view, function.module, test, truth)


def _cases(module: Module, node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """Yield that ``match kind: case "panel" | "tool": …`` asks for the subject, whatever it is."""
    child = node
    for up in module.ancestors(node):
        if isinstance(up, FUNCTIONS):
            return
        is_other = isinstance(child, ast.match_case) and not isinstance(
            child.pattern, ast.MatchValue
        )
        if isinstance(up, ast.Match) and is_other:
            yield ast.Compare(up.subject, [ast.Eq()], [ast.Name("_")]), True
        child = up


def _spelt_out(
    view: FileView, module: Module, test: ast.expr, truth: bool, depth: int = _DEPTH
) -> Iterator[Asked]:
    """Yield a test, or those that a name keeps or a helper asks in its place."""
    for part, holds in split(test, truth=truth):
        asked = list(_questions(view, module, part)) if depth else []
        if not asked:
            yield module, part, holds
        for where, question in asked:
            yield from _spelt_out(view, where, question, holds, depth - 1)


def _questions(view: FileView, module: Module, node: ast.expr) -> Iterator[tuple[Module, ast.expr]]:
    """Yield the tests whose answer an expression is."""
    for value in () if isinstance(node, ast.Compare) else _values(view, module, node):
        if isinstance(value, Display) and isinstance(value.node, _ASKING):
            yield value.module, value.node
    if isinstance(node, ast.Attribute):
        for value in _values(view, module, node.value):
            if isinstance(value, Instance):
                where, found = property_returns(view.evaluator, value.cls, node.attr)
                yield from ((where, each) for each in found)


def _values(view: FileView, module: Module, node: ast.expr) -> Iterator[object]:
    if node in module.parents:
        yield from (item.value for item in view.evaluator.values(module, node))


def _keeps_others_out(view: FileView, module: Module, test: ast.expr, truth: bool) -> bool:
    """Tell whether skeleton handlers pass a test, and others perhaps not."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        kinds = (_SKELETON, *_OTHERS)
        if _is_kind(view, module, left):
            worth = _worth(view, module, right)
            first, *rest = (_outcome(test.ops[0], kind, worth) for kind in kinds)
            return first in {truth, None} and set(rest) != {truth}
        if _is_kind(view, module, right):
            worth = _worth(view, module, left)
            first, *rest = (_outcome(test.ops[0], worth, kind) for kind in kinds)
            return first in {truth, None} and set(rest) != {truth}
    is_itself = _is_kind(view, module, test)
    return not is_itself and any(_is_kind(view, module, part) for part in _inside(test))


def _outcome(operator: ast.cmpop, left: object, right: object) -> bool | None:
    if left is _OPEN or right is _OPEN:
        return None
    try:
        return bool(COMPARISONS[type(operator)](left, right))
    except TypeError:
        return None


def _worth(view: FileView, module: Module, node: ast.expr) -> object:
    """Return what a node says; ``_OPEN`` if that is not known."""
    known = definition(view.evaluator, module, node) if node in module.parents else None
    try:
        return ast.literal_eval(known[1] if known is not None else node)
    except (ValueError, TypeError, RecursionError):
        return _OPEN


def _inside(node: ast.AST) -> Iterator[ast.expr]:
    return (part for part in ast.walk(node) if isinstance(part, ast.expr))


def _is_kind(view: FileView, module: Module, node: ast.expr) -> bool:
    """Tell whether a node is the kind itself, or what keeps it."""
    if isinstance(node, ast.Attribute) and node.attr == _FIELD:
        return True
    if _place_of(node) in view.extension.once(_keeping):
        return True
    if isinstance(node, ast.Call) and any(
        isinstance(value, Function) and _asks_for_kind(value)
        for value in _values(view, module, node.func)
    ):
        return True
    return any(
        isinstance(value, SdkField) and value.name == _FIELD
        for value in _values(view, module, node)
    )


def _asks_for_kind(function: Function) -> bool:
    """``Place.of(ctx)``, whose answer depends on the kind."""
    return any(
        _FIELD in {getattr(part, "attr", ""), getattr(part, "value", "")}
        for part in ast.walk(function.node)
        if isinstance(part, (ast.Attribute, ast.Constant))
    )


def _keeping(view: ProjectView) -> frozenset[str]:
    """Return the keys and attributes under which code keeps it: ``state["kind"] = ctx._tool_type``.

    Which object it is put into is not asked.
    """
    found: set[str] = set()
    for module in view.project.naming(_FIELD):
        for node in module.attributes(_FIELD):
            parent = module.parents.get(node)
            if isinstance(parent, ast.Assign):
                found.update(map(_place_of, parent.targets))
            elif isinstance(parent, ast.keyword) and _is_entry(module, parent):
                found.add(parent.arg or "")
    return frozenset(found - {""})


def _is_entry(module: Module, given: ast.keyword) -> bool:
    """``dict(kind=ctx._tool_type)`` and ``state.update(kind=ctx._tool_type)``."""
    call = module.parents.get(given)
    return isinstance(call, ast.Call) and last_name(call.func) in {"dict", "update"}


def _place_of(node: ast.expr) -> str:
    """Return the key of ``state["kind"]`` or ``state.get("kind")``, the name of ``state.kind``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    key = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and last_name(node.func) == "get" and node.args:
        key = node.args[0]
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
