"""I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS: the reply says what this turn bears out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...readings.as_written import Written
from ...readings.claims import Claim, read_claims
from ...readings.counts import read_counts
from ...readings.marks import MarkedTurn, Marks, Plant, read_marks
from ...readings.narration import (
    Due,
    due_marks,
    due_names,
    due_numbers,
    due_of_failed,
    due_of_large,
    due_texts,
    narrator_texts,
    without_separators,
)
from ...readings.written_claims import WrittenClaim, read_written_claims
from ...scenarios.narrator import scenarios, strategy
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Judge, Partition
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
        classes = tuple({name for names in due.values() for name in names})
        yield Compared(classes, turn.step.index)
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
            yield Compared(("a long number" if exact else "beyond double precision",), step.index)
            if str(abs(number)) not in shown:
                yield Violation(
                    kind="number of a result missing",
                    step=step.index,
                    expected=f"the narrator is shown the number {number}",
                    got="a narrator's prompt without it",
                )


def _texts_visible(view: TraceView) -> Iterator[Finding]:
    for step, text in narrator_texts(view) if view.exposes_pii else ():
        written = Written(text)
        for due in due_texts(step):
            yield Compared(tuple(sorted(set(due.values()))), step.index)
            for missing in written.missing(tuple(due)):
                yield Violation(
                    kind=f"text of a result altered: {due[missing]}",
                    step=step.index,
                    expected=f"the narrator is shown {missing!r}, in any quotation",
                    got="a narrator's prompt without it",
                )


def _shown(due: Callable[[MarkedTurn], Iterator[Due]]) -> Judge:
    """The judge of a clause that wants something in the narrator's prompt."""

    def judge(view: TraceView) -> Iterator[Finding]:
        for turn in _narrated(view.reading(read_marks)):
            for each in due(turn):
                yield Compared((each.name,), turn.step.index)
                if not each.marks & (turn.narrator or frozenset()):
                    yield Violation(
                        kind=f"{each.name} missing",
                        step=turn.step.index,
                        expected=f"the narrator is shown {each.name}, with {min(each.marks)!r}",
                        got="a narrator's prompt without it",
                    )

    return judge


def _invented(claim: Claim | WrittenClaim, kind: str) -> Violation:
    return Violation(
        kind=f"invented {kind} told",
        step=claim.step.index,
        expected=f"a reply without {claim.text!r}, which no result of the turn holds",
        got=f"a reply that says {shorten(claim.text)}",
    )


def _lost(claim: Claim | WrittenClaim, kind: str, holder: str) -> Violation:
    return Violation(
        kind=f"true {kind} lost",
        step=claim.step.index,
        expected=f"a reply with {claim.text!r}, which {holder} holds",
        got="a reply without it",
    )


def _guarded(view: TraceView) -> Iterator[Finding]:
    for claim in view.reading(read_claims):
        if claim.place is not None:
            continue
        beside = () if claim.alone else ("beside a true claim",)
        yield Compared((_article(claim), *beside, *claim.traps), claim.step.index)
        if claim.survived:
            yield _invented(claim, claim.kind)


def _guarded_in_any_form(view: TraceView) -> Iterator[Finding]:
    for claim in view.reading(read_written_claims):
        if claim.borne_out:
            continue
        yield Compared((claim.form, *claim.traps), claim.step.index)
        if claim.survived:
            yield _invented(claim, claim.form)


def _grounded_in_any_form(view: TraceView) -> Iterator[Finding]:
    for claim in view.reading(read_written_claims):
        if not claim.borne_out:
            continue
        yield Compared((claim.form,), claim.step.index)
        if not claim.survived:
            yield _lost(claim, claim.form, "the turn")


def _grounded(view: TraceView) -> Iterator[Finding]:
    for claim in view.reading(read_claims):
        if claim.place is None or not claim.alone:
            continue
        yield Compared((_article(claim), f"borne out by the {claim.place}"))
        if not claim.survived:
            yield _lost(claim, claim.kind, f"the turn's {claim.place}")


def _contradicted(view: TraceView) -> Iterator[Finding]:
    for count in view.reading(read_counts):
        if not count.contradicted:
            continue
        yield Compared((count.source, *count.traps), count.step.index)
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
        yield Compared((f"borne out by the {count.source}",), count.step.index)
        if not count.survived:
            yield Violation(
                kind="true number lost",
                step=count.step.index,
                expected=f"a reply that says {count.number}, which the {count.source} holds",
                got="a reply without it",
            )


def _article(claim: Claim) -> str:
    return f"a{'' if claim.kind == 'number' else 'n'} {claim.kind}"


