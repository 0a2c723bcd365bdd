"""Reads the words of an ordinary command line of ``fedcheck lint``, without the library for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

PlainWords = tuple[list[str], list[str], dict[str, str]]
"""The paths, the options without a value, and the others with theirs; the last one counts."""


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
    paths: list[str] = []
    given: list[str] = []
    values: dict[str, str] = {}
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if name in choices:
            values[name] = value if equals else next(left, "")
            if values[name] not in choices[name]:
                return None
        elif word in switches:
            given.append(word)
        elif not word.startswith("-") and is_path(word):
            paths.append(word)
        else:
            return None
    return paths, given, values
