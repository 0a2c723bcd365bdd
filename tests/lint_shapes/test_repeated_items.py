"""How large lists are whose items no display writes out one by one."""

from __future__ import annotations

import json

import pytest

from .conftest import Lint
from .programs import with_body

HEAD = """\
import random

from imperal_sdk import ActionResult, Extension
from pydantic import BaseModel, Field

ext = Extension("notes")
COUNT = 1_000
ROW = {"id": 1, "text": "x" * 20}


class Out(BaseModel):
    rows: list[str] = []
    some: set[str] = set()


@ext.cache_model("t")
class T(BaseModel):
    rows: list[str] = []
    some: set[str] = set()


def trim(rows):
    del rows[5:]


@ext.tool("t", description="Does the thing for the user.")
async def t(ctx, params):
"""
LARGE = {
    "a list, repeated": '["abc"] * 1000',
    "repeated from the left": '1000 * ["abc"]',
    "several": '["abc", {"a": 1}] * 500',
    "a tuple": '("abc",) * 1000',
    "by a constant": '["abc"] * COUNT',
    "dicts": "[dict(ROW)] * COUNT",
    "rows": '[{"id": 1, "text": "x" * 20}] * 100',
    "a comprehension": '["abc" for _ in range(1000)]',
    "rows of a comprehension": '[{"id": i, "text": "x" * 20} for i in range(100)]',
    "a range with a step": '["abc" for _ in range(0, 2000, 2)]',
    "a range downwards": '["abc" for _ in range(1000, 0, -1)]',
    "two loops": '["abc" for _ in range(50) for _ in range(20)]',
    "a loop over names": '["x" * 2000 for _ in ("a", "b")]',
    "a copied generator": 'list("abc" for _ in range(1000))',
    "a tuple of a generator": 'tuple("abc" for _ in range(1000))',
    "numbers": "list(range(1000))",
    "sorted numbers": "sorted(range(1000))",
    "inside each other": '[["x"] * 100 for _ in range(20)]',
    "in a dict": '{"more": ["abc"] * 1000}',
    "a long text": '"x" * 1_000_000',
    "a text and more": '"x" * 4000 + params.q',
}
"""What stands in data and has more than 3,000 characters, as Python writes it."""
SMALL = {
    "few": '["abc"] * 10',
    "none": '["abc"] * 0',
    "less than none": '["abc"] * -5',
    "nothing repeated": "[] * 100_000",
    "empty texts": '[""] * 900',
    "a number that nobody knows": '["abc"] * params.n',
    "one of two numbers": '["abc"] * (1000 if params.q else 1)',
    "a random number": '["abc"] * random.randint(1, 1000)',
    "what may be empty": "[*params.rows] * 1000",
    "chosen": '["abc" for i in range(1000) if i in params.ids]',
    "over rows": '["abc" for _ in params.rows]',
    "an empty range": '["abc" for _ in range(1000, 0)]',
    "a free range": '["abc" for _ in range(params.n)]',
    "one of two loops is free": '["abc" for _ in range(1000) for _ in params.rows]',
    "cut": '(["abc"] * 1000)[:5]',
    "counted": 'len(["abc"] * 1000)',
    "joined and cut": '"".join(["abc"] * 1000)[:100]',
    "few numbers": "list(range(500))",
    "numbers with a step": "list(range(0, 1000, 100))",
    "a set": "sorted({'abc' for _ in range(1000)})",
    "a text that is cut": '("x" * 1_000_000)[:10]',
    "either": '["abc"] * 1000 if params.q else []',
    "or what is stored": '["abc"] * 1000 if params.q else await ctx.store.query_all("n")',
    "or a copy": '["abc"] * 1000 if params.q else list(params.rows)',
    "a text or what is stored": '["x" * 4000] if params.q else await ctx.store.query_all("n")',
    "a product of numbers": "1000 * 1000",
}
"""The same, of what is small, or may be."""
CHANGED = (
    "del rows[5:]",
    "rows[5:] = []",
    "rows.clear()",
    "while len(rows) > 5:\n    rows.pop()",
    "rows = rows[:5]",
    "trim(rows)",
    "for i in range(1000):\n    rows[i] = ''",
)
MADE = ('["abc"] * 1000', '["abc" for _ in range(1000)]', "list(range(1000))")


def _data(value: str) -> str:
    return with_body(HEAD, f'return ActionResult.success({{"rows": {value}}}, "Listed")')


@pytest.mark.parametrize("what", LARGE)
def test_a_long_list_is_too_large(lint: Lint, what: str) -> None:
    """However its items come into it, if the code says how many there are."""
    (found,) = lint("FED403", _data(LARGE[what]))
    assert ("error", True) == (found.severity, "characters as JSON" in found.message)


@pytest.mark.parametrize("what", SMALL)
def test_a_list_that_may_be_short_is_left_alone(lint: Lint, what: str) -> None:
    """A number that nobody knows, a filter, a cut."""
    assert () == lint("FED403", _data(SMALL[what]))


@pytest.mark.parametrize("change", CHANGED)
@pytest.mark.parametrize("made", MADE)
def test_a_list_that_is_cut_later(lint: Lint, made: str, change: str) -> None:
    """What is taken out before the list is handed over is not there."""
    end = 'return ActionResult.success({"rows": rows}, "Listed")'
    assert 1 == len(lint("FED403", with_body(HEAD, f"rows = {made}\n{end}")))
    assert () == lint("FED403", with_body(HEAD, f"rows = {made}\n{change}\n{end}"))


@pytest.mark.parametrize(
    "value",
    [
        "['abc', 'd'] * 700",
        "['abc' for _ in range(900)]",
        "list(range(-500, 900))",
        "[{'a': 'x' * 10} for _ in (1, 2) for _ in range(300)]",
    ],
)
def test_the_size_is_what_json_writes(lint: Lint, value: str) -> None:
    """The least size of what the code shows whole is its size."""
    data = {"rows": eval(value)}  # noqa: S307 - the values are those above
    (found,) = lint("FED403", _data(value))
    assert f"at least {len(json.dumps(data, separators=(',', ':'))):,} characters" in found.message


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('rows=["x" * 100] * 1000', ["error"]),
        ('rows=["x" * 100 for _ in range(1000)]', ["error"]),
        ('rows=["x" * 100] * 100', []),
        ('rows=["x" * 100] * params.n', []),
        ('some=["x" * 100] * 1000', []),
        ('some=["x" * 100 for _ in range(1000)]', []),
    ],
)
def test_a_long_list_in_a_model(lint: Lint, given: str, expected: list[str]) -> None:
    """The cache refuses it; of a set equal items are one."""
    cached = with_body(HEAD, f'await ctx.cache.set("k", T({given}), ttl_seconds=60)')
    assert expected == [item.severity for item in lint("FED305", cached)]
    told = with_body(HEAD, f'return ActionResult.success(Out({given}), "Listed")')
    is_large = "some" not in given and "params" not in given
    assert ["error"] * is_large == [item.severity for item in lint("FED403", told)]
