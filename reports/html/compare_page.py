"""Kernels beside each other as an HTML page."""

from __future__ import annotations

from ..record.side_by_side import SideBySide, evidence_words
from .bars import by_kernel
from .page import page


def compare_page(told: SideBySide) -> str:
    """Return the comparison as a self-contained page, the same for the same comparison."""
    return page(
        "compare.html.j2",
        title="Kernels compared",
        told=told,
        verdicts=by_kernel(told),
        rows=list(enumerate(told.rows)),
        differing=[(number, row) for number, row in enumerate(told.rows) if row.differs],
        evidence_words=evidence_words,
    )
