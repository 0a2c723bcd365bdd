"""Reads the words of an ordinary command line of ``fedcheck lint``, without the library for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple


class PlainWords(NamedTuple):
    """What an ordinary command line says.

    Attributes:
        paths: in their order.
        switches: the options without a value, in their order.
        values: the others; the last one counts.
    """

    paths: list[str]
    switches: list[str]
    values: dict[str, str]


def plain_words(
    words: Sequence[str],
    switches: Collection[str],
    choices: Mapping[str, Collection[str]],
    is_path: Callable[[str], bool],
) -> PlainWords | None:
    """Read a command line; None if it is not an ordinary one.

    Args:
        words: what stands behind ``fedcheck lint``.
        switches: the options without a value that it may have.
        choices: the same of those with a value, and the values that may be given.
        is_path: tells whether a word names what can be linted.
    """
    found = PlainWords([], [], {})
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if name in choices:
            found.values[name] = value if equals else next(left, "")
            if found.values[name] not in choices[name]:
                return None
        elif word in switches:
            found.switches.append(word)
        elif not word.startswith("-") and is_path(word):
            found.paths.append(word)
        else:
            return None
    return found
