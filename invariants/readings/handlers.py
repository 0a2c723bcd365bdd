"""Probes in handlers that are known to run: only there does an absence tell something."""

from __future__ import annotations

from typing import NamedTuple

from ..vocabulary.scenario import Probe
from ..vocabulary.trace import ProbeOutcome
from ..vocabulary.trace_view import StepView, TraceView
from .cache import read_json
from .probes import CONTROL_PATH, Handler

ABSENT = ("absent", "raised")
"""Outcomes of a get that found nothing: an access that raises gives nothing either."""


class Reached(NamedTuple):
    """A probe in a handler, and what came of it."""

    step: StepView
    probe: Probe
    outcome: ProbeOutcome

    @property
    def handler(self) -> Handler:
        """The user, the extension and the kind of handler that reached."""
        return (self.step.user, self.probe.app, self.probe.handler)

    @property
    def told_handler(self) -> str:
        """The kind of handler, for people."""
        return self.probe.handler.replace("_", " ")

    @property
    def identity(self) -> str | None:
        """The user's id, if the probe asked for it and got a text."""
        if (self.probe.op, self.probe.path) != ("get", CONTROL_PATH):
            return None
        value = read_json(self.outcome.value_json) if self.outcome.outcome == "value" else None
        return value if isinstance(value, str) else None


def all_reached(view: TraceView) -> list[Reached]:
    """Return every probe that was carried out. Use it through ``view.reading``."""
    return [
        Reached(step, step.stimulus, outcome)
        for step in view.steps
        if isinstance(step.stimulus, Probe)
        and (outcome := step.first(ProbeOutcome)) is not None
        and outcome.outcome != "error"
    ]


def reached(view: TraceView) -> list[Reached]:
    """Return the probes in handlers that gave the user's id. Use it through ``view.reading``."""
    found = view.reading(all_reached)
    running = {each.handler for each in found if each.identity is not None}
    return [each for each in found if each.handler in running]
