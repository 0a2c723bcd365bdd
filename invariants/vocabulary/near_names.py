"""Which known name a wrong one was probably meant to be, whatever its case."""

from __future__ import annotations

from collections.abc import Iterable


def near_names(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """Return the known names that ``name`` may be a misspelling of, best first.

    A name that differs in its case alone is the only one.
    """
    from difflib import get_close_matches

    folded = {one.casefold(): one for one in known}
    if name.casefold() in folded:
        return [folded[name.casefold()]]
    matches = get_close_matches(name.casefold(), list(folded), n=limit, cutoff=0.6)
    return [folded[match] for match in matches]


def closest(name: str, known: Iterable[str]) -> str:
    """Return the known name that ``name`` was probably meant to be; empty if none is near."""
    return next(iter(near_names(name, known, limit=1)), "")


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return the question for near names; ``otherwise`` if none is near."""
    *others, last = near_names(name, known) or [""]
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"did you mean {listed}?" if last else otherwise
