"""Lines on a console that show text as it is: no markup, no surprise in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.style import Style
from rich.text import Text

from .escape import inert

NARROWEST = 20


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

    def text(self, text: str, style: str = "") -> Text:
        """Return ``text`` as the console can show it, to be put into a table."""
        return Text(inert(self._encodable(text)).replace("::", ": :"), style)

    def column(self, cells: Iterable[str], others: int) -> int | None:
        """Return the width of a table's column in which no word of its cells is broken.

        Args:
            cells: the texts of the column.
            others: what the other columns need at least.

        Returns:
            None if there is no room for the longest word, so that it has to be broken.
        """
        texts = list(cells)
        word = max((cell_len(word) for text in texts for word in text.split()), default=0)
        room = self._width - others
        return min(room, max(map(cell_len, texts), default=0)) if word <= room else None

    def line(self, text: str = "", *, indent: int = 0, hang: int = 0, style: str = "") -> None:
        """Add a line, wrapped to the width; further lines stand ``hang`` further in."""
        shown = self._encodable(text)
        if cell_len(shown) <= self._width - indent:
            self._add(shown, indent, style)
            return
        width = max(self._width - indent - hang, NARROWEST)
        rows = Text(shown).wrap(self._console, width, overflow="fold")
        for number, row in enumerate(rows):
            self._add(row.plain.rstrip(), indent + (hang if number else 0), style)

    def verbatim(self, text: str, *, indent: int = 0, style: str = "") -> None:
        """Add a line that is never wrapped or cut, to be copied."""
        self._add(self._encodable(text), indent, style)

    def show(self, renderable: RenderableType) -> None:
        """Print what was added, then anything else that rich can render."""
        self.flush()
        self._console.print(renderable)

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

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = self._console.get_style(name)
        return self._styles[name]

    def _encodable(self, text: str) -> str:
        if text.isascii():
            return text
        return text.encode(self._encoding, "backslashreplace").decode(self._encoding)
