"""What the kernel claims, as an OSCAL component definition."""

from __future__ import annotations

from collections.abc import Iterator

from ...invariants.vocabulary.verdict import Verdict
from ..record.ids import stable_uuid
from ..record.model import ClauseResult, RunRecord
from .catalog import oscal_catalog
from .parts import (
    Node,
    document_pieces,
    document_resource,
    kernel_component,
    metadata,
    objective,
    one_by_one,
    props,
    slim,
    token,
)


def oscal_component(record: RunRecord) -> Iterator[str]:
    """Yield the claims of the kernel of a run; whether they hold, assessment results say."""
    header = record.header
    catalog = stable_uuid("component", "catalog", header.run_id)
    body = {
        "uuid": stable_uuid("oscal-component", header.run_id),
        "metadata": metadata(
            f"Claims of {header.kernel.kernel}", header.started, header.kernel.version
        ),
        "components": [_component(record, catalog)],
        "back-matter": {
            "resources": [
                document_resource(catalog, "The invariants", "oscal-catalog", oscal_catalog(record))
            ]
        },
    }
    return document_pieces("component-definition", body)


def claimed(results: list[ClauseResult]) -> list[ClauseResult]:
    """Return the clauses that the kernel claims."""
    return [x for x in results if x.verdict is not Verdict.NOT_CLAIMED]


def _component(record: RunRecord, catalog: str) -> Node:
    requirements = one_by_one(
        _requirement(record, invariant, told)
        for invariant, results in record.by_invariant().items()
        if (told := claimed(results))
    )
    implementation = {
        "uuid": stable_uuid("implementation", record.header.run_id),
        "source": f"#{catalog}",
        "description": "The invariants whose capabilities the kernel claims.",
        "implemented-requirements": requirements,
    }
    node = kernel_component(record)
    node["control-implementations"] = [implementation] if requirements else []
    return slim(node)


def _requirement(record: RunRecord, invariant: str, results: list[ClauseResult]) -> Node:
    names = (("objective", objective(x.clause)) for x in results)
    return {
        "uuid": stable_uuid("requirement", record.header.run_id, invariant),
        "control-id": token(invariant),
        "description": "Claimed by its description; the clauses are named as objectives.",
        "props": props(names),
    }
