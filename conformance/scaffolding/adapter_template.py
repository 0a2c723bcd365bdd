"""Writes a new adapter: one small file that runs at once."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from ...invariants.vocabulary.errors import UsageError
from ...reports.console.files import writing

_SUFFIX = ".txt"


class Start(NamedTuple):
    """A language to begin in: its file, and how the kernel in it is reached."""

    file: str
    reference: str


LANGUAGES = {
    "python": Start("kernel.py", "kernel:Kernel"),
    "javascript": Start("kernel.mjs", "exec:node kernel.mjs"),
}
"""The languages in which an adapter can be begun."""


def adapter_text(language: str) -> str:
    """Return the adapter of a language. Raises KeyError if there is none."""
    samples = files("fedcheck.fixtures") / "samples" / "adapter"
    return (samples / language / f"{LANGUAGES[language].file}{_SUFFIX}").read_text("utf-8")


def write_adapter(language: str, folder: Path) -> Path:
    """Write an adapter into a folder, which is made if need be; return its path.

    Raises:
        UsageError: the file exists already, or cannot be written.
    """
    path = folder / LANGUAGES[language].file
    with writing(path, "name another folder"):
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            raise UsageError(f"{path}: is there already; name another folder")
        with path.open("x", encoding="utf-8") as file:
            file.write(adapter_text(language))
    return path
