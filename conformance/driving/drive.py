"""Make a kernel take a scenario, and write the trace of it.

The suite writes the stimulus into the trace itself; what the kernel adds is sorted under
the step that caused it. "Clean" means fresh user and session ids for every scenario: real
kernels cannot be reset.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import structs

from ...invariants.vocabulary.errors import ProtocolError, UsageError
from ...invariants.vocabulary.protocol import Problem, needs, problems, tag_of
from ...invariants.vocabulary.scenario import (
    DISPATCHED,
    FRESH,
    FUNCTIONS,
    UNSEEN,
    AnyStep,
    Call,
    Environment,
    Scenario,
    Turn,
    is_dispatch,
)
from ...invariants.vocabulary.trace import (
    PER_SCENARIO,
    AnyEvent,
    Given,
    KernelDescription,
    ProbeOutcome,
    Trace,
)
from ..adapters.base import Adapter

__all__ = ["FreshIds", "Problem", "drive", "needs", "problems", "runnable"]

_LEAST = 10**14
"""The least number that stands for ``{fresh}``; a kernel that takes ids for numbers can hold all
of them, and so can a double."""

_ALIKE = "0" * len(str(_LEAST))
"""What a trace shows in the place of digits that no kernel has seen."""


@dataclass(frozen=True)
class Renamed:
    """A scenario under fresh ids, and the way back.

    Attributes:
        scenario: the scenario as the kernel receives it.
        users: fresh user id → the one in the scenario.
        sessions: fresh session id → the one in the scenario.
    """

    scenario: Scenario
    users: dict[str, str]
    sessions: dict[str, str]


class FreshIds:
    """Draws user and session ids that no kernel has seen: ``<logical>-<nonce>-<counter>``.

    An id that holds ``{fresh}`` gets digits in its place and no ending: two such ids may be
    alike in any way. So does ``{unseen}`` in a key and in the arguments of a probe: under such a
    key lies nothing that an earlier scenario has left.

    Args:
        nonce: tells this run from all others that the kernel remembers; random by default.
    """

    def __init__(self, nonce: str | None = None) -> None:
        self._nonce = secrets.token_hex(4) if nonce is None else nonce
        self._counter = itertools.count(1)

    def rename(self, scenario: Scenario) -> Renamed:
        """Return the scenario with fresh ids in all its steps."""
        ending = f"-{self._nonce}-{next(self._counter)}"
        users = {step.user: _fresh(step.user, ending) for step in scenario.steps}
        sessions = {step.session: _fresh(step.session, ending) for step in scenario.steps}
        steps = tuple(
            structs.replace(
                step,
                user=users[step.user],
                session=sessions[step.session],
                **_with_digits(step, _digits(ending)),
            )
            for step in scenario.steps
        )
        return Renamed(
            scenario=structs.replace(scenario, steps=steps),
            users={fresh: logical for logical, fresh in users.items()},
            sessions={fresh: logical for logical, fresh in sessions.items()},
        )


def _with_digits(step: AnyStep, digits: str) -> dict[str, str]:
    """The fields of a step that hold ``{unseen}``, with these digits in its place."""
    found = {name: getattr(step, name, "") for name in ("key", "args_json")}
    return {name: text.replace(UNSEEN, digits) for name, text in found.items() if UNSEEN in text}


def _fresh(logical: str, ending: str) -> str:
    if FRESH not in logical:
        return logical + ending
    return logical.replace(FRESH, _digits(ending))


def _digits(ending: str) -> str:
    digest = hashlib.sha256(ending.encode()).digest()
    return str(_LEAST + int.from_bytes(digest[:8], "big") % (9 * _LEAST))


def runnable(description: KernelDescription, scenario: Scenario) -> str | None:
    """Return why the kernel does not claim to run the scenario; ``None`` if it does."""
    missing = sorted(needs(scenario) - set(description.capabilities))
    if missing:
        return f"the scenario needs {', '.join(missing)}, which the kernel does not claim"
    return other_flags(description, scenario.environment)


def other_flags(description: KernelDescription, environment: Environment) -> str | None:
    """Return which flags the kernel would need for a scenario and never has; ``None`` if none."""
    return _fixed_otherwise(description, environment) if environment.flags_matter else None


def own_flags(description: KernelDescription, environment: Environment) -> str | None:
    """Return with which flags the kernel runs a scenario that names others; ``None`` if none."""
    return None if environment.flags_matter else _fixed_otherwise(description, environment)


def _fixed_otherwise(description: KernelDescription, environment: Environment) -> str | None:
    fixed = PER_SCENARIO not in description.capabilities
    if not fixed or environment.flags == description.env_fixed:
        return None
    verb = "needs" if environment.flags_matter else "asks for"
    return (
        f"the scenario {verb} the flags {json.dumps(environment.flags)}; the kernel always "
        f"runs with {json.dumps(description.env_fixed)} (it does not claim env_per_scenario)"
    )


def drive(
    adapter: Adapter, description: KernelDescription, scenario: Scenario, *, ids: FreshIds
) -> Trace:
    """Run a scenario and return its trace, under the scenario's own user and session ids.

    In the trace each step, with zeros for ``{unseen}``, has its ``given`` event, then the
    kernel's events for that step in the kernel's order. The environment is the one that the
    kernel really ran with. Text is left as the kernel sent it, fresh ids included; only a
    probe's value that is exactly a fresh id is mapped back too.

    Raises:
        UsageError: ``runnable`` has a reason why not.
        KernelError: the kernel failed, or an event belongs to no step.
    """
    reason = runnable(description, scenario)
    if reason is not None:
        raise UsageError(f"scenario {scenario.id!r} cannot be run: {reason}")
    served = structs.replace(
        scenario,
        environment=_served(description, scenario.environment),
        steps=_unheld(description, scenario.steps),
    )
    renamed = ids.rename(served)
    events = adapter.run(renamed.scenario)
    by_step = _by_step(adapter.reference, renamed, events)
    return Trace(
        events=tuple(_told(served.steps, by_step, renamed)),
        kernel=description,
        scenario=scenario.id,
        environment=served.environment,
    )


def _served(description: KernelDescription, environment: Environment) -> Environment:
    if PER_SCENARIO in description.capabilities:
        return environment
    return structs.replace(environment, flags=description.env_fixed)


def _unheld(description: KernelDescription, steps: tuple[AnyStep, ...]) -> tuple[AnyStep, ...]:
    """Return the steps; where writes wait for a yes, calls that nobody is asked about read."""
    if not description.parameters.confirm_writes or any(map(is_dispatch, steps)):
        return steps
    return tuple(
        structs.replace(step, calls=tuple(map(_reading, step.calls)))
        if isinstance(step, Turn)
        else step
        for step in steps
    )


def _reading(call: Call) -> Call:
    function = DISPATCHED.get(call.function)
    writes = function is not None and function.action_type == "write"
    return structs.replace(call, function=FUNCTIONS[1]) if writes else call


def _by_step(reference: str, renamed: Renamed, events: Iterable[AnyEvent]) -> list[list[AnyEvent]]:
    by_step: list[list[AnyEvent]] = [[] for _ in renamed.scenario.steps]
    for number, event in enumerate(events):
        problem = _misplaced(event, len(by_step)) or _endless(event)
        if problem:
            raise ProtocolError(
                f"{reference}: scenario {renamed.scenario.id!r}: event {number} "
                f"({tag_of(event)}): {problem}"
            )
        by_step[event.step].append(event)
    return by_step


def _misplaced(event: AnyEvent, steps: int) -> str:
    if isinstance(event, Given):
        return "`given` events are the suite's own; a kernel sends what it showed"
    if 0 <= event.step < steps:
        return ""
    return (
        f"step {event.step} is not a step of the scenario, which has {steps}. "
        "Set `step` to the index, from 0, of the step that caused the event"
    )


def _endless(event: AnyEvent) -> str:
    """Say which number has no value: no record could hold it."""
    for name in ("at", "ttl_seconds"):
        value: float | None = getattr(event, name, None)
        if value is not None and not math.isfinite(value):
            return f"{name} is {value}; give a finite number, or leave it out"
    return ""


def _told(
    steps: tuple[AnyStep, ...], by_step: list[list[AnyEvent]], renamed: Renamed
) -> Iterable[AnyEvent]:
    for index, step in enumerate(steps):
        stimulus = structs.replace(step, **_with_digits(step, _ALIKE))
        yield Given(step=index, user=step.user, session=step.session, stimulus=stimulus)
        yield from (_logical(event, step, renamed) for event in by_step[index])


def _logical(event: AnyEvent, step: AnyStep, renamed: Renamed) -> AnyEvent:
    user = renamed.users.get(event.user, event.user) or step.user
    session = renamed.sessions.get(event.session, event.session) or step.session
    event = structs.replace(event, user=user, session=session)
    if isinstance(event, ProbeOutcome) and event.value_json is not None:
        return structs.replace(event, value_json=_logical_json(event.value_json, renamed))
    return event


def _logical_json(value_json: str, renamed: Renamed) -> str:
    try:
        value = json.loads(value_json)
    except (ValueError, RecursionError):
        return value_json
    for ids in (renamed.users, renamed.sessions):
        if isinstance(value, str) and value in ids:
            return json.dumps(ids[value])
    return value_json
