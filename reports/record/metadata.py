"""What a record takes from the catalog for each clause."""

from __future__ import annotations

from typing import Literal, TypedDict

from ...invariants.founding_documents import sentences_by_clause
from ...invariants.vocabulary.invariant import Clause, Invariant, Provenance
from .model import Severity


class ClauseMetadata(TypedDict):
    """What a record takes from the catalog for each clause."""

    sentence: str
    sources: tuple[str, ...]
    provenance: Provenance
    severity: Severity
    sentences: dict[str, str]
    level: Literal["MUST", "SHOULD"]
    capabilities: tuple[str, ...]
    classes: dict[str, tuple[str, ...]]
    choices: tuple[str, ...]
    contradictions: tuple[str, ...]
    rests_on: tuple[str, ...]


def clause_metadata(invariant: Invariant, clause: Clause) -> ClauseMetadata:
    """Return what a record says of a clause, whatever the kernel."""
    return ClauseMetadata(
        sentence=clause.sentence,
        sources=tuple(str(source) for source in clause.sources or invariant.sources),
        provenance=invariant.provenance(clause),
        severity=invariant.severity,
        sentences=sentences_by_clause().get(f"{invariant.id}/{clause.name}", {}),
        level=clause.level,
        capabilities=tuple(sorted(invariant.capabilities | clause.capabilities)),
        classes={
            each.name: tuple(sorted(each.capabilities))
            for each in clause.partitions
            if each.kind == "input"
        },
        choices=tuple(each.name for each in clause.partitions if each.kind == "choice"),
        contradictions=tuple(map(str, clause.contradictions)),
        rests_on=invariant.rests_on,
    )
