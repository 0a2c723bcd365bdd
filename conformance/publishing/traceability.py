"""From the sentences of the founding documents to the clauses that judge them, and back.

The sentences (``invariants/founding_documents.py``) are joined with the catalog and with the
broken kernels, so that a sentence without a judge, and a judge without a sentence, can be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ...invariants.catalog import clauses, own_invariants
from ...invariants.founding_documents import Document, Node, Statement, documents
from ...invariants.vocabulary.errors import CatalogError
from ...invariants.vocabulary.invariant import Clause, Invariant, Source
from ...invariants.vocabulary.near_names import did_you_mean

if TYPE_CHECKING:
    from ...fixtures.mutants import Mutant

REGENERATE = "fedcheck traceability --write docs"


class Judged(Node, frozen=True, kw_only=True):
    """A clause, the statements that it judges, and the broken kernels that it catches."""

    id: str
    level: Literal["MUST", "SHOULD"]
    sentence: str
    sources: tuple[str, ...]
    statements: tuple[str, ...]
    broken_kernels: tuple[str, ...]


class Traceability(Node, frozen=True, kw_only=True):
    """Every statement with its clauses, every clause with its statements."""

    documents: tuple[Document, ...]
    clauses: tuple[Judged, ...]
    format: Literal["fedcheck-traceability/1"] = "fedcheck-traceability/1"


def traceability() -> Traceability:
    """Join the documents, the own invariants (no plug-in's) and the broken kernels.

    Raises:
        DocumentError: a file of the package does not fit ``Document``.
        CatalogError: the statements contradict themselves or name a clause that is not there.
    """
    from ...fixtures.mutants import MUTANTS

    return joined(documents(), clauses(own_invariants()), MUTANTS)


def joined(
    papers: tuple[Document, ...],
    known: Mapping[str, tuple[Invariant, Clause]],
    mutants: Mapping[str, Mutant],
) -> Traceability:
    """Join documents, clauses and broken kernels.

    Args:
        papers: the documents with their statements.
        known: the clauses by id, each with its invariant.
        mutants: the broken kernels by name.

    Raises:
        CatalogError: the statements contradict themselves or name a clause that is not there;
            the message lists everything that is wrong.
    """
    wrong = [line for paper in papers for line in _mistakes(paper, known)]
    if wrong:
        raise CatalogError("invariants/traceability: " + "\n".join(wrong))
    return Traceability(
        documents=papers,
        clauses=tuple(_judged(key, *known[key], papers, mutants) for key in sorted(known)),
    )


def sources_of(invariant: Invariant, clause: Clause) -> tuple[Source, ...]:
    """Return where the documents make the promise of a clause."""
    return clause.sources or invariant.sources


def statements_at(papers: tuple[Document, ...], source: Source) -> tuple[Statement, ...]:
    """Return the statements of the section that a source cites; empty if there is none."""
    return tuple(
        statement
        for paper in papers
        if paper.document == source.document
        for section in paper.sections
        if section.cited_as(source.section)
        for statement in section.statements
    )


def untraced(
    papers: tuple[Document, ...], known: Mapping[str, tuple[Invariant, Clause]]
) -> Iterator[str]:
    """Tell which clauses have no statement, and which sources have none that leads back.

    A clause must be named in a section that it cites. What an invariant cites must name one of
    its clauses, what a clause cites for itself must name that clause.
    """
    clauses_of: dict[str, list[str]] = {}
    for clause_id, (invariant, clause) in known.items():
        clauses_of.setdefault(invariant.id, []).append(clause_id)
        sources = sources_of(invariant, clause)
        if not any(_names(papers, source, (clause_id,)) for source in sources):
            cited = "; ".join(map(str, sources)) or "no document"
            yield f"{clause_id}: cites {cited}; no statement there names it"
        for source in clause.sources:
            yield from _no_way_back(papers, source, clause_id, (clause_id,))
    for invariant in {invariant.id: invariant for invariant, _ in known.values()}.values():
        for source in invariant.sources:
            yield from _no_way_back(papers, source, invariant.id, clauses_of[invariant.id])


def _no_way_back(
    papers: tuple[Document, ...], source: Source, cites: str, clause_ids: Sequence[str]
) -> Iterator[str]:
    if not statements_at(papers, source):
        yield f"{cites}: cites the {source}, which has no statements"
    elif not _names(papers, source, clause_ids):
        yield f"{cites}: cites the {source}, where no statement names it"


def _names(papers: tuple[Document, ...], source: Source, clause_ids: Sequence[str]) -> bool:
    return any(set(clause_ids) & set(row.clauses) for row in statements_at(papers, source))


def _judged(
    clause_id: str,
    invariant: Invariant,
    clause: Clause,
    papers: tuple[Document, ...],
    mutants: Mapping[str, Mutant],
) -> Judged:
    rows = (row for paper in papers for row in paper.statements)
    return Judged(
        id=clause_id,
        level=clause.level,
        sentence=clause.sentence,
        sources=tuple(str(source) for source in sources_of(invariant, clause)),
        statements=tuple(row.id for row in rows if clause_id in row.clauses),
        broken_kernels=tuple(sorted(m.name for m in mutants.values() if clause_id in m.trips)),
    )


def _mistakes(paper: Document, known: Mapping[str, Any]) -> Iterator[str]:
    """The ids are a running number, so none is given twice and none is lost unseen."""
    for number, row in enumerate(paper.statements, 1):
        if row.id != f"{paper.prefix}-{number}":
            yield f"{row.id}: stands where {paper.prefix}-{number} should; number them in order"
        answers = (bool(row.clauses), bool(row.unobservable), bool(row.open))
        if sum(answers) != 1:
            yield f"{row.id}: give either clauses, or a reason in `unobservable` or in `open`"
        if set(row.editions) - set(paper.editions) or bool(row.editions) != bool(paper.editions):
            there = ", ".join(paper.editions) or "no editions"
            yield f"{row.id}: editions {list(row.editions)}; {paper.document} has {there}"
        yield from _unknown(row, known)


def _unknown(row: Statement, known: Mapping[str, Any]) -> Iterator[str]:
    for clause_id in row.clauses:
        if clause_id not in known:
            hint = did_you_mean(clause_id, known, "`fedcheck list` shows all of them")
            yield f"{row.id}: there is no clause {clause_id!r}; {hint}"
