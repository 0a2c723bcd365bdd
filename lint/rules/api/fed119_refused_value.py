"""FED119: a value that a function of the SDK refuses when it is called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

import msgspec

from ...inference.values.values import Alternative, Const
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import constants_of, sdk_calls, shown
from ...sdk_use.certainty import is_alone
from ...sdk_use.declarations import UI
from ...sdk_use.guards import caught
from ...sdk_use.import_errors import never_runs
from ...sdk_use.reach import is_patched
from ...sdk_use.sdk_names import function_calls
from ...sdk_use.sdk_objects import argument_of, is_certain, source_of
from ...view import FileView

_ERROR = "ValueError"
_STATES = ("info", "success", "warn", "error")
_SAME = ("warning", "danger", "err", "ok")
"""Other words for the states, which the SDK takes too."""
_PROVIDERS = ("google", "microsoft", "yahoo")
_PROVIDER, _OAUTH = "provider", "oauth_authorize_url"


class _Checked(msgspec.Struct, frozen=True):
    """What a parameter takes.

    Attributes:
        since: the first release that looks at it.
        offered: what to write.
        also: what is taken besides, and not offered.
    """

    since: str
    offered: tuple[str, ...]
    also: tuple[str, ...] = ()

    def refuses(self, item: Alternative) -> bool:
        """Tell whether a value is a text that raises."""
        value = item.value.value if isinstance(item.value, Const) else None
        return isinstance(value, str) and value not in {*self.offered, *self.also}


_CHECKED: Mapping[str, Mapping[str, _Checked]] = {
    "Alert": {
        "variant": _Checked("5.9.16", _STATES, (*_SAME, "")),
        "type": _Checked("5.9.16", _STATES, (*_SAME, "")),
    },
    "FileUpload": {"variant": _Checked("5.9.11", ("default", "futuristic", "compact"))},
    "Input": {
        "type": _Checked("5.5.0", ("text", "password", "email", "number", "url")),
        "variant": _Checked("5.9.16", ("default", "ghost")),
    },
    "RadioGroup": {"orientation": _Checked("5.9.19", ("vertical", "horizontal"))},
    "Stat": {"trend_direction": _Checked("5.9.16", ("up", "down", "neutral"), ("",))},
    "Toast": {"variant": _Checked("5.9.20", _STATES, _SAME)},
}
"""Component of ``imperal_sdk.ui`` → parameter → what it takes."""
_OF_OAUTH = _Checked("5.9.0", _PROVIDERS)


def _check(view: FileView) -> Iterator[Hit]:
    for call in function_calls(view):
        is_ui = call.callee is not None and call.callee.path.startswith(UI)
        if not is_ui or call.name not in _CHECKED or is_patched(view, call.name):
            continue
        written = shown(view, call.node)
        certain = is_certain(view, call.node.func, call.item)
        for name, checked in _CHECKED[call.name].items():
            node = argument_of(written, call.spec, name)
            if name == "type" and argument_of(written, call.spec, "variant") is not None:
                continue  # the variant counts
            if node is not None and view.surface.at_least(checked.since):
                yield from _refused(view, call.node, name, node, checked, certain=certain)
    for made in sdk_calls(view, "Context", _OAUTH):
        node = made.arguments.get(_PROVIDER)
        if node is not None:
            yield from _refused(view, made.node, _PROVIDER, node, _OF_OAUTH, certain=made.certain)


def _refused(
    view: FileView, call: ast.Call, name: str, node: ast.expr, checked: _Checked, *, certain: bool
) -> Iterator[Hit]:
    for value, item in constants_of(view, node):
        if not checked.refuses(item) or never_runs(view, call):
            continue
        refuses: Callable[[Alternative], bool] = checked.refuses
        sure = certain and not item.via and is_alone(view, node, item, refuses)
        severity = "info" if caught(view.module, call, _ERROR) else None if sure else "warning"
        listed = ", ".join(f'"{each}"' for each in checked.offered[:-1])
        yield Hit(
            node=node if node in view.module.parents else call,
            message=f"{source_of(call.func)} with {name}={value!r:.40} raises {_ERROR}\n"
            f"Judged for {view.sdk}: what is built there never reaches the user. "
            f'Write {listed} or "{checked.offered[-1]}".',
            severity=severity,
            chain=view.chain(item),
        )
        return


def _panel(body: str) -> str:
    return (
        'from imperal_sdk import Extension, ui\n\next = Extension("notes")\n\n\n'
        f'@ext.panel("p")\nasync def p(ctx, kind="info"):\n    {body}\n'
    )


RULE = Rule(
    code="FED119",
    name="value-refused-by-sdk",
    summary="A call gives the SDK a value that it refuses.",
    severity="error",
    triggers=(*sorted(_CHECKED), _OAUTH),
    check=_check,
    since="5.5.0",
    what="""
Finds texts on which a call raises ValueError, each from the release on that looks at it:

- `ui.Alert` and `ui.Toast`: another `variant` (of an alert also `type`) than `info`, `success`,
  `warn`, `error` and their other words.
- `ui.Input`: an unknown `type` or `variant`; `ui.FileUpload`: an unknown `variant`;
  `ui.RadioGroup`: an unknown `orientation`; `ui.Stat`: an unknown `trend_direction`.
- `ctx.oauth_authorize_url`: a provider other than `google`, `microsoft` and `yahoo`.

A value that is one of several, or comes through a helper, is a warning. What the code catches is
an info.
""",
    why="The exception comes while the panel or the answer is built: the user sees an error in its "
    "place.",
    example='ui.Alert("No token", type="critical")',
    instead='ui.Alert("No token", type="error")',
    references=(
        "SDK sources: ui/feedback.py, ui/input_components.py, ui/data.py",
        "SDK sources: context.py oauth_authorize_url",
    ),
    bad=(
        Example(
            _panel('return ui.Alert("Saved", type="critical")'),
            holds="ui.Alert with type='critical' raises ValueError",
        ),
        Example(_panel('return ui.Toast("Saved", "primary")'), holds='"info", "success", "warn"'),
        Example(_panel('return ui.Input(type="date", param_name="day")'), sdk="5.5.0"),
        Example(
            _panel('return ui.Stat("Open", 3, trend_direction="left" if ctx else "up")'),
            severity="warning",
        ),
        Example(
            _panel('await ctx.oauth_authorize_url("google_drive")'),
            holds='Write "google", "microsoft" or "yahoo".',
        ),
        Example(
            _panel(
                'try:\n        return ui.Alert("Saved", type="critical")\n'
                "    except ValueError:\n        return None"
            ),
            severity="info",
        ),
    ),
    good=(
        Example(
            _panel(
                "return ui.Stack([\n"
                '        ui.Alert("Saved", variant="warning"), ui.Alert("Saved", type="danger"),\n'
                '        ui.Alert("Saved", variant=kind), ui.Stat("Open", 3, trend_direction=""),\n'
                '        ui.Alert("Saved", variant="info", type="primary"),\n'
                '        ui.Link("Microsoft", await ctx.oauth_authorize_url("microsoft")),\n'
                "    ])"
            )
        ),
        Example(_panel('return ui.Alert("Saved", type="critical")'), sdk="5.9.13"),
        Example(_panel('return ui.Input(type="date", param_name="day")'), sdk="5.4.3"),
    ),
)
