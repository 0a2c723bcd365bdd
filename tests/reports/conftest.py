"""A browser for the tests of pages."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from .chromium import Browser, chromium, find_chromium


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Return a real Chromium; without one the test is skipped, but not in CI."""
    path = find_chromium()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium was found, and CI=true: install the package chromium")
        pytest.skip("no Chromium was found: install the package chromium")
    with chromium(path, tmp_path_factory.mktemp("chromium")) as opened:
        yield opened
