"""Claims of drafts in every form in which people write them: dates, amounts, links, codes.

``claims`` reads three forms that nobody derives. Here each form has its own test of whether a
narrator may have reckoned a claim from what the turn gave; what may be reckoned is not judged.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..vocabulary.json_values import leaves
from ..vocabulary.scenario import CacheSet, Call, Turn
from ..vocabulary.trace import Reply
from ..vocabulary.trace_view import StepView, TraceView
from .cache import read_json
from .claims import prompts_of, stands_in
from .counts import numbers_in, sizes_in
from .given import REMEMBERED
from .growing import GrowingTexts

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_FORMS = {
    "link": r"https?://[^\s<>\"'`|*()\[\]]*\w",
    "address": r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+",
    "date": (
        rf"\d{{4}}-\d\d-\d\d|\d\d?\.\d\d?\.\d{{4}}|\d\d?/\d\d?/\d{{4}}|\d\d? (?:{_MONTHS}) \d{{4}}"
    ),
    "time": r"\d\d?:\d\d(?::\d\d)?",
    "version": r"v?\d+(?:\.\d+){2,}",
    "phone": r"\+\d[\d ()/-]{7,}\d",
    "amount": r"[-+]?[€$£] ?\d[\d.,\u202f]*\d|[-+]?\d[\d.,\u202f]*\d[\u00a0\u202f ]?(?:€|EUR|USD)",
    "percentage": r"[-+]?\d+(?:\.\d+)?[\u00a0\u202f ]?%",
    "identifier": r"(?=[\w-]*[^\W\d_])(?=(?:[\w-]*?\d){3})\w[\w-]{5,}\w",
    "number": r"#?(?:\d{1,3}(?:[,'\u2019\u00a0\u202f ]\d{3})+|\d+)(?:\.\d+)?",
}
_CLAIM = re.compile(
    r"(?<![\w@./:-])(?:"
    + "|".join(f"(?P<{name}>{form})" for name, form in _FORMS.items())
    + r")(?![\w@]|[.,:/-]\w)"
)
_HELD = re.compile(_CLAIM.pattern, re.IGNORECASE)
_GROUP = re.compile(r"\d+")
_ALONE = re.compile(r"\b\d+\b")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[ ,._'\u00a0\u202f-](?=\d)")
_DECIMAL_COMMA = re.compile(r"\d{1,3}(?:\.\d{3})*,\d\d?(?!\d)")
_LEAST, _LAST_YEAR = 1_000, 2_100
"""Numbers below are judged by what is counted; those of four digits between them are years."""

_RECKONED = frozenset({"amount", "percentage", "number"})
_ON_A_SCALE = frozenset({"date", "time"})
_HOUR, _ZONE_MINUTES = 60, 15
_FAR, _LONG = 400, 2_000


class WrittenClaim(NamedTuple):
    """A claim of a draft.

    Attributes:
        step: the turn's step.
        form: how it is written.
        text: the claim itself.
        borne_out: whether the turn's message, summaries or data hold it whole, as do all of the
            draft; otherwise nothing that the user was told yields it.
        survived: whether the reply to the user shows it.
        traps: what could mislead a guard.
    """

    step: StepView
    form: str
    text: str
    borne_out: bool
    survived: bool
    traps: tuple[str, ...]


def read_written_claims(view: TraceView) -> list[WrittenClaim]:
    """Return the claims of all drafts. Use it as ``view.reading(read_written_claims)``.

    In a recording, what stands in the narrator's prompt is no invention, whoever told it.
    """
    is_recorded = view.trace.origin == "recording"
    found: list[WrittenClaim] = []
    before = _Before(view)
    for step in view.steps:
        given = step.stimulus
        if isinstance(given, Turn):
            reply = step.first(Reply)
            if reply is not None and _drafted(given.draft):
                prompts = prompts_of(step) if is_recorded else ()
                found.extend(_Reading(step, given, reply.text, before, prompts).claims())
        before.add(step)
    return found


class _Before:
    """What a turn is not about, although a guard may take it for known."""

    def __init__(self, view: TraceView) -> None:
        self.year = datetime.fromtimestamp(view.trace.environment.start_time, timezone.utc).year
        self.told: defaultdict[str, _Told] = defaultdict(_Told)
        self.elsewhere: defaultdict[tuple[str, str], GrowingTexts] = defaultdict(GrowingTexts)
        for extension in view.trace.environment.extensions:
            for section in extension.sections:
                texts = map(str.casefold, section.returns_json)
                self.elsewhere["a skeleton section says it", ""].add(texts)

    def add(self, step: StepView) -> None:
        """Take up what a step said."""
        given = step.stimulus
        if isinstance(given, CacheSet):
            self.elsewhere["a cached value says it", ""].add([given.value_json.casefold()])
        if isinstance(given, Turn):
            self.told[step.user].add(_texts(given))
            told = (call.data_json.casefold() for call in given.calls)
            self.elsewhere["another user was told it", step.user].add(told)
            self.elsewhere["an earlier draft says it", ""].add([given.draft.casefold()])


class _Told:
    """Texts that the narrator may repeat, and the numbers in them."""

    def __init__(self) -> None:
        self.texts = GrowingTexts()
        self.groups: set[str] = set()
        self.alone: set[str] = set()
        self.numbers: set[Decimal] = set()

    def add(self, texts: Sequence[str]) -> None:
        """Take up texts, in lower case."""
        self.texts.add(texts)
        for text in texts:
            self.groups |= _groups_in(text)
            self.alone.update(_ALONE.findall(text))
            self.numbers |= _numbers_in(text)

    def holds(self, claim: str) -> bool:
        """Whether a claim stands in one of the texts, by itself."""
        return any(stands_in(claim, each) for each in self.texts.with_words_of(claim))


class _Reading:
    """One turn, and what was told before it."""

    def __init__(
        self, step: StepView, turn: Turn, reply: str, before: _Before, prompts: Sequence[str]
    ) -> None:
        self.step = step
        self.turn = turn
        self.before = before
        self.reply = reply.casefold()
        self.run_together = _BETWEEN_DIGITS.sub("", self.reply)
        self.own = [turn.message.casefold()]
        for call in turn.calls:
            if call.status == "success":
                self.own += [_text_of(call.data_json), call.summary.casefold()]
        self.given = [*_texts(turn), *(each.casefold() for each in prompts)]
        now = _Told()
        now.add(self.given)
        self.known = (now, before.told[step.user]) if step.user in before.told else (now,)

    @cached_property
    def numbers(self) -> set[Decimal]:
        """The numbers that the message, the summaries and the data hold whole."""
        succeeded = [call for call in self.turn.calls if call.status == "success"]
        found = {Decimal(str(abs(each))) for call in succeeded for each in _values(call)}
        for own in self.own:
            found |= {_value(text) for form, text in _claims_in(own) if form == "number"}
        return found

    def claims(self) -> Iterator[WrittenClaim]:
        drafted = _drafted(self.turn.draft)
        borne_out = [self.is_borne_out(form, text) for form, text, _ in drafted]
        for (form, text, start), true in zip(drafted, borne_out, strict=True):
            if all(borne_out) if true else self.is_invented(form, text):
                traps = () if true else tuple(self.traps(text.casefold(), start))
                yield WrittenClaim(self.step, form, text, true, self.survived(text), traps)

    def is_borne_out(self, form: str, text: str) -> bool:
        """Whether the turn holds a claim whole, or a number that only its separators change.

        A part of a longer value is another value, and a currency or per cent is a claim of its own.
        """
        low = text.casefold()
        if any(
            stands_in(low, each) and low in {text for _, text in _claims_in(each)}
            for each in self.own
        ):
            return True
        return form == "number" and _value(text) in self.numbers

    def survived(self, text: str) -> bool:
        low = text.casefold()
        return (
            stands_in(low, self.reply)
            or stands_in(low, self.run_together)
            or stands_in(_BETWEEN_DIGITS.sub("", low), self.run_together)
        )

    def is_invented(self, form: str, text: str) -> bool:
        """Whether nothing that the user was told holds the claim, or yields it."""
        low = text.casefold()
        if self.is_told(low):
            return False
        if form in _RECKONED:
            return self.is_beyond_reckoning(form, text)
        if form == "link":
            return not self.is_told(low.rpartition("/")[2])
        if form == "address":
            return not self.is_told(low.partition("@")[0])
        if form in _ON_A_SCALE:
            return self.is_off_the_scale(form, low)
        if form == "identifier":
            parts = set(_ALONE.findall(low))
            return all(parts.isdisjoint(each.alone) for each in self.known)
        return not all(self.is_known(group) for group in _groups_in(low))

    def is_told(self, low: str) -> bool:
        """Whether the user was told this, now or earlier."""
        return any(each.holds(low) for each in self.known)

    def is_known(self, group: str) -> bool:
        """Whether a group of digits stands in what the user was told."""
        return any(group in each.groups for each in self.known)

    def is_off_the_scale(self, form: str, low: str) -> bool:
        """Whether the results hold another date or time, which nothing shifts to this one.

        A kernel may know what day it is, and tell the hour of another zone.
        """
        if any(_values(call) for call in self.turn.calls):
            return False
        if not any(re.search(_FORMS[form], own, re.IGNORECASE) for own in self.own):
            return False
        parts = [int(part) for part in _GROUP.findall(low)]
        if any(self.is_known(_bare(str(part))) for part in parts):
            return False
        if form == "time":
            minutes = (each for each in range(_HOUR) if self.is_known(_bare(str(each))))
            return all((parts[1] - each) % _ZONE_MINUTES for each in minutes)
        years = range(max(parts) - 1, max(parts) + 2)
        return self.before.year not in years and not any(self.is_known(str(y)) for y in years)

    def is_beyond_reckoning(self, form: str, text: str) -> bool:
        """Whether a number is above all that the turn's numbers could add up to."""
        number = _value(text)
        if form == "number" and (number < _LEAST or (len(text) == 4 and number < _LAST_YEAR)):
            return False
        if any(number in each.numbers for each in self.known):
            return False
        numbers = {each for text in self.given for each in _numbers_in(text)}
        sizes = {Decimal(size) for call in self.turn.calls for size in _sizes(call)}
        if number <= sum(numbers) + sum(sizes):
            return False
        if form != "percentage":
            return not any(each > 1 and number % each == 0 for each in numbers)
        counted = [each for each in numbers | sizes if each]
        return not any(abs(100 * a / b - number) < 1 for a in counted for b in counted)

    def traps(self, low: str, start: int) -> Iterator[str]:
        if any(low in each.texts for each in self.known):
            yield "it stands in a longer value"
        for (name, user), texts in self.before.elsewhere.items():
            if user != self.step.user and low in texts:
                yield name
        if start > _FAR:
            yield "far into a long draft"
        if sum(len(call.data_json) for call in self.turn.calls) > _LONG:
            yield "the results are long"


