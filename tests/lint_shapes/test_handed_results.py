"""What functions hand on to ``ActionResult.success`` is judged where it is given."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
from datetime import datetime

{0}

@ext.panel("real")
async def real(ctx):
    return None


@chat.function("f", "Tells")
async def f(ctx, p):
    {1}
"""
ALL = "def ok(*a, **k):\n    return ActionResult.success(*a, **k)\n"
NAMED = "def ok(**k):\n    return ActionResult.success(**k)\n"
REST = 'def ok(data, *a):\n    return ActionResult.success({"x": data}, *a)\n'
TWICE = ALL + "\n\ndef done(*a, **k):\n    return ok(*a, **k)\n"
METHOD = """
class R:
    @staticmethod
    def ok(*a, **k):
        return ActionResult.success(*a, **k)
"""
ASKING = """
def ok(*a, **k):
    if isinstance(a[0], str):
        a = ({}, *a)
    return ActionResult.success(*a, **k)
"""
BAD: dict[str, tuple[str, str, str]] = {
    "text": ("FED401", ALL, 'return ok("text", "x")'),
    "text by name": ("FED401", NAMED, 'return ok(summary="x", data="text")'),
    "text by a method": ("FED401", METHOD, 'return R.ok("text", "x")'),
    "text through two": ("FED401", TWICE, 'return done("text", "x")'),
    "text in a name": ("FED401", ALL, 'said = "text"\n    return ok(said, "x")'),
    "time": ("FED402", ALL, 'return ok({"at": datetime.now()}, "x")'),
    "time that is put in": (
        "FED402",
        ALL,
        'r = ok({"at": 1}, "x")\n    r.data["at"] = datetime.now()\n    return r',
    ),
    "large": ("FED403", ALL, 'return ok({"t": "x" * 4000}, summary="x")'),
    "facts": (
        "FED404",
        ALL,
        'page = await ctx.store.query("c")\n    return ok({}, f"You have {len(page.data)}")',
    ),
    "panel": ("FED503", ALL, 'return ok({"a": 1}, "x", refresh_panels=["nope"])'),
    "panel by a dict": ("FED503", ALL, 'return ok({"a": 1}, "x", **{"refresh_panels": ["nope"]})'),
    "signature": ("FED108", ALL, 'return ok({"a": 1}, "x", nope=1)'),
    "no summary": ("FED108", ALL, 'return ok({"a": 1})'),
}
GOOD: dict[str, tuple[str, str, str]] = {
    "dict": ("FED401", ALL, 'return ok({"text": "text"}, "text")'),
    "wrapped by the function": ("FED401", REST, 'return ok("text", "x")'),
    "facts in data too": (
        "FED404",
        ALL,
        'page = await ctx.store.query("c")\n    return ok({"n": 1}, f"You have {len(page.data)}")',
    ),
    "facts, data written by the function": (
        "FED404",
        REST,
        'page = await ctx.store.query("c")\n    return ok({}, f"You have {len(page.data)}")',
    ),
    "replaced later": (
        "FED402",
        ALL,
        'r = ok({"at": datetime.now()}, "x")\n    r.data["at"] = 1\n    return r',
    ),
    "replaced by the function": (
        "FED402",
        "def ok(*a, **k):\n    r = ActionResult.success(*a, **k)\n    r.data = {}\n    return r\n",
        'return ok({"at": datetime.now()}, "x")',
    ),
    "asked first": ("FED401", ASKING, 'return ok("text", "x")'),
    "dropped": (
        "FED401",
        "def ok(*a, **k):\n    k.pop('data')\n    return ActionResult.success(*a, data={}, **k)\n",
        'return ok(data="text", summary="x")',
    ),
    "another function": (
        "FED401",
        "class ActionResult:\n    @staticmethod\n    def success(*a):\n        return a\n\n\n"
        + ALL,
        'return ok("text", "x")',
    ),
    "decorated": ("FED401", f"import more\n\n\n@more.mend\n{ALL}", 'return ok("text", "x")'),
    "one of two": (
        "FED401",
        ALL + "\n\nif datetime:\n    ok = print\n",
        'return ok("text", "x")',
    ),
    "a known panel": ("FED503", ALL, 'return ok({"a": 1}, "x", refresh_panels=["real"])'),
    "panels that are left out": (
        "FED503",
        "def ok(data, summary, **k):\n    return ActionResult.success(data, summary)\n",
        'return ok({"a": 1}, "x", refresh_panels=["nope"])',
    ),
    "exposed": (
        "FED401",
        ALL + '\n\n@ext.expose("e")\nasync def e(ctx):\n    return ok("text", "x")\n',
        'return ok({"a": 1}, "x")',
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_callers_give_is_judged(lint: Lint, name: str) -> None:
    """A function that hands all on to the SDK hides nothing of what its callers give."""
    code, helper, body = BAD[name]

    assert [code] == [item.code for item in lint(code, HEAD.format(helper, body))]


@pytest.mark.parametrize("name", GOOD)
def test_what_may_come_to_be_another_result_is_silent(lint: Lint, name: str) -> None:
    """Nothing is told of what the function changes, of what it drops, and of correct results."""
    code, helper, body = GOOD[name]

    assert () == lint(code, HEAD.format(helper, body))


def test_each_caller_is_judged_for_itself(lint: Lint) -> None:
    """Only the caller that gives a text is wrong, and the finding stands in its line."""
    body = 'if p:\n        return ok({"a": 1}, "x")\n    return ok("text", "x")'
    found = lint("FED401", HEAD.format(ALL, body))

    assert [("FED401", "error")] == [(item.code, item.severity) for item in found]
    assert "data is a text ('text')" in found[0].message


def test_the_function_may_stand_in_another_file(lint: Lint) -> None:
    """The finding stands in the file of the handler."""
    body = HEAD.format("from more import ok", 'return ok("text", "x")')
    found = lint("FED401", body, more__py=f"from imperal_sdk import ActionResult\n\n\n{ALL}")

    assert ["main.py"] == [item.path.rpartition("/")[2] for item in found]


def test_arguments_by_name_are_judged_once(lint: Lint) -> None:
    """What the call of the SDK shows of them is not told a second time."""
    body = 'return ok(data={"at": datetime.now()}, summary="x")'

    assert len(lint("FED402", HEAD.format(ALL, body))) == 1


def test_a_file_without_the_words_is_left_alone(lint: Lint) -> None:
    """Whether all files are looked at or only those with a trigger, the findings are the same."""
    more = "from imperal_sdk import ActionResult\n\n\n"
    body = "from imperal_sdk import ChatExtension, Extension\nfrom more import ok\n"
    body += '\next = Extension("n")\nchat = ChatExtension(ext, tool_name="n")\n\n\n'
    body += '@chat.function("f", "Tells")\nasync def f(ctx, p){0}:\n    return ok("text", "x")\n'

    assert () == lint("FED401", body.format(""), more__py=more + ALL)
    assert lint("FED401", body.format(' -> "ActionResult"'), more__py=more + ALL)
