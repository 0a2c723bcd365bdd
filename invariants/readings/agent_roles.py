"""What tools, users and the model said, and which of it imitates a message of another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..vocabulary.json_values import leaves, parse
from ..vocabulary.trace import Reply
from ..vocabulary.trace_view import TraceView
from .agents import AgentCall, read_agent

_ROLE = re.compile(
    r"(?:<\|(?:im_start|start_header_id)\|>\s*|^[#\s]*)(?:system|assistant|user|developer|human)\b"
    r"[\"'\s:>|\w]*?(?::|\n|\|>)\s*",
    re.IGNORECASE | re.MULTILINE,
)
_TOKEN = re.compile(r"<\|[a-z_]+\|>", re.IGNORECASE)
_LEAST = 8
_REMEMBERED = 1024


@dataclass(frozen=True)
class Said:
    """Texts that a whole message may be.

    Attributes:
        by_tools: what stands behind an imitated role in a tool's text.
        by_users: the same in a user's text.
        by_people: what users and the model said, whole.
        by_model: what the model said, whole.
    """

    by_tools: frozenset[str]
    by_users: frozenset[str]
    by_people: frozenset[str]
    by_model: frozenset[str]


def read_said(view: TraceView) -> Said:
    """Read who said what; use it through ``view.reading``."""
    turns = view.reading(read_agent)
    users = {turn.turn.message.strip() for turn in turns}
    model = {turn.turn.draft.strip() for turn in turns}
    model |= {reply.text.strip() for turn in turns for reply in turn.step.all(Reply)}
    return Said(
        frozenset(text for turn in turns for call in turn.calls for text in imitated(call)),
        frozenset(text for turn in turns for text in imitations(turn.turn.message)),
        frozenset(users | model),
        frozenset(model),
    )


def imitated(call: AgentCall) -> frozenset[str]:
    """Return what stands behind imitated roles in the result of a call."""
    return _in_result(call.call.data_json)


@lru_cache(maxsize=_REMEMBERED)
def _in_result(data_json: str) -> frozenset[str]:
    texts = [leaf for leaf in leaves(parse(data_json)) if isinstance(leaf, str)]
    return frozenset(found for text in texts for found in imitations(text))


def imitations(text: str) -> Iterator[str]:
    """Yield the lines of a text that stand behind the name of a role, without it."""
    for found in _ROLE.finditer(text):
        rest = _TOKEN.split(text[found.end() :], maxsplit=1)[0]
        for each in (rest, rest.split("\n", maxsplit=1)[0]):
            if len(each.strip()) >= _LEAST:
                yield each.strip()
