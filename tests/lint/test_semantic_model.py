"""How the linter follows contexts, clients and constants through an extension."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.engine.engine import CheckResult

Check = Callable[..., CheckResult]
Lint = Callable[..., list[tuple[str, str, int]]]

HEAD = "from imperal_sdk import Extension\next = Extension('n', capabilities=['a:b'])\n"
READ = "    return await ctx.skeleton.get('n')\n"

WAYS = {
    "helper": "async def load(ctx):\n" + READ + "@ext.panel('p')\nasync def p(ctx):\n"
    "    return await load(ctx)\n",
    "keyword": "async def load(x, ctx=None):\n" + READ + "@ext.panel('p')\nasync def p(ctx):\n"
    "    return await load(1, ctx=ctx)\n",
    "other name": "async def load(c):\n    return await c.skeleton.get('n')\n"
    "@ext.panel('p')\nasync def p(context):\n    return await load(context)\n",
    "method": "class Box:\n    async def load(self, ctx):\n    " + READ + "@ext.panel('p')\n"
    "async def p(ctx):\n    return await Box().load(ctx)\n",
    "kept": "class Box:\n    def __init__(self, ctx):\n        self.ctx = ctx\n"
    "    async def load(self):\n        return await self.ctx.skeleton.get('n')\n"
    "@ext.panel('p')\nasync def p(ctx):\n    box = Box(ctx)\n    return await box.load()\n",
    "inherited": "class Base:\n    def __init__(self, ctx):\n        self.ctx = ctx\n"
    "class Box(Base):\n    async def load(self):\n"
    "        return await self.ctx.skeleton.get('n')\n"
    "@ext.panel('p')\nasync def p(ctx):\n    return await Box(ctx).load()\n",
    "super": "class Base:\n    def __init__(self, ctx):\n        self.ctx = ctx\n"
    "class Box(Base):\n    def __init__(self, ctx, n):\n        super().__init__(ctx)\n"
    "    async def load(self):\n        return await self.ctx.skeleton.get('n')\n"
    "@ext.panel('p')\nasync def p(ctx):\n    return await Box(ctx, 1).load()\n",
    "closure": "@ext.panel('p')\nasync def p(ctx):\n    async def load():\n    "
    + READ
    + "    return load\n",
    "lambda": "@ext.panel('p')\nasync def p(ctx):\n    return lambda: ctx.skeleton.get('n')\n",
    "alias": "@ext.panel('p')\nasync def p(ctx):\n    s = ctx.skeleton\n    read = s.get\n"
    "    return await read('n')\n",
    "as_user": "@ext.schedule('s', cron='* * * * *')\nasync def p(ctx):\n"
    "    other = ctx.as_user('imp_u_1')\n    return await other.skeleton.get('n')\n",
    "walrus": "@ext.panel('p')\nasync def p(ctx):\n    return await (s := ctx.skeleton).get('n')\n",
    "branch": "@ext.panel('p')\nasync def p(ctx, x=0):\n    s = None\n"
    "    if x:\n        s = ctx.skeleton\n"
    "    return await s.get('n')\n",
    "three deep": "async def a(ctx):\n    return await b(ctx)\n"
    "async def b(ctx):\n    return await c(ctx)\n"
    "async def c(ctx):\n" + READ + "@ext.tool('t')\nasync def t(ctx):\n    return await a(ctx)\n",
    "call form": "async def p(ctx):\n" + READ + "ext.panel('p')(p)\n",
    "subclass": "class Mine(Extension): ...\nown = Mine('m', capabilities=['a:b'])\n"
    "class Handlers:\n    @own.tool('t')\n    async def t(self, ctx):\n    " + READ,
    "webhook": "@ext.webhook('w')\nasync def w(ctx, headers, body, query_params):\n" + READ,
    "bare": "@ext.on_install\nasync def i(ctx):\n" + READ,
    "tray": "@ext.tray('t', icon='i')\nasync def t(ctx, **k):\n" + READ,
    "menu": "@ext.menu_item('m', label='l', icon='i')\nasync def m(ctx, **k):\n" + READ,
    "search": "@ext.search_provider('e', 'd')\nasync def s(ctx, q):\n" + READ,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_skeleton_read_is_found_on_every_way(lint: Lint, way: str) -> None:
    """However the context gets there, the read outside a skeleton handler is found."""
    found = lint({"main.py": HEAD + WAYS[way]}, codes=frozenset({"FED201"}))
    assert ["error"] == [severity for _, severity, _ in found]


def test_app_handlers_find_their_context_by_name(lint: Lint) -> None:
    """``App.tool`` takes the context from anywhere in the signature."""
    code = (
        "from imperal_sdk import App\napp = App('n', capabilities=['a:b'])\n"
        "@app.tool()\ndef t(x: int, ctx=None):\n    return ctx.skeleton_data\n"
    )
    assert [("FED103", "error", 5)] == lint({"main.py": code}, codes=frozenset({"FED103"}))


def test_the_chain_leads_from_the_handler(check_files: Check) -> None:
    """Each step names its file and line."""
    files = {
        "main.py": HEAD
        + "from deep import a\n@ext.panel('p')\nasync def p(ctx):\n    await a(ctx)\n",
        "deep.py": "async def a(ctx):\n    await b(ctx)\n\n\n"
        "async def b(ctx):\n    await ctx.skeleton.get('n')\n",
    }
    finding = check_files(files, codes=frozenset({"FED201"})).findings[0]
    steps = [(step.path.rpartition("/")[2], step.span.line) for step in finding.chain]
    assert [("main.py", 5), ("main.py", 6), ("deep.py", 2)] == steps
    assert ["calls a", "calls b"] == [step.note for step in finding.chain[1:]]


@pytest.mark.parametrize(
    "code",
    [
        "async def load(ctx):\n" + READ,
        "async def load(ctx):\n"
        + READ
        + "@ext.skeleton('s')\nasync def s(ctx):\n    await load(ctx)\n"
        "    return {'response': {'a': 1}}\n",
        "async def load(ctx):\n" + READ + "@ext.panel('p')\nasync def p(ctx):\n    ctx = {}\n"
        "    return await load(ctx)\n",
        "async def load(ctx):\n    if ctx._tool_type == 'skeleton':\n    "
        + READ
        + "@ext.panel('p')\nasync def p(ctx):\n    return await load(ctx)\n",
        "class A:\n    async def load(self, ctx):\n        return 1\n"
        "class B:\n    async def load(self, ctx):\n    "
        + READ
        + "@ext.panel('p')\nasync def p(ctx):\n"
        "    return await A().load(ctx)\n",
    ],
    ids=["nobody calls", "skeleton only", "rebound", "asks the kind", "another class"],
)
def test_other_ways_are_no_breach(lint: Lint, code: str) -> None:
    """What no other handler reaches is left alone."""
    assert [] == lint({"main.py": HEAD + code}, codes=frozenset({"FED201"}))


LIVES = {
    "3600": 1,
    "60 * 10": 1,
    "MINUTES * 60": 1,
    "int('600')": 1,
    "settings.LIFE": 1,
    "min(600, 300)": 0,
    "LIVES['long']": 1,
    "LIVES['short']": 0,
    "True": 1,
    "unknown()": 0,
    "60 if x else 120": 0,
}


@pytest.mark.parametrize("life", LIVES)
def test_constants_are_computed(lint: Lint, life: str) -> None:
    """A life is judged when its value is known, wherever it stands."""
    code = HEAD + (
        "import settings\nfrom pydantic import BaseModel\nfrom other import unknown\n"
        "MINUTES = 10\nLIVES = {'long': 900, 'short': 30}\n"
        "@ext.cache_model('c')\nclass C(BaseModel):\n    a: int\n"
        f"@ext.panel('p')\nasync def p(ctx, x=0):\n    await ctx.cache.set('k', C(a=1), {life})\n"
    )
    files = {"main.py": code, "settings.py": "LIFE = 24 * 3600\n"}
    assert LIVES[life] == len(lint(files, codes=frozenset({"FED302"})))


def test_conditions_rule_values_out(lint: Lint) -> None:
    """``isinstance`` and early returns tell what a value no longer is."""
    code = HEAD + (
        "def unwrap(r):\n    if hasattr(r, 'json'):\n        return r.json()\n    return r\n"
        "@ext.panel('p')\nasync def p(ctx):\n    r = await ctx.http.get('u')\n    d = unwrap(r)\n"
        "    if not isinstance(r, dict):\n        return d.get('x')\n    return r.get('y')\n"
    )
    assert [] == lint({"main.py": code}, codes=frozenset({"FED105"}))


def test_trees_without_the_sdk_are_silent(lint: Lint) -> None:
    """A ``ctx`` of click or of anybody else is no context."""
    code = (
        "import click\n@click.pass_context\ndef cli(ctx):\n    return ctx.obj, ctx.skeleton_data\n"
    )
    assert [] == lint({"main.py": code}, exhaustive=True)


def test_a_default_for_none_rules_none_out(lint: Lint) -> None:
    """After ``if value is None: value = …`` the value is no longer None."""
    code = HEAD + (
        "from pydantic import BaseModel\n@ext.cache_model('c')\nclass C(BaseModel):\n    a: int\n"
        "@ext.panel('p')\nasync def p(ctx):\n    value = None\n    try:\n"
        "        value = await ctx.cache.get('k', C)\n"
        "    except ValueError:\n        value = None\n"
        "    if value is None:\n        value = C(a=1)\n"
        "    await ctx.cache.set('k', value, ttl_seconds=60)\n"
    )
    assert [] == lint({"main.py": code}, codes=frozenset({"FED303"}))


def test_without_an_entry_files_that_name_the_sdk_stand_for_it(lint: Lint) -> None:
    """What they import is linted too, and nothing else."""
    breach = "async def load(ctx):\n    return ctx.skeleton_data\n"
    files = {
        "handlers.py": HEAD + "import deep\n@ext.panel('p')\nasync def p(ctx):\n"
        "    return await deep.load(ctx)\n",
        "deep.py": breach,
        "apart.py": breach,
    }
    assert [("FED103", "error", 2)] == lint(files, codes=frozenset({"FED103"}))
