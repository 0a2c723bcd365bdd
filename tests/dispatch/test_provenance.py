"""What promises rest on, and what that means for sets and deviations."""

from __future__ import annotations

from fedcheck.invariants.catalog import find
from fedcheck.invariants.requirements import forbidden_deviations, requirement_set
from fedcheck.invariants.vocabulary.invariant import Source
from fedcheck.invariants.vocabulary.parameters import Parameters, deviations
from fedcheck.invariants.vocabulary.sources import changelog, fact_ledger, page, sdk_code


def test_the_strongest_source_counts() -> None:
    """A clause that a page and a changelog state rests on the page."""
    invariant = find("I-AH-1")
    shape, others, unseen = invariant.clauses

    assert ("documented", "documented", "documented") == tuple(
        map(invariant.provenance, (shape, others, unseen))
    )
    assert "code" == find("I-EXT-ERROR-CODE-NORMALIZED").provenance(
        shape.__class__("x", "y", shape.judge)
    )


def test_a_source_says_what_it_is() -> None:
    """Pages are called pages, the others by their kind."""
    assert [
        "fact-ledger page, Caps",
        "confirmations page, gate",
        "SDK 6.3.7 changelog, I-AH-1",
        "sdk.guards code, check",
    ] == [
        str(each)
        for each in (
            fact_ledger("Caps"),
            page("confirmations", "gate"),
            changelog("6.3.7", "I-AH-1"),
            sdk_code("sdk.guards", "check"),
        )
    ]
    assert "founding" == Source("a", "b").provenance


def test_fewer_retries_are_no_deviation() -> None:
    """The page says how often at most."""
    assert {} == deviations(Parameters(retry_budget=1))
    assert {"retry_budget": (2, 5)} == deviations(Parameters(retry_budget=5))


def test_a_deviation_counts_where_its_promise_is_demanded() -> None:
    """The founding documents know no retries; the pages allow writes to wait."""
    declared = Parameters(retry_budget=5, confirm_writes=True)

    assert {} == forbidden_deviations(requirement_set("seeds-2026-11"), declared)
    assert {"retry_budget": (2, 5)} == forbidden_deviations(
        requirement_set("docs-2026-08"), declared
    )
