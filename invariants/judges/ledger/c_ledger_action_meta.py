"""C-LEDGER-ACTION-META: the ``_action_meta`` envelope stays out, and takes nothing with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...readings.facts import read_facts
from ...readings.given import ENVELOPE, GivenCall
from ...readings.pairs import Shown, shown_pairs
from ...readings.spoiled import kept
from ...readings.strangers import strings
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import is_object
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario
from ...vocabulary.sources import fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace import Digest
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_CANARY = 10
_META = {"action_type": "write", "duration_ms": 12, "trace": "envelope-canary-4711"}


def _enveloped(given: GivenCall) -> bool:
    return is_object(given.raw) and ENVELOPE in given.raw


def _leaked(given: GivenCall, text: str) -> str:
    """Return what of the envelope the text holds that the rest of the data does not."""
    rest = json.dumps(given.data)
    if ENVELOPE in text and ENVELOPE not in rest:
        return ENVELOPE
    for canary in strings(given.raw[ENVELOPE]):
        if len(canary) >= _CANARY and canary in text and canary not in rest:
            return canary
    return ""


def _not_in_facts(view: TraceView) -> Iterator[Finding]:
    for shown in shown_pairs(view):
        given = shown.given
        if not _enveloped(given):
            continue
        yield Compared(tuple(_classes(given)))
        found = _leaked(given, shown.payload.text)
        if found:
            yield _violation(shown.prompt.step.index, found, "FACTS line", shown.payload.text)


def _not_in_digests(view: TraceView) -> Iterator[Finding]:
    for turn_ in view.reading(read_facts).turns:
        enveloped = [given for given in turn_.calls if _enveloped(given)]
        for digest in turn_.step.all(Digest) if enveloped else ():
            yield Compared(("the digests of a turn with envelopes",))
            leaks = [_leaked(given, digest.data_facts_json) for given in enveloped]
            if all(leaks):
                yield _violation(turn_.step.index, leaks[0], "digest", digest.data_facts_json)


def _violation(step: int, found: str, place: str, got: str) -> Violation:
    return Violation(
        kind=f"envelope in a {place}",
        step=step,
        expected=f"nothing of {ENVELOPE} in the {place}; {shorten(found, 40)!r} stands there",
        got=shorten(got),
    )


def _rest(shown: Shown) -> Iterator[str]:
    if ENVELOPE not in shown.given.call.data_json:
        return
    if ENVELOPE in json.dumps(shown.given.data):
        yield "data that only mentions it"
    elif _enveloped(shown.given):
        yield "fields beside the envelope"


def _classes(given: GivenCall) -> Iterator[str]:
    meta: Any = given.raw[ENVELOPE]
    yield "an envelope that is an object" if is_object(meta) else "an envelope of another kind"
    if given.data == {}:
        yield "nothing but the envelope"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "action-meta-kinds",
        "envelopes of every kind, beside data and alone",
        turn(
            "one",
            call({ENVELOPE: _META, "id": "x-1", "rows": [{"a": 1}]}),
            call({"id": "x-2", ENVELOPE: _META}, app=APPS[1]),
            call({ENVELOPE: _META}, app=APPS[2]),
        ),
        turn(
            "two",
            call({ENVELOPE: None, "id": 1}),
            call({ENVELOPE: "envelope-canary-4712", "id": 2}, app=APPS[1]),
            call({ENVELOPE: ["envelope-canary-4713"], "id": 3}, app=APPS[2]),
        ),
    )
    yield fact_scenario(
        "action-meta-mentioned",
        "data that mentions the envelope in values and has keys like it",
        turn(
            "one",
            call({"note": f"see {ENVELOPE}", "action_meta": {"kept": True}, "action_type": "read"}),
            call(
                {"_meta": 1, "duration_ms": 7, "_action": "kept", "see": ENVELOPE},
                function=FUNCTIONS[1],
            ),
            call(f"{ENVELOPE} in prose", app=APPS[1]),
        ),
    )


_ENVELOPED = (
    Partition("an envelope that is an object", "as the kernel writes it"),
    Partition("an envelope of another kind", "null, a string or a list"),
    Partition("nothing but the envelope", "an empty object is left"),
)

INVARIANT = Invariant(
    id="C-LEDGER-ACTION-META",
    title="The _action_meta envelope stays out",
    statement=(
        f"The facts are the data minus its {ENVELOPE} envelope: nothing of the envelope reaches "
        "the ledger, and everything else does."
    ),
    sources=(fact_ledger("Why it exists"),),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        f"The envelope is the key {ENVELOPE} at the top of the data; what a key of that name means "
        "deeper down is open, and so not judged."
    ),
    clauses=(
        Clause(
            name="not-in-facts",
            sentence="Neither the envelope's key nor anything in it stands in a FACTS line.",
            judge=_not_in_facts,
            partitions=_ENVELOPED,
        ),
        Clause(
            name="not-in-digests",
            sentence="Neither the envelope's key nor anything in it stands in a digest.",
            judge=_not_in_digests,
            partitions=(
                Partition("the digests of a turn with envelopes", "every digest of the turn"),
            ),
            capabilities=frozenset({"digest"}),
        ),
        Clause(
            name="rest-kept",
            sentence="The other fields stay, also those that look like the envelope or name it.",
            judge=kept(_rest),
            partitions=(
                Partition("fields beside the envelope", "they are the facts"),
                Partition("data that only mentions it", "in a value, not as its key"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
