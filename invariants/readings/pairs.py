"""Every distinct payload that was shown for a call, once."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from ..vocabulary.json_values import parse
from ..vocabulary.trace_view import TraceView
from .facts import PromptReading, read_facts
from .given import REMEMBERED, GivenCall, ShownFact
from .payload import Payload
from .sizes import read_sizes

_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class Shown:
    """A payload shown for a call, in the first prompt that showed it so.

    Attributes:
        fits: whether the facts of the call's turn fit the caps in every reading.
    """

    prompt: PromptReading
    line: ShownFact
    given: GivenCall
    payload: Payload
    fits: bool


def read_pairs(view: TraceView) -> list[Shown]:
    """Return the shown payloads; use it through ``view.reading``."""
    sizes = view.reading(read_sizes)
    fits: dict[int, bool] = {}
    seen: set[tuple[int, str]] = set()
    pairs: list[Shown] = []
    for prompt in view.reading(read_facts).prompts:
        for line, given in (*prompt.pairs, *prompt.again):
            key = (id(given), line.payload)
            if key in seen:
                continue
            seen.add(key)
            if id(given.turn) not in fits:
                fits[id(given.turn)] = sizes.surely_fits(given.turn)
            payload = given.payload_of(line)
            pairs.append(Shown(prompt, line, given, payload, fits[id(given.turn)]))
    return pairs


def shown_pairs(view: TraceView) -> list[Shown]:
    """Return every distinct payload shown for a call, computed once per trace."""
    return view.reading(read_pairs)


def verbatim_pairs(view: TraceView) -> list[Shown]:
    """Return the payloads that tell whether facts are verbatim, computed once per trace.

    What masking does to data is the business of the masking invariant, unless the kernel
    always runs with masking on. Data with half a surrogate pair is that of a SHOULD alone.
    """
    return view.reading(_whole_pairs)


def unmasked_pairs(view: TraceView) -> list[Shown]:
    """Return the same payloads, and those of data with half a surrogate pair."""
    always_masked = "env_per_scenario" not in view.capabilities
    return shown_pairs(view) if view.exposes_pii or always_masked else []


def has_lone_surrogate(data_json: str) -> bool:
    """Whether data holds half a surrogate pair, in a value or in a key."""
    return "\\ud" in data_json and _holds_lone(data_json)


def _whole_pairs(view: TraceView) -> list[Shown]:
    pairs = unmasked_pairs(view)
    return [shown for shown in pairs if not has_lone_surrogate(shown.given.call.data_json)]


@lru_cache(maxsize=REMEMBERED)
def _holds_lone(data_json: str) -> bool:
    return _LONE.search(json.dumps(parse(data_json), ensure_ascii=False)) is not None
