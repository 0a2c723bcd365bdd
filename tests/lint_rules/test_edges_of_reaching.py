"""What decides which handlers reach a call: each case differs if one condition is left out."""

from __future__ import annotations

from collections.abc import Callable

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


def test_an_import_of_a_circle_is_not_moved(lint: Lint) -> None:
    """The other file imports this one in a function: at the top one would lack the other."""
    found = lint(
        "FED501",
        """
@ext.panel("p")
async def p(ctx):
    from helpers import load

    return load()
""",
        helpers__py="def load():\n    import main\n\n    return main.ext\n",
    )
    assert [item.fix for item in found] == [None, None]
