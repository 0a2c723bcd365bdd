"""FED522: a webhook uses the store without ``for_user``, so as no user."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.reach import A_USER, AS_WEBHOOK, IN_TESTS, WEBHOOK
from ...view import FileView, ProjectView
from .support.system_user_rows import Use, hits, makes_its_own_store, uses_as

_PUBLIC = "5.9.22"
"""Release that added ``StoreClient.for_user``."""


def _check(view: FileView) -> Iterator[Hit]:
    ask = "" if view.surface.at_least(_PUBLIC) else f"require imperal-sdk>={_PUBLIC}, and "

    def advice(keeper: str, collection: str) -> str:
        if keeper != A_USER:
            rows = f'ctx.store.for_user("{keeper}").query({collection})'
            return f"To read them, {ask}write await {rows}."
        return (
            f"Find out whose event it is (a token in its path or body); then {ask}write "
            f"await ctx.store.for_user(user_id).query({collection})."
        )

    return hits(view, (WEBHOOK,), _uses, advice)


def _uses(extension: ProjectView) -> tuple[Use, ...]:
    return () if makes_its_own_store(extension) else uses_as(extension, AS_WEBHOOK)


RULE = Rule(
    code="FED522",
    name="webhook-without-for-user",
    summary="A webhook acts on the rows of users, but as no user.",
    severity="warning",
    since="1.2.0",
    triggers=(WEBHOOK,),
    named_here=True,
    check=_check,
    what="""
Finds calls of `ctx.store` that query, count or create rows, and that an `@ext.webhook` handler
reaches with its own context, through helpers too, on a collection that handlers of users
(functions, panels, tools …) keep their rows in, or that only schedules fill. The handler is marked;
the chain leads to the first such call. Left alone: a collection that only webhooks use, what
schedules fill if the extension names a pseudo-user itself or may create such rows elsewhere, a
document that is fetched by its id, a function that asks for `"__webhook__"`, and an extension that
makes its own `StoreClient`.
""",
    why="""
Nobody is logged in when a webhook arrives: it runs as the pseudo-user `__webhook__`, and a store
holds the rows of one user. What the webhook files, no function and no panel of a user ever finds;
what a function has filed for it, the webhook does not find. Nor what a schedule has filed, which
runs as another one, `__system__`.
"""
    + IN_TESTS,
    example='@ext.webhook("/in")\nasync def inbound(ctx, headers, body, query_params):\n'
    '    await ctx.store.create("events", {"body": body})',
    instead='@ext.webhook("/in")\nasync def inbound(ctx, headers, body, query_params):\n'
    "    user_id = verified_user(query_params)\n"
    '    await ctx.store.for_user(user_id).create("events", {"body": body})',
    references=("SDK sources: extension.py webhook", "imperal_sdk.StoreClient.for_user"),
    bad=(
        Example(
            """
@chat.function("list_events", "Lists the events", action_type="read")
async def list_events(ctx, params):
    return await ctx.store.query("events")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    await ctx.store.create("events", {"body": body})
""",
            holds="'events'",
        ),
        Example(
            """
async def park(ctx, secret):
    await ctx.store.create("pending", {"secret": secret})


async def claim(ctx):
    return (await ctx.store.query("pending")).data


@chat.function("watch", "Watches a project", action_type="write")
async def watch(ctx, params):
    return await claim(ctx)


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    await park(ctx, headers["x-secret"])
""",
            holds="(in park)",
        ),
        Example(
            """
@chat.function("list_events", "Lists the events", action_type="read")
async def list_events(ctx, params):
    return await ctx.store.query("events")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    await ctx.store.create("events", {"body": body})
""",
            sdk="1.2.0",
            holds="require imperal-sdk>=5.9.22",
        ),
        Example(
            """
@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    await ctx.store.create("prices", {"a": 1})


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    return await ctx.store.query("prices")
""",
            holds='ctx.store.for_user("__system__").query("prices").',
        ),
    ),
    good=(
        Example(
            """
@chat.function("list_events", "Lists the events", action_type="read")
async def list_events(ctx, params):
    return await ctx.store.query("events")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    await ctx.store.create("events", {"body": body})
""",
            sdk="1.1.0",
        ),
        Example(
            """
@chat.function("list_events", "Lists the events", action_type="read")
async def list_events(ctx, params):
    await ctx.store.get("links", params.id)
    return await ctx.store.query("events")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    link = await ctx.store.get("links", query_params["id"])
    await ctx.store.for_user(link.data["owner"]).create("events", {"body": body})
    await ctx.store.create("log", {"body": body})
"""
        ),
        Example(
            """
async def load(ctx):
    if ctx.user.imperal_id == "__webhook__":
        return []
    return await ctx.store.query("events")


@ext.panel("p")
async def p(ctx):
    return await load(ctx)


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    return await load(ctx)
"""
        ),
        Example(
            """
from imperal_sdk import Extension
from imperal_sdk.store.client import StoreClient

ext = Extension("notes")


def store_for(ctx, user_id):
    if not hasattr(ctx.store, "_gateway_url"):
        return ctx.store
    return StoreClient(ctx.store._gateway_url, user_id=user_id)


@ext.panel("p")
async def p(ctx):
    return await ctx.store.query("events")


@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    await store_for(ctx, "imp_u_1").create("events", {"body": body})
"""
        ),
    ),
)
