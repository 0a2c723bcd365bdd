"""A breach in the manifest is shown where the manifest says it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

CODE = """
from pydantic import BaseModel


class Count(BaseModel):
    total: int = 0


@chat.function("count", description="Counts", action_type="read", data_model=Count)
async def count(ctx):
    return ActionResult.success(data=Count(), summary="Counted")
"""


@pytest.mark.parametrize(
    ("before", "line"),
    [({}, 4), ({"category": "tools"}, 5), ({"note": 'the "tools" of all'}, 5)],
)
def test_missing_functions_are_shown_at_the_list(
    lint: Lint, before: dict[str, str], line: int
) -> None:
    """The list of tools is marked, not a text of the same letters."""
    manifest = {"app_id": "notes", "sdk_version": "6.3.7", **before, "tools": []}
    found = lint("FED506", CODE, imperal__json=json.dumps(manifest, indent=2))
    assert [(item.code, item.span.line) for item in found] == [("FED506", line)]
