"""From the string that names a kernel to the adapter that reaches it."""

from __future__ import annotations

import math

from ...fixtures.embedded import embedded, embedded_names, is_embedded
from ...invariants.vocabulary.errors import KernelReferenceError, UsageError
from ...invariants.vocabulary.near_names import did_you_mean
from ...invariants.vocabulary.text import counted
from .base import Adapter
from .own_process import USUAL, Hosting

GRAMMAR = """\
  reference                   the embedded reference kernel
  agent-reference             the embedded reference agent
  mutant:NAME                 an embedded kernel that breaks a promise
  style:NAME                  an embedded kernel that keeps all of them differently
  imperal-sdk                 the installed imperal-sdk package (extra `sdk`)
  exec:COMMAND                a program that speaks JSON-RPC on its stdin and stdout
  agent:module:attribute      a callable that takes an agent's turn; its model and tools are ours
  agent:exec:COMMAND          the same, as a program that speaks JSON lines
  http://…, https://…         a server that takes the same messages by POST
  package.module:attribute    a Python class, factory or object, in a worker process
  NAME                        a kernel that an installed plug-in brings"""
"""What a kernel reference may look like."""

_SDK = "fedcheck.conformance.adapters.imperal_sdk:kernel"
_REMOTE = ("http://", "https://")
_AGENT = "agent:"
_LEAST_MEMORY = 2**20


def open_kernel(
    reference: str,
    *,
    timeout: float = 10.0,
    in_process: bool = False,
    hosting: Hosting = USUAL,
) -> Adapter:
    """Return the adapter for a kernel; nothing is started yet.

    Args:
        reference: see ``GRAMMAR``.
        timeout: seconds that each call may take. Kernels in our own process (the embedded
            ones, and others with ``in_process``) have no deadline: nobody can stop them.
        in_process: run a Python kernel here instead of in a worker, to debug it.
        hosting: what the process of a kernel that is started for the run gets.

    Raises:
        KernelReferenceError: the reference does not fit the grammar or names nothing.
        KernelUnreachable: with ``in_process``, the module raised while it was imported.
        CatalogError: two plug-ins bring a kernel of this name.
        UsageError: the timeout is not a positive number, the kernel has no process of its own
            to be limited or protected, the limit is too small for any process, or the bearer token
            in the environment cannot be used.
    """
    _check(reference, timeout, in_process, hosting)
    if is_embedded(reference):
        return _embedded(reference)
    if reference.startswith(_REMOTE):
        return _remote(reference, timeout)
    if reference.startswith(_AGENT):
        return _agent(reference, timeout, hosting)
    if reference.startswith("exec:"):
        return _exec(reference, timeout, hosting)
    target = _sdk() if reference == "imperal-sdk" else _target(reference)
    if not _names_attribute(target):
        hint = did_you_mean(reference, _names(), f"expected one of\n{GRAMMAR}")
        raise KernelReferenceError(f"kernel reference {reference!r} is not understood; {hint}")
    if in_process:
        return _in_process(reference, target)
    return _hosted(reference, target, timeout, hosting)


def _names() -> list[str]:
    """Return every reference that is a name: of our kernels, and of those that plug-ins bring."""
    from ...invariants.plugins import kernel_plugins

    plugins = [plugin.name for plugin in kernel_plugins()]
    return [*embedded_names(), "imperal-sdk", *plugins]


def _sdk() -> str:
    """What ``imperal-sdk`` stands for; a missing package is told here, before a worker starts."""
    from .imperal_sdk.package import installed_version

    installed_version()
    return _SDK


def _target(reference: str) -> str:
    """What a plug-in's kernel stands for; any other reference stands for itself."""
    from ...invariants.plugins import kernel_plugin

    plugin = None if ":" in reference else kernel_plugin(reference)
    return plugin.target if plugin else reference


def _check(reference: str, timeout: float, in_process: bool, hosting: Hosting) -> None:
    if not (math.isfinite(timeout) and timeout > 0):
        raise UsageError(f"timeout: expected a positive number of seconds, got {timeout}")
    remote = reference.startswith(_REMOTE)
    limit = hosting.memory_limit
    if limit is not None and limit < _LEAST_MEMORY:
        raise UsageError(
            f"--memory-limit: in {counted(limit, 'byte')} no process starts; "
            "give a number with its unit, such as 512M"
        )
    wanted = {"--memory-limit": limit is not None, "--sandbox=on": hosting.sandbox == "on"}
    for option, given in wanted.items():
        if given and (is_embedded(reference) or remote or in_process):
            raise UsageError(
                f"{option}: {reference} is no process that is started for the run; leave it out"
            )
    if hosting.python and not (reference.startswith(_AGENT) and "agent:exec:" not in reference):
        raise UsageError(
            f"--python: {reference} is no module of an agent, which alone has an interpreter of "
            "its own; leave it out"
        )
    if in_process and (remote or reference.startswith(("exec:", _AGENT))):
        raise KernelReferenceError(
            f"{reference}: this cannot run in process; give package.module:attribute"
        )


def _embedded(reference: str) -> Adapter:
    from .in_process import InProcessAdapter

    return InProcessAdapter(reference, embedded(reference), transport="embedded")


def _remote(reference: str, timeout: float) -> Adapter:
    from .over_http import HttpAdapter

    return HttpAdapter(reference, timeout=timeout)


def _exec(reference: str, timeout: float, hosting: Hosting) -> Adapter:
    from .exec import ExecAdapter

    return ExecAdapter(reference.removeprefix("exec:"), timeout=timeout, hosting=hosting)


def _agent(reference: str, timeout: float, hosting: Hosting) -> Adapter:
    from .agent.adapter import AgentAdapter

    return AgentAdapter(reference, timeout=timeout, hosting=hosting)


def _in_process(reference: str, target: str) -> Adapter:
    from .in_process import InProcessAdapter
    from .loading import load

    return InProcessAdapter(reference, load(target))


def _hosted(reference: str, target: str, timeout: float, hosting: Hosting) -> Adapter:
    from .hosted import HostedAdapter

    return HostedAdapter(reference, target, timeout=timeout, hosting=hosting)


def _names_attribute(target: str) -> bool:
    module, colon, attribute = target.partition(":")
    words = f"{module}.{attribute}".split(".")
    return bool(colon) and all(word.isidentifier() for word in words)
