"""What the suite objects to in a kernel that differs from the reference kernel in one thing.

Most of what such a kernel does is what the reference kernel does. That is judged once, for the
reference kernel; here only the rest is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from ...fixtures.embedded import AGENT, REFERENCE
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import AnyEvent, KernelDescription, Trace
from ...invariants.vocabulary.verdict import Violation
from ..driving.drive import problems, runnable
from ..driving.judging import judge
from ..driving.plan import Plan, plan_run
from ..settings.options import RunOptions
from .qualification import gate_scenarios

Alarms = dict[str, tuple[str, ...]]
"""Clause → the kinds of difference that it objects to."""

_NONCE = "n"


def alarms(kernel: str, *, examples: int, seed: int = 0) -> Alarms:
    """Return the clauses that object to what a kernel does otherwise than the reference kernel.

    Args:
        kernel: kernel reference of an embedded kernel.
        examples: scenarios to explore per invariant, beyond the fixed ones.
        seed: what exploration draws from.
    """
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    with plan_run(_options(kernel, examples, seed), nonce=_NONCE) as plan:
        base = AGENT if "agent" in plan.description.capabilities else REFERENCE
        alike = _describe_themselves_alike(base, plan.description)
        usual = _of_reference(base, examples, seed) if alike else ()
        for place, (scenario, trace) in enumerate(_driven(plan)):
            if place < len(usual) and usual[place] == (scenario, trace.events):
                continue
            kinds["no clause"].update(each.message for each in problems(trace))
            for clause, findings in judge(trace, plan.session.clauses).items():
                kinds[clause].update(x.kind for x in findings if isinstance(x, Violation))
    return {clause: tuple(sorted(found)) for clause, found in sorted(kinds.items()) if found}


def _options(kernel: str, examples: int, seed: int) -> RunOptions:
    return RunOptions(kernel=kernel, examples=examples, seed=seed, plugins=False)


def _describe_themselves_alike(base: str, description: KernelDescription) -> bool:
    """Whether a kernel claims and declares what the one that it is compared with does."""
    with plan_run(_options(base, 0, 0), nonce=_NONCE) as plan:
        own = plan.description
    return (own.capabilities, own.parameters) == (description.capabilities, description.parameters)


@cache
def _of_reference(
    base: str, examples: int, seed: int
) -> tuple[tuple[Scenario, tuple[AnyEvent, ...]], ...]:
    with plan_run(_options(base, examples, seed), nonce=_NONCE) as plan:
        return tuple((scenario, trace.events) for scenario, trace in _driven(plan))


def _driven(plan: Plan) -> Iterator[tuple[Scenario, Trace]]:
    for invariant in plan.invariants:
        for scenario, _ in gate_scenarios(plan, invariant):
            if runnable(plan.description, scenario) is None:
                yield scenario, plan.session.trace(scenario)
