"""Claims of the narrator model's drafts that can be told from others.

They are long numbers, identifiers and addresses. Each is either borne out by the turn word
for word, or was invented.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ..vocabulary.scenario import Turn
from ..vocabulary.trace import NarratorPrompt, Reply, prompt_text
from ..vocabulary.trace_view import StepView, TraceView
from .growing import GrowingTexts

Kind = Literal["number", "identifier", "address"]

_CLAIMS: dict[Kind, re.Pattern[str]] = {
    "address": re.compile(r"[a-z0-9][a-z0-9.]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+"),
    "identifier": re.compile(r"(?<![\w.@-])[a-z]{2,5}-\d{5,8}(?![\w@-])"),
    "number": re.compile(r"(?<![\w.,@-])\d{9}(?![\w@-])"),
}
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[ ,._'\u00a0\u202f-](?=\d)")


class Claim(NamedTuple):
    """A claim of a draft.

    Attributes:
        step: the turn's step.
        kind: what sort of claim.
        text: the claim itself.
        place: where the turn bears it out (``message``, ``summary``, ``data``), or ``None`` if
            it stands nowhere in the scenario but, it may be, in what another user was told.
        alone: whether every claim of the draft is borne out, or none is.
        survived: whether the reply to the user shows it.
        traps: what could mislead a guard: something nearly the same that is true, or another
            user's result.
    """

    step: StepView
    kind: Kind
    text: str
    place: str | None
    alone: bool
    survived: bool
    traps: tuple[str, ...]


def read_claims(view: TraceView) -> list[Claim]:
    """Return the claims of all drafts. Use it as ``view.reading(read_claims)``.

    In a recording, what stands in the narrator's prompt is no invention, whoever told it.
    """
    is_recorded = view.trace.origin == "recording"
    claims: list[Claim] = []
    earlier: defaultdict[str, GrowingTexts] = defaultdict(GrowingTexts)
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            reply = step.first(Reply)
            if reply is not None:
                prompts = prompts_of(step) if is_recorded else ()
                claims.extend(_of(step, step.stimulus, reply.text, earlier, prompts))
            earlier[step.user].add(_all_texts(step.stimulus))
    return claims


def prompts_of(step: StepView) -> list[str]:
    """Return what the narrator was given in a step: all that a model can know of its user."""
    return [prompt_text(each) for each in step.all(NarratorPrompt)]


def _of(
    step: StepView,
    turn: Turn,
    reply: str,
    earlier: Mapping[str, GrowingTexts],
    prompts: Sequence[str],
) -> list[Claim]:
    drafted: list[tuple[Kind, str]] = [
        (kind, text) for kind, like in _CLAIMS.items() for text in like.findall(turn.draft)
    ]
    if not drafted:
        return []
    now = GrowingTexts()
    now.add([*_all_texts(turn), *prompts])
    known = [now, *(texts for user, texts in earlier.items() if user == step.user)]
    others = [texts for user, texts in earlier.items() if user != step.user]
    places = {text: _place(turn, text) for _, text in drafted}
    judged: list[tuple[Kind, str]] = [
        (kind, text)
        for kind, text in drafted
        if places[text] is not None or not any(text in each for each in known)
    ]
    alone = len({place is None for place in places.values()}) == 1
    shown = f"{reply}\n{_BETWEEN_DIGITS.sub('', reply)}".lower()
    return [
        Claim(
            step, kind, text, places[text], alone, text in shown, tuple(_traps(text, known, others))
        )
        for kind, text in judged
    ]


def _traps(text: str, known: list[GrowingTexts], others: list[GrowingTexts]) -> Iterator[str]:
    if any(text[:-1] in each for each in known) and not any(text in each for each in known):
        yield "all but the last character is true"
    if any(text in each for each in others):
        yield "another user's result"


def _place(turn: Turn, text: str) -> str | None:
    if stands_in(text, turn.message):
        return "message"
    for call in turn.calls:
        if call.status == "success":
            if stands_in(text, call.data_json):
                return "data"
            if stands_in(text, call.summary):
                return "summary"
    return None


def stands_in(text: str, other: str) -> bool:
    """Whether a text stands in another, and not in the middle of a longer word or number."""
    start = other.find(text)
    while start >= 0:
        around = other[max(start - 1, 0) : start] + other[start + len(text) : start + len(text) + 1]
        if not any(character.isalnum() or character == "_" for character in around):
            return True
        start = other.find(text, start + 1)
    return False


def _all_texts(turn: Turn) -> list[str]:
    """Everything of a turn that a claim could be taken from; the draft is not among it."""
    texts = [turn.message]
    for call in turn.calls:
        texts += [call.data_json, call.summary, call.error]
    return texts
