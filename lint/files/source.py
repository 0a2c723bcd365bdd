"""A linted file: its bytes, its text, its lines."""

from __future__ import annotations

import codecs
import io
import tokenize
from functools import cached_property
from pathlib import Path

from ...reports.lint.findings import Span


class SourceFile:
    """The text of one file, decoded as Python decodes it.

    Attributes:
        path: on disk.
        name: as the user named it, with ``/``; findings show it.
        data: the bytes, from disk or from the editor.
    """

    def __init__(self, path: Path, name: str, data: bytes) -> None:
        self.path = path
        self.name = name
        self.data = data

    @cached_property
    def encoding(self) -> str:
        """The declared encoding; ``utf-8-sig`` keeps the BOM out of the text.

        Raises:
            SyntaxError: The cookie names no encoding for Python, or contradicts the BOM.
        """
        if (
            self.data[:1] == b"#"
            or b"coding" in self.data[:400]
            or self.data[:3] == codecs.BOM_UTF8
        ):
            name = tokenize.detect_encoding(io.BytesIO(self.data).readline)[0]
            if not _reads_cookies(name):
                raise SyntaxError(f"unknown encoding: {name}")
            return name
        return "utf-8"

    @cached_property
    def text(self) -> str:
        """The decoded text, line endings as they are, without a BOM.

        Raises:
            SyntaxError: See ``encoding``.
            UnicodeDecodeError: The bytes are not in the declared encoding.
        """
        try:
            return self.data.decode(self.encoding)
        except UnicodeDecodeError:
            raise
        except UnicodeError as error:  # some codecs give no place
            raise SyntaxError(f"it is not {self.encoding}: {error}") from error

    @cached_property
    def lines(self) -> list[str]:
        """Lines as Python counts them (CR, LF, CRLF), each with its ending."""
        return list(io.StringIO(self.text, newline=""))

    def column(self, line: int, utf8_offset: int) -> int:
        """Turn the parser's byte offset in a line into a column in characters, from 1."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if text.isascii():
            return utf8_offset + 1
        return (
            len(text.encode("utf-8", "surrogatepass")[:utf8_offset].decode("utf-8", "ignore")) + 1
        )

    def slice(self, span: Span) -> str:
        """Return the text inside a span."""
        first, last = span.line - 1, span.end_line - 1
        if first == last:
            return self.lines[first][span.column - 1 : span.end_column - 1]
        middle = "".join(self.lines[first + 1 : last])
        tail = self.lines[last][: span.end_column - 1] if last < len(self.lines) else ""
        return self.lines[first][span.column - 1 :] + middle + tail


def _reads_cookies(name: str) -> bool:
    """Tell whether a codec is one for text, and for text that begins with its cookie in ASCII."""
    try:
        return b"# coding".decode(name) == "# coding"
    except (LookupError, UnicodeError):
        return False
