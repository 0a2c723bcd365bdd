"""One step of a hosted kernel: call its method, type its events, catch its exceptions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import cast

import msgspec

from ...invariants.vocabulary.errors import ProtocolError
from ...invariants.vocabulary.scenario import AnyStep
from ...invariants.vocabulary.trace import AnyEvent, Event, StepFailed
from .decoding import event_from

_KEPT_AS_THEY_ARE = (bytes, bytearray, memoryview)
"""Types that msgspec would quietly turn into base64 text; kept, they fail as they should."""


def take(kernel: object, index: int, step: AnyStep) -> list[AnyEvent]:
    """Take one step; return its events, with step, user and session filled in.

    What the kernel raises becomes a ``step_failed`` event after those it had given.

    Raises:
        ProtocolError: the kernel gave something that is no event; names step and field.
    """
    tag = str(step.__struct_config__.tag)
    method = getattr(kernel, tag, None)
    if method is None:
        return [failed(index, step, f"the kernel does not support {tag!r}: it has no such method")]
    return _told(lambda: method(step), index, step)


def take_together(kernel: object, steps: Sequence[tuple[int, AnyStep]]) -> list[AnyEvent]:
    """Take turns that overlap, by its method ``turns_together``; see ``take``.

    It is given the steps in a list, and answers with what ``turn`` would answer for each of them.
    """
    method = getattr(kernel, "turns_together", None)
    if method is None:
        message = "the kernel takes no turns at the same time: it has no method 'turns_together'"
        return [failed(index, step, message) for index, step in steps]
    try:
        answers = list(listed(method([step for _, step in steps]), "turns_together"))
    except (KeyboardInterrupt, ProtocolError):
        raise
    except BaseException as error:  # noqa: BLE001 - as in _told
        return [failed(index, step, raised(error)) for index, step in steps]
    if len(answers) != len(steps):
        raise ProtocolError(
            f"turns_together: expected what each of the {len(steps)} turns did, in order, "
            f"got {len(answers)} answers"
        )
    events: list[AnyEvent] = []
    for (index, step), answer in zip(steps, answers, strict=True):
        events += _told(lambda answer=answer: answer, index, step)
    return events


def _told(ask: Callable[[], object], index: int, step: AnyStep) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    where = f"step {index} ({step.__struct_config__.tag})"
    try:
        for number, given in enumerate(listed(ask(), where)):
            plain = _filled(plain_event(given, f"{where}, event {number}"), index, step)
            events.append(event_from(plain, f"{where}, event {number}"))
    except ProtocolError as error:
        error.events = as_objects(events)
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - also SystemExit, a cancelled task …
        events.append(failed(index, step, raised(error)))
    return events


def failed(index: int, step: AnyStep, message: str) -> StepFailed:
    """Return the event that says that the step could not be carried out."""
    return StepFailed(step=index, user=step.user, session=step.session, message=message)


def listed(answer: object, where: str) -> Iterable[object]:
    """Return what a method answered as something to iterate over.

    Raises:
        ProtocolError: it is neither an event, nor an iterable, nor ``None``.
    """
    if answer is None:
        return ()
    if isinstance(answer, (Event, dict)):
        return (cast("object", answer),)
    if isinstance(answer, Iterable) and not isinstance(answer, (str, bytes)):
        return cast("Iterable[object]", answer)
    raise ProtocolError(
        f"{where}: expected an event, an iterable of events or None, "
        f"got {type(answer).__name__}{_asynchronous(answer)}"
    )


def plain_event(given: object, where: str) -> object:
    """Return an event as plain values, so that its fields can be checked.

    Raises:
        ProtocolError: a field holds an object that no document can carry.
    """
    if not isinstance(given, (Event, dict)):
        return given
    try:
        return as_builtins(cast("object", given))
    except (TypeError, ValueError, RecursionError) as error:
        kind = type(cast("object", given)).__name__
        raise ProtocolError(f"{where} ({kind}): {error}") from None


def as_builtins(given: object) -> object:
    """Return a value as built-in types; a subclass of one is taken for what it is.

    Raises:
        TypeError: it holds an object of another type.
        ValueError: it holds something that cannot be read, such as itself.
        RecursionError: it is nested too deeply.
    """
    return msgspec.to_builtins(given, builtin_types=_KEPT_AS_THEY_ARE, enc_hook=_as_its_base)


def _as_its_base(value: object) -> object:
    """Not by ``str()`` and ``int()``, which a subclass may have made something else."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__pos__(value)
    if isinstance(value, float):
        return float.__pos__(value)
    raise TypeError(f"Encoding objects of type {type(value).__name__} is unsupported")


def as_objects(events: Iterable[AnyEvent]) -> tuple[object, ...]:
    """Return events as plain values, as errors carry them."""
    return tuple(msgspec.to_builtins(event) for event in events)


def raised(error: BaseException) -> str:
    """Return an exception as type and message."""
    return f"{type(error).__name__}: {error}"


def _filled(plain: object, index: int, step: AnyStep) -> object:
    if isinstance(plain, dict):
        event = cast("dict[str, object]", plain)
        if event.get("step", -1) == -1:
            event["step"] = index
        event["user"] = event.get("user") or step.user
        event["session"] = event.get("session") or step.session
    return cast("object", plain)


def _asynchronous(answer: object) -> str:
    if inspect.iscoroutine(answer):
        answer.close()
    elif not inspect.isasyncgen(answer):
        return ""
    return "; methods are called without an event loop: use asyncio.run inside"
