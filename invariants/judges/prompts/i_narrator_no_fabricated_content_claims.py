"""I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS: the reply says what this turn bears out."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.claims import Claim, read_claims
from ...readings.counts import read_counts
from ...readings.marks import MarkedTurn, Marks, Plant, read_marks
from ...readings.narration import due_marks, due_numbers, narrator_texts, without_separators
from ...scenarios.narrator import scenarios, strategy
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_POST_TURN = "(3) Post-turn — the narrator and the user see"
_EXACT_IN_DOUBLE = 2**53
_HIDDEN = ("data", "summary", "error", "cache", "store", "section", "panel")
_NAMES = {
    "cache": "a cached value",
    "store": "a stored document",
    "section": "a skeleton section",
    "panel": "a panel",
    "message": "an earlier message",
    "draft": "an earlier reply",
}


def _isolated(view: TraceView) -> Iterator[Finding]:
    marks = view.reading(read_marks)
    for turn in _narrated(marks):
        planted = [p for p in marks.before(turn, *_HIDDEN) if not _was_told(marks, p)]
        yield from _hidden(turn, planted)


def _conversation(view: TraceView) -> Iterator[Finding]:
    marks = view.reading(read_marks)
    for turn in _narrated(marks):
        planted = marks.before(turn, "message", "draft")
        yield from _hidden(turn, [p for p in planted if p.step.session == turn.step.session])


def _hidden(turn: MarkedTurn, planted: list[Plant]) -> Iterator[Finding]:
    shown = turn.narrator or frozenset()
    if shown & turn.own and planted:
        yield Compared(tuple({name for p in planted for name in _classes(p, turn)}))
    leaks = {_name(p, turn): p for p in planted if p.mark in shown}
    for name, plant in leaks.items():
        yield Violation(
            kind=f"{name} in the narrator's prompt",
            step=turn.step.index,
            expected="a prompt made of this turn's message and results alone",
            got=f"{plant.mark!r}, which stands in {name} (step {plant.step.index})",
        )


def _narrated(marks: Marks) -> Iterator[MarkedTurn]:
    return (turn for turn in marks.turns if turn.narrator is not None)


def _was_told(marks: Marks, plant: Plant) -> bool:
    """A reply or a message may have told it, and some narrator models are shown those."""
    return plant.mark in marks.replied or bool(marks.homes[plant.mark] & {"message", "draft"})


def _classes(plant: Plant, turn: MarkedTurn) -> Iterator[str]:
    if plant.proven:
        yield _name(plant, turn)
        if any(plant.mark in prompt for prompt in turn.classifier):
            yield "what the classifier's prompt shows"


def _name(plant: Plant, turn: MarkedTurn) -> str:
    if plant.where in _NAMES:
        return _NAMES[plant.where]
    if plant.step.user != turn.step.user:
        return "another user's result"
    if plant.step.session != turn.step.session:
        return "another session's result"
    return "an earlier turn's result"


def _visible(view: TraceView) -> Iterator[Finding]:
    for turn in _narrated(view.reading(read_marks)):
        due = due_marks(turn)
        if not due:
            continue
        yield Compared(tuple({name for names in due.values() for name in names}))
        for missing, (name, *_) in due.items():
            if missing not in (turn.narrator or ()):
                yield Violation(
                    kind=f"{name} missing",
                    step=turn.step.index,
                    expected=f"the narrator is shown {name}, with {missing!r}",
                    got="a narrator's prompt without it",
                )


def _numbers_visible(view: TraceView) -> Iterator[Finding]:
    """Separators of thousands are free; a number that is rounded or shortened is another one."""
    for step, text in narrator_texts(view):
        due = list(due_numbers(step))
        shown = without_separators(text) if due else ""
        for number in due:
            exact = abs(number) <= _EXACT_IN_DOUBLE
            yield Compared(("a long number" if exact else "beyond double precision",))
            if str(abs(number)) not in shown:
                yield Violation(
                    kind="number of a result missing",
                    step=step.index,
                    expected=f"the narrator is shown the number {number}",
                    got="a narrator's prompt without it",
                )


def _guarded(view: TraceView) -> Iterator[Finding]:
    for claim in view.reading(read_claims):
        if claim.place is not None:
            continue
        beside = () if claim.alone else ("beside a true claim",)
        yield Compared((_article(claim), *beside, *claim.traps))
        if claim.survived:
            yield Violation(
                kind=f"invented {claim.kind} told",
                step=claim.step.index,
                expected=f"a reply without {claim.text!r}, which no result of the turn holds",
                got=f"a reply that says {shorten(claim.text)}",
            )


def _grounded(view: TraceView) -> Iterator[Finding]:
    for claim in view.reading(read_claims):
        if claim.place is None or not claim.alone:
            continue
        yield Compared((_article(claim), f"borne out by the {claim.place}"))
        if not claim.survived:
            yield Violation(
                kind=f"true {claim.kind} lost",
                step=claim.step.index,
                expected=f"a reply with {claim.text!r}, which the turn's {claim.place} holds",
                got="a reply without it",
            )


def _contradicted(view: TraceView) -> Iterator[Finding]:
    for count in view.reading(read_counts):
        if not count.contradicted:
            continue
        yield Compared((count.source, *count.traps))
        if count.survived:
            yield Violation(
                kind="contradicted number told",
                step=count.step.index,
                expected=f"a reply without {count.number}, for the results say {count.actual}",
                got=f"a reply that says {count.number}",
            )


def _counted(view: TraceView) -> Iterator[Finding]:
    for count in view.reading(read_counts):
        if count.contradicted:
            continue
        yield Compared((f"borne out by the {count.source}",))
        if not count.survived:
            yield Violation(
                kind="true number lost",
                step=count.step.index,
                expected=f"a reply that says {count.number}, which the {count.source} holds",
                got="a reply without it",
            )


def _article(claim: Claim) -> str:
    return f"a{'' if claim.kind == 'number' else 'n'} {claim.kind}"


_KINDS = (
    Partition("a number", "nine digits"),
    Partition("an identifier", "letters, a hyphen, digits"),
    Partition("an address", "an e-mail address"),
)

INVARIANT = Invariant(
    id="I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS",
    title="The narrator invents nothing",
    statement=(
        "The narrator is shown this turn's results and the user's message and nothing else, and "
        "what it claims in its reply is borne out by them."
    ),
    severity="critical",
    sources=(context_channels(_POST_TURN),),
    capabilities=frozenset({"fact_ledger", "narrator"}),
    reading=(
        "What an earlier reply or message has told is left out of the isolation, because the "
        "documents do not say that a narrator forgets the conversation it takes part in; that it "
        "sees nothing of it is advisory: the page says that it sees this turn alone, the "
        "administrators' page that it sees twelve turns by default. Only claims that cannot be "
        "derived are planted: nine digits, identifiers, addresses, and numbers that nothing of "
        "the turn could add up to. Blocking, repairing and a caveat without the claim all "
        "conform. Only turns with up to 3,000 characters of results must be shown whole."
    ),
    clauses=(
        Clause(
            "isolation",
            "The narrator's prompt shows nothing of earlier turns, other users, the skeleton, "
            "the cache, the store, panels or the classifier's prompt.",
            _isolated,
            (
                Partition("an earlier turn's result", "data, summary or error"),
                Partition("what the classifier's prompt shows", "a fact or a section"),
                Partition("another user's result", "of the same time"),
                Partition("another session's result", "of the same user"),
                Partition(
                    "a skeleton section",
                    "stored for the user",
                    capabilities=frozenset({"skeleton"}),
                ),
                Partition("a cached value", "live", capabilities=frozenset({"cache"})),
                Partition("a stored document", "kept", capabilities=frozenset({"store"})),
                Partition("a panel", "rendered", capabilities=frozenset({"panels"})),
            ),
        ),
        Clause(
            "this-turn-visible",
            "The narrator's prompt shows the user's message, and each call's summary and data.",
            _visible,
            (
                Partition("the user's message", "of this turn"),
                Partition("a summary", "of a successful call"),
                Partition("the data", "of a successful call"),
                Partition("one of several calls", "two or more calls in the turn"),
                Partition("a nested value", "three levels deep"),
                Partition("data that is no object", "a list or a string"),
            ),
        ),
        Clause(
            "numbers-visible",
            "The narrator's prompt shows the numbers of the data as they are.",
            _numbers_visible,
            (
                Partition("a long number", "six digits or more"),
                Partition("beyond double precision", "more than 2**53"),
            ),
        ),
        Clause(
            "guard",
            "A number, identifier or address that nothing of the turn holds does not reach the "
            "user.",
            _guarded,
            (
                *_KINDS,
                Partition("beside a true claim", "one is true, the other invented"),
                Partition("all but the last character is true", "the last one is invented"),
                Partition("another user's result", "which this user was never shown"),
            ),
            capabilities=frozenset({"narrator_guard"}),
        ),
        Clause(
            "contradicted-count",
            "A number that contradicts the only number of the turn's results does not reach the "
            "user.",
            _contradicted,
            (
                Partition("a number of the data", "the data hold one number, the draft another"),
                Partition("how many there are", "the data hold one list, the draft its length"),
                Partition("in groups or with a fraction", "5,127 or 36.25"),
                Partition("in other digits or spaces", "digits of another script, narrow spaces"),
                Partition("only its fraction differs", "36.71 where the data say 36.25"),
                Partition("beside the right number", "which the draft says too"),
                Partition("an earlier turn says it", "of the same user"),
                Partition("another user was told it", "in a session of theirs"),
                Partition("its digits stand in a longer number", "of the same results"),
                Partition("it could be a year", "from 1900 to 2099"),
                Partition("far into a long draft", "behind 400 characters"),
                Partition("the results are long", "more than 2,000 characters"),
                Partition(
                    "a skeleton section says it",
                    "stored for the user",
                    capabilities=frozenset({"skeleton"}),
                ),
            ),
            capabilities=frozenset({"narrator_guard"}),
            sources=(fact_ledger("Why it exists"), context_channels(_POST_TURN)),
        ),
        Clause(
            "counted-draft-survives",
            "A number that the turn's results or message say reaches the user.",
            _counted,
            (
                Partition("borne out by the results", "the only number, or the length of a list"),
                Partition("borne out by the message", "the user wrote it"),
            ),
            level="SHOULD",
            capabilities=frozenset({"narrator_guard"}),
        ),
        Clause(
            "grounded-draft-survives",
            "A claim that the turn bears out word for word reaches the user.",
            _grounded,
            (
                *_KINDS,
                Partition("borne out by the data", "a result holds it"),
                Partition("borne out by the summary", "a summary holds it"),
                Partition("borne out by the message", "the user wrote it"),
            ),
            level="SHOULD",
            capabilities=frozenset({"narrator_guard"}),
        ),
        Clause(
            "earlier-conversation-hidden",
            "The narrator's prompt shows no earlier message and no earlier reply.",
            _conversation,
            (
                Partition("an earlier message", "of this session"),
                Partition("an earlier reply", "of this session"),
            ),
            level="SHOULD",
        ),
    ),
    scenarios=scenarios,
    strategy=strategy,
)
