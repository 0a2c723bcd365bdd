"""Strange text in Markdown: shown as it is, never read as markup, mention, link or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from ..console.escape import printable

_MARKUP = re.compile(r"([\\`*_{}\[\]#+!|~$])")
_BEGINS_BLOCK = re.compile(r"^(\d*)([.)=-])(?=[\s=-]|$)")
_LINKED = re.compile(r"([@#]|://|\bwww)(?=[\w.])")
_NOTHING = r"\1<!-- -->"
"""Ends a mention, a reference or an address before it begins, and is not shown."""


def prose(text: str) -> str:
    """Return a text as Markdown that shows it on one line."""
    shown = _MARKUP.sub(r"\\\1", escape(printable(text), quote=False))
    return _LINKED.sub(_NOTHING, _BEGINS_BLOCK.sub(r"\1\\\2", shown))


def inside_html(text: str) -> str:
    """Return a text for the inside of an HTML element, where Markdown is not read."""
    return _LINKED.sub(_NOTHING, escape(printable(text), quote=False))


def code(text: str) -> str:
    """Return a text as a code span, fit for a table."""
    shown = printable(text).replace("|", "\\|")
    fence = "`" * (_longest_run(shown) + 1)
    space = " " if shown[:1] in ("`", " ", "") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{space}{shown}{space}{fence}"


def fenced(text: str) -> str:
    """Return printable lines as a block that nothing in them can end."""
    fence = "`" * max(_longest_run(text) + 1, 3)
    return f"{fence}text\n{text}\n{fence}"


def row(cells: Iterable[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
