"""Data of a result that is changed before the result is handed over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """
import functools
from dataclasses import replace


def shrink(r):
    r.data["body"] = r.data["body"][:500]
    return r


def shrink_data(data):
    data.pop("body")


def shrink_all(results):
    for each in results:
        each.data["body"] = each.data["body"][:500]


def show(r):
    print(r.data["body"])


def limited(f):
    @functools.wraps(f)
    async def run(ctx, params):
        r = await f(ctx, params)
        r.data["body"] = r.data["body"][:500]
        return r

    return run


"""
MAKER = """
async def made(ctx):
    return ActionResult.success(data={"id": 1, "body": "x" * 4000}, summary="x")


"""
HANDLER = '@chat.function("f", "Tells of the notes"){}\nasync def f(ctx, params):\n'
MADE = 'r = ActionResult.success(data={"id": 1, "body": "x" * 4000}, summary="x")'
SHORTENED = (
    'r.data["body"] = r.data["body"][:500]',
    'r.data["body"] = ""',
    'if len(r.data["body"]) > 500:\n    r.data["body"] = r.data["body"][:500]',
    'r.data.pop("body")',
    'for key in ("body",):\n    r.data.pop(key, None)',
    'del r.data["body"]',
    'r.data.update(body="x")',
    'r.data.update({"body": "x"})',
    'r.data |= {"body": "x"}',
    "r.data.clear()",
    'r.data = {"id": 1}',
    'data = r.data\ndata["body"] = data["body"][:500]',
    "shrink(r)",
    "r = shrink(r)",
    "shrink_data(r.data)",
    "shrink_data(data=r.data)",
    'r = replace(r, data={"id": 1})',
    "for each in (r,):\n    shrink(each)",
    "made = [r]\nfor each in made:\n    shrink(each)",
    "made = []\nmade.append(r)\nfor each in made:\n    shrink(each)",
    "shrink_all([r])",
)
STILL_LONG = (
    'r.data["note"] = "x"',
    'r.data["id"] = 2',
    'r.data.pop("id")',
    'r.data.update(note="x")',
    'r.data["body"] = "y" * 4000',
    'r.data = {"body": "y" * 4000}',
    'r.summary = "y"',
    "show(r)",
    'other = ActionResult.success({"body": "x"}, "x")\nother.data["body"] = ""',
    "made = [r]\nfor each in made:\n    show(each)",
)


def _handler(*steps: str, decorator: str = "") -> str:
    lines = "\n".join((*steps, "return r")).splitlines()
    return HEAD + HANDLER.format(decorator) + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("change", SHORTENED)
def test_data_that_is_shortened_afterwards_is_silent(lint: Lint, change: str) -> None:
    """What is handed over counts, not what stood there before."""
    assert () == lint("FED403", _handler(MADE, change))


@pytest.mark.parametrize("change", STILL_LONG)
def test_data_that_stays_long_is_found(lint: Lint, change: str) -> None:
    """A change of something else leaves it as long as it was."""
    assert ["error"] == [item.severity for item in lint("FED403", _handler(MADE, change))]


@pytest.mark.parametrize(("change", "found"), [(SHORTENED[0], 0), (STILL_LONG[0], 1)])
def test_the_caller_of_a_helper_may_shorten_what_it_gets(
    lint: Lint, change: str, found: int
) -> None:
    """The result is made in one function and changed in another."""
    assert found == len(lint("FED403", MAKER + _handler("r = await made(ctx)", change)))


def test_a_decorator_may_shorten_what_it_gets(lint: Lint) -> None:
    """Its wrapper changes the result of what it decorates."""
    text = _handler(MADE, decorator="\n@limited")
    found = [len(lint("FED403", each)) for each in (text, text.replace("\n@limited", ""))]
    assert [0, 1] == found


def test_a_helper_in_another_file_may_shorten_it(lint: Lint) -> None:
    """The change is found wherever the extension makes it."""
    helper = 'def short(r):\n    r.data["{}"] = r.data["body"][:500]\n    return r\n'
    text = (
        "from imperal_sdk import ActionResult, ChatExtension, Extension\nfrom tools import short\n"
    )
    text += '\next = Extension("n")\nchat = ChatExtension(ext=ext)\n\n\n'
    text += HANDLER.format("") + f"    {MADE}\n    return short(r)\n"
    found = [len(lint("FED403", text, tools__py=helper.format(key))) for key in ("body", "head")]
    assert [0, 1] == found


@pytest.mark.parametrize(
    ("code", "data", "summary", "change"),
    [
        ("FED401", '"36 notes"', '"x"', 'r.data = {"total": 36}'),
        ("FED404", "{}", 'f"You have {total} notes"', 'r.data["total"] = total'),
    ],
)
def test_other_rules_see_the_change_too(
    lint: Lint, code: str, data: str, summary: str, change: str
) -> None:
    """Data that was a text, or that was empty, is a dict with fields in the end."""
    total = 'total = await ctx.store.count("n")'
    result = f"r = ActionResult.success({data}, {summary})"
    texts = (_handler(total, result, change), _handler(total, result))
    assert [0, 1] == [len(lint(code, text)) for text in texts]


def test_functions_that_call_each_other_are_followed_once(lint: Lint) -> None:
    """Each hands its result to all: following every way from caller to caller never ended."""
    names = ["first", "second", "third", "fourth"]
    body = "".join(f"    {name}(r)\n" for name in names)
    helpers = "".join(f"def {it}(r):\n    r.data['{it}'] = 1\n{body}    return r\n" for it in names)
    handler = HANDLER.format("") + "    return first(ActionResult.success(data={'all': {1, 2}}))\n"
    assert ["FED402"] == [item.code for item in lint("FED402", helpers + handler)]
