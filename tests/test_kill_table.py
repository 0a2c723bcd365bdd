"""Every broken kernel is caught by the clauses that it names, and by no other."""

from __future__ import annotations

import pytest

from fedcheck.conformance.audit.catches import broken_in
from fedcheck.conformance.audit.qualification import broken_clauses
from fedcheck.conformance.qualify import EXAMPLES
from fedcheck.fixtures.catches import known_catches
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.invariants.catalog import clauses, own_invariants

MEND = "write what catches each kernel anew: python -m fedcheck.conformance.qualify --write -n 2"
NOT_NAMED = (
    "not named: write the clauses into `also=` of the kernel in fixtures/mutants/, or into "
    "fixtures/mutants/besides.json"
)


@pytest.mark.parametrize("name", sorted(MUTANTS))
def test_known_scenarios_catch_the_broken_kernel(name: str) -> None:
    """Each clause that it trips is broken in the scenario known to show it, and no other there."""
    mutant, catches = MUTANTS[name], known_catches().get(name, {})
    broken = broken_in(name, catches.values())

    assert mutant.trips == set(catches), MEND
    assert set() == {x for x, scenario in catches.items() if x not in broken[scenario]}, MEND
    assert set() == set().union(*broken.values()) - mutant.trips - mutant.also, NOT_NAMED


def test_catches_are_kept_of_kernels_that_exist() -> None:
    """What was renamed or deleted leaves nothing behind."""
    assert set() == set(known_catches()) - set(MUTANTS), MEND


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize("name", sorted(MUTANTS))
def test_broken_kernel_trips_the_clauses_it_names(name: str) -> None:
    """No survivor, and no failure that was not named."""
    mutant = MUTANTS[name]
    broken = set(broken_clauses(f"mutant:{name}", examples=EXAMPLES))

    assert set() == mutant.trips - broken, "survived: give a clause's invariant a scenario"
    assert set() == broken - mutant.trips - mutant.also, NOT_NAMED


def test_every_clause_has_a_broken_kernel() -> None:
    """A clause that no broken kernel trips has never been seen to work."""
    tripped = {clause for mutant in MUTANTS.values() for clause in mutant.trips}

    assert set() == set(clauses(own_invariants())) - tripped, (
        "enter a kernel that breaks each of these clauses in a module of fixtures/mutants/, and "
        "import that module in its `__init__.py`"
    )
