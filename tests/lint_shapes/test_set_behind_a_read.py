"""FED105 and FED113: what the extension sets only behind a read does not help the read."""

from __future__ import annotations

import pytest

from .conftest import Lint

PATCH = "def patched(*given):\n    return {}\n\n\n"
READS = {
    "before = chat._handle\nchat._handle = patched": True,
    "chat._handle = chain(chat._handle, patched)": True,
    "before = chat._handle\nsetattr(chat, '_handle', patched)": True,
    "def wrap():\n    before = chat._handle\n    chat._handle = patched\n    return before": True,
    "chat._handle = patched\nbefore = chat._handle": False,
    "for _ in range(2):\n    before = chat._handle\n    chat._handle = patched": False,
    "before = chat._handle\n\n\ndef wrap():\n    chat._handle = patched": False,
    "def wrap():\n    return chat._handle\n\n\nchat._handle = patched": False,
    "before = chat._handle\nchat._handle = patched\nother = chat._handle": True,
}


@pytest.mark.parametrize(("text", "is_told"), READS.items())
def test_a_removed_method_that_is_wrapped(lint: Lint, text: str, is_told: bool) -> None:
    """``before = chat._handle`` fails before anything is put in its place."""
    found = lint("FED113", f"{PATCH}chain = max\n{text}\n")
    assert ["error"] * is_told == [item.severity for item in found]


def test_a_public_name_likewise(lint: Lint) -> None:
    """``ActionResult.ok`` is read, and then given to the class."""
    read = "make = ActionResult.ok\n"
    given = "ActionResult.ok = staticmethod(print)\n"
    assert ["FED105"] == [item.code for item in lint("FED105", read + given)]
    assert () == lint("FED105", given + read)
