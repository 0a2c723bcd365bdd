"""Styles of a terminal: always written, and taken away where no terminal is.

The command line's library has them too, but takes longer to load than a small extension to be
linted. It is asked only where it does more: for streams of ASCII, and for consoles of Windows.
"""

from __future__ import annotations

import re
import sys

from .streams import takes_text_as_it_is

_COLOURS = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}
_STYLE = re.compile(r"\x1b\[[^@-~]*[@-~]")


def styled(text: str, *, colour: str = "", bold: bool = False) -> str:
    """Return a text with a colour, in bold letters, or both."""
    begin = f"\x1b[{_COLOURS[colour]}m" if colour else ""
    return f"{begin}\x1b[1m{text}\x1b[0m" if bold else f"{begin}{text}\x1b[0m"


def unstyled(text: str) -> str:
    """Return a text without styles."""
    return _STYLE.sub("", text)


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Write a text; its styles only reach a terminal.

    Args:
        text: what is written.
        err: to stderr, not to stdout.
        nl: with a line feed behind it.
    """
    stream = sys.stderr if err else sys.stdout
    if not takes_text_as_it_is(stream):
        import click

        click.echo(text, err=err, nl=nl)
        return
    shown = text if stream.isatty() else unstyled(text)
    stream.write(f"{shown}\n" if nl else shown)
    stream.flush()
