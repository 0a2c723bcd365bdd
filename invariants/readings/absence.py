"""Marks that a prompt must not show: shared by the clauses that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from ..vocabulary.trace_view import TraceView
from ..vocabulary.verdict import Compared, Finding, Violation
from .marks import MarkedTurn, Plant, Where, read_marks


class Secret(NamedTuple):
    """What a prompt must not show.

    Attributes:
        where: the kind of place in which it was planted.
        name: the place as people call it, e.g. ``a cached value``.
        classes: returns the input classes of a plant, as a turn meets it.
    """

    where: Where
    name: str
    classes: Callable[[Plant, MarkedTurn], Iterable[str]]


def unseen(
    view: TraceView, secret: Secret, reader: Literal["classifier", "narrator"] = "classifier"
) -> Iterator[Finding]:
    """Judge that a reader's prompts show nothing of what was planted before their turn.

    Only marks count that stand nowhere else, and only prompts that show something of the
    turn's own, which they have to.

    Args:
        view: the trace.
        secret: what must not be shown.
        reader: whose prompts.
    """
    marks = view.reading(read_marks)
    for turn in marks.turns:
        planted = [p for p in marks.before(turn, secret.where) if marks.only(p)]
        shown = _shown(turn, reader) if planted else None
        if shown is None:
            continue
        proven = [p for p in planted if p.proven]
        if shown & turn.own and proven:
            yield Compared(tuple({name for p in proven for name in secret.classes(p, turn)}))
        leak = next((p for p in planted if p.mark in shown), None)
        if leak is not None:
            yield Violation(
                kind=f"{secret.name} in the {reader}'s prompt",
                step=turn.step.index,
                expected=f"a prompt without {secret.name}",
                got=f"{leak.mark!r}, which stands only in {secret.name} (step {leak.step.index})",
            )


def _shown(turn: MarkedTurn, reader: Literal["classifier", "narrator"]) -> frozenset[str] | None:
    if reader == "narrator":
        return turn.narrator
    return frozenset[str]().union(*turn.classifier) if turn.classifier else None


def whose(plant: Plant, turn: MarkedTurn) -> str:
    """Return whose a plant is, as the turn meets it."""
    return "of the same user" if plant.step.user == turn.step.user else "of another user"
