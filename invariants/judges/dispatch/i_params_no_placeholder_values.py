"""I-PARAMS-NO-PLACEHOLDER-VALUES: what stands for a value is no value."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.dispatch import Offer, ScriptedCall, read_dispatch, texts
from ...scenarios.dispatch import conversations, held
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import Scenario
from ...vocabulary.sources import changelog, sdk_code
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _refused(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        offer = each.deciding
        if offer is None or not offer.placeholders:
            continue
        yield Compared(tuple(_classes(each, offer)), each.step.index)
        if each.entered:
            yield Violation(
                kind="placeholder dispatched",
                step=each.step.index,
                expected=f"{each.name} refused: {offer.placeholders[0]} holds a placeholder",
                got=each.told,
            )


def _classes(each: ScriptedCall, offer: Offer) -> Iterator[str]:
    yield "what waits for a yes" if each.waits else "a write" if each.writes else "a read"
    at_top = [value for value in offer.fields.values() if isinstance(value, str)]
    inside = any(value in offer.placeholders for value in offer.placeholders)
    found = [offer.fields[name] for name in offer.placeholders]
    if inside and any(value not in at_top for value in found if not isinstance(value, str)):
        yield "inside a list or an object"
    if any(text != text.strip() for value in found for text in texts(value)):
        yield "between blanks"
    if any(text.strip() in ("<EMAIL>", "<PHONE>") for value in found for text in texts(value)):
        yield "what masking leaves"
    if offer is not each.first:
        yield "on a retry"


def _others_pass(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        if not each.is_ordinary or not any("<" in text for text in texts(each.first.args)):
            continue
        yield Compared(("angle brackets",), each.step.index)
        if each.is_refused:
            yield Violation(
                kind="ordinary text refused",
                step=each.step.index,
                expected=f"{each.name} runs with {each.first.args_json}",
                got=each.told,
            )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    texts = ("<TODO>", " <EMAIL> ")
    yield held("placeholders-held", [{"to": text} for text in texts])
    yield held("placeholders-held-inside", [{"n": 7, "to": ["a", {"who": text}]} for text in texts])


INVARIANT = Invariant(
    id="I-PARAMS-NO-PLACEHOLDER-VALUES",
    title="Placeholders are refused",
    statement="A call with an argument that is nothing but an upper-case word in angle brackets is "
    "refused before its handler runs, whether it reads or writes.",
    sources=(
        changelog("6.3.7", "I-PARAMS-NO-PLACEHOLDER-VALUES"),
        sdk_code("imperal_sdk.chat.guards", "check_placeholder_args"),
    ),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="critical",
    reading=(
        "Blanks around it do not matter; a text at any depth counts, the name of a field does not. "
        "No code is named for the refusal, so that any is accepted. What the masking of personal "
        "data leaves in a fact, <EMAIL>, has the very shape: a planner that copies it is refused."
    ),
    clauses=(
        Clause(
            "placeholder-refused",
            "A call with a placeholder at any depth does not reach its handler.",
            _refused,
            (
                Partition("a read", "the function is declared to read"),
                Partition("a write", "the function is declared to write"),
                Partition(
                    "what waits for a yes",
                    "the function is declared to be destructive",
                    capabilities=frozenset({"confirm"}),
                ),
                Partition("inside a list or an object", "not at the top of the arguments"),
                Partition("between blanks", "white space stands around it"),
                Partition("what masking leaves", "<EMAIL> or <PHONE>"),
                Partition("on a retry", "the planner gives it when asked again"),
            ),
            contradictions=(
                Contradiction(
                    "fact-ledger page, PII gate",
                    "facts are masked by default, so that a planner may copy what masking left.",
                    "Such a copy is a placeholder, and a call with it is refused: the value itself "
                    "was never seen.",
                ),
            ),
        ),
        Clause(
            "ordinary-text-passes",
            "A call whose texts hold angle brackets among other things runs.",
            _others_pass,
            (Partition("angle brackets", "a text with some that is no placeholder"),),
        ),
    ),
    scenarios=_scenarios,
    strategy=conversations,
)
