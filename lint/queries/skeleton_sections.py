"""What skeleton handlers return."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

import msgspec

from ..model.branches import live_returns
from ..model.dict_shapes import Fields, fields_of
from ..model.models import is_model, known_type
from ..model.project import mentions
from ..model.roles import Role
from ..model.values import Alternative, Const, Display, Instance, Made, Sdk, SdkMethod, Value
from ..model.written import Written, is_changed, written
from ..view import FileView, Handlers, asked_once

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
        envelope: what is returned: ``response`` for ``{"response": …}``, ``result`` for an
            ActionResult, else what it is in words; empty if that is not known.
        certain: whether each of the values that the expression may have is of this kind.
        held: what stands under ``response``, in words, if that is certainly no dict.
        content: the fields of the section, if the code shows them.
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
        """Yield the fields that could be seen, each with where its values are written."""
        for key, values in (self.content.values if self.content else {}).items():
            if not key.startswith("_"):
                yield key, [place for value in values for place in _written_at(view, value)]

    def variable(self, key: str) -> str:
        """Return the name of the variable that a field holds; empty if there are more or none."""
        values = self.content.values.get(key, []) if self.content else []
        names = {value.node.id for value in values if isinstance(value.node, ast.Name)}
        return names.pop() if len(names) == 1 else ""

    def unnamed(self, view: FileView) -> list[list[Written]]:
        """Return where each of the values is written whose key the code computes."""
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
    """Return what the skeleton handlers of a file return."""
    return list(_sections(view))


def alert_advice(view: FileView, section: Section, keys: Collection[str]) -> str:
    """Return what a message adds if the alert tool of the section reads one of these fields.

    The tool gets what the handler returned. Whoever lifts, cuts or drops a field on our advice
    would otherwise silence it, or make it tell users of changes that did not happen.
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
    """Return where the values inside an envelope are written."""
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
    """Return what stands under ``response``, in words; empty if that may be a dict."""
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
