"""Where the previews of earlier turns stand in a prompt.

No document fixes how a preview is written, or how much of the message it keeps. It is found by
a word of the user's message that stands nowhere else: not in another text of the trace, and
once in the prompt. A preview that shows no such word is not found, and nothing is judged by it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..vocabulary.trace_view import TraceView
from .facts import PromptReading, read_facts
from .given import GivenCall, GivenTurn, ShownFact

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
    lines: list[tuple[ShownFact, GivenCall]]


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


def _own_words(turns: list[GivenTurn], first_prompt: str) -> dict[str, GivenTurn]:
    """Return words of messages that no other text of the trace holds, one for each turn."""
    uses = Counter(word for turn in turns for text in _texts(turn) for word in _WORD.findall(text))
    words: dict[str, GivenTurn] = {}
    for number, turn in enumerate(turns):
        candidates = _WORD.findall(turn.turn.message[:_HEAD])[:_MOST_CANDIDATES]
        for word in candidates:
            if uses[word] == 1 and (number == 0 or word not in first_prompt):
                words[word] = turn
                break
    return words


def _texts(turn: GivenTurn) -> Iterator[str]:
    yield turn.turn.message
    yield turn.turn.draft
    for given in turn.calls:
        yield f"{given.call.app} {given.call.function} {given.call.summary}"
        yield given.call.data_json


def _found(prompt: PromptReading, words: dict[str, GivenTurn]) -> dict[int, int]:
    """Only turns of this session before the prompt are previewed."""
    found: dict[int, int] = {}
    twice: set[int] = set()
    here = prompt.step
    for match in _WORD.finditer(prompt.text):
        turn = words.get(match[0])
        if turn is None or (turn.step.user, turn.step.session) != (here.user, here.session):
            continue
        if turn.step.index < here.index:
            if id(turn) in found:
                twice.add(id(turn))
            found[id(turn)] = match.start()
    return {turn: at for turn, at in found.items() if turn not in twice}


def _certain(prompt: PromptReading) -> list[tuple[ShownFact, GivenCall]]:
    pairs = [*prompt.pairs, *prompt.displaced]
    certain = [pair for pair in pairs if pair[1].shown_by(pair[0])]
    if not (prompt.missing or prompt.extra or prompt.displaced):
        return certain
    seen: dict[tuple[str, str, str], int] = {}
    for given in prompt.expected:
        key = given.content
        seen[key] = seen.get(key, 0) + 1
    return [(line, given) for line, given in certain if seen.get(given.content) == 1]
