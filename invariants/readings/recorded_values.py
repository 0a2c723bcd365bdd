"""What counts as a value that may leak: short texts of results, whatever they look like."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Iterator
from typing import Any, cast

from ..vocabulary.json_values import is_list, is_object
from .recorded_results import python_value

SHORTEST = 6
"""Characters of the shortest text that counts."""

LONGEST_RUN = 4
"""Tokens of the longest."""

_TOKEN = re.compile(r"[^\s\"'`{}\[\](),;:<>|=\\]+")
_ENDS = ".!?*_"
_NUMBER_OR_TIME = re.compile(r"[\d.,+/%$€£ \-]*(?:\d[tz])?[\d.,+/ \-]*z?")
_SHAPES = str.maketrans(
    string.ascii_letters + string.digits, "a" * len(string.ascii_letters) + "9" * len(string.digits)
)
_PLAIN_WORDS = re.compile(r"[^\W\d_]+(?: (?:[^\W\d_]+|\d{1,2}))*")


def tokens(text: str) -> list[str]:
    """Return the words of a text, case folded, without what stands around them."""
    found = (token.strip(_ENDS) for token in _TOKEN.findall(text.casefold()))
    return [token for token in found if token]


def value_of(text: str) -> str:
    """Return what is compared of a text; empty if it is too short, too long, a number or a time."""
    if len(text) < SHORTEST or len(text) > 400:
        return ""
    words = tokens(text)
    if not 0 < len(words) <= LONGEST_RUN:
        return ""
    joined = " ".join(words)
    return "" if len(joined) < SHORTEST or _NUMBER_OR_TIME.fullmatch(joined) else joined


def runs(text: str) -> Iterator[str]:
    """Yield every run of tokens of a text that might be a value."""
    words = tokens(text)
    for start in range(len(words)):
        joined = words[start]
        for size in range(LONGEST_RUN):
            if size:
                if start + size >= len(words):
                    break
                joined = f"{joined} {words[start + size]}"
            if len(joined) >= SHORTEST:
                yield joined


def values(data: Any) -> set[str]:
    """Return the values of a result, which is parsed JSON."""
    found: set[str] = set()
    waiting: list[Any] = [data]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            inner = python_value(each) or _json_container(each)
            if inner is not None:
                waiting.append(inner)
            elif value := value_of(each):
                found.add(value)
        elif is_object(each):
            waiting.extend(each.values())
        elif is_list(each) or isinstance(each, (tuple, set)):
            waiting.extend(cast("Iterable[Any]", each))
    return found


def _json_container(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if is_object(value) or is_list(value) else None


def shape(value: str) -> str:
    """Return the shape of a value: its digits as ``9``, its letters as ``a``."""
    if value.isascii():
        return value.translate(_SHAPES)
    return "".join("9" if c.isdigit() else "a" if c.isalpha() else c for c in value)


def is_plain_words(value: str) -> bool:
    """Return whether a value is nothing but words, which anybody may say by chance.

    A number below a hundred may stand behind a word, as in `draft 18`, which "Done with the draft,
    18 found" says, too.
    """
    return _PLAIN_WORDS.fullmatch(value) is not None


def shown_texts(text: str) -> Iterator[str]:
    """Yield the texts in which values are looked for: of JSON its strings, else the text itself."""
    inner = _json_container(text) or python_value(text)
    if inner is None:
        yield text
        return
    waiting: list[Any] = [inner]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif is_object(each):
            waiting.extend(each.values())
        elif is_list(each) or isinstance(each, (tuple, set)):
            waiting.extend(cast("Iterable[Any]", each))
