"""A Python kernel in our own process: fast, easy to debug, and unguarded."""

from __future__ import annotations

from ...invariants.errors import FedcheckError
from ...invariants.scenario import Scenario
from ...invariants.trace import AnyEvent, KernelDescription
from .base import Adapter
from .hosting import HostedKernel


class InProcessAdapter(Adapter):
    """Hosts a kernel class, factory or object here.

    Nothing enforces a deadline, and a kernel that ends the process ends us: use a worker
    process (``adapters.hosted``) for a kernel that is not trusted to behave.

    Args:
        reference: the string that names the kernel.
        target: the class, factory or object; see ``hosting.HostedKernel``.

    Raises:
        KernelReferenceError: ``target`` is no kernel.
    """

    def __init__(self, reference: str, target: object) -> None:
        self.reference = reference
        try:
            self._kernel = HostedKernel(target)
        except FedcheckError as error:
            raise type(error)(f"{reference}: {error}") from error

    def describe(self) -> KernelDescription:
        """Return the kernel's description."""
        return self._kernel.describe()

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Make the kernel take the scenario's steps, and return its events."""
        self._note_scenario(scenario)
        return self._kernel.run(scenario)

    def close(self) -> None:
        """Do nothing: what the kernel holds goes with it."""
