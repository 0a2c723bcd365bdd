"""The parts of small extensions whose handlers come to a read of the skeleton."""

from __future__ import annotations

from textwrap import indent

from fedcheck.reports.lint.findings import Finding

from .conftest import Lint

Code = str | tuple[str, dict[str, str]]
"""The text of main.py, in which ``@HANDLER`` stands for a decorator, and further files."""
_HANDLER = """
@HANDLER
async def show(ctx, kind=""):
{}
"""


def show(body: str) -> str:
    """Return the handler with a body."""
    return _HANDLER.format(indent(body.strip(), "    "))


def found(lint: Lint, code: Code, handler: str = "") -> list[Finding]:
    """Return what FED201 says of code, with a decorator in the place of ``@HANDLER``."""
    text, files = (code, {}) if isinstance(code, str) else code
    return [*lint("FED201", text.replace("@HANDLER", handler), **files)]
