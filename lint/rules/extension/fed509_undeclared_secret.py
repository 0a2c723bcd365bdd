"""FED509: code uses a secret that the extension does not declare or may not write."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...files.plain_text import mentions
from ...inference.values.values import Alternative, Const, Display
from ...payloads.payloads import type_of
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import SdkCall, sdk_calls
from ...sdk_use.certainty import is_alone
from ...sdk_use.declarations import Secret, declared_secrets, walks_secrets
from ...sdk_use.guards import caught
from ...sdk_use.sdk_objects import operand_of, source_of
from ...view import FileView
from .support.secret_names import WRITING, form_of, matches, says_nothing, written_names

_TRIGGER = "secrets"
_ONE = "Keep what differs from case to case as JSON in one declared secret, or in ctx.store."
_RAISED = "AttributeError"
_REFUSALS = ("SecretNotDeclaredError", "SecretWriteForbidden")
_TEXT, _NOTHING = "a text", "None"
_LISTED = frozenset({"a dict", "a list", "a tuple"})


def _check(view: FileView) -> Iterator[Hit]:
    if not mentions(view.module.source, _TRIGGER):
        return
    calls = list(sdk_calls(view, "SecretClient", "get", "set", "delete", "is_set"))
    declared = view.extension.once(declared_secrets) if calls else None
    for call in calls:
        name = call.arguments.get("name")
        hit = None
        if name is not None and declared is not None:
            hit = _of_name(view, call, name, declared)
        hit = hit or _of_value(view, call)
        if hit is not None:
            yield hit


def _of_name(
    view: FileView, call: SdkCall, name: ast.expr, declared: dict[str, Secret]
) -> Hit | None:
    found = view.values(name)
    for item in found:
        message = _problem(view, call, item, declared)
        if message:
            is_certain = call.certain and (len(found) == 1 or not declared)
            is_expected = any(
                error in message and caught(view.module, call.node, error) for error in _REFUSALS
            )
            return Hit(
                node=name,
                message=message,
                severity="info" if is_expected else None if is_certain else "warning",
                chain=view.chain(call.item),
            )
    return None


def _of_value(view: FileView, call: SdkCall) -> Hit | None:
    """Report a value that is no text: ``SecretClient.set`` calls ``encode`` on it."""
    value = call.arguments.get("value") if call.method == "set" else None
    if value is None or caught(view.module, call.node, _RAISED):
        return None
    for item in view.values(value):
        kind = _no_text(view, item)
        certain = call.certain and is_alone(view, value, item, partial(_no_text, view))
        if kind and (certain or kind != _NOTHING):
            return Hit(
                node=value,
                message=f"ctx.secrets.set raises {_RAISED}: {source_of(value)} is {kind}\n"
                f"It takes a text in {view.sdk}. "
                f"{_as_text(kind, value)}.",
                severity=None if certain else "warning",
                chain=view.chain(call.item),
            )
    return None


def _no_text(view: FileView, item: Alternative) -> str:
    kind = type_of(view, item.value)
    return "" if kind == _TEXT else kind


def _as_text(kind: str, value: ast.expr) -> str:
    if kind == _NOTHING:
        return "Call ctx.secrets.delete(name) to take it away"
    if kind == "bytes":
        return f"Write {operand_of(value)}.decode()"
    return f"Write {'json.dumps' if kind in _LISTED else 'str'}({source_of(value)})"


def _problem(view: FileView, call: SdkCall, item: Alternative, declared: dict[str, Secret]) -> str:
    name = item.value
    if isinstance(name, Display):
        return _of_form(view, call, item, name, declared)
    if not isinstance(name, Const):
        return _of_any(view, call, declared)
    if not isinstance(name.value, str):
        return ""
    if name.value not in declared:
        is_written = call.method in WRITING or name.value in view.extension.once(written_names)
        mode = ', write_mode="both"' if is_written else ""
        return (
            f"ctx.secrets.{call.method}({name.value!r}) raises SecretNotDeclaredError\n"
            f"In {view.sdk} it does so also in development: no ext.secret declares it. "
            f'Declare it: ext.secret("{name.value}", "What it is for"{mode}).{_known(declared)}'
        )
    if call.method in WRITING and declared[name.value].write_mode == "user":
        return (
            f"ctx.secrets.{call.method}({name.value!r}) raises SecretWriteForbidden\n"
            f'Its write_mode is "user" in {view.sdk}. Declare it with write_mode="both".'
        )
    return ""


def _of_form(
    view: FileView, call: SdkCall, item: Alternative, name: Display, declared: dict[str, Secret]
) -> str:
    """Return what is wrong with a computed name."""
    form = form_of(view, name.module, name.node, item.frame)
    if says_nothing(form):
        return _of_any(view, call, declared)
    if any(matches(form, each) for each in declared):
        return ""
    return (
        f"ctx.secrets.{call.method} raises SecretNotDeclaredError\nIn {view.sdk} no declared "
        f"secret has a name of the form {source_of(name.node)}, and names "
        f"are fixed when the extension is loaded. {_ONE}{_known(declared)}"
    )


def _of_any(view: FileView, call: SdkCall, declared: dict[str, Secret]) -> str:
    """Return what is wrong with any name when no secret is declared."""
    if declared or view.extension.once(walks_secrets):
        return ""
    return (
        f"ctx.secrets.{call.method} raises SecretNotDeclaredError for every name\n"
        f"In {view.sdk} no ext.secret declares any, and names are fixed when the extension "
        f"is loaded. {_ONE}"
    )


def _known(declared: dict[str, Secret]) -> str:
    return f" Declared: {', '.join(sorted(declared))}." if declared else ""


RULE = Rule(
    code="FED509",
    name="undeclared-secret",
    summary="A secret is used that is not declared, may not be written, or is given no text.",
    severity="error",
    triggers=(_TRIGGER,),
    since="4.2.2",
    check=_check,
    what="""
