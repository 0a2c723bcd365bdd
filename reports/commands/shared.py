"""Options that several of the commands on records have: one name, one type, one placeholder.

What a command does with the value differs, so each gives the help text itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..console.click_names import NamingChoice

if TYPE_CHECKING:
    from ..record.model import RunRecord

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]

FILE = click.Path(path_type=Path)
"""A file that the command opens itself, so that its message says what is wrong with it."""


def format_option(*forms: str, help_text: str = "What to print.") -> Decorator[F]:
    """Return ``--format``, of which the first form is the default; its parameter is ``form``."""
    return click.option(
        "--format",
        "form",
        type=NamingChoice(forms),
        default=forms[0],
        show_default=True,
        help=help_text,
    )


def key_option(help_text: str, *, required: bool = False) -> Decorator[F]:
    """Return ``--key``: a PEM file, or ``env:NAME`` for a variable that holds its text."""
    return click.option(
        "--key", required=required, metavar="FILE|env:NAME", callback=_named, help=help_text
    )


def _named(_context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty name: a variable that is not set must not make a key optional."""
    if value == "":
        raise click.BadParameter("it is empty; name a file, or env:NAME", param=option)
    return value


def key_file(key: str | None) -> Path | None:
    """Return the file that ``--key`` names, if it names one."""
    return None if key is None or key.startswith("env:") else Path(key)


def kernel_file_option(help_text: str) -> Decorator[F]:
    """Return ``--kernel-file``: what was judged, as one file, of which the SHA-256 counts."""
    return _file_option("--kernel-file", "FILE", help_text)


def since_option(help_text: str) -> Decorator[F]:
    """Return ``--since``: an earlier record, to tell what changed."""
    return _file_option("--since", "RECORD", help_text)


def lint_option(help_text: str) -> Decorator[F]:
    """Return ``--lint``: what ``fedcheck lint --format sarif`` or ``json`` wrote."""
    return _file_option("--lint", "FILE", help_text)


def require_option(help_text: str) -> Decorator[F]:
    """Return ``--require``: the file of a requirement set."""
    return _file_option("--require", "FILE", help_text)


def told_underivable(record: RunRecord) -> int:
    """Say on stderr if this installation cannot derive a record; return the exit code, 0 or 3."""
    from ..console.escape import printable
    from ..record.derivation import not_derivable
    from ..record.outcome import NOT_JUDGED

    reason = not_derivable(record)
    if not reason:
        return 0
    click.echo(f"not derivable: {printable(reason, limit=None)}", err=True)
    return NOT_JUDGED


def refuse_without_evidence(record: RunRecord, where: str) -> None:
    """Refuse to pack or sign what proves nothing.

    Raises:
        UsageError: the kernel ran in the suite's own process.
    """
    from ...invariants.vocabulary.errors import UsageError

    if record.header.evidence == "none":
        raise UsageError(
            f"{where}: the kernel ran in the suite's own process, where it could replace what "
            "judges it: the record is no evidence; run again without --in-process"
        )


def warn_unprotected(record: RunRecord, where: str) -> None:
    """Say on stderr if nothing is known to have kept the kernel from outliving its run."""
    from ..record.protection import is_protected, protection_words

    told = record.summary.protection
    if not is_protected(told):
        click.echo(
            f"warning: {where}: protection of the run: {protection_words(told)}: processes of the "
            "kernel may have outlived it and changed what is signed here; sign in another job, "
            "and compare with the SHA-256 that `fedcheck run` printed (--record-sha256 of bundle)",
            err=True,
        )


def _file_option(name: str, metavar: str, help_text: str) -> Decorator[F]:
    return click.option(name, type=FILE, metavar=metavar, help=help_text)
