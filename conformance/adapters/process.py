"""A kernel in a process of its own, spoken to in JSON-RPC over its stdin and stdout."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from ...invariants.vocabulary.errors import (
    KernelCrashed,
    KernelError,
    KernelReferenceError,
    KernelUnreachable,
)
from ...reports.record.protection import Protection, weakest
from .child import Child
from .conversation import Conversation
from .own_process import USUAL, Hosting


class ProcessAdapter(Conversation):
    """Starts a kernel when it is first needed and again after it failed; see ``Conversation``.

    Closing ends the process and all that it started.

    Args:
        reference: the string that names the kernel.
        command: program and arguments.
        timeout: seconds that each call may take.
        restarts: how often the process may be started again.
        hosting: what the process gets.
    """

    def __init__(
        self,
        reference: str,
        command: Sequence[str],
        *,
        timeout: float = 10.0,
        restarts: int = 20,
        hosting: Hosting = USUAL,
    ) -> None:
        super().__init__(reference, timeout=timeout, restarts=restarts)
        self._command = command
        self._hosting = hosting
        self._child: Child | None = None
        self.protection = ""

    @property
    def pid(self) -> int | None:
        """Id of the process that ends the kernel and goes last; ``None`` while there is none."""
        return self._child.pid if self._child else None

    def renew(self) -> bool:
        """End the process; the next scenario starts another one."""
        self._closed()
        return True

    @property
    def _link(self) -> Child | None:
        return self._child

    def _closed(self) -> int | None:
        child, self._child = self._child, None
        if child is None:
            return None
        status = child.close()
        self._protected_by(child.protection)
        return status

    def _opened(self) -> Child:
        try:
            self._child = Child(self._command, self._hosting, self._added())
        except ValueError as error:
            raise KernelReferenceError(f"{self.reference}: {error}") from None
        except FileNotFoundError:
            reason = "command not found; give a path or a name that is on PATH"
        except PermissionError:
            reason = "not executable; is it a program, and has it the x permission?"
        except OSError as error:
            reason = f"could not be started: {error.strerror}; is it a program for this machine?"
        else:
            self._protected_by(self._child.protection)
            return self._child
        raise KernelUnreachable(f"{self.reference}: {self._command[0]!r}: {reason}")

    def _added(self) -> dict[str, str]:
        """Return the variables that the process gets beside those of its hosting."""
        return {}

    def _protected_by(self, protection: Protection) -> None:
        self.protection = weakest((self.protection, protection))

    def _told(self, kind: type[KernelError], reason: str, status: int | None) -> str:
        if kind is KernelCrashed and status is None:
            reason += " (it closed its stdout and lived on)"
        known = [] if status is None else [_status_name(status)]
        if self._hosting.memory_limit is not None:
            known.append(f"it was limited to {self._hosting.memory_limit:,} bytes of memory")
        return f"{reason} ({'; '.join(known)})" if known else reason


def _status_name(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
