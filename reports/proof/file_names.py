"""Names of files in a bundle or a statement: they mean the same file on every system."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

_FORBIDDEN = frozenset('\\:*?"<>|')
_NUMBERS = "0123456789\N{SUPERSCRIPT ONE}\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}"
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "clock$", "conin$", "conout$"]
    + [f"{device}{number}" for device in ("com", "lpt") for number in _NUMBERS]
)
"""What Windows takes for a device, with any ending and in any folder."""


def is_portable(name: str) -> bool:
    """Return whether a path is relative, plain, stays in its folder and keeps its name everywhere.

    Some systems store other characters than they were given (Unicode NFC), drop blanks and full
    stops at the end of a name, or open a device instead of a file.
    """
    plain = name.isprintable() and not _FORBIDDEN & set(name)
    composed = unicodedata.is_normalized("NFC", name)
    return plain and composed and all(_is_part(part) for part in name.split("/"))


def collision(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that mean the same file on some system; ``None`` if there are none.

    A file and a folder of one name collide as well.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in names:
        key = _key(name)
        above = [key[:place] for place, character in enumerate(key) if character == "/"]
        for each in (key, *above):
            if each in files:
                return files[each], name
        if key in folders:
            return folders[key], name
        files[key] = name
        folders.update(dict.fromkeys(above, name))
    return None


def _is_part(part: str) -> bool:
    device = part.partition(".")[0].rstrip(" ").lower()
    return part not in {"", ".", ".."} and part[-1] not in ". " and device not in _RESERVED


def _key(name: str) -> str:
    """Return what two names have in common that differ in case or composition only."""
    folded = unicodedata.normalize("NFD", name).casefold()
    return unicodedata.normalize("NFC", folded)
