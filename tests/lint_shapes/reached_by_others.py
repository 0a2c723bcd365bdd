"""What other handlers give to the same helpers says nothing of what a panel reads."""

from __future__ import annotations

from .reached import LOAD_METHOD, REGISTER, RUNNERS, TABLE, keeping

ACTION = """
from dataclasses import dataclass
@dataclass
class Action:
    run: object
"""
INIT = """
class Action:
    def __init__(self, run):
        self.run = run
"""
BOTH = """
LOAD = Action(load)
SAVE = Action(save)
"""
OTHERS: dict[str, tuple[str, str, str]] = {
    "key given": (TABLE + """
async def dispatch(ctx, kind):
    return await ACTIONS[kind](ctx)
""", 'return await dispatch(ctx, "load")', 'return await dispatch(ctx, "save")'),
    "key given get": (TABLE + """
async def dispatch(ctx, kind):
    f = ACTIONS.get(kind)
    return await f(ctx)
""", 'return await dispatch(ctx, "load")', 'return await dispatch(ctx, "save")'),
    "key given kw": (TABLE + """
async def dispatch(ctx, kind='save'):
    f = ACTIONS.get(kind)
    return await f(ctx)
""", 'return await dispatch(ctx, kind="load")', 'return await dispatch(ctx, kind="save")'),
    "key twice": (TABLE + """
async def dispatch(ctx, kind):
    f = ACTIONS.get(kind)
    return await f(ctx)
async def outer(c, k):
    return await dispatch(c, k)
""", 'return await outer(ctx, "load")', 'return await outer(ctx, "save")'),
    "run": ("""
async def run(f, *a):
    return await f(*a)
""", "return await run(load, ctx)", "return await run(save, ctx)"),
    "run c": ("""
async def run(f, c):
    return await f(c)
""", "return await run(load, ctx)", "return await run(save, ctx)"),
    "run twice": ("""
async def run(f, c):
    return await f(c)
async def outer(f, c):
    return await run(f, c)
""", "return await outer(load, ctx)", "return await outer(save, ctx)"),
    "make": ("""
def make(f):
    async def inner(c):
        return await f(c)
    return inner
get_load = make(load)
get_save = make(save)
""", "return await get_load(ctx)", "return await get_save(ctx)"),
    "table given": ("""
async def apply(table, kind, c):
    return await table[kind](c)
""", 'return await apply({"a": load}, kind, ctx)', 'return await apply({"a": save}, kind, ctx)'),
    "named table given": ("""
READS = {'a': load}
WRITES = {'a': save}
async def apply(table, kind, c):
    return await table[kind](c)
""", "return await apply(READS, kind, ctx)", "return await apply(WRITES, kind, ctx)"),
    "list given": ("""
async def apply(steps, c):
    for s in steps:
        await s(c)
""", "return await apply([load], ctx)", "return await apply([save], ctx)"),
    "varargs given": ("""
async def apply(c, *steps):
    for s in steps:
        await s(c)
""", "return await apply(ctx, load)", "return await apply(ctx, save)"),
    "action object": (ACTION + BOTH + """
async def perform(a, c):
    return await a.run(c)
""", "return await perform(LOAD, ctx)", "return await perform(SAVE, ctx)"),
    "action own": (ACTION + BOTH, "return await LOAD.run(ctx)", "return await SAVE.run(ctx)"),
    "action init": (INIT + BOTH, "return await LOAD.run(ctx)", "return await SAVE.run(ctx)"),
    "action init go": (INIT + """\
    async def go(self, ctx):
        return await self.run(ctx)
""" + BOTH, "return await LOAD.go(ctx)", "return await SAVE.go(ctx)"),
    "router": ("""
class Router:
    def __init__(self, table):
        self.table = table
    async def go(self, kind, ctx):
        return await self.table[kind](ctx)
READ = Router({'a': load})
WRITE = Router({'a': save})
""", 'return await READ.go("a", ctx)', 'return await WRITE.go("a", ctx)'),
    "registries": ("""
READS = {}
WRITES = {}
def register(table, name):
    def deco(f):
        table[name] = f
        return f
    return deco
@register(READS, 'a')
async def one(ctx):
    return await ctx.skeleton.get("notes")
@register(WRITES, 'a')
async def two(ctx):
    return None
""", "return await READS[kind](ctx)", "return await WRITES[kind](ctx)"),
    "registry key": (REGISTER + """
@register('a')
async def one(ctx):
    return await ctx.skeleton.get("notes")
@register('b')
async def two(ctx):
    return None
""", 'return await REG["a"](ctx)', 'return await REG["b"](ctx)'),
    "class key": (RUNNERS + """
REG = {'a': Load, 'b': Save}
""", 'return await REG["a"]().run(ctx)', 'return await REG["b"]().run(ctx)'),
    "class given": (RUNNERS + """
async def go(cls, c):
    return await cls().run(c)
""", "return await go(Load, ctx)", "return await go(Save, ctx)"),
    "class init given": (keeping("Base") + """
class Load(Base):
    async def run(self):
        return await self.ctx.skeleton.get("notes")
class Save(Base):
    async def run(self):
        return None
async def go(cls, c):
    return await cls(c).run()
""", "return await go(Load, ctx)", "return await go(Save, ctx)"),
    "object given": (RUNNERS + """
async def go(it, c):
    return await it.run(c)
""", "return await go(Load(), ctx)", "return await go(Save(), ctx)"),
    "object same name": ("""
class Base:
    async def run(self, ctx):
        return None
class Load(Base):
    async def run(self, ctx):
        return await ctx.skeleton.get("notes")
class Save(Base):
    pass
async def go(it: Base, c):
    return await it.run(c)
""", "return await go(Load(), ctx)", "return await go(Save(), ctx)"),
    "lambda table": ("""
REG = {'a': lambda c: load(c), 'b': lambda c: save(c)}
""", 'return await REG["a"](ctx)', 'return await REG["b"](ctx)'),
    "partial": ("""
from functools import partial
async def run(f):
    return await f()
""", "return await run(partial(load, ctx))", "return await run(partial(save, ctx))"),
    "retry lambda": ("""
async def run(f):
    return await f()
""", "return await run(lambda: load(ctx))", "return await run(lambda: save(ctx))"),
    "starargs": ("""
async def outer(*a, **k):
    f, *rest = a
    return await f(*rest)
""", "return await outer(load, ctx)", "return await outer(save, ctx)"),
    "kwargs flow": ("""
async def outer(**k):
    return await inner(**k)
async def inner(f, ctx):
    return await f(ctx)
""", "return await outer(f=load, ctx=ctx)", "return await outer(f=save, ctx=ctx)"),
    "closure param": (TABLE + """
async def go(ctx, kind):
    async def inner():
        return await ACTIONS[kind](ctx)
    return await inner()
""", 'return await go(ctx, "load")', 'return await go(ctx, "save")'),
    "dispatch in class": (TABLE + """
class R:
    async def go(self, kind, ctx):
        return await ACTIONS[kind](ctx)
""", 'return await R().go("load", ctx)', 'return await R().go("save", ctx)'),
    "dispatch self.kind": (TABLE + """
class R:
    def __init__(self, kind):
        self.kind = kind
    async def go(self, ctx):
        return await ACTIONS[self.kind](ctx)
""", 'return await R("load").go(ctx)', 'return await R("save").go(ctx)'),
    "state": ("""
async def run(state):
    return await state['f'](state['ctx'])
""", 'return await run({"f": load, "ctx": ctx})', 'return await run({"f": save, "ctx": ctx})'),
    "pairs": ("""
async def run(pairs):
    for f, c in pairs:
        await f(c)
""", "return await run([(load, ctx)])", "return await run([(save, ctx)])"),
    "bound ctx": (keeping("Svc") + LOAD_METHOD + """\
    async def save(self):
        return None
    async def go(self, kind):
        return await {'load': self.load, 'save': self.save}[kind]()
""", 'return await Svc(ctx).go("load")', 'return await Svc(ctx).go("save")'),
    "bound ctx getattr": (keeping("Svc") + """\
    async def do_load(self):
        return await self.ctx.skeleton.get("notes")
    async def do_save(self):
        return None
    async def go(self, kind):
        return await getattr(self, f'do_{kind}')()
""", 'return await Svc(ctx).go("load")', 'return await Svc(ctx).go("save")'),
    "ctxvar": ("""
from contextvars import ContextVar
_C = ContextVar('c')
async def read():
    return await _C.get().skeleton.get("notes")
""", """
_C.set(ctx)
return await read()
""", """
_C.set(ctx)
return None
"""),
    "global": ("""
_c = None
async def read():
    return await _c.skeleton.get("notes")
""", """
global _c
_c = ctx
return await read()
""", """
global _c
_c = ctx
return None
"""),
    "of a class": ("""
class Kept:
    ctx = None
    other = None
async def read():
    return await Kept.ctx.skeleton.get("notes")
""", """
Kept.ctx = ctx
return await read()
""", """
Kept.other = ctx
return None
"""),
    "item of a global": ("""
_KEPT = {}
async def read():
    return await _KEPT["ctx"].skeleton.get("notes")
""", """
_KEPT["ctx"] = ctx
return await read()
""", """
_KEPT["other"] = ctx
return None
"""),
}  # fmt: skip
"""What tells the handlers apart → the code, what the first one does, what the second one does."""
