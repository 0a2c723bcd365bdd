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
    for row in rows(line, shutil.get_terminal_size().columns) if sys.stdout.isatty() else [line]:
        click.echo(row)


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
