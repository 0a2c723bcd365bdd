"""C-LEDGER-ISOLATION: facts belong to one user and one session."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import NamedTuple

from ...readings.facts import PromptReading, read_facts
from ...readings.given import GivenCall, GivenTurn
from ...readings.marks import marks_in, read_marks
from ...readings.sizes import read_sizes
from ...readings.strangers import by_prompt, read_judged
from ...readings.verbatim import verbatim_by_prompt
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace import Reply
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


class Neighbours(NamedTuple):
    """A prompt with what others did before it.

    Attributes:
        prompt: the prompt.
        users: the last step with facts of another user; -1 if there is none.
        sessions: the last step with facts in another session of the same user, likewise.
        equal: the calls of the window to which others have had an equal one.
    """

    prompt: PromptReading
    users: int
    sessions: int
    equal: list[GivenCall]


def read_neighbours(view: TraceView) -> list[Neighbours]:
    """Return the prompts that others precede; use it through ``view.reading``."""
    turns = view.reading(read_facts).turns
    if len({(turn_.step.user, turn_.step.session) for turn_ in turns}) < 2:
        return []
    walk, left = _Walk(), deque(turn_ for turn_ in turns if turn_.successful)
    found: list[Neighbours] = []
    for prompt in view.reading(read_judged):
        while left and left[0].step.index < prompt.step.index:
            walk.take(left.popleft())
        near = walk.near(prompt)
        if near.users >= 0 or near.sessions >= 0:
            found.append(near)
    return found


class _Walk:
    """Takes the turns in order, and knows at each prompt what others did before."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}
        self._who: dict[tuple[str, str, str], set[tuple[str, str]]] = defaultdict(set)

    def take(self, turn_: GivenTurn) -> None:
        home = (turn_.step.user, turn_.step.session)
        self._last[home] = turn_.step.index
        for given in turn_.successful:
            self._who[given.content].add(home)

    def near(self, prompt: PromptReading) -> Neighbours:
        user, session = home = (prompt.step.user, prompt.step.session)
        others = {who: last for who, last in self._last.items() if who != home}
        users = max((last for who, last in others.items() if who[0] != user), default=-1)
        return Neighbours(
            prompt,
            users,
            max((last for who, last in others.items() if who[0] == user), default=-1),
            [given for given in prompt.expected if self._who[given.content] - {(user, session)}],
        )


def _no_fact_of_another_user(view: TraceView) -> Iterator[Finding]:
    strangers, texts = by_prompt(view, "user"), verbatim_by_prompt(view, "user")
    for near in view.reading(read_neighbours):
        if near.users < 0:
            continue
        if near.prompt.recognised:
            yield Compared(tuple(_classes(near.prompt, near.users)), near.prompt.step.index)
        for stranger in strangers.get(id(near.prompt), ()):
            yield _leak(near.prompt, "fact of another user", stranger.line.text)
        for text in texts.get(id(near.prompt), ()) if id(near.prompt) not in strangers else ():
            yield _leak(near.prompt, "another user's data in the prompt", text)
    yield from _replies(view)


def _no_fact_of_another_session(view: TraceView) -> Iterator[Finding]:
    strangers = by_prompt(view, "session")
    for near in view.reading(read_neighbours):
        if near.sessions < 0:
            continue
        if near.prompt.recognised:
            yield Compared(tuple(_classes(near.prompt, near.sessions)), near.prompt.step.index)
        for stranger in strangers.get(id(near.prompt), ()):
            yield _leak(near.prompt, "fact of another session", stranger.line.text)


def _classes(prompt: PromptReading, last: int) -> Iterator[str]:
    own = prompt.older or prompt.turns
    if not own:
        yield "the first turn of a session"
    elif own[0].step.index < last:
        yield "sessions interleaved"


def _leak(prompt: PromptReading, kind: str, got: str) -> Violation:
    return Violation(
        kind=kind,
        step=prompt.step.index,
        expected=f"only facts of user {prompt.step.user}, session {prompt.step.session}",
        got=shorten(got),
    )


