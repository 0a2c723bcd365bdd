"""Arguments of declarations that the SDK refuses during import."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from ....inference.syntax.arguments import shows_all
from ....inference.values.values import Alternative, Const, EnumMember
from ....sdk_use.calls import SdkCall, constants_of, shown
from ....sdk_use.certainty import is_alone
from ....sdk_use.extension_calls import app_id_of
from ....view import FileView

_SECRET = re.compile(r"^[a-z][a-z0-9_]{0,62}$")
"""As in secrets/spec.py: ``$`` also matches before a final line feed."""
_TOOL = re.compile(r"[a-z][a-z0-9_]{0,62}")
MOST_BYTES = 65536
MOST_LETTERS = 200
_FALLBACK = "IMPERAL_APPSECRET_"
_PYDANTIC = "ValidationError"
_COLOURS = ("default", "primary", "success", "warning", "danger", "muted")
_OTHER_COLOURS = ("blue", "green", "yellow", "amber", "red", "gray", "grey")


class Limit(msgspec.Struct, frozen=True):
    """What the SDK accepts as one argument.

    Attributes:
        takes: the SDK's own test of a value; it may raise as the SDK does.
        instead: what to write.
        raises: the exception if the test says no.
    """

    takes: Callable[[Any], object]
    instead: str
    raises: str = "ValueError"

    def raised(self, value: object) -> str:
        """Return the exception that a value raises; an empty text if it raises none."""
        try:
            return "" if self.takes(value) else self.raises
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            return type(error).__name__


class Refused(msgspec.Struct, frozen=True):
    """An argument that the SDK refuses.

    Attributes:
        node: the argument.
        value: of it, as messages show it.
        raised: the exception.
        certain: whether nothing else may stand there.
    """

    node: ast.expr
    name: str
    value: str
    raised: str
    instead: str
    certain: bool


def _one_of(*told: str, also: tuple[str | None, ...] = (), raises: str = "ValueError") -> Limit:
    """Return the limit of an argument that is one of some strings; ``also`` is not offered."""
    listed = ", ".join(f'"{each}"' for each in told[:-1])
    allowed = (*told, *also)
    return Limit(lambda value: value in allowed, f'{listed} or "{told[-1]}"', raises)


def _text(takes: Callable[[str], object], instead: str) -> Limit:
    """Return the limit of a text in a pydantic model."""
    return Limit(lambda value: isinstance(value, str) and takes(value), instead, _PYDANTIC)


_NAME = 'up to 63 small letters, digits and "_", with a letter in front'

LIMITS: Mapping[str, Mapping[str, Limit]] = {
    "emits": {},
    "file_sink": {
        "tool": _text(_TOOL.fullmatch, f"the name of one of the chat functions: {_NAME}"),
        "accepts": Limit(lambda _: False, 'a list of types: ["text/*"]', _PYDANTIC),
        "arg": _text(len, "the name of the parameter that takes the file"),
        "arg_kind": _one_of("text", "file_id", "bytes_ref", raises=_PYDANTIC),
        "description": _text(
            lambda value: len(value) <= MOST_LETTERS, f"at most {MOST_LETTERS} characters"
        ),
    },
    "menu_item": {"section": _one_of("main", "admin")},
    "secret": {
        "name": Limit(_SECRET.match, _NAME),
        "description": Limit(
            lambda value: value.strip(), "what users read where they enter the secret"
        ),
        "write_mode": _one_of("user", "extension", "both"),
        "max_bytes": Limit(
            lambda value: 1 <= value <= MOST_BYTES, f"a number from 1 to {MOST_BYTES}"
        ),
        "rotation_hint_days": Limit(
            lambda value: value is None or value >= 1, "a number from 1, or leave it out"
        ),
        "scope": _one_of("user", "app"),
        "env_fallback": Limit(
            lambda value: value is None or value.startswith(_FALLBACK),
            f'the name of a variable that begins with "{_FALLBACK}"',
        ),
    },
    "skeleton": {"ttl": Limit(lambda value: not value or int(value) or True, "seconds: 300")},
    "tray": {
        "zone": _one_of("status", "actions", "system"),
        "badge_style": _one_of("corner", "inline"),
        "icon_color": _one_of(*_COLOURS, also=_OTHER_COLOURS),
    },
}
"""Method of Extension → argument → its limit, in each version that has the parameter."""


def refused_declarations(view: FileView, call: SdkCall) -> Iterator[Refused]:
    """Yield those arguments of a declaration that the SDK refuses."""
    member = view.surface.member("Extension", call.method)
    spec = member.signature if member else None
    for name, limit in _limits(view, call).items():
        node = call.arguments.get(name)
        if node is None or spec is None or name not in spec.names:
            continue
        found = _refused(view, node, name, limit)
        if found is not None:
            yield found


def _limits(view: FileView, call: SdkCall) -> Mapping[str, Limit]:
    limits = LIMITS[call.method]
    if call.method == "emits" and isinstance(call.node.func, ast.Attribute):
        return {"event_type": _of_event(app_id_of(view, call.node.func.value))}
    if call.method == "secret" and not _may_be_of_app(view, call):
        alone = Limit(lambda value: value is None, 'scope="app" as well, or leave it out')
        return {**limits, "env_fallback": alone}
    return limits


def _of_event(app_id: str) -> Limit:
    prefix = f"{app_id}." if app_id else ""
    shown_id = app_id or "app_id"
    return Limit(
        lambda value: "." in value and value.startswith(prefix),
        f'the id of the extension in front: "{shown_id}.…"',
    )


def _may_be_of_app(view: FileView, call: SdkCall) -> bool:
    scope = call.arguments.get("scope")
    if scope is None:
        return not shows_all(shown(view, call.node))
    values = (item.value for item in view.values(scope))
    return any(not isinstance(it, Const) or it.value == "app" for it in values)


def _refused(view: FileView, node: ast.expr, name: str, limit: Limit) -> Refused | None:
    """Return an argument if the SDK refuses one of its values."""
    if name == "accepts" and isinstance(node, ast.List | ast.Tuple) and not node.elts:
        return Refused(node, name, ast.unparse(node), limit.raises, limit.instead, certain=True)

    def raised(item: Alternative) -> str:
        value = item.value
        if not isinstance(value, Const) or isinstance(value, EnumMember):
            return ""
        return limit.raised(value.value)

    for value, item in constants_of(view, node):
        error = raised(item)
        if error:
            certain = is_alone(view, node, item, raised)
            return Refused(node, name, _short(value), error, limit.instead, certain)
    return None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
