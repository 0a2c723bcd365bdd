"""What an agent asked its user about, what the user answered, and what ran before and after."""

from __future__ import annotations

from dataclasses import dataclass

from ..vocabulary.scenario import DESTRUCTIVE, Confirm
from ..vocabulary.trace import CallDispatched, CardCall, ConfirmationCard
from ..vocabulary.trace_view import StepView, TraceView
from .agents import AgentCall, read_agent


@dataclass(eq=False)
class DestructiveCall:
    """A destructive call that the model asked for with whole arguments.

    Attributes:
        call: the call.
        carded: the call as its user was first shown it, if it was.
        decision: the first answer of its user after that, in the session of the turn.
        later: answers of its user that came after.
        strangers: answers of others before the decision, in whatever session.
        runs: each time that the tool was called, with the step in which it was.
    """

    call: AgentCall
    carded: CardCall | None
    decision: StepView | None
    later: list[StepView]
    strangers: list[StepView]
    runs: list[tuple[StepView, CallDispatched]]

    @property
    def approved(self) -> bool:
        """Whether its user said yes."""
        return self.decision is not None and accepts(self.decision)

    @property
    def refused(self) -> bool:
        """Whether its user said no."""
        return self.decision is not None and not accepts(self.decision)

    @property
    def before(self) -> list[tuple[StepView, CallDispatched]]:
        """What ran before its user had answered."""
        return [x for x in self.runs if self.decision is None or x[0].index < self.decision.index]

    @property
    def after(self) -> list[tuple[StepView, CallDispatched]]:
        """What ran once its user had answered."""
        return [x for x in self.runs if self.decision and x[0].index >= self.decision.index]


def accepts(step: StepView) -> bool:
    """Whether an answer is a yes."""
    return isinstance(step.stimulus, Confirm) and step.stimulus.decision == "accept"


def read_destructive(view: TraceView) -> list[DestructiveCall]:
    """Read every destructive call of an agent; use it through ``view.reading``."""
    found: list[DestructiveCall] = []
    for turn in view.reading(read_agent):
        found += [
            _read(call)
            for call in turn.calls
            if call.call.function == DESTRUCTIVE.name and call.is_whole
        ]
    return found


def _read(call: AgentCall) -> DestructiveCall:
    answers = call.turn.answers
    steps = [call.turn.step, *answers]
    cards = [
        (step, each)
        for step in steps
        for card in step.all(ConfirmationCard)
        for each in card.calls
        if each.call == call.index
    ]
    shown_in, carded = cards[0] if cards else (None, None)
    after = [x for x in answers if shown_in is not None and x.index > shown_in.index]
    own = [x for x in after if (x.user, x.session) == call.turn.owner]
    decision = own[0] if own else None
    others = [x for x in after if x not in own and (not decision or x.index < decision.index)]
    runs = [
        (step, event)
        for step in steps
        for event in step.all(CallDispatched)
        if event.call == call.index
    ]
    return DestructiveCall(call, carded, decision, own[1:], others, runs)
