"""The broken kernels of a clause, told without loading any."""

from __future__ import annotations

import subprocess
import sys

from fedcheck.fixtures.broken_names import known_to_break
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.invariants.catalog import catalog


def test_names_and_descriptions_are_those_of_the_kernels() -> None:
    """Of every clause, each kernel that was written for it."""
    told = {
        clause: sorted(map(tuple, known_to_break(clause)))
        for invariant in catalog()[:12]
        for clause in invariant.clause_ids
    }
    entered = {
        clause: sorted((x.name, x.description) for x in MUTANTS.values() if clause in x.trips)
        for clause in told
    }

    assert entered == told


def test_an_explanation_loads_no_kernel() -> None:
    """Starting fast is not a matter of luck: what would be slow is not there."""
    code = (
        "import sys; from fedcheck.conformance.commands.explain import command; "
        "command(['C-CONFIRM-GATE'], standalone_mode=False); "
        "print([x for x in sys.modules if 'fedcheck.fixtures.' in x])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert "['fedcheck.fixtures.broken_names']" == done.stdout.splitlines()[-1]
    assert "broken kernel: mutant:" in done.stdout
