"""C-LEDGER-LOOK-ALIKES: values that only look like personal data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.pairs import Shown, shown_pairs
from ...readings.spoiled import kept
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import EXPOSED, call, fact_scenario, turn
from ...scenarios.ledger import steps_scenario
from ...scenarios.personal import EMAILS, PHONES
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Environment, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LOOK_ALIKES: dict[str, str] = {
    "ISO date": "2026-05-15",
    "ISO time": "2026-05-15T17:21:04Z",
    "version": "10.4.2211",
    "UUID": "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "order number": "4400812957",
    "price": "1,299.00 EUR",
    "IP address": "192.168.101.204",
    "card ending": "**** **** **** 4242",
    "at sign": "meet @ noon",
    "handle": "@quillfeather",
    "package": "react@18.2.0",
    "place name": "Buenos Aires",
    "month name": "April Report",
    "organisation": "Northwind Traders",
}
"""Shapes that careless masking takes for an address, a phone number or a name."""

IDS: dict[str, str] = {
    "a UUID": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "another UUID": "00000000-1234-5678-9012-345678901234",
    "a ticket": "TCK-48213",
    "a short id": "a1b2c3",
    "a digest": "9f3c2e1b7d05a4c8",
}
"""Ids as tools give them to what they make: a next turn that cannot read one cannot act on it."""

_PER_SCENARIO = frozenset({"env_per_scenario"})
_MASKED = Environment(flags={}, flags_matter=True)


def _exposed(view: TraceView) -> list[Shown]:
    return shown_pairs(view) if view.exposes_pii else []


def _masked(view: TraceView) -> list[Shown]:
    return [] if view.exposes_pii else shown_pairs(view)


def _planted(shown: Shown) -> tuple[str, ...]:
    data_json = shown.given.call.data_json
    return tuple(name for name, value in LOOK_ALIKES.items() if value in data_json)


def _told(shown: Shown) -> Iterator[str]:
    """What masking makes of a look-alike is told, not judged; what stands beside it is judged."""
    for name in _planted(shown):
        yield "beside safe values"
        yield f"{name} {'kept' if _stands(name, shown.payload.text) else 'masked'}"


def _stands(name: str, payload: str) -> bool:
    value = LOOK_ALIKES[name]
    return value in payload or json.dumps(value)[1:-1] in payload


def _ids_kept(view: TraceView) -> Iterator[Finding]:
    for shown in _masked(view):
        planted = [x for x in IDS.items() if x[1] in shown.given.call.data_json]
        if not planted or not shown.fits:
            continue
        place = ("beside personal data",) if _has_personal(shown) else ()
        yield Compared((*(name for name, _ in planted), *place), shown.given.turn.step.index)
        for name, value in planted:
            if value not in shown.payload.text:
                yield Violation(
                    kind=f"{name} masked",
                    step=shown.prompt.step.index,
                    expected=f"the id {value} as it is, for it is no personal data",
                    got=shorten(shown.payload.text, 400),
                )


def _has_personal(shown: Shown) -> bool:
    return any(value in shown.given.call.data_json for value in (EMAILS[0], PHONES[0]))


def _made(value: str) -> dict[str, object]:
    """Return what tools say of something that they have made or found."""
    return {"id": value, "ok": True, "n": 7, "by": EMAILS[0], "in": [{"ref": value, "k": 1}]}


def _conversation(environment: Environment, name: str) -> Scenario:
    pairs = list(LOOK_ALIKES.items())
    return fact_scenario(
        name,
        "look-alikes of personal data beside safe values",
        turn("one", *(call(_beside(value)) for _, value in pairs[:4])),
        turn("two", *(call(_beside(value), app=APPS[1]) for _, value in pairs[4:8])),
        turn("three", *(call(_beside(value), app=APPS[2]) for _, value in pairs[8:])),
        environment=environment,
    )


def _beside(value: str) -> dict[str, object]:
    return {"value": value, "n": 7, "ok": True, "none": None, "state": "open", "in": [{"k": 1}]}


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield _conversation(EXPOSED, "look-alikes-exposed")
    yield _conversation(_MASKED, "look-alikes-masked")
    uuid, zeros, ticket, short, digest = IDS.values()
    yield fact_scenario(
        "ids-masked",
        "ids of what tools have made, alone and beside personal data",
        turn("make one", call(_made(uuid)), call({"id": ticket, "state": "open"}, app=APPS[1])),
        turn("and one", call({"file_id": zeros, "tel": PHONES[0]}), call({"made": [short]})),
        turn("and", call({"commit": digest, "tickets": [{"key": ticket, "to": EMAILS[0]}]})),
        environment=_MASKED,
    )


def _strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    values = tuple(LOOK_ALIKES.values())

    def build(recipes: tuple[Recipe, ...]) -> Scenario:
        environment = recipes[0].pick((EXPOSED, _MASKED))
        turns = (
            turn(
                f"ask {n}",
                call(
                    _beside(recipe.pick(("{}", "see {} there", "({})")).format(recipe.pick(values)))
                ),
            )
            for n, recipe in enumerate(recipes)
        )
        return steps_scenario("explore", "", *turns, environment=environment)

    return from_recipes(build, 3)


def _told_partitions() -> Iterator[Partition]:
    for name in LOOK_ALIKES:
        yield Partition(f"{name} masked", "what this kernel's masking does", kind="choice")
        yield Partition(f"{name} kept", "what this kernel's masking does", kind="choice")


INVARIANT = Invariant(
    id="C-LEDGER-LOOK-ALIKES",
    title="What only looks like personal data",
    statement=(
        "Dates, versions, identifiers, order numbers, prices and addresses of machines are "
        "verbatim when exposure is opted in; when they are masked, nothing beside them suffers."
    ),
    severity="medium",
    sources=(fact_ledger("PII gate"), fact_ledger("The essence")),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "The documents speak of shapes, and a ten-digit order number has the shape of a phone "
        "number: whether look-alikes are masked is reported, not judged. That ids stand literally, "
        "the context-channels page says without a word on masking: that masking leaves them alone "
        "is advisory, of ids that hold letters."
    ),
    clauses=(
        Clause(
            name="kept-when-exposed",
            sentence="With the flag true a look-alike is shown as it is.",
            judge=kept(_planted, pairs=_exposed),
            partitions=tuple(
                Partition(name, "opted in", capabilities=_PER_SCENARIO) for name in LOOK_ALIKES
            ),
        ),
        Clause(
            name="neighbours-kept",
            sentence="With masking on, structure and safe values beside a look-alike are kept.",
            judge=kept(_told, pairs=_masked),
            partitions=(
                Partition("beside safe values", "in one object", capabilities=_PER_SCENARIO),
                *_told_partitions(),
            ),
        ),
        Clause(
            name="ids-kept",
            sentence="With masking on, a UUID or another id of letters and digits is shown as it "
            "is.",
            judge=_ids_kept,
            partitions=(
                *(Partition(name, "given by a tool", capabilities=_PER_SCENARIO) for name in IDS),
                Partition("beside personal data", "in one object", capabilities=_PER_SCENARIO),
            ),
            level="SHOULD",
            sources=(context_channels("Channel 3 — Fact-ledger (verbatim cross-turn recall)"),),
        ),
    ),
    scenarios=_scenarios,
    strategy=_strategy,
)