@lru_cache(maxsize=REMEMBERED)
def _drafted(draft: str) -> list[tuple[str, str, int]]:
    """The claims of a draft: form, text, place."""
    return [(str(each.lastgroup), each.group(), each.start()) for each in _CLAIM.finditer(draft)]


def _bare(group: str) -> str:
    return group.lstrip("0")


@lru_cache(maxsize=REMEMBERED)
def _groups_in(text: str) -> frozenset[str]:
    return frozenset(map(_bare, _GROUP.findall(text)))


@lru_cache(maxsize=REMEMBERED)
def _numbers_in(text: str) -> frozenset[Decimal]:
    return frozenset(map(abs, numbers_in(text))).union(map(Decimal, _ALONE.findall(text)))


@lru_cache(maxsize=REMEMBERED)
def _claims_in(text: str) -> frozenset[tuple[str, str]]:
    """The claims of what a turn gave, in lower case, each as long as it is: form and text."""
    return frozenset((str(each.lastgroup), each.group()) for each in _HELD.finditer(text))


@lru_cache(maxsize=REMEMBERED)
def _values(call: Call) -> tuple[float, ...]:
    """The numbers of a call's data."""
    return tuple(each for each in leaves(read_json(call.data_json)) if type(each) in (int, float))


@lru_cache(maxsize=REMEMBERED)
def _sizes(call: Call) -> frozenset[int]:
    value = read_json(call.data_json)
    return frozenset((*sizes_in(value), len(leaves(value))))


@lru_cache(maxsize=REMEMBERED)
def _text_of(data_json: str) -> str:
    """What data says, escaped or not, in lower case."""
    texts = [data_json]
    if "\\" in data_json:
        texts += [leaf for leaf in leaves(read_json(data_json)) if isinstance(leaf, str)]
    return "\n".join(texts).casefold()


def _value(text: str) -> Decimal:
    """The number that an amount, a percentage or a number says."""
    bare = re.sub(r"[^\d.,]", "", text)
    if _DECIMAL_COMMA.fullmatch(bare):
        bare = bare.replace(".", "").replace(",", ".")
    return Decimal(bare.replace(",", "").strip(".") or 0)


def _texts(turn: Turn) -> list[str]:
    """What of a turn its narrator may repeat, in lower case."""
    texts = [turn.message.casefold()]
    for call in turn.calls:
        texts += [_text_of(call.data_json), call.summary.casefold(), call.error.casefold()]
    return texts
