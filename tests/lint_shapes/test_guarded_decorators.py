"""Guards around functions whose decorators, defaults or bases use what may be missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import contextlib

from imperal_sdk import ActionResult, ChatExtension, Extension

ext = Extension("notes")
other = Extension("more")
chat = ChatExtension(ext, tool_name="notes", description="Notes of the user.")

"""
DECORATED = "@ext.on_refresh\n    async def refresh(ctx): ..."
USES = {
    "if hasattr(ext, 'on_refresh'):\n    {}": "info",
    "if hasattr(ext, 'tabs'):\n    {}": "error",
    "if hasattr(other, 'on_refresh'):\n    {}": "error",
    "if not hasattr(ext, 'on_refresh'):\n    {}": "error",
    "try:\n    {}\nexcept AttributeError:\n    pass": "info",
    "try:\n    {}\nexcept KeyError:\n    pass": "error",
    "try:\n    pass\nexcept AttributeError:\n    {}": "error",
    "with contextlib.suppress(AttributeError):\n    {}": "info",
    "with contextlib.suppress(KeyError):\n    {}": "error",
    "if True:\n    {}": "error",
}
"""Code around a decorated function → severity of what the decorator uses."""
PLACES = {
    "def f(x=ext.on_refresh): ...": "info",
    "def f(*, x=ext.on_refresh): ...": "info",
    "def f(x: ext.on_refresh): ...": "info",
    "def f() -> ext.on_refresh: ...": "info",
    "f = lambda x=ext.on_refresh: x": "info",
    "class F(ext.on_refresh): ...": "info",
    "@ext.on_refresh\n    class F: ...": "info",
    "@ext.on_refresh('a')\n    def f(): ...": "info",
    "def f():\n        return ext.on_refresh": "error",
    "f = lambda: ext.on_refresh": "error",
    "def f():\n        @ext.on_refresh\n        def g(): ...": "error",
}
"""Use → severity, where ``except AttributeError`` stands around the definition."""


@pytest.mark.parametrize("around", USES)
def test_a_guard_holds_for_a_decorator(lint: Lint, around: str) -> None:
    """A decorator runs where its function stands."""
    found = lint("FED105", HEAD + around.format(DECORATED) + "\n")
    own = [item for item in found if item.message.startswith("ext.on_refresh:")]
    assert [USES[around]] == [item.severity for item in own]


@pytest.mark.parametrize("place", PLACES)
def test_only_a_body_runs_later(lint: Lint, place: str) -> None:
    """Decorators, defaults, annotations and bases run at once, a body when it is called."""
    (found,) = lint("FED105", f"{HEAD}try:\n    {place}\nexcept AttributeError:\n    pass\n")
    assert PLACES[place] == found.severity


def test_a_guard_in_a_function_holds_for_a_decorator_in_it(lint: Lint) -> None:
    """What leaves first settles it for the rest of the block, not for a block elsewhere."""
    text = "def f():\n    if not hasattr(ext, 'on_refresh'):\n        return\n    @ext.on_refresh\n"
    text += (
        "    async def g(ctx): ...\n\n\ndef h():\n    @ext.on_refresh\n    async def g(ctx): ...\n"
    )
    found = lint("FED105", HEAD + text)
    own = [item for item in found if item.message.startswith("ext.on_refresh:")]
    assert ["info", "error"] == [item.severity for item in own]


@pytest.mark.parametrize(
    ("around", "severity"),
    [
        ("try:\n    {}\nexcept TypeError:\n    pass\n", "info"),
        ("with contextlib.suppress(TypeError):\n    {}\n", "info"),
        ("try:\n    {}\nexcept ValueError:\n    pass\n", "error"),
        ("if True:\n    {}\n", "error"),
    ],
)
def test_a_refused_decorator_is_expected(lint: Lint, around: str, severity: str) -> None:
    """Who catches ``TypeError`` around a decorated function knows that the call may be refused."""
    use = "@chat.function('a', 'Does what a says.', cost=5)\n    async def a(ctx, p): ..."
    (found,) = lint("FED108", HEAD + around.format(use))
    assert severity == found.severity
