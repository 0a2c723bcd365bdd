"""The bytes of a record, and its footer, which shows a cut or an accident in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from ...invariants.vocabulary.codec import parse_json, to_json
from .model import Footer, RecordLine


def encode_line(line: RecordLine) -> bytes:
    """Return a line of a record in its canonical bytes, line feed included.

    Raises:
        DocumentError: the line holds a number that JSON does not have (NaN, Infinity).
    """
    text = to_json(line)
    if "NaN" in text or "Infinity" in text:  # nearly always inside a string
        parse_json(text, f"{type(line).__name__} in the record")
    return text.encode("ascii") + b"\n"


class Seal:
    """Adds up the lines of a record into its footer."""

    def __init__(self) -> None:
        self._all = hashlib.sha256()
        self._digests: list[str] = []

    def add(self, line: bytes) -> None:
        """Add the next line, with its line feed."""
        self._all.update(line)
        self._digests.append(hashlib.sha256(line).hexdigest()[:8])

    @property
    def sha256(self) -> str:
        """SHA-256 of the lines so far."""
        return self._all.hexdigest()

    def mark(self) -> Callable[[], None]:
        """Return what takes back the lines that are added from here on."""
        before, lines = self._all.copy(), len(self._digests)

        def take_back() -> None:
            self._all = before
            del self._digests[lines:]

        return take_back

    def footer(self) -> Footer:
        """Return the footer of the lines so far."""
        return Footer(
            lines=len(self._digests),
            sha256=self._all.hexdigest(),
            digests=tuple(self._digests),
        )
