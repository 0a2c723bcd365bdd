"""Every conforming style, and the reference kernel, stays green under every clause."""

from __future__ import annotations

import pytest

from fedcheck.conformance.audit.alarms import alarms
from fedcheck.conformance.audit.qualification import broken_clauses
from fedcheck.fixtures.styles import STYLES

_EXAMPLES = 1


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(STYLES))
def test_conforming_style_raises_no_alarm(name: str) -> None:
    """What the documents do not forbid is left alone."""
    assert {} == alarms(f"style:{name}", examples=_EXAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cap-of-2900", "life-of-301"])
def test_alarms_are_those_of_a_whole_run(name: str) -> None:
    """What a kernel has in common with the reference kernel hides nothing that it breaks."""
    whole = broken_clauses(f"mutant:{name}", examples=_EXAMPLES)

    assert set(whole) == set(alarms(f"mutant:{name}", examples=_EXAMPLES))


@pytest.mark.parametrize("kernel", ["reference", "agent-reference"])
def test_reference_kernel_raises_no_alarm(kernel: str) -> None:
    """Whatever is drawn."""
    assert {} == broken_clauses(kernel, examples=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [*range(1, 10), *(pytest.param(it, marks=pytest.mark.release) for it in range(10, 103))]
)
def test_reference_kernel_raises_no_alarm_under_many_seeds(seed: int) -> None:
    """Whatever is drawn, a hundred times."""
    assert {} == broken_clauses("reference", examples=5, seed=seed)
