"""A counterexample as a conversation: who said what, what the kernel made of it, where it broke.

The step in which the breach shows is told with every text that the kernel showed, and the lines
that hold what was got are marked. Nothing here is escaped for a page: texts are only made
printable, the templates do the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ...invariants.vocabulary.messages import Message, tools_text
from ...invariants.vocabulary.scenario import Turn
from ...invariants.vocabulary.trace import (
    AlertRaised,
    AnyEvent,
    AuditRecord,
    ClassifierPrompt,
    Digest,
    NarratorPrompt,
    PanelRendered,
    Reply,
    SkeletonStored,
    Trace,
    prompt_text,
)
from ..console.escape import printable
from ..record.model import Counterexample
from .scenario_text import environment_lines, step_texts

LINES_SHOWN = 40
"""Lines of one text that are shown whole; of a longer one only those about the marks."""

AROUND = 6
"""Lines shown before and behind a marked one, and at both ends, of a text that is too long."""

LINE_LIMIT = 600
"""Characters of one line that are shown."""

_COMPARED = 400
"""Words beyond which expected and got are not compared word by word."""

_ALIKE = 0.5
"""Similarity from which on a comparison word by word helps."""

_TELLING = 3
"""Characters that a text must be longer than to tell a line."""


class Piece(NamedTuple):
    """A stretch of a line; ``marked`` where it is what was got, or differs."""

    text: str
    marked: bool = False


class Shown(NamedTuple):
    """One line of a text, or (``gap``) how many lines are left out here."""

    pieces: tuple[Piece, ...]
    marked: bool = False
    gap: bool = False


class Text(NamedTuple):
    """A text that the kernel showed: what it is, and its lines."""

    label: str
    lines: tuple[Shown, ...]

    @property
    def marked(self) -> bool:
        """Whether a line of it is marked."""
        return any(line.marked for line in self.lines)


class Talked(NamedTuple):
    """One step: who acts, what is said or done, what else happened, what the kernel showed."""

    number: int
    who: str
    said: str
    deed: str
    details: tuple[str, ...]
    broken: bool
    texts: tuple[Text, ...]


class Conversation(NamedTuple):
    """A whole counterexample, ready to be laid out."""

    environment: tuple[str, ...]
    steps: tuple[Talked, ...]
    expected: tuple[Piece, ...]
    got: tuple[Piece, ...]
    kept_elsewhere: tuple[Text, ...]

    @property
    def size(self) -> int:
        """Characters of the texts, as a measure of what it costs to show."""
        texts = (*self.kept_elsewhere, *(text for step in self.steps for text in step.texts))
        shown = sum(len(p.text) for text in texts for line in text.lines for p in line.pieces)
        told = sum(len(step.said) + sum(map(len, step.details)) for step in self.steps)
        return shown + told + sum(map(len, self.environment)) + 1000


def conversation(example: Counterexample) -> Conversation:
    """Return a counterexample as a conversation."""
    broken = example.violation.step
    expected, got = difference(example.violation.expected, example.violation.got)
    return Conversation(
        environment=tuple(environment_lines(example.scenario)),
        steps=tuple(_steps(example, broken)),
        expected=expected,
        got=got,
        kept_elsewhere=_texts(_shown_in(example.other_trace, broken), ""),
    )


def difference(expected: str, got: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return both texts in pieces; what one has and the other has not is marked.

    Texts that have little in common, or are very long, stay in one piece each.
    """
    old, new = (re.findall(r"\w+|\W", printable(text)) for text in (expected, got))
    if max(len(old), len(new)) <= _COMPARED:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        if matcher.ratio() >= _ALIKE:
            codes = matcher.get_opcodes()
            return (
                _pieces((old[a:b], tag != "equal") for tag, a, b, _, _ in codes),
                _pieces((new[a:b], tag != "equal") for tag, _, _, a, b in codes),
            )
    return (Piece("".join(old)),), (Piece("".join(new)),)


def _pieces(runs: Iterable[tuple[Sequence[str], bool]]) -> tuple[Piece, ...]:
    return tuple(Piece("".join(words), changed) for words, changed in runs if words)


def _steps(example: Counterexample, broken: int) -> Iterator[Talked]:
    told = step_texts(example.scenario, example.trace)
    for step, text in zip(example.scenario.steps, told, strict=True):
        is_turn, here = isinstance(step, Turn), text.number == broken
        shown = _shown_in(example.trace, broken) if here else ()
        yield Talked(
            number=text.number,
            who=text.who,
            said=printable(step.message) if isinstance(step, Turn) else "",
            deed="" if is_turn else text.deed,
            details=text.details,
            broken=here,
            texts=_texts(shown, _needle(example.violation.got, shown)),
        )


