"""What every adapter offers: two calls, and an end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import TypeVar

from ...invariants.vocabulary.errors import ProtocolError, UsageError
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import AnyEvent, KernelDescription
from ...reports.record.protection import Protection
from .journal import Journal

A = TypeVar("A", bound="Adapter")


class Adapter(ABC):
    """A way to reach one kernel. Use it in one thread, and close it or leave its ``with``.

    Attributes:
        reference: the string that names the kernel.
        transport: the way, as a record names it; the kernel is the same whichever is taken.
        journal: holds the scenario under way, so that a scenario which takes the whole
            process down can still be named. It is made when the first scenario is noted.
        protection: what has kept the kernel from leaving something behind, at its weakest.
    """

    reference: str
    transport: str = ""
    journal: Journal | None = None
    protection: Protection = "none"

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
            UsageError: the scenario cannot be kept on disk.
        """

    def renew(self) -> bool:
        """Have the kernel start afresh with the next scenario.

        Returns:
            Whether it does: only what is started for the run can be started again.
        """
        return False

    def wiring(self) -> Iterator[str]:
        """Tell what was noticed of the way in which the kernel is connected."""
        return iter(())

    @abstractmethod
    def close(self) -> None:
        """Let the kernel go; nothing of it is left behind. May be called twice."""

    def _note(self, scenario_json: bytes) -> None:
        """Write a scenario to the journal; to be done before it is sent."""
        try:
            if self.journal is None:
                self.journal = Journal()
            self.journal.note(scenario_json)
        except OSError as error:
            raise UsageError(
                f"the scenario under way cannot be kept in the folder for temporary files: "
                f"{error.strerror}; make room there, or set TMPDIR to another folder"
            ) from None

    def _forget(self) -> None:
        """Remove the journal: nothing is under way any more."""
        journal, self.journal = self.journal, None
        if journal is not None:
            journal.close()

    def __enter__(self: A) -> A:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def same_description(known: KernelDescription | None, told: KernelDescription) -> KernelDescription:
    """Return what a kernel says of itself now, if it is what it has said before.

    Raises:
        ProtocolError: it says something else; names the fields.
    """
    if known is None or known == told:
        return told
    changed = [x for x in told.__struct_fields__ if getattr(known, x) != getattr(told, x)]
    shown = ", ".join(
        f"{x} was {getattr(known, x)!a:.80} and is now {getattr(told, x)!a:.80}" for x in changed
    )
    raise ProtocolError(
        f"the kernel changed its description: {shown}. It must stay the same for the whole run, "
        "restarts included: what is judged depends on it"
    )
