"""Breaches of the C-LEDGER contracts on data: trace, clause, kind of violation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedcheck.invariants.judges.ledger.c_ledger_look_alikes import IDS
from fedcheck.invariants.scenarios.facts import call, turn
from fedcheck.invariants.vocabulary.scenario import Environment

from .lines import fact

BROKEN: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "envelope": (
        lambda h: h.after(
            turn("harbour", call({"_action_meta": {"x": 1}, "n": 1})),
            fact({"_action_meta": {"x": 1}, "n": 1}),
        ),
        "ACTION-META/not-in-facts",
        "envelope in a FACTS line",
    ),
    "content of the envelope": (
        lambda h: h.after(
            turn("harbour", call({"_action_meta": {"x": "planted canary"}, "n": 1})),
            fact({"meta": {"x": "planted canary"}, "n": 1}),
        ),
        "ACTION-META/not-in-facts",
        "envelope in a FACTS line",
    ),
    "mention dropped": (
        lambda h: h.after(turn("harbour", call({"a": "_action_meta", "n": 1})), fact({"n": 1})),
        "ACTION-META/rest-kept",
        "key lost",
    ),
    "summary": (
        lambda h: h.after(
            turn("harbour", call({}, summary="Splendidly sorted")), fact("Splendidly sorted")
        ),
        "NO-PROSE/no-summary-in-facts",
        "summary in a FACTS line",
    ),
    "reply": (
        lambda h: h.after(
            turn("harbour", call({"n": 1}), draft="Marvellous outcome"),
            fact({"n": 1, "said": "Marvellous outcome"}),
        ),
        "NO-PROSE/no-reply-in-facts",
        "reply in a FACTS line",
    ),
    "bare prose": (
        lambda h: h.after(
            turn("harbour", call("some prose")), "FACTS: app=alpha fn=read_items data=some prose"
        ),
        "ANY-DATA/prose-as-json-string",
        "no longer JSON",
    ),
    "number as text": (
        lambda h: h.after(turn("harbour", call(7)), fact("7")),
        "ANY-DATA/value-as-it-is",
        "number as string",
    ),
    "null withheld": (
        lambda h: h.after(turn("harbour", call(None)), ""),
        "ANY-DATA/nothing-withheld",
        "no line for empty data",
    ),
    "character replaced": (
        lambda h: h.after(turn("harbour", call({"t": "a\u202eb"})), fact({"t": "ab"})),
        "UNICODE/characters-survive",
        "string changed",
    ),
    "lone surrogate replaced": (
        lambda h: h.after(turn("harbour", call({"t": "a\ud83d"})), fact({"t": "a?"})),
        "UNICODE/lone-surrogates-survive",
        "string changed",
    ),
    "long keys merged": (
        lambda h: h.after(
            turn("harbour", call({"k" * 300: 1, "k" * 301: 2})), fact({"k" * 300: 2})
        ),
        "LARGE-SHAPES/long-keys-kept",
        "number changed",
    ),
    "look-alike masked though exposed": (
        lambda h: h.after(turn("harbour", call({"d": "2026-05-15"})), fact({"d": "[date]"})),
        "LOOK-ALIKES/kept-when-exposed",
        "string changed",
    ),
    "neighbour masked": (
        lambda h: h.after(
            turn("harbour", call({"d": "2026-05-15", "n": 7})),
            fact({"d": "[date]", "n": "x"}),
            environment=Environment(),
        ),
        "LOOK-ALIKES/neighbours-kept",
        "number as string",
    ),
    "id masked in part": (
        lambda h: h.after(
            turn("harbour", call({"id": IDS["a UUID"], "n": 7})),
            fact({"id": "7c9e6679-[phone]-e07fc1f90ae7", "n": 7}),
            environment=Environment(),
        ),
        "LOOK-ALIKES/ids-kept",
        "a UUID masked",
    ),
}
