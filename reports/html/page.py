"""Pages from our templates: self-contained, with a policy that forbids requests.

Of scripts and styles it allows ours alone, by their digests.

Every text that a template puts into a page is made printable and escaped on its way.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from ...invariants.vocabulary.text import counted
from ..console.escape import printable
from ..record import verdict_words as words
from . import view

if TYPE_CHECKING:
    from jinja2 import Environment

TEXT_LIMIT = 2000
"""Characters shown of one text; only what is to be copied is shown whole."""

_BUFFERED = 500
"""Pieces of a template that are joined before they are written."""


def page(template: str, **context: Any) -> str:
    """Return a page rendered from a template of ours, with the style sheet and its policy."""
    return "".join(page_pieces(template, **context))


def page_pieces(template: str, *, filtered: bool = False, **context: Any) -> Iterator[str]:
    """Yield such a page piece by piece.

    Args:
        template: its name.
        filtered: whether it can be filtered. Only then does it have the rules and the one script
            of filters: to match these rules takes what makes the PDF minutes.
        context: what the template is given.
    """
    css = style_sheet() + (_source("filter.css") if filtered else "")
    script = _source("filter.js") if filtered else ""
    styles = {"css": css, "css_hash": _csp_hash(css)}
    scripts = {"script": script, "script_hash": _csp_hash(script)}
    stream = _environment().get_template(template).stream(**styles, **scripts, **context)
    stream.enable_buffering(_BUFFERED)
    for text in stream:
        yield text.encode("utf-8", "backslashreplace").decode("utf-8")


@cache
def style_sheet() -> str:
    """Return the style sheet of every page."""
    return _source("report.css")


@cache
def picture_styles() -> str:
    """Return the rules of pictures, with the colours of paper in place of variables.

    What makes the PDF applies no style sheet of the page inside of pictures.
    """
    css = style_sheet()
    _, _, of_print = css.partition("@media print")
    values = dict(re.findall(r"--([a-z-]+): ([^;]+);", of_print))
    rules = " ".join(line for line in css.splitlines() if line.startswith("svg "))
    told = re.sub(r"var\(--([a-z-]+)\)", lambda match: values[match[1]], rules)
    return told.replace(
        "font: 13px system-ui, sans-serif", "font-size: 13px; font-family: sans-serif"
    )


def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None  # noqa: S101  it was made with one
    return environment.loader.get_source(environment, name)[0]


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup, escape

    def finalize(value: object) -> object:
        """Make every text printable that is put into a page, wherever it comes from."""
        if isinstance(value, str) and not isinstance(value, Markup):
            return printable(value, limit=TEXT_LIMIT)
        return value

    def whole(text: str) -> Markup:
        """Show a text whole, because it is to be copied."""
        return escape(printable(text, limit=None))

    def breakable(text: str) -> Markup:
        """Let an id break behind its hyphens and slashes, where it is too long for a phone."""
        shown = escape(printable(text, limit=TEXT_LIMIT))
        return Markup(re.sub(r"([-/])(?=\w)", r"\1<wbr>", str(shown)))  # noqa: S704  escaped above

    environment = Environment(
        loader=PackageLoader(__package__ or "", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = {
        "anchor": view.anchor,
        "breakable": breakable,
        "colour": words.colour,
        "extent": words.extent,
        "number": "{:,}".format,
        "of": counted,
        "svg": Markup,
        "result": words.result_name,
        "verdict": words.verdict_name,
        "web_address": view.web_address,
        "whole": whole,
    }
    environment.filters.update(filters)
    return environment


def _csp_hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
