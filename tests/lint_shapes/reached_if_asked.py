"""Conditions, keys, places and defaults that choose whether the skeleton is read."""

from __future__ import annotations

from .reached import TABLE

CHOSEN: dict[str, tuple[str, str, str]] = {
    "asked": (TABLE, "return None", """
if kind == "save":
    return await ACTIONS[kind](ctx)
"""),
    "asked in": (TABLE, "return None", """
if kind not in ("save", "other"):
    return None
f = ACTIONS[kind]
return await f(ctx)
"""),
    "asked in unknown": (TABLE, "return None", """
if kind not in ctx.config.allowed:
    return None
f = ACTIONS[kind]
return await f(ctx)
"""),
    "asked later": (TABLE, "return None", """
f = ACTIONS.get(kind)
if kind == "save":
    return await f(ctx)
"""),
    "default": ("""
async def run(ctx, f=load):
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, save)"),
    "default kw": ("""
async def run(ctx, *, f=load):
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, f=save)"),
    "pick": ("""
def pick(kind):
    if kind == 'load':
        return load
    return save
""", 'return await pick("load")(ctx)', 'return await pick("save")(ctx)'),
    "pick table": (TABLE + """
def pick(kind):
    return ACTIONS[kind]
""", 'return await pick("load")(ctx)', 'return await pick("save")(ctx)'),
    "index": ("""
STEPS = (load, save)
""", "return await STEPS[0](ctx)", "return await STEPS[1](ctx)"),
    "slice": ("""
STEPS = (load, save)
""", "return await STEPS[0](ctx)", """
for s in STEPS[1:]:
    await s(ctx)
"""),
    "slice neg": ("""
STEPS = (load, save)
""", "return await STEPS[0](ctx)", """
for s in STEPS[-1:]:
    await s(ctx)
"""),
    "const key": (
        TABLE,
        'return await ACTIONS["load"](ctx)',
        'return await ACTIONS["save"](ctx)',
    ),
    "const get": (
        TABLE,
        'return await ACTIONS.get("load")(ctx)',
        'return await ACTIONS.get("save", save)(ctx)',
    ),
    "loop is": ("", "return None", """
for s in (load, save):
    if s is load:
        continue
    await s(ctx)
"""),
    "loop key": (TABLE, "return None", """
for n, s in ACTIONS.items():
    if n != "load":
        await s(ctx)
"""),
    "loop key continue": (TABLE, "return None", """
for n, s in ACTIONS.items():
    if n == "load":
        continue
    await s(ctx)
"""),
    "loop comp": (
        TABLE,
        "return None",
        'return [await s(ctx) for n, s in ACTIONS.items() if n != "load"]',
    ),
    "flag": ("""
async def run(f, c, real=False):
    if real:
        return await f(c)
""", "return await run(load, ctx, real=True)", "return await run(load, ctx)"),
    "flag table": (TABLE + """
async def go(c, kind, real):
    if real:
        return await ACTIONS[kind](c)
""", 'return await go(ctx, "load", True)', 'return await go(ctx, "load", False)'),
    "or default": ("""
async def run(ctx, f=None):
    f = f or load
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, save)"),
    "none default": ("""
async def run(ctx, f=None):
    if f is None:
        f = load
    return await f(ctx)
""", "return await run(ctx)", "return await run(ctx, save)"),
    "ternary": ("""
async def run(ctx, fresh):
    f = load if fresh else save
    return await f(ctx)
""", "return await run(ctx, True)", "return await run(ctx, False)"),
    "ternary inline": ("""
async def run(ctx, fresh):
    return await (load if fresh else save)(ctx)
""", "return await run(ctx, True)", "return await run(ctx, False)"),
    "match pick": ("""
async def run(ctx, kind):
    match kind:
        case 'a':
            f = load
        case _:
            f = save
    return await f(ctx)
""", 'return await run(ctx, "a")', 'return await run(ctx, "b")'),
    "if pick": ("""
async def run(ctx, kind):
    if kind == 'a':
        f = load
    else:
        f = save
    return await f(ctx)
""", 'return await run(ctx, "a")', 'return await run(ctx, "b")'),
}  # fmt: skip
"""What tells the handlers apart → the code, what the first one does, what the second one does."""
