"""From the string that names a kernel to the adapter that reaches it."""

from __future__ import annotations

import math

from ...invariants.errors import KernelReferenceError, UsageError
from .base import Adapter

GRAMMAR = """\
  reference                   the embedded reference kernel
  mutant:NAME                 an embedded kernel that breaks a promise
  style:NAME                  an embedded kernel that keeps all of them differently
  imperal-sdk                 the installed imperal-sdk package (extra `sdk`)
  exec:COMMAND                a program that speaks JSON-RPC on its stdin and stdout
  package.module:attribute    a Python class, factory or object, in a worker process"""
"""What a kernel reference may look like."""

_SDK = "fedcheck.conformance.adapters.imperal_sdk:kernel"
_EMBEDDED = ("reference", "mutant:", "style:")


def open_kernel(reference: str, *, timeout: float = 10.0, in_process: bool = False) -> Adapter:
    """Return the adapter for a kernel; nothing is started yet.

    Args:
        reference: see ``GRAMMAR``.
        timeout: seconds that each call may take. Kernels in our own process (the embedded
            ones, and others with ``in_process``) have no deadline: nobody can stop them.
        in_process: run a Python kernel here instead of in a worker, to debug it.

    Raises:
        KernelReferenceError: the reference does not fit the grammar or names nothing.
        KernelUnreachable: with ``in_process``, the module raised while it was imported.
        UsageError: the timeout is not a positive number.
    """
    if not (math.isfinite(timeout) and timeout > 0):
        raise UsageError(f"timeout: expected a positive number of seconds, got {timeout}")
    if reference == _EMBEDDED[0] or reference.startswith(_EMBEDDED[1:]):
        return _embedded(reference)
    if reference.startswith("exec:"):
        return _exec(reference, timeout, in_process)
    target = _SDK if reference == "imperal-sdk" else reference
    if not _names_attribute(target):
        raise KernelReferenceError(
            f"kernel reference {reference!r} is not understood; expected one of\n{GRAMMAR}"
        )
    return _in_process(reference, target) if in_process else _hosted(reference, target, timeout)


def _embedded(reference: str) -> Adapter:
    from ...fixtures.embedded import embedded
    from .in_process import InProcessAdapter

    return InProcessAdapter(reference, embedded(reference))


def _exec(reference: str, timeout: float, in_process: bool) -> Adapter:
    if in_process:
        raise KernelReferenceError(
            f"{reference}: a command cannot run in process; give package.module:attribute"
        )
    from .exec import ExecAdapter

    return ExecAdapter(reference.removeprefix("exec:"), timeout=timeout)


def _in_process(reference: str, target: str) -> Adapter:
    from .in_process import InProcessAdapter
    from .loading import load

    return InProcessAdapter(reference, load(target))


def _hosted(reference: str, target: str, timeout: float) -> Adapter:
    from .hosted import HostedAdapter

    return HostedAdapter(reference, target, timeout=timeout)


def _names_attribute(target: str) -> bool:
    module, colon, attribute = target.partition(":")
    words = f"{module}.{attribute}".split(".")
    return bool(colon) and all(word.isidentifier() for word in words)
