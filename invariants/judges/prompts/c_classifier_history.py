"""C-CLASSIFIER-HISTORY: the classifier sees the recent turns of this user, and of nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...readings.facts import PromptReading, read_facts
from ...readings.marks import MarkedTurn, Marks, Plant, mark, read_marks
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import call, turn
from ...scenarios.layers import layered
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.messages import tools_text
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Call, Scenario, Turn
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace import ClassifierPrompt, prompt_text
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_TOLD = {"message": "message", "draft": "reply"}


_HEADING = re.compile(
    r"""\[history\b[^\]\n]*\]|<history\b|["']history["']\s*:|^\W*history\b(?:\W+\w+){0,4}\W*$""",
    re.IGNORECASE | re.MULTILINE,
)
"""The name in brackets, as a tag, as a key, or as a title of a few words."""


class _Depth(NamedTuple):
    """How much of a message stands before a mark, and behind it, in characters and words."""

    before: int
    behind: int
    words_before: int
    words_behind: int

    def covers(self, other: _Depth) -> bool:
        """Whether a preview that shows this mark has to show the other, wherever it cuts."""
        return all(own >= its for own, its in zip(self, other, strict=True))


def _depths(each: MarkedTurn) -> dict[str, _Depth]:
    found: dict[str, _Depth] = {}
    for word in each.message:
        before, _, behind = each.turn.message.lower().partition(word)
        found[word] = _Depth(len(before), len(behind), len(before.split()), len(behind.split()))
    return found


def _previewed(view: TraceView) -> Iterator[Finding]:
    """Words of a preview are free, and its length.

    Only where one shows a mark that stands as deep in its message can another preview lack it.
    A kernel may ask its classifier several times in a turn; one of the prompts is enough.
    """
    marks = view.reading(read_marks)
    for asked in marks.turns if view.trace.complete_from == 0 else ():
        recent = _recent(marks, asked, view.parameters.window)
        shown = frozenset[str]().union(*asked.classifier)
        if not asked.classifier:
            continue
        seen = [depth for x in recent for word, depth in _depths(x).items() if word in shown]
        for place, each in enumerate(recent):
            owed = [d for d in _depths(each).values() if any(s.covers(d) for s in seen)]
            if not owed or each.message & asked.own:
                continue
            full = place == 0 and len(recent) == view.parameters.window
            yield Compared((_kind(each), "the oldest of five") if full else (_kind(each),))
            if not each.message & shown:
                yield Violation(
                    kind=f"no preview of {_kind(each)}",
                    step=asked.step.index,
                    expected=f"a preview of the turn of step {each.step.index}, as of the others",
                    got=f"previews of {sum(bool(x.message & shown) for x in recent)} turns of "
                    f"{len(recent)}",
                )


def _recent(marks: Marks, asked: MarkedTurn, window: int) -> list[MarkedTurn]:
    """The turns of the same session within the window, oldest first."""
    home = (asked.step.user, asked.step.session)
    mine = [t for t in marks.turns if (t.step.user, t.step.session) == home]
    return mine[: mine.index(asked)][-window:]


def _kind(each: MarkedTurn) -> str:
    statuses = {given.status for given in each.turn.calls}
    if not statuses:
        return "a turn without calls"
    return "a turn with results" if "success" in statuses else "a turn of failed calls"


def _heading_named(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_facts).prompts:
        several = len({id(given.turn) for _, given in prompt.pairs}) > 1
        above = _above_facts(prompt) if several else None
        if above is None:
            continue
        yield Compared(("facts of several turns",), prompt.step.index)
        if not _HEADING.search(above):
            yield Violation(
                kind="history under another name",
                step=prompt.step.index,
                expected="[HISTORY] above the turns and their facts",
                got=f"above the first fact: {shorten(above[-200:])}",
            )


def _above_facts(prompt: PromptReading) -> str | None:
    """The text above the facts, in their message; ``None`` if they are in several messages."""
    starts = [line.start for line, _ in prompt.pairs]
    prompts = prompt.step.all(ClassifierPrompt)
    sent = next(each for each in prompts if prompt_text(each) == prompt.text)
    begin = len(tools_text(sent.tools))
    for message in () if isinstance(sent.prompt, str) else sent.prompt:
        end = begin + len(message.text)
        if begin <= min(starts) <= end:
            return prompt.text[begin : min(starts)] if max(starts) <= end else None
        begin = end + 1
    return prompt.text[: min(starts)]


