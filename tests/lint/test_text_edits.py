"""Edits of a text: what cannot be made is refused, and nothing else is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.lint.edits.text_edits import apply, encoded, parses
from fedcheck.lint.files.source import SourceFile
from fedcheck.reports.lint.findings import Edit, Span


def _edit(line: int, column: int, end_line: int, end_column: int, new: str = "x") -> Edit:
    span = Span(line=line, column=column, end_line=end_line, end_column=end_column)
    return Edit(span=span, replacement=new)


def test_edits_are_made_in_the_order_of_their_places() -> None:
    """The later one is given first; a new line ends as the others do."""
    edits = [_edit(2, 1, 2, 2, "d\ne"), _edit(1, 1, 1, 2, "c")]
    assert apply("a\r\nb\r\n", edits) == "c\r\nd\r\ne\r\n"


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param([_edit(1, 1, 1, 3), _edit(1, 2, 1, 4)], id="overlap"),
        pytest.param([_edit(1, 3, 1, 2)], id="ends_before_it_begins"),
        pytest.param([_edit(9, 1, 9, 1)], id="no_such_line"),
        pytest.param([_edit(1, 0, 1, 1)], id="no_such_column"),
        pytest.param([_edit(1, 1, 1, 99)], id="behind_the_line"),
    ],
)
def test_edits_that_cannot_be_made_are_refused(edits: list[Edit]) -> None:
    """Places that overlap or that the text does not have raise ValueError."""
    with pytest.raises(ValueError, match=r"overlap|before it begins|there is no|has no column"):
        apply("abcd\nef\n", edits)


def test_a_text_that_the_encoding_cannot_hold_is_not_written() -> None:
    """A file in latin-1 takes an umlaut, and no euro sign."""
    source = SourceFile(Path("a.py"), "a.py", b"# coding: latin-1\nx = 'a'\n")
    assert encoded("# coding: latin-1\nx = 'ä'\n", source) == b"# coding: latin-1\nx = '\xe4'\n"
    assert encoded("# coding: latin-1\nx = '€'\n", source) is None


def test_bytes_that_are_no_module_do_not_parse() -> None:
    """What a fix makes is read before it is written."""
    assert parses(b"x = 1\n")
    assert not parses(b"x = (\n")
