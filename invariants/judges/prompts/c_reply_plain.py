"""C-REPLY-PLAIN: of all that a turn takes the user sees the chat output alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...readings.facts import read_facts
from ...readings.given import ENVELOPE
from ...readings.roles import own_text, read_quoting_roles
from ...readings.shown import fact_lines
from ...readings.skeleton import read_skeleton
from ...scenarios.facts import CALIBRATION, call, fact_scenario, fact_scenarios, turn
from ...scenarios.skeleton import environment, refresh_all, say, scenario
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario, Turn
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace import ClassifierPrompt, NarratorPrompt, Reply, prompt_text
from ...vocabulary.trace_view import StepView, TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_HEADING = re.compile(r"\[[A-Z][A-Z _-]+\]")
_KEY = re.compile(rf"{ENVELOPE}\W{{0,2}}[:=]")
_OWN_LINE = 20
"""Characters of a line of a prompt from which on it stands in a reply by no chance."""


def _plain(view: TraceView) -> Iterator[Finding]:
    with_facts = {each.step.index for each in view.reading(read_facts).prompts if each.pairs}
    with_sections = {
        each.step.index for each in view.reading(read_skeleton).prompts if each.showing
    }
    said: set[str] = set()
    for step in view.steps:
        if not isinstance(step.stimulus, Turn):
            continue
        said.update(_given(step.stimulus))
        for reply in step.all(Reply):
            classes = [*_classes(step.stimulus, reply.text)]
            classes += ["facts"] if step.index in with_facts else []
            classes += ["sections"] if step.index in with_sections else []
            if not classes:
                continue
            yield Compared(tuple(classes), step.index)
            kind = _machinery(view, step, reply.text, said) if reply.text not in said else ""
            if kind:
                yield Violation(
                    kind=f"{kind} in the reply",
                    step=step.index,
                    expected="what the narrator says, and what the turn's calls returned",
                    got=shorten(reply.text, 400),
                )


def _classes(turn: Turn, reply: str) -> Iterator[str]:
    if any(ENVELOPE in each.data_json for each in turn.calls):
        yield "an envelope"
    if turn.draft and turn.draft not in reply:
        yield "another text than the draft"


def _given(turn: Turn) -> list[str]:
    calls = (text for each in turn.calls for text in (each.data_json, each.summary, each.error))
    return [turn.message, turn.draft, *calls]


def _machinery(view: TraceView, step: StepView, reply: str, said: set[str]) -> str:
    """What of the kernel's own a reply shows; texts of users, drafts and tools are none."""

    def is_own(text: str) -> bool:
        return text in reply and not any(text in each for each in said)

    if fact_lines(reply) and is_own("FACTS:"):
        return "a FACTS line"
    prompts = [
        *(prompt_text(each) for each in step.all(ClassifierPrompt)),
        *(prompt_text(each) for each in step.all(NarratorPrompt)),
    ]
    names = {"[SKELETON]", "[HISTORY]", *_HEADING.findall("\n".join(prompts))}
    if any(map(is_own, names)):
        return "a heading of a prompt"
    own = (line.strip() for each in step.all(ClassifierPrompt) for line in _lines(view, each))
    if any(len(line) >= _OWN_LINE and is_own(line) for line in own):
        return "a line of the classifier's prompt"
    spoken = (step.stimulus.message, step.stimulus.draft) if isinstance(step.stimulus, Turn) else ()
    if _KEY.search(reply) and not any(ENVELOPE in text for text in spoken):
        return "an envelope"
    return ""


def _lines(view: TraceView, prompt: ClassifierPrompt) -> list[str]:
    """The lines that the kernel says itself; an earlier reply is no machinery."""
    quoting = view.reading(read_quoting_roles)
    return own_text(prompt, prompt_text(prompt), quoting).split("\n")


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    enveloped = {"_action_meta": {"duration_ms": 12, "action_type": "read"}, "total": 36}
    yield fact_scenario(
        "reply-after-facts",
        "replies of turns with results, failures, envelopes, large data, and an invented claim",
        turn("list them", call({"total": 36}, summary="36 tasks"), draft="You have 36 tasks."),
        turn("once more", call(enveloped), call({}, app=APPS[1], status="error")),
        turn("all of it", call({"rows": [{"n": n, "at": "x" * 40} for n in range(90)]})),
        turn("how many?", call({"total": 36}), draft="There are 918273645 of them."),
        turn("and who?", call(enveloped), draft="Nobody but AB-918273."),
        turn("thanks"),
    )
    yield scenario(
        "reply-beside-sections",
        "replies while sections are shown to the classifier",
        CALIBRATION,
        *refresh_all(),
        say("what is new?", draft="Not much."),
        say("and now?", draft="There are 918273645 of them."),
        say(),
        where=environment(),
    )


INVARIANT = Invariant(
    id="C-REPLY-PLAIN",
    title="The user sees the chat output alone",
    statement="A reply shows nothing of the prompts, the ledger and the envelopes behind it.",
    severity="medium",
    sources=(context_channels("The essence"),),
    clauses=(
        Clause(
            "no-machinery",
            "A reply holds no FACTS line, no heading and no line of the classifier's prompt, and "
            "no envelope of a result.",
            _plain,
            (
                Partition("facts", "the classifier's prompt shows some"),
                Partition(
                    "sections",
                    "the classifier's prompt shows some",
                    capabilities=frozenset({"skeleton"}),
                ),
                Partition("an envelope", "a call of the turn has returned one"),
                Partition(
                    "another text than the draft",
                    "the kernel put one in its place",
                    capabilities=frozenset({"narrator_guard"}),
                ),
            ),
            level="SHOULD",
        ),
    ),
    scenarios=_scenarios,
    strategy=fact_scenarios,
    capabilities=frozenset({"fact_ledger", "narrator"}),
    reading=(
        "What a user's screen shows lies outside of the kernel; the reply is what is known of it. "
        "Results, tables and caveats of the kernel's own may stand in it, and whatever the "
        "user, the draft or a tool of the conversation has said. The page promises it in half a "
        "sentence, so it is advisory."
    ),
)
