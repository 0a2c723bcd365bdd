"""Invariants as an OSCAL catalog: one control each, with one assessment objective per clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..record.ids import stable_uuid
from ..record.model import RunRecord
from .parts import (
    RMF,
    Node,
    document_pieces,
    markup,
    metadata,
    objective,
    one_by_one,
    prop,
    props,
    slim,
    token,
)


class Objective(NamedTuple):
    """A clause, as far as a catalog tells of it."""

    clause: str
    sentence: str
    level: str
    sources: tuple[str, ...] = ()
    provenance: str = "founding"
    partitions: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()


class Control(NamedTuple):
    """An invariant, as far as a catalog tells of it."""

    id: str
    title: str
    objectives: tuple[Objective, ...]
    statement: str = ""
    severity: str = ""
    reading: str = ""
    sources: tuple[str, ...] = ()


def catalog_pieces(
    name: tuple[str, ...], title: str, modified: str, version: str, controls: Iterable[Control]
) -> Iterator[str]:
    """Yield a catalog piece by piece.

    Args:
        name: what makes its UUID.
        title: of the catalog.
        modified: when what it holds was last changed, ISO 8601 with a zone.
        version: of what it holds.
        controls: what it holds.
    """
    body = {
        "uuid": stable_uuid("oscal-catalog", *name),
        "metadata": metadata(title, modified, version),
        "controls": one_by_one(map(_control, controls)),
    }
    return document_pieces("catalog", slim(body))


def record_controls(record: RunRecord) -> Iterator[Control]:
    """Yield the invariants of a record, as far as it tells of them."""
    for invariant, results in record.by_invariant().items():
        objectives = (
            Objective(
                clause=x.clause,
                sentence=x.sentence,
                level=x.level,
                sources=x.sources,
                provenance=x.provenance,
                partitions=(*x.partitions, *x.missing_partitions),
                sentences=tuple(x.sentences),
                contradictions=x.contradictions,
            )
            for x in results
        )
        yield Control(id=invariant, title=invariant, objectives=tuple(objectives))


def oscal_catalog(record: RunRecord) -> Iterator[str]:
    """Yield the invariants that a run judged as an OSCAL catalog."""
    header = record.header
    return catalog_pieces(
        ("run", header.run_id),
        f"Invariants judged by {header.suite.name}",
        header.started,
        header.suite.version,
        record_controls(record),
    )


def _control(control: Control) -> Node:
    name = token(control.id)
    node = {
        "id": name,
        "class": "invariant",
        "title": markup(control.title),
        "props": props((("label", control.id), ("severity", control.severity), *_sources(control))),
        "parts": [
            *_prose(f"{name}_smt", "statement", control.statement),
            *_prose(f"{name}_gdn", "guidance", control.reading),
            *(_objective(x) for x in control.objectives),
            _method(name),
        ],
    }
    return slim(node)


def _sources(told: Control | Objective) -> Iterator[tuple[str, str]]:
    return (("source", source) for source in told.sources)


def _prose(part_id: str, name: str, text: str) -> list[Node]:
    return [{"id": part_id, "name": name, "prose": markup(text)}] if text else []


def _objective(told: Objective) -> Node:
    rests = ("provenance", told.provenance)
    values = (("label", told.clause), ("level", told.level), rests, *_sources(told))
    seen = (("partition", name) for name in told.partitions)
    judged = (("sentence", name) for name in told.sentences)
    name = objective(told.clause)
    against = [
        part
        for number, text in enumerate(told.contradictions, 1)
        for part in _prose(f"{name}_gdn-{number}", "guidance", f"Contradicted by {text}")
    ]
    node = {
        "id": name,
        "name": "assessment-objective",
        "props": props((*values, *judged, *seen)),
        "prose": markup(told.sentence),
        "parts": against,
    }
    return slim(node)


def _method(control: str) -> Node:
    return {
        "id": f"{control}_test",
        "name": "assessment-method",
        "props": prop("method", "TEST", ns=RMF),
        "prose": "A conformance suite drives the kernel and judges the trace.",
    }
