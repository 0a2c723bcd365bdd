"""The documents that make promises, sentence by sentence in our words, and what judges each.

They are data of the package (``traceability/<document>.json``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

from .vocabulary import codec
from .vocabulary.invariant import Provenance


class Node(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of what stands in a file: named fields only, no unknown field."""


class Statement(Node, frozen=True, kw_only=True):
    """One normative sentence or table cell of a document, in our words.

    Attributes:
        id: prefix of the document and running number, such as ``FL-12``.
        statement: what it says.
        editions: names of the editions that say it; empty where there is one edition only.
        clauses: ids of the clauses that judge it, or a part of it.
        unobservable: why no adapter could see whether it holds.
        open: what could be judged, but is not yet, and why.
        note: how it is read, and which part of it stays without a judge.
        rules: ids of the rules of the linter that judge it, where it binds an author.
    """

    id: str
    statement: str
    editions: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    unobservable: str = ""
    open: str = ""
    note: str = ""
    rules: tuple[str, ...] = ()


class Section(Node, frozen=True, kw_only=True):
    """The statements below one heading.

    Attributes:
        heading: the heading as the document has it.
        statements: what the section says, in order.
        also: its heading in another edition, if that has another.
        within: the heading above it, if there is one.
    """

    heading: str
    statements: tuple[Statement, ...]
    also: str = ""
    within: str = ""

    def cited_as(self, section: str) -> bool:
        """Whether a source means this section: by one of its headings, or how one begins."""
        return any(h.startswith(section) for h in (self.heading, self.also, self.within) if h)


class Document(Node, frozen=True, kw_only=True):
    """A document as it stands in its file.

    Attributes:
        document: the name by which sources cite it.
        prefix: how the ids of its statements begin.
        title: its title.
        editions: name of an edition → what tells it apart.
        sections: its sections, in order.
        provenance: what kind of document it is.
    """

    document: str
    prefix: str
    title: str
    sections: tuple[Section, ...]
    editions: dict[str, str] = {}
    provenance: Provenance = "founding"

    @property
    def statements(self) -> Iterator[Statement]:
        """The statements of all sections, in order."""
        return (statement for section in self.sections for statement in section.statements)


def documents() -> tuple[Document, ...]:
    """Return the founding documents, by name.

    Raises:
        DocumentError: a file of the package does not fit ``Document``.
    """
    folder = files(__package__ or __name__).joinpath("traceability")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return tuple(
        codec.decode(folder.joinpath(name).read_bytes(), Document, f"traceability/{name}")
        for name in names
    )


@cache
def sentences_by_clause() -> dict[str, dict[str, str]]:
    """Return the sentences that each clause judges: clause id → statement id → statement.

    Raises:
        DocumentError: a file of the package does not fit ``Document``.
    """
    found: dict[str, dict[str, str]] = {}
    for paper in documents():
        for row in paper.statements:
            for clause in row.clauses:
                found.setdefault(clause, {})[row.id] = row.statement
    return found
