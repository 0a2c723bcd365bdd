"""C-LEDGER-UNICODE: every character survives the ledger, in values and in keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ...readings.pairs import Shown, unmasked_pairs
from ...readings.spoiled import kept
from ...readings.strangers import strings
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import Difference
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger

_CLASSES: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "control characters": "[\u0000-\u0008\u000e-\u001f\u007f\u0080-\u0084]",
        "line and paragraph separators": "[\u000b\u000c\u0085\u2028\u2029]",
        "bidirectional controls": "[\u200e\u200f\u202a-\u202e\u2066-\u2069]",
        "invisible characters": "[\u200b\u200d\u2060\ufeff\u00ad]",
        "combining marks": "[\u0300-\u036f\u0489\u20d0-\u20ff]",
        "characters beyond the basic plane": "[\U00010000-\U0010ffff]",
        "private use and noncharacters": "[\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff]",
        "letters of other scripts": "[\u0400-\u04ff\u0590-\u06ff\u4e00-\u9fff\uac00-\ud7a3]",
    }.items()
}
_LONE = re.compile("[\ud800-\udfff]")

SAMPLES = (
    "nul\u0000 bell\u0007 escape\u001b delete\u007f",
    "a\u2028b\u2029c\u0085d\u000be\u000cf",
    "\u202eright\u202c \u2066isolated\u2069 \u200emark",
    "zero\u200bwidth\ufeffjoin\u200d soft\u00adhyphen",
    "e\u0301 \u00e9 Z\u0351\u034b a\u20dd \u1100\u1161 \uac00",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f \U0001d400 \U0010ffff",
    "\ue000 \ufdd0 \ufffe \uffff",
    "Привет \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 中文",
    "\u0130\u0131 \u00df \ufb01",
)
LONE = ("\ud83d alone", "low \udc00 first", "\udc00\ud800 reversed", "\ud800\ud800\udc00")


@lru_cache(maxsize=512)
def _classes(text: str) -> tuple[str, ...]:
    return tuple(name for name, pattern in _CLASSES.items() if pattern.search(text))


def _in_text(difference: Difference) -> bool:
    """Whether a string or a key changed, or vanished."""
    keys = difference.kind in ("key lost", "key added")
    return keys or isinstance(difference.expected, str)


def _characters(shown: Shown) -> Iterable[str]:
    """Data with a lone surrogate is the other clause's."""
    texts = _escaped_texts(shown)
    if _has_lone(texts):
        return ()
    return {name for text in texts for name in _classes(text)}


def _lone(shown: Shown) -> Iterable[str]:
    return ("lone surrogates",) if _has_lone(_escaped_texts(shown)) else ()


def _escaped_texts(shown: Shown) -> list[str]:
    given = shown.given
    return list(strings(given.data)) if "\\u" in given.call.data_json else []


def _has_lone(texts: Iterable[str]) -> bool:
    return any(_LONE.search(text) for text in texts)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "unicode-values",
        "every class of character in values",
        turn("one", *(call({"text": text}) for text in SAMPLES[:4])),
        turn("two", *(call({"in": [text]}, app=APPS[1]) for text in SAMPLES[4:])),
        turn("three", *(call(text, function=FUNCTIONS[1]) for text in SAMPLES)),
    )
    yield fact_scenario(
        "unicode-keys",
        "every class of character in keys, and keys that normalisation would merge",
        turn("one", *(call({text: n}) for n, text in enumerate(SAMPLES))),
        turn("two", call({"e\u0301": 1, "\u00e9": 2, "\ufb01": 3, "fi": 4, "İ": 5, "i": 6})),
    )
    yield fact_scenario(
        "unicode-lone-surrogates",
        "halves of surrogate pairs",
        turn("one", *(call({"text": text}) for text in LONE)),
        turn("two", call({LONE[0]: 1}, app=APPS[1])),
    )
    yield fact_scenario(
        "unicode-lone-surrogates-in-lists",
        "halves of surrogate pairs in a list, and alone",
        turn("one", call([*LONE])),
        turn("two", call(LONE[0], app=APPS[1])),
    )


INVARIANT = Invariant(
    id="C-LEDGER-UNICODE",
    title="Every character survives",
    statement=(
        "The facts are verbatim: every character of every string and key survives, whatever its "
        "script and whether it is visible, and none is normalised."
    ),
    sources=(
        fact_ledger("The essence"),
        fact_ledger("What it stores"),
        context_channels("Channel 3 — Fact-ledger (verbatim cross-turn recall)"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "Compared as parsed JSON, so escaping is free. A lone surrogate is JSON, but no character: "
        "that it survives is a SHOULD."
    ),
    clauses=(
        Clause(
            name="characters-survive",
            sentence="Every character of a string or a key stands in the FACTS line.",
            judge=kept(_characters, _in_text),
            partitions=tuple(Partition(name, "in a value or in a key") for name in _CLASSES),
        ),
        Clause(
            name="lone-surrogates-survive",
            sentence="Half a surrogate pair, which JSON can escape, survives too.",
            judge=kept(_lone, _in_text, unmasked_pairs),
            level="SHOULD",
            partitions=(
                Partition("lone surrogates", "halves of a pair, as JSON escapes", kind="observed"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
