"""Dicts that take over one of several dicts: what each caller gives, each branch writes."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "async def told(ctx, extra):\n    {}\n\n\n"
    '@chat.function("f", "Tells")\nasync def f(ctx, p):\n    return await told(ctx, {})\n\n\n'
    '@chat.function("g", "Tells")\nasync def g(ctx, p):\n    return await told(ctx, {})\n'
)
DONE = "return ActionResult.success(data, 'x')"
TAKEN = (
    "data = {'a': 1, **extra}",
    "data = {**extra, 'a': 1}",
    "data = dict(extra, a=1)",
    "data = {'a': 1} | extra",
    "data = {'a': 1}\n    data.update(extra)",
    "data = {'a': 1}\n    data.update(**extra)",
    "data = {}\n    data |= extra\n    data['a'] = 1",
)
REPLACED = (
    "data = {**extra, 'b': 1}",
    "data = dict(extra, b=1)",
    "data = {'b': 2} | extra | {'b': 1}",
    "data = {'a': 1}\n    data.update(extra)\n    data['b'] = 1",
    "data = {'a': 1, **extra}\n    data.pop('b', None)",
)


def _run(lint: Lint, code: str, body: str, first: str, second: str) -> list[str]:
    text = HEAD.format(f"{body}\n    {DONE}", first, second)
    return [it.severity for it in lint(code, text)]


@pytest.mark.parametrize("body", TAKEN)
def test_what_one_of_the_callers_gives(lint: Lint, body: str) -> None:
    """What any of the calls gives is in the dict of that call."""
    assert ["error"] == _run(lint, "FED402", body, "{'c': 1}", "{'b': {1, 2}}")
    assert ["error"] == _run(lint, "FED402", body, "{'b': {3}}", "{'b': {1, 2}}")
    assert [] == _run(lint, "FED402", body, "{'c': 1}", "{'b': [1, 2]}")


@pytest.mark.parametrize("body", REPLACED)
def test_what_is_replaced_whoever_gave_it(lint: Lint, body: str) -> None:
    """What the dict writes over, or takes out, counts no more."""
    assert [] == _run(lint, "FED402", body, "{'c': 1}", "{'b': {1, 2}}")


def test_a_caller_that_gives_nobody_knows_what(lint: Lint) -> None:
    """Where one of the dicts is not known, it may replace the entry of another."""
    assert ["warning"] == _run(lint, "FED402", TAKEN[0], "p", "{'b': {1, 2}}")
    assert [] == _run(lint, "FED402", TAKEN[4], "p", "{'b': {1, 2}}")


@pytest.mark.parametrize("body", [TAKEN[0], TAKEN[4]])
def test_sizes_of_one_of_several(lint: Lint, body: str) -> None:
    """What different calls give never stands there at the same time."""
    small, large = "'x' * 2000", "'x' * 4000"
    assert [] == _run(lint, "FED403", body, f"{{'b': {small}}}", f"{{'c': {small}}}")
    assert ["error"] == _run(lint, "FED403", body, "{'b': 1}", f"{{'c': {large}}}")
    assert ["error"] == _run(lint, "FED403", body, "{'b': 1}", f"{{'c': {small}, 'd': {small}}}")


@pytest.mark.parametrize(
    ("first", "second", "severities"),
    [
        ("data['b'] = 'x' * 2000", "data['c'] = 'x' * 2000", []),
        ("data['b'] = 'x' * 4000", "data['c'] = 1", ["error"]),
        ("data['b'] = 1", "data['c'] = 'x' * 4000", ["error"]),
    ],
)
def test_sizes_of_branches(lint: Lint, first: str, second: str, severities: list[str]) -> None:
    """Entries of branches that exclude each other are not added up."""
    body = f"data = {{'a': 1}}\n    if extra:\n        {first}\n    else:\n        {second}"
    assert severities == _run(lint, "FED403", body, "p", "p")


@pytest.mark.parametrize(
    ("other", "codes"),
    [
        ("dict(f=1, g=2, h=3, i=4)", []),
        ("dict(f=1, g=2, h=3, i=4, j=5, k=6)", ["FED211"]),
        ("{'f': 't' * 400, 'g': 't' * 400, 'h': 't' * 400}", []),
    ],
)
def test_sections_of_one_of_several(lint: Lint, other: str, codes: list[str]) -> None:
    """The fields of a section are those of one of the dicts."""
    text = (
        "@ext.skeleton('n')\nasync def n(ctx):\n"
        "    one = {'b': 't' * 400, 'c': 't' * 400, 'd': 't' * 400, 'e': 1}\n"
        f"    extra = one if ctx.user else {other}\n"
        "    return {'response': {'a': 1, **extra}}\n"
    )
    assert codes == [it.code for it in lint("FED211 FED214", text)]


WALKED = (
    "@ext.skeleton('n')\nasync def n(ctx, other):\n    found = {{}}\n    names = {}\n"
    "    for name in {}:\n        {}\n    return {{'response': found}}\n"
)
SEVEN = "('a', 'b', 'c', 'd', 'e', 'f', 'g')"


@pytest.mark.parametrize(
    ("names", "walked", "body", "codes"),
    [
        ("1", SEVEN, "found[name] = 1", ["FED211"]),
        (SEVEN, "names", "found[name] = 1", ["FED211"]),
        ("1", SEVEN, "if name in other:\n            found[name] = 1", []),
        ("1", SEVEN, "found[name] = 1\n        if other:\n            break", []),
        (f"{SEVEN} if other else ('h', 'i')", "names", "found[name] = 1", []),
        ("('a', 'b', 'c', 'd') if other else ('e', 'f', 'g')", "names", "found[name] = 1", []),
        ("1", "('a', 'b', 'c', 'd', 'e', 'f')", "found[name] = 1", []),
    ],
)
def test_keys_that_a_loop_walks_through(
    lint: Lint, names: str, walked: str, body: str, codes: list[str]
) -> None:
    """A loop over known keys fills them all, a key that is chosen is one of them."""
    text = WALKED.format(names, walked, body)
    assert codes == [it.code for it in lint("FED211", text)]
