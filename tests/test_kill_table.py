"""Every broken kernel is caught by the clauses that it names, and by no other."""

from __future__ import annotations

import pytest

from fedcheck.conformance.audit.qualification import broken_clauses
from fedcheck.conformance.qualify import EXAMPLES
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.invariants.catalog import clauses, own_invariants


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MUTANTS))
def test_broken_kernel_trips_the_clauses_it_names(name: str) -> None:
    """No survivor, and no failure that was not named."""
    mutant = MUTANTS[name]
    broken = set(broken_clauses(f"mutant:{name}", examples=EXAMPLES))

    assert set() == mutant.trips - broken, "survived"
    assert set() == broken - mutant.trips - mutant.also, "not named"


def test_every_clause_has_a_broken_kernel() -> None:
    """A clause that no broken kernel trips has never been seen to work."""
    tripped = {clause for mutant in MUTANTS.values() for clause in mutant.trips}

    assert set() == set(clauses(own_invariants())) - tripped
