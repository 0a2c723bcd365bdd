"""What ``hasattr(ctx.store, "for_user")`` leaves where the release has that member."""

from __future__ import annotations

import pytest

from .conftest import Lint

USERS = """
ext.secret("key", "Signs the events")


@ext.panel("left", slot="left", title="Jobs")
async def left(ctx):
    await ctx.secrets.get("key")
    return await ctx.store.query("jobs")


@ext.webhook("in")
async def inbound(ctx, headers, body, query_params):
    {0}
"""
WAYS = {
    "choice": 'own = {0}.for_user("u") if hasattr({0}, "for_user") else {0}\n    await own.{1}',
    "branches": (
        'if hasattr({0}, "for_user"):\n        own = {0}.for_user("u")\n    else:\n'
        "        own = {0}\n    await own.{1}"
    ),
    "other branch first": (
        'if not hasattr({0}, "for_user"):\n        own = {0}\n    else:\n'
        '        own = {0}.for_user("u")\n    await own.{1}'
    ),
    "kept answer": (
        'known = hasattr({0}, "for_user")\n'
        '    own = {0}.for_user("u") if known else {0}\n    await own.{1}'
    ),
    "early return": (
        'if hasattr({0}, "for_user"):\n        return await {0}.for_user("u").{1}\n'
        "    await {0}.{1}"
    ),
}
CALLS = {"FED522": ("ctx.store", 'create("jobs", {})'), "FED528": ("ctx.secrets", 'get("key")')}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("code", CALLS)
def test_what_is_left_for_older_releases_is_not_judged(lint: Lint, code: str, way: str) -> None:
    """The release has the method, so that the other branch never runs."""
    program = USERS.format(WAYS[way].format(*CALLS[code]))
    assert () == lint(code, program)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("code", CALLS)
def test_a_question_about_something_else_leaves_it(lint: Lint, code: str, way: str) -> None:
    """What no release has is what the branch runs without."""
    program = USERS.format(WAYS[way].format(*CALLS[code])).replace('"for_user"', '"of_all"')
    assert 1 == len(lint(code, program))


OTHER = (
    'if hasattr({0}, "{1}"):\n        await ctx.store.for_user("u").create("jobs", {{}})\n'
    '    else:\n        await ctx.as_user("u").store.create("jobs", {{}})'
)


@pytest.mark.parametrize(
    ("owner", "name", "expected"),
    [("ctx.store", "for_user", 0), ("ctx", "as_user", 0), ("ctx.store", "of_all", 1)],
)
def test_a_branch_that_never_runs_makes_no_call(
    lint: Lint, owner: str, name: str, expected: int
) -> None:
    """What raises there is left alone."""
    found = lint("FED517", USERS.format(OTHER.format(owner, name)))
    assert expected == len(found)
