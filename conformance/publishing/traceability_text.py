"""The traceability table for people (Markdown) and for machines (JSON)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...invariants.founding_documents import Document, Section, Statement
from ...invariants.vocabulary import codec
from ...reports.console.files import writing
from .traceability import REGENERATE, Judged, Traceability

_INTRODUCTION = f"""\
# Traceability

Every normative sentence and table cell of the founding documents, and the sentences of further
pages, of a changelog and of published code on which clauses rest, in our words, with the clauses
that judge it, and the rules of the linter where it binds an author; then every clause, with the
broken kernels that it is seen to catch. A sentence that nobody judges says why. Made by
`{REGENERATE}`, with a twin for machines in [traceability.json](traceability.json); the sentences
themselves are kept in `invariants/traceability/`."""


def to_json(table: Traceability) -> str:
    """Return the table as JSON text, with a line feed at its end."""
    return codec.to_json(table, indent=2) + "\n"


def to_markdown(table: Traceability) -> str:
    """Return the table as Markdown, with a line feed at its end."""
    kernels = {clause.id: set(clause.broken_kernels) for clause in table.clauses}
    blocks = [_INTRODUCTION, *_overview(table)]
    for paper in table.documents:
        blocks += _document(paper, kernels)
    blocks += ["## Clauses and the broken kernels that they catch", *_clauses(table.clauses)]
    return "\n\n".join(blocks) + "\n"


def write(table: Traceability, folder: Path) -> tuple[Path, ...]:
    """Write ``traceability.md`` and ``traceability.json`` into a folder; return their paths.

    Raises:
        UsageError: the folder cannot be written.
    """
    texts = {"traceability.md": to_markdown(table), "traceability.json": to_json(table)}
    with writing(folder, "name another folder"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return tuple(folder / name for name in texts)


def _overview(table: Traceability) -> Iterator[str]:
    head = "| document | what it is | statements | judged | not observable | open |"
    lines = [head, "|---|---|---|---|---|---|"]
    for paper in table.documents:
        rows = tuple(paper.statements)
        judged = sum(bool(row.clauses) for row in rows)
        unobservable = sum(bool(row.unobservable) for row in rows)
        still_open = sum(bool(row.open) for row in rows)
        lines.append(
            f"| {paper.document} | {paper.provenance} | {len(rows)} | {judged} | {unobservable} "
            f"| {still_open} |"
        )
    yield "\n".join(lines)
    kernels = {name for clause in table.clauses for name in clause.broken_kernels}
    yield f"{len(table.clauses)} clauses, {len(kernels)} broken kernels."


def _document(paper: Document, kernels: dict[str, set[str]]) -> Iterator[str]:
    kind = "page" if paper.provenance in ("founding", "documented") else paper.provenance
    yield f"## The {paper.document} {kind}: {paper.title}"
    if paper.editions:
        yield "\n".join(f"- **{name}** edition: {what}" for name, what in paper.editions.items())
    for section in paper.sections:
        yield f"### {section.heading}"
        if section.also:
            yield f"In another edition: {section.also}."
        yield _section(section, kernels)


def _section(section: Section, kernels: dict[str, set[str]]) -> str:
    lines = [
        "| id | statement | judged by | judged by lint rule | broken kernels |",
        "|---|---|---|---|---|",
    ]
    for row in section.statements:
        caught = set[str]().union(*(kernels[clause] for clause in row.clauses))
        count = str(len(caught)) if row.clauses else ""
        rules = ", ".join(f"[{rule}](rules/{rule}.md)" for rule in row.rules)
        lines.append(f"| {row.id} | {_said(row)} | {_answer(row)} | {rules} | {count} |")
    return "\n".join(lines)


def _said(row: Statement) -> str:
    only = f" *({row.editions[0]} edition)*" if len(row.editions) == 1 else ""
    return _cell(row.statement) + only


def _answer(row: Statement) -> str:
    if row.unobservable:
        return f"*Not observable.* {_cell(row.unobservable)}"
    if row.open:
        return f"*Open.* {_cell(row.open)}"
    judges = ", ".join(f"[{clause}](#{_anchor(clause)})" for clause in row.clauses)
    return f"{judges}. {_cell(row.note)}".rstrip() if row.note else judges


def _clauses(judged: tuple[Judged, ...]) -> Iterator[str]:
    for clause in judged:
        yield f"### {clause.id}"
        level = "" if clause.level == "MUST" else f" ({clause.level})"
        yield f"{clause.sentence}{level}"
        names = ", ".join(f"`{name}`" for name in clause.broken_kernels)
        yield "\n".join(
            (
                f"- Sources: {'; '.join(clause.sources)}",
                f"- Statements: {', '.join(clause.statements) or 'none'}",
                f"- Broken kernels ({len(clause.broken_kernels)}): {names or 'none'}",
            )
        )


def _anchor(heading: str) -> str:
    """The fragment that Markdown viewers give a heading: no punctuation but hyphens."""
    return "".join(c for c in heading.lower() if c.isalnum() or c in "-_")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
