"""Where a breach of a payload is written: the chain leads to it if it stands elsewhere."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "from out import TAGS, big, block, rows, text, through\n\n\n"
    '@chat.function("f", "Tells")\nasync def f(ctx, p):\n    return ActionResult.success({}, "s")\n'
)
OUT = """from datetime import datetime
TAGS = {1, 2}
def block():
    return {"when": datetime.now()}
def text():
    return "36"
def big():
    return {"id": 1, "text": "x" * 5000}
def through():
    return block()
def rows(p):
    found = []
    for each in p:
        found.append({"at": datetime.now()})
    return found
"""
ELSEWHERE = (
    ("FED402", "block()", 4, "gives datetime.now()"),
    ("FED402", "through()", 4, "gives datetime.now()"),
    ("FED402", "{'x': block()}", 4, "gives datetime.now()"),
    ("FED402", "{'tags': TAGS}", 2, "gives {1, 2}"),
    ("FED402", "{'rows': rows(p)}", 14, "gives datetime.now()"),
    ("FED401", "text()", 6, "gives '36'"),
    ("FED403", "big()", 8, "gives its largest part"),
)
HERE = (
    ("FED402", "{'when': {1, 2}}"),
    ("FED401", "'36'"),
    ("FED403", "{'text': 'x' * 5000}"),
)


@pytest.mark.parametrize(("code", "data", "line", "note"), ELSEWHERE)
def test_the_chain_ends_where_the_value_is_written(
    lint: Lint, code: str, data: str, line: int, note: str
) -> None:
    """One step names the file, the line and what stands there."""
    found = lint(code, HEAD.format(data), out__py=OUT)
    steps = [(step.path.rpartition("/")[2], step.span.line, step.note) for step in found[0].chain]
    assert (1, [("out.py", line, note)]) == (len(found), steps)


@pytest.mark.parametrize(("code", "data"), HERE)
def test_what_stands_here_needs_no_chain(lint: Lint, code: str, data: str) -> None:
    """The place of the finding is that of the value."""
    assert [()] == [item.chain for item in lint(code, HEAD.format(data), out__py=OUT)]


def test_callers_that_give_the_value(lint: Lint) -> None:
    """A helper that makes the result is told which caller gives what."""
    done = "def done(data):\n    return ActionResult.success(data, 's')\n\n\n"
    text = done + HEAD.replace("ActionResult.success({}, ", "done({'at': {1, 2}}); (")
    found = lint("FED402", text, out__py=OUT)
    notes = [(step.note, step.span.line - item.span.line) for item in found for step in item.chain]
    assert [("gives {1, 2}", 8)] == notes


def test_values_of_the_cache(lint: Lint) -> None:
    """So it is for a value that the cache refuses; what stands in a step's line is not repeated."""
    text = (
        "from out import block\n\n\nasync def keep(ctx, value):\n"
        "    await ctx.cache.set('k', value, ttl_seconds=60)\n\n\n"
        '@ext.panel("p")\nasync def p(ctx):\n    {}\n'
    )
    direct = "await ctx.cache.set('k', block(), ttl_seconds=60)"
    found = lint("FED303", text.format(direct), out__py=OUT)
    assert ["gives {'when': datetime.now()}"] == [item.chain[-1].note for item in found]
    found = lint("FED303", text.format("await keep(ctx, {'a': 1})"), out__py=OUT)
    assert [["calls keep"]] == [[step.note for step in item.chain[1:]] for item in found]
