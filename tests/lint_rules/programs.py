"""Small programs that end with a function."""

from __future__ import annotations

import textwrap


def with_body(head: str, body: str) -> str:
    """Return a program: what ends with the first line of a function, and its statements."""
    return f"{head}{textwrap.indent(body, '    ')}\n"
