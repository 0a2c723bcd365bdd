"""What the planner was made to hand over, and what became of each call.

Rules that several clauses need are written here once: what has the shape of an invented id,
what is a placeholder, which codes there are, which arguments fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import UNSET

from ..vocabulary.json_values import is_list, is_object, parse
from ..vocabulary.scenario import DISPATCHED, Call, Confirm, Function, Planned, Turn
from ..vocabulary.strict_function import misfits
from ..vocabulary.trace import (
    CallBlocked,
    CallDispatched,
    CardCall,
    ConfirmationCard,
    PlannerPrompt,
)
from ..vocabulary.trace_view import StepView, TraceView

ID_FIELDS = ("message_id", "thread_id", "email_id", "msg_id")
"""The fields whose values are ids that a planner likes to invent."""

CODES = (
    "VALIDATION_MISSING_FIELD",
    "VALIDATION_TYPE_ERROR",
    "FABRICATED_ID_SHAPE",
    "UNKNOWN_TOOL",
    "UNKNOWN_SUB_FUNCTION",
    "PERMISSION_DENIED",
    "BACKEND_TIMEOUT",
    "BACKEND_5XX",
    "RATE_LIMITED",
    "EXT_UNSTRUCTURED_ERROR",
)
"""The codes of the taxonomy, without INTERNAL, which is an everyday word."""

_FABRICATED = re.compile(r"[a-z][a-z0-9]*-[a-z][a-z0-9]*-[0-9]+")
_PLACEHOLDER = re.compile(r"<[A-Z][A-Z0-9_]*>")
_LONG_ID = 8


@dataclass(eq=False)
class ScriptedCall:
    """A call that the suite scripted, and what the kernel did about it.

    Attributes:
        step: the turn's step.
        index: index of the call inside the turn.
        call: the call.
        known: every text of the conversation that stood before the call: messages, results,
            sections of the skeleton.
        before: the calls of the turn that were planned before it.
        entered: how often its handler was entered, with what, and in which step.
        blocked: the refusal, if there was one.
        prompts: what the planner was told before it tried again.
        carded: its place on a card, if it waits.
    """

    step: StepView
    index: int
    call: Call
    known: str
    before: Sequence[ScriptedCall]
    entered: list[tuple[StepView, CallDispatched]] = field(
        default_factory=list[tuple[StepView, CallDispatched]]
    )
    blocked: CallBlocked | None = None
    prompts: list[PlannerPrompt] = field(default_factory=list[PlannerPrompt])
    carded: CardCall | None = None

    @property
    def name(self) -> str:
        """The call for people."""
        return f"call {self.index}, {self.call.app}.{self.call.function}"

    @property
    def planned(self) -> Planned:
        """What the planner hands over."""
        return Planned() if self.call.planned is UNSET else self.call.planned

    @property
    def function(self) -> Function | None:
        """What its extension declares of the function; None if there is no such function."""
        return DISPATCHED.get(self.call.function)

    @property
    def failed_before(self) -> bool:
        """Whether an earlier call of the turn ran, and failed with a code."""
        failed = (each for each in self.before if each.call.status == "error" and each.at_once)
        return any(each.planned.error_code for each in failed)

    @property
    def writes(self) -> bool:
        """Whether the function is declared to change anything."""
        return self.function is not None and self.function.action_type != "read"

    @property
    def waits(self) -> bool:
        """Whether the call waits for its user's yes."""
        return self.function is not None and self.function.action_type == "destructive"

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """All arguments that the planner can give, first those that it gives first."""
        texts = (self.planned.args_json, *self.planned.attempts)
        return tuple(Offer(self, text) for text in texts)

    @property
    def first(self) -> Offer:
        """The arguments that the planner gives first."""
        return self.offers[0]

    @property
    def deciding(self) -> Offer | None:
        """The first arguments that fit, or against which a guard speaks; None if there are none."""
        return next((each for each in self.offers if each.guarded or not each.misfits), None)

    @property
    def at_once(self) -> list[CallDispatched]:
        """What entered the handler in the turn itself."""
        return [event for step, event in self.entered if step is self.step]

    @property
    def is_refused(self) -> bool:
        """Whether the call neither ran nor waits for a yes."""
        return not self.entered and self.carded is None

    @property
    def is_ordinary(self) -> bool:
        """Whether no rule speaks against the call as it was first planned, so that it runs."""
        return self.function is not None and not self.waits and self.first.is_ordinary

    @property
    def ran(self) -> Offer:
        """The arguments with which the handler was entered last."""
        return Offer(self, self.entered[-1][1].args_json)

    @property
    def told(self) -> str:
        """What the kernel did, for people."""
        if self.entered:
            times = f"{len(self.entered)} times, first " if len(self.entered) > 1 else ""
            return f"the handler was entered {times}with {self.entered[0][1].args_json}"
        if self.blocked is not None:
            return f"refused: {self.blocked.error_code} {self.blocked.field} {self.blocked.reason}"
        return "held on a card" if self.carded else "nothing"


