"""FED538: an argument that a component of the user interface refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import msgspec

from ..model.arguments import shows_all
from ..model.values import Const, Display, Value
from ..queries.components import UI, made_by
from ..queries.guards import unless_expected
from ..queries.loading import never_runs
from ..queries.patches import is_patched
from ..queries.refused_arguments import Limit, Refused, one_of, refused_argument
from ..queries.sdk_names import FunctionCall, function_calls
from ..queries.sdk_objects import argument_of, is_certain, source_of
from ..queries.spread_arguments import shown
from ..rule import Example, Hit, Rule
from ..view import FileView

_STATES = ("info", "success", "warn", "error")
_SAME = ("warning", "danger", "err", "ok")
"""Other words for the states."""
_ACROSS = ("h", "horizontal", "row")
_DOWN = ("v", "vertical", "column", "col")
_SIZES = ("xs", "sm", "md", "lg", "xl", "2xl", "full")


class _Checked(msgspec.Struct, frozen=True):
    """What a parameter takes, and the first release that looks at it."""

    since: str
    limit: Limit


_STATE = one_of(*_STATES, also=(*_SAME, "", None))
_CHECKED: Mapping[str, Mapping[str, _Checked]] = {
    "Alert": {"variant": _Checked("5.9.16", _STATE), "type": _Checked("5.9.16", _STATE)},
    "FileUpload": {"variant": _Checked("5.9.11", one_of("default", "futuristic", "compact"))},
    "Input": {
        "type": _Checked("5.5.0", one_of("text", "password", "email", "number", "url")),
        "variant": _Checked("5.9.16", one_of("default", "ghost")),
    },
    "Modal": {
        "size": _Checked(
            "5.9.20",
            Limit(
                lambda value: not value or value in _SIZES or value[0].isdigit(),
                '"sm", "md", "lg", "xl" or a length: "40rem"',
            ),
        )
    },
    "RadioGroup": {"orientation": _Checked("5.9.19", one_of("vertical", "horizontal"))},
    "Stack": {
        "direction": _Checked(
            "5.9.20",
            Limit(lambda value: str(value).strip().lower() in {*_ACROSS, *_DOWN}, '"v" or "h"'),
        )
    },
    "Stat": {
        "trend_direction": _Checked("5.9.16", one_of("up", "down", "neutral", also=("", None)))
    },
    "Toast": {
        "variant": _Checked("5.9.20", one_of(*_STATES, also=_SAME)),
        "duration": _Checked("5.9.20", Limit(lambda value: value >= 0, "0 or more milliseconds")),
    },
}
"""Component → parameter → what it takes."""
_LINK = "Link"
_TEXT = "text"
"""The other name of a link's label, in releases that have it."""
_TOAST = "Toast"
_BUTTON = ("action", "action_label")
_NAMES = frozenset({*_CHECKED, _LINK})
_LABELLED = "4.2.11"
"""Since then a link without a text raises TypeError."""
_PAIRED = "5.9.20"
"""Since then the button of a toast and its text come together."""


def _check(view: FileView) -> Iterator[Hit]:
    for call in function_calls(view):
        is_ui = call.callee is not None and call.callee.path.startswith(UI)
        if is_ui and call.name in _NAMES and not is_patched(view, call.name):
            written = shown(view, call.node)
            hits = (*_arguments(view, call, written), *_lacking(view, call, written))
            yield from () if hits and never_runs(view, call.node) else hits


def _arguments(view: FileView, call: FunctionCall, written: ast.Call) -> Iterator[Hit]:
    for name, checked in _CHECKED.get(call.name, {}).items():
        if view.surface.at_least(checked.since):
            yield from _refused(view, call, written, name, checked.limit)


def _refused(
    view: FileView, call: FunctionCall, written: ast.Call, name: str, limit: Limit
) -> Iterator[Hit]:
    node = argument_of(written, call.spec, name)
    if node is None or (name == "type" and _is_given(view, call, written, "variant") is not False):
        return
    found = refused_argument(view, node, name, limit)
    if found is None and (call.name, name) == ("Stack", "direction") and _is_node(view, node):
        instead = f"ui.Stack([{source_of(written.args[0])}, …]), with all children in one list"
        found = Refused(node, name, source_of(node), "TypeError", instead, certain=True)
    if found is not None:
        is_written = not any(item.via for item in view.values(node))
        certain = found.certain and is_written and is_certain(view, call.node.func, call.item)
        told = f"with {name}={found.value}"
        hit = _hit(view, call, told, found.raised, f"Write {found.instead}.", certain=certain)
        yield msgspec.structs.replace(hit, node=found.node)


def _hit(
    view: FileView, call: FunctionCall, told: str, error: str, advice: str, *, certain: bool = True
) -> Hit:
    known, severity = unless_expected(view, call.node, None if certain else "warning", error)
    return Hit(
        node=call.node,
        message=f"{source_of(call.node.func)} {told} raises {error} in {view.sdk}{known}, so that "
        f"what is built there never shows. {advice}",
        severity=severity,
    )


def _is_node(view: FileView, node: ast.expr) -> bool:
    """Tell whether an expression certainly is a component, or a list or a dict."""
    found = [item.value for item in view.values(node)]
    return bool(found) and all(
        made_by(value)
        or (isinstance(value, Display) and isinstance(value.node, ast.Dict | ast.List))
        for value in found
    )