def _no_other_user(view: TraceView) -> Iterator[Finding]:
    marks = view.reading(read_marks)
    for asked in marks.turns:
        shown = frozenset[str]().union(*asked.classifier)
        foreign = [plant for plant in marks.before(asked, "message", "draft")
                   if plant.step.user != asked.step.user and _is_private(marks, plant)]  # fmt: skip
        if not foreign or not shown & asked.own:
            continue
        yield Compared(tuple({f"another user's {_TOLD[plant.where]}" for plant in foreign}))
        leak = next((plant for plant in foreign if plant.mark in shown), None)
        if leak is not None:
            yield Violation(
                kind=f"another user's {_TOLD[leak.where]}",
                step=asked.step.index,
                expected=f"the history of user {asked.step.user} alone",
                got=f"{leak.mark!r}, from the {_TOLD[leak.where]} of user {leak.step.user} in "
                f"step {leak.step.index}",
            )


def _is_private(marks: Marks, plant: Plant) -> bool:
    """Whether the word stands in nothing but what this one user said and was told."""
    return marks.homes[plant.mark] <= {"message", "draft"} and all(
        other.step.user == plant.step.user for other in marks.plants if other.mark == plant.mark
    )


def _said(
    number: int, *calls: Call, user: str = "u1", session: str = "s1", told: int | None = None
) -> Turn:
    """Return a turn whose message begins with a mark, so that the shortest preview shows it."""
    draft = "Done." if told is None else f"{mark(told)} it is."
    return turn(f"{mark(number)} and now?", *calls, draft=draft, user=user, session=session)


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    failed = call({}, status="error")
    kinds: tuple[tuple[Call, ...], ...] = (
        (call({"n": 1}),),
        (),
        (failed,),
        (call({"n": 1}), failed, call({"n": 2}, app=APPS[1])),
        (),
    )
    yield layered(
        "history-of-every-kind",
        "turns with results, with failed calls and without calls",
        *(
            _said(number, *kinds[number % len(kinds)])
            for number in range(parameters.window + len(kinds))
        ),
    )
    yield layered(
        "history-of-talk",
        "turns without calls alone",
        *(_said(number) for number in range(4)),
    )
    yield layered(
        "history-of-two-users",
        "two users in turn, with sessions of one name and of two",
        _said(0, call({"n": 1}), told=20),
        _said(1, user="u2", told=21),
        _said(2, told=22),
        _said(3, call({"n": 3}), user="u2", session="s2", told=23),
        _said(4, failed, told=24),
        _said(5, user="u2", session="s2", told=25),
        _said(6, user="u3", session="s3"),
        _said(7),
    )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: turns of two users, with and without calls."""
    return from_recipes(_drawn, 3)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    turns = [
        _said(
            number,
            *recipe.pick(((), (call({"n": number}),), (call({}, status="error"),))),
            user=recipe.pick(("u1", "u1", "u2")),
            told=recipe.pick((None, 40 + number)),
        )
        for number, recipe in enumerate((*recipes, *recipes))
    ]
    return layered("explore", "", *turns)


INVARIANT = Invariant(
    id="C-CLASSIFIER-HISTORY",
    title="The classifier sees the user's recent turns",
    statement="Every recent turn of the session has its preview in the prompt, whether it had "
    "calls or not; what another user said or was told stands in none.",
    severity="critical",
    sources=(
        context_channels("(1) Pre-turn — the intent classifier sees"),
        fact_ledger("What the classifier sees"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "No page fixes the words of a preview, or its length: a turn counts as left out only where "
        "another turn of the window is seen to be previewed by the beginning of its message, and "
        "so that clause is advisory. Other sessions of the same user may be previewed too. The "
        "pages call the block [HISTORY] in passing: its name is advisory, a tag, a title or a key "
        "of that name will do, and turns that are messages of their own need none."
    ),
    clauses=(
        Clause(
            "every-turn-previewed",
            "Each of the last five turns has its preview.",
            _previewed,
            (
                Partition("a turn with results", "a call succeeded"),
                Partition("a turn of failed calls", "none did"),
                Partition("a turn without calls", "talk alone"),
                Partition("the oldest of five", "the window is full"),
            ),
            level="SHOULD",
        ),
        Clause(
            "heading-named",
            "The block of turns and their facts is called [HISTORY].",
            _heading_named,
            (Partition("facts of several turns", "in one block"),),
            level="SHOULD",
        ),
        Clause(
            "no-other-user",
            "No message and no reply of another user stands in the prompt.",
            _no_other_user,
            (
                Partition("another user's message", "said before"),
                Partition("another user's reply", "told before"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
