"""Answers to ``hasattr`` that a dict or an object keeps."""

from __future__ import annotations

import pytest

from .conftest import Lint

TEXT = """
KNOWN = {{"ok": hasattr(ActionResult, "ok"), "of": hasattr(ActionResult, "of")}}
OTHER = {{"of": hasattr(ActionResult, "of")}}


class Notes:
    def __init__(self, ctx):
        self.known = hasattr(ActionResult, "ok")
        self.other = hasattr(ctx, "other")

    async def find(self):
        if {0}:
            return ActionResult.ok({{}})
        return ActionResult.success({{}}, "Nothing")


@ext.panel("p")
async def p(ctx):
    return await Notes(ctx).find()
"""


def _told(lint: Lint, asked: str) -> list[str]:
    found = lint("FED105", TEXT.format(asked))
    return [item.severity for item in found if item.message.startswith("ActionResult.ok:")]


@pytest.mark.parametrize("asked", ["self.known", 'KNOWN["ok"]', 'KNOWN.get("ok")'])
def test_what_is_asked_for_once(lint: Lint, asked: str) -> None:
    """What an object or a dict says to be there is used only where it is."""
    assert ["info"] == _told(lint, asked)


@pytest.mark.parametrize("asked", ["self.other", "not self.known", 'OTHER["of"]'])
def test_what_is_asked_for_otherwise(lint: Lint, asked: str) -> None:
    """The answer to another question, or the opposite one, protects nothing."""
    assert ["error"] == _told(lint, asked)
