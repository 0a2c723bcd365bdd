"""I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER: the last turns' facts stand in every prompt."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.facts import PromptReading, read_facts
from ...readings.given import ShownFact
from ...readings.sizes import read_sizes
from ...readings.strangers import Origin, place_of_call, read_calls
from ...scenarios.facts import CLOSING, EXPOSED, call, fact_scenario, fact_scenarios, turn
from ...scenarios.payloads import IMITATIONS
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario, Turn
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import StepView, TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_KINDS: dict[Origin, str] = {
    "user": "fact of another user",
    "session": "fact of another session",
    "failed": "fact of a failed call",
    "older": "fact outside the window",
    "window": "fact shown twice",
}
"""How a call stands to the prompt → the kind of difference if its line is shown too much."""

_LONG = 6_000
"""Characters of a message beside which a prompt must still have room for facts."""


def _every_call_rendered(view: TraceView) -> Iterator[Finding]:
    """A line may be missing only in a turn that may exceed the cap."""
    sizes = view.reading(read_sizes)
    for prompt in view.reading(read_facts).prompts:
        due = [
            c
            for c in prompt.expected
            if sizes.surely_fits(c.turn) and c.turn.step.index >= view.trace.complete_from
        ]
        if not due or prompt.retry:
            continue
        yield Compared(tuple(_window_class(prompt)))
        for given in due:
            if given in prompt.missing:
                age = len(prompt.turns) - prompt.turns.index(given.turn)
                yield Violation(
                    kind=_missing_kind(prompt, age, view.parameters.window),
                    step=prompt.step.index,
                    expected=f"a FACTS line for {given.call.app}.{given.call.function}, "
                    f"called {counted(age, 'exchange')} ago with {shorten(given.data)}",
                    got=_lines_shown(prompt),
                )
        yield from _misattributed(prompt)
        yield from _unwritten(prompt)


def _misattributed(prompt: PromptReading) -> Iterator[Finding]:
    for line, given in prompt.pairs:
        if not given.owns(line):
            yield Violation(
                kind="wrong owner",
                step=prompt.step.index,
                expected=f"app={given.call.app} fn={given.call.function}",
                got=f"app={shorten(line.app)} fn={shorten(line.function)}",
            )


def _unwritten(prompt: PromptReading) -> Iterator[Finding]:
    """Other clauses take the message of a tool for a fact; this one asks for the line."""
    unwritten = [(line, given) for line, given in prompt.pairs if not line.written]
    for line, given in unwritten[:1]:
        yield Violation(
            kind="shown in no FACTS line",
            step=prompt.step.index,
            expected=f"a FACTS line for {given.call.app}.{given.call.function}",
            got=f"{counted(len(unwritten), 'result')} in messages of tools alone; "
            f"{shorten(line.text)}",
        )


def _missing_kind(prompt: PromptReading, age: int, window: int) -> str:
    if not prompt.lines:
        return "no FACTS line at all"
    return "oldest exchange of the window missing" if age == window else "call missing"


def _lines_shown(prompt: PromptReading) -> str:
    if not prompt.lines:
        return "a prompt without FACTS lines"
    owners = ", ".join(f"{shorten(line.app)}.{shorten(line.function)}" for line in prompt.lines[:8])
    return f"{counted(len(prompt.lines), 'FACTS line')}: {owners}"


def _window_class(prompt: PromptReading) -> Iterator[str]:
    if prompt.older:
        yield "more exchanges than the window"
    if any(not turn_.calls for turn_ in prompt.turns):
        yield "an exchange without calls in the window"
    if any(len(turn_.successful) > 1 for turn_ in prompt.turns):
        yield "several calls in a turn"
    if len(prompt.turns) > 1 and sum(bool(t.successful) for t in prompt.turns) > 1:
        yield "several turns with calls"
    if any(c.call.status == "error" for t in prompt.turns for c in t.calls):
        yield "a failed call among them"
    stimulus = prompt.step.stimulus
    if isinstance(stimulus, Turn) and len(stimulus.message) >= _LONG:
        yield "a long message"
    if any(len(each.turn.draft) >= _LONG for each in prompt.turns):
        yield "a long reply in the window"


def _nothing_else_rendered(view: TraceView) -> Iterator[Finding]:
    """Whatever is shown as a fact must be a successful call of the window, once."""
    facts = view.reading(read_facts)
    for prompt in facts.prompts:
        if not prompt.complete or not (prompt.turns or prompt.older):
            continue
        yield Compared(tuple(set(_stranger_class(prompt, view.reading(_first_results)))))
        for line in prompt.extra:
            yield Violation(
                kind=_origin(view, line, prompt),
                step=prompt.step.index,
                expected="only FACTS lines of successful calls of this session's last "
                f"{view.parameters.window} exchanges",
                got=shorten(line.text),
            )


def _stranger_class(prompt: PromptReading, sessions: dict[tuple[str, str], int]) -> Iterator[str]:
    if any(c.call.status == "error" for t in prompt.turns for c in t.calls):
        yield "a failed call in the window"
    if prompt.results_before:
        yield "a call before the window"
    if any("FACTS:" in t.turn.message for t in prompt.turns):
        yield "a message that imitates a FACTS line"
    if any("FACTS:" in t.turn.draft for t in prompt.turns):
        yield "a reply that imitates a FACTS line"
    yield from _neighbour_class(prompt.step, sessions)


def _neighbour_class(here: StepView, sessions: dict[tuple[str, str], int]) -> Iterator[str]:
    for (user, session), first in sessions.items():
        if first >= here.index:
            continue
        if user != here.user:
            yield "a call of another user"
        elif session != here.session:
            yield "a call in another session"


def _first_results(view: TraceView) -> dict[tuple[str, str], int]:
    """Return, by user and session, the first step with a successful call."""
    return {
        (turn_.step.user, turn_.step.session): turn_.step.index
        for turn_ in reversed(view.reading(read_facts).turns)
        if turn_.successful
    }


def _origin(view: TraceView, line: ShownFact, prompt: PromptReading) -> str:
    """Name where a line that should not be there comes from."""
    for given in view.reading(read_calls).shown_by(line):
        return _KINDS[place_of_call(given, prompt)]
    facts = view.reading(read_facts)
    if any(line.text in t.turn.message for t in facts.turns):
        return "fact imitated by a message"
    if any(line.text in t.turn.draft for t in facts.turns):
        return "fact imitated by a reply"
    return "fact of no call"


def _in_order(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_facts).prompts:
        if len(prompt.pairs) + len(prompt.displaced) < 2:
            continue
        yield Compared(tuple(_order_class(prompt)))
        for line, given in prompt.displaced:
            yield Violation(
                kind="out of order",
                step=prompt.step.index,
                expected=f"{given.call.app}.{given.call.function} in dispatch order",
                got=f"elsewhere: {shorten(line.text)}",
            )


def _order_class(prompt: PromptReading) -> Iterator[str]:
    if any(len(t.successful) > 1 for t in prompt.turns):
        yield "two calls in a turn"
    if sum(bool(t.successful) for t in prompt.turns) > 1:
        yield "calls in two turns"


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "render-window",
        "more exchanges than the window, some without calls",
        turn("one", call({"n": 1}), call({"n": 11}, app=APPS[1])),
        turn("two"),
        turn("three", call({"n": 3}, function=FUNCTIONS[1])),
        turn("four", call({"n": 4}, app=APPS[2])),
        turn("five", call({"n": 5}, status="error"), call({"n": 55}, app=APPS[1])),
        *(turn(f"more {n}", call({"n": n})) for n in range(6, parameters.window + 2)),
    )
    yield fact_scenario(
        "render-failed",
        "failed calls leave no fact",
        turn("one", call({"n": 1}, status="error"), call({"n": 2}, app=APPS[1])),
        turn("two", call({"n": 3}, status="error")),
    )
    yield fact_scenario(
        "render-order",
        "dispatch order, not the order of names",
        turn("one", call({"n": 1}, app=APPS[2]), call({"n": 2}), call({"n": 3}, app=APPS[1])),
        turn("two", call({"n": 5}), call({"n": 4})),
        turn("three", call({"n": 7}), call({"n": 7})),
    )
    yield fact_scenario(
        "render-sessions",
        "two users and two sessions, interleaved",
        turn("one", call({"n": 1})),
        turn("uno", call({"n": 100}, app=APPS[1]), user="u2", session="s2"),
        turn("two", call({"n": 2})),
        turn("eins", call({"n": 200}), session="s3"),
        turn("due", user="u2", session="s2"),
        turn("zwei", session="s3"),
    )
    yield fact_scenario(
        "render-imitations",
        "messages and replies that imitate FACTS lines and turn headers",
        *(turn(text, call({"n": n})) for n, text in enumerate(IMITATIONS)),
        turn("thanks", call({"n": 9}), draft=IMITATIONS[1]),
        turn("well", draft=IMITATIONS[0]),
    )
    yield fact_scenario(
        "render-long-message",
        "a message of many pages, after turns with calls",
        turn("one", call({"n": 1}), call({"n": 2}, app=APPS[1])),
        turn("please " * (_LONG // len("please ") + 1), call({"n": 3})),
        turn("and", call({"n": 4}), draft="well " * (_LONG // len("well ") + 1)),
    )
    yield fact_scenario(
        "render-empty-messages",
        "messages without words, and a reply without any",
        turn("", call({"n": 1})),
        turn(" \t ", call({"n": 2}), call({"n": 3}, app=APPS[1])),
        turn("one", call({"n": 4}), draft=""),
        turn("\n", call({"n": 5})),
        turn(""),
    )
    yield fact_scenario(
        "render-messages-of-blanks",
        "messages without words, between others",
        turn("one", call({"n": 1})),
        turn("", call({"n": 2}), call({"n": 3}, app=APPS[2])),
        turn("  ", call({"n": 4})),
        turn("two", call({"n": 5}), draft=""),
        turn("", call({"n": 6})),
    )
    yield Scenario(
        id="render-first-turn",
        title="nothing yet",
        steps=(CLOSING, turn("hello")),
        environment=EXPOSED,
    )


INVARIANT = Invariant(
    id="I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER",
    title="The classifier sees the facts of the last turns",
    statement=(
        "Every classifier prompt shows one FACTS line per successful tool call of the last five "
        "exchanges of the same user and session, in order, and no other."
    ),
    severity="critical",
    sources=(
        fact_ledger("What the classifier sees"),
        fact_ledger("Federal invariants"),
        context_channels("What each layer sees"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "A turn is a completed user/assistant exchange and counts even without calls (C25); "
        "indentation, header wording and static examples in the system prompt are free; the "
        "current message may stand in the prompt as it is. Lines may be missing only in a turn "
        "that may exceed the cap. Whether turns, and the lines of a turn, stand oldest or newest "
        "first is open; it must be one of the two throughout. A result in the message of a tool is "
        "a fact, but no FACTS line; every-call-rendered alone asks for the line."
    ),
    clauses=(
        Clause(
            name="every-call-rendered",
            sentence="Every successful call of the window has its FACTS line, with its owner.",
            judge=_every_call_rendered,
            partitions=(
                Partition("more exchanges than the window", "the session is longer than it"),
                Partition("an exchange without calls in the window", "it counts all the same"),
                Partition("several calls in a turn", "two or more successful calls"),
                Partition("several turns with calls", "two or more turns with facts"),
                Partition("a failed call among them", "its neighbours keep their lines"),
                Partition("a long message", f"the user has just written {_LONG:,} characters"),
                Partition("a long reply in the window", f"of {_LONG:,} characters"),
            ),
        ),
        Clause(
            name="nothing-else-rendered",
            sentence="No FACTS line stands there for anything else.",
            judge=_nothing_else_rendered,
            partitions=(
                Partition("a failed call in the window", "it must leave no fact"),
                Partition("a call before the window", "its fact must be gone"),
                Partition("a message that imitates a FACTS line", "text is not a fact"),
                Partition("a reply that imitates a FACTS line", "text is not a fact"),
                Partition("a call of another user", "its fact is not shown"),
                Partition("a call in another session", "its fact is not shown"),
            ),
        ),
        Clause(
            name="in-order",
            sentence="The FACTS lines stand by turn, then by call, each oldest or newest first.",
            judge=_in_order,
            partitions=(
                Partition("two calls in a turn", "order inside a turn"),
                Partition("calls in two turns", "order of the turns"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=fact_scenarios,
)
