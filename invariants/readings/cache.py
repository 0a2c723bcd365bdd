"""Cache operations of a trace as attempts: a set, and every get that answers for it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..vocabulary.json_values import equal, is_object, parse, whole_numbers_kept
from ..vocabulary.scenario import (
    Advance,
    CacheDelete,
    CacheGet,
    CacheSet,
    DisableExtension,
    HandlerKind,
)
from ..vocabulary.trace import CacheOutcome
from ..vocabulary.trace_view import StepView, TraceView

PROMPT = 1.0
"""Seconds after a set within which no entry can have expired."""

Scope = tuple[str, str, str]
"""User, extension and kind of handler."""


class Lookup(NamedTuple):
    """A get of the key that was set.

    Attributes:
        step: its step.
        handler: the kind of handler that made it.
        elapsed: seconds since the set.
        outcome: what it came to.
        at_once: whether nothing but gets of the key came between the set and this one.
    """

    step: int
    handler: HandlerKind
    elapsed: float
    outcome: CacheOutcome
    at_once: bool


@dataclass
class Attempt:
    """One ``cache_set`` with the gets of its key until something else touches the key.

    Attributes:
        step: index of the step.
        given: what was set.
        outcome: what the set came to, or ``None`` if the kernel did not say.
        recorded: whether it was recorded elsewhere, not driven by the suite.
        lookups: the gets that followed, in order.
        value: the value that was set; it must not be changed.
        characters: size of the value as compact JSON, in code points.
        compact_bytes: the same in UTF-8, the smallest reading of the size in bytes.
        escaped_bytes: with every non-ASCII character escaped, the largest reading.
    """

    step: int
    given: CacheSet
    outcome: CacheOutcome | None
    recorded: bool = False
    lookups: list[Lookup] = field(default_factory=list[Lookup])
    value: Any = field(init=False)
    characters: int = field(init=False)
    compact_bytes: int = field(init=False)
    escaped_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        measured = _measured(self.given.value_json)
        self.value, self.characters, self.compact_bytes, self.escaped_bytes = measured

    @property
    def scope(self) -> Scope:
        """The user, the extension and the kind of handler that made the attempt."""
        return (self.given.user, self.given.app, self.given.handler)

    @property
    def ascii_only(self) -> bool:
        """Whether the value is equally large with and without escapes."""
        return self.compact_bytes == self.escaped_bytes

    @property
    def prompt(self) -> list[Lookup]:
        """The gets that came before anything can have expired."""
        return [lookup for lookup in self.lookups if lookup.elapsed <= PROMPT]

    @property
    def reread(self) -> list[Lookup]:
        """The prompt gets by the same kind of handler; that others share is another promise."""
        return [lookup for lookup in self.prompt if self.is_own(lookup)]

    @property
    def at_once(self) -> list[Lookup]:
        """Those of them before which nothing happened that might have touched the value."""
        return [lookup for lookup in self.reread if lookup.at_once]

    def is_own(self, lookup: Lookup) -> bool:
        """Whether the kind of handler that set the value got it."""
        return lookup.handler == self.given.handler

    def returned(self, lookup: Lookup) -> bool | None:
        """Whether the get gave back the value that was set; ``None`` if it cannot be told."""
        if lookup.outcome.outcome in ("miss", "refused"):
            return False
        if lookup.outcome.outcome != "hit":
            return None
        if lookup.outcome.value_json == self.given.value_json:
            return True
        got = read_json(lookup.outcome.value_json)
        return None if got is UNREADABLE else equal(self.value, got)

    def returned_whole_numbers(self, lookup: Lookup) -> bool:
        """Whether each whole number of the value came back as one, where the value came back."""
        return whole_numbers_kept(self.value, read_json(lookup.outcome.value_json))


class _Unreadable:
    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


UNREADABLE = _Unreadable()
"""Stands for text that cannot be read as JSON; equal to nothing, not to itself either."""


def read_json(text: str | None) -> Any:
    """Parse a value of the trace, or return ``UNREADABLE``."""
    if text is None:
        return UNREADABLE
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return UNREADABLE


def equal_but_marks(value: Any, got: Any) -> bool:
    """Whether a kernel gave a value, whatever it keeps beside the value's own fields.

    Such as ``_updated_at``: what else begins with an underscore is the kernel's.
    """
    if not (is_object(value) and is_object(got)):
        return equal(value, got)
    own = {key: item for key, item in got.items() if key in value or not key.startswith("_")}
    return equal(value, own)


def _measured(text: str) -> tuple[Any, int, int, int]:
    """A value, and its size in characters, in bytes, in bytes when it is escaped."""
    value = read_json(text)
    if value is UNREADABLE:
        return value, 0, 0, 0
    compact = _compact(value)
    escaped = len(compact) if compact.isascii() else len(json.dumps(value, separators=_COMPACT))
    return value, len(compact), _utf8_bytes(compact), escaped


def attempts(view: TraceView) -> list[Attempt]:
    """Return the attempts of a trace, in order. Use it as ``view.reading(attempts)``."""
    reader = _Reader(recorded=view.trace.origin == "recording")
    for step in view.steps:
        if step.index >= view.trace.complete_from:
            reader.read(step)
    return reader.found


_COMPACT = (",", ":")


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=_COMPACT)


def _utf8_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class _Reader:
    """Walks the steps, with a clock that is the suite's own wherever the suite drove it."""

    def __init__(self, *, recorded: bool) -> None:
        self.found: list[Attempt] = []
        self._recorded = recorded
        self._advanced = 0.0
        self._open: dict[tuple[str, str, str], tuple[Attempt, float | None]] = {}
        self._untouched: Attempt | None = None

    def read(self, step: StepView) -> None:
        given = step.stimulus
        if not isinstance(given, CacheGet):
            self._untouched = None
        if isinstance(given, Advance):
            self._advanced += given.seconds
        elif isinstance(given, CacheSet):
            attempt = Attempt(step.index, given, step.first(CacheOutcome), self._recorded)
            self.found.append(attempt)
            self._open[given.user, given.app, given.key] = (attempt, self._now(step))
            self._untouched = attempt
        elif isinstance(given, CacheGet):
            self._look_up(step, given)
        elif isinstance(given, CacheDelete):
            self._open.pop((given.user, given.app, given.key), None)
        elif isinstance(given, DisableExtension):
            for entry in [key for key in self._open if key[:2] == (given.user, given.app)]:
                del self._open[entry]

    def _look_up(self, step: StepView, given: CacheGet) -> None:
        attempt, since = self._open.get((given.user, given.app, given.key), (None, None))
        outcome, now = step.first(CacheOutcome), self._now(step)
        if attempt is not self._untouched:
            self._untouched = None
        if attempt is not None and outcome is not None and since is not None and now is not None:
            at_once = attempt is self._untouched
            attempt.lookups.append(Lookup(step.index, given.handler, now - since, outcome, at_once))

    def _now(self, step: StepView) -> float | None:
        if not self._recorded:
            return self._advanced
        outcome = step.first(CacheOutcome)
        return None if outcome is None else outcome.at
