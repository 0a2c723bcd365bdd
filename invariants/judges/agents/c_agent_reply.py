"""C-AGENT-REPLY: what the model said last reaches the user whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...readings.agents import WHOSE, AgentStep, read_agent
from ...scenarios.agents import greetings
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import published
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_LONG = 2000


def _whole(view: TraceView) -> Iterator[Finding]:
    for turn in view.reading(read_agent):
        reply = turn.reply
        if reply is None or not turn.ended:
            continue
        yield Compared(tuple(_classes(turn)), turn.step.index)
        said, shown = turn.turn.draft, reply.text
        answer = _THOUGHT.sub("", said).strip()
        if shown.strip() not in (said.strip(), answer):
            without = f", or only {shorten(answer)}" if answer != said.strip() else ""
            begins = bool(shown.strip()) and said.strip().startswith(shown.strip())
            yield Violation(
                kind="reply cut" if begins else "reply changed",
                step=turn.step.index,
                expected=f"{shorten(said)}{without}",
                got=shorten(shown) or "nothing",
            )


def _classes(turn: AgentStep) -> Iterator[str]:
    draft = turn.turn.draft
    if turn.calls:
        yield "after calls"
    if len(draft) > _LONG:
        yield "a long one"
    if not draft.isascii():
        yield "beyond ASCII"


INVARIANT = Invariant(
    id="C-AGENT-REPLY",
    title="The reply is whole",
    statement="What the model says at the end of a turn is what the user gets.",
    sources=(
        published("OpenAI API reference", "Chat completions, assistant message: content"),
        published("OpenAI Agents SDK documentation", "Results: Final output"),
    ),
    capabilities=frozenset({"agent"}),
    severity="high",
    reading=(
        "White space at the ends is free, and so is what stands between marks of thought. A turn "
        f"that ends with an error has no reply. {WHOSE}"
    ),
    clauses=(
        Clause(
            "reply-whole",
            "The reply is the model's last text, from its first to its last character.",
            _whole,
            (
                Partition("after calls", "tools have run in the turn"),
                Partition("a long one", "of more than 2,000 characters"),
                Partition("beyond ASCII", "it has other characters"),
            ),
        ),
    ),
    scenarios=only_rows,
    strategy=greetings,
)
