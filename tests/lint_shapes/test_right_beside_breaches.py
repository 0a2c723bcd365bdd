"""Correct code that is close to what FED115 and FED531 to FED538 find."""

from __future__ import annotations

import pytest

from .conftest import Lint

CODES = "FED115 FED116 FED531 FED532 FED533 FED534 FED535 FED536 FED537 FED538"
PANEL = "@ext.panel('p')\nasync def p(ctx, **params):\n    "
NOW = f"from datetime import datetime\n\n\n{PANEL}now = ctx.time.now_utc\n    "
HELPED = "from datetime import datetime\n\n\n{0}\n\n\n" + PANEL + "return text(ctx.time.now_utc)\n"
DAILY = "@ext.schedule('s', '0 6 * * *')\nasync def s(ctx):\n    uid = ctx.user.imperal_id\n    "
CHAT = '@chat.function("f", "Does it")\nasync def f(ctx, params: Count) -> ActionResult:\n    '
UI = "from imperal_sdk import Extension, ui\n\next = Extension('notes')\n\n\n"
OWN_CALLS = (
    "class Own(Extension):\n    async def call_tool(self, name, ctx, **given):\n"
    "        return await self._tools[name].func(**given)\n\n\nown = Own('notes')\n\n\n"
    "@own.tool('a')\nasync def a(title: str):\n    return {'title': title}\n"
)
REPLACED = (
    "kept = ext.panel\n\n\ndef panel(name):\n    def given(function):\n"
    "        async def run(ctx):\n            return function(ctx)\n\n"
    "        kept(name)(run)\n        return function\n\n    return given\n\n\n"
    "ext.panel = panel\n\n\n@ext.panel('a')\ndef a(ctx):\n    return {}\n"
)
PROGRAMS = {
    "body": f"{PANEL}items = (await ctx.http.get('u')).body\n    items.append(1)\n",
    "json": f"{PANEL}text = (await ctx.http.get('u')).json()\n    return text.strip()\n",
    "isinstance": f"{NOW}return now.isoformat() if isinstance(now, datetime) else now\n",
    "type": f"{NOW}if type(now) is str:\n        return now\n    return now.isoformat()\n",
    "match": f"{NOW}match now:\n        case datetime():\n            return now.isoformat()\n",
    "own question": f"def is_time(x):\n    return x.__class__ is datetime\n\n\n{NOW}"
    "return now.isoformat() if is_time(now) else now\n",
    "helper": HELPED.format(
        "def text(at):\n    return at if isinstance(at, str) else at.isoformat()"
    ),
    "own dispatch": OWN_CALLS,
    "own decorator": REPLACED,
    "registered again": "@ext.panel('a')\ndef old(ctx):\n    return {}\n\n\n"
    "@ext.panel('a')\nasync def new(ctx):\n    return {}\n",
    "only a link": "@ext.menu_item('m', path='/x')\ndef m():\n    return None\n",
    "written wrong": "@ext.tool('a')\nasync def a(it: dict):\n    return {'x': it.user.email}\n",
    "never used": "@ext.tool('a')\nasync def a(it: str):\n    del it\n    return {}\n",
    "somebody": f"{DAILY}if uid != '__system__':\n        ctx = ctx.as_user(uid)\n",
    "own method": "from imperal_sdk import Context\n\n\nclass Mine(Context):\n"
    "    async def oauth_authorize_url(self, provider, *, login_hint=None):\n"
    "        return ''\n\n\n"
    "async def url(ctx: Mine):\n    return await ctx.oauth_authorize_url('github')\n",
    "retried": f"{CHAT}for left in (1, 0):\n        try:\n"
    "            return ActionResult.success({}, 'Done')\n        except TimeoutError:\n"
    "            if not left:\n                raise\n",
    "exhausted": f"{CHAT}if params.total == 1:\n        return ActionResult.success({{}}, 'One')\n"
    "    elif params.total == 2:\n        return ActionResult.success({}, 'Two')\n",
    "mended": "def done(result):\n    result.error = str(result.error)\n    return result\n\n\n"
    f"{CHAT}try:\n        return ActionResult.success({{}}, 'x')\n"
    "    except ValueError as problem:\n        return done(ActionResult.error(problem))\n",
    "replaced": "base = ActionResult.error\nActionResult.error = lambda e: base(str(e))\n\n\n"
    f"{CHAT}try:\n        return ActionResult.success({{}}, 'x')\n"
    "    except ValueError as problem:\n        return ActionResult.error(problem)\n",
    "nothing given": f"{UI}{PANEL}return ui.Alert('x', variant=None), "
    "ui.Stat('a', 1, trend_direction=None)\n",
    "bounded": f"import math\n\n\n{PANEL}low = float('inf')\n    for row in (3, 1):\n"
    "        low = min(low, row)\n    await ctx.store.create('n', {'low': low})\n",
    "of Quartz": "@ext.schedule('s', cron='0 0 15W * 5#2')\nasync def s(ctx):\n    ...\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_correct_code_is_left_alone(lint: Lint, name: str) -> None:
    """Each was told once, by an error or a warning."""
    assert [] == [(item.code, item.message) for item in lint(CODES, PROGRAMS[name])]


CAUGHT = {
    "FED533": "return await ctx.oauth_authorize_url('github')",
    "FED538": "return ui.Alert('x', variant='primary')",
}


@pytest.mark.parametrize(("code", "step"), CAUGHT.items())
def test_what_is_expected_to_fail_is_an_info(lint: Lint, code: str, step: str) -> None:
    """The code catches the very exception."""
    body = f"try:\n        {step}\n    except ValueError:\n        return None\n"
    assert ["info"] == [item.severity for item in lint(code, f"{UI}{PANEL}{body}")]


ASKED_OF_OTHERS = {
    "key = await made(ctx)\n    if isinstance(key, str):\n        return key": 1,
    "key = params.get('key')\n    if callable(key):\n        return key": 1,
    "if not isinstance(page, dict):\n        return None": 0,
    "row = page.data[0]\n    if type(row) is dict:\n        return None": 0,
    "if isinstance(page.data[0].data, dict):\n        return None": 0,
}


@pytest.mark.parametrize(("steps", "count"), ASKED_OF_OTHERS.items())
def test_the_kind_of_another_value_says_nothing(lint: Lint, steps: str, count: int) -> None:
    """Only what asks for the kind of this value, or of what it comes from, leaves it open."""
    made = "async def made(ctx):\n    return await ctx.secrets.get('key')\n\n\n"
    body = (
        f"page = await ctx.store.query('notes')\n    {steps}\n    return page.data[0].data.title\n"
    )
    found = lint("FED115", f"{made}{PANEL}{body}")
    assert ["error"] * count == [item.severity for item in found]