def _equal_data_kept_apart(view: TraceView) -> Iterator[Finding]:
    """Equal lines cannot be told apart, but they can be counted."""
    sizes = view.reading(read_sizes)
    for near in view.reading(read_neighbours):
        prompt = near.prompt
        if prompt.retry or not all(sizes.surely_fits(turn_) for turn_ in prompt.turns):
            continue
        own = near.equal
        if not own:
            continue
        yield Compared(("equal data of two users",) if near.users >= 0 else ("of two sessions",))
        more = [line for line in prompt.extra if any(given.shown_by(line) for given in own)]
        less = [given for given in own if given in prompt.missing]
        if more or less:
            yield Violation(
                kind="one line too many" if more else "own line missing",
                step=prompt.step.index,
                expected=f"{counted(len(own), 'FACTS line')}, although others have equal facts",
                got=f"{counted(len(own) + len(more) - len(less), 'FACTS line')}",
            )


def _replies(view: TraceView) -> Iterator[Violation]:
    """A word that another user's tools or replies alone hold is nothing to tell this one."""
    marks = view.reading(read_marks)
    of: dict[str, set[str]] = defaultdict(set)
    for plant in marks.plants:
        of[plant.mark].add(plant.step.user)
    for turn_ in marks.turns:
        told = _words(turn_.step.all(Reply))
        for plant in marks.before(turn_, "data", "draft") if told else ():
            if plant.mark in told and turn_.step.user not in of[plant.mark]:
                yield Violation(
                    kind="another user's words in a reply",
                    step=turn_.step.index,
                    expected=f"nothing that only user {plant.step.user} was told",
                    got=f"{plant.mark!r} in the reply",
                )
                break


def _words(replies: list[Reply]) -> frozenset[str]:
    return frozenset[str]().union(*(marks_in(reply.text) for reply in replies))


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "isolation-interleaved",
        "two users and a second session, interleaved",
        turn("one", call({"secret": "firstusersfact"})),
        turn("uno", call({"from": "ana.b@firm.example"}, app=APPS[1]), user="u2", session="s2"),
        turn("eins", call({"secret": "othersessionsfact"}, app=APPS[2]), session="s3"),
        turn("two", call({"secret": "firstusersnext"})),
        turn("due", call({"secret": "secondusersnext"}), user="u2", session="s2"),
        turn("zwei", session="s3"),
        turn("tre", user="u2", session="s2"),
    )
    yield fact_scenario(
        "isolation-equal",
        "two users and two sessions with equal data",
        turn("one", call({"n": 1}), call({"n": 1})),
        turn("uno", call({"n": 1}), user="u2", session="s2"),
        turn("eins", call({"n": 1}), session="s3"),
        turn("two", call({"n": 1})),
        turn("due", user="u2", session="s2"),
        turn("zwei", session="s3"),
    )
    yield fact_scenario(
        "isolation-one-session-name",
        "two users whose sessions have one name",
        turn("one", call({"secret": "ofthefirstuser"})),
        turn("uno", call({"secret": "oftheseconduser"}), user="u2"),
        turn("two"),
        turn("due", user="u2"),
    )


_PLACES = (
    Partition("the first turn of a session", "it has no history of its own yet"),
    Partition("sessions interleaved", "both go on, in turns"),
)

INVARIANT = Invariant(
    id="C-LEDGER-ISOLATION",
    title="Facts stay with their user and session",
    statement=(
        "A classifier prompt shows facts of the same user and session only; neither another "
        "user's nor another session's facts ever appear, and equal data is not merged."
    ),
    severity="critical",
    sources=(
        fact_ledger("What it stores"),
        context_channels("What each layer sees"),
        context_channels("Channel 3 — Fact-ledger (verbatim cross-turn recall)"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    reading=(
        "The ledger is session memory. Another session of the same user is judged by FACTS lines "
        "alone; what else a kernel remembers of a user is open."
    ),
    clauses=(
        Clause(
            name="no-fact-of-another-user",
            sentence="Nothing that another user's tools returned stands in a prompt or a reply.",
            judge=_no_fact_of_another_user,
            partitions=_PLACES,
        ),
        Clause(
            name="no-fact-of-another-session",
            sentence="No fact of another session of the user is shown.",
            judge=_no_fact_of_another_session,
            partitions=_PLACES,
        ),
        Clause(
            name="equal-data-kept-apart",
            sentence="Equal facts of two users or sessions are counted for each on its own.",
            judge=_equal_data_kept_apart,
            partitions=(
                Partition("equal data of two users", "or of more"),
                Partition("of two sessions", "of one user", kind="observed"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
