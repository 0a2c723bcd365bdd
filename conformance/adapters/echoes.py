"""Finds a secret in what a server sends, in each encoding in which servers usually repeat one."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from ...reports.record.redact import MASK

_ESCAPE = re.compile(
    r"(?:\\{1,8}u00|\\{1,8}x|%(?:25){0,4}|&#x0{0,8})([0-9a-f]{2});?|&#0{0,8}(\d{2,3});|\\{1,8}(/)",
    re.IGNORECASE,
)
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=")
_ONE_ALPHABET = str.maketrans("-_", "+/")


class Echoes:
    """The spellings of a secret: as it is, backwards, in hexadecimal digits or base64, escaped.

    Base64 is found wherever the secret stands in what was encoded, as in ``user:secret`` of Basic
    authentication. Each of them may be escaped as JSON, URLs or HTML do, also several times.

    Args:
        secret: at least eight ASCII characters; ``=`` at its end only pads.
    """

    def __init__(self, secret: str) -> None:
        core = secret.rstrip("=")
        self._plain = [core, core[::-1], core.encode("ascii").hex()]
        self._encoded = list(_inside_base64(core.encode("ascii")))
        as_is, encoded = (
            "|".join("".join(map(_escaped, text)) for text in texts)
            for texts in (self._plain, self._encoded)
        )
        padding = _escaped("=")
        self._spelt = re.compile(
            f"(?:{as_is}){padding}{{0,4}}|(?P<base64>{encoded})", re.IGNORECASE
        )

    def masked(self, text: str) -> str:
        """Return a text in which each spelling of the secret is masked."""
        while self._is_in(text):
            tried = ("".join(self._parts(text)), _unescaped(text))
            text = next((each for each in tried if each != text), MASK)
        return text

    def _is_in(self, text: str) -> bool:
        """Whether it is there in any spelling: several times as fast as finding the place."""
        plain = _unescaped(text).lower()
        if any(each.lower() in plain for each in self._plain):
            return True
        plain = plain.translate(_ONE_ALPHABET)
        return any(each.lower() in plain for each in self._encoded)

    def _parts(self, text: str) -> Iterator[str]:
        done = 0
        for found in self._spelt.finditer(text):
            start, end = found.span()
            if found["base64"]:
                start, end = _whole_base64(text, start, end, done)
            if start >= done:
                yield text[done:start]
                yield MASK
            done = max(done, end)
        yield text[done:]


def _inside_base64(secret: bytes) -> Iterator[str]:
    """Yield the letters of base64 that stand for a secret whatever is before and behind it."""
    for before in range(3):
        text = base64.b64encode(bytes(before) + secret).decode("ascii")
        yield text[(0, 2, 3)[before] : (before + len(secret)) * 8 // 6]


def _escaped(character: str) -> str:
    """Return a pattern of a character as it is and as an escape."""
    code = ord(character)
    letters = {"+": r"[+\-]", "/": r"(?:\\{0,8}/|_)"}.get(character, re.escape(character))
    by_number = rf"(?:\\{{1,8}}u00|\\{{1,8}}x|%(?:25){{0,4}}|&#x0{{0,8}}){code:02x};?"
    return rf"(?:{letters}|{by_number}|&#0{{0,8}}{code};)"


def _unescaped(text: str) -> str:
    """Return a text with its escapes undone, as often as they nest."""
    replaced = 1
    while replaced and any(sign in text for sign in "\\%&"):
        text, replaced = _ESCAPE.subn(_character, text)
    return text


def _character(found: re.Match[str]) -> str:
    digits, decimal, slash = found.groups()
    if slash:
        return slash
    return chr(int(digits, 16) if digits else int(decimal))


def _whole_base64(text: str, start: int, end: int, least: int) -> tuple[int, int]:
    """Return the whole run of letters around a place: its edges hold bits of the secret."""
    first = start
    while first > least and text[first - 1] in _BASE64:
        first -= 1
    if first > 0 and text[first - 1] == "\\":  # what follows belongs to an escape
        first = start
    while end < len(text) and text[end] in _BASE64:
        end += 1
    return first, end
