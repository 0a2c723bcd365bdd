"""Reach: how many inputs of a gate each possible breach would change, and who sees it.

A gate run proves nothing about a breach that would not have changed a single value in it. The
reference kernel is driven through one gate with what its functions were given written down;
that tells of every possible breach how far it would have reached, without running any. Then
each is confirmed: a kernel that has it is judged on a few of the scenarios that it reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, is_dataclass
from typing import Any

from msgspec.structs import replace

from ...fixtures.breaches.table import Breach, Change, Seam, observed
from ...fixtures.embedded import AGENT, REFERENCE
from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.verdict import Violation
from ..adapters.in_process import InProcessAdapter
from ..driving.drive import FreshIds, drive
from ..driving.judging import judge
from ..driving.plan import Plan, plan_run
from ..settings.options import RunOptions
from .qualification import gate_scenarios

LEAST_VALUES = 3
LEAST_SCENARIOS = 2
"""What a breach must at least reach: one value that it changes would be luck."""

TRIALS = 200
"""Scenarios that a breach is confirmed on at most."""

_NONCE = "reach"


@dataclass
class Use:
    """Something that a function was given, and what it rightly made of it.

    Attributes:
        inputs: the arguments, then what else the function depends on.
        right: what it returned, or the exception that it raised.
        scenarios: places of the scenarios in which that happened, smallest first.
    """

    inputs: tuple[Any, ...]
    right: Any
    scenarios: list[int] = field(default_factory=list[int])


Uses = dict[Seam, list[Use]]
"""The distinct uses of each function in a gate."""


@dataclass(frozen=True)
class Reach:
    """How far a possible breach reaches.

    Attributes:
        breach: name of the breach.
        values: how many distinct uses it changes.
        scenarios: in how many scenarios.
        clause: id of a clause that saw it; empty if none did.
        seen_in: id of the scenario in which that clause saw it.
    """

    breach: str
    values: int
    scenarios: int
    clause: str = ""
    seen_in: str = ""

    @property
    def channel(self) -> str:
        """What the breach strains."""
        return self.breach.partition("/")[0]

    @property
    def is_reached(self) -> bool:
        """Whether it changes enough to be no matter of luck.

        Turns of real agents are slow, so that their gate tries most things once.
        """
        if self.channel.startswith("agent "):
            return self.values > 0
        return self.values >= LEAST_VALUES and self.scenarios >= LEAST_SCENARIOS


@dataclass(frozen=True)
class Staged:
    """A scenario of a gate, and what it was made for.

    Attributes:
        scenario: under an id that no other one has.
        family: name of its aspect, or id of the invariant that it strains.
        is_drawn: whether exploration drew it.
    """

    scenario: Scenario
    family: str
    is_drawn: bool


@dataclass(frozen=True)
class Gate:
    """The scenarios of one gate, the smallest first, and the plan that has its clauses."""

    plan: Plan
    scenarios: Sequence[Staged]


def reaches(breaches: Iterable[Breach], examples: int | None = None) -> Iterator[Reach]:
    """Count and confirm possible breaches, one by one.

    Args:
        breaches: those to count, of the reference kernel first, then those of the reference agent.
        examples: scenarios to draw for each invariant; as many as a gate draws by default.
    """
    wanted = list(breaches)
    for kernel in (REFERENCE, AGENT):
        of_kernel = [each for each in wanted if each.seam.is_agents == (kernel == AGENT)]
        if of_kernel:
            options = RunOptions(kernel=kernel, plugins=False)
            given = options if examples is None else replace(options, examples=examples)
            yield from _reaches(of_kernel, given)


def _reaches(wanted: Sequence[Breach], options: RunOptions) -> Iterator[Reach]:
    """Count and confirm breaches of the same reference, through one gate."""
    with plan_run(options) as plan:
        gate = Gate(plan, staged(plan))
        uses = uses_of(gate, {breach.seam for breach in wanted})
        for breach in wanted:
            changed = list(_changed(breach, uses[breach.seam]))
            touched = sorted({place for _, places in changed for place in places})
            reach = Reach(breach.name, len(changed), len(touched))
            yield _confirmed(reach, breach, gate, _trials([gate.scenarios[x] for x in touched]))


def staged(plan: Plan) -> list[Staged]:
    """Return the scenarios of a gate, the smallest first."""
    found: list[Staged] = []
    for invariant in plan.invariants:
        for number, (scenario, origin) in enumerate(gate_scenarios(plan, invariant)):
            is_drawn = origin == "explore"
            aspect = "" if is_drawn or "/" not in scenario.id else scenario.id.partition("/")[0]
            own = f"{invariant.id}/{number}" if is_drawn else scenario.id
            found.append(Staged(replace(scenario, id=own), aspect or invariant.id, is_drawn))
    return sorted(found, key=lambda each: (len(to_json(each.scenario)), each.scenario.id))


def _trials(reached: Iterable[Staged]) -> list[Scenario]:
    """Return scenarios to confirm on: the smallest of each family, then the second ones."""
    ranks: Counter[str] = Counter()
    ranked: list[tuple[bool, int, Scenario]] = []
    for each in reached:
        ranks[each.family] += 1
        ranked.append((each.is_drawn, ranks[each.family], each.scenario))
    ranked.sort(key=lambda each: each[:2])
    return [scenario for _, _, scenario in ranked[:TRIALS]]


def uses_of(gate: Gate, seams: Iterable[Seam]) -> Uses:
    """Drive the reference kernel through a gate; return what these functions were given."""
    wanted = list(seams)
    uses: dict[Seam, dict[str, Use]] = {seam: {} for seam in wanted}
    place = 0

    def noted(seam: Seam) -> Change:
        of_seam = uses[seam]

        def note(part: Any, inputs: tuple[Any, ...], right: Any) -> Any:
            given = (*map(_as_given, inputs), *seam.state(part))
            use = of_seam.setdefault(repr((given, right)), Use(given, right))
            if place not in use.scenarios[-1:]:
                use.scenarios.append(place)
            return right

        return note

    adapter = InProcessAdapter(
        "reference", observed({seam: noted(seam) for seam in wanted}), transport="embedded"
    )
    for place, each in enumerate(gate.scenarios):  # noqa: B007 - `note` reads it
        drive(adapter, gate.plan.description, each.scenario, ids=FreshIds(_NONCE))
    return {seam: list(found.values()) for seam, found in uses.items()}


def _as_given(given: Any) -> Any:
    """Return what a function was given as it was then: cards and progress change later."""
    return deepcopy(given) if is_dataclass(given) else given


def _changed(breach: Breach, uses: Iterable[Use]) -> Iterator[tuple[Use, Sequence[int]]]:
    """Yield the uses that a breach changes, with the places of the scenarios."""
    if breach.seam.tells_apart:
        yield from _moved(breach, uses)
        return
    for use in uses:
        if not _same(use.right, breach.wrong(use.right, *use.inputs)):
            yield use, use.scenarios


def _moved(breach: Breach, uses: Iterable[Use]) -> Iterator[tuple[Use, Sequence[int]]]:
    """Yield the uses whose place falls together with another one, or apart from itself."""
    of_scenario: dict[int, list[tuple[Use, object, object]]] = {}
    for use in uses:
        wrong = breach.wrong(use.right, *use.inputs)
        for place in use.scenarios:
            of_scenario.setdefault(place, []).append((use, use.right, wrong))
    found: dict[int, tuple[Use, list[int]]] = {}
    for place, addresses in of_scenario.items():
        for use, right, wrong in addresses:
            if any((right == r) != (wrong == w) for _, r, w in addresses):
                found.setdefault(id(use), (use, []))[1].append(place)
    yield from found.values()


def _same(right: object, wrong: object) -> bool:
    return right is wrong or (type(right) is type(wrong) and repr(right) == repr(wrong))


def _confirmed(reach: Reach, breach: Breach, gate: Gate, trials: Iterable[Scenario]) -> Reach:
    for scenario in trials:
        clause = seen(breach, scenario, gate)
        if clause:
            return Reach(reach.breach, reach.values, reach.scenarios, clause, scenario.id)
    return reach


def seen(breach: Breach, scenario: Scenario, gate: Gate) -> str:
    """Return the id of a clause that sees a breach in a scenario; empty if none does."""
    adapter = InProcessAdapter(f"breach:{breach.name}", breach.kernel(), transport="embedded")
    trace = drive(adapter, adapter.describe(), scenario, ids=FreshIds(_NONCE))
    broken = [
        clause
        for clause, findings in judge(trace, gate.plan.session.clauses).items()
        if any(isinstance(each, Violation) for each in findings)
    ]
    deciding = [clause for clause in broken if clause in gate.plan.requirements.clauses]
    return next(iter(deciding or broken), "")
