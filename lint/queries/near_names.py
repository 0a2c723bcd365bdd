"""Names that look much like another."""

from __future__ import annotations

from collections.abc import Collection


def near_names(name: str, known: Collection[str], *, most: int, alike: float) -> list[str]:
    """Return the names that were probably meant, the likeliest first.

    Args:
        name: as it is written.
        known: the names that there are.
        most: number of names that are returned.
        alike: least likeness, from 0 to 1.
    """
    import difflib  # only findings ask

    return difflib.get_close_matches(name, known, n=most, cutoff=alike)
