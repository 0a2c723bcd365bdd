"""Panels to refresh that stand in a dict which is spread: ``**extra``."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
def mend(extra):
    extra["refresh_panels"] = ["real"]


@ext.panel("real")
async def real(ctx):
    return None


@chat.function("f", "Tells")
async def f(ctx, p):
    {0}
    return ActionResult.success({{"a": 1}}, "x", **{1})
"""
NOPE = '{"refresh_panels": ["nope"]}'
REAL = '{"refresh_panels": ["real"]}'
BAD: dict[str, tuple[str, str, str]] = {
    "display": ("pass", NOPE, "error"),
    "name": (f"extra = {NOPE}", "extra", "error"),
    "item": ('extra = {}; extra["refresh_panels"] = ["nope"]', "extra", "error"),
    "item if asked": (
        'extra = {}\n    if p:\n        extra["refresh_panels"] = ["nope"]',
        "extra",
        "error",
    ),
    "dict": ('extra = dict(refresh_panels=["nope"])', "extra", "error"),
    "update": ('extra = {}; extra.update(refresh_panels=["nope"])', "extra", "error"),
    "one of two": (f"extra = {{}}\n    if p:\n        extra = {NOPE}", "extra", "warning"),
    "chosen": ("pass", f"({NOPE} if p else {REAL})", "warning"),
    "joined": (f"extra = {NOPE}", '{**extra, "message": "x"}', "error"),
}
GOOD: dict[str, tuple[str, str]] = {
    "known": (f"extra = {REAL}", "extra"),
    "another key": ('extra = {"ui": ["nope"]}', "extra"),
    "replaced": (f'extra = {NOPE}; extra["refresh_panels"] = ["real"]', "extra"),
    "replaced in the display": (f"extra = {NOPE}", '{**extra, "refresh_panels": ["real"]}'),
    "updated": (f'extra = {NOPE}; extra.update(refresh_panels=["real"])', "extra"),
    "taken out": (f'extra = {NOPE}; extra.pop("refresh_panels")', "extra"),
    "deleted": (f'extra = {NOPE}; del extra["refresh_panels"]', "extra"),
    "cleared": (f"extra = {NOPE}; extra.clear()", "extra"),
    "mended elsewhere": (f"extra = {NOPE}; mend(extra)", "extra"),
    "changed inside": (f'extra = {NOPE}; extra["refresh_panels"][0] = "real"', "extra"),
    "changed by a name": (
        f'extra = {NOPE}; names = extra["refresh_panels"]; names[:] = ["real"]',
        "extra",
    ),
    "rebound": (f"extra = {NOPE}; extra = {REAL}", "extra"),
    "filtered": (f"extra = {NOPE}", "{k: ['real'] for k in extra}"),
    "given": ("extra = p.extra", "extra"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_dict_that_is_spread_is_read(lint: Lint, name: str) -> None:
    """A name of no panel is one, however the keyword is written."""
    before, given, severity = BAD[name]
    found = lint("FED503", HEAD.format(before, given))

    assert [("FED503", severity)] == [(item.code, item.severity) for item in found]


@pytest.mark.parametrize("name", GOOD)
def test_a_dict_that_is_mended_first_is_silent(lint: Lint, name: str) -> None:
    """What is replaced, taken out or perhaps changed before it is spread does not count."""
    before, given = GOOD[name]

    assert () == lint("FED503", HEAD.format(before, given))


def test_other_calls_are_silent(lint: Lint) -> None:
    """Only calls of the SDK refresh panels."""
    text = HEAD.format("pass", NOPE).replace("ActionResult.success", "p.success")

    assert () == lint("FED503", text)