@dataclass(eq=False)
class Offer:
    """Arguments that the planner gives for a call."""

    of: ScriptedCall
    args_json: str

    @cached_property
    def args(self) -> Any:
        """The arguments, parsed; None if a kernel sent on what is no JSON."""
        try:
            return parse(self.args_json)
        except (ValueError, RecursionError):
            return None

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The arguments by name."""
        return self.args if is_object(self.args) else {}

    @property
    def fabricated(self) -> Sequence[str]:
        """The fields whose value has the shape of an invented id."""
        return [
            name
            for name in ID_FIELDS
            if isinstance(value := self.fields.get(name), str) and _FABRICATED.fullmatch(value)
        ]

    @property
    def placeholders(self) -> Sequence[str]:
        """The fields that hold a placeholder at any depth."""
        return [
            name
            for name, value in self.fields.items()
            if any(_PLACEHOLDER.fullmatch(text.strip()) for text in texts(value))
        ]

    @property
    def unseen(self) -> Sequence[str]:
        """The fields that hold an id which stands nowhere in the conversation."""
        return [
            name
            for name, value in self.fields.items()
            if (name == "id" or name.endswith("_id"))
            and isinstance(value, str)
            and len(value) >= _LONG_ID
            and value not in self.of.known
        ]

    @property
    def bleeds(self) -> bool:
        """Whether a write holds the code of an error, after a failure of its turn."""
        written = self.args_json.upper()
        holds = any(code in written for code in CODES)
        return self.of.writes and self.of.failed_before and holds

    @cached_property
    def misfits(self) -> tuple[str, ...]:
        """The arguments that do not fit the function's schema, by name."""
        return tuple(misfits(self.of.call.function, self.args))

    @property
    def guarded(self) -> bool:
        """Whether a guard speaks against these arguments, whether they fit or not."""
        return bool(self.fabricated or self.placeholders or self.bleeds)

    @property
    def is_ordinary(self) -> bool:
        """Whether no rule speaks against these arguments."""
        return not (self.guarded or self.unseen or self.misfits)


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a value, but no name of a field."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for item in value.values():
            yield from texts(item)
    elif is_list(value):
        for item in value:
            yield from texts(item)


def read_dispatch(view: TraceView) -> list[ScriptedCall]:
    """Read every scripted call of a trace; use it through ``view.reading``."""
    found: list[ScriptedCall] = []
    by_message: dict[str, list[ScriptedCall]] = {}
    heard: dict[tuple[str, str], list[str]] = {}
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            known = heard.setdefault((step.user, step.session), [])
            known.append(step.stimulus.message)
            calls = _read_turn(step, step.stimulus, known, view)
            by_message[step.stimulus.message] = calls
            found += calls
        elif isinstance(step.stimulus, Confirm):
            for event in step.all(CallDispatched):
                for each in by_message.get(step.stimulus.message, ()):
                    if each.index == event.call:
                        each.entered.append((step, event))
    return found


def _read_turn(step: StepView, turn: Turn, known: list[str], view: TraceView) -> list[ScriptedCall]:
    sections = [
        text
        for extension in view.trace.environment.extensions
        for section in extension.sections
        for text in section.returns_json
    ]
    calls: list[ScriptedCall] = []
    for index, call in enumerate(turn.calls):
        before = "\n".join([*known, *sections])
        calls.append(ScriptedCall(step, index, call, before, tuple(calls)))
        known.append(call.data_json)
    for each in calls:
        own = [event for event in step.all(CallDispatched) if event.call == each.index]
        each.entered += [(step, event) for event in own]
        refusals = [event for event in step.all(CallBlocked) if event.call == each.index]
        each.blocked = refusals[0] if refusals else None
        each.prompts = [event for event in step.all(PlannerPrompt) if event.call == each.index]
        for card in step.all(ConfirmationCard):
            for place in card.calls:
                each.carded = place if place.call == each.index else each.carded
    return calls
