"""C-LEDGER-MARKER-ONLY-WHEN-CUT: a warning marker stands exactly where something was cut."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.given import GivenTurn
from ...readings.pairs import Shown, shown_pairs
from ...readings.sizes import Sizes, read_sizes
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Call, Scenario
from ...vocabulary.sources import fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation
from . import i_fact_ledger_per_turn_agg_cap as agg_cap

_LIKE_MARKERS = ("truncated", "…", "[", "...")
_FULL = 0.8
_SEVERAL = 5

_MARKED = next(c for c in agg_cap.INVARIANT.clauses if c.name == "overflow-marked")


def _none_without_a_cut(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    for shown in shown_pairs(view):
        payload = shown.payload
        if not shown.fits or not payload.intact:
            continue
        nearly_full = _nearly_full(sizes, shown.given.turn)
        names = tuple(_classes(shown, nearly_full=nearly_full))
        yield Compared(names, shown.given.turn.step.index)
        if payload.remainder:
            yield Violation(
                kind="marker though nothing was cut",
                step=shown.prompt.step.index,
                expected=f"nothing behind {shorten(shown.given.data)}",
                got=shorten(payload.remainder),
            )


def _nearly_full(sizes: Sizes, turn_: GivenTurn) -> bool:
    least = sizes.view.parameters.turn_cap * _FULL
    if sum(len(given.call.data_json) for given in turn_.successful) * 2 < least:
        return False
    return sum(sizes.most(given) for given in turn_.successful) > least


def _classes(shown: Shown, *, nearly_full: bool) -> Iterator[str]:
    if nearly_full:
        yield "nearly as much as the cap"
    if len(shown.given.turn.successful) >= _SEVERAL:
        yield "several calls"
    if any(
        isinstance(shown.given.data, str) and word in shown.given.data for word in _LIKE_MARKERS
    ):
        yield "data that looks like a marker"
    if len(shown.given.call.summary) > len(shown.given.call.data_json):
        yield "a summary longer than the data"


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    cap = parameters.turn_cap
    yield fact_scenario(
        "marker-nearly-full",
        "turns that nearly fill the cap, in one call and in six",
        turn("one", call({"text": "x" * (cap - 150)})),
        turn("two", *_parts(6, (cap - 500) // 6)),
        turn("three", call({"n": 1}, summary="a long summary, far longer than the data " * 9)),
    )
    yield fact_scenario(
        "marker-look-alikes",
        "data that looks like a marker",
        turn("one", call("… [truncated 12 characters]"), call("[", app=APPS[1])),
        turn("two", call({"truncated": True, "…": "...", "note": "[truncated]"})),
    )
    yield fact_scenario(
        "marker-when-cut",
        "one oversized call, then five that exceed the cap together",
        turn("one", call({"text": "x" * (2 * cap)})),
        turn("two", *_parts(5, cap * 2 // 5)),
    )


def _parts(count: int, size: int) -> Iterator[Call]:
    for number in range(count):
        yield call({"number": number, "text": "y" * size}, app=APPS[number % len(APPS)])


INVARIANT = Invariant(
    id="C-LEDGER-MARKER-ONLY-WHEN-CUT",
    title="A marker exactly when something was cut",
    statement=(
        "A turn whose facts exceed the cap carries a warning marker; behind the facts of a turn "
        "that fits there is none."
    ),
    sources=(fact_ledger("Caps and limits"),),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "Words and place of the marker are free. That there is none can be told behind a payload "
        "only: a line that stands below every turn may be a legend."
    ),
    clauses=(
        Clause(
            name="none-without-a-cut",
            sentence="Nothing stands behind the payload of a call in a turn that fits.",
            judge=_none_without_a_cut,
            partitions=(
                Partition("nearly as much as the cap", "four fifths of it, in every reading"),
                Partition("several calls", "five or more"),
                Partition("data that looks like a marker", "a string like one"),
                Partition("a summary longer than the data", "prose is not what is cut"),
            ),
        ),
        Clause(
            name="one-with-a-cut",
            sentence="A turn of which something was cut or dropped carries a marker.",
            judge=_MARKED.judge,
            partitions=_MARKED.partitions,
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
