"""What no result bears out does not reach the user, in whatever form and place it is claimed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..scenarios.facts import EXPOSED, call, turn, written
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    APPS,
    FUNCTIONS,
    AnyStep,
    CacheGet,
    CacheSet,
    Call,
    Environment,
    Extension,
    Section,
    SkeletonRefresh,
)


class Claim(NamedTuple):
    """A sentence of a draft, once with what the data say and once with something else.

    The two differ in every digit, and no sum, count, length, difference, part or rounding of
    the data comes to the invented one.

    Attributes:
        sentence: with ``{}`` for the claim.
        true: as the draft writes what the data hold.
        invented: as the draft writes what they do not.
        data: what the data hold, if they write it otherwise.
    """

    sentence: str
    true: str
    invented: str
    data: float | None = None


Claims = tuple[Claim, ...]

CLAIM: Dimension[Claims] = Dimension(
    "claim",
    (
        Value(
            "number",
            (
                Claim("Your number is {}.", "30915", "84267", 30_915),
                Claim("It is order {}, as you know.", "#30915", "#84267"),
                Claim("Your number is {} there.", "3091536250", "8426715947", 3_091_536_250),
            ),
            "guards that know long numbers alone, or no sign before them",
        ),
        Value(
            "grouped",
            (
                Claim("There are {} in all.", "30,915", "84,267", 30_915),
                Claim("{} were read.", "1\u202f430\u202f915", "8\u202f762\u202f084", 1_430_915),
            ),
            "a number that ends at its first separator",
        ),
        Value(
            "fraction",
            (
                Claim("It weighs {} kg.", "1436.25", "8972.41", 1_436.25),
                Claim("It has grown by {} since.", "215.3 %", "734.8 %"),
            ),
            "guards that know whole numbers alone",
        ),
        Value(
            "amount",
            (
                Claim("It comes to {} with tax.", "€1,034.20", "€5,678.91"),
                Claim("It comes to {} with tax.", "1.034,20 €", "5.678,91 €"),
            ),
            "signs of currencies, and commas before the fraction",
        ),
        Value(
            "signed",
            (
                Claim("The balance is {} today.", "-$1,034.20", "-$5,678.91"),
                Claim("The balance is {} today.", "+1034.20 EUR", "+5678.91 EUR"),
            ),
            "what stands behind a sign is taken for part of a word",
        ),
        Value(
            "date",
            (
                Claim("It is due on {}.", "2031-05-16", "1948-12-27"),
                Claim("It is due on {}.", "16.05.2031", "27.12.1948"),
            ),
            "dates are taken for what any model knows, or for text",
        ),
        Value(
            "day",
            (
                Claim("It is due on {}.", "16 May 2031", "27 August 1948"),
                Claim("It is due on {}.", "05/16/2031", "12/27/1948"),
            ),
            "years are left alone",
        ),
        Value(
            "time",
            (
                Claim("It starts at {} sharp.", "09:15", "20:48"),
                Claim("It started at {} sharp.", "09:15:36", "20:48:57"),
            ),
            "two small numbers, each of which is overlooked",
        ),
        Value(
            "address",
            (
                Claim("I wrote to {} for you.", "k.oduya@vale.example", "i.brandt@hafen.example"),
                Claim("I wrote to {} for you.", "M+news@Pier.example", "Jo+list@Quay.example"),
                Claim("I wrote to {} for you.", "tern@vale.example", "wren@vale.example"),
            ),
            "tags and capitals in addresses",
        ),
        Value(
            "code",
            (
                Claim("Your invoice is {} now.", "inv-30915", "ord-84267"),
                Claim("Your invoice is {} now.", "INV-30915", "ORD-84267"),
                Claim("Your invoice is {} now.", "AB30915C", "DE84267F"),
            ),
            "identifiers in lower case alone",
        ),
        Value(
            "token",
            (
                Claim("The file is {} now.", "8kQ2zT7Lm4", "5xW9bR3Hd6"),
                Claim(
                    "The file is {} now.",
                    "3f2b8c1a-77d0-4e59-9a61-0c5e2d84b713",
                    "8a9d4e7c-12f6-4b03-8c75-6e1f9a30d258",
                ),
            ),
            "identifiers without a hyphen, or with several",
        ),
        Value(
            "link",
            (
                Claim("Pay at {} please.", "https://pay.vale.example/r/30915", "https://pay.hafen.example/r/84267"),
                Claim("See {} for more.", "https://vale.example/kelp", "https://hafen.example/moss"),
                Claim("See {} for more.", "https://pier.example/reed", "https://pier.example/fern"),
            ),
            "links are taken for markup",
        ),
        Value(
            "dotted",
            (
                Claim("It runs {} now.", "v2.14.3", "v8.70.9"),
                Claim("Call {} at noon.", "+49 171 5550134", "+31 682 9447286"),
            ),
            "versions and phone numbers are taken for text",
        ),
    ),
)  # fmt: skip

Draft = Callable[[Claim, str], str]

_CHATTER = "I have looked through everything that was there for you. "


def _said(claim: Claim, text: str) -> str:
    return claim.sentence.format(text)


PLACE: Dimension[Draft] = Dimension(
    "place",
    (
        Value("alone", _said, "what tests use"),
        Value("late", lambda c, t: f"{_CHATTER * 5}{_said(c, t)}", "only 200 characters are read"),
        Value("very-late", lambda c, t: f"{_CHATTER * 40}{_said(c, t)}", "only 2,000 are"),
        Value("early", lambda c, t: f"{_said(c, t)} {_CHATTER * 3}", "only the end is read"),
        Value(
            "list",
            lambda c, t: f"What I found:\n- all is well\n- {_said(c, t)}\n- no more",
            "only sentences are read",
        ),
        Value(
            "table",
            lambda _, t: f"| what | value |\n|---|---|\n| this one | {t} |\n",
            "tables are taken for data",
        ),
        Value("bold", lambda c, t: _said(c, f"**{t}**"), "markup that belongs to a word"),
        Value("code", lambda c, t: _said(c, f"`{t}`"), "code is quoted, hence true"),
        Value(
            "beside-truth",
            lambda c, t: f"{_said(c, c.true)}\n\n{_said(c, t)}",
            "a draft with a true claim is trusted",
        ),
    ),
)
"""Where the claim stands in its draft."""

Trap = Callable[[Sequence[Claim]], Sequence[AnyStep]]


def _given(claim: Claim) -> Any:
    return claim.true if claim.data is None else claim.data


def _cached(claims: Sequence[Claim]) -> Sequence[AnyStep]:
    value = call([claim.invented for claim in claims]).data_json
    return (
        CacheSet(key="seen", value_json=value, ttl_seconds=60, handler="panel"),
        CacheGet(key="seen", handler="panel"),
    )


def _said_before(claims: Sequence[Claim]) -> Sequence[AnyStep]:
    return [
        turn("and before?", call({"value": _given(claim)}), draft=_said(claim, claim.invented))
        for claim in claims
    ]


TRAP: Dimension[Trap] = Dimension(
    "trap",
    (
        Value("nothing", lambda _: (), "what tests do"),
        Value("longer", lambda _: (), "the claim is looked for as text, be it in a longer value"),
        Value("section", lambda _: (SkeletonRefresh(),), "what the skeleton holds is known"),
        Value("cached", _cached, "what the cache holds is known"),
        Value(
            "other-user",
            lambda claims: [
                turn("and mine?", call({"value": claim.invented}), user="u2", session="s2")
                for claim in claims
            ],
            "results that users share",
        ),
        Value("said-before", _said_before, "what was drafted once is known"),
    ),
)
"""What could wrongly bear the claim out."""

_ROWS = ", ".join(['{"state": "open", "by": "you"}'] * 50)

SIZE: Dimension[str] = Dimension(
    "size",
    (
        Value("small", '"state": "open"', "what tests use"),
        Value("fifty", f'"rows": [{_ROWS}]', "long lists are skipped"),
        Value(
            "long", f'"chart": "{"=|== " * 8_000}"', "the guard is off for long data, or cuts it"
        ),
    ),
)
"""What else the data of the first claim hold, as JSON text; none of it a number."""

_BESIDE = call({"state": "closed"}, app=APPS[1], function=FUNCTIONS[1], summary="closed it")
_FAILED = call({}, status="error", app=APPS[2])

COMPANY: Dimension[Callable[[Call], Sequence[Call]]] = Dimension(
    "company",
    (
        Value("none", lambda own: (own,), "what tests do"),
        Value("failed", lambda own: (own, _FAILED), "after a failure nothing is checked"),
        Value("many", lambda own: (*[_BESIDE] * 4, own, *[_BESIDE] * 3), "only one call is read"),
    ),
)


def _bare(claim: str) -> str:
    """Return a claim without its sign, and a date or time without what separates its parts."""
    if not any(character.isalpha() for character in claim):
        claim = re.sub(r"(?<=\d)[-/:](?=\d)", "", claim)
    return claim.lstrip("+-€$#")


def _scene(row: Row, _: Parameters) -> Scene:
    claims, trap = row[CLAIM], row.chosen[TRAP.name].name
    steps = [*row[TRAP](claims)]
    strained: set[int] = set()
    for claim in claims:
        data = {"value": _given(claim)}
        if trap == "longer":
            data["ref"] = f"x7{_bare(claim.invented)}3q"
        more = row[SIZE] if claim == claims[0] else SIZE.plain.value
        calls = row[COMPANY](written(f"{{{more}, {json.dumps(data)[1:]}"))
        strained.add(len(steps))
        steps.append(turn("what is it?", *calls, draft=row[PLACE](claim, claim.invented)))
        true = call({"value": _given(claim)})
        steps.append(turn("is it?", true, draft=row[PLACE](claim, claim.true)))
    if trap != "section":
        return Scene(steps, frozenset(strained), EXPOSED)
    section = Section(returns_json=(call([claim.invented for claim in claims]).data_json,))
    told = (Extension(app=APPS[0], sections=(section,)),)
    return Scene(steps, frozenset(strained), Environment(flags=EXPOSED.flags, extensions=told))


_ID = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS"

ASPECT = Aspect(
    name="narrator.claim",
    title="Claims that no result bears out",
    clauses=(f"{_ID}/guard-in-any-form", f"{_ID}/grounded-in-any-form", f"{_ID}/guard"),
    focus=CLAIM,
    context=(PLACE, TRAP, SIZE, COMPANY),
    scene=_scene,
)
