"""Texts as an editor has them, for ``fedcheck lsp``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..reports.lint.shared import split_lines
from .files.disk import read_regular
from .files.source import SourceFile

BOM = "\ufeff"


class Lines:
    """The lines of files that findings point to: as the editor has them, else as on disk."""

    def __init__(self, texts: Mapping[Path, str]) -> None:
        self._texts = texts
        self._known: dict[str, list[str]] = {}

    def of(self, name: str) -> list[str]:
        """Return the lines of a file; none if it cannot be read any more."""
        if name not in self._known:
            path = Path(name).absolute()
            try:
                text = self._texts[path] if path in self._texts else _on_disk(path)
            except (OSError, SyntaxError, UnicodeError, LookupError):
                text = ""
            self._known[name] = split_lines(text)
        return self._known[name]


def _on_disk(path: Path) -> str:
    return SourceFile(path, str(path), read_regular(path)).text


def encoded(text: str) -> bytes:
    """Return an editor's text as the bytes that its encoding comment announces."""
    data = text.encode("utf-8", "surrogatepass")
    if text.startswith(BOM):
        return data  # the mark is already there
    try:
        return text.encode(SourceFile(Path(), "", data).encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return data