def _is_given(view: FileView, call: FunctionCall, written: ast.Call, name: str) -> bool | None:
    """Tell whether an argument is given and neither empty nor None; None if that is not known."""
    node = argument_of(written, call.spec, name)
    if node is None:
        return False if shows_all(written) else None
    found = view.values(node)
    told = {_is_true(item.value) for item in found}
    return told.pop() if len(told) == 1 and not any(item.via for item in found) else None


def _is_true(value: Value) -> bool | None:
    if isinstance(value, Const):
        return bool(value.value)
    return True if made_by(value) else None


def _lacking(view: FileView, call: FunctionCall, written: ast.Call) -> Iterator[Hit]:
    """Find a link without a text, and a toast with half a button."""
    is_link = call.name == _LINK and view.surface.at_least(_LABELLED) and _TEXT in call.spec.names
    if is_link and all(_is_given(view, call, written, it) is False for it in ("label", _TEXT)):
        yield _hit(view, call, "without label=", "TypeError", 'Write ui.Link("…", href=…).')
    if call.name == _TOAST and view.surface.at_least(_PAIRED):
        given = {name: _is_given(view, call, written, name) for name in _BUTTON}
        lacking = [name for name in _BUTTON if given[name] is False]
        if len(lacking) == 1 and True in given.values():
            told = f"without {lacking[0]}="
            advice = "Give both action= and action_label=, or neither."
            yield _hit(view, call, told, "ValueError", advice)


RULE = Rule(
    code="FED538",
    name="refused-ui-argument",
    summary="A component of the user interface refuses what it is given.",
    severity="error",
    triggers=tuple(sorted(_NAMES)),
    check=_check,
    since=_LABELLED,
    what="""
Finds arguments on which a component raises an exception, each from the release on that looks at it:

- `ui.Stack`: another `direction` than `v` and `h` or their long forms; components one by one in
  place of a list.
- `ui.Alert` and `ui.Toast`: another `variant` (of an alert also `type`) than `info`, `success`,
  `warn`, `error` and their other words; a negative `duration`.
- `ui.Input`: an unknown `type` or `variant`; `ui.FileUpload`: an unknown `variant`; `ui.Modal`: an
  unknown `size`; `ui.RadioGroup`: an unknown `orientation`; `ui.Stat`: an unknown
  `trend_direction`.
- `ui.Link` without `label` and `text`, or with empty ones; `ui.Toast` with an `action` that has
  no `action_label`, or the other way round.

Arguments that a component does not have are FED108's.
""",
    why="""
The exception comes while the panel is built: the user sees an error in its place, or, where the
code catches it, nothing.
""",
    example='ui.Alert("Saved", variant="primary")',
    instead='ui.Alert("Saved", variant="success")',
    references=(
        "SDK sources: ui/layout.py, ui/feedback.py, ui/input_components.py",
        "SDK sources: ui/data.py, ui/interactive.py",
    ),
    bad=(
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    return ui.Alert("Saved", variant="primary")
""",
            holds="ui.Alert with variant='primary' raises ValueError in imperal-sdk 6.3.7, so that "
            'what is built there never shows. Write "info", "success", "warn" or "error".',
        ),
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    return ui.Stack(ui.Text("a"), ui.Text("b"))
""",
            holds="Write ui.Stack([ui.Text('a'), …]), with all children in one list.",
        ),
        Example(
            """
from imperal_sdk.ui import Stack as Box, Text

ACROSS = "across"


def row(parts):
    return Box(parts, direction=ACROSS)
""",
            holds="Box with direction='across' raises ValueError",
        ),
        Example(
            """
from imperal_sdk import ui

link = ui.Link(href="https://example.com")
""",
            holds="without label= raises TypeError",
        ),
        Example(
            """
from imperal_sdk import ui

link = ui.Link("", href="https://example.com")
""",
            holds="without label= raises TypeError",
        ),
        Example(
            """
from imperal_sdk import ui

note = ui.Alert("Saved", "Notes", "", type="primary")
""",
            holds="with type='primary' raises ValueError",
        ),
        Example(
            """
from imperal_sdk import ui

told = ui.Toast("Saved", action=ui.Call("undo"))
""",
            holds="ui.Toast without action_label= raises ValueError",
        ),
        Example(
            """
from imperal_sdk import ui

when = ui.Input(type="date", param_name="day")
""",
            sdk="5.5.0",
        ),
    ),
    good=(
        Example(
            """
from imperal_sdk import Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx, kind="info", **params):
    return ui.Stack(
        [
            ui.Alert("Saved", variant="warning"),
            ui.Alert("Saved", type="danger"),
            ui.Alert("Saved", variant=kind),
            ui.Stat("Open", 3, trend_direction=""),
            ui.Link("More", "https://example.com"),
            ui.Link(text="More"),
            ui.Link(**params),
            ui.Link(kind, text=""),
            ui.Toast("Saved", action=ui.Call("undo"), action_label="Undo"),
            ui.Toast("Saved", action=None, action_label=""),
            ui.Alert("Saved", variant="info", type="primary"),
            ui.Stack([], "Horizontal"),
        ],
        direction="row",
    )
"""
        ),
        Example(
            """
from imperal_sdk import ui

when = ui.Input(type="date", param_name="day")
box = ui.Stack([], direction="across")
""",
            sdk="5.4.3",
        ),
    ),
)
