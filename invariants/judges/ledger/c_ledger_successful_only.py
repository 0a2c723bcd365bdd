"""C-LEDGER-SUCCESSFUL-ONLY: a failed call leaves no fact, and costs its neighbours none."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.facts import read_facts
from ...readings.given import GivenTurn
from ...readings.sizes import read_sizes
from ...readings.strangers import by_prompt, read_judged
from ...readings.verbatim import verbatim_by_prompt
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _failed_not_shown(view: TraceView) -> Iterator[Finding]:
    strangers, texts = by_prompt(view, "failed"), verbatim_by_prompt(view, "failed")
    for prompt in view.reading(read_judged):
        classes = {name for turn_ in prompt.turns for name in _failures(turn_)}
        if not classes:
            continue
        if prompt.recognised:
            yield Compared(tuple(sorted(classes)))
        lines = [stranger.line.text for stranger in strangers.get(id(prompt), ())]
        for shown in lines or texts.get(id(prompt), ()):
            yield Violation(
                kind="fact of a failed call",
                step=prompt.step.index,
                expected="facts of successful calls only",
                got=shorten(shown),
            )


def _failures(turn_: GivenTurn) -> Iterator[str]:
    failed = [given for given in turn_.calls if given.call.status == "error"]
    if not failed:
        return
    yield "beside a successful call" if turn_.successful else "a turn of failed calls"
    owners = {(given.call.app, given.call.function) for given in turn_.successful}
    if any((given.call.app, given.call.function) in owners for given in failed):
        yield "of a function that also succeeded"
    if any(given.data not in ({}, None) for given in failed):
        yield "with data of its own"


def _neighbours_kept(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    for prompt in view.reading(read_facts).prompts:
        if prompt.retry:
            continue
        for turn_ in prompt.turns:
            mixed = 0 < len(turn_.successful) < len(turn_.calls)
            if not mixed or not sizes.surely_fits(turn_):
                continue
            first_failed = turn_.calls[0].call.status == "error"
            yield Compared(("after a failed call" if first_failed else "before a failed call",))
            for given in turn_.successful:
                if given in prompt.missing:
                    yield Violation(
                        kind="lost beside a failed call",
                        step=prompt.step.index,
                        expected=f"the fact of {given.call.app}.{given.call.function}: "
                        f"{shorten(given.data)}",
                        got="no FACTS line for it",
                    )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "successful-only-mixed",
        "failed calls before, between and after successful ones, with data of their own",
        turn(
            "one",
            call({"kept": 1}),
            call({"partial": "anchor of a failure"}, app=APPS[1], status="error"),
            call({"kept": 2}, app=APPS[2]),
        ),
        turn(
            "two",
            call({"attempt": "first@firm.example"}, status="error"),
            call({"attempt": "second"}),
        ),
        turn("three", call({}, app=APPS[2], function=FUNCTIONS[2], status="error")),
        turn("four", call([1, 2, 3], status="error"), call("text", app=APPS[1], status="error")),
    )


INVARIANT = Invariant(
    id="C-LEDGER-SUCCESSFUL-ONLY",
    title="Only successful calls leave facts",
    statement=(
        "The ledger is written after every successful tool call; a call whose status is error "
        "leaves no FACTS line and takes none from its neighbours."
    ),
    sources=(
        fact_ledger("What it stores"),
        fact_ledger("What the classifier sees"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "Where results stand in messages of tools, a failed call may be told in one that is marked "
        "as an error: it is then shown as failed, and no fact. Without the mark it is one."
    ),
    clauses=(
        Clause(
            name="failed-not-shown",
            sentence="A failed call has no FACTS line, whatever data it returned.",
            judge=_failed_not_shown,
            partitions=(
                Partition("beside a successful call", "the turn has successful calls too"),
                Partition("a turn of failed calls", "no call of the turn succeeded"),
                Partition("of a function that also succeeded", "a second attempt succeeded"),
                Partition("with data of its own", "the failed result carries data"),
            ),
        ),
        Clause(
            name="neighbours-kept",
            sentence="Successful calls keep their facts when another call of the turn fails.",
            judge=_neighbours_kept,
            partitions=(
                Partition("before a failed call", "the turn begins with a successful call"),
                Partition("after a failed call", "the turn begins with a failed call"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
