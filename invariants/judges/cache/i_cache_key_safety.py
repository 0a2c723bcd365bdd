"""I-CACHE-KEY-SAFETY: what a cache key may look like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from ...readings.cache import Attempt
from ...readings.cache_keys import (
    PHRASES,
    SAFE_PARTITIONS,
    UNSAFE_PARTITIONS,
    kinds_of_safe_key,
    kinds_of_unsafe_key,
)
from ...readings.cache_rules import (
    controls,
    has_safe_alphabet,
    has_safe_key,
    has_sure_ttl,
    has_sure_value,
    must_keep,
    must_not_keep,
    tells_of_key,
    usable,
)
from ...scenarios.cache import HANDLERS, Script, safe_key
from ...scenarios.drawing import Recipe, from_recipes
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.parameters import KEY_ALPHABET, Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_FAR_OVER = 1_000
_TOLD_CHARACTERS = 60
_UNSAFE_CHARACTERS = {
    "line-feed": "\n",
    "carriage-return": "\r",
    "dot": ".",
    "space": " ",
    "nul": "\0",
    "slash": "/",
    "at-sign": "@",
    "asterisk": "*",
    "non-ascii-letter": "é",
    "cyrillic-letter": "я",
    "non-ascii-digit": "٣",
    "full-width-colon": "\uff1a",
    "kelvin-sign": "\u212a",
    "lone-surrogate": "\ud800",
}
_UNSAFE = "".join(_UNSAFE_CHARACTERS.values()) + (
    "\t\x0b\x0c\x1b\x1c\x7f!\"#$%&'()+,;<=>?[\\]^`{|}~"
    "\x85\xa0ª²µºßñıſΣΩаяא中日가ｱＡ０①½Ⅷ०߀e\u0301\u200b\u200d\u2028\u202e\u2044\u2215\ufeff\ufffd😀𝟙𐀀"
)
"""Unsafe characters, those among them that lax comparisons take for letters or digits."""


def _judge_unsafe(view: TraceView) -> Iterator[Finding]:
    for attempt in _otherwise_valid(view):
        key = attempt.given.key
        if len(key) <= view.parameters.key_max_length and not has_safe_alphabet(key):
            kinds = kinds_of_unsafe_key(key)
            expected = f"nothing is stored under {PHRASES[kinds[0]]}: {_told(key)}"
            yield from must_not_keep(attempt, kinds, expected)


def _judge_length(view: TraceView) -> Iterator[Finding]:
    longest = view.parameters.key_max_length
    for attempt in _otherwise_valid(view):
        length = len(attempt.given.key)
        if length > longest and has_safe_alphabet(attempt.given.key):
            kind = "one over" if length == longest + 1 else "far over"
            expected = f"nothing is stored under a key of {length} characters (cap {longest})"
            yield from must_not_keep(attempt, (kind,), expected)


def _judge_safe(view: TraceView) -> Iterator[Finding]:
    for attempt in usable(view):
        if tells_of_key(attempt) and has_safe_key(attempt, view.parameters):
            key = attempt.given.key
            kinds = kinds_of_safe_key(key, view.parameters.key_max_length)
            yield from must_keep(attempt, kinds, f"a value is kept under {_told(key)}")


def _told(key: str) -> str:
    return shorten(json.dumps(key), _TOLD_CHARACTERS)


def _otherwise_valid(view: TraceView) -> Iterator[Attempt]:
    """The attempts in which nothing but the key forbids that the value is kept."""
    green = view.reading(controls)
    for attempt in usable(view):
        valid = has_sure_ttl(attempt, view.parameters) and has_sure_value(attempt, view.parameters)
        if valid and attempt.scope in green:
            yield attempt


def strategy(parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: a control, then unsafe, safe and long keys."""
    return from_recipes(partial(_drawn, parameters.key_max_length), 4)


def _drawn(longest: int, recipes: tuple[Recipe, ...]) -> Scenario:
    app, handler = recipes[0].pick(APPS), recipes[0].pick(HANDLERS)
    script = Script(app, handler)
    for recipe in recipes:
        script.attempt(_drawn_key(longest, recipe))
    return script.scenario("explore")


def _drawn_key(longest: int, recipe: Recipe) -> str:
    kind = recipe.pick(("unsafe", "unsafe", "safe", "long"))
    offset = recipe.pick(range(len(KEY_ALPHABET)))
    if kind == "long":
        return safe_key(longest + recipe.pick((1, 2, 3, longest, _FAR_OVER)), offset)
    key = safe_key(recipe.pick((1, 2, 3, 5, 8, 17, 40, 100, longest - 1, longest)), offset)
    if kind == "safe":
        return key
    key = key[: longest - 1]
    place = recipe.pick((len(key), 0, len(key) // 2))
    return key[:place] + recipe.pick(_UNSAFE) + key[place:]


INVARIANT = Invariant(
    id="I-CACHE-KEY-SAFETY",
    title="Cache keys are safe",
    statement=(
        "A cache key is 1 to 128 characters long and holds only ASCII letters, digits, "
        "underscore, hyphen and colon. Nothing is stored under any other key."
    ),
    sources=(context_channels("Channel 2 — ctx.cache"),),
    clauses=(
        Clause(
            "unsafe-key-not-stored",
            "Nothing is stored under a key that is empty or holds a character outside "
            "[A-Za-z0-9_-:], wherever it stands.",
            _judge_unsafe,
            UNSAFE_PARTITIONS,
        ),
        Clause(
            "key-length-capped",
            "Nothing is stored under a key of more than 128 characters.",
            _judge_length,
            (
                Partition("one over", "a key one character longer than the cap"),
                Partition("far over", "a key much longer than the cap"),
            ),
        ),
        Clause(
            "safe-key-accepted",
            "Under every key of 1 to 128 characters from [A-Za-z0-9_-:] a value is accepted "
            "and found again.",
            _judge_safe,
            SAFE_PARTITIONS,
        ),
    ),
    scenarios=only_rows,
    strategy=strategy,
    capabilities=frozenset({"cache"}),
    reading=(
        "An older page allowed a dot; the founding page does not. The whole key must match, so "
        "a trailing line feed is unsafe. The length counts code points. Declining the set and "
        "dropping it silently both conform: what counts is whether a get returns the value."
    ),
)
