"""``exec:COMMAND``: any program that speaks the protocol on its stdin and stdout."""

from __future__ import annotations

import shlex

from ...invariants.vocabulary.errors import KernelReferenceError
from .own_process import USUAL, Hosting
from .process import ProcessAdapter


class ExecAdapter(ProcessAdapter):
    """Runs a command, split like a shell would but without one, in the current folder.

    Args:
        command: the command line.
        timeout: seconds that each call may take.
        hosting: what its process gets.

    Raises:
        KernelReferenceError: the command is empty, or a quotation is not closed.
    """

    transport = "exec"

    def __init__(
        self,
        command: str,
        *,
        timeout: float = 10.0,
        hosting: Hosting = USUAL,
    ) -> None:
        reference = f"exec:{command}"
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise KernelReferenceError(f"{reference}: {error}; check the quotes") from None
        if not words or not words[0]:
            raise KernelReferenceError(f"{reference}: no command; write exec:PROGRAM ARGUMENTS")
        super().__init__(reference, words, timeout=timeout, hosting=hosting)
