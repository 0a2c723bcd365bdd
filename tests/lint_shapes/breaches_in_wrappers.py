"""Small extensions with a breach in the body of a wrapper."""

from __future__ import annotations

from .wrapper_parts import (
    FOR_ASYNC,
    LEDGER,
    LIST,
    LOWER,
    MADE,
    MAKER,
    METHOD,
    OBJECT,
    OTHER,
    OWN,
    PANEL,
    PLAIN,
    READ,
    SECTION,
)

BAD: dict[str, tuple[str, str]] = {
    "plain": ("FED201", PLAIN.format(READ) + LIST.format("deco")),
    "plain ledger": ("FED101", PLAIN.format(LEDGER) + LIST.format("deco")),
    "plain user": ("FED105", PLAIN.format("print(ctx.user.id)") + LIST.format("deco")),
    "plain key": (
        "FED301",
        PLAIN.format('await ctx.cache.delete(f"u:{ctx.user.email}")') + LIST.format("deco"),
    ),
    "plain write": (
        "FED102",
        PLAIN.format('await ctx.skeleton.update("x", {})') + LIST.format("deco"),
    ),
    "not awaited": (
        "FED109",
        PLAIN.format('rows = ctx.store.query("rows"); print(rows.data)') + LIST.format("deco"),
    ),
    "panel": ("FED201", PLAIN.format(READ) + PANEL.format("deco")),
    "no wraps": (
        "FED201",
        PLAIN.format(READ).replace("    @wraps(fn)\n", "") + LIST.format("deco"),
    ),
    "another name": (
        "FED101",
        PLAIN.format(LEDGER).replace("ctx", "c") + LIST.format("deco"),
    ),
    "annotated": (
        "FED201",
        PLAIN.format(READ).replace("wrapper(ctx,", "wrapper(ctx: Context,") + LIST.format("deco"),
    ),
    "two parameters": (
        "FED101",
        PLAIN.format(LEDGER).replace("ctx, *args, **kwargs", "ctx, params") + LIST.format("deco"),
    ),
    "made": ("FED201", MADE.format(READ) + LIST.format("deco(ttl=5)")),
    "made without arguments": ("FED101", MADE.format(LEDGER) + LIST.format("deco()")),
    "made, given": (
        "FED201",
        MADE.format("await ctx.skeleton.get(section)") + LIST.format('deco(section="x")'),
    ),
    "made, a flag that is set": (
        "FED201",
        MADE.format('print(await ctx.skeleton.get("x") if section == "x" else 1)')
        + LIST.format('deco(section="x")'),
    ),
    "made, life": (
        "FED302",
        MADE.format('await ctx.cache.set("k", P(), ttl_seconds=ttl)')
        + LIST.format("deco(ttl=900)"),
    ),
    "optional call": (
        "FED201",
        """
def deco(fn=None, *, ttl=60):
    def decorate(f):
        @wraps(f)
        async def wrapper(ctx, *args, **kwargs):
            await ctx.skeleton.get("x")
            return await f(ctx, *args, **kwargs)
        return wrapper
    return decorate if fn is None else decorate(fn)
"""
        + LIST.format("deco(ttl=5)")
        + PANEL.format("deco"),
    ),
    "optional call by partial": (
        "FED101",
        """
def deco(fn=None, *, ttl=60):
    if fn is None:
        return partial(deco, ttl=ttl)

    @wraps(fn)
    async def wrapper(ctx, *args, **kwargs):
        ctx.fact_ledger.add(1)
        return await fn(ctx, *args, **kwargs)
    return wrapper
"""
        + LIST.format("deco(ttl=5)"),
    ),
    "object": ("FED201", OBJECT.format(READ) + LIST.format("Deco")),
    "object, panel": ("FED101", OBJECT.format(LEDGER) + PANEL.format("Deco")),
    "object that makes": ("FED201", MAKER.format(READ) + LIST.format('Deco("x")')),
    "kept object that makes": (
        "FED101",
        MAKER.format(LEDGER) + '\nnotes_deco = Deco("x")\n' + LIST.format("notes_deco"),
    ),
    "method": ("FED201", METHOD.format(READ) + LIST.format("guard.require")),
    "kept decorator": (
        "FED201",
        MADE.format(READ) + "\nslow = deco(ttl=300)\n" + LIST.format("slow"),
    ),
    "section and function": (
        "FED201",
        PLAIN.format(READ) + SECTION.format("deco") + LIST.format("deco"),
    ),
    "below one that passes": (
        "FED201",
        OTHER + PLAIN.format(READ) + LIST.format("passing\n@deco"),
    ),
    "above one that replaces": (
        "FED101",
        OWN + PLAIN.format(LEDGER) + LIST.format("deco\n@owned"),
    ),
    "replaces itself": (
        "FED101",
        PLAIN.format(LEDGER).replace("fn(ctx,", "fn(object(),") + LIST.format("deco"),
    ),
    "helper": (
        "FED201",
        PLAIN.format(READ)
        + "\n\n@deco\nasync def load(ctx, key):\n    return key\n"
        + LIST.format("deco")
        .replace("@deco\n", "")
        .replace("return", 'await load(ctx, "k")\n    return'),
    ),
    "helper that a wrapper calls": (
        "FED201",
        "\nasync def load(ctx):\n    await ctx.skeleton.get('x')\n\n"
        + PLAIN.format("await load(ctx)")
        + LIST.format("deco"),
    ),
    "method as helper": (
        "FED101",
        PLAIN.format(LEDGER).replace("ctx, *args", "self, ctx, *args")
        + "\n\nclass Box:\n    @deco\n    async def load(self, ctx):\n        return 1\n\n"
        + LIST.format("deco")
        .replace("@deco\n", "")
        .replace("return", "await Box().load(ctx)\n    return"),
    ),
    "function in a wrapper": (
        "FED201",
        PLAIN.format(
            'async def run():\n            return await ctx.skeleton.get("x")\n        await run()'
        )
        + LIST.format("deco"),
    ),
    "one for async functions": (
        "FED101",
        FOR_ASYNC + LIST.format("deco"),
    ),
    "flag that holds": (
        "FED101",
        MADE.format("if section:\n                " + LEDGER) + LIST.format('deco(section="x")'),
    ),
    "flag that one of two sets": (
        "FED201",
        MADE.format("if section:\n                " + READ)
        + PANEL.format("deco()")
        + LIST.format('deco(section="x")'),
    ),
    "all in one": (
        "FED101",
        PLAIN.format("ctx = args[0]\n        " + LEDGER)
        .replace("ctx, *args", "*args")
        .replace("fn(ctx, ", "fn(")
        + LIST.format("deco"),
    ),
    "all in one, if there is any": (
        "FED101",
        PLAIN.format(
            "ctx = args[0] if args else None\n        print(ctx and ctx.fact_ledger)"
        ).replace("ctx, *args", "*args")
        + PANEL.format("deco"),
    ),
    "all in one, used at once": (
        "FED201",
        PLAIN.format('await args[0].skeleton.get("x")').replace("ctx, *args", "*args")
        + LIST.format("deco"),
    ),
    "above an async one": (
        "FED101",
        FOR_ASYNC + LOWER + LIST.format("deco\n@lower"),
    ),
    "condition of the call": (
        "FED201",
        MADE.format("if kwargs or args:\n                " + READ) + LIST.format("deco()"),
    ),
    "function that is called": (
        "FED201",
        MADE.format(
            'async def read():\n                return await ctx.skeleton.get("x")\n'
            "            print(await read() if ctx.user.scopes else 1)"
        )
        + LIST.format("deco()"),
    ),
    "bound method": (
        "FED201",
        PLAIN.format(READ).replace("ctx, *args", "self, ctx, *args")
        + "\n\nclass Side:\n    def __init__(self, ext):\n"
        '        ext.panel("side")(self.show)\n\n'
        "    @deco\n    async def show(self, ctx, **kwargs):\n        return None\n\n\nSide(ext)\n",
    ),
    "kept by an object": (
        "FED101",
        "\nclass Log:\n    def __init__(self, ctx):\n        self.ctx = ctx\n\n"
        "    def add(self):\n        self.ctx.fact_ledger.add(1)\n\n"
        + PLAIN.format("Log(ctx).add()")
        + LIST.format("deco"),
    ),
    "plain function": (
        "FED101",
        PLAIN.format(LEDGER).replace("async def", "def").replace("await ", "")
        + LIST.format("deco"),
    ),
    "registered by a call": (
        "FED201",
        PLAIN.format(READ)
        + PANEL.format("deco").replace('@ext.panel("side", slot="left")\n', "")
        + '\n\next.panel("side")(side)\n',
    ),
    "runtime condition": (
        "FED201",
        MADE.format("print(await ctx.skeleton.get('x') if section in ctx.user.scopes else 1)")
        + LIST.format("deco(section='x')"),
    ),
    "any annotation": (
        "FED101",
        PLAIN.format(LEDGER).replace("wrapper(ctx,", "wrapper(ctx: Any,") + LIST.format("deco"),
    ),
    "update_wrapper": (
        "FED101",
        PLAIN.format(LEDGER)
        .replace("    @wraps(fn)\n", "")
        .replace("return wrapper", "return update_wrapper(wrapper, fn)")
        + LIST.format("deco"),
    ),
}
"""Name → the code that is found, the text."""