def _shown_in(trace: Trace | None, step: int) -> tuple[tuple[str, str], ...]:
    """Return label and text of all that the kernel showed in a step."""
    events = trace.events if trace else ()
    return tuple(filter(None, (_told(event) for event in events if event.step == step)))


def _texts(shown: Iterable[tuple[str, str]], needle: str) -> tuple[Text, ...]:
    return tuple(Text(printable(label), _lines(text, needle)) for label, text in shown)


def _told(event: AnyEvent) -> tuple[str, str] | None:  # noqa: C901  one case for each kind
    match event:
        case ClassifierPrompt():
            return "Prompt of the classifier", _laid_out(event)
        case NarratorPrompt():
            return "Prompt of the narrator", _laid_out(event)
        case Reply():
            return "Reply to the user", event.text
        case Digest():
            return f"Digest of {event.app_id}.{event.fn_name}", event.data_facts_json
        case AuditRecord():
            return "Audit record", f"{event.app}.{event.function}: {event.status}"
        case SkeletonStored():
            return f"Section {event.section} of {event.app}, stored", event.value_json
        case PanelRendered():
            return f"Panel {event.panel} of {event.app}", event.value_json
        case AlertRaised():
            return f"Alert of {event.section} of {event.app}", event.text
        case _:
            return None


def _laid_out(event: ClassifierPrompt | NarratorPrompt) -> str:
    """Return a prompt with a line above each message that tells its role, call and mark."""
    if isinstance(event.prompt, str):
        return prompt_text(event)
    messages = (f"[{_heading(message)}]\n{message.text}" for message in event.prompt)
    return tools_text(event.tools) + "\n".join(messages)


def _heading(message: Message) -> str:
    name, call = message.name or "", message.tool_call_id or ""
    told = (name, f"of call {call}" if call else "", "error" if message.is_error else "")
    return " ".join([message.role, *filter(None, told)])


def _needle(got: str, shown: Iterable[tuple[str, str]]) -> str:
    """Return the text that tells the lines that hold what was got; empty if none does."""
    lines = [line for _, text in shown for line in text.split("\n")]
    return next((x for x in _candidates(got) if any(x in line for line in lines)), "")


def _candidates(got: str) -> Iterator[str]:
    """Yield what may be seen of ``got`` in a text, the most telling first."""
    bare = got.partition(" … (")[0]  # the judges' way to shorten a text
    quoted = [a or b for a, b in re.findall(r"'([^']{3,})'|\"([^\"]{3,})\"", bare)]
    odd = [word for word in bare.split()[-1:] if not word.isalpha()]
    counted = [f"{name}:" for name in re.findall(r"^[1-9]\d* ([A-Z]+) lines", bare)]
    for text in (bare, bare.partition(": ")[2], *quoted, *odd, *counted):
        if len(text.strip()) > _TELLING:
            yield text.strip()


def _lines(text: str, needle: str) -> tuple[Shown, ...]:
    shown = [_line(line, needle) for line in text.split("\n")]
    return tuple(shown) if len(shown) <= LINES_SHOWN else tuple(_around(shown))


def _line(line: str, needle: str) -> Shown:
    if not needle or needle not in line:
        return Shown((Piece(printable(line, limit=LINE_LIMIT)),))
    before, _, behind = line.partition(needle)
    third = LINE_LIMIT // 3
    pieces = (
        Piece(printable(before, limit=third)),
        Piece(printable(needle, limit=third), marked=True),
        Piece(printable(behind, limit=third)),
    )
    return Shown(tuple(piece for piece in pieces if piece.text), marked=True)


def _around(lines: Sequence[Shown]) -> Iterator[Shown]:
    """Keep both ends and what surrounds the first marks; tell how much is left out."""
    marks = [place for place, line in enumerate(lines) if line.marked][:3]
    kept: set[int] = set()
    for place in (0, len(lines) - 1, *marks):
        kept.update(range(max(place - AROUND, 0), min(place + AROUND + 1, len(lines))))
    last = -1
    for place in sorted(kept):
        if place > last + 1:
            yield Shown((Piece(f"{place - last - 1:,} lines left out"),), gap=True)
        yield lines[place]
        last = place
