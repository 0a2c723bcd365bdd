"""FED516: a schedule uses the store without ``as_user``, so as no user."""

from __future__ import annotations

from collections.abc import Iterator

from ...rule import Example, Hit, Rule
from ...sdk_use.reach import A_USER, AS_SYSTEM, IN_TESTS, SYSTEM
from ...view import FileView, ProjectView
from .support.system_user_rows import Use, hits, uses_as


def _check(view: FileView) -> Iterator[Hit]:
    return hits(view, SYSTEM, _uses, _advice)


def _advice(keeper: str, collection: str) -> str:
    if keeper != A_USER:
        return f'Ask as that user: await ctx.as_user("{keeper}").store.query({collection}).'
    return (
        "Go through the users: async "
        f"for uid in ctx.store.list_users({collection}): user_ctx = ctx.as_user(uid)."
    )


def _uses(extension: ProjectView) -> tuple[Use, ...]:
    return uses_as(extension, AS_SYSTEM)


RULE = Rule(
    code="FED516",
    name="schedule-without-as-user",
    summary="A schedule acts on the rows of users, but as no user.",
    severity="warning",
    since="1.5.23",
    triggers=tuple(sorted(SYSTEM)),
    named_here=True,
    check=_check,
    what="""
Finds calls of `ctx.store` that query, count or create rows, and that an `@ext.schedule` or
`@ext.signal` handler reaches with its own context, through helpers too, on a collection that
handlers of users (functions, panels, tools …) keep their rows in, or that only webhooks fill. The
handler is marked; the chain leads to the first such call. Left alone: a collection that only
schedules use, what webhooks fill if the extension names a pseudo-user itself or may create such
rows elsewhere, a document that is fetched by its id, a function that asks for `"__system__"`,
itself or through a helper, and a way to the call that the flags of another call rule out.
""",
    why="""
Such a handler runs as the pseudo-user `__system__`, and a store holds the rows of one user. It
reads an empty collection: settings seem never to be set, accounts never to be connected, and the
job ends silently. What it writes, no panel and no function of a user ever reads. A webhook runs as
another one, `__webhook__`: what it leaves for a schedule, the schedule does not find.
"""
    + IN_TESTS,
    example='@ext.schedule("daily", cron="0 9 * * *")\nasync def daily(ctx):\n'
    '    page = await ctx.store.query("monitors")',
    instead='@ext.schedule("daily", cron="0 9 * * *")\nasync def daily(ctx):\n'
    '    async for uid in ctx.store.list_users("monitors"):\n        user_ctx = ctx.as_user(uid)\n'
    '        page = await user_ctx.store.query("monitors")',
    references=("SDK sources: extension.py schedule", "imperal_sdk.Context.as_user"),
    bad=(
        Example(
            """
@chat.function("watch", "Watches a site for the user", action_type="write")
async def watch(ctx, params):
    await ctx.store.create("monitors", {"url": params.url})


@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    page = await ctx.store.query("monitors", where={"enabled": True})
    for item in page.data:
        await ctx.store.update("monitors", item.id, {"seen": True})
""",
            holds="'monitors'",
        ),
        Example(
            """
SETTINGS = "settings"


async def load(ctx):
    found = await ctx.store.list("settings/")
    return found


@ext.panel("p")
async def p(ctx):
    return await load(ctx)


@ext.schedule("tick", "0 * * * *")
async def tick(ctx):
    return await load(ctx)
""",
            holds="(in load)",
        ),
        Example(
            """
@ext.webhook("/in")
async def inbound(ctx, headers, body, query_params):
    await ctx.store.create("pending", {"body": body})


@ext.schedule("bridge", cron="0 9 * * *")
async def bridge(ctx):
    return await ctx.store.query("pending")
""",
            holds='await ctx.as_user("__webhook__").store.query("pending").',
        ),
    ),
    good=(
        Example(
            """
async def load(ctx):
    return await ctx.store.query("monitors")


@ext.panel("p")
async def p(ctx):
    return await load(ctx)


@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    async for uid in ctx.store.list_users("monitors"):
        user_ctx = ctx.as_user(uid)
        await load(user_ctx)
        await user_ctx.store.create("monitors", {})
        await ctx.store.for_user(uid).create("monitors", {})
        await ctx.store.create("ticks", {"at": 1})
        found = await ctx.store.get("monitors", "id")
    for item in await ctx.store.query_all("monitors"):
        await load(ctx.as_user(item.user_id))
"""
        ),
        Example(
            """
async def load(ctx):
    if ctx.user.imperal_id == "__system__":
        return []
    return await ctx.store.query("monitors")


@ext.panel("p")
async def p(ctx):
    return await load(ctx)


@ext.schedule("daily", cron="0 9 * * *")
async def daily(ctx):
    return await load(ctx)
"""
        ),
    ),
)
