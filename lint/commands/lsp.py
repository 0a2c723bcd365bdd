"""``fedcheck lsp``: serve an editor."""

from __future__ import annotations

import os
import sys

import click


@click.command("lsp")
@click.option("--stdio", is_flag=True, hidden=True, help="What some editors always give.")
def command(stdio: bool) -> None:
    """Serve an editor: findings while you type, rule pages on hover, fixes and ignores.

    Speaks the Language Server Protocol over standard input and output. Needs the extra `lsp`:
    pip install 'fedcheck[lsp]'.
    """
    del stdio  # there is no other way
    from ... import __version__
    from ...invariants.vocabulary.errors import UsageError

    try:
        from ..lsp.server import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        raise UsageError(
            f"`fedcheck lsp` needs {error.name}, which is not installed; "
            "pip install 'fedcheck[lsp]'"
        ) from error
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")  # the server closes it at its end
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a rule prints is no answer
    make_server(__version__).start_io(None, answers)
