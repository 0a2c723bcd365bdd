"""C-LEDGER-ONE-LINE-PER-CALL: each successful call has one FACTS line, in dispatch order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...readings.facts import PromptReading, read_facts
from ...readings.given import GivenCall, GivenTurn
from ...readings.sizes import read_sizes
from ...readings.strangers import by_prompt, read_judged
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import LIKE_VALUES, hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import is_object
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario
from ...vocabulary.sources import fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_MANY = 8


def _no_call_without_a_line(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    for prompt in view.reading(read_facts).prompts:
        if prompt.retry:
            continue
        for turn_ in prompt.turns:
            if len(turn_.successful) < 2 or not sizes.surely_fits(turn_):
                continue
            yield Compared(tuple(_likeness(turn_)))
            lost = [given for given in turn_.successful if given in prompt.missing]
            for given in lost[:1]:
                yield Violation(
                    kind="fewer lines than calls",
                    step=prompt.step.index,
                    expected=f"{counted(len(turn_.successful), 'FACTS line')} for the turn of step "
                    f"{turn_.step.index}, one of them {_name(given)} {shorten(given.data)}",
                    got=f"{len(turn_.successful) - len(lost)} of them",
                )


def _likeness(turn_: GivenTurn) -> Iterator[str]:
    owners = Counter((g.call.app, g.call.function) for g in turn_.successful)
    calls = Counter((g.call.app, g.call.function, g.call.data_json) for g in turn_.successful)
    if owners.most_common(1)[0][1] > 1:
        yield "one function called twice"
    if calls.most_common(1)[0][1] > 1:
        yield "one call made twice, with equal data"
    if len({function for _, function in owners}) < len(owners):
        yield "functions of one name in two extensions"
    if len(turn_.successful) >= _MANY:
        yield "many calls"
    if any(is_object(g.data) and g.data.get("v") is True for g in turn_.successful):
        yield "data that is alike"


def _no_call_with_two_lines(view: TraceView) -> Iterator[Finding]:
    strangers = by_prompt(view, "window")
    for prompt in view.reading(read_judged):
        if not prompt.expected:
            continue
        if prompt.recognised:
            yield Compared(("facts in the window",))
        for stranger in strangers.get(id(prompt), ()):
            yield Violation(
                kind="more lines than calls",
                step=prompt.step.index,
                expected=f"{counted(len(prompt.expected), 'FACTS line')}, one for each "
                "successful call",
                got=f"once more: {shorten(stranger.line.text)}",
            )


def _in_dispatch_order(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_facts).prompts:
        for turn_ in prompt.turns:
            shown = _as_shown(prompt, turn_) if len(turn_.successful) > 1 else []
            if len(shown) < 2:
                continue
            yield Compared(tuple(_order_class(shown)))
            due = sorted(
                shown, key=lambda given: given.index, reverse=prompt.order.latest_call_first
            )
            if shown != due:
                yield Violation(
                    kind="calls of a turn out of order",
                    step=prompt.step.index,
                    expected=", ".join(_name(given) for given in due),
                    got=", ".join(_name(given) for given in shown),
                )


def _as_shown(prompt: PromptReading, turn_: GivenTurn) -> list[GivenCall]:
    """The turn's calls in the order of their lines, without those that may be confused."""
    alike = Counter((g.call.app, g.call.function, g.call.data_json) for g in turn_.successful)
    placed = [
        (line.order, given)
        for line, given in (*prompt.pairs, *prompt.displaced)
        if given.turn is turn_
        and given.shown_by(line)
        and alike[given.call.app, given.call.function, given.call.data_json] == 1
    ]
    return [given for _, given in sorted(placed, key=lambda pair: pair[0])]


def _order_class(shown: list[GivenCall]) -> Iterator[str]:
    names = [(g.call.app, g.call.function) for g in sorted(shown, key=lambda g: g.index)]
    if names != sorted(names):
        yield "not the order of names"
    if len(set(names)) < len(names):
        yield "one function called twice"


def _name(given: GivenCall) -> str:
    return f"{given.call.app}.{given.call.function} (call {given.index})"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "one-line-twins",
        "one call made twice with equal data, and functions of one name",
        turn("one", call({"n": 7}), call({"n": 7}), call({"n": 7}, app=APPS[1])),
        turn("two", call({"n": 7}), call({"n": 8}), call({"n": 7}, function=FUNCTIONS[1])),
        turn("again", *(call({"note": "the same words, and not few"}, app=a) for a in APPS[:2])),
        turn("three", call({"id": "c"}), call({"id": "a"}), call({"id": "b"})),
    )
    yield fact_scenario(
        "one-line-alike",
        "nine calls of one function whose data is nearly the same",
        turn("one", *(call(data) for data in LIKE_VALUES)),
    )
    yield fact_scenario(
        "one-line-mixed",
        "calls of three extensions, in no order of names",
        turn(
            "one",
            *(
                call({"n": n}, app=APPS[(7 * n + 2) % 3], function=FUNCTIONS[(5 * n + 1) % 3])
                for n in range(12)
            ),
        ),
    )


INVARIANT = Invariant(
    id="C-LEDGER-ONE-LINE-PER-CALL",
    title="One FACTS line per call",
    statement=(
        "A turn shows one FACTS line per successful tool call, in the order in which the calls "
        "were dispatched or in the reverse; calls that look alike are still two calls."
    ),
    sources=(fact_ledger("What it stores"), fact_ledger("What the classifier sees")),
    capabilities=frozenset({"fact_ledger"}),
    reading="Lines may be missing only in a turn that may exceed the cap.",
    clauses=(
        Clause(
            name="no-call-without-a-line",
            sentence="Of several calls of a turn each has its own line, however alike they are.",
            judge=_no_call_without_a_line,
            partitions=(
                Partition("one function called twice", "with different data"),
                Partition("one call made twice, with equal data", "two equal lines"),
                Partition("functions of one name in two extensions", "the extension differs"),
                Partition("many calls", "eight or more"),
                Partition("data that is alike", "true, 1, null, the empty string, nothing"),
            ),
        ),
        Clause(
            name="no-call-with-two-lines",
            sentence="No call has a second line.",
            judge=_no_call_with_two_lines,
            partitions=(Partition("facts in the window", "the prompt shows facts"),),
        ),
        Clause(
            name="in-dispatch-order",
            sentence="The lines of a turn stand in the order of its calls, oldest or newest first.",
            judge=_in_dispatch_order,
            partitions=(
                Partition("not the order of names", "sorting by name would show"),
                Partition("one function called twice", "with different data"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
