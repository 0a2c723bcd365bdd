"""Memoisation on the object asked about, and the time limit of a file."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from functools import partial, wraps
from itertools import count
from typing import Any, Concatenate, ParamSpec, TypeVar

from .blocks import leaves
from .module import Module, last_name

Subject = TypeVar("Subject")
Rest = ParamSpec("Rest")
Answer = TypeVar("Answer")
Asked = Callable[Concatenate[Subject, Rest], Answer]

_UNTOLD = object()
_NUMBERS = count()


def remembered(compute: Asked[Subject, Rest, Answer]) -> Asked[Subject, Rest, Answer]:
    """Memoise a function on its first argument, with whose life the cached results end."""
    return _remembering(compute, _UNTOLD)


def remembered_in_circles(
    meanwhile: Any,
) -> Callable[[Asked[Subject, Rest, Answer]], Asked[Subject, Rest, Answer]]:
    """Memoise a recursive function; a recursive call with equal arguments gets ``meanwhile``."""
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


class OutOfTime(Exception):
    """The time limit of the file is exceeded."""


class Clock:
    """The time limit of one file.

    Attributes:
        deadline: the end in seconds of ``time.monotonic``, for what waits for others; what
            computes is limited by CPU time, so that a busy machine changes nothing.
    """

    def __init__(self) -> None:
        self.deadline = float("inf")
        self._computed = float("inf")

    def start(self, seconds: float) -> None:
        """Begin a file.

        Args:
            seconds: of this thread's CPU time.
        """
        self.deadline = time.monotonic() + seconds
        self._computed = time.thread_time() + seconds

    def tick(self) -> None:
        """Check the limit.

        Raises:
            OutOfTime: This thread has computed for as long as it may.
        """
        # The clock is six times as quick to read as the thread's CPU time, and never behind it.
        if time.monotonic() > self.deadline and time.thread_time() > self._computed:
            raise OutOfTime


_STANDING_FOR = frozenset({"abstractmethod", "overload"})


def is_stub(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function without ``return`` is a stub, or always raises."""
    last = function.body[-1]
    if leaves(last, module.swallowing):
        return True
    text = last.value if isinstance(last, ast.Expr) else None
    if isinstance(text, ast.Constant) and text.value is ...:
        return True
    is_empty = isinstance(last, ast.Pass) or isinstance(text, ast.Constant)
    return is_empty and any(last_name(item) in _STANDING_FOR for item in function.decorator_list)
