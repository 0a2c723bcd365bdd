"""Several kernels beside each other: one row for each clause, one column for each record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.text import counted
from .history import labels_of
from .model import ClauseResult, RunRecord
from .verdict_words import colour, outcome, verdict_name

SHOWN = 3
"""Counterexamples of one cell that are told; the record has them all."""


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """Base: immutable, named fields only."""


class Column(_Part, frozen=True, kw_only=True):
    """One kernel, as one record tells of it.

    Attributes:
        label: kernel and version, made unique by a number where two records share them.
        record: name of the record's file.
        run_id: of the run.
        started: when the run began.
        outcome: what the run came to, in words.
        colour: ``good``, ``bad`` or ``open``.
        exit_code: of the run.
        required: clauses that the requirement set names …
        passed: … of which so many passed.
        suite: version and the start of the digest of the suite.
        requirement_set: its name.
    """

    label: str
    record: str
    run_id: str
    started: str
    outcome: str
    colour: str
    exit_code: int
    required: int
    passed: int
    suite: str
    requirement_set: str


class Shown(_Part, frozen=True, kw_only=True):
    """One counterexample of a cell; see ``Counterexample``."""

    id: str
    kind: str
    expected: str
    got: str
    command: str


class Cell(_Part, frozen=True, kw_only=True):
    """What one record says of one clause, and what that rests on.

    Attributes:
        verdict: what counts, in words.
        colour: ``good``, ``bad`` or ``open``.
        reason: why it is no pass.
        scenarios: scenarios that the judge has read.
        comparisons: how often it compared something.
        classes: classes of input seen, each with the number of comparisons.
        counterexamples: the first ones.
        more: how many more the record has.
    """

    verdict: str
    colour: str
    reason: str
    scenarios: int
    comparisons: int
    classes: dict[str, int]
    counterexamples: tuple[Shown, ...]
    more: int


class Row(_Part, frozen=True, kw_only=True):
    """One clause.

    Attributes:
        clause: its id.
        sentence: the promise.
        level: ``MUST`` or ``SHOULD``.
        cells: one for each column; ``None`` where the record does not judge the clause.
        differs: whether not all records say the same.
    """

    clause: str
    sentence: str
    level: str
    cells: tuple[Cell | None, ...]
    differs: bool


class SideBySide(_Part, frozen=True, kw_only=True):
    """Clauses × kernels.

    Attributes:
        notes: why columns may not be comparable.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    format: Literal["fedcheck-compare/1"] = "fedcheck-compare/1"


def side_by_side(records: Sequence[RunRecord], names: Sequence[str]) -> SideBySide:
    """Return records beside each other, in their order.

    Args:
        records: what to compare; the clauses stand in the order of the first one that has them.
        names: of their files.
    """
    told = [{result.clause: result for result in record.clauses} for record in records]
    clauses = dict.fromkeys(clause for known in told for clause in known)
    labels = labels_of(records)
    return SideBySide(
        columns=tuple(map(_column, records, labels, names)),
        rows=tuple(_row(clause, [k.get(clause) for k in told], records) for clause in clauses),
        notes=tuple(_notes(records)),
    )


def side_by_side_json(told: SideBySide) -> str:
    """Return it as canonical JSON, with a line feed."""
    return to_json(told) + "\n"


def evidence_words(cell: Cell) -> str:
    """Say what a verdict rests on: ``12 scenarios, 34 comparisons; cap 3``."""
    classes = ", ".join(f"{name} {number:,}" for name, number in cell.classes.items())
    counts = f"{counted(cell.scenarios, 'scenario')}, {counted(cell.comparisons, 'comparison')}"
    return f"{counts}; {classes}" if classes else counts


def _column(record: RunRecord, label: str, name: str) -> Column:
    header, found = record.header, outcome(record)
    return Column(
        label=label,
        record=name,
        run_id=header.run_id,
        started=header.started,
        outcome=found.word,
        colour=found.colour,
        exit_code=record.summary.exit_code,
        required=record.summary.required,
        passed=record.summary.passed,
        suite=f"{header.suite.version} ({header.suite.digest[:12]})",
        requirement_set=header.requirement_set.name,
    )


def _row(clause: str, results: Sequence[ClauseResult | None], records: Sequence[RunRecord]) -> Row:
    first = next(result for result in results if result is not None)
    cells = tuple(map(_cell, results, records))
    return Row(
        clause=clause,
        sentence=first.sentence,
        level=first.level,
        cells=cells,
        differs=len({None if cell is None else cell.verdict for cell in cells}) > 1,
    )


def _cell(result: ClauseResult | None, record: RunRecord) -> Cell | None:
    if result is None:
        return None
    examples = record.counterexamples_of(result)
    return Cell(
        verdict=verdict_name(result.effective),
        colour=colour(result),
        reason=result.reason,
        scenarios=result.scenarios,
        comparisons=result.comparisons,
        classes={name: number for name, number in result.partitions.items() if number},
        counterexamples=tuple(
            Shown(
                id=each.id,
                kind=each.kind,
                expected=each.violation.expected,
                got=each.violation.got,
                command=each.command,
            )
            for each in examples[:SHOWN]
        ),
        more=max(len(examples) - SHOWN, 0),
    )


def _notes(records: Sequence[RunRecord]) -> Iterator[str]:
    """Yield what makes verdicts in one row answers to different questions."""
    asked = {
        "the suite": {record.header.suite.digest for record in records},
        "the requirement set": {record.header.requirement_set.digest for record in records},
        "the seed": {str(record.header.seed) for record in records},
        "the number of examples": {str(record.header.examples) for record in records},
    }
    yield from (
        f"{what} is not the same in all records" for what, each in asked.items() if len(each) > 1
    )
    if any(record.summary.interrupted or record.summary.ended for record in records):
        yield "a run ended before all scenarios were done; what it did not try is not exercised"
