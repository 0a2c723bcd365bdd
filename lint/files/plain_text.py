"""The text of a file as bytes, its identifiers normalised, and what is written in it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence

from .source import SourceFile

_PLAIN = frozenset({"utf-8", "utf-8-sig", "ascii", "us-ascii", "iso-8859-1", "latin-1", "cp1251"})


def plain_text(source: SourceFile) -> bytes:
    """Return the bytes with identifiers normalised as the parser does.

    Identifiers are compared in NFKC, so a file with other spellings is normalised first.
    """
    cached = source.__dict__.get("plain_text")
    if cached is None:
        cached = source.__dict__["plain_text"] = _plain_text(source)
    return cached


def _plain_text(source: SourceFile) -> bytes:
    data = source.data
    if data.isascii() and b"coding" not in data[:400]:
        return data
    try:
        if source.encoding not in _PLAIN:
            return source.text.encode("utf-8", "replace")
        text = source.text
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return data
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return data
    return data + b"\n" + unicodedata.normalize("NFKC", text).encode("utf-8", "replace")


def has_code(source: SourceFile) -> bool:
    """Tell whether a file can hold an object of the SDK: it imports one or is given one."""
    text = plain_text(source)
    return any(word in text for word in (b"import", b"def", b"lambda"))


_NO_WORD = bytes(
    char if char >= 0x80 or chr(char).isalnum() or char == ord("_") else ord(" ")
    for char in range(256)
)
"""Translates what no identifier holds into spaces, so that a text falls into its words at once."""


def words(source: SourceFile) -> bytes:
    """Return each word of a file once, with spaces between them: a tenth of its text."""
    known: bytes | None = source.__dict__.get("words")
    if known is None:
        found = set(plain_text(source).translate(_NO_WORD).split())
        known = source.__dict__["words"] = b" ".join(found)
    return known


def holds(source: SourceFile, text: str) -> bool:
    """Tell whether a text stands in a file whose identifiers are normalised."""
    is_part = text.isascii() and text.isidentifier()  # then some word holds it
    return text.encode() in (words(source) if is_part else plain_text(source))


def mentions(source: SourceFile, name: str) -> bool:
    """Tell whether a text stands in a file."""
    if plain_text(source) is source.data and name.isascii():
        return holds(source, name)
    wanted, text = name.encode(errors="replace"), plain_text(source)
    is_other = text is not source.data and not source.data.isascii()
    return wanted in source.data or (is_other and wanted in text)


def whole_words(names: Sequence[str]) -> re.Pattern[bytes]:
    """Return what finds one of some names as a whole word."""
    start = os.path.commonprefix(names).encode()  # noqa: RUF071 - characters are meant
    rest = b"|".join(name.encode()[len(start) :] for name in names)
    return re.compile(rb"%s(?<!\w%s)(?:%s)\b" % (start, start, rest))
