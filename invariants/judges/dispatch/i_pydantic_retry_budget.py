"""I-PYDANTIC-RETRY-BUDGET: arguments that do not fit are asked for again, a few times only."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.arguments import difference
from ...readings.dispatch import ScriptedCall, read_dispatch
from ...scenarios.dispatch import conversations
from ...vocabulary.invariant import Clause, Invariant, Partition, only_rows
from ...vocabulary.sources import changelog, page
from ...vocabulary.text import counted
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _misfitting(view: TraceView) -> Iterator[ScriptedCall]:
    """Yield the calls that are planned with arguments that do not fit, and that no guard minds."""
    for each in view.reading(read_dispatch):
        if each.first.misfits and not any(offer.guarded for offer in each.offers):
            yield each


def _budget(view: TraceView) -> Iterator[Finding]:
    allowed = view.parameters.retry_budget
    for each in _misfitting(view):
        yield Compared(tuple(_classes(each, allowed)), each.step.index)
        if len(each.prompts) > allowed:
            yield Violation(
                kind="asked too often",
                step=each.step.index,
                expected=f"{each.name}: the planner is asked again at most "
                f"{counted(allowed, 'time')}",
                got=f"{counted(len(each.prompts), 'time')}; then {each.told}",
            )


def _classes(each: ScriptedCall, allowed: int) -> Iterator[str]:
    place = next((n for n, offer in enumerate(each.offers) if not offer.misfits), None)
    if place is None or place > allowed:
        yield "nothing fits in time"
    else:
        yield "fits at last" if place == allowed else "fits in time"
    if any(one.first.misfits for one in each.before):
        yield "after another such call"


def _never_run(view: TraceView) -> Iterator[Finding]:
    for each in _misfitting(view):
        yield Compared(step=each.step.index)
        for step, event in each.entered:
            fitting = (offer for offer in each.offers if not offer.misfits)
            if not any(_same(offer.args_json, event.args_json) for offer in fitting):
                yield Violation(
                    kind="misfit dispatched",
                    step=step.index,
                    expected=f"{each.name} runs with none of the arguments that do not fit: "
                    f"{', '.join(each.first.misfits)}",
                    got=each.told,
                )


def _same(given: str, got: str) -> bool:
    return difference(given, got) is None


def _fitting_runs(view: TraceView) -> Iterator[Finding]:
    for each in _misfitting(view):
        place = next((n for n, offer in enumerate(each.offers) if not offer.misfits), None)
        if place is None or place > len(each.prompts):
            continue
        yield Compared(step=each.step.index)
        if not each.entered:
            yield Violation(
                kind="fitting call not run",
                step=each.step.index,
                expected=f"{each.name} runs: asked again, the planner gave what fits",
                got=each.told,
            )


def _fails_with_code(view: TraceView) -> Iterator[Finding]:
    for each in _misfitting(view):
        if each.entered or each.blocked is None:
            continue
        yield Compared(step=each.step.index)
        if each.blocked.error_code not in ("", "VALIDATION_MISSING_FIELD", "VALIDATION_TYPE_ERROR"):
            yield Violation(
                kind="another code",
                step=each.step.index,
                expected=f"{each.name} fails with VALIDATION_MISSING_FIELD or "
                "VALIDATION_TYPE_ERROR",
                got=each.told,
            )


INVARIANT = Invariant(
    id="I-PYDANTIC-RETRY-BUDGET",
    title="Arguments that do not fit are asked for twice more",
    statement="A call whose arguments do not fit its declared model is retried at most twice; then "
    "it fails with a code of validation, and its handler never ran.",
    sources=(
        page("pydantic-feedback-loop", "retries"),
        changelog("6.3.7", "I-PYDANTIC-RETRY-BUDGET"),
    ),
    capabilities=frozenset({"fact_ledger", "dispatch"}),
    severity="high",
    reading="A kernel may ask again less often, and may ask the user instead; another number is "
    "declared as retry_budget.",
    clauses=(
        Clause(
            "at-most-two-retries",
            "The planner is asked for a call again at most as often as the budget says.",
            _budget,
            (
                Partition("fits in time", "the arguments fit before the budget is spent"),
                Partition("fits at last", "they fit when it is just spent"),
                Partition("nothing fits in time", "they do not"),
                Partition("after another such call", "an earlier call of the turn was retried"),
            ),
        ),
        Clause(
            "misfits-never-run",
            "A handler is never entered with arguments that do not fit.",
            _never_run,
        ),
        Clause(
            "fitting-retry-runs",
            "When the planner, asked again, gives arguments that fit, the call runs.",
            _fitting_runs,
        ),
        Clause(
            "fails-with-a-code",
            "A call that is refused because its arguments do not fit says so, if it says a code.",
            _fails_with_code,
        ),
    ),
    scenarios=only_rows,
    strategy=conversations,
)
