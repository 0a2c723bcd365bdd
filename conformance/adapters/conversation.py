"""The conversation with a kernel outside: requests, answers, what goes wrong, starting again."""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod
from collections.abc import Generator
from typing import Protocol

from ...invariants.vocabulary import codec
from ...invariants.vocabulary.errors import (
    FedcheckError,
    KernelCrashed,
    KernelError,
    KernelTimeout,
    KernelUnreachable,
    ProtocolError,
)
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import AnyEvent, KernelDescription
from . import wire
from .base import Adapter, same_description
from .decoding import description_from

MAX_ANSWER_BYTES = 4 * wire.MAX_LINE_BYTES
"""Most that a kernel may send in reply to one request, streamed events included."""

_FORGIVEN_PER_SUCCESS = 0.1


class Link(Protocol):
    """What carries requests to a kernel and lines back; deadlines are ``time.monotonic()``."""

    @property
    def unsent(self) -> int:
        """Number of bytes of the request that the kernel has not taken in yet."""
        ...

    @property
    def unread(self) -> bytes:
        """What has arrived beyond the lines that were read."""
        ...

    @property
    def stderr_tail(self) -> str:
        """The last text that the kernel wrote to stderr, where there is one."""
        ...

    def send(self, data: bytes, deadline: float) -> None:
        """Hand over a request."""
        ...

    def read_line(self, deadline: float) -> bytes:
        """Return the next line of the answer.

        Raises:
            TimeoutError: no whole line arrived before the deadline.
            EOFError: nothing more will come; ``unread`` has the rest.
            BufferError: the line is longer than ``wire.MAX_LINE_BYTES``.
        """
        ...

    def rest(self, deadline: float) -> bytes:
        """Return what came behind the answer; nothing should."""
        ...

    def close(self) -> int | None:
        """End the link; return the exit status of a process that had ended by itself."""
        ...


