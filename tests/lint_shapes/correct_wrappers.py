"""Small extensions whose wrappers are right, or may get something else than a context."""

from __future__ import annotations

from .wrapper_parts import (
    BY_KIND,
    FOR_ASYNC,
    LEDGER,
    LIST,
    LOWER,
    MADE,
    MAKER,
    OBJECT,
    OWN,
    OWNED,
    PANEL,
    PLAIN,
    READ,
    SECTION,
    for_sections,
)

GOOD: dict[str, str] = {
    "only sections": PLAIN.format(READ) + SECTION.format("deco"),
    "no use": PLAIN.format(READ) + LIST.format("deco").replace("@deco\n", ""),
    "below a change": OWN + PLAIN.format(LEDGER) + LIST.format("owned\n@deco"),
    "under the registration": PLAIN.format(LEDGER)
    + PANEL.format("other").replace("\n\n@ext", "\n\n@deco\n@ext").replace("@other\n", ""),
    "called otherwise": PLAIN.format(LEDGER)
    + LIST.format("deco")
    + OWN
    + "\n\nasync def other(ctx):\n    return 1\n\n\nwrapped = deco(other)\n\n\n"
    "async def go():\n    return await wrapped(Own())\n",
    "kept in a table": PLAIN.format(LEDGER) + '\nDECOS = {"a": deco}\n' + LIST.format('DECOS["a"]'),
    "given to others": PLAIN.format(LEDGER)
    + "\ndef run(d):\n    return d\n\n\nrun(deco)\n"
    + LIST.format("deco"),
    "helper with its own": OWN
    + PLAIN.format(LEDGER)
    + LIST.format("deco")
    + "\n\n@deco\nasync def load(own):\n    return 1\n\n\n"
    "async def go():\n    return await load(Own())\n",
    "helper of nobody": PLAIN.format(LEDGER)
    + LIST.format("deco")
    + "\n\n@deco\nasync def load(db):\n    return 1\n",
    "flag": for_sections('print(await ctx.skeleton.get("x") if section else 1)'),
    "flag with an exit": for_sections(
        "if not section:\n                return await fn(ctx, *args, **kwargs)\n            "
        + READ
    ),
    "flag in a name": for_sections(
        'reads = section == "x"\n            if reads:\n                ' + READ
    ),
    "asks the function": PLAIN.format('if fn.__name__ == "notes":\n            ' + READ)
    + SECTION.format("deco")
    + LIST.format("deco"),
    "asks the handler": PLAIN.format('if ctx._tool_type == "skeleton":\n            ' + READ)
    + SECTION.format("deco")
    + LIST.format("deco"),
    "asks its object": MAKER.format("if self.section:\n                " + READ)
    + SECTION.format('Deco("x")')
    + LIST.format("Deco()"),
    "asks for it": PLAIN.format('if hasattr(ctx, "fact_ledger"):\n            ' + LEDGER)
    + LIST.format("deco"),
    "asks its class": PLAIN.format("if not isinstance(ctx, Context):\n            " + LEDGER)
    + LIST.format("deco"),
    "bound again": OWN + PLAIN.format("ctx = Own()\n        " + LEDGER) + LIST.format("deco"),
    "its own first": PLAIN.format("own.fact_ledger.add(1)").replace(
        "wrapper(ctx,", "wrapper(own, ctx,"
    )
    + "\n\n@ext.panel('side')\nasync def side(ctx, **kwargs):\n    return None\n",
    "a method's object": PLAIN.format("ctx.fact_ledger.add(1)")
    + "\n\nclass Box:\n    def __init__(self):\n        self.fact_ledger = set()\n\n"
    "    @deco\n    async def load(self):\n        return 1\n\n\n"
    "async def go():\n    return await Box().load()\n",
    "two makers": """
def deco(kind):
    def decorate(fn):
        if kind == "section":
            @wraps(fn)
            async def wrapper(ctx, *args, **kwargs):
                await ctx.skeleton.get("x")
                return await fn(ctx, *args, **kwargs)
            return wrapper
        return fn
    return decorate
"""
    + SECTION.format('deco("section")')
    + LIST.format('deco("function")'),
    "for others only": BY_KIND.format("", f"{LEDGER}\n        ") + LIST.format("deco"),
    "unknown decorator above": "from elsewhere import inject\n"
    + PLAIN.format(READ)
    + SECTION.format("inject\n@deco"),
    "partial above": PLAIN.format(LEDGER)
    .replace("ctx, *args", "own, ctx, *args")
    .replace("ctx.fact", "own.fact")
    + OWN
    + "\n\n@deco\nasync def load(own, ctx):\n    return 1\n\n\n"
    'ext.panel("side")(partial(load, Own()))\n',
    "object with a base": OBJECT.format(LEDGER).replace("ctx", "c")
    + "\n\nclass Other(Deco):\n    pass\n"
    + OWN
    + "\n\n@Other\nasync def go(own):\n    return 1\n\n\n"
    "async def run():\n    return await go(Own())\n",
    "object of a tool": OBJECT.format(LEDGER).replace("ctx", "c")
    + '\n\n@ext.tool("sync")\n@Deco\nasync def sync(ctx, **kwargs):\n    return 1\n',
    "right key": PLAIN.format('await ctx.cache.delete(f"u:{ctx.user.imperal_id}")')
    + LIST.format("deco"),
    "right life": MADE.format('await ctx.cache.set("k", P(), ttl_seconds=min(ttl, 300))')
    + LIST.format("deco(ttl=900)"),
    "right life by a flag": MADE.format(
        'if ttl <= 300:\n                await ctx.cache.set("k", P(), ttl_seconds=ttl)'
    )
    + LIST.format("deco(ttl=900)"),
    "caught": PLAIN.format(
        "try:\n            ctx.fact_ledger.add(1)\n        except AttributeError:\n            pass"
    )
    + LIST.format("deco"),
    "same name elsewhere": PLAIN.format(READ)
    + SECTION.format("deco")
    + "\n\ndef other(deco):\n    return deco\n"
    + LIST.format("other"),
    "changed result": PLAIN.format(LEDGER).replace(
        "return wrapper", "wrapper = kept(wrapper)\n    return wrapper"
    )
    + OWNED.replace("owned", "kept")
    + OWN
    + LIST.format("deco"),
    "decorated wrapper": OWN
    + PLAIN.format(LEDGER).replace("    @wraps", "    @owned\n    @wraps")
    + LIST.format("deco"),
    "for a user": PLAIN.format('acting = ctx.as_user("u")\n        await acting.cache.delete("k")')
    + '\n\n@ext.schedule("s", cron="* * * * *")\n@deco\nasync def s(ctx):\n    return None\n',
    "user of its own": OWN
    + PLAIN.format("own = Own()\n        own.fact_ledger.add(1)").replace("fn(ctx,", "fn(own,")
    + LIST.format("deco").replace("return", "ctx.fact_ledger.add(2)\n    return"),
    "loop over what is given": MADE.format(
        "for each in section:\n                await ctx.skeleton.get(each)"
    )
    + SECTION.format('deco(section=("x",))')
    + LIST.format("deco(section=())"),
    "parts of what is given": MADE.format(
        "print([await ctx.skeleton.get(each) for each in section])"
    )
    + SECTION.format('deco(section=("x",))')
    + LIST.format("deco(section=())"),
    "match of the function": PLAIN.format(
        'match fn.__name__:\n            case "notes":\n                ' + READ
    )
    + SECTION.format("deco")
    + LIST.format("deco"),
    "function that is called for some": for_sections(
        'async def read():\n                return await ctx.skeleton.get("x")\n'
        "            print(await read() if section else 1)"
    ),
    "lambda that is made for some": for_sections(
        'read = (lambda: ctx.skeleton.get("x")) if section else None\n'
        "            print(read and await read())"
    ),
    "helper that is called for some": "\nasync def load(ctx):\n    await ctx.skeleton.get('x')\n\n"
    + for_sections("print(await load(ctx) if section else 1)"),
    "flag that a helper is given": "\nasync def load(ctx, reads):\n    if reads:\n"
    "        await ctx.skeleton.get('x')\n\n" + for_sections("await load(ctx, bool(section))"),
    "source that is chosen": for_sections(
        'read = ctx.skeleton.get if section else ctx.store.query\n            await read("x")'
    ),
    "what only sections get": PLAIN.format(
        'if not args and "n" not in kwargs:\n            ' + READ
    )
    + SECTION.format("deco")
    + LIST.format("deco"),
    "long life of what is stored": MADE.format(
        'if not kept:\n                await ctx.cache.set("k", P(), ttl_seconds=ttl)'
    ).replace('section=""', "kept=False")
    + PANEL.format("deco(3600, kept=True)")
    + LIST.format("deco(60)"),
    "free text of what is stored": MADE.format(
        "if kept:\n                return await fn(ctx, *args, **kwargs)\n"
        "            await ctx.cache.delete(key)"
    ).replace('ttl=60, section=""', "key, kept=False")
    + PANEL.format('deco("a b", kept=True)')
    + LIST.format('deco("ab")'),
    "branch of nobody": MADE.format("if section:\n                print(ctx.user.id)")
    + LIST.format("deco()"),
    "own part in a field": PLAIN.format("ctx = functools.partial(Own)()\n        " + LEDGER)
    + OWN
    + LIST.format("deco"),
    "stands in for it": "\nclass Fake:\n    fact_ledger = set()\n\n"
    + PLAIN.format("ctx = Fake()\n        " + LEDGER).replace("wrapper(ctx,", "wrapper(ctx=None,")
    + LIST.format("deco"),
    "sent through a test": OWN
    + PLAIN.format("if isinstance(ctx, Own):\n            ctx.fact_ledger.add(1)")
    + LIST.format("deco")
    + "\n\n@deco\nasync def load(own):\n    return 1\n\n\n"
    "async def go():\n    return await load(Own())\n",
    "expected": PLAIN.format(
        'try:\n            await ctx.skeleton.get("x")\n        except PermissionError:\n'
        "            pass"
    )
    + LIST.format("deco"),
    "given by default": PLAIN.format(LEDGER).replace("ctx", "c")
    + "\n\ndef run(fn, d=deco):\n    return d(fn)\n"
    + LIST.format("deco"),
    "asks its own object": OBJECT.format('if self.fn.__name__ == "notes":\n            ' + READ)
    + LIST.format("Deco"),
    "long life of what another one stores": MADE.format(
        'if not section:\n                await ctx.cache.set("k", P(), ttl_seconds=ttl)'
    )
    + LIST.format("deco(60)")
    + PANEL.format('deco(3600, section="x")'),
    "all in one for helpers too": OWN
    + PLAIN.format("args[0].fact_ledger.add(1)").replace("ctx, *args", "*args")
    + LIST.format("deco").replace("@deco\n", "")
    + "\n\n@deco\nasync def load(own):\n    return 1\n\n\n"
    "async def go():\n    return await load(Own())\n",
    "all in one that is cut": PLAIN.format(
        "own, *rest = Own(), *args\n        args = (own, *rest)\n        args[0].fact_ledger.add(1)"
    ).replace("ctx, *args", "*args")
    + OWN
    + LIST.format("deco"),
    "all in one, asked": PLAIN.format(
        'if hasattr(args[0], "fact_ledger"):\n            args[0].fact_ledger.add(1)'
    ).replace("ctx, *args", "*args")
    + LIST.format("deco"),
    "all in one, the second": PLAIN.format("print(args[1].fact_ledger)").replace(
        "ctx, *args", "*args"
    )
    + OWN
    + LIST.format("deco"),
    "given what to hand on": OWN
    + """
def deco(made):
    def decorate(fn):
        @wraps(fn)
        async def wrapper(ctx, *args, **kwargs):
            return await fn(made(ctx), *args, **kwargs)
        return wrapper
    return decorate
"""
    + PANEL.format("deco(lambda c: c)")
    + LIST.format("deco(lambda c: Own())").replace("return", LEDGER + "\n    return"),
    "above a plain one": FOR_ASYNC
    + LOWER.replace("async ", "").replace("await ", "")
    + LIST.format("deco\n@lower"),
}
"""Name → the text."""
