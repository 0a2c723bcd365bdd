"""I-DISPATCH-RESULT-DATA-PLUMBED: the ledger is fed from ActionResult.data, never from prose."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...readings.facts import RENDERED, read_facts
from ...readings.given import ENVELOPE, GivenCall, told_digests
from ...readings.pairs import Shown, has_lone_surrogate, verbatim_pairs
from ...readings.sizes import read_sizes
from ...scenarios.facts import call, fact_scenario, fact_scenarios, turn
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import is_object, kind_of
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten, told_apart
from ...vocabulary.trace import Digest
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_CANARY = 12
"""Shortest summary that is looked for in a payload, in characters."""

_ENVELOPE_KEYS = frozenset({"data", "response", "result", "error", "status", "success"})
"""Keys by which careless code takes data for something around data."""

_HEAD = 200
"""How much of a summary is looked for, in characters."""


def _payload_is_data(view: TraceView) -> Iterator[Finding]:
    for shown in verbatim_pairs(view):
        payload = shown.payload
        if not shown.fits:
            continue
        yield Compared(_kinds(shown.given), shown.given.turn.step.index)
        if payload.intact or payload.cut:
            continue
        if payload.differences:
            first = payload.differences[0]
            expected, got = told_apart(first.expected, first.got)
            yield _differs(
                shown, first.kind, f"{first.where} is {expected}", f"{first.where} is {got}"
            )
        else:
            yield _differs(
                shown,
                "payload is not the data as JSON",
                shorten(shown.given.data),
                shorten(payload.text),
            )


def _differs(shown: Shown, kind: str, expected: str, got: str) -> Violation:
    name = f"{shown.given.call.app}.{shown.given.call.function}"
    return Violation(
        kind=kind,
        step=shown.prompt.step.index,
        expected=f"the data of {name}: {expected}",
        got=f"in its FACTS line: {got}",
    )


def _kinds(given: GivenCall) -> tuple[str, ...]:
    kind = kind_of(given.data)
    names = [f"{kind} data"]
    if given.data in ({}, []):
        names.append("empty data")
    if is_object(given.data) and not _ENVELOPE_KEYS.isdisjoint(given.data):
        names.append("keys of an envelope")
    if len(given.turn.successful) > 1:
        names.append("several calls in a turn")
    return tuple(names)


def _no_action_meta(view: TraceView) -> Iterator[Finding]:
    for shown in verbatim_pairs(view):
        given = shown.given
        if not (is_object(given.raw) and ENVELOPE in given.raw):
            continue
        yield Compared(("data with an _action_meta envelope",))
        if ENVELOPE in shown.payload.text and ENVELOPE not in json.dumps(given.data):
            yield Violation(
                kind="envelope in the facts",
                step=shown.prompt.step.index,
                expected=f"no {ENVELOPE} in the FACTS line",
                got=shorten(shown.payload.text),
            )


def _no_summary(view: TraceView) -> Iterator[Finding]:
    for shown in verbatim_pairs(view):
        summary = shown.given.call.summary
        if len(summary) < _CANARY or _appears(summary, json.dumps(shown.given.data)):
            continue
        yield Compared(
            ("long summary",) if len(summary) > 1500 else ("summary with its own words",)
        )
        if _appears(summary, shown.payload.text):
            yield Violation(
                kind="summary in the facts",
                step=shown.prompt.step.index,
                expected="the FACTS line shows data, not the summary",
                got=shorten(shown.payload.text),
            )


def _appears(summary: str, payload: str) -> bool:
    """Whether the summary, or the beginning of it, stands in the payload in any escaping."""
    head = summary[:_HEAD]
    written = (json.dumps(head, ensure_ascii=only_ascii)[1:-1] for only_ascii in (True, False))
    return head in payload or any(text in payload for text in written)


def _digest_is_data(view: TraceView) -> Iterator[Finding]:
    """Digests are free in order and timing, may be masked, and may be cut with their turn."""
    if not view.exposes_pii and "env_per_scenario" in view.capabilities:
        return
    sizes = view.reading(read_sizes)
    for turn_ in view.reading(read_facts).turns:
        if not sizes.surely_fits(turn_):
            continue
        left = [c for c in turn_.successful if not has_lone_surrogate(c.call.data_json)]
        for digest in turn_.step.all(Digest):
            match = _closest(digest, left)
            if match is not None:
                left.remove(match)
                yield Compared(("digest of a call",))
        for digest_less in left:
            yield Compared(("digest of a call",))
            yield Violation(
                kind="no digest with the data",
                step=turn_.step.index,
                expected=f"a digest of {digest_less.call.app}.{digest_less.call.function} "
                f"with {shorten(digest_less.data)}",
                got=told_digests(turn_.step.all(Digest)),
            )


def _closest(digest: Digest, calls: list[GivenCall]) -> GivenCall | None:
    for given in calls:
        if digest.app_id == given.call.app and digest.fn_name == given.call.function:
            payload = given.payload(digest.data_facts_json)
            if payload.intact and not payload.remainder:
                return given
    return None


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "plumbed-object",
        "36 tasks stay 36 tasks",
        turn(
            "list my tasks",
            call(
                {"total": 36, "tasks": [{"id": "t-1", "title": "pay"}]},
                function=FUNCTIONS[1],
                summary="You have 50 tasks, most of them overdue.",
            ),
        ),
    )
    yield fact_scenario(
        "plumbed-envelope-keys",
        "data whose keys are those of an envelope, or look like something else than keys",
        turn(
            "one",
            call({"data": {"n": 1}}),
            call({"response": {"n": 2}, "status": "ok"}, app=APPS[1]),
            call({"error": None, "success": False, "status": "error"}, app=APPS[2]),
            call({"error": "none so far", "n": 3}, function=FUNCTIONS[1]),
            call({"result": [4]}, function=FUNCTIONS[2]),
        ),
        turn("two", call({"0": "a", "1": "b"}), call({"$id": 1, " padded ": 2, "#": 3, "x.y": 4})),
    )
    yield fact_scenario(
        "plumbed-action-meta",
        "the _action_meta envelope stays out",
        turn(
            "do it",
            call({"_action_meta": {"action_type": "write", "duration_ms": 12}, "id": "x-1"}),
        ),
    )
    yield fact_scenario(
        "plumbed-long-summary",
        "a summary longer than the preview, with little data",
        turn("tell me", call({"n": 1}, summary="All of it went well indeed. " * 80)),
        turn("and", call({"n": 2}, app=APPS[1], summary="Nothing to report here.")),
    )


INVARIANT = Invariant(
    id="I-DISPATCH-RESULT-DATA-PLUMBED",
    title="The ledger is fed from data, not from prose",
    statement=(
        "After a successful tool call the ledger entry is filled from ActionResult.data without "
        "its _action_meta envelope, never from the summary or the prose preview."
    ),
    severity="critical",
    sources=(
        fact_ledger("Caps and limits"),
        fact_ledger("Federal invariants"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    rests_on=(RENDERED,),
    reading=(
        "Compared as parsed JSON: key order, escaping and 1 against 1.0 are free. With masking on "
        "only what no masking may touch is compared (contradiction C4). Turns that may overflow "
        "the cap are left to I-FACT-LEDGER-PER-TURN-AGG-CAP."
    ),
    clauses=(
        Clause(
            name="payload-is-data",
            sentence="The payload of a FACTS line is the data that the call returned.",
            judge=_payload_is_data,
            partitions=(
                Partition("object data", "the data is an object"),
                Partition("string data", "the data is a string"),
                Partition("list data", "the data is a list"),
                Partition("number data", "the data is a number"),
                Partition("null data", "the data is null"),
                Partition("boolean data", "the data is true or false", kind="observed"),
                Partition("empty data", "the data is an empty object or list"),
                Partition("several calls in a turn", "the turn has more than one fact"),
                Partition("keys of an envelope", "data, response, error, status and such"),
            ),
        ),
        Clause(
            name="no-action-meta",
            sentence="The _action_meta envelope of the data never appears in the facts.",
            judge=_no_action_meta,
            partitions=(
                Partition("data with an _action_meta envelope", "the data carries the envelope"),
            ),
            sources=(fact_ledger("Why it exists"),),
        ),
        Clause(
            name="no-summary",
            sentence="The summary and its preview never feed the facts.",
            judge=_no_summary,
            partitions=(
                Partition("summary with its own words", "the summary says what the data does not"),
                Partition("long summary", "the summary is longer than the 1,500-character preview"),
            ),
        ),
        Clause(
            name="digest-is-data",
            sentence="Every successful call leaves a digest that holds its owner and its data.",
            judge=_digest_is_data,
            partitions=(Partition("digest of a call", "a successful call in a turn that fits"),),
            capabilities=frozenset({"digest"}),
            sources=(fact_ledger("What it stores"),),
        ),
    ),
    scenarios=_scenarios,
    strategy=fact_scenarios,
)
