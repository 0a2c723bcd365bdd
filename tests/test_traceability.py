"""Every promise of the documents leads to its judges, and every judge back to its promise."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from fedcheck.conformance.commands.traceability import command
from fedcheck.conformance.publishing.traceability import (
    REGENERATE,
    Traceability,
    joined,
    statements_at,
    traceability,
    untraced,
)
from fedcheck.conformance.publishing.traceability_text import to_json, to_markdown, write
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.founding_documents import Document, Section, Statement, documents
from fedcheck.invariants.vocabulary.errors import CatalogError, UsageError
from fedcheck.invariants.vocabulary.invariant import Clause, Invariant, Source

DOCS = Path(__file__).resolve().parent.parent / "docs"
STATEMENTS = "invariants/traceability/*.json"
KNOWN = clauses(own_invariants())
CLAUSE = "I-CACHE-KEY-SAFETY/key-length-capped"


def paper(*rows: Statement, editions: tuple[str, ...] = ()) -> Document:
    """Return a document with one section, whose statements are numbered from T-1 on."""
    section = Section(heading="Limits of trace paper", statements=rows, also="Bounds")
    told = dict.fromkeys(editions, "an edition")
    return Document(
        document="tracing", prefix="T", title="Test", sections=(section,), editions=told
    )


def row(number: int = 1, **fields: object) -> Statement:
    """A statement that one clause judges, unless the fields say otherwise."""
    answer = {} if {"unobservable", "open", "clauses"} & set(fields) else {"clauses": (CLAUSE,)}
    return msgspec.convert(
        {"id": f"T-{number}", "statement": "said", **answer, **fields}, Statement
    )


def test_generated_table_for_people_is_current():
    """The committed page is what the command writes today."""
    committed = (DOCS / "traceability.md").read_text("utf-8")
    assert to_markdown(traceability()) == committed, f"run `{REGENERATE}`"


def test_generated_table_for_machines_is_current():
    """The committed twin is what the command writes today."""
    committed = (DOCS / "traceability.json").read_text("utf-8")
    assert to_json(traceability()) == committed, f"run `{REGENERATE}`"


def test_every_clause_is_named_by_a_statement():
    """No clause judges something that the table does not know."""
    unnamed = [clause.id for clause in traceability().clauses if not clause.statements]
    assert [] == unnamed, f"name them in a statement of {STATEMENTS}, then run `{REGENERATE}`"
    assert set(KNOWN) == {clause.id for clause in traceability().clauses}


def test_every_clause_is_shown_with_a_broken_kernel():
    """A clause without a broken kernel was never seen to catch anything."""
    unbroken = [clause.id for clause in traceability().clauses if not clause.broken_kernels]
    assert [] == unbroken, f"enter kernels in fixtures/mutants/, then run `{REGENERATE}`"


def test_every_source_leads_back():
    """Each section that a clause or an invariant cites has a statement that names it."""
    told = list(untraced(documents(), KNOWN))
    assert [] == told, f"name the clauses in a statement of {STATEMENTS}, or correct `sources=`"


def test_every_statement_has_judges_or_a_reason():
    """A promise that nobody judges says why."""
    rows = [row for paper in documents() for row in paper.statements]
    mute = [row.id for row in rows if not (row.clauses or row.unobservable or row.open)]
    assert [] == mute, f"give them `clauses`, `unobservable` or `open` in {STATEMENTS}"
    founding = {paper.document for paper in documents() if paper.provenance == "founding"}
    assert {"context-channels", "fact-ledger"} == founding


def test_every_statement_is_said_once_in_its_section():
    """Nothing is counted twice."""
    sections = [section for paper in documents() for section in paper.sections]
    assert [] == [
        section.heading
        for section in sections
        if len({row.statement for row in section.statements}) < len(section.statements)
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((row(clauses=(CLAUSE[:-1],)),), f"T-1: there is no clause '{CLAUSE[:-1]}'; did you mean "),
        ((row(clauses=("zzz",)),), "T-1: there is no clause 'zzz'; `fedcheck list` shows all"),
        ((row(clauses=()),), "T-1: give either clauses, or a reason"),
        ((row(clauses=(CLAUSE,), unobservable="no"),), "T-1: give either clauses, or a reason"),
        ((row(), row(3)), "T-3: stands where T-2 should; number them in order"),
        ((row(editions=("old",)),), r"T-1: editions \['old'\]; tracing has no editions"),
    ],
)
def test_a_wrong_statement_is_refused(rows: tuple[Statement, ...], message: str):
    """The message names the statement, what is wrong with it and what to do."""
    with pytest.raises(CatalogError, match=message):
        joined((paper(*rows),), KNOWN, MUTANTS)


def test_a_statement_must_name_its_editions():
    """Where a document has editions, each statement says which of them say it."""
    with pytest.raises(CatalogError, match=r"T-1: editions \[\]; tracing has early, late"):
        joined((paper(row(), editions=("early", "late")),), KNOWN, MUTANTS)


def test_every_mistake_is_told_at_once():
    """Two wrong statements are two lines of one message."""
    with pytest.raises(CatalogError, match=r"T-1: .*\nT-2: "):
        joined((paper(row(clauses=()), row(2, clauses=("zzz",))),), KNOWN, MUTANTS)


def test_a_clause_meets_its_statements_and_its_broken_kernels():
    """The join goes both ways: statement to clause, clause to statement and kernel."""
    papers = (paper(row(), row(2, unobservable="unseen"), row(3)),)
    judged = {clause.id: clause for clause in joined(papers, KNOWN, MUTANTS).clauses}
    assert ("T-1", "T-3") == judged[CLAUSE].statements
    assert {name for name, mutant in MUTANTS.items() if CLAUSE in mutant.trips} == set(
        judged[CLAUSE].broken_kernels
    )


@pytest.mark.parametrize("section", ["Limits of trace paper", "Limits", "Bounds"])
def test_a_section_is_found_by_its_heading(section: str):
    """A source may cite a heading, its beginning, or the heading of the other edition."""
    rows = statements_at((paper(row()),), Source("tracing", section))
    assert ["T-1"] == [found.id for found in rows]


def cited(*sources: Source, own: tuple[Source, ...] = ()) -> dict[str, tuple[Invariant, Clause]]:
    """One clause, whose invariant cites the sources and which itself cites ``own``."""
    invariant, clause = KNOWN[CLAUSE]
    clause = Clause(clause.name, clause.sentence, clause.judge, sources=own)
    made = Invariant(
        invariant.id, "t", "s", sources, (clause,), invariant.scenarios, invariant.strategy
    )
    return {CLAUSE: (made, clause)}


@pytest.mark.parametrize(
    ("known", "complaints"),
    [
        (cited(Source("tracing", "Limits")), 0),
        (cited(), 1),
        (cited(Source("tracing", "Nowhere")), 2),
        (cited(Source("another", "Limits")), 2),
        (cited(Source("tracing", "Limits"), Source("tracing", "Nowhere")), 1),
        (cited(Source("tracing", "Limits"), own=(Source("tracing", "Nowhere"),)), 2),
    ],
)
def test_a_source_without_statement_is_told(
    known: dict[str, tuple[Invariant, Clause]], complaints: int
):
    """A clause that cites nothing, or a place without statements, is named."""
    told = list(untraced((paper(row()),), known))
    assert complaints == len(told), told
    assert all(line.startswith("I-CACHE-KEY-SAFETY") for line in told)


def test_a_section_that_does_not_name_the_clause_is_told():
    """A statement in the right place that leads elsewhere is no way back."""
    other = "I-CACHE-KEY-SAFETY/safe-key-accepted"
    told = list(untraced((paper(row(clauses=(other,))),), cited(Source("tracing", "Limits"))))
    assert 2 == len(told), told
    assert all("no statement" in line for line in told)


def test_every_link_of_the_page_has_a_target():
    """The page links each statement to headings that are there."""
    page = to_markdown(traceability())
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^\w-]", "", heading.lower()) for heading in headings}
    links = set(re.findall(r"\]\(#([^)]+)\)", page))
    assert links
    assert set() == links - anchors


def test_the_page_shows_what_nobody_judges():
    """Reason, open question, note and pipe reach the page; the table stays a table."""
    rows = (
        row(statement="a | b", note="read so"),
        row(2, unobservable="far away"),
        row(3, open="not yet"),
    )
    page = to_markdown(joined((paper(*rows),), KNOWN, MUTANTS))
    assert "| T-1 | a \\| b | [" in page
    assert "). read so | " in page
    assert "| T-2 | said | *Not observable.* far away |  |  |" in page
    assert "| T-3 | said | *Open.* not yet |  |  |" in page
    assert "| tracing | founding | 3 | 1 | 1 | 1 |" in page


def test_command_prints_both_forms():
    """The command prints the page, or the JSON, which has the published types."""
    table = traceability()
    page = CliRunner().invoke(command, [])
    assert (0, to_markdown(table)) == (page.exit_code, page.output)
    twin = CliRunner().invoke(command, ["--format", "json"])
    assert table == msgspec.convert(json.loads(twin.output), Traceability)


def test_command_writes_both_files(tmp_path: Path):
    """Both files are written, the folder is made, and their paths are told."""
    folder = tmp_path / "new" / "tracing"
    told = CliRunner().invoke(command, ["--write", str(folder)])
    assert 0 == told.exit_code, told.output
    names = ["traceability.json", "traceability.md"]
    assert names == sorted(path.name for path in folder.iterdir())
    assert all(str(folder / name) in told.output for name in names)
    assert (folder / "traceability.md").read_bytes() == to_markdown(traceability()).encode()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path):
    """A file in the way of the folder ends in one message that names it."""
    (tmp_path / "taken").write_text("a file", "utf-8")
    with pytest.raises(UsageError, match=r"taken.*cannot be written"):
        write(traceability(), tmp_path / "taken" / "inside")
