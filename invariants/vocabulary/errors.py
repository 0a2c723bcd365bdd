"""Every exception that fedcheck raises, as one tree.

::

    FedcheckError
    ├── UsageError                  exit 2: the command line or the configuration is wrong
    │   ├── DocumentError           a scenario, trace or record does not fit its schema
    │   ├── CatalogError            two invariants share an id, a clause names no source …
    │   └── KernelReferenceError    the reference names no kernel
    └── KernelError                 exit 3: the kernel could not be judged
        ├── KernelUnreachable       it did not start or did not describe itself
        ├── KernelCrashed           its process ended while a scenario ran
        ├── KernelTimeout           no answer within the deadline
        ├── ProtocolError           it answered something the protocol does not allow
        ├── Unjudgeable             what it showed in one scenario is beyond a judge
        ├── RecordChanged           something else wrote into the record of the run
        └── PluginError             a plug-in by which it is to be judged is broken

A message says what went wrong, where, what was got, and what to do next.
"""

from __future__ import annotations


class FedcheckError(Exception):
    """Base of every error that fedcheck raises on purpose."""


class UsageError(FedcheckError):
    """The command line, a file given to it or the configuration is wrong."""


class DocumentError(UsageError):
    """A document does not fit its schema; the message names file and path inside it."""


class CatalogError(UsageError):
    """The catalog of invariants contradicts itself."""


class KernelReferenceError(UsageError):
    """A kernel reference names nothing that can be reached."""


class KernelError(FedcheckError):
    """The kernel could not be judged.

    Args:
        message: what happened and what to do next.
        stderr_tail: the last text that the kernel's process wrote to stderr, if any.
        exit_status: the process's exit status, negative for a signal, if it ended.
        events: the events that arrived before the failure, as decoded JSON objects.
    """

    def __init__(
        self,
        message: str,
        *,
        stderr_tail: str = "",
        exit_status: int | None = None,
        events: tuple[object, ...] = (),
    ) -> None:
        super().__init__(message)
        self.stderr_tail = stderr_tail
        self.exit_status = exit_status
        self.events = events


class KernelUnreachable(KernelError):
    """The kernel did not start, or did not describe itself."""


class KernelCrashed(KernelError):
    """The kernel's process ended while a scenario ran."""


class KernelTimeout(KernelError):
    """The kernel gave no answer within the deadline."""


class RecordChanged(KernelError):
    """Something else than the run wrote into its record while it grew."""


class ProtocolError(KernelError):
    """The kernel answered something that the protocol does not allow."""


class Unjudgeable(KernelError):
    """What the kernel showed in a scenario is beyond a judge: no word against the kernel."""


class PluginError(KernelError):
    """A plug-in by which the kernel is to be judged cannot be loaded."""
