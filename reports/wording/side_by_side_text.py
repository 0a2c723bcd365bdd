"""Kernels beside each other as Markdown: a table, and below it what each verdict rests on."""

from __future__ import annotations

from collections.abc import Iterator

from ..record.side_by_side import Cell, Column, Row, SideBySide, evidence_words
from .clause_text import short
from .markdown_text import code, prose, row


def side_by_side_markdown(told: SideBySide) -> str:
    """Return the table; each verdict links to its evidence below. Nothing in it is markup."""
    lines = ["### Kernels compared", ""]
    lines += [f"- Note: {prose(note)}" for note in told.notes]
    lines += [*([""] if told.notes else []), *_columns(told), ""]
    lines += [row(("Clause", *(code(each.label) for each in told.columns)))]
    lines += [row(["---"] * (len(told.columns) + 1))]
    for number, each in enumerate(told.rows):
        lines.append(row((_named(each), *_links(each, number))))
    lines += ["", "#### Evidence", ""]
    for number, each in enumerate(told.rows):
        lines += [f"{_named(each)}: {prose(each.sentence)}", ""]
        lines += [
            f'- <a id="e-{number}-{place}"></a>{code(column.label)}: {_evidence(cell)}'
            for place, (column, cell) in enumerate(zip(told.columns, each.cells, strict=True))
            if cell is not None
        ]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _columns(told: SideBySide) -> Iterator[str]:
    heads = ("Kernel", "Outcome", "Passed", "Record", "Judged", "Suite", "Requirement set")
    yield row(heads)
    yield row(["---"] * len(heads))
    for each in told.columns:
        yield row(_cells(each))


def _cells(each: Column) -> tuple[str, ...]:
    return (
        code(each.label),
        prose(f"{each.outcome} (exit code {each.exit_code})"),
        f"{each.passed:,} of {each.required:,}",
        code(each.record),
        code(each.started),
        code(each.suite),
        code(each.requirement_set),
    )


def _named(each: Row) -> str:
    return f"{code(each.clause)} (SHOULD)" if each.level == "SHOULD" else code(each.clause)


def _links(each: Row, number: int) -> Iterator[str]:
    for place, cell in enumerate(each.cells):
        if cell is None:
            yield "not judged"
            continue
        word = f"**{cell.verdict}**" if cell.colour == "bad" else cell.verdict
        yield f"[{word}](#e-{number}-{place})"


def _evidence(cell: Cell) -> str:
    told = [f"**{cell.verdict}**", prose(evidence_words(cell))]
    told += [prose(short(cell.reason))] if cell.reason else []
    told += [
        f"{code(each.id)} {prose(short(each.kind))}: expected {prose(short(each.expected))}, "
        f"got {prose(short(each.got))}"
        for each in cell.counterexamples
    ]
    told += [f"{cell.more:,} more in the record"] if cell.more else []
    return "; ".join(told)
