"""What every adapter offers: two calls, and an end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from ...invariants import codec
from ...invariants.scenario import Scenario
from ...invariants.trace import AnyEvent, KernelDescription

A = TypeVar("A", bound="Adapter")


class Adapter(ABC):
    """A way to reach one kernel. Use it in one thread, and close it or leave its ``with``.

    Attributes:
        reference: the string that names the kernel.
        journal: a file that holds the scenario under way, so that a scenario which takes
            the whole process down can still be named; ``None`` keeps no journal.
    """

    reference: str
    journal: Path | None = None

    @abstractmethod
    def describe(self) -> KernelDescription:
        """Return what the kernel says of itself.

        Raises:
            KernelReferenceError: the reference turns out to name nothing.
            KernelError: the kernel did not start, or did not describe itself properly.
        """

    @abstractmethod
    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Make the kernel take the scenario's steps; return its events, in its order.

        Raises:
            KernelError: the kernel crashed, hung or answered what the protocol forbids.
        """

    @abstractmethod
    def close(self) -> None:
        """Let the kernel go; nothing of it is left behind. May be called twice."""

    def _note(self, scenario_json: str) -> None:
        if self.journal is not None:
            self.journal.write_text(f'{{"scenario":{scenario_json}}}\n', encoding="ascii")

    def _note_scenario(self, scenario: Scenario) -> None:
        if self.journal is not None:
            self._note(codec.to_json(scenario))

    def __enter__(self: A) -> A:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
