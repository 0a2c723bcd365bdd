"""What the data of calls are made of and what stands beside them, for aspects of their amount."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ..vocabulary.aspect import Dimension, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, FUNCTIONS, AnyStep, Call
from .facts import call, turn

Sized = Callable[[int], Any]
"""Makes data whose compact JSON has about so many characters, never more."""


def _text(letters: str) -> Sized:
    return lambda size: {"text": (letters * size)[: max(size - 11, 1)]}


def _rows(size: int) -> Any:
    row = {"id": 1_000, "title": "to do", "done": False}
    return {"items": [{**row, "id": 1_000 + n} for n in range(max((size - 12) // 43, 1))]}


def _fields(size: int) -> Any:
    return {f"z{n:04}": 10 + n % 90 for n in range(max(size // 11, 1), 0, -1)}


def _numbered(size: int) -> Any:
    many = max((size - 16) // 11, 1)
    return {"of": "a list", **{f"{90_000 + n}": 10 + n % 90 for n in range(many, 0, -1)}}


def _depth(size: int) -> Any:
    value: Any = 1
    for _ in range(min(size // 7, 100)):
        value = {"in": value}
    return {
        "deep": value,
        "rest": ("so far " * size)[: max(size - 7 * min(size // 7, 100) - 22, 0)],
    }


MATTER: Dimension[Sized] = Dimension(
    "matter",
    (
        Value("text", _text("So far so Good "), "what tests use"),
        Value("rows", _rows, "lists are projected instead of cut"),
        Value("fields", _fields, "names are sorted before the cut, or only some kept"),
        Value("numbered-fields", _numbered, "names that are numbers come first, in their order"),
        Value("numbers", lambda size: [10 + n % 90 for n in range(size // 3)], "data without text"),
        Value("root-text", lambda size: "so far " * (size // 7), "data that is no object"),
        Value("deep", _depth, "what is deep is dropped first"),
        Value("two-bytes", _text("яя яяя "), "the cap counts bytes"),
        Value(
            "three-bytes", _text("中中 中中中 "), "the cap counts bytes, or a letter is cut in two"
        ),
        Value(
            "pairs", _text("😀😀 😀😀😀 "), "the cap counts UTF-16 units, or a pair is cut in two"
        ),
        Value("escaped", lambda size: {"text": 'a"b\\c\n' * (size // 9)}, "a cut within an escape"),
    ),
)
"""What the data are made of."""


def calls_of(values: Sequence[Any]) -> list[Call]:
    """Return calls that return these values, of other extensions and functions in turn."""
    return [
        call(value, app=APPS[number % len(APPS)], function=FUNCTIONS[number % len(FUNCTIONS)])
        for number, value in enumerate(values)
    ]


Company = Callable[[list[Call]], tuple[Sequence[AnyStep], list[Call]]]
"""From the calls of the turn: the turns before, and the calls with what stands beside them."""

_FAT = call({"text": "zz zzz " * 1_000}, app=APPS[2])
_FAILED = call({"text": "ww www " * 1_000}, app=APPS[2], status="error")

COMPANY: Dimension[Company] = Dimension(
    "company",
    (
        Value("none", lambda calls: ((), calls), "what tests do"),
        Value(
            "small-turns",
            lambda calls: ([turn(f"add {n}", call({"n": n})) for n in range(2)], calls),
            "one cap for all turns",
        ),
        Value("fat-turn", lambda calls: ([turn("all", _FAT)], calls), "one cap for all turns"),
        Value(
            "of-another-user",
            lambda calls: ([turn("all", _FAT, user="u2", session="s-u2")], calls),
            "one budget for all users",
        ),
        Value("failed-call", lambda calls: ((), [_FAILED, *calls]), "a failed call spends the cap"),
        Value(
            "long-summary",
            lambda calls: ((), [_with_summary(each) for each in calls]),
            "prose spends the cap",
        ),
    ),
)
"""What stands beside the calls; none of it counts."""


def _with_summary(given: Call) -> Call:
    return msgspec.structs.replace(given, summary="much ado " * 90)


AGE: Dimension[Callable[[Parameters], Sequence[AnyStep]]] = Dimension(
    "age",
    (
        Value("next-turn", lambda _: (), "what tests look at"),
        Value("beside-fat", lambda _: (turn("all", _FAT),), "a later turn takes the room"),
        Value(
            "last-turn",
            lambda parameters: [turn(f"go on {n}") for n in range(parameters.window - 1)],
            "old facts are cut once more, or no more",
        ),
    ),
)
"""What happens before the facts are looked at last."""
