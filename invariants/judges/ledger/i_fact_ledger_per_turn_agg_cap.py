"""I-FACT-LEDGER-PER-TURN-AGG-CAP: at most 3000 characters of facts per turn, cut honestly."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.facts import RENDERED, PromptReading
from ...readings.given import GivenTurn
from ...readings.marker import read_markers
from ...readings.overflow import Remnant, overflowing, remnants
from ...readings.pairs import shown_pairs
from ...readings.sizes import Sizes, read_sizes
from ...scenarios.facts import call, fact_scenario, fact_scenarios, turn
from ...scenarios.payloads import rows
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.parameters import DOCUMENTED, Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Call, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_NEAR = 150
"""How close to the cap, in characters, still counts as just under or just over it."""


def _within_cap(view: TraceView) -> Iterator[Finding]:
    cap = view.parameters.turn_cap
    sizes = view.reading(read_sizes)
    for prompt, given in overflowing(view):
        shown = [each.payload for each in remnants(view, prompt, given)]
        payloads = [payload for payload in shown if payload is not None]
        if not payloads:
            continue
        yield Compared(_sizes_class(sizes, given), given.step.index)
        total = sum(payload.facts for payload in payloads)
        if total > cap:
            yield Violation(
                kind="more facts than the cap",
                step=prompt.step.index,
                expected=f"at most {cap} characters of facts for step {given.step.index}",
                got=f"{total} characters in {counted(len(payloads), 'FACTS line')}, markers "
                "not counted",
            )


def _sizes_class(sizes: Sizes, given: GivenTurn) -> tuple[str, ...]:
    limit = _limit(sizes.view.parameters, len(given.successful))
    least = sum(sizes.least(c) for c in given.successful)
    if least <= limit:
        return ()
    names = ["several calls over the cap"] if len(given.successful) > 1 else ["one oversized call"]
    if least <= limit + _NEAR:
        names.append("just over the cap")
    return tuple(names)


def _limit(parameters: Parameters, calls: int) -> int:
    """What so many calls may take together: the turn's cap, or less with a cap per call."""
    if parameters.call_cap is None:
        return parameters.turn_cap
    return min(parameters.turn_cap, parameters.call_cap * calls)


