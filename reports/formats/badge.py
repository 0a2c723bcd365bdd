"""The record as a badge: one SVG image with the three words that matter."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from ..record.model import RunRecord
from ..record.outcome import CONFORMANT, NOT_JUDGED, VIOLATIONS

LABEL = "fedcheck"

_GREEN, _AMBER, _RED, _GREY = "#2b7a3d", "#8a6100", "#b3261e", "#5f6368"
_CHARACTER = 7
"""Rough width of a character, in pixels; ``textLength`` makes the text fit."""


def badge(record: RunRecord) -> str:
    """Return a record as SVG; it holds nothing that the kernel said."""
    words, colour = _message(record)
    left, right = (_width(text) for text in (LABEL, words))
    width = left + right
    title = f"{LABEL}: {words}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" '
        f"aria-label={quoteattr(title)}><title>{escape(title)}</title>"
        f'<rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
        'text-anchor="middle">'
        f"{_text(LABEL, left / 2, left)}{_text(words, left + right / 2, right)}"
        "</g></svg>\n"
    )


def _message(record: RunRecord) -> tuple[str, str]:
    told = record.summary
    counted = f"{told.passed}/{told.required}"
    waived = told.verdicts.get("waived", 0)
    match told.exit_code:
        case code if code == CONFORMANT and waived:
            return f"conformant {counted}, {waived} waived", _AMBER
        case code if code == CONFORMANT:
            return f"conformant {counted}", _GREEN
        case code if code == VIOLATIONS:
            return f"not conformant {counted}", _RED
        case code if code == NOT_JUDGED:
            return "not judged", _GREY
        case _:
            return "stopped", _GREY


def _width(text: str) -> int:
    return len(text) * _CHARACTER + 10


def _text(text: str, middle: float, width: int) -> str:
    return f'<text x="{middle:g}" y="14" textLength="{width - 10}">{escape(text)}</text>'
