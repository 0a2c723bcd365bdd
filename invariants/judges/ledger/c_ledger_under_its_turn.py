"""C-LEDGER-UNDER-ITS-TURN: the facts of a turn stand under that turn's preview."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.given import ShownFact
from ...readings.previews import Layout, read_layouts
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _below_its_preview(view: TraceView) -> Iterator[Finding]:
    for layout in view.reading(read_layouts):
        for line, given in layout.lines:
            own = layout.previews.get(id(given.turn))
            if own is None:
                continue
            yield Compared(_newest_class(layout, given.turn))
            if line.start < own:
                yield _violation(layout, line, "above its preview", given.turn.turn.message)


def _above_the_next_preview(view: TraceView) -> Iterator[Finding]:
    for layout in view.reading(read_layouts):
        for line, given in layout.lines:
            own = layout.previews.get(id(given.turn))
            others = [at for turn_, at in layout.previews.items() if turn_ != id(given.turn)]
            if own is None or not others or line.start < own:
                continue
            yield Compared(tuple(_neighbour_class(layout, given.turn)))
            if any(own < at < line.start for at in others):
                yield _violation(
                    layout, line, "under another turn's preview", given.turn.turn.message
                )


def _newest_class(layout: Layout, turn_: object) -> tuple[str, ...]:
    turns = layout.prompt.turns
    return ("the newest turn",) if turns and turns[-1] is turn_ else ("an older turn",)


def _neighbour_class(layout: Layout, turn_: object) -> Iterator[str]:
    turns = layout.prompt.turns
    place = next((n for n, each in enumerate(turns) if each is turn_), len(turns))
    following = turns[place + 1 : place + 2]
    if following and id(following[0]) in layout.previews:
        yield (
            "followed by a turn with facts"
            if following[0].successful
            else ("followed by a turn without facts")
        )


def _violation(layout: Layout, line: ShownFact, kind: str, message: str) -> Violation:
    return Violation(
        kind=kind,
        step=layout.prompt.step.index,
        expected=f"the fact under the preview of {shorten(message, 60)!r}, before the next preview",
        got=f"{kind}: {shorten(line.text)}",
    )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "under-its-turn",
        "turns with and without facts, each with a word of its own",
        turn("harbour, please", call({"n": 1}), call({"n": 2}, app=APPS[1])),
        turn("lantern, please"),
        turn("meadow, please", call({"n": 3}), call({"n": 4}, status="error")),
        turn("orchard, please", call({"n": 5}, app=APPS[2])),
        turn("quarry, please"),
    )
    yield fact_scenario(
        "under-its-turn-equal",
        "three turns that returned the same",
        turn("thistle, please", call({"n": 1})),
        turn("umbrella, please", call({"n": 1})),
        turn("village, please", call({"n": 1})),
    )


INVARIANT = Invariant(
    id="C-LEDGER-UNDER-ITS-TURN",
    title="Facts stand under their turn",
    statement=(
        "The FACTS lines of a turn stand directly under that turn's prose preview, before the "
        "preview of the next turn."
    ),
    sources=(
        fact_ledger("What it stores"),
        fact_ledger("What the classifier sees"),
        fact_ledger("Federal invariants"),
        context_channels("What each layer sees"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "How a preview is written is free, and so is how much of the message it keeps: it is found "
        "by a word of the message that stands once in the prompt and nowhere else in the trace. "
        "Where none is found, nothing is judged."
    ),
    clauses=(
        Clause(
            name="below-its-preview",
            sentence="A fact stands below the preview of its turn.",
            judge=_below_its_preview,
            partitions=(
                Partition("the newest turn", "the last turn of the history", kind="observed"),
                Partition("an older turn", "a turn before the last", kind="observed"),
            ),
        ),
        Clause(
            name="above-the-next-preview",
            sentence="No other turn's preview stands between a preview and its facts.",
            judge=_above_the_next_preview,
            partitions=(
                Partition("followed by a turn with facts", "its neighbour", kind="observed"),
                Partition("followed by a turn without facts", "its neighbour", kind="observed"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
