"""``refresh_panels`` in an extension that has no panel, and where nobody knows that it has none."""

from __future__ import annotations

import pytest

from .conftest import Lint

SAVES = """
@chat.function("f", "Saves")
async def f(ctx, p):
    return ActionResult.success({}, "x", refresh_panels=["side"])
"""


@pytest.mark.parametrize(
    "before",
    [
        "",
        "import json\nimport kit\n\nprint(kit, json)\n",
        "# the panel is gone\n",
        'ext.secret("token", "Token")\n',
        '@ext.skeleton("notes")\nasync def notes(ctx):\n    return {}\n',
        "def twice(e: Extension) -> None:\n    ...\n",
    ],
)
def test_a_panel_of_nobody(lint: Lint, before: str) -> None:
    """Where the whole extension is seen and has no panel, it is a warning without a fix."""
    (found,) = lint("FED503", before + SAVES)
    assert ("warning", None) == (found.severity, found.fix)
    assert "has no panel, so that nothing is refreshed for 'side'" in found.text
