"""Whether a turn's block carries a warning marker, whatever its words and its place.

No document fixes the marker's text. It is what stands in the block of an overflowing turn,
behind a payload or on a line of its own or in the turn's header, or once for all turns above or
below the facts, and stands in the history of no prompt in which nothing was cut. Instructions may
speak of it: what the first prompt says already, before there is a history, does not make a word
an ordinary one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..vocabulary.trace_view import TraceView
from .facts import FactReading, PromptReading, read_facts
from .given import GivenTurn, ShownFact
from .sizes import is_baseline, read_sizes

_TOKEN = re.compile(r"[^\W\d_]+|[^\w\s]{2,}|[^\w\s\x00-\x7f]")
_WORD = re.compile(r"\w")
_DIGITS = re.compile(r"\d+")
_NEIGHBOURHOOD = 5
_QUOTED = 20
_ORDINARY = "ok error failed success user assistant apps turn Z T"


@dataclass(eq=False)
class MarkerReading:
    """What prompts without a cut look like on this kernel.

    Attributes:
        known: whether there was such a prompt with facts.
        tokens: words of the blocks of turns: headers, rules, names.
        spoken: words of messages, replies and summaries, which previews repeat.
        heads: how messages and replies begin.
        lines: the shapes of all lines.
    """

    known: bool = False
    tokens: set[str] = field(default_factory=set[str])
    spoken: set[str] = field(default_factory=set[str])
    heads: set[str] = field(default_factory=set[str])
    lines: set[str] = field(default_factory=set[str])

    def marked(self, prompt: PromptReading, turn: GivenTurn) -> bool | None:
        """Whether the turn's cut is marked; ``None`` when that cannot be told."""
        pairs = [(line, given) for line, given in prompt.pairs if given.turn is turn]
        if any(given.payload_of(line).marker for line, given in pairs):
            return True
        if not self.known:
            return None
        block = _block(prompt, [line for line, _ in pairs], turn)
        return any(map(self._is_novel, block)) or any(map(self._is_novel, _margins(prompt)))

    def _is_novel(self, line: str) -> bool:
        shape = _shape(line)
        if not shape or shape in self.lines:
            return False
        flat = _flat(line)
        quotes = any(
            flat[at : at + length] in self.heads
            for length in {len(head) for head in self.heads}
            for at in range(len(flat) - length + 1)
        )
        known = self.tokens | self.spoken if quotes else self.tokens
        return not _WORD.search(line) or any(x not in known for x in _TOKEN.findall(line))


def read_markers(view: TraceView) -> MarkerReading:
    """Learn what prompts without a cut look like; use it through ``view.reading``."""
    facts = view.reading(read_facts)
    sizes = view.reading(read_sizes)
    reading = MarkerReading(tokens=set(_ORDINARY.split()))
    for turn in facts.turns:
        for text in (turn.turn.message, turn.turn.draft):
            reading.spoken.update(_TOKEN.findall(text))
            reading.heads.update(filter(None, [_flat(text)[:_QUOTED]]))
        reading.tokens.update(_TOKEN.findall(f"{turn.step.user} {turn.step.session}"))
        for given in turn.calls:
            reading.tokens.update(_TOKEN.findall(f"{given.call.app} {given.call.function}"))
            reading.spoken.update(_TOKEN.findall(f"{given.call.summary} {given.call.error}"))
    static = _static(view, facts)
    for prompt in facts.prompts:
        if is_baseline(prompt, sizes):
            reading.known = reading.known or bool(prompt.pairs)
            outside = _outside(prompt.text, prompt.lines)
            history = [line for line in outside if _shape(line) not in static]
            reading.tokens.update(_TOKEN.findall("\n".join(history)))
            reading.lines.update(_shape(line) for line in outside)
    return reading


def _static(view: TraceView, facts: FactReading) -> set[str]:
    """The shapes of the lines that stand in the prompt before there is a history."""
    if view.trace.complete_from > 0 or not facts.prompts:
        return set()
    return {_shape(line) for line in facts.prompts[0].text.split("\n")}


def _shape(line: str) -> str:
    return _DIGITS.sub("0", line.strip())


def _flat(text: str) -> str:
    return " ".join(text.split())


def _outside(text: str, lines: list[ShownFact]) -> list[str]:
    """The lines of a prompt that are no FACTS lines."""
    kept: list[str] = []
    at = 0
    for line in lines:
        kept.extend(text[at : line.start].split("\n"))
        at = line.end
    kept.extend(text[at:].split("\n"))
    return kept


def _block(prompt: PromptReading, own: list[ShownFact], turn: GivenTurn) -> list[str]:
    """The lines around a turn's facts that belong to no other turn's facts."""
    if own:
        first, last = own[0], own[-1]
        before = max((x.end for x in prompt.lines if x.end < first.start), default=0)
        after = min((x.start for x in prompt.lines if x.start > last.end), default=len(prompt.text))
        inside = [x for x in prompt.lines if first.start <= x.start <= last.start]
        middle = _outside(prompt.text[first.start : last.end], _shifted(inside, first.start))
        return (
            prompt.text[before : first.start].split("\n")[-_NEIGHBOURHOOD:]
            + middle
            + prompt.text[last.end : after].split("\n")[:_NEIGHBOURHOOD]
        )
    earlier = _edge(prompt, turn, before=True)
    later = _edge(prompt, turn, before=False)
    return prompt.text[earlier:later].split("\n")


def _margins(prompt: PromptReading) -> list[str]:
    """The lines above all facts and below them, where one marker may speak for all turns."""
    if not prompt.lines:
        return []
    first, last = prompt.lines[0], prompt.lines[-1]
    return [*prompt.text[: first.start].split("\n"), *prompt.text[last.end :].split("\n")]


def _shifted(lines: list[ShownFact], by: int) -> list[ShownFact]:
    return [x._replace(start=x.start - by, end=x.end - by) for x in lines]


def _edge(prompt: PromptReading, turn: GivenTurn, *, before: bool) -> int:
    """Where the facts of the neighbouring turn end, or begin."""
    place = prompt.turns.index(turn)
    near = prompt.turns[:place] if before else prompt.turns[place + 1 :]
    spots = [
        line.end if before else line.start for line, given in prompt.pairs if given.turn in near
    ]
    if before:
        return max(spots, default=0)
    return min(spots, default=len(prompt.text))
