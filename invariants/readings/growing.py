"""Texts that grow with a conversation, and whether something stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"\w+")
_APART = "\0"
"""Stands between two texts, so that nothing is found across them."""


class GrowingTexts:
    """Texts, kept in few pieces: asking costs a search in each piece, not in each text.

    A piece is joined to the one before as soon as that is no longer than it is, so that each
    character is copied a few times, however many texts there are.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._words: dict[str, list[str]] = {}

    def add(self, texts: Iterable[str]) -> None:
        """Take up texts."""
        for text in texts:
            for word in set(_WORD.findall(text)):
                self._words.setdefault(word, []).append(text)
            self._pieces.append(text)
            while len(self._pieces) > 1 and len(self._pieces[-2]) <= len(self._pieces[-1]):
                last = self._pieces.pop()
                self._pieces[-1] = f"{self._pieces[-1]}{_APART}{last}"

    def __contains__(self, text: str) -> bool:
        """Whether one of the texts holds this one, anywhere."""
        return any(text in piece for piece in self._pieces)

    def with_words_of(self, text: str) -> Iterable[str]:
        """Return the texts that hold the longest word of this one, or all if it has no word."""
        words = _WORD.findall(text)
        return self._words.get(max(words, key=len), ()) if words else self._pieces
