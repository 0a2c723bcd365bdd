"""Secrets never reach a record: what looks like one becomes ``***``.

A run is reached by a kernel reference and a command line, and both may carry a password or
a token. Everything here is idempotent, so that a record may be read and written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MASK = "***"

_WORD = r"(?:token|secret|password|passwd|api[_-]?key|credential)"
_NAME = rf"{_WORD}[\w-]{{0,40}}"
_VALUE = r"""(?:'[^']*'|"[^"]*"|[^\s&"']+)"""
_RULES = (
    (re.compile(r"(?<=://)[^/\s@]+@"), f"{MASK}@"),
    (re.compile(r"(?i)(\bauthorization\s*:\s*)(\w+\s+)?[^\s\"',]+"), rf"\1\2{MASK}"),
    (re.compile(r"(?i)(\bbearer\s+)[\w.~+/=*-]+"), rf"\1{MASK}"),
    (re.compile(rf"(?i)({_NAME}=){_VALUE}"), rf"\1{MASK}"),
    (re.compile(rf"(?i)(--[\w-]{{0,40}}{_NAME}\s+){_VALUE}"), rf"\1{MASK}"),
)
_SUSPECT = re.compile(rf"(?i)://|authorization|bearer|{_WORD}")
"""Each rule needs one of these: most texts of a large record have none."""

_SECRET_OPTION = re.compile(rf"(?i)--?[\w-]{{0,40}}{_NAME}")


def redact(text: str) -> str:
    """Return ``text`` with user names and passwords in URLs, tokens and the like masked."""
    if _SUSPECT.search(text) is None:
        return text
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def redact_arguments(arguments: Iterable[str]) -> tuple[str, ...]:
    """Return command-line arguments masked, also ``--token VALUE`` in two arguments."""
    masked: list[str] = []
    secret_follows = False
    for argument in arguments:
        masked.append(MASK if secret_follows else redact(argument))
        secret_follows = _SECRET_OPTION.fullmatch(argument) is not None
    return tuple(masked)
