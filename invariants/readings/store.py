"""Documents that handlers keep, and what handlers read back.

The documents name a store that lasts, and no method of it. A read counts only where handlers of
its kind are seen to read well: at least once in the trace one got back what its user and
extension keep under the key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..vocabulary.json_values import is_list
from ..vocabulary.scenario import Advance, Probe, StoreSet, Turn
from ..vocabulary.trace import ProbeOutcome, StoreOutcome
from ..vocabulary.trace_view import StepView, TraceView
from .cache import UNREADABLE, equal_but_marks, read_json
from .sharing import joined_with

READ_PATH = "store.get"

_SOON = 60.0
"""Seconds that pass in a recording without a wait: there time never stands still."""

Owner = tuple[str, str]
"""User and extension."""


class Document(NamedTuple):
    """A document that the kernel accepted."""

    step: StepView
    given: StoreSet
    value: Any

    @property
    def owner(self) -> Owner:
        """Whose it is."""
        return (self.step.user, self.given.app)


class Read(NamedTuple):
    """A read of a key.

    Attributes:
        step: its step.
        probe: what was asked.
        key: of which key.
        got: the value that it gave, ``UNREADABLE`` if none.
        outcome: what came of it.
        kept: what its owner keeps under the key, the newest last.
        foreign: what others keep there, or under a key that runs together with their names.
        waited: seconds since the newest of its own.
        turns: chat turns since then.
        others: other documents that its owner has kept since then.
    """

    step: StepView
    probe: Probe
    key: str
    got: Any
    outcome: ProbeOutcome
    kept: tuple[Document, ...]
    foreign: tuple[Document, ...]
    waited: float
    turns: int
    others: int

    @property
    def owner(self) -> Owner:
        """Who reads."""
        return (self.step.user, self.probe.app)

    @property
    def right(self) -> bool:
        """Whether it gave what its owner kept last."""
        return bool(self.kept) and self.shows(self.kept[-1])

    def shows(self, document: Document) -> bool:
        """Whether it gave this document, whatever the kernel keeps beside its fields."""
        if self.got is UNREADABLE:
            return False
        return equal_but_marks(document.value, self.got)

    @property
    def foreign_shown(self) -> bool:
        """Whether it gave somebody else's document."""
        return any(self.shows(document) for document in self.foreign)


@dataclass
class _Walk:
    recorded: bool = False
    documents: list[Document] = field(default_factory=list[Document])
    reads: list[Read] = field(default_factory=list[Read])
    moves: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    turns: list[int] = field(default_factory=list[int])

    def take(self, step: StepView) -> None:
        given = step.stimulus
        if isinstance(given, StoreSet):
            outcome = step.first(StoreOutcome)
            if outcome is not None and outcome.outcome == "accepted":
                self.documents.append(Document(step, given, read_json(given.value_json)))
        elif isinstance(given, Advance):
            self.moves.append((step.index, given.seconds))
        elif isinstance(given, Turn):
            self.turns.append(step.index)
        elif isinstance(given, Probe) and (given.op, given.path) == ("call", READ_PATH):
            self._read(step, given)

    def _read(self, step: StepView, probe: Probe) -> None:
        outcome, key = step.first(ProbeOutcome), first_argument(probe)
        if outcome is None or outcome.outcome == "error" or key is None:
            return
        if self.recorded and _has_default(probe):
            return
        owner = (step.user, probe.app)
        mine = [each for each in self.documents if each.owner == owner]
        kept = tuple(each for each in mine if each.given.key == key)
        newest = kept[-1].step if kept else step
        since = newest.index
        self.reads.append(
            Read(
                step=step,
                probe=probe,
                key=key,
                got=read_json(outcome.value_json) if outcome.outcome == "value" else UNREADABLE,
                outcome=outcome,
                kept=kept,
                foreign=tuple(
                    d
                    for d in self.documents
                    if _is_foreign(d, owner, key) and (d.value or not self.recorded)
                ),
                waited=self._waited(newest, step),
                turns=sum(index > since for index in self.turns),
                others=sum(each.step.index > since for each in mine),
            )
        )

    def _waited(self, newest: StepView, step: StepView) -> float:
        """Seconds since a document was kept: in a recording nobody moves the clock."""
        if self.recorded and newest.at is not None and step.at is not None:
            passed = step.at - newest.at
            return passed if passed >= _SOON else 0.0
        return sum(seconds for index, seconds in self.moves if index > newest.index)


def _has_default(probe: Probe) -> bool:
    """Whether a handler said what it wants where nothing is kept."""
    arguments = read_json(probe.args_json)
    return not is_list(arguments) or len(arguments) > 1


def first_argument(probe: Probe) -> str | None:
    """Return the text with which a handler called, if it called with one."""
    match read_json(probe.args_json):
        case [str(key), *_]:
            return key
        case _:
            return None


def _is_foreign(document: Document, owner: Owner, key: str) -> bool:
    if document.owner == owner:
        return False
    its_key = document.given.key
    return its_key == key or bool(joined_with(owner, key, document.owner, its_key))


def read_store(view: TraceView) -> list[Read]:
    """Return the reads in kinds of handler that read well. Use it through ``view.reading``.

    In a recording, whatever a store may give for nothing is no document of somebody else.
    """
    if view.trace.complete_from > 0:
        return []
    walk = _Walk(view.trace.origin == "recording")
    for step in view.steps:
        walk.take(step)
    able = {read.probe.handler for read in walk.reads if read.right}
    return [read for read in walk.reads if read.probe.handler in able]


def told(read: Read) -> str:
    """Return what came of a read, for people."""
    error = read.outcome.error
    if read.outcome.outcome == "raised":
        return f"it raised {error.name if error else 'an error'}"
    return read.outcome.value_json or "nothing"
