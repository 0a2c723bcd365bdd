"""``fedcheck catalog``: the invariants for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli
from fedcheck.conformance.publishing.catalog_export import oscal, plain
from fedcheck.invariants.catalog import catalog, catalog_digest
from fedcheck.invariants.vocabulary.errors import UsageError

from .schemas import schema_errors


def test_the_nist_schema_accepts_the_catalog() -> None:
    """Every invariant is a control, every clause an objective of it."""
    document = json.loads(oscal())
    assert [] == schema_errors("oscal_catalog_schema.json", document)
    controls = document["catalog"]["controls"]
    assert [invariant.id for invariant in catalog()] == [x["id"] for x in controls]
    for invariant, control in zip(catalog(), controls, strict=True):
        told = [x for x in control["parts"] if x["name"] == "assessment-objective"]
        assert [f"{x.replace('/', '.')}_obj" for x in invariant.clause_ids] == [
            x["id"] for x in told
        ]
        assert {"statement", "assessment-method"} <= {x["name"] for x in control["parts"]}


def test_contradictions_of_other_pages_are_exported() -> None:
    """Each stands as guidance with its clause; the JSON names them too."""
    wanted = [str(x) for each in catalog() for c in each.clauses for x in c.contradictions]
    controls = json.loads(oscal())["catalog"]["controls"]
    objectives = [part for x in controls for part in x["parts"] if "parts" in part]
    told = [each["prose"] for part in objectives for each in part["parts"]]
    listed = [
        text
        for each in json.loads(plain())["invariants"]
        for clause in each["clauses"]
        for text in clause["contradictions"]
    ]

    assert len(wanted) > 4
    assert len(wanted) == len(told)
    assert all(each.startswith("Contradicted by ") for each in told)
    assert wanted == listed


@pytest.mark.parametrize(
    ("clause", "source"),
    [
        ("C-LEDGER-FIVE-TURNS/nothing-older", "administrators' form"),
        ("I-FACT-LEDGER-PER-TURN-AGG-CAP/newest-most-complete", "administrators' form"),
        ("I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/names-masked", "imperal-mcp"),
        ("I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/masked-unless-true", "fact-ledger page"),
        ("C-HANDLER-VIEW/language-given", "SDK, User"),
        ("I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/isolation", "context-channels page"),
        ("I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/guard", "administrators' form"),
        ("C-CONFIRM-GATE/destructive-waits", "confirmations page, later edition"),
        ("C-CACHE-INVISIBLE/unseen-by-classifier", "context-channels page"),
        ("I-PARAMS-NO-PLACEHOLDER-VALUES/placeholder-refused", "fact-ledger page"),
    ],
)
def test_who_says_otherwise_is_told_with_the_clause(clause: str, source: str) -> None:
    """Nobody has to find out alone that another page promises something else."""
    told = {f"{i.id}/{c.name}": c.contradictions for i in catalog() for c in i.clauses}

    assert [source] == [x.source[: len(source)] for x in told[clause]][:1]


def test_exported_twice_the_bytes_are_the_same() -> None:
    """No clock is asked."""
    assert oscal() == oscal()
    assert plain() == plain()


def test_the_moment_of_last_change_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other builds do it; what is no number is refused."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1778932800")
    metadata = json.loads(oscal())["catalog"]["metadata"]
    assert "2026-05-16T12:00:00Z" == metadata["last-modified"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH is 'soon'"):
        oscal()


def test_json_tells_all_that_can_be_told() -> None:
    """Also the capabilities and the classes of input."""
    document = json.loads(plain())
    assert ("fedcheck-catalog/1", catalog_digest()) == (document["format"], document["digest"])
    for invariant, told in zip(catalog(), document["invariants"], strict=True):
        assert list(invariant.clause_ids) == [clause["id"] for clause in told["clauses"]]
        names = [[x.name for x in clause.partitions] for clause in invariant.clauses]
        assert names == [[x["name"] for x in clause["partitions"]] for clause in told["clauses"]]


def test_the_command_writes_where_it_is_told(tmp_path: Path) -> None:
    """OSCAL to stdout unless told otherwise."""
    runner = CliRunner()
    assert oscal() == runner.invoke(cli, ["catalog"]).output
    path = tmp_path / "c.json"
    assert 0 == runner.invoke(cli, ["catalog", "--format", "json", "-o", str(path)]).exit_code
    assert plain() == path.read_text(encoding="ascii")
    result = runner.invoke(cli, ["catalog", "-o", f"{tmp_path}/no/c.json"])
    assert isinstance(result.exception, UsageError)
