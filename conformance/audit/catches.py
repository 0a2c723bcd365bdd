"""Which fixed scenario is known to catch which broken kernel, clause by clause.

The whole kill table drives every broken kernel through every scenario. The file that is kept
here asks each kernel in milliseconds: it is driven through the scenarios alone that caught it
when the file was written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

from ...fixtures.catches import FILE, Catches
from ...fixtures.mutants import MUTANTS
from ...invariants.catalog import own_invariants
from ...invariants.rows import fixed_scenarios
from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.parameters import Parameters
from ...invariants.vocabulary.scenario import Scenario
from ..driving.plan import Plan, plan_run
from ..driving.session import Unit
from ..settings.options import RunOptions


def write_catches(catches: dict[str, Catches]) -> None:
    """Write the file anew."""
    text = json.dumps(catches, indent=1, sort_keys=True) + "\n"
    FILE.write_text(text, encoding="ascii", newline="\n")


def broken_in(name: str, scenarios: Iterable[str]) -> dict[str, set[str]]:
    """Drive a fresh broken kernel through each of these fixed scenarios.

    Returns:
        The clauses that are seen to break, by the id of the scenario.
    """
    return {scenario: _broken(name, scenario) for scenario in set(scenarios)}


def renewed(name: str, catches: Catches) -> Catches:
    """Return what catches a broken kernel: what is known if it holds, else what a search finds.

    Args:
        name: the broken kernel.
        catches: what is known of it.

    Returns:
        The smallest scenario for each clause; a clause that no scenario catches alone is missing.
    """
    trips = MUTANTS[name].trips
    known = {clause: catches[clause] for clause in trips if clause in catches}
    broken = broken_in(name, known.values())
    holds = known.keys() == trips and all(x in broken[known[x]] for x in trips)
    return known if holds else _search(name)


def _search(name: str) -> Catches:
    found: Catches = {}
    trips = MUTANTS[name].trips
    with plan_run(_options(name)) as plan:
        smallest_first = _scenarios(*_asked(plan))
    for scenario in smallest_first:
        if len(found) == len(trips):
            break
        found |= dict.fromkeys((_broken(name, scenario) & trips) - set(found), scenario)
    return found


def _broken(name: str, scenario: str) -> set[str]:
    with plan_run(_options(name)) as plan:
        known = _scenarios(*_asked(plan))
        if scenario not in known:
            return set()
        unit = Unit(plan.session, "")
        unit.attempt(known[scenario], "fixed")
    return {clause for clause, tally in unit.result.tallies.items() if tally.failures}


def _options(name: str) -> RunOptions:
    return RunOptions(kernel=f"mutant:{name}", examples=0, plugins=False)


def _asked(plan: Plan) -> tuple[Parameters, frozenset[str]]:
    return plan.description.parameters, frozenset(plan.description.capabilities)


@cache
def _scenarios(parameters: Parameters, capabilities: frozenset[str]) -> dict[str, Scenario]:
    """Return every fixed scenario by its id, the smallest first."""
    own = own_invariants()
    found = [
        scenario for x in own for scenario in fixed_scenarios(x, own, parameters, capabilities)
    ]
    return {x.id: x for x in sorted(found, key=lambda x: (len(to_json(x)), x.id))}
