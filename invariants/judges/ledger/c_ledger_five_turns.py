"""C-LEDGER-FIVE-TURNS: facts are replayed for five exchanges, then they are gone."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.facts import PromptReading, read_facts
from ...readings.history import read_steps
from ...readings.sizes import read_sizes
from ...readings.strangers import by_prompt, read_judged
from ...readings.verbatim import verbatim_by_prompt
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations, steps_scenario
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.parameters import DOCUMENTED, Parameters
from ...vocabulary.scenario import APPS, Advance, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_PAUSES = (600, 4_000, 30_000)
"""Seconds: ten minutes, more than an hour, and long enough for a day to end."""


def _oldest_still_shown(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    window = view.parameters.window
    for prompt in view.reading(read_facts).prompts:
        if prompt.retry or len(prompt.turns) < window:
            continue
        oldest = prompt.turns[0]
        if not oldest.successful or not sizes.surely_fits(oldest):
            continue
        yield Compared(tuple(_between(view, prompt)))
        for given in oldest.successful:
            if given in prompt.missing:
                yield Violation(
                    kind="gone before its time",
                    step=prompt.step.index,
                    expected=f"the fact of {given.call.app}.{given.call.function}, {window} "
                    f"exchanges ago: {shorten(given.data)}",
                    got=f"{counted(len(prompt.lines), 'FACTS line')} without it",
                )


def _between(view: TraceView, prompt: PromptReading) -> Iterator[str]:
    later = prompt.turns[1:]
    yield "a full window"
    if any(not turn_.calls for turn_ in later):
        yield "exchanges without calls in between"
    if any(len(turn_.successful) > 1 for turn_ in later):
        yield "more calls than exchanges"
    if any(c.call.status == "error" for turn_ in later for c in turn_.calls):
        yield "failed calls in between"
    first = prompt.turns[0].step.index
    if view.reading(read_steps).between(Advance, first, prompt.step.index):
        yield "time passed in between"


def _nothing_older(view: TraceView) -> Iterator[Finding]:
    strangers, texts = by_prompt(view, "older"), verbatim_by_prompt(view, "older")
    for prompt in view.reading(read_judged):
        if not prompt.results_before:
            continue
        if prompt.recognised:
            yield Compared(tuple(_consumers(prompt)))
        lines = [stranger.line.text for stranger in strangers.get(id(prompt), ())]
        for shown in lines or texts.get(id(prompt), ()):
            yield Violation(
                kind="outlives the window",
                step=prompt.step.index,
                expected=f"no fact older than {view.parameters.window} exchanges, whether they "
                "had calls or not",
                got=shorten(shown),
            )


def _consumers(prompt: PromptReading) -> Iterator[str]:
    if prompt.older[-1].successful:
        yield "one exchange too old"
    if any(not turn_.calls for turn_ in prompt.turns):
        yield "an exchange without calls consumed it"
    if any(turn_.calls and not turn_.successful for turn_ in prompt.turns):
        yield "an exchange of failed calls consumed it"


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    window = parameters.window
    yield fact_scenario(
        "five-turns-talk",
        "exchanges without calls and with failed calls fill the window",
        turn("first", call({"oldest": "anchor of the first exchange"}, app=APPS[1])),
        turn("broken", call({"no": 1}, status="error")),
        *(turn(f"small talk {n}") for n in range(window - 1)),
    )
    yield fact_scenario(
        "five-turns-busy",
        "more calls than the window has exchanges",
        turn("first", call({"oldest": "first.anchor@firm.example"}, app=APPS[1])),
        *(
            turn(f"busy {n}", *(call({"n": n, "k": k}, app=APPS[k]) for k in range(3)))
            for n in range(window)
        ),
    )
    yield steps_scenario(
        "five-turns-pauses",
        "minutes and hours between any two exchanges",
        *(
            step
            for n in range(window)
            for step in (
                turn(f"later {n}", call({"n": n})),
                Advance(seconds=_PAUSES[n] if n < len(_PAUSES) else _PAUSES[0]),
            )
        ),
    )
    yield steps_scenario(
        "five-turns-months",
        "two months between any two exchanges",
        *(
            step
            for n in range(3)
            for step in (turn(f"later {n}", call({"n": n})), Advance(seconds=61 * 86_400))
        ),
        turn("and now?"),
    )


_WINDOW = DOCUMENTED.window
_FORM = Contradiction(
    "administrators' form, classifier history",
    "twenty turns are shown by default, from one to two hundred.",
    "A kernel is judged by the window that it declares. The founding documents say five, and the "
    "sets that rest on them allow no other: a kernel with twenty deviates there.",
)

INVARIANT = Invariant(
    id="C-LEDGER-FIVE-TURNS",
    title="Facts live for five exchanges",
    statement=(
        f"The facts of an exchange are replayed in the classifier prompts of the next {_WINDOW} "
        "turns and in none after; every completed exchange counts, with or without calls."
    ),
    sources=(
        fact_ledger("The essence"),
        fact_ledger("Caps and limits"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "A turn is a user/assistant exchange (contradiction C25), so one without calls, or with "
        "failed calls only, consumes the window too. Time alone takes no fact away."
    ),
    clauses=(
        Clause(
            name="oldest-still-shown",
            sentence="The facts of the oldest exchange of the window are still shown.",
            judge=_oldest_still_shown,
            partitions=(
                Partition("a full window", "as many exchanges as the window holds"),
                Partition("exchanges without calls in between", "they cost no other fact"),
                Partition("more calls than exchanges", "calls are not what is counted"),
                Partition("failed calls in between", "they cost no other fact"),
                Partition(
                    "time passed in between",
                    "minutes lie between the exchanges",
                    capabilities=frozenset({"clock"}),
                ),
            ),
            contradictions=(_FORM,),
        ),
        Clause(
            name="nothing-older",
            sentence="Once five later exchanges are completed, the facts are gone.",
            judge=_nothing_older,
            partitions=(
                Partition("one exchange too old", "the youngest that must be gone"),
                Partition("an exchange without calls consumed it", "it counts as a turn"),
                Partition("an exchange of failed calls consumed it", "it counts as a turn"),
            ),
            contradictions=(_FORM,),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
