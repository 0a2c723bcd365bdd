"""In which order a run takes the fixed scenarios of its invariants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...fixtures.catches import caught
from ...invariants.vocabulary.scenario import Restart, Scenario


def in_turn(fixed: Iterable[tuple[str, Sequence[Scenario]]]) -> list[tuple[str, Scenario]]:
    """Return fixed scenarios in the order in which a run takes them, each with its invariant.

    Those that catch the most of our own broken kernels come first, so that a broken kernel is
    told early; then the first one of each table, the second one of each, and so on. Those that
    restart the kernel come last: a start takes seconds, in which dozens of others run. Which of two
    comes first does not depend on what else is run.

    Args:
        fixed: id of each invariant, with its fixed scenarios.
    """
    known, places = caught(), Counter[tuple[str, str]]()
    found: list[tuple[tuple[bool, int, int, str], str, Scenario]] = []
    for invariant, scenarios in fixed:
        for scenario in scenarios:
            aspect, is_row, _ = scenario.id.partition("/")
            table = aspect if is_row else invariant
            key = restarts(scenario), -known[scenario.id], places[invariant, table], table
            found.append((key, invariant, scenario))
            places[invariant, table] += 1
    return [(invariant, scenario) for _, invariant, scenario in sorted(found, key=lambda x: x[0])]


def restarts(scenario: Scenario) -> bool:
    """Whether it restarts the kernel."""
    return any(isinstance(step, Restart) for step in scenario.steps)
