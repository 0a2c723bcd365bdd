"""C-LEDGER-TURNS-INDEPENDENT: the cap is a turn's own; one fat turn costs no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...readings.facts import PromptReading, read_facts
from ...readings.given import GivenCall, GivenTurn
from ...readings.sizes import Sizes, read_sizes
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


class Crowded(NamedTuple):
    """A turn that fits, in a prompt whose facts exceed the cap together."""

    prompt: PromptReading
    turn: GivenTurn
    cut: tuple[GivenCall, ...]
    lost: tuple[GivenCall, ...]
    classes: tuple[str, ...]


def read_crowded(view: TraceView) -> list[Crowded]:
    """Return the turns that fit in crowded prompts; use it through ``view.reading``."""
    sizes = view.reading(read_sizes)
    return [
        crowded
        for prompt in view.reading(read_facts).prompts
        if not prompt.retry and _least(sizes, prompt) > view.parameters.turn_cap
        for crowded in _turns(sizes, prompt)
    ]


def _least(sizes: Sizes, prompt: PromptReading) -> int:
    """A lower bound; the length of the prompt bounds it, and is cheaper."""
    if sum(len(given.call.data_json) for given in prompt.expected) < 1000:
        return 0
    return sum(sizes.least(given) for given in prompt.expected)


def _turns(sizes: Sizes, prompt: PromptReading) -> Iterator[Crowded]:
    fits = [sizes.surely_fits(turn_) for turn_ in prompt.turns]
    for place, turn_ in enumerate(prompt.turns):
        if not turn_.successful or not fits[place]:
            continue
        cut = tuple(
            given
            for line, given in prompt.pairs
            if given.turn is turn_ and given.payload_of(line).cut
        )
        lost = tuple(given for given in turn_.successful if given in prompt.missing)
        classes: list[str] = []
        if not all(fits[place + 1 :]):
            classes.append("a fat turn after it")
        if not all(fits[:place]):
            classes.append("a fat turn before it")
        if all(fits):
            classes.append("turns that fit one by one")
        yield Crowded(prompt, turn_, cut, lost, tuple(classes))


def _not_cut(view: TraceView) -> Iterator[Finding]:
    for crowded in view.reading(read_crowded):
        yield Compared(crowded.classes)
        for given in crowded.cut[:1]:
            yield _violation(crowded, given, "cut for another turn's sake", "only a part of it")


def _not_dropped(view: TraceView) -> Iterator[Finding]:
    for crowded in view.reading(read_crowded):
        yield Compared(crowded.classes)
        for given in crowded.lost[:1]:
            yield _violation(crowded, given, "dropped for another turn's sake", "no FACTS line")


def _violation(crowded: Crowded, given: GivenCall, kind: str, got: str) -> Violation:
    return Violation(
        kind=kind,
        step=crowded.prompt.step.index,
        expected=f"the whole fact of step {given.turn.step.index}, whose turn fits the cap: "
        f"{shorten(given.data)}",
        got=got,
    )


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    cap = parameters.turn_cap
    fat, slim = {"text": "x" * (3 * cap)}, {"text": "y" * (cap // 4)}
    yield fact_scenario(
        "independent-fat-last",
        "two slim turns, then a fat one",
        turn("one", call(slim), call({"n": 1}, app=APPS[1])),
        turn("two", call(slim, app=APPS[2])),
        turn("three", call(fat)),
    )
    yield fact_scenario(
        "independent-fat-first",
        "a fat turn, then two slim ones",
        turn("one", call(fat), call(fat, app=APPS[1])),
        turn("two", call(slim)),
        turn("three", call({"n": 3}), call(slim, app=APPS[1])),
    )
    yield fact_scenario(
        "independent-full",
        "as many turns as the window holds, each nearly as large as the cap",
        *(
            turn(f"full {n}", call({"n": n, "text": "z" * (cap - 200)}))
            for n in range(parameters.window)
        ),
    )


_CLASSES = (
    Partition("a fat turn before it", "an older turn exceeds the cap"),
    Partition("a fat turn after it", "a newer turn exceeds the cap"),
    Partition("turns that fit one by one", "and exceed the cap together"),
)

INVARIANT = Invariant(
    id="C-LEDGER-TURNS-INDEPENDENT",
    title="One fat turn costs no other",
    statement=(
        "The cap bounds each turn on its own: the facts of a turn that fits are shown whole, "
        "however much the other turns of the window take."
    ),
    sources=(fact_ledger("Caps and limits"), context_channels("The three channels at a glance")),
    capabilities=frozenset({"fact_ledger"}),
    clauses=(
        Clause(
            name="not-cut",
            sentence="A turn that fits is not cut because others are large.",
            judge=_not_cut,
            partitions=_CLASSES,
        ),
        Clause(
            name="not-dropped",
            sentence="No fact of a turn that fits is dropped because others are large.",
            judge=_not_dropped,
            partitions=_CLASSES,
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
