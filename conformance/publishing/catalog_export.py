"""The catalog of invariants for other programs: as OSCAL, and as plain JSON."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ...invariants.catalog import catalog, catalog_digest
from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.invariant import Clause, Invariant
from ...reports.oscal.catalog import Control, Objective, catalog_pieces

CATALOG_FORMAT = "fedcheck-catalog/1"


def oscal() -> str:
    """Return the catalog as an OSCAL catalog."""
    from ... import __version__

    digest = catalog_digest()
    controls = [_control(invariant) for invariant in catalog()]
    return "".join(
        catalog_pieces(
            ("installed", digest), "Invariants of fedcheck", _modified(), __version__, controls
        )
    )


def plain() -> str:
    """Return the catalog as JSON, for programs that know ours."""
    from ... import __version__

    document = {
        "format": CATALOG_FORMAT,
        "version": __version__,
        "digest": catalog_digest(),
        "invariants": [_plain(invariant) for invariant in catalog()],
    }
    return to_json(document, indent=2) + "\n"


EXPORTS: dict[str, Callable[[], str]] = {"oscal": oscal, "json": plain}
"""Format → what returns the catalog in it."""


def _control(invariant: Invariant) -> Control:
    pairs = zip(invariant.clause_ids, invariant.clauses, strict=True)
    return Control(
        id=invariant.id,
        title=invariant.title,
        statement=invariant.statement,
        severity=invariant.severity,
        reading=invariant.reading,
        sources=tuple(map(str, invariant.sources)),
        objectives=tuple(_objective(invariant, name, clause) for name, clause in pairs),
    )


def _objective(invariant: Invariant, clause_id: str, clause: Clause) -> Objective:
    return Objective(
        clause=clause_id,
        sentence=clause.sentence,
        level=clause.level,
        sources=tuple(map(str, clause.sources or invariant.sources)),
        provenance=invariant.provenance(clause),
        partitions=tuple(partition.name for partition in clause.partitions),
        contradictions=tuple(map(str, clause.contradictions)),
    )


def _plain(invariant: Invariant) -> dict[str, Any]:
    return {
        "id": invariant.id,
        "title": invariant.title,
        "statement": invariant.statement,
        "severity": invariant.severity,
        "reading": invariant.reading,
        "sources": [str(source) for source in invariant.sources],
        "capabilities": sorted(invariant.capabilities),
        "clauses": [
            _plain_clause(invariant, clause_id, clause)
            for clause_id, clause in zip(invariant.clause_ids, invariant.clauses, strict=True)
        ],
    }


def _plain_clause(invariant: Invariant, clause_id: str, clause: Clause) -> dict[str, Any]:
    return {
        "id": clause_id,
        "sentence": clause.sentence,
        "level": clause.level,
        "sources": [str(source) for source in clause.sources or invariant.sources],
        "provenance": invariant.provenance(clause),
        "contradictions": [str(each) for each in clause.contradictions],
        "capabilities": sorted(invariant.capabilities | clause.capabilities),
        "partitions": [
            {"name": x.name, "description": x.description, "kind": x.kind}
            for x in clause.partitions
        ],
    }


def _modified() -> str:
    """Return when the catalog was last changed.

    Raises:
        UsageError: SOURCE_DATE_EPOCH is no number of seconds.
    """
    told = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        seconds = float(int(told)) if told else _newest()
        moment = datetime.fromtimestamp(int(seconds), timezone.utc)
    except (OverflowError, OSError, ValueError):
        raise UsageError(f"SOURCE_DATE_EPOCH is {told!r}; give seconds since 1970") from None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _newest() -> float:
    folder = Path(__file__).resolve().parents[2] / "invariants"
    return max(path.stat().st_mtime for path in folder.rglob("*.py"))
