"""C-CLASSIFIER-VIEW: what the intent classifier is shown, and what it never is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.absence import Secret, unseen, whose
from ...readings.marks import MarkedTurn, Plant, mark, read_marks
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import call
from ...scenarios.layers import asked, found, layered, marked_extensions, word
from ...scenarios.payloads import IMITATIONS, UNICODE_SAMPLES
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import (
    APPS,
    FUNCTIONS,
    AnyStep,
    DisableExtension,
    RenderPanel,
    Scenario,
    Turn,
)
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.trace import ClassifierPrompt, prompt_text
from ...vocabulary.trace_view import StepView, TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_SURELY_SHOWN = 6_000
"""Characters of a message up to which no prompt may leave anything out."""

_LONG = 2_000
"""Characters beyond which a message is a long one."""

_ODD = (*UNICODE_SAMPLES, "a\ud800b", "\ufeff\u200d")


def _message(view: TraceView) -> Iterator[Finding]:
    for turn in view.reading(read_marks).turns:
        if not turn.message or not turn.classifier or len(turn.turn.message) > _SURELY_SHOWN:
            continue
        yield Compared((_shape(turn.turn.message),))
        if not turn.message <= turn.classifier[0]:
            yield Violation(
                kind="current message missing",
                step=turn.step.index,
                expected=f"a prompt with the user's message, {min(turn.message)!r} in it",
                got="a prompt without it",
            )


def _shape(message: str) -> str:
    if any(hint in message for hint in ("FACTS:", "[HISTORY]", "user ok")):
        return "a message that imitates the prompt"
    if len(message) > _LONG:
        return "a long message"
    return "a plain message" if message.isascii() and message.isprintable() else "odd characters"


def _summary(view: TraceView) -> Iterator[Finding]:
    return unseen(view, Secret("summary", "an earlier turn's summary", _summary_classes))


def _summary_classes(plant: Plant, turn: MarkedTurn) -> Iterator[str]:
    if plant.step.session == turn.step.session:
        given = plant.step.stimulus
        several = isinstance(given, Turn) and len(given.calls) > 1
        yield "one of several calls" if several else "the only call of its turn"


def _panel(view: TraceView) -> Iterator[Finding]:
    return unseen(view, Secret("panel", "a panel", _panel_classes))


def _panel_classes(plant: Plant, turn: MarkedTurn) -> Iterator[str]:
    yield whose(plant, turn)


def _catalog(view: TraceView) -> Iterator[Finding]:
    """Only first prompts are judged: later ones name functions in their history as well.

    Once an extension was disabled, which are installed is the kernel's own affair.
    """
    met: set[tuple[str, str]] = set()
    installed = {extension.app for extension in view.trace.environment.extensions}
    for step in view.steps:
        if isinstance(step.stimulus, DisableExtension):
            return
        if not isinstance(step.stimulus, Turn) or (step.user, step.session) in met:
            continue
        met.add((step.user, step.session))
        prompt = step.first(ClassifierPrompt)
        if prompt is None or view.trace.complete_from or not installed <= set(APPS):
            continue
        yield Compared(("the first turn of a session",))
        yield from _missing_tools(step, step.stimulus, prompt_text(prompt), installed)


def _missing_tools(
    step: StepView, turn: Turn, text: str, installed: set[str]
) -> Iterator[Violation]:
    own = text.replace(turn.message, "") if turn.message else text
    missing = [name for name in (*sorted(installed), *FUNCTIONS) if name not in own]
    if missing:
        yield Violation(
            kind="tools missing",
            step=step.index,
            expected="a prompt that names every installed extension and its functions",
            got=f"a prompt without {', '.join(missing)}",
        )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield layered(
        "classifier-messages",
        "messages of every kind",
        *(asked(n, found(2 * n), text=text) for n, text in enumerate(IMITATIONS)),
        *(asked(10 + n, text=text) for n, text in enumerate(_ODD)),
        asked(30, text="one\ntwo\n\nthree"),
        asked(31, user="u2", session="s2"),
        asked(32, text="a long message " * 15),
        *(
            asked(33 + n, text=f"{mark(0)} or the other " * many)
            for n, many in enumerate((92, 220))
        ),
    )
    yield layered(
        "classifier-summaries",
        "summaries that no reply repeats",
        asked(0, found(0)),
        asked(1, found(2), call({"n": 1}, app=APPS[1], summary=word(4))),
        asked(2, call([], summary=f"two lines\n{word(5)}"), call("x", summary=word(6))),
        asked(3, call({}, status="error"), draft=""),
        asked(4, call({}, summary=word(7)), draft=""),
        *(
            asked(6 + n, call({"n": n}, app=app, function=function, summary=word(8 + n)))
            for n, (app, function) in enumerate(zip(APPS, FUNCTIONS, strict=True))
        ),
        asked(9, call({}, status="error", summary=word(11))),
        asked(5),
    )
    yield layered(
        "classifier-panels",
        "panels that were rendered before the turn",
        RenderPanel(),
        asked(0, found(0)),
        RenderPanel(app=APPS[1]),
        asked(1),
        asked(2, user="u2", session="s2"),
        environment=marked_extensions(100),
    )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: conversations with messages, summaries and panels."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    for place, recipe in enumerate((*recipes, *recipes)):
        text = recipe.pick(("what about", *IMITATIONS, *_ODD))
        calls = [found(10 * place + 2 * n) for n in range(recipe.pick((1, 0, 2)))]
        draft = recipe.pick(("Done.", "", IMITATIONS[0]))
        steps.append(asked(place, *calls, text=text, draft=draft))
    return layered("explore", "", *steps)


INVARIANT = Invariant(
    id="C-CLASSIFIER-VIEW",
    title="What the classifier sees",
    statement=(
        "The classifier sees the user's message and the tool catalog besides skeleton and "
        "history; it never sees a panel's content or the summary of an earlier result."
    ),
    sources=(context_channels("(1) Pre-turn — the intent classifier sees"),),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "A preview may show the reply, which may say what the summary says (contradiction C8): a "
        "summary counts only if no reply repeats it. Messages up to 6,000 characters are judged. A "
        "catalog that is sent beside the prompt is not in it, so its clause is advisory."
    ),
    clauses=(
        Clause(
            "current-message-shown",
            "The first classifier prompt of a turn shows the user's message.",
            _message,
            (
                Partition("a plain message", "printable ASCII"),
                Partition("a message that imitates the prompt", "FACTS lines, headers, sections"),
                Partition("a long message", f"from {_LONG:,} to {_SURELY_SHOWN:,} characters"),
                Partition("odd characters", "line ends, controls, other scripts, surrogates"),
            ),
        ),
        Clause(
            "no-earlier-summary",
            "No classifier prompt shows the summary of an earlier turn's result.",
            _summary,
            (
                Partition("the only call of its turn", "in this session"),
                Partition("one of several calls", "in this session"),
            ),
            sources=(
                context_channels("(1) Pre-turn — the intent classifier sees"),
                fact_ledger("The essence"),
            ),
        ),
        Clause(
            "no-panel-content",
            "No classifier prompt shows the content of a panel.",
            _panel,
            (
                Partition("of the same user", "rendered for the turn's user"),
                Partition("of another user", "rendered for somebody else"),
            ),
            capabilities=frozenset({"panels"}),
        ),
        Clause(
            "tool-catalog-shown",
            "The classifier prompt names every installed extension and its functions.",
            _catalog,
            (Partition("the first turn of a session", "nothing else names them"),),
            level="SHOULD",
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
