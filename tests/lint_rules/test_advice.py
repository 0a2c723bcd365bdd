"""Each message ends with what to write instead, fitting what was written."""

from __future__ import annotations

import pytest

from fedcheck.lint.sdk_use.reach import IN_TESTS, LACKING


def test_the_mocks_lack_what_pages_say() -> None:
    """The sentence names what both mocks do not have."""
    mocks = pytest.importorskip("imperal_sdk.testing.mock_context")
    classes = (mocks.MockStore, mocks.MockNotify)
    assert [] == [name for cls in classes for name in LACKING if hasattr(cls, name)]
    assert all(f"`{name}`" in IN_TESTS for name in (*LACKING, *(it.__name__ for it in classes)))
