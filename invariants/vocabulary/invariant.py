"""What an invariant is made of: metadata, clauses, partitions, judges, scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast

from .parameters import Parameters
from .scenario import Scenario
from .verdict import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from .trace_view import TraceView

Judge = Callable[["TraceView"], Iterator[Finding]]
"""A pure function of a trace: yields what it compared and what it found broken."""


Provenance = Literal["founding", "documented", "changelog", "operator", "code"]
"""What a promise rests on, from the strongest: a founding document, a documented page, a
changelog, an operator's form, the code of a published package."""

PROVENANCES: tuple[Provenance, ...] = (
    "founding", "documented", "changelog", "operator", "code",
)  # fmt: skip
"""All of them, the strongest first."""


@dataclass(frozen=True)
class Source:
    """Where the promise is stated: document (``fact-ledger`` …), section, and what that is."""

    document: str
    section: str
    provenance: Provenance = "founding"

    def __str__(self) -> str:
        kind = "page" if self.provenance in ("founding", "documented") else self.provenance
        return f"{self.document} {kind}, {self.section}"


@dataclass(frozen=True)
class Contradiction:
    """Another published page that does not say what the founding documents do.

    Attributes:
        source: the page, form or package, and its section.
        says: what it says.
        reading: what is judged all the same, and why.
    """

    source: str
    says: str
    reading: str

    def __str__(self) -> str:
        return f"{self.source}: {self.says} {self.reading}"


@dataclass(frozen=True)
class Partition:
    """A named class of input that a verdict must have seen.

    ``input`` partitions are guaranteed by fixed scenarios and red when missing;
    ``observed`` ones depend on the kernel's choice and are only reported; so are ``choice``
    ones, which tell what a kernel does where the documents leave it open.
    """

    name: str
    description: str
    kind: Literal["input", "observed", "choice"] = "input"
    capabilities: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Clause:
    """One checkable sentence of an invariant.

    Attributes:
        name: stable name inside the invariant.
        sentence: the promise, in our words.
        judge: yields ``Compared`` and ``Violation`` for a trace.
        partitions: the classes of input that its verdict must have seen.
        level: ``MUST`` or ``SHOULD``; a broken SHOULD is reported and never red.
        capabilities: what the kernel must claim, beyond what the invariant needs.
        sources: where the documents say so; empty means the invariant's sources.
        contradictions: where other pages say otherwise.
    """

    name: str
    sentence: str
    judge: Judge
    partitions: tuple[Partition, ...] = ()
    level: Literal["MUST", "SHOULD"] = "MUST"
    capabilities: frozenset[str] = frozenset()
    sources: tuple[Source, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def only_rows(_parameters: Parameters) -> Iterable[Scenario]:
    """Return no scenarios: those of the invariant are the rows of its aspects."""
    return ()


def no_strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return a strategy that draws nothing: of what only recordings show, none can be run."""
    from hypothesis import strategies as st

    return cast("SearchStrategy[Scenario]", st.nothing())  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True)
class Invariant:
    """A named promise of the kernel.

    Attributes:
        id: ``I-…`` for a federal invariant, ``C-…`` for a contract that we named.
        title: a few words.
        statement: the promise, in our words.
        sources: where the documents state it.
        clauses: the checkable sentences.
        scenarios: returns the fixed scenarios for a kernel with these parameters; together
            with the rows of its aspects they reach every input partition.
        strategy: returns the Hypothesis strategy for further scenarios, likewise.
        capabilities: what the kernel must claim for the invariant to be judged.
        severity: how bad a breach is.
        rests_on: clause ids without which its own clauses have nothing to compare; when one
            of them fails, clauses that were not exercised are folded under it.
        reading: how contradictions between the documents are read, if there are any.
    """

    id: str
    title: str
    statement: str
    sources: tuple[Source, ...]
    clauses: tuple[Clause, ...]
    scenarios: Callable[[Parameters], Iterable[Scenario]]
    strategy: Callable[[Parameters], SearchStrategy[Scenario]]
    capabilities: frozenset[str] = frozenset()
    severity: Literal["critical", "high", "medium", "low"] = "high"
    reading: str = ""
    rests_on: tuple[str, ...] = ()
    clause_ids: tuple[str, ...] = field(init=False)

    def provenance(self, clause: Clause) -> Provenance:
        """Return the strongest thing on which a clause of this invariant rests."""
        found = {source.provenance for source in clause.sources or self.sources}
        for each in PROVENANCES:
            if each in found:
                return each
        return "founding"

    def __post_init__(self) -> None:
        ids = tuple(f"{self.id}/{clause.name}" for clause in self.clauses)
        object.__setattr__(self, "clause_ids", ids)
