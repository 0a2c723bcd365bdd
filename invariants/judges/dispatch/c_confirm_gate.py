"""C-CONFIRM-GATE: what is destructive waits for its user's yes."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.arguments import difference
from ...readings.dispatch import ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition, only_rows
from ...vocabulary.sources import changelog, page
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _waits(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        held = each.waits or (view.parameters.confirm_writes and each.writes)
        if not held or not each.first.is_ordinary:
            continue
        yield Compared(tuple(_classes(each)), each.step.index)
        if each.at_once:
            yield Violation(
                kind="ran without a yes",
                step=each.step.index,
                expected=f"{each.name} waits until its user has said yes",
                got=each.told,
            )
        elif each.carded is None:
            yield Violation(
                kind="no card",
                step=each.step.index,
                expected=f"{each.name} stands on a card",
                got=each.told,
            )


def _classes(each: ScriptedCall) -> Iterator[str]:
    if any(one.waits for one in each.before):
        yield "a second one in the turn"
    if any(not one.waits for one in each.before):
        yield "after a call that runs at once"
    if not each.before:
        yield "the first call"


def _card_tells(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        card = each.carded
        if card is None or each.at_once:
            continue
        yield Compared(step=each.step.index)
        named = (card.app, card.function) == (each.call.app, each.call.function)
        told = difference(each.first.args_json, card.args_json)
        if not named or (told is not None and each.first.is_ordinary):
            yield Violation(
                kind=f"card shows another {'argument' if named else 'function'}",
                step=each.step.index,
                expected=f"{each.name} with {each.first.args_json}",
                got=f"{card.app}.{card.function} with {card.args_json}",
            )


def _reads_run(view: TraceView) -> Iterator[Finding]:
    for each in view.reading(read_dispatch):
        if each.writes or not each.is_ordinary or not _beside_waiting(each, view):
            continue
        yield Compared(step=each.step.index)
        if not each.at_once:
            yield Violation(
                kind="read held",
                step=each.step.index,
                expected=f"{each.name} only reads, and runs at once",
                got=each.told,
            )


def _beside_waiting(each: ScriptedCall, view: TraceView) -> bool:
    return any(one.waits for one in view.reading(read_dispatch) if one.step is each.step)


INVARIANT = Invariant(
    id="C-CONFIRM-GATE",
    title="What is destructive waits",
    statement="A call of a function that is declared destructive is held: its handler does not run "
    "before its user has said yes to a card that names function and arguments.",
    sources=(
        page("confirmations", "the two-step gate"),
        page("action-types", "destructive"),
        changelog("6.3.7", "I-CHATEXT-DESTRUCTIVE-ESCALATE"),
    ),
    capabilities=frozenset({"fact_ledger", "dispatch", "confirm"}),
    severity="critical",
    reading="One edition of the page lets writes wait too: a kernel that does declares "
    "confirm_writes. One card may hold all calls of a turn, or each its own.",
    clauses=(
        Clause(
            "destructive-waits",
            "The handler of a destructive call is not entered in the turn that plans it; the call "
            "stands on a card instead.",
            _waits,
            (
                Partition("the first call", "nothing was called before it"),
                Partition("after a call that runs at once", "a read or a write came before"),
                Partition("a second one in the turn", "another one waits already"),
            ),
            contradictions=(
                Contradiction(
                    "confirmations page, later edition",
                    "every write waits, and every destructive call.",
                    "Both editions name destructive calls: those are judged. A write must wait "
                    "where the kernel declares confirm_writes.",
                ),
                Contradiction(
                    "administrators' form, confirmations",
                    "they are off by default, for writes and for destructive calls.",
                    "Both editions of the page hold destructive calls always: so it is judged.",
                ),
            ),
        ),
        Clause(
            "card-tells-the-call",
            "The card names the extension, the function and the arguments as they were planned.",
            _card_tells,
        ),
        Clause(
            "reads-run-at-once",
            "A read in the same turn does not wait.",
            _reads_run,
            level="SHOULD",
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
