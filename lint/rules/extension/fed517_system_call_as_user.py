"""FED517: a handler of a user makes a call that only the system user may make."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...inference.values.values import Alternative
from ...rule import Example, Hit, Rule
from ...sdk_use.guards import caught
from ...sdk_use.reach import A_USER, IN_TESTS, acting, owner_of
from ...sdk_use.sdk_objects import source_of
from ...view import FileView
from .support.system_user import tells_users_apart
from .support.system_user_calls import possible_way

_SCOPED = "the user of as_user"
_METHODS = {"as_user": "Context", "list_users": "StoreClient", "query_all": "StoreClient"}


def _check(view: FileView) -> Iterator[Hit]:
    for call, callee in view.calls(*_METHODS):
        if caught(view.module, call, "RuntimeError"):
            continue
        refused = [item for item in view.values(callee) if _refused(item, _METHODS[callee.attr])]
        if not refused or tells_users_apart(view.evaluator, view.module, call):
            continue
        ways = (possible_way(view.evaluator, view.module, callee, item) for item in refused)
        item = next((item for item in ways if item is not None), None)
        if item is not None:
            yield _hit(view, call, callee, item, _refused(item, _METHODS[callee.attr]))


def _refused(item: Alternative, cls: str) -> str:
    """Return the user who makes the call; empty if it is ``__system__``."""
    owner = owner_of(item.value)
    if owner is None or owner.cls != cls or not owner.certain:
        return ""
    user = _SCOPED if owner.scoped else acting(owner.kind)
    return "" if user == "__system__" else user


def _hit(
    view: FileView, call: ast.Call, callee: ast.Attribute, item: Alternative, runs_as: str
) -> Hit:
    return Hit(
        node=call,
        message=f"{source_of(callee)}() raises RuntimeError: {runs_as} calls it\nIn {view.sdk} "
        "only "
        "handlers of @ext.schedule and @ext.signal, which run as __system__, may call it. "
        f"{_advice(view, callee.attr, runs_as)}",
        severity="warning" if runs_as == A_USER else None,
        chain=view.chain(item),
    )


def _advice(view: FileView, method: str, runs_as: str) -> str:
    if method == "as_user" and view.surface.at_least("5.9.22"):
        return "Write ctx.store.for_user(user_id) or ctx.notify.for_user(user_id)."
    if runs_as == _SCOPED:
        return f"Call {method} on the context that the handler itself gets."
    if runs_as == A_USER and method != "as_user":
        return "Write await ctx.store.query(collection), which returns the user's own rows."
    return "Do it in an @ext.schedule handler."


RULE = Rule(
    code="FED517",
    name="system-call-as-user",
    summary="`as_user`, `list_users` and `query_all` are for schedules and signals.",
    severity="error",
    since="1.5.23",
    triggers=tuple(_METHODS),
    named_here=True,
    check=_check,
    what="""
Finds `ctx.as_user`, `ctx.store.list_users` and `ctx.store.query_all` that a webhook or a context
from `as_user` reaches (error), or a handler that runs for a user, such as a function, a panel or a
tool (warning: a kernel may run it for the system). A function that catches `RuntimeError`, or that
asks for `"__system__"`, itself or through a helper, is left alone, and so is a way to the call that
the flags of another call rule out. Not so `except Exception`: the way that stands there never
works, and nobody hears of it.
""",
    why="""
The SDK compares the acting user with `__system__` and raises `RuntimeError` for everybody else. A
webhook runs as `__webhook__`: it answers with an error, and the event is lost.
"""
    + IN_TESTS,
    example='@ext.webhook("paid")\nasync def paid(ctx, headers, body, query_params):\n'
    '    await ctx.as_user(uid).store.create("bills", {})',
    instead='@ext.webhook("paid")\nasync def paid(ctx, headers, body, query_params):\n'
    '    await ctx.store.for_user(uid).create("bills", {})',
    references=(
        "imperal_sdk.Context.as_user",
        "SDK sources: store/client.py for_user, list_users, query_all",
    ),
    bad=(
        Example(
            """
@ext.webhook("paid")
async def paid(ctx, headers, body, query_params):
    user_ctx = ctx.as_user(body["uid"])
    await user_ctx.store.create("bills", {})
""",
            holds="__webhook__",
        ),
        Example(
            '\n@ext.webhook("paid")\nasync def paid(ctx, headers, body, query_params):\n'
            '    await ctx.as_user("u").store.create("bills", {})\n',
            sdk="5.9.21",
            holds="Do it in an @ext.schedule",
        ),
        Example(
            '\n@ext.webhook("paid")\nasync def paid(ctx, headers, body, query_params):\n'
            '    await ctx.as_user("u").store.create("bills", {})\n',
            sdk="5.9.22",
            holds="Write ctx.store.for_user(user_id)",
        ),
        Example(
            """
async def everybody(ctx):
    return [uid async for uid in ctx.store.list_users("bills")]


@ext.panel("p")
async def p(ctx):
    return await everybody(ctx)
""",
            severity="warning",
            holds="calls everybody",
        ),
        Example(
            """
@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    return await ctx.as_user("imp_u_1").store.query_all("bills")
""",
            holds="the user of as_user",
        ),
    ),
    good=(
        Example(
            """
async def everybody(ctx):
    return [uid async for uid in ctx.store.list_users("bills")]


@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    for uid in await everybody(ctx):
        await ctx.as_user(uid).store.count("bills")


@ext.signal("sweep")
async def sweep(ctx):
    return await ctx.store.query_all("bills")
"""
        ),
        Example(
            """
@ext.webhook("paid")
async def paid(ctx, headers, body, query_params):
    await ctx.store.for_user(body["uid"]).create("bills", {})


@ext.panel("p")
async def p(ctx, store, admin):
    try:
        ctx = ctx.as_user("imp_u_1")
    except RuntimeError:
        pass
    return [await admin.list_users("a"), store.query_all()]


async def scope(ctx, uid):
    return ctx.as_user(uid) if ctx.user.imperal_id == "__system__" else ctx


@ext.tool("t")
async def t(ctx):
    return await scope(ctx, "imp_u_1")
"""
        ),
    ),
)
