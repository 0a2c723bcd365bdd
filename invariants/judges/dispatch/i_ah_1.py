"""I-AH-1: a call with an invented id does not reach its handler."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.dispatch import ID_FIELDS, Offer, ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations, held
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import Scenario
from ...vocabulary.sources import changelog, page, sdk_code
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_CODE = "FABRICATED_ID_SHAPE"


def _shape_refused(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        offer = each.deciding
        if offer is None or not offer.fabricated:
            continue
        field = offer.fabricated[0]
        yield Compared(tuple(_classes(each, offer)), each.step.index)
        if each.entered:
            yield Violation(
                kind="invented id dispatched",
                step=each.step.index,
                expected=f"{each.name} refused: {field} is {offer.fields[field]!r}",
                got=each.told,
            )
        elif each.blocked is not None and each.blocked.error_code not in ("", _CODE):
            if offer.misfits or offer.placeholders or offer.bleeds:
                continue
            yield Violation(
                kind="another code",
                step=each.step.index,
                expected=f"{each.name} refused with {_CODE}",
                got=each.told,
            )


def _classes(each: ScriptedCall, offer: Offer) -> Iterator[str]:
    yield f"in {offer.fabricated[0]}"
    yield "what waits for a yes" if each.waits else "a write" if each.writes else "a read"
    if offer is not each.first:
        yield "on a retry"
    if offer.misfits:
        yield "beside an argument that does not fit"


def _others_pass(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        if not each.is_ordinary or not _ids(each):
            continue
        kind = "a hyphenated id" if _hyphenated(each) else "another id"
        yield Compared((kind,), each.step.index)
        if each.is_refused:
            yield Violation(
                kind="real id refused",
                step=each.step.index,
                expected=f"{each.name} runs with {each.first.args_json}",
                got=each.told,
            )


def _ids(each: ScriptedCall) -> list[str]:
    return [
        value
        for name, value in each.first.fields.items()
        if isinstance(value, str) and (name.endswith("_id") or name in ("id", "subject"))
    ]


def _hyphenated(each: ScriptedCall) -> bool:
    return any("-" in value for value in _ids(each))


def _never_seen(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        offer = each.first
        if not offer.unseen or offer.fabricated or offer.misfits or offer.placeholders:
            continue
        yield Compared(("a write" if each.writes else "a read",), each.step.index)
        if each.entered:
            field = offer.unseen[0]
            yield Violation(
                kind="unseen id dispatched",
                step=each.step.index,
                expected=f"{each.name} does not run: {field} {offer.fields[field]!r} stands "
                "nowhere in the conversation",
                got=each.told,
            )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield held("invented-ids-held", [{"n": 7, name: "acme-outlook-1"} for name in ID_FIELDS])


_PAGE = page("federal-invariants", "worked example: I-AH-1")

INVARIANT = Invariant(
    id="I-AH-1",
    title="Invented ids are refused",
    statement="A call whose message_id, thread_id, email_id or msg_id has the shape of words and a "
    "number is refused before its handler runs, on every attempt.",
    sources=(
        changelog("6.3.7", "I-AH-1"),
        page("pydantic-feedback-loop", "guards"),
        sdk_code("imperal_sdk.chat.guards", "check_id_shape_fabrication"),
    ),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="critical",
    reading=(
        "The shape is a lower-case word that begins with a letter, a hyphen, a word, a hyphen and "
        "digits, and is the whole value of the field at the top of the arguments. A refusal "
        "without a code, as a question to the user for instance, is a refusal. What the page says "
        "of ids that were never seen goes further than the published code, and is advisory."
    ),
    clauses=(
        Clause(
            "fabricated-id-shape",
            "A call with an id of the invented shape does not reach its handler, and what refuses "
            "it says FABRICATED_ID_SHAPE if it says a code.",
            _shape_refused,
            (
                *(Partition(f"in {name}", "the field that holds it") for name in ID_FIELDS),
                Partition("a read", "the function is declared to read"),
                Partition("a write", "the function is declared to write"),
                Partition(
                    "what waits for a yes",
                    "the function is declared to be destructive",
                    capabilities=frozenset({"confirm"}),
                ),
                Partition("on a retry", "the planner gives it when asked again"),
                Partition("beside an argument that does not fit", "validation would fail too"),
            ),
        ),
        Clause(
            "other-ids-pass",
            "A call with an id of another shape, which the user named, runs.",
            _others_pass,
            (
                Partition("a hyphenated id", "a UUID, a text with hyphens"),
                Partition("another id", "digits, base64"),
            ),
        ),
        Clause(
            "id-never-seen",
            "A call with an id that stands nowhere in the conversation does not run.",
            _never_seen,
            (Partition("a read", "it reads"), Partition("a write", "it writes")),
            level="SHOULD",
            sources=(_PAGE,),
        ),
    ),
    scenarios=_scenarios,
    strategy=conversations,
)
