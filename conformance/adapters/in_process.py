"""A Python kernel in our own process: fast, easy to debug, and unguarded."""

from __future__ import annotations

import msgspec

from ...invariants.vocabulary import codec
from ...invariants.vocabulary.errors import FedcheckError
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import AnyEvent, KernelDescription
from .base import Adapter, same_description
from .hosting import HostedKernel


class InProcessAdapter(Adapter):
    """Hosts a kernel class, factory or object here.

    Nothing enforces a deadline, and a kernel that ends the process ends us: use a worker
    process (``adapters.hosted``) for a kernel that is not trusted to behave.

    Args:
        reference: the string that names the kernel.
        target: the class, factory or object; see ``hosting.HostedKernel``.
        transport: how a record names the way.

    Raises:
        KernelReferenceError: ``target`` is no kernel.
    """

    def __init__(self, reference: str, target: object, *, transport: str = "in-process") -> None:
        self.reference = reference
        self.transport = transport
        self._target = target
        if transport == "embedded":
            self.protection = "not-needed"
        try:
            self._kernel = HostedKernel(target)
        except FedcheckError as error:
            raise type(error)(f"{reference}: {error}") from error

    def describe(self) -> KernelDescription:
        """Return the kernel's description, asked for twice: it must not change."""
        return same_description(self._kernel.describe(), self._kernel.describe())

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Make the kernel take the scenario's steps, and return its events."""
        self._note(quick_json(scenario))
        return self._kernel.run(scenario)

    def renew(self) -> bool:
        """Make the kernel anew, if it is a class or a factory; what its module holds stays."""
        if callable(self._target):
            self._kernel = HostedKernel(self._target)
        return callable(self._target)

    def close(self) -> None:
        """Remove the journal; what the kernel holds goes with it."""
        self._forget()


def quick_json(scenario: Scenario) -> bytes:
    """Return a scenario as JSON in UTF-8, many times faster than the canonical form."""
    try:
        return msgspec.json.encode(scenario)
    except UnicodeEncodeError:  # a lone surrogate
        return codec.to_json(scenario).encode("ascii")
