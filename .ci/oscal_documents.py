"""Writes OSCAL documents of sample records into the trestle workspace that its argument names.

    python .ci/oscal_documents.py WORKSPACE && cd WORKSPACE && trestle validate --all

compliance-trestle pins versions of its own, so it lives in an environment of its own, and this
script runs in the one that has fedcheck.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "formats"))

from records import RECORDS

from fedcheck.conformance.publishing.catalog_export import oscal
from fedcheck.reports.formats.registry import render

KINDS = {
    "oscal": ("assessment-results", "assessment-results.json"),
    "oscal-plan": ("assessment-plans", "assessment-plan.json"),
    "oscal-component": ("component-definitions", "component-definition.json"),
    "oscal-catalog": ("catalogs", "catalog.json"),
}
"""Format → folder and file in a trestle workspace."""

workspace = Path(sys.argv[1])


def put(form: str, name: str, data: bytes) -> None:
    """Write one document where trestle looks for its kind."""
    folder, file = KINDS[form]
    target = workspace / folder / name / file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    print(target.relative_to(workspace))


put("oscal-catalog", "installed", oscal().encode("ascii"))
for title, record in RECORDS.items():
    for kind in KINDS:
        put(kind, title, render(kind, record))
