"""Answers that are searched for once, and kept for as long as what they are about is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from itertools import count
from typing import Any, Concatenate, ParamSpec, TypeVar

Subject = TypeVar("Subject")
Rest = ParamSpec("Rest")
Answer = TypeVar("Answer")
Asked = Callable[Concatenate[Subject, Rest], Answer]

_UNTOLD = object()
_NUMBERS = count()


def remembered(compute: Asked[Subject, Rest, Answer]) -> Asked[Subject, Rest, Answer]:
    """Let a function search once for the same arguments.

    The first of them, which the answers are about, holds them: when it goes, so do they.
    """
    return _remembering(compute, _UNTOLD)


def remembered_in_circles(
    meanwhile: Any,
) -> Callable[[Asked[Subject, Rest, Answer]], Asked[Subject, Rest, Answer]]:
    """Do so for a function whose search may ask it the same again: ``meanwhile`` it says that."""
    return partial(_remembering, meanwhile=meanwhile)


def _remembering(
    compute: Asked[Subject, Rest, Answer], meanwhile: Any
) -> Asked[Subject, Rest, Answer]:
    place = f"_answers_{next(_NUMBERS)}"

    @wraps(compute)
    def answer(subject: Subject, *rest: Rest.args, **named: Rest.kwargs) -> Answer:
        key = (*rest, *named.items()) if named else rest
        known: dict[tuple[object, ...], Answer] | None = getattr(subject, place, None)
        if known is None:
            known = {}
            setattr(subject, place, known)
        elif key in known:
            return known[key]
        if meanwhile is not _UNTOLD:
            known[key] = meanwhile
        try:
            found = known[key] = compute(subject, *rest, **named)
        except BaseException:  # what was said meanwhile is no answer
            known.pop(key, None)
            raise
        return found

    return answer
