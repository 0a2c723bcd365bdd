"""Drives an embedded kernel class directly, without adapter and judges."""

from __future__ import annotations

import pytest

from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.vocabulary.parameters import EXPOSE_PII_FLAG
from fedcheck.invariants.vocabulary.scenario import AnyStep, Environment, Turn
from fedcheck.invariants.vocabulary.trace import AnyEvent, ClassifierPrompt, Event, prompt_text

EXPOSED = Environment(flags={EXPOSE_PII_FLAG: "true"})


class Player:
    """A kernel and what it said, one step at a time; raw data is exposed unless told."""

    def __init__(
        self, environment: Environment = EXPOSED, kernel: type[ReferenceKernel] = ReferenceKernel
    ) -> None:
        self.kernel = kernel(environment)
        self.events: list[AnyEvent] = []

    def do(self, *steps: AnyStep) -> list[AnyEvent]:
        """Take the steps; return the events of the last one."""
        last: list[AnyEvent] = []
        for step in steps:
            answer = getattr(self.kernel, str(step.__struct_config__.tag))(step)
            last = [answer] if isinstance(answer, Event) else list(answer)
            self.events += last
        return last

    def one(self, kind: type[Event], *steps: AnyStep) -> Event:
        """Take the steps; return the only event of that kind in the last one."""
        (found,) = [event for event in self.do(*steps) if isinstance(event, kind)]
        return found

    def prompt(self, **who: str) -> str:
        """Ask something and return the classifier's prompt."""
        asked = self.do(Turn(message="and now?", **who))
        return next(prompt_text(e) for e in asked if isinstance(e, ClassifierPrompt))

    def facts(self, **who: str) -> list[str]:
        """Ask something and return the FACTS lines of the classifier's prompt."""
        return [line for line in self.prompt(**who).split("\n") if line.startswith("FACTS: ")]

    def payloads(self, **who: str) -> list[str]:
        """Ask something and return what stands behind ``data=`` in each FACTS line."""
        return [line.partition(" data=")[2] for line in self.facts(**who)]


@pytest.fixture
def play() -> type[Player]:
    """What makes a player: of the reference kernel, unless a test names another."""
    return Player
