"""The packaged qualification says what the tables of broken kernels and styles say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.conformance import qualify
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.fixtures.styles import STYLES
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.vocabulary.errors import CatalogError
from fedcheck.reports.record import suite
from fedcheck.reports.record.suite import QUALIFICATION, packaged_qualification, suite_identity

ROOT = Path(suite.__file__).resolve().parents[2]
REGENERATE = "python -m fedcheck.conformance.qualify --write -n 2"


def test_packaged_tables_are_those_of_the_code() -> None:
    """What the tables of kernels demand, as the command writes it."""
    packaged, demanded = packaged_qualification(), qualify.demanded()

    assert demanded.killed == packaged.killed, REGENERATE
    assert demanded.tolerated == packaged.tolerated, REGENERATE


def test_every_clause_of_the_catalog_has_a_broken_kernel() -> None:
    """A pass of a clause without one would say little."""
    assert set(clauses(own_invariants())) == set(packaged_qualification().killed), (
        f"enter a broken kernel for each new clause in fixtures/mutants/, then: {REGENERATE}"
    )


def test_tables_name_kernels_that_exist() -> None:
    """And every one of them."""
    packaged = packaged_qualification()

    killed = {name for names in packaged.killed.values() for name in names}
    assert set(MUTANTS) == killed, REGENERATE
    assert {"agent-reference", "reference", *STYLES} == set(packaged.tolerated), REGENERATE


def test_suite_digest_does_not_cover_the_file_that_names_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """But everything else, templates included."""
    for name in ("fixtures/a.py", QUALIFICATION, "reports/templates/a.j2"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    monkeypatch.setattr(suite, "__file__", str(tmp_path / "reports" / "record" / "suite.py"))

    def digest_after(name: str) -> str:
        (tmp_path / name).write_text("2")
        return suite_identity.__wrapped__().digest

    first = suite_identity.__wrapped__().digest
    second = digest_after(QUALIFICATION)
    third = digest_after("reports/templates/a.j2")
    assert first == second
    assert second != third
    assert third != digest_after("fixtures/a.py")


def test_measuring_refuses_a_kernel_that_is_not_caught() -> None:
    """And one that trips what it does not name; both are told."""
    mutant = MUTANTS["emails-shown"]
    with pytest.raises(CatalogError) as caught:
        qualify.measured([("mutant:emails-shown", {}), ("reference", {"C-X/y": ("kind",)})])

    told = str(caught.value)
    assert f"mutant:emails-shown: not caught by {', '.join(sorted(mutant.trips))}" in told
    assert "reference: unexpectedly broken: C-X/y" in told


def test_measuring_says_when() -> None:
    """The tables themselves do not."""
    broken = dict.fromkeys(MUTANTS["emails-shown"].trips, ("kind",))
    told = qualify.measured([("mutant:emails-shown", broken), ("style:x", {})])

    assert "" == qualify.demanded().measured
    assert told.measured.endswith("Z")


def test_one_kernel_of_each_table_can_be_tried() -> None:
    """As the command does for all of them."""
    assert set(MUTANTS["key-empty"].trips) <= set(qualify.trial("mutant:key-empty"))
    assert {} == qualify.trial("reference")
    assert {} == qualify.trial("agent-reference")
    assert len(MUTANTS) + len(STYLES) + 2 == len(qualify.references())


def test_command_prints_the_tables() -> None:
    """As JSON."""
    told = json.loads(CliRunner().invoke(qualify.command).stdout)

    assert sorted(STYLES) == told["tolerated"][2:]
    assert (ROOT / QUALIFICATION).is_file()
