"""Attributes of what the fields of SDK objects hold, and whether those of the SDK have them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from fedcheck.lint.engine import CheckResult

sdk = pytest.importorskip("imperal_sdk", reason="needs the extra `sdk`")

Check = Callable[..., CheckResult]

ASKED = (
    "ctx.time.now_utc.isoformat", "ctx.time.now_utc.replace", "ctx.time.now_local.strftime",
    "ctx.time.hour_local.real", "ctx.time.hour_local.hour", "ctx.time.timezone.key",
    "ctx.user.role.name", "ctx.user.role.title", "ctx.user.scopes.has", "ctx.user.scopes.count",
    "ctx.user.attributes.plan", "ctx.user.attributes.get", "ctx.user.is_active.real",
    "ctx.user.email.domain", "note.data.title", "note.data.items", "note.created_at.date",
    "note.created_at.split", "page.data.title", "page.data.copy", "page.data.get",
    "answer.status_code.value", "answer.status_code.bit_length", "answer.headers.content_type",
    "answer.headers.get", "page.has_more.value",
)  # fmt: skip


def objects() -> dict[str, Any]:
    """Return objects as the SDK makes them."""
    models = import_module("imperal_sdk.types.models")
    pages = import_module("imperal_sdk.types.pagination")
    times = import_module("imperal_sdk.context").TimeContext(now_utc="2026-01-02T03:04:05Z")
    user = sdk.UserContext(imperal_id="imp_u_1", email="a@b.c", tenant_id="t", role="user")
    note = models.Document(id="1", collection="notes", data={}, created_at="2026-01-02")
    return {
        "ctx": SimpleNamespace(time=times, user=user),
        "note": note,
        "page": pages.Page(data=[note]),
        "answer": models.HTTPResponse(status_code=200, body={}, headers={}),
    }


@pytest.mark.parametrize("asked", ASKED)
def test_exactly_what_is_not_there_is_told(check_files: Check, asked: str) -> None:
    """An error where the value of the real object lacks the attribute."""
    owner, _, name = asked.rpartition(".")
    lacks = not hasattr(eval(owner, objects()), name)  # noqa: S307 - written above
    text = (
        "from imperal_sdk import Extension\n\next = Extension('notes')\n\n\n"
        "@ext.panel('p')\nasync def p(ctx):\n    note = await ctx.store.get('notes', '1')\n"
        "    page = await ctx.store.query('notes')\n    answer = await ctx.http.get('u')\n"
        f"    return note, page, answer, {asked}\n"
    )
    found = check_files({"main.py": text}, codes=frozenset({"FED115"}))
    assert ["error"] * lacks == [item.severity for item in found.findings]
