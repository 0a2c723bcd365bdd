"""FED529: a health check reads what the platform keeps for each user."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ...inference.syntax.module import Module
from ...inference.values.values import Alternative
from ...rule import Example, Hit, Rule
from ...sdk_use.calls import arguments, constants_of
from ...sdk_use.declarations import declared_secrets
from ...sdk_use.reach import owner_of
from ...sdk_use.sdk_objects import source_of
from ...view import FileView, ProjectView, step_at
from .support.system_user_calls import possible_way
from .support.system_user_rows import client_calls, inside

_KIND = "health_check"
_STANDS_IN = "4.2.7"
"""Release whose notes say that a health check gets a stub in place of the secrets."""
_OWNER, _CLIENT = "SecretClient", "secrets"
_GIVES = {"get": "None", "is_set": "False", "list": "[]"}
"""Method of the stub → what it returns; methods that write raise RuntimeError."""


class _Use(msgspec.Struct, frozen=True, eq=False):
    """A call with which a health check reads what each user has."""

    module: Module
    call: ast.Call
    item: Alternative
    method: str


def _check(view: FileView) -> Iterator[Hit]:
    for function, role in view.handlers():
        if role.kind != _KIND:
            continue
        uses = view.extension.once(_uses)
        ours = [use for use in uses if use.item.origin and use.item.origin[1] is function]
        secret = next(filter(_is_read, ours), None)
        use = secret or next(iter(ours), None)
        if use is not None:
            step = step_at(use.module, use.call, "asks for the secrets of no user")
            yield Hit(
                node=function,
                message=_message(role.label, function.name, use),
                severity="info" if secret is None else None,
                chain=(*view.chain(use.item), step),
            )


def _is_read(use: _Use) -> bool:
    """Tell whether code uses the result; ``await ctx.secrets.get("key")`` alone does not."""
    statement = use.module.statement(use.call)
    awaited = statement.value if isinstance(statement, ast.Expr) else None
    is_alone = isinstance(awaited, ast.Await) and awaited.value is use.call
    return use.method not in _GIVES or not is_alone


def _uses(extension: ProjectView) -> tuple[_Use, ...]:
    return tuple(
        use
        for view, call, callee in client_calls(extension, _CLIENT)
        for use in _of_nobody(view, call, callee)
    )


def _of_nobody(view: FileView, call: ast.Call, callee: ast.Attribute) -> Iterator[_Use]:
    for item in view.values(callee):
        owner = owner_of(item.value)
        if owner is None or owner.kind != _KIND or not owner.certain or owner.scoped:
            continue
        if owner.cls == _OWNER and _is_of_each(view, call, callee.attr):
            way = possible_way(view.evaluator, view.module, callee, item)
            if way is not None:
                yield _Use(view.module, call, way, callee.attr)


def _is_of_each(view: FileView, call: ast.Call, method: str) -> bool:
    """Tell whether a call concerns a declared secret that each user sets."""
    name = arguments(view, call, "SecretClient", method).get("name")
    declared = view.extension.once(declared_secrets)
    if name is None or declared is None:
        return False
    known = [value for value, _ in constants_of(view, name)]
    return bool(known) and all(
        isinstance(each, str) and each in declared and declared[each].scope == "user"
        for each in known
    )


def _message(label: str, name: str, use: _Use) -> str:
    asked = f"{source_of(use.call)}{inside(use.item)}"
    if use.method in _GIVES:
        effect = f"{asked} always gives {_GIVES[use.method]} since SDK {_STANDS_IN}"
    else:
        effect = f"{asked} raises RuntimeError since SDK {_STANDS_IN}"
    return (
        f"{label} {name} asks for what a user has, and runs for no user\n"
        f"It runs every 60 seconds: {effect}. Report what holds for the "
        "extension as a whole, such as whether its service answers."
    )


RULE = Rule(
    code="FED529",
    name="user-data-in-health-check",
    summary="A health check asks for the secrets of a user, and there is none.",
    severity="warning",
    invariant="I-HEALTH-CTX-HONEST",
    since=_STANDS_IN,
    triggers=(_KIND,),
    named_here=True,
    check=_check,
    what="""
Finds `@ext.health_check` handlers that reach `ctx.secrets` with a secret of each user
(`scope="user"`, the default), through helpers too; a secret whose value nobody reads is an info.
Secrets with `scope="app"`, names that are not known and calls behind `as_user` and `for_user` are
left alone, and so is `ctx.store`: no release of the SDK says what it does there.
""",
    why="""
The kernel asks every 60 seconds, and nobody is logged in. Since 4.2.7 the secrets of such a context
are a stand-in that holds nothing: a check that reports "not connected" says so for everybody.
""",
    example='ext.secret("token", "The user\'s token")\n\n\n@ext.health_check\n'
    "async def health(ctx):\n"
    '    return {"status": "ok", "connected": await ctx.secrets.is_set("token")}',
    instead="@ext.health_check\nasync def health(ctx):\n"
    '    found = await ctx.http.get("https://api.example.com/health")\n'
    '    return {"status": "ok" if found.ok else "degraded"}',
    references=("I-HEALTH-CTX-HONEST", "SDK changelog 4.2.7: secrets of a health check"),
    bad=(
        Example(
            """
ext.secret("token", "The user's token")


async def is_ready(ctx):
    return bool(await ctx.secrets.get("token"))


@ext.panel("p")
async def p(ctx):
    return await is_ready(ctx)


@ext.health_check
async def health(ctx):
    return {"status": "ok", "connected": await is_ready(ctx)}
""",
            holds="ctx.secrets.get('token') (in is_ready) always gives None",
        ),
        Example(
            """
ext.secret("token", "The user's token", write_mode="both")


@ext.health_check
async def health(ctx):
    await ctx.secrets.set("token", "x")
    return {"status": "ok"}
""",
            holds="raises RuntimeError since SDK 4.2.7",
        ),
        Example(
            """
ext.secret("token", "The user's token")


@ext.health_check
async def health(ctx):
    await ctx.secrets.get("token")
    return {"status": "ok"}
""",
            severity="info",
            holds="ctx.secrets.get('token') always gives None",
        ),
    ),
    good=(
        Example(
            """
ext.secret("key", "Ours", scope="app")
ext.secret("token", "The user's token")


@ext.panel("p")
async def p(ctx):
    rows = await ctx.store.query("accounts")
    return rows.data, await ctx.secrets.get("token")


@ext.health_check
async def health(ctx):
    found = await ctx.http.get("https://api.example.com/health")
    await ctx.store.query("accounts", limit=1)
    return {"status": "ok" if found.ok else "degraded", "key": await ctx.secrets.is_set("key")}
"""
        ),
    ),
)