Finds `ctx.secrets.get/set/delete/is_set` of a name that neither `ext.secret` nor `secrets` in
`imperal.json` declares, of a computed name that no declared one can be (`f"token::{account}"`,
`PREFIX + account`), of any name if none is declared, and `set`/`delete` of one whose write mode is
`user`, the default. Silent as soon as one declaration cannot be followed, for example through
`ext._secrets`. Finds also `set` of what is no text: a list, a dict, a number, bytes or None. Where
the code catches the exception by its name, it is an info.
""",
    why="The client raises SecretNotDeclaredError or SecretWriteForbidden before it asks the "
    "vault, and AttributeError where the value has no encode.",
    example='token = await ctx.secrets.get("api_token")',
    instead='ext.secret("api_token", "Token of the service")\n\n'
    'token = await ctx.secrets.get("api_token")',
    references=("EXT-SECRETS-V1", "imperal_sdk.secrets.SecretClient"),
    bad=(
        Example(
            '\next.secret("a", "A", write_mode="both")\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            '    await ctx.secrets.set("a", ["x"])\n',
            holds="Write json.dumps(['x']).",
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    return await ctx.secrets.get("a")\n',
            holds='ext.secret("a", "What it is for").',
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    await ctx.secrets.set("a", "x")\n',
            holds='ext.secret("a", "What it is for", write_mode="both").',
        ),
        Example(
            '\next.secret("a", "A", write_mode="user")(lambda: None)\n\n\n'
            '@ext.tool("t")\nasync def t(ctx):\n    await ctx.secrets.set("a", "x")\n',
            holds="SecretWriteForbidden",
        ),
        Example(
            '\next.secret("tokens", "All tokens")\n\n\ndef slot(account):\n'
            '    return f"token::{account}"\n\n\n@ext.panel("p")\nasync def p(ctx, account=""):\n'
            "    return await ctx.secrets.get(slot(account))\n",
            holds="f'token::{account}'",
        ),
    ),
    good=(
        Example(
            '\next.secret("token_a", "A")\next.secret("b", "B")\n\n\n@ext.panel("p")\n'
            'async def p(ctx, account=""):\n'
            '    await ctx.secrets.get(account + "")\n'
            '    return await ctx.secrets.get(f"token_{account}")\n'
        ),
        Example(
            '\nNAME = "a"\next.secret(NAME, "A")\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            '    return await ctx.secrets.get("a")\n'
        ),
        Example(
            '\nfor _name in ("a", "b"):\n    ext.secret(_name, "x")\n\n\n@ext.tool("t")\n'
            "async def t(ctx):\n"
            '    return await ctx.secrets.get("b")\n'
        ),
        Example(
            '\nfor _name, _text in (("a", "A"), ("b", "B")):\n'
            "    ext._secrets[_name] = Spec(_name, _text)\n\n\n"
            '@ext.tool("t")\nasync def t(ctx):\n    return await ctx.secrets.get("b")\n'
        ),
        Example(
            '\n@ext.tool("t")\nasync def t(ctx):\n    return await ctx.secrets.get("a")\n',
            {"imperal.json": '{"app_id": "n", "secrets": [{"name": "a"}]}'},
        ),
        Example(
            '\next.secret("a", "A", write_mode="both")\n\n\n@ext.tool("t")\nasync def t(ctx):\n'
            '    await ctx.secrets.set("a", "x")\n'
        ),
        Example("\nimport secrets\n\nprint(secrets.token_hex(8))\n"),
    ),
)
