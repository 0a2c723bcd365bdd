"""The cards on which calls wait, and the answers to them, in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..vocabulary.scenario import Confirm
from ..vocabulary.trace import CallDispatched, ConfirmOutcome
from ..vocabulary.trace_view import StepView, TraceView
from .dispatch import ScriptedCall, read_dispatch


@dataclass(eq=False)
class Answer:
    """An answer to the cards of a turn.

    Attributes:
        step: the answer's step.
        confirm: the answer itself.
        calls: the calls of the turn that wait for a yes.
        earlier: the answers to the same cards that came before.
        is_own: whether who asked answers.
        in_session: whether that is in the session of the turn.
    """

    step: StepView
    confirm: Confirm
    calls: list[ScriptedCall]
    is_own: bool
    in_session: bool
    earlier: list[Answer] = field(default_factory=list["Answer"])

    @property
    def accepts(self) -> bool:
        """Whether it is a yes."""
        return self.confirm.decision == "accept"

    @property
    def is_first(self) -> bool:
        """Whether nobody has answered before."""
        return not self.earlier

    @property
    def entered(self) -> list[CallDispatched]:
        """What entered a handler in this step."""
        return self.step.all(CallDispatched)

    @property
    def outcome(self) -> str:
        """What the kernel says became of it."""
        event = self.step.first(ConfirmOutcome)
        return event.outcome if event else "nothing"

    @property
    def told(self) -> str:
        """What the kernel did, for people."""
        ran = ", ".join(f"{e.app}.{e.function} {e.args_json}" for e in self.entered[:4])
        return f"{self.outcome}; ran: {ran or 'nothing'}"


def read_answers(view: TraceView) -> list[Answer]:
    """Read every answer of a trace; use it through ``view.reading``."""
    asked: dict[str, list[ScriptedCall]] = {}
    for each in view.reading(read_dispatch):
        if each.carded is not None or each.waits:
            asked.setdefault(getattr(each.step.stimulus, "message", ""), []).append(each)
    found: dict[str, list[Answer]] = {}
    for step in view.steps:
        confirm = step.stimulus
        if isinstance(confirm, Confirm) and confirm.message in asked:
            calls = asked[confirm.message]
            turn = calls[0].step
            earlier = found.setdefault(confirm.message, [])
            own, here = step.user == turn.user, step.session == turn.session
            earlier.append(Answer(step, confirm, calls, own, here, list(earlier)))
    return [answer for answers in found.values() for answer in answers]
