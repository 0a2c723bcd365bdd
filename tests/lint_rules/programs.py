"""Small programs that end with a function, and what is said of them."""

from __future__ import annotations

import textwrap

from fedcheck.reports.lint.findings import Finding


def with_body(head: str, body: str) -> str:
    """Return a program: what ends with the first line of a function, and its statements."""
    return f"{head}{textwrap.indent(body, '    ')}\n"


def only_error(found: tuple[Finding, ...]) -> str:
    """Return the message of the only finding, which is an error."""
    (one,) = found
    assert "error" == one.severity
    return one.message