_FORMS = (
    Partition("number", "1,000 or more, grouped, with a fraction, or behind #"),
    Partition("percentage", "over 100"),
    Partition("amount", "of money, with its currency before or behind it"),
    Partition("date", "in digits or with the month's name"),
    Partition("time", "of the day, with seconds or without"),
    Partition("address", "of e-mail"),
    Partition("identifier", "letters and digits, in capitals, lower case or both"),
    Partition("link", "with a path"),
    Partition("phone", "with its country's number"),
    Partition("version", "three numbers or more"),
)

_KINDS = (
    Partition("a number", "nine digits"),
    Partition("an identifier", "letters, a hyphen, digits"),
    Partition("an address", "an e-mail address"),
)

_OFF = Contradiction(
    "administrators' form, judge of replies",
    "it is off by default.",
    "The founding page knows no such switch; a kernel that claims narrator_guard is judged.",
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
        "sees nothing of it is advisory. Only claims that cannot be "
        "derived are planted: nine digits, identifiers, addresses, numbers that nothing of the "
        "turn could add up to, and dates, amounts and other values of which the results hold "
        "another. Blocking, repairing and a caveat without the claim all conform. Only turns "
        "with up to 3,000 characters of results must be shown whole, of larger data a part. A "
        "failed call is a step, too; which of summary, error and data tells it is free."
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
            contradictions=(
                Contradiction(
                    "context-channels page, The essence",
                    "everything that the user sees is grounded in skeleton, cache and facts.",
                    "The same page says that the narrator never sees skeletons, and sees what the "
                    "tools returned this turn alone: the narrower sentence is judged.",
                ),
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
            "texts-visible",
            "The narrator's prompt shows the texts of the results as they are, in any quotation.",
            _texts_visible,
            (
                Partition("signs of templates", "of formats, replacements, scripts and queries"),
                Partition("signs of markup", "angle brackets, ampersands, quotation marks"),
                Partition("letters and signs beyond ASCII", "most have another form, too"),
                Partition("blanks", "at an end, or several in a row"),
                Partition("capitals", "and small letters"),
            ),
        ),
        Clause(
            "failed-call-visible",
            "The narrator's prompt shows each failed call: its summary, its error or its data.",
            _shown(due_of_failed),
            (Partition("a failed call", "one that has a summary, or returned something"),),
        ),
        Clause(
            "large-data-visible",
            "Of data of any size the narrator's prompt shows a part, whatever the summary says.",
            _shown(due_of_large),
            (
                Partition("more than 3,000 characters", "of one call, the first large one"),
                Partition("more than 30,000 characters", "of one call, the first large one"),
            ),
        ),
        Clause(
            "field-names-visible",
            "The narrator's prompt shows the data with the names of its fields.",
            _shown(due_names),
            (
                Partition("a field", "of the object that a call returned"),
                Partition("a field further down", "of an object in it or in a list"),
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
            contradictions=(_OFF,),
        ),
        Clause(
            "guard-in-any-form",
            "A number, date, time, amount, code, link, address, phone number or version that "
            "nothing of the turn holds or yields does not reach the user, however it is written.",
            _guarded_in_any_form,
            (
                *_FORMS,
                Partition("it stands in a longer value", "of the same results"),
                Partition("an earlier draft says it", "which nothing bore out either"),
                Partition("another user was told it", "by a result of theirs"),
                Partition("far into a long draft", "behind 400 characters"),
                Partition("the results are long", "more than 2,000 characters"),
                Partition(
                    "a skeleton section says it",
                    "stored for the user",
                    capabilities=frozenset({"skeleton"}),
                ),
                Partition("a cached value says it", "live", capabilities=frozenset({"cache"})),
            ),
            capabilities=frozenset({"narrator_guard"}),
            contradictions=(_OFF,),
        ),
        Clause(
            "grounded-in-any-form",
            "A claim that the turn bears out reaches the user, in whatever form it is written.",
            _grounded_in_any_form,
            _FORMS,
            level="SHOULD",
            capabilities=frozenset({"narrator_guard"}),
            contradictions=(_OFF,),
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
                Partition("twelve or less", "told beside the word that the draft has there"),
                Partition("as a word", "from two to ninety-nine, in English"),
                Partition("less than the right number", "and no simple part of it"),
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
            contradictions=(_OFF,),
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
            contradictions=(_OFF,),
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
            contradictions=(_OFF,),
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
            contradictions=(
                Contradiction(
                    "administrators' form, narrator history",
                    "the narrator sees twelve turns by default.",
                    "The page says that it sees this turn alone; so that is advice, and no demand.",
                ),
            ),
        ),
    ),
    scenarios=scenarios,
    strategy=strategy,
)
