"""One FACTS payload against the data that the suite gave for that call."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ..vocabulary.json_prefix import leading
from ..vocabulary.json_values import Difference, differences, parse, parse_leading

MARKER_LIMIT = 200
"""Longest text behind a leading part that is taken for a truncation marker, in characters."""

_CUT_EVIDENCE = 40
_MASKED_WHOLE = 60
_LEAST_EVIDENCE = 8
_CLOSING = '"]} \t'
_HALF_ESCAPE = re.compile(r"^\\(?:u[0-9a-fA-F]{0,3})?")
_SHOWN_DIFFERENCES = 40
_LONGEST_BEGIN = 12
_BLANKS, _WORD = re.compile(r'(?:["\]}]*\s+)?[\s.]*$'), re.compile(r"[\s\[({<]*\w*$")
_CLOSED = re.compile(r'["\]}]*[\s.]*$')


@dataclass(frozen=True)
class Payload:
    """What a payload shows of the given data.

    Attributes:
        text: the payload without surrounding space.
        differences: where the parsed payload differs; empty when it does not parse.
        intact: parsed and equal to the data.
        readable: parsed at all.
        shown: characters that are a leading part of a serialisation of the data.
        remainder: what follows the leading part, or the whole value: the marker, if any.
    """

    text: str
    differences: tuple[Difference, ...]
    intact: bool
    readable: bool
    shown: int
    remainder: str

    @property
    def leading(self) -> bool:
        """Whether the payload is a leading part of the data, then at most a marker."""
        return len(self.remainder) <= MARKER_LIMIT

    @property
    def cut(self) -> bool:
        """Whether it is plainly the data cut short, rather than something else."""
        evidence = self.shown >= min(_CUT_EVIDENCE, max(len(self.remainder), _LEAST_EVIDENCE))
        return not self.intact and not self.readable and self.leading and evidence

    @property
    def altered(self) -> bool:
        """Whether it is whole JSON that says something else, rather than less."""
        return any(not difference.is_loss for difference in self.differences)

    @property
    def marker(self) -> str:
        """The truncation marker; closing brackets or half an escape alone are none."""
        behind = _HALF_ESCAPE.sub("", self.remainder, count=1)
        return behind if behind.strip(_CLOSING) else ""

    @property
    def facts(self) -> int:
        """Characters that are facts, whatever they say: all but a marker at the end.

        A marker may begin with a blank or with letters that the data have there too, or stand
        behind what closes the text that was cut.
        """
        shown = len(self.text) - min(len(self.remainder), MARKER_LIMIT)
        if not self.leading or not self.marker:
            return shown
        begins = self.remainder[0]
        begun = _WORD if begins.isalnum() else _CLOSED if begins in _CLOSING else _BLANKS
        found = begun.search(self.text, max(0, shown - _LONGEST_BEGIN), shown)
        return shown - len(found[0]) if found else shown


def read_payload(raw: str, data: Any, *, safe_only: bool) -> Payload:
    """Compare the text of a payload with the given data.

    Args:
        raw: what stands behind ``data=``.
        data: the given value, without its ``_action_meta`` envelope.
        safe_only: masking may have changed it; compare only what masking must not touch.
    """
    text = raw.strip()
    got, remainder, readable = _parsed(text)
    found = tuple(islice(differences(data, got, safe_only=safe_only), _SHOWN_DIFFERENCES))
    is_it = not remainder or type(got) is type(data)  # else a marker may begin with a number
    if readable and not found and is_it and len(remainder) <= MARKER_LIMIT:
        return Payload(text, (), True, True, len(text) - len(remainder), remainder)
    shown, _ = leading(text, data)
    whole = readable and not remainder
    return Payload(text, found if whole else (), False, whole, shown, text[shown:])


def read_text(text: str, data: str, *, safe_only: bool) -> Payload:
    """Compare a text that stands somewhere as it is, without quotes, with the given text.

    Masking may change all of a short text, but of a long one neither every word nor the length.
    """
    least = min(len(text), len(data))
    shown = next((n for n in range(least) if text[n] != data[n]), least)
    part = Payload(text, (), False, False, shown, text[shown:])
    if part.cut and len(data) - len(text) > MARKER_LIMIT:
        return part
    whole = read_payload(json.dumps(text), data, safe_only=safe_only)
    is_alike = len(data) <= _MASKED_WHOLE or not set(text.split()).isdisjoint(data.split())
    if whole.intact and is_alike:
        return replace(whole, text=text, shown=len(text))
    return part if part.cut or whole.intact else whole


def _parsed(text: str) -> tuple[Any, str, bool]:
    """What beats our parser is no JSON to us; it is not the data either, which we have parsed."""
    try:
        return parse(text), "", True
    except (ValueError, RecursionError):
        pass
    try:
        value, remainder = parse_leading(text)
    except (ValueError, RecursionError):
        return None, "", False
    return value, remainder, True