class Conversation(Adapter):
    """Speaks the protocol over a link, which is opened when it is first needed.

    A failure (crash, no answer in time, forbidden answer) closes the link, and the next
    scenario opens a new one; an error object in answer to ``run`` does not. Ten answers make
    up for one failure; a kernel with more failures than ``restarts`` to its name is given up.

    Args:
        reference: the string that names the kernel.
        timeout: seconds that each call may take; opening the link belongs to the first
            ``describe``.
        restarts: how often the link may be opened again after a failure.
    """

    _ends = "the process ended"
    _again = "restarts"

    def __init__(self, reference: str, *, timeout: float, restarts: int = 20) -> None:
        self.reference = reference
        self.timeout = timeout
        self.restarts = restarts
        self._description: KernelDescription | None = None
        self._number = 0
        self._failures = 0.0
        self._last_failure = ""

    @property
    @abstractmethod
    def _link(self) -> Link | None:
        """The open link; ``None`` while there is none."""

    @abstractmethod
    def _opened(self) -> Link:
        """Open a link.

        Raises:
            KernelReferenceError: the reference makes no sense.
            KernelUnreachable: there is nobody.
        """

    @abstractmethod
    def _closed(self) -> int | None:
        """Close the link and forget it; return the exit status of a process, as a link does."""

    def describe(self) -> KernelDescription:
        """Return what the kernel said of itself, twice in a row and the same each time."""
        return self._description or self._begun()[1]

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Send the scenario; return the events of the answer.

        Raises:
            KernelError: the kernel failed, was too slow or broke the protocol; of the kind that
                says which.
        """
        link = self._link or self._begun()[0]
        scenario_json = codec.to_json(scenario)
        self._note(scenario_json.encode("ascii"))
        what = f"scenario {scenario.id!a}"
        with self._watched(link, what) as streamed:
            outcome = self._call(link, "run", f'{{"scenario":{scenario_json}}}', streamed)
            events = () if isinstance(outcome, wire.RpcError) else wire.events_from(outcome)
            if len(events) < len(streamed) and not isinstance(outcome, wire.RpcError):
                raise ProtocolError(
                    f"the result holds {len(events)} events, but {len(streamed)} were sent as "
                    "notifications. The result must repeat them: it holds all events"
                )
        if isinstance(outcome, wire.RpcError):
            raise self._refusal(outcome, what, streamed)
        self._failures = max(0.0, self._failures - _FORGIVEN_PER_SUCCESS)
        return events

    def close(self) -> None:
        """Close the link, and end all that was started for it."""
        self._closed()
        self._forget()

    def _begun(self) -> tuple[Link, KernelDescription]:
        """Open the link and ask the kernel who it is: twice, the first time of all."""
        if self._failures > self.restarts:
            raise KernelUnreachable(
                f"{self.reference}: given up after {self.restarts} {self._again}; the last "
                f"failure was: {self._last_failure}"
            )
        self._closed()
        link, first = self._opened(), self._description is None
        description = self._described(link)
        return link, self._described(link) if first else description

    def _described(self, link: Link) -> KernelDescription:
        with self._watched(link, "describe") as streamed:
            answer = self._call(link, "describe", "{}", streamed)
            if not isinstance(answer, wire.RpcError):
                told = description_from(answer, "result of describe")
                self._description = same_description(self._description, told)
                return told
        refusal = self._refusal(answer, "describe", streamed)
        self._closed()
        self._failures += 1
        raise refusal

    def _call(
        self, link: Link, method: str, params_json: str, streamed: list[object]
    ) -> object | wire.RpcError:
        """Send a request; return its result or its error, and collect notifications."""
        self._number += 1
        deadline = time.monotonic() + self.timeout
        link.send(wire.request_line(self._number, method, params_json), deadline)
        received = 0
        while True:
            line = link.read_line(deadline)
            received += len(line)
            if received > MAX_ANSWER_BYTES:
                raise ProtocolError(f"more than {MAX_ANSWER_BYTES:,} bytes. Send less per scenario")
            message = wire.message_from(line)
            if isinstance(message, wire.Answer):
                outcome = wire.outcome_of(message, self._number, line)
                if rest := link.rest(deadline):
                    raise ProtocolError(
                        f"after the answer came {wire.excerpt(rest)}. "
                        "Answer each request once, and send nothing after the answer"
                    )
                return outcome
            streamed.append(message.params)
            wire.check_count(len(streamed))

    @contextlib.contextmanager
    def _watched(self, link: Link, what: str) -> Generator[list[object], None, None]:
        """Turn what goes wrong in a call into our errors, and close the link then."""
        streamed: list[object] = []
        try:
            yield streamed
        except TimeoutError:
            raise self._lost(link, KernelTimeout, what, self._silence(link), streamed) from None
        except EOFError:
            raise self._ended(link, what, streamed) from None
        except BufferError:
            reason = f"a line of more than {wire.MAX_LINE_BYTES:,} bytes. Send less per scenario"
            raise self._lost(link, ProtocolError, what, reason, streamed) from None
        except ProtocolError as error:
            raise self._lost(link, ProtocolError, what, str(error), streamed) from None
        except OSError as error:
            reason = self._unreached(error)
            raise self._lost(link, KernelUnreachable, what, reason, streamed) from None
        except BaseException:
            self._closed()  # nobody knows where in the conversation we are
            raise

    def _silence(self, link: Link) -> str:
        so_far = f", only {wire.excerpt(link.unread)}" if link.unread else ""
        unread = f", and did not read {link.unsent:,} bytes of it" if link.unsent else ""
        return (
            f"no answer within {self.timeout:g} s{so_far}{unread}; find out where it hangs, "
            "or allow more with --timeout"
        )

    def _ended(self, link: Link, what: str, streamed: list[object]) -> KernelError:
        if link.unread:
            reason = f"half a line, then the end of output: {wire.excerpt(link.unread)}"
            return self._lost(
                link, ProtocolError, what, f"{reason}. End each message with a line feed", streamed
            )
        when = "before it had read the request" if link.unsent else "instead of answering"
        return self._lost(link, KernelCrashed, what, f"{self._ends} {when}", streamed)

    def _lost(
        self, link: Link, kind: type[KernelError], what: str, reason: str, streamed: list[object]
    ) -> KernelError:
        """Close the link, count the failure, and return the error that tells of it."""
        status = self._closed()
        if what == "describe" and kind is not ProtocolError:
            kind = KernelUnreachable
        advice = "; its last words on stderr may tell why" if link.stderr_tail else ""
        self._last_failure = f"{what}: {self._told(kind, reason, status)}"
        self._failures += 1
        return kind(
            f"{self.reference}: {self._last_failure}{advice}",
            stderr_tail=link.stderr_tail,
            exit_status=status,
            events=tuple(streamed),
        )

    def _told(self, kind: type[KernelError], reason: str, status: int | None) -> str:  # noqa: ARG002
        """Return the reason with what else is known of the end."""
        return reason

    def _unreached(self, error: OSError) -> str:
        """Return why a link could not be used at all."""
        return str(error)

    def _refusal(self, error: wire.RpcError, what: str, streamed: list[object]) -> FedcheckError:
        """Return the error that stands for an error object; hosted kernels know more."""
        return ProtocolError(
            f"{self.reference}: {what}: the kernel answered error {error.code}: "
            f"{wire.excerpt(error.message)}",
            stderr_tail=self._link.stderr_tail if self._link else "",
            events=tuple(streamed),
        )
