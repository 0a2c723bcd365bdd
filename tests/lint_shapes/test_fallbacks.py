"""getattr with a default that asks for what may be missing, and what it takes instead."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
from imperal_sdk import ActionResult, Extension, ui

ext = Extension("notes")


@ext.panel("p")
async def p(ctx):
    user, store = ctx.user, ctx.store
"""


def _severities(lint: Lint, value: str) -> list[str]:
    found = lint("FED105", f"{HEAD}    x = {value}\n    return ui.Text(str(x))\n")
    return [item.severity for item in found]


@pytest.mark.parametrize(
    "value",
    [
        'getattr(user, "id", None) or user.imperal_id',
        'str(getattr(ctx.user, "id", "") or getattr(ctx.user, "imperal_id", ""))',
        'getattr(user, "id", None) or (user.email if user.email else "nobody")',
        'getattr(user, "id", user.imperal_id)',
        'getattr(user, "imperal_id", getattr(user, "id", ""))',
        'str(getattr(user, "email", getattr(user, "mail", None)))',
        'getattr(store, "query_page", store.query)',
        'callable(getattr(ui, "Buton", None))',
        'getattr(ui, "Buton", ui.Button)',
        'getattr(ui, "Buton", None) or ui.Button',
        'getattr(ActionResult, "ok", None) or ActionResult.success',
        'getattr(ActionResult, "ok", ActionResult.success)',
    ],
)
def test_what_exists_instead_makes_it_an_info(lint: Lint, value: str) -> None:
    """The author asks for a member of one release, and takes what every release has."""
    assert ["info"] == _severities(lint, value)


@pytest.mark.parametrize(
    "value",
    [
        'getattr(user, "id", None)',
        'getattr(user, "id", None) or "nobody"',
        'getattr(store, "email", getattr(user, "id", ""))',
        'str(getattr(user, "id", ""), getattr(user, "email"))',
        'getattr(user, "id", elsewhere.email)',
        'getattr(user, "id", None) or user.uid',
        'getattr(ActionResult, "ok", None) or ActionResult.status',
        'getattr(ActionResult, "ok", None) or ActionResult.succeed',
        'getattr(ActionResult, "ok", None) or user.email',
        'getattr(ui, "Buton", None) or ui.Buttn',
        'getattr(user, "id", None) or ctx.user_id',
        'getattr(user, "id", None) and user.imperal_id',
        'user.imperal_id and getattr(user, "id", None)',
        'bool(getattr(ui, "Buton", None))',
        'str(getattr(user, "id", ""))',
        'getattr(ui, "Buton", ui.Buttn) if False else getattr(user, "id", "")',
    ],
)
def test_a_default_that_is_always_taken_is_a_warning(lint: Lint, value: str) -> None:
    """Nothing of the same object stands behind it."""
    assert "warning" in _severities(lint, value)
