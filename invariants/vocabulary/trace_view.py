"""A trace as judges read it: grouped by step, with each reading computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .parameters import EXPOSE_PII_FLAG, Parameters
from .scenario import AnyStep, is_agent, is_dispatch, is_interrupted
from .trace import AnyEvent, Event, Given, Trace

E = TypeVar("E", bound=Event)
R = TypeVar("R")


class StepView:
    """One step: its stimulus, as the suite gave it, and what the kernel did."""

    __slots__ = ("index", "stimulus", "events", "session", "user", "_by_kind")

    def __init__(self, given: Given) -> None:
        self.index = given.step
        self.stimulus: AnyStep = given.stimulus
        self.user = given.user
        self.session = given.session
        self.events: list[AnyEvent] = []
        self._by_kind: dict[type[Event], list[Any]] = {}

    def add(self, event: AnyEvent) -> None:
        """Add the next event that the kernel produced in this step."""
        self.events.append(event)
        self._by_kind.setdefault(type(event), []).append(event)

    def all(self, kind: type[E]) -> list[E]:
        """Return the step's events of one kind, in order; the list is not to be changed."""
        return self._by_kind.get(kind, [])

    def first(self, kind: type[E]) -> E | None:
        """Return the step's first event of one kind, or ``None``."""
        return next(iter(self._by_kind.get(kind, ())), None)


class TraceView:
    """A trace, grouped by step.

    Attributes:
        trace: the trace itself.
        steps: the steps that have a ``given`` event, in order.
        scripts_dispatch: whether the suite says what the planner hands over, so that a call may
            rightly be held or refused; only the clauses on dispatch judge such a trace.
        of_agent: whether an agent runtime did this; only the clauses on agents judge such a trace.
        is_interrupted: whether something befalls a turn while it runs, so that it may be told twice
            or in part; only the clauses on such turns judge such a trace.
        capabilities: what the kernel claims.
        parameters: the values by which it is judged: its own, which default to the documents'.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.capabilities = frozenset(trace.kernel.capabilities)
        self.parameters: Parameters = trace.kernel.parameters
        self.steps: list[StepView] = []
        self._readings: dict[object, object] = {}
        by_index: dict[int, StepView] = {}
        for event in trace.events:
            if isinstance(event, Given):
                by_index[event.step] = StepView(event)
                self.steps.append(by_index[event.step])
            elif event.step in by_index:
                by_index[event.step].add(event)
        self.scripts_dispatch = any(is_dispatch(step.stimulus) for step in self.steps)
        self.of_agent = any(is_agent(step.stimulus) for step in self.steps)
        self.is_interrupted = any(is_interrupted(step.stimulus) for step in self.steps)

    @property
    def exposes_pii(self) -> bool:
        """Whether the run opted in to raw personal data: only the exact flag ``true`` does."""
        return self.trace.environment.flags.get(EXPOSE_PII_FLAG) == "true"

    def reading(self, read: Callable[[TraceView], R]) -> R:
        """Return ``read(self)``, computed once and shared by all judges of this trace."""
        if read not in self._readings:
            self._readings[read] = read(self)
        return self._readings[read]  # type: ignore[return-value]
