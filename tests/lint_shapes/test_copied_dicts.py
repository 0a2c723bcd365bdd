"""A comprehension that copies a dict hands on what is in it."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = """
from collections import deque
from datetime import datetime


class Row(BaseModel):
    at: datetime


def compact(d):
    return {{k: v for k, v in d.items() if v is not None}}


@chat.function("f", "Tells")
async def f(ctx, p, row: Row):
    d = {{"at": datetime.now(), "n": p}}
    return ActionResult.success({}, "x")
"""


@pytest.mark.parametrize(
    "data",
    [
        "{k: v for k, v in d.items()}",
        "{k: v for k, v in d.items() if v}",
        '{k: v for k, v in d.items() if v not in (None, "", [])}',
        '{name: it for name, it in d.items() if it != ""}',
        "compact(d)",
        '{"row": compact({"a": 1, "at": datetime.now()})}',
        "compact(row.model_dump())",
        '{"last": deque(p, maxlen=5)}',
    ],
)
def test_what_is_copied_counts(lint: Lint, data: str) -> None:
    """What only leaves out what is empty leaves in what JSON cannot carry."""
    assert ["error"] == [item.severity for item in lint("FED402", HEAD.format(data))]


@pytest.mark.parametrize(
    "data",
    [
        "{k: str(v) for k, v in d.items()}",
        "{k: v for k, v in d.items() if isinstance(v, str)}",
        '{k: v for k, v in d.items() if k != "at"}',
        "{k: v for k, v in d.items() if k in p}",
        "{k: v for k, v in d.items() if v and k in p}",
        "{k: v for k, v in d.items() for p in p}",
        "{v: k for k, v in p.items()}",
        "{k: v for k, v in p.items()}",
        'compact({"a": 1})',
        '{"last": list(deque(p, maxlen=5))}',
        'compact(row.model_dump(mode="json"))',
    ],
)
def test_what_may_be_left_out_does_not(lint: Lint, data: str) -> None:
    """What is changed, chosen by key or by type, or not known."""
    assert () == lint("FED402", HEAD.format(data))
