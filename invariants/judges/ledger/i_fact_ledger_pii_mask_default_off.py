"""I-FACT-LEDGER-PII-MASK-DEFAULT-OFF: personal data is masked unless exposure is opted in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...readings.facts import RENDERED
from ...readings.pairs import Shown, shown_pairs
from ...readings.skeleton import read_skeleton
from ...scenarios.facts import CALIBRATION, call, fact_scenario, turn
from ...scenarios.personal import CANARIES, EMAILS, FOREIGN_EMAILS, PHONES
from ...scenarios.skeleton import environment, section, word
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.json_values import is_list, is_object, leaves
from ...vocabulary.parameters import EXPOSE_PII_FLAG, Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Environment, Scenario, SkeletonRefresh, Turn
from ...vocabulary.sources import fact_ledger
from ...vocabulary.text import shorten, told_apart
from ...vocabulary.trace import Digest, NarratorPrompt, prompt_text
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

NAMES = (
    "Sarah Connor", "Michael Johnson", "Emily Davis", "David Miller", "Anna Schmidt",
    "John Williams", "Maria Garcia", "James Anderson", "Laura Thompson", "Robert Brown",
)  # fmt: skip
ABROAD = (
    "(212) 555-0168", "+7 (495) 123-45-67", "+49 30 901820", "+81-3-1234-5678", "0044 20 7946 0958",
    "ilse.brandt+news@почта.example", "o'neil@sub.domain.example.co.uk",
    "Иван Петров", "José Álvarez-Ruiz", "山田太郎",
)  # fmt: skip
"""Further shapes: what masking makes of them is told, not judged."""

_REPORTED = {
    "keys kept apart": "two addresses as keys of one object",
    "keys merged": "two addresses as keys of one object",
    "all rarer shapes masked": "numbers, addresses and names of other countries",
    "some rarer shapes shown": "numbers, addresses and names of other countries",
    "digests masked": "what a digest holds of personal data while the facts are masked",
    "digests raw": "what a digest holds of personal data while the facts are masked",
    "narrator shown masked data": "of this turn's results",
    "narrator shown raw data": "of this turn's results",
    "sections masked": "a skeleton section with personal data, as the classifier sees it",
    "sections raw": "a skeleton section with personal data, as the classifier sees it",
}

_NARRATED = ("narrator shown raw data", "narrator shown masked data")

MASKING_FLAGS = (None, "", "0", "false", "no")
"""Values of the flag that do not expose; ``None`` is the absent flag."""

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_PHONE_PART = 7
"""Digits in a row that give the person away, be they the last ones or the first."""

_AS_KEY = "apart"
"""A value that counts how many keys are left."""
_LEAST_PART = 4
"""Letters of a part of an address that gives the person away."""

_PART = re.compile(r"[^\W\d_]+")


def _masked_unless_true(view: TraceView) -> Iterator[Finding]:
    if view.exposes_pii:
        return
    yield from _elsewhere(view)
    for shown in shown_pairs(view):
        yield from _reported(shown)
        for canary, shape, place in _planted(shown.given.data):
            yield Compared((_flag_class(view), shape, place), shown.given.turn.step.index)
            if _visible(canary, shape, shown.payload.text):
                yield Violation(
                    kind=f"{shape} in plain sight",
                    step=shown.prompt.step.index,
                    expected=f"{canary} masked, because {_flag_class(view)}",
                    got=shorten(shown.payload.text, 400),
                )


def _any_script_masked(view: TraceView) -> Iterator[Finding]:
    if view.exposes_pii:
        return
    for shown in shown_pairs(view):
        if "@" not in shown.given.call.data_json:
            continue
        planted, told = _plain(shown.given.call.data_json), _plain(shown.payload.text)
        for address in FOREIGN_EMAILS:
            if address.casefold() not in planted:
                continue
            yield Compared(("an address of another script",), shown.given.turn.step.index)
            if address.partition("@")[0].casefold() in told:
                yield Violation(
                    kind="an address of another script in plain sight",
                    step=shown.prompt.step.index,
                    expected=f"{address} masked, because {_flag_class(view)}",
                    got=shorten(shown.payload.text, 400),
                )


def _keys_masked(view: TraceView) -> Iterator[Finding]:
    """A key whose address is a value, too, is left to the clause on values."""
    if view.exposes_pii:
        return
    for shown in shown_pairs(view):
        values = {canary for canary, _, _ in _planted(shown.given.data)}
        for key, level in _keys(shown.given.data):
            for canary, shape in CANARIES.items():
                if canary not in key or canary in values:
                    continue
                yield Compared(_key_class(key, canary, shape, level), shown.given.turn.step.index)
                if _visible(canary, shape, shown.payload.text):
                    yield Violation(
                        kind=f"{shape} as a key in plain sight",
                        step=shown.prompt.step.index,
                        expected=f"the key {canary} masked, because {_flag_class(view)}",
                        got=shorten(shown.payload.text, 400),
                    )


def _key_class(key: str, canary: str, shape: str, level: int) -> tuple[str, ...]:
    return (
        f"{shape} as a key",
        "a key of the outermost object" if level == 0 else "a key below others",
        *(("a key with words around",) if key != canary else ()),
    )


def _keys(value: Any, level: int = 0) -> Iterator[tuple[str, int]]:
    """The keys of all objects that may hold personal data, each with how deep it stands."""
    inner = value.values() if is_object(value) else value if is_list(value) else ()
    if is_object(value):
        yield from ((key, level) for key in value if "@" in key or "+" in key)
    for item in inner:
        yield from _keys(item, level + 1)


def _reported(shown: Shown) -> Iterator[Finding]:
    """Whether keys stay apart, and masking of rarer shapes, is counted and never judged."""
    if not is_object(shown.given.data):
        return
    read, told = _plain(shown.payload.text), set[str]()
    if {*shown.given.data} == {*EMAILS}:
        told.add("keys kept apart" if read.count(_AS_KEY) == len(EMAILS) else "keys merged")
    if shown.given.data.get("abroad") == [*ABROAD]:
        whole = any(shape.casefold() in read for shape in ABROAD)
        told.add("some rarer shapes shown" if whole else "all rarer shapes masked")
    if told:
        yield Compared(tuple(sorted(told)))


def _elsewhere(view: TraceView) -> Iterator[Finding]:
    """The documents mask the facts alone: what other places show is counted and never judged."""
    for step in view.steps:
        given = step.stimulus
        calls = given.calls if isinstance(given, Turn) else ()
        data = [each.data_json for each in calls if each.status == "success"]
        if any(sign in text for sign in "@+" for text in data):
            digests = [each.data_facts_json for each in step.all(Digest)]
            narrated = [prompt_text(each) for each in step.all(NarratorPrompt)]
            yield from _told_of(data, digests, ("digests raw", "digests masked"))
            yield from _told_of(data, narrated, _NARRATED)
    for prompt in view.reading(read_skeleton).prompts:
        held = [json.dumps(place.value) for place in prompt.showing]
        yield from _told_of(held, [prompt.text], ("sections raw", "sections masked"))


def _told_of(data: list[str], texts: list[str], names: tuple[str, str]) -> Iterator[Finding]:
    planted = [canary for canary in CANARIES if any(canary in each for each in data)]
    if planted and texts:
        shown = _plain("\n".join(texts))
        yield Compared((names[0 if any(x.casefold() in shown for x in planted) else 1],))


def _names_masked(view: TraceView) -> Iterator[Finding]:
    """One of ten masked shows that the mechanism exists; how good it is, is not judged."""
    if view.exposes_pii:
        return
    for shown in shown_pairs(view):
        planted = [name for name in NAMES if name in shown.given.call.data_json]
        if len(planted) < len(NAMES):
            continue
        yield Compared(("ten names",))
        words = _parts(shown.payload.text)
        if all(words.intersection(name.casefold().split()) for name in planted):
            yield Violation(
                kind="no name masked",
                step=shown.prompt.step.index,
                expected="at least one of ten person names masked",
                got=shorten(shown.payload.text, 400),
            )


def _exposed_when_true(view: TraceView) -> Iterator[Finding]:
    if not view.exposes_pii:
        return
    for shown in shown_pairs(view):
        if shown.payload.cut and not shown.fits:
            continue
        for canary, shape, _ in _planted(shown.given.data):
            yield Compared((f"{shape} with the flag true",), shown.given.turn.step.index)
            if canary.casefold() not in _plain(shown.payload.text):
                yield Violation(
                    kind=f"{shape} masked though exposed",
                    step=shown.prompt.step.index,
                    expected=f"{canary} as it is, because {EXPOSE_PII_FLAG}=true",
                    got=shorten(shown.payload.text, 400),
                )


def _safe_values_kept(view: TraceView) -> Iterator[Finding]:
    if view.exposes_pii:
        return
    for shown in shown_pairs(view):
        if not shown.fits or not any(True for _ in _planted(shown.given.data)):
            continue
        yield Compared(("safe values beside personal data",), shown.given.turn.step.index)
        if not shown.payload.intact:
            yield _destroyed(shown)


def _destroyed(shown: Shown) -> Violation:
    if shown.payload.differences:
        first = shown.payload.differences[0]
        expected, got = told_apart(first.expected, first.got)
        where, kind = first.where, first.kind
    else:
        expected, got, kind = "JSON", shorten(shown.payload.text), "no longer JSON"
        where = "$"
    return Violation(
        kind=f"masking: {kind}",
        step=shown.prompt.step.index,
        expected=f"structure, booleans, null, small integers and short words kept: "
        f"{where} is {expected}",
        got=f"{where} is {got}",
    )


def _planted(data: Any) -> Iterator[tuple[str, str, str]]:
    """The canaries in a value, each with its shape and the place where it stands."""
    top = list(data.values()) if is_object(data) else []
    items = {item for each in _lists(data) for item in each if isinstance(item, str)}
    for leaf in leaves(data):
        if not isinstance(leaf, str) or not ("@" in leaf or "+" in leaf):
            continue
        for canary, shape in CANARIES.items():
            if leaf is data and canary in leaf:
                yield canary, shape, "data that is one text"
            elif leaf == canary:
                at_top = "at the top" if leaf in top else "nested"
                yield canary, shape, "an item of a list" if leaf in items else at_top
            elif canary in leaf:
                yield canary, shape, "inside longer text"


def _lists(value: Any) -> Iterator[list[Any]]:
    if is_list(value):
        yield value
    for item in value.values() if is_object(value) else value if is_list(value) else ():
        yield from _lists(item)


def _visible(canary: str, shape: str, payload: str) -> bool:
    """Whether a canary, or the part of it that gives the person away, can be read."""
    if shape == "phone":
        digits, told = re.sub(r"\D", "", canary), re.sub(r"\D", "", _plain(payload))
        parts = range(len(digits) - _PHONE_PART + 1)
        return any(digits[at : at + _PHONE_PART] in told for at in parts)
    return any(
        len(part) >= _LEAST_PART for part in _parts(canary.partition("@")[0]) & _parts(payload)
    )


@lru_cache(maxsize=64)
def _parts(text: str) -> frozenset[str]:
    return frozenset(_PART.findall(_plain(text)))


@lru_cache(maxsize=64)
def _plain(payload: str) -> str:
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)), payload).casefold()


def _flag_class(view: TraceView) -> str:
    value = view.trace.environment.flags.get(EXPOSE_PII_FLAG)
    return "the flag is absent" if value is None else f"the flag is {value!r}"


def _environment(value: str | None) -> Environment:
    flags = {} if value is None else {EXPOSE_PII_FLAG: value}
    return Environment(flags=flags, flags_matter=True)


def _conversation(name: str, title: str, value: str | None) -> Scenario:
    return fact_scenario(
        name,
        title,
        turn("who wrote", call({"unread": 8, "flag": True, "none": None, "from": EMAILS[0]})),
        turn("and", call({"rows": [{"contact": {"mail": EMAILS[1], "tel": PHONES[0]}, "n": 3}]})),
        turn("call", call({"tel": PHONES[1], "state": "open"})),
        turn("note", call({"note": f"please ring {PHONES[2]} or write to {EMAILS[0]} today"})),
        turn(
            "lists",
            call({"to": [EMAILS[1], EMAILS[2]], "tels": [[PHONES[0], PHONES[2]]], "n": 2}),
            call(f"write to {EMAILS[2]} or ring {PHONES[0]}", app=APPS[1]),
            call(dict.fromkeys(EMAILS, _AS_KEY), app=APPS[2]),
        ),
        turn(
            "large",
            call({"note": f"{EMAILS[2]} or {EMAILS[1]}, {PHONES[1]} or {PHONES[0]}"}, app=APPS[2]),
            call(
                {
                    "log": "so far so good " * 100 + EMAILS[1],
                    "rows": [*[{"n": n, "by": "none"} for n in range(30)], {"by": EMAILS[2]}],
                },
                function=FUNCTIONS[1],
            ),
        ),
        turn(
            "team",
            call({"people": [{"name": name, "n": 1} for name in NAMES]}),
            call({EMAILS[0]: 1, "note": f"as {NAMES[0]} said"}),
            call({PHONES[1]: {"n": 2}}),
            call({"abroad": [*ABROAD], "n": 3, "ok": True}, app=APPS[1]),
        ),
        turn(
            "by whom",
            call({"rows": [{"n": 1}, {"unread": {EMAILS[1]: 2, PHONES[0]: 1}}], "n": 2}),
            call({f"mail of {EMAILS[2]}": True, f"calls, {PHONES[2]}": 3}, app=APPS[1]),
        ),
        environment=_environment(value),
    )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    for value in MASKING_FLAGS:
        label = "absent" if value is None else value or "empty"
        yield _conversation(f"pii-flag-{label}", f"masked: the flag is {label}", value)
    held = {"mark": word("personal"), "unread": 2, "from": EMAILS[1], "tel": PHONES[0]}
    yield Scenario(
        id="pii-in-a-section",
        title="personal data in a skeleton section: masked or not is told",
        steps=(CALIBRATION, SkeletonRefresh(), turn("who wrote")),
        environment=Environment(
            flags_matter=True, extensions=environment(alpha=section([held])).extensions
        ),
    )
    yield _conversation("pii-flag-true", "exposed: the flag is true", "true")


def _strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    from hypothesis import strategies as st

    canaries = st.sampled_from([*CANARIES])
    texts = st.sampled_from(["{}", "see {} please", "({})", "a, {}; b", "<{}>"])
    flags = st.sampled_from([*MASKING_FLAGS, "true"])

    @st.composite
    def conversations(draw: DrawFn) -> Scenario:
        turns = [
            turn("go", call(_wrapped(draw(texts).format(draw(canaries)), draw(st.integers(0, 5)))))
            for _ in range(draw(st.integers(1, 4)))
        ]
        return fact_scenario("explore", "", *turns, environment=_environment(draw(flags)))

    return conversations()


def _wrapped(text: str, levels: int) -> Any:
    value: Any = {"value": text, "ok": True, "n": 5, "none": None, "word": "open"}
    for level in range(levels):
        value = {"in": value, "level": level} if level % 2 else {"list": [value, level]}
    return value


_PER_SCENARIO = frozenset({"env_per_scenario"})


def _flag_partitions() -> Iterator[Partition]:
    for value in MASKING_FLAGS:
        name = "the flag is absent" if value is None else f"the flag is {value!r}"
        yield Partition(name, f"{EXPOSE_PII_FLAG} does not expose", capabilities=_PER_SCENARIO)


INVARIANT = Invariant(
    id="I-FACT-LEDGER-PII-MASK-DEFAULT-OFF",
    title="Exposure of personal data is opt-in",
    statement=(
        f"E-mail-shaped, phone-shaped and named-entity strings are masked in the facts unless the "
        f"environment sets {EXPOSE_PII_FLAG} to exactly true."
    ),
    severity="critical",
    sources=(
        fact_ledger("PII gate"),
        fact_ledger("Caps and limits"),
        fact_ledger("Federal invariants"),
    ),
    capabilities=frozenset({"fact_ledger"}),
    rests_on=(RENDERED,),
    reading=(
        "The default is exposure off, so masking on (contradiction C3; the id's word order "
        "misleads). Judged on FACTS payloads only: replies may repeat what the user saw, and what "
        "digests, the narrator and skeleton sections show of personal data is told, not judged. "
        "Values such as 1 or yes are not named by the documents and not judged. Strings "
        "are masked, say the pages, and elsewhere values: that a key is a string among them is "
        "advisory, whether masked keys stay apart is open. Masking order numbers or dates is free."
    ),
    clauses=(
        Clause(
            name="masked-unless-true",
            sentence="E-mail addresses and phone numbers are masked unless the flag is true.",
            judge=_masked_unless_true,
            partitions=(
                *_flag_partitions(),
                Partition("e-mail", "an e-mail address", capabilities=_PER_SCENARIO),
                Partition("phone", "an international phone number", capabilities=_PER_SCENARIO),
                Partition("at the top", "a value of a flat object", capabilities=_PER_SCENARIO),
                Partition("nested", "below other containers", capabilities=_PER_SCENARIO),
                Partition("inside longer text", "with words around", capabilities=_PER_SCENARIO),
                Partition("an item of a list", "and no object's field", capabilities=_PER_SCENARIO),
                Partition("data that is one text", "and no object", capabilities=_PER_SCENARIO),
                *(Partition(name, text, "choice") for name, text in _REPORTED.items()),
            ),
            contradictions=(
                Contradiction(
                    "fact-ledger page, What the classifier sees",
                    "an address is read from the facts as it is, to send to it again.",
                    "That holds where the flag is true. By default it is masked, and what masking "
                    "left is refused as an argument (I-PARAMS-NO-PLACEHOLDER-VALUES).",
                ),
            ),
        ),
        Clause(
            name="any-script-masked",
            sentence="An address is masked in other scripts than ASCII, too.",
            judge=_any_script_masked,
            level="SHOULD",
            partitions=(
                Partition("an address of another script", "or partly", capabilities=_PER_SCENARIO),
            ),
        ),
        Clause(
            name="keys-masked",
            sentence="An address or a number is masked as a key of an object, too.",
            judge=_keys_masked,
            level="SHOULD",
            partitions=(
                Partition("e-mail as a key", "an address", capabilities=_PER_SCENARIO),
                Partition("phone as a key", "a number", capabilities=_PER_SCENARIO),
                Partition(
                    "a key of the outermost object", "of the data", capabilities=_PER_SCENARIO
                ),
                Partition("a key below others", "nested", capabilities=_PER_SCENARIO),
                Partition(
                    "a key with words around", "and no bare address", capabilities=_PER_SCENARIO
                ),
            ),
        ),
        Clause(
            name="names-masked",
            sentence="Person names are masked unless the flag is true.",
            judge=_names_masked,
            partitions=(Partition("ten names", "ten obvious names", capabilities=_PER_SCENARIO),),
            contradictions=(
                Contradiction(
                    "imperal-mcp, its masking",
                    "addresses and numbers are masked, names are not.",
                    "The founding page names them: one of ten masked is asked for.",
                ),
            ),
        ),
        Clause(
            name="exposed-when-true",
            sentence="With the flag true the facts are verbatim.",
            judge=_exposed_when_true,
            partitions=(
                Partition("e-mail with the flag true", "opted in", capabilities=_PER_SCENARIO),
                Partition("phone with the flag true", "opted in", capabilities=_PER_SCENARIO),
            ),
        ),
        Clause(
            name="safe-values-kept",
            sentence="Masking leaves structure, booleans, null, small integers and words alone.",
            judge=_safe_values_kept,
            partitions=(
                Partition(
                    "safe values beside personal data", "in one object", capabilities=_PER_SCENARIO
                ),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=_strategy,
)
