"""Lines on a console that show text as it is: no markup, no surprise in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment, Segments
from rich.style import Style
from rich.text import Text

from .escape import inert

NARROWEST = 20
NARROWEST_COLUMN = 12
"""Columns that a text, or the first cell of a row, has on any console."""

GAP = "  "
"""What stands between the cells of a row."""


class Page:
    """Collects lines and prints them on a rich console when it is flushed.

    No text is ever read as rich markup, emoji code or highlighting, none fails on a console
    whose encoding lacks a character, and none is a command to the CI system that reads the log.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = console.width
        self._encoding = console.encoding
        self._segments: list[Segment] = []
        self._styles: dict[str, Style] = {}

    def column(self, cells: Iterable[str], others: Sequence[int]) -> int:
        """Return the width of a table's first column: of its widest cell, if there is room.

        Args:
            cells: the texts of the column.
            others: the widths of the other columns.
        """
        room = self._width - sum(others) - len(GAP) * len(others)
        widest = max((cell_len(self._cell(text)) for text in cells), default=0)
        return min(widest, max(room, NARROWEST_COLUMN))

    def row(self, cells: Sequence[tuple[str, str]], widths: Sequence[int], *, right: int) -> None:
        """Add a row of a table; its first cell is wrapped to its width, no other one is.

        Args:
            cells: text and style of each, from the left; the last ones may be missing.
            widths: of the columns.
            right: the first column whose texts stand at the right.
        """
        (name, bold), *others = ((self._cell(text), style) for text, style in cells)
        first, *more = self._wrapped(name, widths[0])
        self._segments.append(Segment(first, self._style(bold)))
        free = widths[0] - cell_len(first)
        for place, (text, style) in enumerate(others, start=1):
            room = widths[place] - cell_len(text)
            before, behind = (room, 0) if place >= right else (0, room)
            self._segments.append(Segment(" " * (free + len(GAP) + before)))
            self._segments.append(Segment(text, self._style(style)))
            free = behind
        self._segments.append(Segment.line())
        for line in more:
            self._add(line, 0, bold)

    def line(self, text: str = "", *, indent: int = 0, hang: int = 0, style: str = "") -> None:
        """Add a line, wrapped to the width; further lines stand ``hang`` further in."""
        shown = self._encodable(text)
        if cell_len(shown) <= self._width - indent:
            self._add(shown, indent, style)
            return
        width = max(self._width - indent - hang, NARROWEST)
        for number, row in enumerate(self._wrapped(shown, width)):
            self._add(row, indent + (hang if number else 0), style)

    def verbatim(self, text: str, *, indent: int = 0, style: str = "") -> None:
        """Add a line that is never wrapped or cut, to be copied."""
        self._add(self._encodable(text), indent, style)

    def flush(self) -> None:
        """Print what was added."""
        self._console.print(Segments(self._segments), end="", soft_wrap=True)
        self._segments = []

    def _add(self, text: str, indent: int, style: str) -> None:
        shown = inert(text)
        if not style:
            self._segments.append(Segment(f"{' ' * indent}{shown}\n"))
            return
        self._segments.append(Segment(" " * indent))
        self._segments.append(Segment(shown, self._style(style)))
        self._segments.append(Segment.line())

    def _wrapped(self, text: str, width: int) -> list[str]:
        if cell_len(text) <= width:
            return [text]
        rows = Text(text).wrap(self._console, width, overflow="fold")
        return [row.plain.rstrip() for row in rows]

    def _cell(self, text: str) -> str:
        """Return a text of which no part is a command, wherever it is wrapped."""
        return inert(self._encodable(text)).replace("::", ": :")

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = self._console.get_style(name)
        return self._styles[name]

    def _encodable(self, text: str) -> str:
        if text.isascii():
            return text
        return text.encode(self._encoding, "backslashreplace").decode(self._encoding)
