"""A kernel in a process of its own, spoken to in JSON-RPC over its stdin and stdout."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Generator, Sequence

from ...invariants import codec
from ...invariants.errors import (
    FedcheckError,
    KernelCrashed,
    KernelError,
    KernelReferenceError,
    KernelTimeout,
    KernelUnreachable,
    ProtocolError,
)
from ...invariants.scenario import Scenario
from ...invariants.trace import AnyEvent, KernelDescription
from . import wire
from .base import Adapter
from .child import MAX_LINE_BYTES, Child
from .decoding import description_from

MAX_ANSWER_BYTES = 4 * MAX_LINE_BYTES
"""Most that a kernel may send in reply to one request, streamed events included."""

_FORGIVEN_PER_SUCCESS = 0.1


class ProcessAdapter(Adapter):
    """Starts a kernel when it is first needed and again after it failed.

    A failure (crash, no answer in time, forbidden answer) ends the process and all that it
    started; an error object in answer to ``run`` does not. Ten answers make up for one
    failure; a kernel with more failures than ``restarts`` to its name is given up.

    Args:
        reference: the string that names the kernel.
        command: program and arguments.
        timeout: seconds that each call may take; starting the process and its first
            ``describe`` are a call of their own.
        restarts: how often the process may be started again.
    """

    def __init__(
        self, reference: str, command: Sequence[str], *, timeout: float = 10.0, restarts: int = 20
    ) -> None:
        self.reference = reference
        self.timeout = timeout
        self.restarts = restarts
        self._command = command
        self._child: Child | None = None
        self._description: KernelDescription | None = None
        self._number = 0
        self._failures = 0.0
        self._last_failure = ""

    @property
    def pid(self) -> int | None:
        """Id of the running process and of its group; ``None`` while there is none."""
        return self._child.pid if self._child else None

    def describe(self) -> KernelDescription:
        """Return what the kernel said of itself when it was first started."""
        return self._description or self._started()[1]

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        """Send the scenario; return the events of the answer."""
        child = self._child or self._started()[0]
        scenario_json = codec.to_json(scenario)
        self._note(scenario_json)
        what = f"scenario {scenario.id!r}"
        with self._watched(child, what) as streamed:
            outcome = self._call(child, "run", f'{{"scenario":{scenario_json}}}', streamed)
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
        """End the process and all that it started."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _started(self) -> tuple[Child, KernelDescription]:
        if self._failures > self.restarts:
            raise KernelUnreachable(
                f"{self.reference}: given up after {self.restarts} restarts; the last failure "
                f"was: {self._last_failure}"
            )
        self.close()
        child = self._child = self._spawned()
        with self._watched(child, "describe") as streamed:
            answer = self._call(child, "describe", "{}", streamed)
            if not isinstance(answer, wire.RpcError):
                description = description_from(answer, "result of describe")
                self._description = self._description or description
                return child, self._description
        self.close()
        self._failures += 1
        raise self._refusal(answer, "describe", streamed)

    def _command_line(self) -> Sequence[str]:
        """Return program and arguments, asked for at each start."""
        return self._command

    def _spawned(self) -> Child:
        try:
            return Child(self._command_line())
        except ValueError as error:
            raise KernelReferenceError(f"{self.reference}: {error}") from None
        except FileNotFoundError:
            reason = "command not found; give a path or a name that is on PATH"
        except PermissionError:
            reason = "not executable; is it a program, and has it the x permission?"
        except OSError as error:
            reason = f"could not be started: {error.strerror}; is it a program for this machine?"
        raise KernelUnreachable(f"{self.reference}: {self._command[0]!r}: {reason}")

    def _call(
        self, child: Child, method: str, params_json: str, streamed: list[object]
    ) -> object | wire.RpcError:
        """Send a request; return its result or its error, and collect notifications."""
        self._number += 1
        deadline = time.monotonic() + self.timeout
        child.send(wire.request_line(self._number, method, params_json))
        received = 0
        while True:
            line = child.read_line(deadline)
            received += len(line)
            if received > MAX_ANSWER_BYTES:
                raise ProtocolError(f"more than {MAX_ANSWER_BYTES:,} bytes. Send less per scenario")
            message = wire.message_from(line)
            if isinstance(message, wire.Answer):
                outcome = wire.outcome_of(message, self._number, line)
                if child.unread:
                    raise ProtocolError(
                        f"after the answer came {wire.excerpt(child.unread)}. "
                        "Answer each request once, and send nothing after the answer"
                    )
                return outcome
            streamed.append(message.params)

    @contextlib.contextmanager
    def _watched(self, child: Child, what: str) -> Generator[list[object], None, None]:
        """Turn what goes wrong in a call into our errors, and end the process then."""
        streamed: list[object] = []
        try:
            yield streamed
        except TimeoutError:
            unread = f", and did not read {child.unsent:,} bytes of it" if child.unsent else ""
            reason = (
                f"no answer within {self.timeout:g} s{unread}; find out where it hangs, "
                "or allow more with --timeout"
            )
            raise self._lost(child, KernelTimeout, what, reason, streamed) from None
        except EOFError:
            raise self._ended(child, what, streamed) from None
        except BufferError:
            reason = f"a line of more than {MAX_LINE_BYTES:,} bytes. Send less per scenario"
            raise self._lost(child, ProtocolError, what, reason, streamed) from None
        except ProtocolError as error:
            raise self._lost(child, ProtocolError, what, str(error), streamed) from None
        except BaseException:
            self.close()  # nobody knows where in the conversation we are
            raise

    def _ended(self, child: Child, what: str, streamed: list[object]) -> KernelError:
        if child.unread:
            reason = f"half a line, then the end of output: {wire.excerpt(child.unread)}"
            return self._lost(
                child, ProtocolError, what, f"{reason}. End each message with a line feed", streamed
            )
        when = "before it had read the request" if child.unsent else "instead of answering"
        reason = f"the process ended {when}"
        return self._lost(child, KernelCrashed, what, reason, streamed)

    def _lost(
        self, child: Child, kind: type[KernelError], what: str, reason: str, streamed: list[object]
    ) -> KernelError:
        """End the process, count the failure, and return the error that tells of it."""
        self._child = None
        status = child.close()
        if kind is KernelCrashed and status is None:
            reason += " (it closed its stdout and lived on)"
        if what == "describe" and kind is not ProtocolError:
            kind = KernelUnreachable
        ending = "" if status is None else f" ({_status_name(status)})"
        advice = "; its last words on stderr may tell why" if child.stderr_tail else ""
        self._last_failure = f"{what}: {reason}{ending}"
        self._failures += 1
        return kind(
            f"{self.reference}: {self._last_failure}{advice}",
            stderr_tail=child.stderr_tail,
            exit_status=status,
            events=tuple(streamed),
        )

    def _refusal(self, error: wire.RpcError, what: str, streamed: list[object]) -> FedcheckError:
        """Return the error that stands for an error object; hosted kernels know more."""
        return ProtocolError(
            f"{self.reference}: {what}: the kernel answered error {error.code}: "
            f"{wire.excerpt(error.message)}",
            events=tuple(streamed),
        )


def _status_name(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
