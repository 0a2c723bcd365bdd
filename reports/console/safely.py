"""A report that cannot be written never costs the run."""

from __future__ import annotations

from collections.abc import Callable

from .escape import printable


def safely(
    what: str, action: Callable[[], None], stays: str = "the verdicts and the record"
) -> str | None:
    """Do ``action``; return ``None``, or one line that says why ``what`` failed.

    Args:
        what: is written.
        action: writes it.
        stays: what its failure does not touch.
    """
    try:
        action()
    except Exception as error:  # noqa: BLE001  whatever a writer does wrong, the verdicts stand
        why = printable(_told(error))
        return f"{what} could not be written ({why}); {stays} are not affected"
    return None


def _told(error: Exception) -> str:
    """Name what the system says of a file by its words, a mistake of ours by its kind."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__}: {error}"
