"""Code behind a question for the version of the SDK."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.sdk_use.versions import Unreadable, called, compared, item_of


@pytest.mark.parametrize(
    "act",
    [
        lambda: called("eval", "1"),
        lambda: called("format", "{}", 1, method=True),
        lambda: called("split", 1, method=True),
        lambda: item_of({"a": 1}, "a"),
        lambda: compared(type("Other", (), {})(), 1, 2),
    ],
)
def test_nothing_else_is_carried_out(act: Callable[[], object]) -> None:
    """Only what takes a version apart is known."""
    with pytest.raises(Unreadable):
        act()
