"""When something of the SDK came, and when it went, for what the target version lacks."""

from __future__ import annotations

from ..view import FileView


def lifetime(view: FileView, changes: list[list[str]]) -> tuple[str, str]:
    """Return when what is not there was there, in words, and the release that brings it.

    Args:
        view: a file; its target version lacks it.
        changes: (release, what it is there) in order; an empty text where it was removed.

    Returns:
        Words such as " (removed in 4.0.0)", empty if no release has it; and the release to ask
        for, empty if none newer has it.
    """
    removed = [since for since, text in changes if not text and view.surface.at_least(since)]
    if removed:
        return f" (removed in {removed[-1]})", ""
    return (f" (it came with {changes[0][0]})", changes[0][0]) if changes else ("", "")
