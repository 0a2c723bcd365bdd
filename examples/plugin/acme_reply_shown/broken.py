"""A kernel that breaks ACME-REPLY-SHOWN and nothing else: the proof that its judge can fail."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.vocabulary.scenario import Turn
from fedcheck.invariants.vocabulary.trace import AnyEvent, Reply

from .invariant import LONG


class Kernel(ReferenceKernel):
    """Swallows long replies."""

    name = "acme-reply-shown-broken"

    def turn(self, step: Turn) -> Iterable[AnyEvent]:
        for event in super().turn(step):
            long = isinstance(event, Reply) and len(event.text) >= LONG
            yield replace(event, text="") if long else event
