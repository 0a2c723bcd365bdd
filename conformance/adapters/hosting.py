"""An author's Python class, factory or object, made to answer ``describe`` and ``run``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast, get_args

from ...invariants.vocabulary.errors import KernelReferenceError, KernelUnreachable, ProtocolError
from ...invariants.vocabulary.scenario import AnyStep, Environment, Scenario, Turn
from ...invariants.vocabulary.trace import AnyEvent, KernelDescription
from .decoding import description_from, event_from
from .stepping import (
    as_builtins,
    as_objects,
    failed,
    listed,
    plain_event,
    raised,
    take,
    take_together,
)

STEP_METHODS = tuple(str(kind.__struct_config__.tag) for kind in get_args(AnyStep))
"""The methods that a kernel class may have: one per kind of step, named as its tag."""

_CLAIMS = {
    "fact_ledger": {"turn"},
    "cache": {"cache_set", "cache_get"},
    "skeleton": {"skeleton_refresh"},
    "probe": {"probe"},
    "store": {"store_set"},
    "panels": {"render_panel"},
    "clock": {"advance"},
}
"""The methods that amount to a claim, when the kernel lists no capabilities itself."""


class HostedKernel:
    """Answers ``describe`` and ``run`` on behalf of an author's kernel.

    The kernel is either a class (or factory) of objects with one method per step kind,
    made anew for each scenario, with the environment if it takes a positional argument;
    or an object, class or factory without arguments that has ``describe()`` and
    ``run(scenario)`` itself. There is no deadline here: a kernel that hangs, hangs its
    caller.

    Raises:
        KernelReferenceError: ``target`` is neither.
        KernelUnreachable: making the object raised.
    """

    def __init__(self, target: object) -> None:
        self._target = target
        self._sample = _sample_of(target)
        self._whole: Any = self._sample if _runs_whole(self._sample) else None
        if self._whole is None and not (callable(target) and _methods(self._sample)):
            raise KernelReferenceError(_not_a_kernel(target))
        self._takes_environment = self._whole is None and bool(_positional(target))

    def describe(self) -> KernelDescription:
        """Return the kernel's description, derived from its methods where it is silent.

        Raises:
            ProtocolError: an attribute, or the answer of its ``describe``, is not as agreed.
        """
        if self._whole is None:
            return self._described()
        try:
            answer = as_builtins(self._whole.describe())
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise ProtocolError(f"describe() raised {raised(error)}") from error
        return description_from(answer, "describe()")

    def _described(self) -> KernelDescription:
        where = "the kernel's attributes"
        try:
            return description_from(as_builtins(self._attributes()), where)
        except (TypeError, ValueError, RecursionError) as error:
            raise ProtocolError(f"{where}: {error}") from None

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Return the kernel's events for the whole scenario; see ``batches``."""
        events: list[AnyEvent] = []
        try:
            for batch in self.batches(scenario):
                events.extend(batch)
        except ProtocolError as error:
            error.events = (*as_objects(events), *error.events)
            raise
        return tuple(events)

    def batches(self, scenario: Scenario) -> Iterator[list[AnyEvent]]:
        """Take the steps one by one; yield the events of each as soon as they are there.

        What the kernel raises becomes a ``step_failed`` event, and the next step follows.
        A kernel that runs the scenario as a whole yields one batch.

        Raises:
            ProtocolError: the kernel gave something that is no event; names step and field.
        """
        if self._whole is not None:
            yield self._run_whole(scenario)
            return
        kernel, failure = self._made_for(scenario.environment)
        for together in _groups(scenario.steps):
            if failure:
                yield [failed(index, step, failure) for index, step in together]
            elif len(together) > 1:
                yield take_together(kernel, together)
            else:
                yield take(kernel, *together[0])

    def _made_for(self, environment: Environment) -> tuple[object, str]:
        make = cast("Callable[..., object]", self._target)
        try:
            return (make(environment) if self._takes_environment else make()), ""
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - also SystemExit is the kernel's failure
            return None, f"the kernel could not be made: {raised(error)}"

    def _run_whole(self, scenario: Scenario) -> list[AnyEvent]:
        events: list[AnyEvent] = []
        try:
            for number, given in enumerate(listed(self._whole.run(scenario), "run()")):
                where = f"run(), event {number}"
                events.append(event_from(plain_event(given, where), where))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            ours = isinstance(error, ProtocolError)
            message = str(error) if ours else f"run() raised {raised(error)}"
            raise ProtocolError(message, events=as_objects(events)) from error
        return events

    def _attributes(self) -> dict[str, object]:
        kernel = self._sample
        name = getattr(self._target, "__name__", type(kernel).__name__)
        claimed = getattr(kernel, "capabilities", None)
        digest = getattr(kernel, "digest", "")
        return {
            "kernel": getattr(kernel, "name", name),
            "version": getattr(kernel, "version", "unknown"),
            "commit": getattr(kernel, "commit", ""),
            "digest": digest if isinstance(digest, str) else "",  # or a method of that name
            "capabilities": self._derived() if claimed is None else _names(claimed),
            "parameters": getattr(kernel, "parameters", {}),
            "env_fixed": getattr(kernel, "env_fixed", {}),
        }

    def _derived(self) -> list[str]:
        methods = _methods(self._sample)
        claims = [name for name, needed in _CLAIMS.items() if needed <= methods]
        return [*claims, "env_per_scenario"] if self._takes_environment else claims


def _groups(steps: Sequence[AnyStep]) -> Iterator[list[tuple[int, AnyStep]]]:
    """Yield the steps with their indexes, turns that overlap together."""
    group: list[tuple[int, AnyStep]] = []
    for index, step in enumerate(steps):
        if group and not (isinstance(step, Turn) and step.overlaps is True):
            yield group
            group = []
        group.append((index, step))
    if group:
        yield group


def _sample_of(target: object) -> object:
    """Return what shows the kernel's methods: the class itself, or the object it makes."""
    if isinstance(target, type):
        return _made(target) if _runs_whole(target) else cast("object", target)
    if _runs_whole(target) or not callable(target):
        return target
    needs_environment = any(p.default is p.empty for p in _positional(target))
    return _made(target, Environment()) if needs_environment else _made(target)


def _made(target: object, *arguments: object) -> object:
    try:
        return cast("Callable[..., object]", target)(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise KernelUnreachable(f"{_name(target)} could not be called: {raised(error)}") from error


def _runs_whole(target: object) -> bool:
    return callable(getattr(target, "describe", None)) and callable(getattr(target, "run", None))


def _methods(target: object) -> set[str]:
    return {name for name in STEP_METHODS if callable(getattr(target, name, None))}


def _names(claimed: object) -> object:
    # A lone string would be taken apart into letters.
    if isinstance(claimed, Iterable) and not isinstance(claimed, str):
        return list(cast("Iterable[object]", claimed))
    return claimed


def _positional(target: object) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(cast("Callable[..., object]", target)).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p for p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]


def _name(target: object) -> str:
    return getattr(target, "__qualname__", None) or f"an object of type {type(target).__name__}"


def _not_a_kernel(target: object) -> str:
    return (
        f"{_name(target)} is not a kernel: expected a class with at least one method of "
        f"{', '.join(STEP_METHODS)}, or an object with describe() and run(scenario)"
    )
