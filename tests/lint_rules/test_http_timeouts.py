"""Timeouts that ``ctx.http`` compares with its limits."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest


@pytest.mark.parametrize(
    "timeout", ["30", b"30", timedelta(seconds=30), (5, 30), [30], {"read": 1}]
)
def test_the_published_client_raises(timeout: object) -> None:
    """TypeError, before anything is sent."""
    client = pytest.importorskip("imperal_sdk.http.client").HTTPClient()
    with pytest.raises(TypeError):
        asyncio.run(client.get("http://localhost:9", timeout=timeout))
