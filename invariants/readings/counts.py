"""Numbers of drafts that contradict the only number that the turn's results give.

A narrator may count, add, subtract and round. So a number is a contradiction only if the
results hold one number, and nothing of the turn yields the other: no text says it, it is no
rounding, no multiple and no simple part, and larger than whatever is there could add up to.
A smaller one could be how many of a list are so; it is judged if there is no list.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple, cast

from ..vocabulary.json_values import leaves
from ..vocabulary.number_words import NUMBER_WORD, worth
from ..vocabulary.scenario import Call, Turn
from ..vocabulary.trace import Reply
from ..vocabulary.trace_view import StepView, TraceView
from .cache import read_json

_NUMBER = re.compile(
    r"(?<![\w.@/-])"
    r"(?:\d{1,3}(?:[,'_\u2019\u00a0\u202f ]\d{3})+|\d+)(?:\.\d+)?"
    r"(?![\w@]|[.,:/-]\d)"
)
_GROUPING = re.compile(r"[,'_\u2019\u00a0\u202f ]")
_WHOLE = re.compile(r"0|[1-9]\d{0,7}")
_RUN = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"\w+")
_BARE = " .!*`|()"
_FAR = 400
"""Characters of a draft behind which a number stands far into it."""

_LONG_RESULTS = 2_000
_FEW = 12
"""Numbers up to which a draft may count what it says itself: calls, points, days."""
_LONGEST = 8
"""Digits up to which a number is read here; longer ones are read as claims of their own."""


class Count(NamedTuple):
    """A number of a draft that can be judged.

    Attributes:
        step: the turn's step.
        number: as the draft means it.
        actual: the only number of the results.
        contradicted: whether nothing of the turn yields it; otherwise all of the draft's numbers
            are borne out.
        source: where the number is borne out, or what the results hold instead.
        survived: whether the reply to the user says it.
        traps: how it is written, and what could mislead a guard.
    """

    step: StepView
    number: Decimal
    actual: Decimal
    contradicted: bool
    source: str
    survived: bool
    traps: tuple[str, ...] = ()


def numbers_in(text: str) -> list[Decimal]:
    """Return the numbers that a text says, in digits of any script or in words."""
    return [number for number, _ in _written(text)]


def read_counts(view: TraceView) -> list[Count]:
    """Return the judged numbers of all drafts. Use it as ``view.reading(read_counts)``.

    There are none in a recording: nobody knows what its model drafted.
    """
    if view.trace.origin == "recording":
        return []
    found: list[Count] = []
    sections = [
        text
        for extension in view.trace.environment.extensions
        for section in extension.sections
        for text in section.returns_json
    ]
    elsewhere: Elsewhere = defaultdict(set)
    elsewhere["a skeleton section says it", ""].update(_runs(sections))
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            reply = step.first(Reply)
            if reply is not None:
                found.extend(_of(step, step.stimulus, reply.text, elsewhere))
            elsewhere["", step.user].update(_runs(_texts(step.stimulus)))
    return found


Elsewhere = defaultdict[tuple[str, str], set[str]]
"""Runs of digits that stand where a guard may look: where, or of which user → the runs."""


class _Results:
    """What the successful calls of a turn hold."""

    def __init__(self, calls: tuple[Call, ...]) -> None:
        values = [read_json(call.data_json) for call in calls if call.status == "success"]
        self.is_list = any(isinstance(value, list) or _holds_list(value) for value in values)
        every = [leaf for value in values for leaf in leaves(value)]
        numbers = [Decimal(str(leaf)) for leaf in every if _is_number(leaf)]
        self.numbers = [number for number in numbers if number.is_finite()]
        self.counts = [Decimal(size) for value in values for size in sizes_in(value)]
        self.counts.append(Decimal(len(every)))
        self.size = sum(len(call.data_json) for call in calls)

    @property
    def actual(self) -> Decimal | None:
        """The only number that the results give: what they say, or how many there are."""
        lists = [size for size in self.counts[:-1] if size > 1]
        if len(self.numbers) == 1 and (not self.is_list or lists == self.numbers):
            return self.numbers[0]
        return lists[0] if not self.numbers and self.is_list and len(lists) == 1 else None

    def could_yield(self, number: Decimal) -> bool:
        """Whether a narrator may have reckoned a number from the results."""
        actual = self.actual
        if actual is None or number in _roundings(actual):
            return True
        if number > max([sum(map(abs, self.numbers), Decimal(0)), *self.counts]):
            return actual != 0 and number % abs(actual) == 0
        is_part = any(int(actual) // parts == int(number) for parts in range(2, 11))
        return self.is_list or is_part or number >= actual or number <= max(_FEW, *self.counts)


def _runs(texts: Iterable[str]) -> Iterator[str]:
    """Yield the runs of digits of texts."""
    for text in texts:
        yield from _RUN.findall(text)


def _of(step: StepView, turn: Turn, reply: str, elsewhere: Elsewhere) -> Iterator[Count]:
    drafted = [each for each in _written(turn.draft) if len(each[0].as_tuple().digits) <= _LONGEST]
    results = _Results(turn.calls) if drafted else None
    actual = results.actual if results else None
    if results is None or actual is None:
        return
    shown = set(numbers_in(reply))
    told = set(map(Decimal, _runs(_texts(turn))))
    told |= {Decimal(worth(word)) for text in _texts(turn) for word in NUMBER_WORD.findall(text)}
    told |= set(map(Decimal, range(1, len(turn.calls) + 1)))
    told.update(number for text in _texts(turn) for number in numbers_in(text))
    said = set(numbers_in(turn.message))
    beside = ("beside the right number",) if actual in {number for number, _ in drafted} else ()
    for number, written in drafted:
        survived = number in shown
        if number == actual or number in said:
            if all(each == actual or each in said for each, _ in drafted):
                source = "message" if number in said else "results"
                yield Count(step, number, actual, False, source, survived)
        elif number not in told and not results.could_yield(number):
            source = "how many there are" if results.is_list else "a number of the data"
            traps = _traps(step, turn, number, written, elsewhere)
            less = ("less than the right number",) if number < actual else ()
            size = ("the results are long",) if results.size > _LONG_RESULTS else ()
            fraction = ("only its fraction differs",) if int(actual) == int(number) else ()
            every = (*traps, *less, *size, *fraction, *beside)
            told_so = survived and (number > _FEW or _is_repeated(written, turn.draft, reply))
            yield Count(step, number, actual, True, source, told_so, every)


def _is_repeated(written: str, draft: str, reply: str) -> bool:
    """Whether a reply says a number beside a word that stands beside it in the draft.

    A small number stands in many a reply by chance: as a place in a list, or in a caveat.
    """
    at = draft.find(written)
    before = _WORD.findall(draft[:at])[-1:]
    behind = _WORD.findall(draft[at + len(written) :])[:1]
    beside = [rf"\b{re.escape(word)}\W+{re.escape(written)}(?!\w)" for word in before]
    beside += [rf"(?<!\w){re.escape(written)}\W+{re.escape(word)}\b" for word in behind]
    return reply.strip(_BARE) == written or any(re.search(each, reply) for each in beside)


def _traps(
    step: StepView,
    turn: Turn,
    number: Decimal,
    written: str,
    elsewhere: Elsewhere,
) -> Iterator[str]:
    digits = str(number)
    for (where, user), runs in elsewhere.items():
        if digits in runs:
            other = "an earlier turn says it" if user == step.user else "another user was told it"
            yield where or other
    if any(digits in text for text in _texts(turn)):
        yield "its digits stand in a longer number"
    if number == int(number) and 1900 <= number < 2100:
        yield "it could be a year"
    if turn.draft.find(written) > _FAR:
        yield "far into a long draft"
    yield from _writing(number, written)


def _writing(number: Decimal, written: str) -> Iterator[str]:
    if number <= _FEW:
        yield "twelve or less"
    if NUMBER_WORD.fullmatch(written):
        yield "as a word"
    elif not written.isdecimal():
        yield "in groups or with a fraction"
    if not written.isascii():
        yield "in other digits or spaces"


def _written(text: str) -> list[tuple[Decimal, str]]:
    """The numbers of a text, each with how it is written."""
    ascii_digits = text if text.isascii() else "".join(map(_as_ascii, text))
    return [
        *(
            (Decimal(_GROUPING.sub("", found.group())), text[found.start() : found.end()])
            for found in _NUMBER.finditer(ascii_digits)
        ),
        *((Decimal(worth(found.group())), found.group()) for found in NUMBER_WORD.finditer(text)),
    ]


def _texts(turn: Turn) -> Iterator[str]:
    """What of a turn its narrator may repeat."""
    yield turn.message
    for call in turn.calls:
        yield from (call.data_json, call.summary, call.error)


def sizes_in(value: Any) -> Iterator[int]:
    """Yield how many items each list of a value has."""
    if isinstance(value, dict):
        inner = list(cast("dict[str, Any]", value).values())
    elif isinstance(value, list):
        inner = cast("list[Any]", value)
        yield len(inner)
    else:
        return
    for item in inner:
        yield from sizes_in(item)


def _is_number(leaf: Any) -> bool:
    if isinstance(leaf, str):
        return _WHOLE.fullmatch(leaf) is not None
    return type(leaf) in (int, float)


def _holds_list(value: Any) -> bool:
    return next(sizes_in(value), None) is not None


def _roundings(number: Decimal) -> set[Decimal]:
    places = range(number.adjusted() + 2)
    return {round(number / (Decimal(10) ** place)) * Decimal(10) ** place for place in places} | {
        round(number, place) for place in range(4)
    }


def _as_ascii(character: str) -> str:
    digit = unicodedata.digit(character, None)
    return character if digit is None or not character.isdecimal() else str(digit)
