"""Text of a kernel or a scenario made harmless and readable.

A kernel decides what it answers, so its text may hold terminal escapes, bidirectional
overrides, invisible characters, or half a character. All of them become visible.
"""

from __future__ import annotations

import re

DEFAULT_LIMIT = 600
"""Characters of one text that a report for people shows."""


_LOG_COMMAND = re.compile(r"##(?=\w*\[)|^\s*(?=::)")


def printable(text: str, *, limit: int | None = DEFAULT_LIMIT) -> str:
    r"""Return ``text`` on one line, with every character that is not plain to see escaped.

    Control characters (also line feeds), terminal escapes, bidirectional and zero-width
    characters, unusual spaces, lone surrogates and unassigned code points are written as
    ``\n``, ``\x1b``, ``\u202e`` …; letters of all scripts stay.

    Args:
        text: anything.
        limit: most characters of ``text`` that are shown; a longer one loses its middle and
            says how much. ``None`` shows all.
    """
    if limit is not None and len(text) > limit:
        head, tail = _ends(text, limit)
        left_out = f" ...({len(text) - limit:,} more characters)... "
        return _visible(head) + left_out + _visible(tail)
    return _visible(text)


def distinct(text: str, *, limit: int | None = DEFAULT_LIMIT) -> str:
    r"""Return a key or an id as ``printable`` does, and every letter beyond ASCII escaped as well.

    A reader sees that ``m\u0430il`` is not ``mail``, though its Cyrillic letter looks the same.
    """
    return printable(text, limit=limit).encode("ascii", "backslashreplace").decode("ascii")


def printable_lines(text: str, *, lines: int, limit: int = 200) -> list[str]:
    """Return the last ``lines`` lines of ``text``, each printable and inert; for a stderr tail.

    Args:
        text: anything.
        lines: most lines that are shown; what is left out is counted.
        limit: most characters of each line.
    """
    every = text.rstrip("\n").split("\n") if text.strip() else []
    kept = [inert(printable(line.rstrip("\r"), limit=limit)) for line in every[-lines:]]
    left_out = len(every) - len(kept)
    return [f"...({left_out:,} more lines)...", *kept] if left_out else kept


def inert(line: str) -> str:
    """Return a line of output that no CI system takes for a command to itself.

    ``::error::…`` is one at the beginning of a line, ``##[…]`` and ``##vso[…]`` anywhere. The
    text stays readable: it gets a backslash or a space.
    """
    return _LOG_COMMAND.sub(lambda found: "# #" if "#" in found[0] else f"{found[0]}\\", line)


def _ends(text: str, limit: int) -> tuple[str, str]:
    tail = limit // 3
    return text[: limit - tail], text[len(text) - tail :]


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
