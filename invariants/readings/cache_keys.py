"""Kinds of cache keys: what is unsafe about a key, and what a safe one exercises."""

from __future__ import annotations

from ..vocabulary.invariant import Partition
from ..vocabulary.parameters import KEY_ALPHABET
from .cache_rules import has_safe_alphabet

_CHARACTERS = {
    "empty": "an empty key",
    "line feed at end": "a key ending in a line feed",
    "carriage return at end": "a key ending in a carriage return",
    "line break": "a key with another line break",
    "dot": "a key with a dot",
    "space": "a key with a space",
    "nul": "a key with a NUL character",
    "slash": "a key with a slash",
    "other ascii": "a key with another unsafe ASCII character",
    "non ascii letter": "a key with a letter outside ASCII",
    "non ascii digit": "a key with a digit outside ASCII",
    "full width colon": "a key with a full-width colon",
}
_PLACES = {
    "at start": "only the first character is unsafe",
    "in middle": "only a character between safe ones is unsafe",
    "at end": "only the last character is unsafe",
}
_OBSERVED = {
    "lone surrogate": "a key with half of a surrogate pair",
    "other non ascii": "a key with another character outside ASCII",
    "several kinds": "a key with unsafe characters of several kinds",
}
PHRASES = {**_CHARACTERS, **_PLACES, **_OBSERVED}
"""Each partition of unsafe keys, for people."""

UNSAFE_PARTITIONS = (
    *(Partition(name, text) for name, text in {**_CHARACTERS, **_PLACES}.items()),
    *(Partition(name, text, "observed") for name, text in _OBSERVED.items()),
)

PUNCTUATION = {"_": "underscore", "-": "hyphen", ":": "colon"}
"""The characters of the alphabet that are neither letters nor digits, by name."""

SAFE_PARTITIONS = (
    Partition("length 1", "a key of one character"),
    Partition("longest", "a key exactly as long as the cap"),
    Partition("whole alphabet", "a key with every character that is allowed"),
    *(Partition(name, f"of punctuation only the {name}") for name in PUNCTUATION.values()),
)

_NAMED = {
    ".": "dot",
    " ": "space",
    "\0": "nul",
    "/": "slash",
    "\n": "line break",
    "\r": "line break",
    "\uff1a": "full width colon",
}
_NAMED_AT_END = {"\n": "line feed at end", "\r": "carriage return at end"}


def kinds_of_unsafe_key(key: str) -> tuple[str, ...]:
    """Return the partitions of a key that is not safe: the kind of character, then its place."""
    unsafe = [(place, char) for place, char in enumerate(key) if not has_safe_alphabet(char)]
    if not unsafe:
        return ("empty",)
    if len({_kind_of_character(char) for _, char in unsafe}) > 1:
        return ("several kinds",)
    place, char = unsafe[0]
    if len(unsafe) > 1 or len(key) == 1:
        return (_kind_of_character(char),)
    if place == len(key) - 1:
        return (_NAMED_AT_END.get(char, _kind_of_character(char)), "at end")
    return (_kind_of_character(char), "in middle" if place else "at start")


def kinds_of_safe_key(key: str, longest: int) -> tuple[str, ...]:
    """Return the partitions of a safe key; ``longest`` is the cap in characters."""
    used = {name for char, name in PUNCTUATION.items() if char in key}
    found = {
        "length 1": len(key) == 1,
        "longest": len(key) == longest,
        "whole alphabet": set(key) == set(KEY_ALPHABET),
        **{name: used == {name} for name in PUNCTUATION.values()},
    }
    return tuple(name for name, holds in found.items() if holds)


def _kind_of_character(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if char.isascii():
        return "other ascii"
    if "\ud800" <= char <= "\udfff":
        return "lone surrogate"
    if char.isdigit():
        return "non ascii digit"
    return "non ascii letter" if char.isalpha() else "other non ascii"