def _fits_intact(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    fat = {id(given) for _, given in overflowing(view)}
    for shown in shown_pairs(view):
        if not shown.fits:
            continue
        names = list(_fit_class(sizes, shown.given.turn))
        if any(id(other) in fat for other in shown.prompt.turns):
            names.append("beside a turn over the cap")
        yield Compared(tuple(names), shown.given.turn.step.index)
        if shown.payload.cut:
            yield Violation(
                kind="cut though the turn fits",
                step=shown.prompt.step.index,
                expected=f"all of {shorten(shown.given.data)}",
                got=f"{shown.payload.shown} characters, then {shorten(shown.payload.remainder)!r}",
            )


def _fit_class(sizes: Sizes, given: GivenTurn) -> Iterator[str]:
    limit = _limit(sizes.view.parameters, len(given.successful))
    most = sum(sizes.most(c) for c in given.successful)
    if most > limit - _NEAR:
        yield "just under the cap"
    as_bytes = sum(len(c.call.data_json) for c in given.successful)
    if as_bytes > limit:
        yield "under the cap in characters, over it in bytes"
    if len(given.successful) >= 3:
        yield "several small calls"


def _overflow_marked(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    for prompt, given in overflowing(view):
        shown = remnants(view, prompt, given)
        if all(each.intact for each in shown):
            continue
        marked = view.reading(read_markers).marked(prompt, given)
        if marked is None:
            continue
        yield Compared(_sizes_class(sizes, given), given.step.index)
        if not marked:
            whole = sum(each.intact for each in shown)
            yield Violation(
                kind="cut without a marker",
                step=prompt.step.index,
                expected=f"a warning marker for the turn of step {given.step.index}",
                got=f"{whole} of {len(shown)} calls whole, and nothing that says so",
            )


def _leading_part(view: TraceView) -> Iterator[Finding]:
    if not view.exposes_pii:
        return
    sizes = view.reading(read_sizes)
    for prompt, given in overflowing(view):
        names = _sizes_class(sizes, given)
        shown = remnants(view, prompt, given)
        if names and not any(each.left for each in shown):
            yield Compared(names, given.step.index)
            yield _not_leading(prompt, shown[-1], "nothing left")
            continue
        for each in shown:
            if each.payload is None or each.whole:
                continue
            yield Compared(names, given.step.index)
            if not each.payload.leading:
                yield _not_leading(prompt, each, "not a leading part")


def _not_leading(prompt: PromptReading, remnant: Remnant, kind: str) -> Violation:
    payload = remnant.payload
    return Violation(
        kind=kind,
        step=prompt.step.index,
        expected=f"the leading part of {shorten(remnant.given.data)}, then at most a marker",
        got="no FACTS line at all" if payload is None else shorten(payload.text),
    )


def _newest_most_complete(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    for prompt, given in overflowing(view):
        if len(given.successful) < 2 or not view.exposes_pii:
            continue
        *older, newest = remnants(view, prompt, given)
        if any(each.given.content == newest.given.content for each in older):
            continue  # which of their lines is whose, nobody can tell
        yield Compared(_order_class(sizes, given), given.step.index)
        best = max(each.share for each in older)
        if newest.share + newest.allowance < best:
            yield Violation(
                kind="newest call cut before an older one",
                step=prompt.step.index,
                expected="the newest call of the turn at least as complete as every older one",
                got=f"{newest.share:.0%} of the newest shown, {best:.0%} of an older one",
            )


def _order_class(sizes: Sizes, given: GivenTurn) -> tuple[str, ...]:
    if not _sizes_class(sizes, given):
        return ()
    newest = sizes.least(given.successful[-1])
    oldest = sizes.least(given.successful[0])
    return ("newest larger than oldest" if newest > oldest else "newest not larger than oldest",)


def _text(size: int) -> dict[str, str]:
    """A payload of one key whose JSON takes ``size`` characters, or one more with a space."""
    return {"text": "x" * (size - len('{"text":""}'))}


def _scenarios(parameters: Parameters) -> Iterator[Scenario]:
    cap, alone = parameters.turn_cap, _limit(parameters, 1)
    yield fact_scenario(
        "cap-just-under", "one call just under the cap", turn("one", call(_text(alone - 60)))
    )
    yield fact_scenario(
        "cap-just-over", "one call just over the cap", turn("one", call(_text(alone + 20)))
    )
    yield fact_scenario(
        "cap-huge",
        "30 KB of nested JSON in one call",
        turn("one", call(rows(cap // 5))),
        turn("two", call({"n": 2})),
    )
    yield fact_scenario(
        "cap-several",
        "five calls that exceed the cap together",
        turn("one", *_calls(5, cap * 3 // 10)),
        turn("two", call({"n": 2})),
    )
    yield fact_scenario("cap-many", "forty small calls", turn("one", *_calls(40, cap // 27)))
    yield fact_scenario(
        "cap-turns",
        "three turns that fit one by one, not together",
        *(turn(name, call(_text(cap * 2 // 5))) for name in ("one", "two", "three")),
    )
    prose = "much ado " * (cap // 9)
    yield fact_scenario(
        "cap-of-facts-alone",
        "facts that fit, beside a long summary, message, reply and envelope",
        turn("one", call(_text(cap * 4 // 5), summary=prose)),
        turn(prose, call(_text(cap * 4 // 5)), draft=prose),
        turn("three", call({"_action_meta": {"note": prose}, **_text(cap * 4 // 5)})),
    )
    yield fact_scenario(
        "cap-newest-large",
        "an older small call, a newest one nearly as large as the cap",
        turn("one", call(_text(cap // 7)), call(_text(cap - 200), app=APPS[1])),
    )
    yield fact_scenario(
        "cap-newest-small",
        "an older large call, a newest small one",
        turn("one", call(_text(cap - 100)), call(_text(cap // 7), app=APPS[1])),
    )
    yield fact_scenario("cap-small", "several small calls fit", turn("one", *_calls(6, 60)))
    yield fact_scenario(
        "cap-letters",
        "Cyrillic letters that fit, unless counted in bytes",
        turn("one", call({"n": 1}), call({"text": "я" * (cap * 2 // 3)})),
    )
    yield fact_scenario(
        "cap-neighbours",
        "a fat turn between two slim ones",
        turn("one", *_calls(3, 80)),
        turn("two", call(_text(2 * cap))),
        turn("three", *_calls(3, 80)),
    )


def _calls(count: int, size: int) -> Iterator[Call]:
    for number in range(count):
        yield call(
            {"number": number, **_text(size)},
            app=APPS[number % len(APPS)],
            function=FUNCTIONS[number % len(FUNCTIONS)],
        )


_OVERFLOW = (
    Partition("one oversized call", "a single call that exceeds the cap alone"),
    Partition("several calls over the cap", "calls that exceed the cap together"),
)

_JUST_OVER = Partition("just over the cap", "by at most 150 characters")

INVARIANT = Invariant(
    id="I-FACT-LEDGER-PER-TURN-AGG-CAP",
    title="Facts of a turn are bounded, and cut honestly",
    statement=(
        f"The facts of one turn take at most {DOCUMENTED.turn_cap} characters together; what "
        "exceeds that is truncated from the oldest calls, with a warning marker."
    ),
    sources=(
        fact_ledger("Caps and limits"),
        fact_ledger("Federal invariants"),
        context_channels("The three channels at a glance"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    rests_on=(RENDERED,),
    reading=(
        "The cap counts code points of the payloads, markers excluded (contradiction C5); whether "
        "the line's prefix counts too is open unless the kernel declares it, so a turn between the "
        "two readings is not judged. The words and the place of the marker are free. Tail means "
        "oldest (C2): older calls may be cut or vanish, the newest stays at least as complete; a "
        "single oversized call keeps its leading part. The order of fields is free but here: what "
        "is left of a cut call begins with the fields that the handler returned first."
    ),
    clauses=(
        Clause(
            name="within-cap",
            sentence="The payloads of a turn take no more characters than the cap.",
            judge=_within_cap,
            partitions=(*_OVERFLOW, _JUST_OVER),
        ),
        Clause(
            name="fits-intact",
            sentence="The facts of a turn that fits the cap are not cut.",
            judge=_fits_intact,
            partitions=(
                Partition("just under the cap", "in every reading, by at most 150 characters"),
                Partition("several small calls", "three calls or more that fit together"),
                Partition("beside a turn over the cap", "another turn of the window overflows"),
                Partition(
                    "under the cap in characters, over it in bytes",
                    "non-ASCII text that this kernel does not escape",
                    kind="observed",
                ),
            ),
        ),
        Clause(
            name="overflow-marked",
            sentence="A turn whose facts were cut or dropped carries a warning marker.",
            judge=_overflow_marked,
            partitions=(*_OVERFLOW, _JUST_OVER),
        ),
        Clause(
            name="leading-part",
            sentence="A cut payload is a leading part of the data, never its middle or its end.",
            judge=_leading_part,
            partitions=(_OVERFLOW[0],),
            sources=(fact_ledger("What you DO NOT do"),),
        ),
        Clause(
            name="newest-most-complete",
            sentence="The newest call of a turn is never cut before an older one.",
            judge=_newest_most_complete,
            partitions=(
                Partition("newest larger than oldest", "the newest call is the larger one"),
                Partition("newest not larger than oldest", "the newest call is not larger"),
            ),
            contradictions=(
                Contradiction(
                    "administrators' form, facts of a turn",
                    "each call is cut to 1,500 characters first, then all in proportion.",
                    "The founding page cuts the oldest calls first: that is judged.",
                ),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=fact_scenarios,
)
