"""Ranges of kernel versions, such as ``>=1.2, <2``.

Kernels number their releases as they please, so nothing more is taken for granted than that
numbers count upwards and that ``1.4.0-rc1`` comes before ``1.4.0``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from ...invariants.vocabulary.errors import UsageError

ANY = "*"

_Order = tuple[tuple[Any, ...], ...]
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_CONSTRAINT = re.compile(r"\s*(==|!=|>=|<=|>|<)\s*([^\s,<>=!]+)\s*")
_BEFORE_RELEASE, _RELEASE, _NUMBER = 0, 1, 2


def within(version: str, versions: str) -> bool:
    """Return whether a version lies in a range.

    A version that does not begin with a number has no order: it is in a range only where
    ``==`` names it, ``!=`` names others, or the range is ``*``.

    Args:
        version: of the kernel.
        versions: ``*``, or constraints separated by commas, all of which must hold.

    Raises:
        UsageError: the range cannot be read.
    """
    return all(_holds(version, *constraint) for constraint in constraints(versions))


def constraints(versions: str) -> list[tuple[str, str]]:
    """Return the constraints of a range as (comparison, version). Raises as ``within``."""
    if versions.strip() == ANY:
        return []
    found = [_CONSTRAINT.fullmatch(part) for part in versions.split(",")]
    if not all(found):
        raise UsageError(
            f"version range {versions!r} cannot be read; write {ANY!r}, or constraints such as "
            "'>=1.2, <2' (==, !=, >=, <=, > and <)"
        )
    return [(match[1], match[2]) for match in found if match]


def starting_from(version: str) -> str:
    """Return the range that begins with a version; of one without order, that version alone."""
    if not version or _CONSTRAINT.fullmatch(f"=={version}") is None:
        return ANY
    return f">={version}" if _order(version) is not None else f"=={version}"


def _holds(version: str, comparison: str, bound: str) -> bool:
    left, right = _order(version), _order(bound)
    if left is None or right is None:
        return comparison in {"==", "!="} and _COMPARISONS[comparison](version, bound)
    return _COMPARISONS[comparison](left, right)


def _order(version: str) -> _Order | None:
    """What versions are compared by; ``None`` if it does not begin with a number."""
    public = version.strip().removeprefix("v").partition("+")[0]
    words = re.findall(r"[0-9]+|[A-Za-z]+", public)
    if not public[:1].isdecimal():
        return None
    release = next((i for i, word in enumerate(words) if not word.isdecimal()), len(words))
    while release > 1 and int(words[release - 1]) == 0:
        words.pop(release - 1)
        release -= 1
    key: list[tuple[Any, ...]] = [
        (_NUMBER, int(word)) if word.isdecimal() else (_BEFORE_RELEASE, word) for word in words
    ]
    return (*key, (_RELEASE,))
