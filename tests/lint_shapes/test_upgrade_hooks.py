"""FED527: hooks of upgrades, and what the SDK's own validator says of them."""

from __future__ import annotations

import pytest

from .conftest import Lint
from .declaration_parts import HEAD, refused

HOOKS = {
    "@ext.on_upgrade\nasync def up(ctx, from_version): ...\n": ["error"],
    "@ext.on_upgrade\ndef up(ctx): ...\n": ["error"],
    "async def up(ctx, from_version): ...\next.on_upgrade(up)\n": ["error"],
    "async def up(ctx, from_version): ...\next.on_upgrade('1.1.0')(up)\n": [],
    "async def up(ctx): ...\next.on_upgrade('1.1.0')(up)\n": ["info"],
    "@ext.on_upgrade('1.1.0')\nasync def up(ctx, *, from_version=''): ...\n": [],
    "@ext.on_upgrade('1.1.0')\nasync def up(ctx, version): ...\n": ["info"],
    "@ext.on_upgrade(load())\nasync def up(ctx, **kwargs): ...\n": [],
    "@ext.on_install\nasync def up(ctx): ...\n": [],
    "@chat.on_upgrade\nasync def up(ctx): ...\n": [],
}


@pytest.mark.parametrize("text", HOOKS)
def test_a_hook_names_its_version(lint: Lint, text: str) -> None:
    """Hooks that are lost are errors, those that are not told the old version infos."""
    found = lint("FED527", f"{HEAD}\n\n{text}")
    assert HOOKS[text] == [item.severity for item in found]


@pytest.mark.parametrize("text", [text for text, said in HOOKS.items() if said])
def test_the_validator_refuses_no_hook(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """The SDK says nothing of hooks; when it does, FED527 has to say more."""
    assert set() == refused(f"{HEAD}\n\n{text}", monkeypatch, frozenset({"V22"}))
