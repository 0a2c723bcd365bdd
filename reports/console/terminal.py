"""Lines that a terminal would break in the middle of an id, broken between words instead."""

from __future__ import annotations

import shutil
import sys
import textwrap

import click

HANG = 2
"""Columns by which further rows of a line stand further in."""


def say(line: str = "") -> None:
    """Print a line; whole into a pipe or a file, where programs read it."""
    width = terminal_width()
    for row in rows(line, width) if width else [line]:
        click.echo(row)


def terminal_width() -> int:
    """Return the columns of the terminal; 0 if the output goes into a pipe or a file."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def rows(line: str, width: int) -> list[str]:
    """Return a line as rows of at most ``width`` columns; a word is broken by none of them."""
    text = line.lstrip(" ")
    indent = " " * (len(line) - len(text))
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}{' ' * HANG}",
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
