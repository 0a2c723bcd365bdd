"""A method that is given to a function that needs data is an error; to one that calls it, not."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .programs import only_error, with_body

HEAD = """
import json
import re


def run(load, times=1):
    return load()


@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("https://example.org")
"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return json.loads(r.text)", "json.loads() raises TypeError. Write r.text()."),
        ("return len(r.text)", "len() raises TypeError"),
        ("return dict(r.json)", "dict() raises TypeError"),
        ("return sorted(r.json)", "sorted() raises TypeError"),
        ('return re.search("a", r.text)', "re.search() raises TypeError"),
        ('return re.sub("a", "b", r.text)', "re.sub() raises TypeError"),
        ("return json.dumps(r.json)", "json.dumps() raises TypeError"),
        ("t = r.text\nreturn json.loads(t)", "json.loads() raises TypeError"),
        ("return str(r.text)", 'the text shows "<bound method …>"'),
        ("return bool(r.json)", "the method itself is always true"),
        ("return iter(r.text)", "iter() raises TypeError"),
        ("return ActionResult.error(r.text)", "to_dict() drops it: the user gets no message"),
        ("return ActionResult.error(error=r.text)", "the user gets no message"),
        ("return ActionResult.success({}, r.text)", "JSON cannot carry it"),
        ("return ActionResult.success({}, summary=r.text)", "the kernel loses the result"),
    ],
)
def test_a_method_given_for_its_result_is_an_error(lint: Lint, body: str, said: str) -> None:
    """The standard library says what comes of an object that is no data."""
    assert said in only_error(lint("FED107", with_body(HEAD, body)))


@pytest.mark.parametrize(
    "body",
    [
        "return json.loads(r.text()), len(r.text())",
        "return run(r.json), run(load=r.json)",
        'return iter(r.text, "x")',
        'return list(map(ctx.user.has_role, ["a"]))',
        'return sorted(["a"], key=ctx.user.has_role)',
        'return re.sub("a", r.text, "b")',
        'return json.dumps({"a": 1}, default=r.json)',
        "def len(load): return load()\nreturn len(r.text)",
        "t = r.text\nreturn json.loads(t())",
        "return str(r.text) if not callable(r.text) else r.text()",
        "try: return json.loads(r.text())\nexcept TypeError: return json.loads(r.text)",
    ],
)
def test_a_method_that_somebody_calls_is_left_alone(lint: Lint, body: str) -> None:
    """It is called, handed to code that calls it, or the code asks what it has."""
    assert () == lint("FED107", with_body(HEAD, body))


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return r.json if isinstance(r.json, list) else []", 1),
        ("x = r.json if isinstance(r.json, (dict, list)) else None\nreturn x, r.status_code", 1),
        ("return r.text if isinstance(r.text, str) else ''", 1),
        (
            "return getattr(r, 'json', None) if isinstance(getattr(r, 'json', None), dict) else {}",
            1,
        ),
        ("return r.json if isinstance(r.json, list) else r.json()", 0),
        ("return r.json if isinstance(r.json, list) else [1]", 0),
        ("x = r.json if isinstance(r.json, list) else []\nreturn x or r.json()", 0),
        ("x = r.json if isinstance(r.json, list) else []\nreturn x or json.loads(r.body)", 0),
        ("x = r.json if isinstance(r.json, list) else []\nreturn x or run(r)", 0),
        ("return r.json() if isinstance(r.json, Callable) else []", 0),
        ("return r.body if isinstance(r.body, dict) else {}", 0),
    ],
)
def test_a_question_that_leaves_nothing_of_the_response_is_an_error(
    lint: Lint, body: str, count: int
) -> None:
    """The method is no list, so that the empty one is always taken."""
    head = f"\nfrom collections.abc import Callable\n{HEAD}"
    found = lint("FED107", with_body(head, body))
    assert ["error"] * count == [item.severity for item in found]
    assert all("is never true. Write" in item.message for item in found)
