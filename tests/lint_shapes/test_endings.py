"""Skeleton handlers that end in a call which never returns, and those that only seem to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import os
import sys
from typing import Never, NoReturn

import helpers
from imperal_sdk import Extension

ext = Extension("notes")
LIVE = False


def die(text) -> NoReturn:
    raise RuntimeError(text)


def sink(text) -> "Never":
    helpers.wait(text)


def refuse(text):
    if text:
        raise RuntimeError(text)
    else:
        die(text)


def caught(text):
    try:
        print(text)
    except ValueError:
        raise
    finally:
        die(text)


class Stop:
    @staticmethod
    def now(text):
        raise RuntimeError(text)


async def later(text):
    raise RuntimeError(text)


def maybe(text):
    if text:
        raise RuntimeError(text)


def early(text):
    if not text:
        return
    raise RuntimeError(text)


def log(text):
    print(text)


async def quiet(text):
    return text


"""
HELPERS = "def stop(text):\n    raise RuntimeError(text)\n"
NEVER = (
    "die('x')", "sink('x')", "refuse('x')", "caught('x')", "Stop.now('x')", "await later('x')",
    "sys.exit(1)", "os.abort()", "helpers.stop('x')",
)  # fmt: skip
RETURNING = (
    "maybe('x')", "early('x')", "log('x')", "later('x')", "await quiet('x')", "helpers.none('x')"
)  # fmt: skip


def _codes(lint: Lint, body: str) -> list[str]:
    text = f'{HEAD}@ext.skeleton("n")\nasync def n(ctx):\n{body}\n'
    return [it.code for it in lint("FED210", text, helpers__py=HELPERS)]


@pytest.mark.parametrize("call", NEVER)
def test_nothing_comes_behind_what_always_raises(lint: Lint, call: str) -> None:
    """Neither behind a branch, nor in one, nor as the only statement."""
    found = '    if ctx.user:\n        return {"response": {"a": 1}}\n'
    assert [] == _codes(lint, f"{found}    {call}")
    assert [] == _codes(lint, f"{found}    else:\n        {call}")
    assert [] == _codes(lint, f"    {call}")


@pytest.mark.parametrize("call", RETURNING)
def test_a_handler_goes_on_behind_what_may_return(lint: Lint, call: str) -> None:
    """What raises sometimes, is not awaited or not known may be followed by nothing."""
    found = '    if ctx.user:\n        return {"response": {"a": 1}}\n'
    assert ["FED210"] == _codes(lint, f"{found}    {call}")
    assert ["FED210"] == _codes(lint, f"    {call}")


def test_a_branch_without_else_may_be_passed(lint: Lint) -> None:
    """A call that never returns ends only the branch in which it stands."""
    body = '    if ctx.user:\n        return {"response": {"a": 1}}\n    elif ctx.config:\n'
    assert ["FED210"] == _codes(lint, f"{body}        die('x')")


def test_a_branch_that_is_always_taken_ends(lint: Lint) -> None:
    """``if not LIVE:`` with a constant is passed by nobody; where it may be, the end is told."""
    found = 'return {"response": {"a": 1}}'
    assert [] == _codes(lint, f"    if not LIVE:\n        {found}")
    assert [] == _codes(lint, f"    if LIVE:\n        pass\n    else:\n        {found}")
    assert ["FED210"] == _codes(lint, f"    if LIVE:\n        {found}")
    assert ["FED210"] == _codes(lint, f"    if ctx.user:\n        {found}")
