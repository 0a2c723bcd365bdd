"""Where the previews of earlier turns stand in a prompt.

No document fixes how a preview is written, or how much of the message it keeps. It is found by
a word of the user's message that stands nowhere else: not in another text of the trace, and
once in the prompt. A preview that shows no such word is not found, and nothing is judged by it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..vocabulary.trace_view import TraceView
from .facts import PromptReading, read_facts
from .given import FactLine, GivenCall, GivenTurn

_WORD = re.compile(r"[A-Za-z0-9]{5,}")
_MOST_CANDIDATES = 3
_HEAD = 80


class Layout(NamedTuple):
    """A prompt whose previews were found.

    Attributes:
        prompt: the prompt.
        previews: where the preview of each turn begins to tell whose it is, by turn identity.
        lines: lines that certainly show a call, with that call, where no other call of the
            window may be meant.
    """

    prompt: PromptReading
    previews: dict[int, int]
    lines: list[tuple[FactLine, GivenCall]]


def read_layouts(view: TraceView) -> list[Layout]:
    """Return the prompts whose previews were found; use it through ``view.reading``."""
    facts = view.reading(read_facts)
    if len(facts.turns) < 2 or not any(prompt.pairs for prompt in facts.prompts):
        return []
    words = _own_words(facts.turns, facts.prompts[0].text)
    layouts: list[Layout] = []
    for prompt in facts.prompts:
        if prompt.pairs and not prompt.retry:
            previews = _found(prompt, words)
            if previews:
                layouts.append(Layout(prompt, previews, _certain(prompt)))
    return layouts


def _own_words(turns: list[GivenTurn], first_prompt: str) -> dict[int, str]:
    """Return for each turn a word of its message that no other text of the trace holds."""
    everything = "\n".join(
        text
        for turn in turns
        for text in (
            turn.turn.message,
            turn.turn.draft,
            *(f"{g.call.app} {g.call.function} {g.call.summary}" for g in turn.calls),
            *(g.call.data_json for g in turn.calls),
        )
    )
    words: dict[int, str] = {}
    for number, turn in enumerate(turns):
        candidates = _WORD.findall(turn.turn.message[:_HEAD])[:_MOST_CANDIDATES]
        for word in candidates:
            fresh = number == 0 or word not in first_prompt
            if fresh and everything.find(word) == everything.rfind(word):
                words[id(turn)] = word
                break
    return words


def _found(prompt: PromptReading, words: dict[int, str]) -> dict[int, int]:
    found: dict[int, int] = {}
    for turn in (*prompt.older, *prompt.turns):
        word = words.get(id(turn))
        at = prompt.text.find(word) if word else -1
        if word and at >= 0 and prompt.text.find(word, at + 1) < 0:
            found[id(turn)] = at
    return found


def _certain(prompt: PromptReading) -> list[tuple[FactLine, GivenCall]]:
    pairs = [*prompt.pairs, *prompt.displaced]
    certain = [pair for pair in pairs if pair[1].shown_by(pair[0])]
    if not (prompt.missing or prompt.extra or prompt.displaced):
        return certain
    seen: dict[tuple[str, str, str], int] = {}
    for given in prompt.expected:
        key = given.content
        seen[key] = seen.get(key, 0) + 1
    return [(line, given) for line, given in certain if seen.get(given.content) == 1]
