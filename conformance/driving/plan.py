"""What a run will do: the kernel it reaches, the clauses it judges, the requirements."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from ...invariants.catalog import catalog, clauses
from ...invariants.plugins import Plugin, invariant_plugins, kept_out, kernel_plugin, refuse_broken
from ...invariants.requirements import (
    RequirementList,
    forbidden_deviations,
    ignored_clauses,
    requirement_set,
)
from ...invariants.rows import fixed_scenarios, further_scenarios
from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.invariant import Invariant
from ...invariants.vocabulary.near_names import did_you_mean
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import CLAIMABLE, KernelDescription, Trace
from ...reports.record.asked import demanded_claims, left_out
from ..adapters.own_process import Hosting
from ..adapters.reference import open_kernel
from ..settings.options import AGENT_SET, DEFAULT_SET, RunOptions
from .drive import FreshIds
from .judging import Clauses, unclaimed
from .kept_traces import KeptTraces
from .resumed import Earlier, earlier_of
from .session import Session
from .shares import numbers, share_of


@dataclass(frozen=True)
class Plan:
    """What a run will do.

    Attributes:
        selected: the clauses that were asked for, in the order of the catalog.
        excluded: the clauses left out, each with the reason.
        invariants: those of which the kernel claims at least one selected clause.
        deviations: parameters in which the kernel differs from the documents and that the
            requirement set does not allow, as name → (documented, declared).
        ignored: the clauses that decide and ``--ignore`` left out.
        must_claim: capabilities that the kernel has to claim.
        plugins: those that take part, broken ones included.
        earlier: what the run has done that this one goes on with.
    """

    options: RunOptions
    session: Session
    description: KernelDescription
    selected: Clauses
    excluded: dict[str, str]
    invariants: tuple[Invariant, ...]
    requirements: RequirementList
    deviations: dict[str, tuple[object, object]]
    nonce: str
    ignored: tuple[str, ...]
    must_claim: tuple[str, ...]
    plugins: tuple[Plugin, ...]
    earlier: Earlier | None = None

    @cached_property
    def own(self) -> tuple[Invariant, ...]:
        """Return those of the invariants whose scenarios this run takes: all, or its share."""
        if self.earlier is not None:
            left = self.earlier.left
            return tuple(invariant for invariant in self.invariants if invariant.id in left)
        if not self.options.shard:
            return self.invariants
        weights = [len(self.fixed_scenarios(each)) for each in self.invariants]
        places = share_of(weights, self.options.examples, *numbers(self.options.shard))
        return tuple(self.invariants[place] for place in places)

    def fixed_scenarios(self, invariant: Invariant) -> tuple[Scenario, ...]:
        """Return the fixed scenarios that the run takes for one of its invariants."""
        if invariant.id not in self._made:
            kernel = self.description
            self._made[invariant.id] = tuple(
                fixed_scenarios(
                    invariant, self.invariants, kernel.parameters, frozenset(kernel.capabilities)
                )
            )
        return self._made[invariant.id]

    @cached_property
    def _made(self) -> dict[str, tuple[Scenario, ...]]:
        """The fixed scenarios, by the invariant; they are counted first, then run."""
        return {}

    def further_scenarios(self, invariant: Invariant, seed: int) -> Iterator[Scenario]:
        """Yield the triples that exploration tries beyond the rows of one of its invariants."""
        kernel = self.description
        capabilities = frozenset(kernel.capabilities)
        return further_scenarios(invariant, self.invariants, kernel.parameters, capabilities, seed)


@contextmanager
def plan_run(options: RunOptions, *, nonce: str | None = None) -> Generator[Plan]:
    """Reach the kernel and plan the run; the kernel is let go at the end.

    Raises:
        UsageError: the options name a clause, set or kernel that does not exist.
        PluginError: a plug-in cannot be loaded.
        KernelError: the kernel cannot be reached.
    """
    with kept_out(not options.plugins):
        if not options.allow_broken_plugins:
            refuse_broken(invariant_plugins())
        with _planned(options, nonce or secrets.token_hex(4)) as plan:
            yield plan


@contextmanager
def _planned(options: RunOptions, nonce: str) -> Generator[Plan]:
    selected, excluded = _selection(options)
    requirements = _requirements(options)  # what is wrong with it is told before a kernel starts
    named = None if ":" in options.kernel else kernel_plugin(options.kernel)
    with open_kernel(
        options.kernel,
        timeout=options.timeout,
        in_process=options.in_process,
        hosting=Hosting(options.memory_limit, options.pass_env, options.sandbox, options.python),
    ) as adapter:
        description = adapter.describe()
        capabilities = frozenset(description.capabilities)
        if "agent" in capabilities and not _names_set(options):
            options = _for_agent(options)
            requirements = _requirements(options)
        judged = {
            clause_id: pair
            for clause_id, pair in selected.items()
            if not unclaimed(*pair, capabilities)
        }
        session = Session(adapter, description, judged, FreshIds(nonce), *_kept(options, nonce))
        alive = {invariant.id for invariant, _ in judged.values()}
        yield Plan(
            options=options,
            session=session,
            description=description,
            selected=selected,
            excluded=excluded,
            invariants=tuple(invariant for invariant in catalog() if invariant.id in alive),
            requirements=requirements,
            deviations=forbidden_deviations(requirements, description.parameters),
            nonce=nonce,
            ignored=ignored_clauses(requirements, excluded, clauses(catalog())),
            must_claim=demanded_claims(options.must_claim, requirements),
            plugins=(*invariant_plugins(), *((named,) if named else ())),
            earlier=earlier_of(Path(options.resume)) if options.resume else None,
        )


def _kept(options: RunOptions, nonce: str) -> Iterator[Callable[[Trace], None]]:
    if options.record_traces:
        yield KeptTraces(Path(options.record_traces), nonce).add


def _names_set(options: RunOptions) -> bool:
    """Whether somebody has named the requirement set."""
    setting = options.configuration.get("require")
    return options.requirement_set != DEFAULT_SET or bool(setting and setting.source != "default")


def _for_agent(options: RunOptions) -> RunOptions:
    """Return the options with the requirement set of agents, in what the record says too."""
    configuration = dict(options.configuration)
    if "require" in configuration:
        configuration["require"] = replace(configuration["require"], value=AGENT_SET)
    return replace(options, requirement_set=AGENT_SET, configuration=configuration)


def _requirements(options: RunOptions) -> RequirementList:
    found = requirement_set(options.requirement_set)
    known = clauses(catalog())
    if unknown := [clause for clause in found.clauses if clause not in known]:
        raise UsageError(
            f"requirement set {found.name!r} names {', '.join(unknown)}, which no invariant here "
            "has; install the plug-in that brings it, or correct the name"
        )
    for name in (*options.must_claim, *found.must_claim):
        if name not in CLAIMABLE:
            listed = f"there are: {', '.join(CLAIMABLE)}"
            raise UsageError(
                f"must_claim: {name!r} is no capability; {did_you_mean(name, CLAIMABLE, listed)}"
            )
    return found


def _selection(options: RunOptions) -> tuple[Clauses, dict[str, str]]:
    every = clauses(catalog())
    excluded = left_out(tuple(every), options.select, options.ignore)
    return {x: pair for x, pair in every.items() if x not in excluded}, excluded
