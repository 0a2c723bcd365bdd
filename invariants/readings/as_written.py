"""Whether a prompt shows a text as it was written, in whatever quotation.

Prompts are prose, JSON, JSON in JSON, XML, YAML or Markdown, and each has escapes of its own. A
text counts as shown if one of their readings holds it, character by character; all texts of one
result are quoted in the same way, or a backslash that is lost would pass for one that is read.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property

_ELEMENT = re.compile(r"</(?!(?:b|s|script)>)[A-Za-z][\w.-]*>")
"""The end of an element that no planted text holds."""

_MARKDOWN = re.compile(r"\\([|*_<>\[\]#`~])")
"""What tables and headings escape; a backslash itself would be read as in JSON."""


class Written:
    """A prompt in which texts are looked for.

    Args:
        text: the prompt.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def missing(self, texts: Sequence[str]) -> Sequence[str]:
        """Return which texts do not stand in the prompt as they were written.

        Args:
            texts: what is quoted in the same way, such as the texts of one result.
        """
        fewest = texts
        for quoted in _QUOTATIONS:
            for reading in self._readings:
                left = [each for each in texts if not any(x in reading for x in quoted(each))]
                if not left:
                    return ()
                fewest = min(fewest, left, key=len)
        return fewest

    @cached_property
    def _readings(self) -> tuple[str, ...]:
        """The prompt as it is, as Markdown is read, and as XML if it is some."""
        found = [self._text, _MARKDOWN.sub(r"\1", self._text)]
        if _ELEMENT.search(self._text):
            found.append(html.unescape(self._text))
        return tuple(found)


def is_plain_line(text: str) -> bool:
    """Whether every way of writing keeps the text on its line, without controls."""
    return text.isprintable() or all(c.isprintable() or c == "\u00a0" for c in text)


def _as_json(text: str) -> tuple[str, str]:
    return json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]


def _as_json_in_json(text: str) -> tuple[str, ...]:
    return tuple(outer for inner in _as_json(text) for outer in _as_json(inner))


_QUOTATIONS: tuple[Callable[[str], tuple[str, ...]], ...] = (
    _as_json,
    lambda text: (text, text.replace("'", "''")),  # as it is, and where YAML puts it in quotes
    _as_json_in_json,
    lambda text: (repr(text)[1:-1],),
)
