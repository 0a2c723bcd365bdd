"""What is wrong with a shown payload, in words; shared by the contracts on what must survive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..vocabulary.json_values import Difference
from ..vocabulary.text import shorten, told_apart
from ..vocabulary.trace_view import TraceView
from ..vocabulary.verdict import Compared, Finding, Violation
from .pairs import Shown, verbatim_pairs


class Spoiled(NamedTuple):
    """A payload that says something else than the data.

    Attributes:
        kind: the kind of difference.
        expected: what the data says, for people.
        got: what the payload says, for people.
    """

    kind: str
    expected: str
    got: str


def spoiled(
    shown: Shown, concerns: Callable[[Difference], bool] = lambda _: True
) -> Spoiled | None:
    """Return what is wrong with a payload; ``None`` when it is the data, whole or cut.

    Where lines are missing or too many, a line that shows other data may belong to another
    call: then nothing can be told.

    Args:
        shown: the payload.
        concerns: which differences count.
    """
    payload = shown.payload
    if payload.intact or payload.cut or shown.prompt.missing or shown.prompt.extra:
        return None
    first = next((each for each in payload.differences if concerns(each)), None)
    if first is not None:
        expected, got = told_apart(first.expected, first.got)
        return Spoiled(first.kind, f"{first.where} is {expected}", f"{first.where} is {got}")
    if payload.differences:
        return None
    return Spoiled("no longer JSON", shorten(shown.given.data), shorten(payload.text))


def kept(
    classes: Callable[[Shown], Iterable[str]],
    concerns: Callable[[Difference], bool] = lambda _: True,
    pairs: Callable[[TraceView], list[Shown]] = verbatim_pairs,
) -> Callable[[TraceView], Iterator[Finding]]:
    """Return the judge that finds payloads which say something else than the data.

    Args:
        classes: the input classes of a payload; those of no class are left alone.
        concerns: which differences count.
        pairs: the payloads of a trace; those of turns that may exceed a cap are left alone.
    """

    def judge(view: TraceView) -> Iterator[Finding]:
        for shown in pairs(view):
            names = tuple(sorted(set(classes(shown)))) if shown.fits else ()
            if not names:
                continue
            yield Compared(names)
            found = spoiled(shown, concerns)
            if found is not None:
                yield changed(shown, found)

    return judge


def changed(shown: Shown, found: Spoiled) -> Violation:
    """Return the violation for a spoiled payload."""
    call = shown.given.call
    return Violation(
        kind=found.kind,
        step=shown.prompt.step.index,
        expected=f"the data of {call.app}.{call.function}: {found.expected}",
        got=f"in its FACTS line: {found.got}",
    )
