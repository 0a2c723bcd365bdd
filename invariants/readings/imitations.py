"""Lines in values and in chat that imitate a section line or a block's header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

from ..vocabulary.scenario import Turn
from ..vocabulary.trace_view import TraceView
from .skeleton import Place, PromptReading, read_skeleton
from .skeleton_text import SECTION_BULLET, indentation, is_bullet

Origin = Literal["a value", "a field's name", "a message", "a reply"]

HEADERS = ("[SKELETON]", "[HISTORY]")
LEADS = (SECTION_BULLET, "* ", "• ", "# ", "## ", "### ", "#### ")
"""What a kernel may begin a section with: a bullet, or a heading of some level."""
_ENOUGH = 20
"""Characters by which an imitation is recognised: a kernel may have cut the rest."""


class Forged(NamedTuple):
    """A line of a planted text, from its second line on.

    Attributes:
        line: the line without blanks around it.
        origin: where it was planted.
    """

    line: str
    origin: Origin


@dataclass
class Suspect:
    """A prompt in which imitations may have taken effect.

    Attributes:
        prompt: the prompt.
        forged: the imitations of section lines that could stand in it.
        found: those of them that stand there as a line as high as the kernel's own sections.
        headers: the headers that planted texts imitate, each with where.
        extra: headers that stand there more often than in a prompt before any imitation.
    """

    prompt: PromptReading
    forged: list[Forged] = field(default_factory=list[Forged])
    found: list[Forged] = field(default_factory=list[Forged])
    headers: dict[str, Origin] = field(default_factory=dict[str, Origin])
    extra: list[str] = field(default_factory=list[str])


def read_imitations(view: TraceView) -> list[Suspect]:
    """Return the prompts with imitations. Use it as ``view.reading(read_imitations)``.

    Only prompts that show a section count: its line tells how this kernel writes sections.
    The current message may stand in the prompt as it is, over several lines.
    """
    prompts = view.reading(read_skeleton).prompts
    if not prompts:
        return []
    usual: Counter[str] = Counter()
    found: list[Suspect] = []
    for prompt in prompts:
        forged = [*_from_values(prompt), *_from_chat(view, prompt)]
        lines = _without_current_message(prompt).split("\n")
        counts = Counter(h for h in HEADERS for line in lines if line.startswith(h))
        if not forged:
            usual |= counts
        elif prompt.showing:
            found.append(_suspect(prompt, forged, lines, counts - (usual | Counter(HEADERS))))
    return found


def _suspect(
    prompt: PromptReading, forged: list[Forged], lines: list[str], extra: Counter[str]
) -> Suspect:
    suspect = Suspect(prompt)
    for each in forged:
        suspect.headers.update({h: each.origin for h in HEADERS if each.line.startswith(h)})
    suspect.extra = [header for header in extra if header in suspect.headers]
    own = [_head(prompt, place) for place in prompt.showing]
    leads = {lead_of(line) for line in own}
    if "" in leads:
        return suspect
    deepest = max(map(indentation, own))
    tops = [line.strip() for line in lines if indentation(line) <= deepest]
    heads = [line.strip()[:_ENOUGH] for line in own]
    alike = [each for each in forged if lead_of(each.line) in leads]
    suspect.forged = [each for each in alike if each.line[:_ENOUGH] not in heads]
    suspect.found = [f for f in suspect.forged if _stands(f.line[:_ENOUGH], tops)]
    return suspect


def lead_of(line: str) -> str:
    """Return what a line begins with as sections do, or an empty text."""
    return next((lead for lead in LEADS if line.lstrip().startswith(lead)), "")


def _head(prompt: PromptReading, place: Place) -> str:
    """Return the line that begins a section: a bullet, or the nearest line above that names it.

    A heading must name the section or its extension, or the heading of the whole block would
    pass for the section's own.
    """
    first, row = prompt.begin(place), prompt.row(place)
    if is_bullet(prompt.lines[first]):
        return prompt.lines[first]
    names = [part.casefold() for part in place.script.spot]
    for line in reversed(prompt.lines[first : row + 1]):
        if lead_of(line) and any(name in line.casefold() for name in names):
            return line
    return ""


def _stands(head: str, tops: list[str]) -> bool:
    return any(line.startswith(head) for line in tops)


def _from_values(prompt: PromptReading) -> Iterator[Forged]:
    for place in prompt.showing:
        for name, text in _texts(place):
            origin: Origin = "a field's name" if name else "a value"
            yield from _lines_of(text, origin)


def _texts(place: Place) -> Iterator[tuple[bool, str]]:
    stack: list[Any] = [place.value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            entries = cast("dict[str, Any]", node)
            yield from ((True, key) for key in entries)
            stack.extend(entries.values())
        elif isinstance(node, list):
            stack.extend(cast("list[Any]", node))
        elif isinstance(node, str):
            yield False, node


def _from_chat(view: TraceView, prompt: PromptReading) -> Iterator[Forged]:
    for step in view.steps:
        if step.index > prompt.step.index:
            return
        if isinstance(step.stimulus, Turn) and step.user == prompt.step.user:
            yield from _lines_of(step.stimulus.message, "a message")
            if step.index < prompt.step.index:
                yield from _lines_of(step.stimulus.draft, "a reply")


def _lines_of(text: str, origin: Origin) -> Iterator[Forged]:
    if "\n" not in text:
        return
    for line in text.replace("\r\n", "\n").split("\n")[1:]:
        plain = line.strip()
        if plain.startswith((*LEADS, *HEADERS)) and len(plain) >= len(HEADERS[1]):
            yield Forged(plain, origin)


def _without_current_message(prompt: PromptReading) -> str:
    given = prompt.step.stimulus
    if not isinstance(given, Turn) or "\n" not in given.message:
        return prompt.own
    message = given.message.replace("\r\n", "\n")
    return prompt.own.replace(message, " ").replace(message.strip(), " ")
