"""How long the facts of a turn are on this kernel, learnt from what it showed.

The documents do not fix escaping or spacing, so the size of a payload that the kernel did
not show whole is only known between bounds. A turn *surely fits* when it is within the cap
in every reading that is left open.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ..vocabulary.json_values import is_list, is_object, leaves
from ..vocabulary.trace_view import TraceView
from .facts import PromptReading, read_facts
from .given import REMEMBERED, GivenCall, GivenTurn, given_data

_FLOAT_SLACK = 20
_ESCAPE_SLACK = 5
_PAIR_SLACK = 11
_RISKY = re.compile("[/<>&'=+`\u007f]|\\\\[bfnrt\"\\\\]")
_FRACTION = re.compile(r"\d[.eE]")
_RAW = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_ESCAPING = json.JSONEncoder(separators=(",", ":"))
_LINE_SLACK = 12
_MASK_FACTOR = 4
_MASK_SLACK = 40


class Writing(NamedTuple):
    """How the kernel writes JSON: what is still unknown is ``None``.

    Attributes:
        escapes: whether it escapes non-ASCII characters.
        spaces: spaces per separator.
    """

    escapes: bool | None = None
    spaces: int | None = None


@dataclass(eq=False)
class Sizes:
    """Bounds for the facts of a turn, in code points."""

    writing: Writing
    view: TraceView
    _fits: dict[int, bool] = field(default_factory=dict[int, bool])

    def surely_fits(self, turn: GivenTurn) -> bool:
        """Whether the turn is within every cap in every open reading."""
        if id(turn) not in self._fits:
            self._fits[id(turn)] = self._within_caps(turn)
        return self._fits[id(turn)]

    def _within_caps(self, turn: GivenTurn) -> bool:
        parameters = self.view.parameters
        total = 0
        for given in turn.successful:
            size = self.most(given)
            if parameters.call_cap is not None and size > parameters.call_cap:
                return False
            total += size + (0 if parameters.cap_counts == "data" else _prefix(given))
        return total <= parameters.turn_cap

    def most(self, given: GivenCall) -> int:
        """The most characters that the call's payload may take."""
        return _most(given.call.data_json, self.writing, given.turn.masked)

    def shown_share(self, given: GivenCall, shown: int) -> float:
        """The share of what the call's payload may take that was shown, from 0 to 1."""
        likely = self.least(given) + _separators(given.data) * (self.writing.spaces or 0)
        return min(shown / min(likely, self.view.parameters.call_cap or likely), 1.0)

    def least(self, given: GivenCall) -> int:
        """The fewest characters that the call's whole payload may take."""
        return _least(given.call.data_json, self.writing)


def read_sizes(view: TraceView) -> Sizes:
    """Learn the kernel's writing from the payloads that it showed whole."""
    writing = Writing()
    for prompt in view.reading(read_facts).prompts:
        writing = _learn(writing, prompt)
        if writing.escapes is not None and writing.spaces is not None:
            break
    return Sizes(writing, view)


def at_most(data: Any) -> int:
    """The most characters that data may take, however a kernel writes them."""
    return _most(json.dumps(data), Writing(), masked=False)


def is_baseline(prompt: PromptReading, sizes: Sizes) -> bool:
    """Whether nothing in this prompt can have been cut, so that it holds no marker."""
    return all(sizes.surely_fits(turn) for turn in prompt.turns) and not prompt.missing


@lru_cache(maxsize=REMEMBERED)
def _most(data_json: str, writing: Writing, masked: bool) -> int:
    data = given_data(data_json)
    escapes = writing.escapes is not False
    spaces = 1 if writing.spaces is None else writing.spaces
    text = _compact(data, escapes=escapes)
    size = len(text) + _slack(text, data, escapes=escapes)
    size += _separators(data, brackets=spaces > 1) * spaces if spaces else 0
    if masked:
        strings = sum(isinstance(leaf, str) for leaf in leaves(data))
        size += size * (_MASK_FACTOR - 1) + strings * _MASK_SLACK
    return size


@lru_cache(maxsize=REMEMBERED)
def _least(data_json: str, writing: Writing) -> int:
    return len(_compact(given_data(data_json), escapes=writing.escapes is True))


def _learn(writing: Writing, prompt: PromptReading) -> Writing:
    for line, given in prompt.pairs:
        payload = given.payload_of(line)
        if not payload.intact or payload.remainder or given.turn.masked:
            continue
        escapes, spaces = writing.escapes, writing.spaces
        raw = _compact(given.data, escapes=False)
        if escapes is None and not raw.isascii():
            escapes = payload.text.isascii()
        if spaces is None and not _slack(raw, given.data, escapes=escapes is not False):
            extra = len(payload.text) - len(_compact(given.data, escapes=escapes is not False))
            separators = _separators(given.data)
            if separators and extra >= 0:
                spaces = -(-extra // separators)
        writing = Writing(escapes, spaces)
    return writing


def _compact(data: Any, *, escapes: bool) -> str:
    return (_ESCAPING if escapes else _RAW).encode(data)


def _separators(data: Any, *, brackets: bool = False) -> int:
    """How many commas and colons (and brackets) a serialisation has outside strings.

    Two spaces at a separator may really be one, and the other one at a bracket.
    """
    count = 0
    both = 2 if brackets else 0
    stack = [data]
    while stack:
        node = stack.pop()
        if is_object(node) and node:
            count += 2 * len(node) - 1 + both
            stack.extend(node.values())
        elif is_list(node) and node:
            count += len(node) - 1 + both
            stack.extend(node)
    return count


def _slack(text: str, data: Any, *, escapes: bool) -> int:
    """Characters that number formats and optional escapes may add to a compact text."""
    slack = 0
    if _FRACTION.search(text):
        slack += sum(_FLOAT_SLACK for leaf in leaves(data) if isinstance(leaf, float))
    slack += _ESCAPE_SLACK * len(_RISKY.findall(text))
    if not escapes and not text.isascii():
        slack += sum(_unusual(char) for char in text)
    return slack


def _unusual(char: str) -> int:
    """What a kernel that shows letters as they are may add for escaping this character."""
    if char > "\uffff":
        return _PAIR_SLACK
    return 0 if char.isascii() or char.isalpha() else _ESCAPE_SLACK


def _prefix(given: GivenCall) -> int:
    return len(f"FACTS: app={given.call.app} fn={given.call.function} data=") + _LINE_SLACK
