"""What stands in a request of an agent and belongs to another session or another user alone.

A word tells whose it is if it has a digit and a letter, six characters at least, and was given in
one session alone: numbers of orders, addresses, ids. So no request need be searched for each text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from ..vocabulary.scenario import FRESH, Restart
from ..vocabulary.trace_view import TraceView
from .agents import AgentRequest, AgentStep, Owner, read_agent

Other = Literal["session", "user"]

_TELLING = re.compile(r"\b(?=\w*\d)(?=\w*[^\W\d])\w{6,}\b")
_REMEMBERED = 2048
_MOST_NEIGHBOURS = 8
"""How many others are told to have been compared; whose words are found is told in any case."""


@dataclass(frozen=True)
class Neighbour:
    """A turn, and somebody else who had a turn before it, or has one at the same time.

    Attributes:
        turn: the turn.
        owner: the other one.
        kind: whether another session or another user of the same session id is told apart.
        alike: whether their ids are alike.
        together: whether a turn of the other one runs at the same time.
        restarted: whether the runtime was restarted since the other one's last turn.
        request: the request that holds something of the other one, if one does.
        word: what it holds.
    """

    turn: AgentStep
    owner: Owner
    kind: Other
    alike: bool
    together: bool
    restarted: bool
    request: AgentRequest | None
    word: str


def read_neighbours(view: TraceView) -> list[Neighbour]:
    """Read who could have been mixed up with whom; use it through ``view.reading``."""
    turns = view.reading(read_agent)
    owners = _owners(turns)
    restarts = [step.index for step in view.steps if isinstance(step.stimulus, Restart)]
    latest: dict[Owner, AgentStep] = {}
    found: list[Neighbour] = []
    groups: defaultdict[int, list[AgentStep]] = defaultdict(list)
    for turn in turns:
        groups[turn.group].append(turn)
    for group in groups.values():
        for turn in group:
            if _words_of(turn):
                latest.pop(turn.owner, None)
                latest[turn.owner] = turn
        for turn in group:
            strange = _strange(turn, owners)
            newest = islice(reversed(latest), _MOST_NEIGHBOURS)
            for owner in dict.fromkeys((*newest, *strange)):
                if owner == turn.owner or owner not in latest:
                    continue
                other = latest[owner]
                request, word = strange.get(owner, (None, ""))
                since = any(other.step.index < at < turn.step.index for at in restarts)
                found.append(
                    Neighbour(
                        turn,
                        owner,
                        _kind(turn.owner, owner),
                        _are_alike(turn.owner, owner),
                        other.group == turn.group,
                        since,
                        request,
                        word,
                    )
                )
    return found


def _kind(one: Owner, other: Owner) -> Other:
    return "user" if one[1] == other[1] else "session"


def _are_alike(one: Owner, other: Owner) -> bool:
    """Whether ids that differ are alike by design."""
    return all(FRESH in a and FRESH in b for a, b in zip(one, other, strict=True) if a != b)


def _owners(turns: list[AgentStep]) -> dict[str, set[Owner]]:
    owners: defaultdict[str, set[Owner]] = defaultdict(set)
    for turn in turns:
        for word in _words_of(turn):
            owners[word].add(turn.owner)
    return owners


def _words_of(turn: AgentStep) -> frozenset[str]:
    texts = [turn.turn.message, turn.turn.draft]
    for call in turn.calls:
        texts += [call.call.data_json, call.call.error, call.arguments]
    return _words("\n".join(texts))


def _strange(
    turn: AgentStep, owners: dict[str, set[Owner]]
) -> dict[Owner, tuple[AgentRequest, str]]:
    """Return whose words stand in a turn's requests, each with the first one."""
    found: dict[Owner, tuple[AgentRequest, str]] = {}
    if all(turn.owner in whose for whose in owners.values()):
        return found  # whatever stands there may be their own
    for request, word in _in_requests(turn):
        whose = owners.get(word, ())
        if whose and turn.owner not in whose:
            for owner in whose:
                found.setdefault(owner, (request, word))
    return found


def _in_requests(turn: AgentStep) -> Iterator[tuple[AgentRequest, str]]:
    for request in turn.requests:
        for message in request.messages:
            for word in sorted(_words(message.text)):
                yield request, word


@lru_cache(maxsize=_REMEMBERED)
def _words(text: str) -> frozenset[str]:
    return frozenset(_TELLING.findall(text))
