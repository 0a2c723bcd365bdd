"""What is left of the calls of a turn that may exceed a cap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..vocabulary.trace_view import TraceView
from .facts import PromptReading, read_facts
from .given import GivenCall, GivenTurn
from .payload import Payload
from .sizes import Sizes, read_sizes

_LEAST_LEADING = 8
_WHOLE_SHARE = 0.9
_EVEN = 0.02


@dataclass(frozen=True, eq=False)
class Remnant:
    """What one prompt shows of one call.

    Attributes:
        given: the call.
        payload: what its FACTS line shows; ``None`` when it has none.
        sizes: how long payloads are on this kernel.
    """

    given: GivenCall
    payload: Payload | None
    sizes: Sizes

    @property
    def intact(self) -> bool:
        """Whether all of the data is shown."""
        return self.payload is not None and self.payload.intact

    @property
    def whole(self) -> bool:
        """Whether the call is shown to its end; to say something else is not to cut.

        A short note in place of large data is no altered whole.
        """
        if self.payload is None or self.payload.intact:
            return self.intact
        least = self.sizes.least(self.given) * _WHOLE_SHARE
        return self.payload.altered and len(self.payload.text) >= least

    @property
    def left(self) -> bool:
        """Whether anything of the call can still be read, be it the wrong part."""
        if self.payload is None:
            return False
        return self.payload.shown >= _LEAST_LEADING or not self.payload.leading or self.whole

    @property
    def share(self) -> float:
        """How much of the call is shown, from 0 to 1."""
        if self.payload is None or self.whole:
            return float(self.whole)
        return self.sizes.shown_share(self.given, self.payload.shown)

    @property
    def allowance(self) -> float:
        """The share that rounding, and a marker that the cap counts, may take from the call."""
        leading = self.payload is not None and self.payload.leading
        marker = self.payload.marker if self.payload is not None and leading else ""
        return _EVEN + (1 + len(marker)) / self.sizes.least(self.given)


def overflowing(view: TraceView) -> Iterator[tuple[PromptReading, GivenTurn]]:
    """Every turn that may exceed a cap, in every prompt that has to show it."""
    sizes = view.reading(read_sizes)
    for prompt in view.reading(read_facts).prompts:
        for given in _due(prompt):
            if given.successful and not sizes.surely_fits(given):
                yield prompt, given


def _due(prompt: PromptReading) -> list[GivenTurn]:
    """The turns that the prompt has to show; a retry may count the current one in the window."""
    if not prompt.retry:
        return prompt.turns if prompt.lines else []
    shown = {id(given.turn) for _, given in prompt.pairs}
    return [turn for turn in prompt.turns if id(turn) in shown]


def remnants(view: TraceView, prompt: PromptReading, turn: GivenTurn) -> list[Remnant]:
    """What a prompt shows of the turn's calls, in dispatch order."""
    sizes = view.reading(read_sizes)
    payloads = {id(g): g.payload_of(line) for line, g in prompt.pairs if g.turn is turn}
    return [Remnant(given, payloads.get(id(given)), sizes) for given in turn.successful]
