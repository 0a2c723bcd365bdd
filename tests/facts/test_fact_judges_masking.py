"""I-FACT-LEDGER-PII-MASK-DEFAULT-OFF on kernels that expose too much or too little."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fedcheck.invariants.judges.ledger.i_fact_ledger_pii_mask_default_off import (
    INVARIANT,
    MASKING_FLAGS,
    NAMES,
)
from fedcheck.invariants.scenarios.facts import CALIBRATION, CLOSING, call, turn
from fedcheck.invariants.scenarios.personal import EMAILS, PHONES
from fedcheck.invariants.scenarios.skeleton import word
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED, EXPOSE_PII_FLAG
from fedcheck.invariants.vocabulary.scenario import Environment, Turn
from fedcheck.invariants.vocabulary.trace import (
    AnyEvent,
    ClassifierPrompt,
    Digest,
    Given,
    KernelDescription,
    NarratorPrompt,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared

from .talk import Findings, Talk, conversation, fixed_scenarios, judged, play

TOLD = {x.name for x in INVARIANT.clauses[0].partitions if x.kind == "choice"}
MASKED, NAMED = "masked-unless-true", "names-masked"
KEYS = "keys-masked"
EXPOSED_TRUE, KEPT = "exposed-when-true", "safe-values-kept"
PERSON = turn("who", call({"from": EMAILS[0], "tel": PHONES[0], "n": 3, "ok": True, "no": None}))
TEAM = turn("team", call({"people": [{"name": name} for name in NAMES]}))
HIDDEN = Environment()


def masking(change: Any) -> type[Talk]:
    """A kernel that makes this of a value, unless it may be shown."""

    class Masking(Talk):
        def masked(self, value: Any) -> Any:
            return value if self.exposed else change(super().masked(value), value)

    return Masking


def hidden(kernel: type[Talk]) -> Findings:
    """What is found when the flag is absent."""
    return conversation(kernel, PERSON, TEAM, environment=HIDDEN)


def text_change(change: Any) -> type[Talk]:
    """A kernel that masks by changing each string."""
    return masking(lambda _masked, value: _mapped(value, change))


def _mapped(value: Any, change: Any) -> Any:
    if isinstance(value, dict):
        return {_key(key, change): _mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


def _key(key: str, change: Any) -> str:
    """Only keys that hold personal data are changed: the others are structure."""
    return change(key) if "@" in key or "+" in key else key


@pytest.mark.parametrize("flag", MASKING_FLAGS)
def test_only_the_exact_flag_exposes(flag: str | None) -> None:
    """Whatever else the flag says, personal data in plain sight is a breach."""
    environment = Environment(flags={} if flag is None else {EXPOSE_PII_FLAG: flag})
    exposing = masking(lambda _, value: value)
    findings = conversation(exposing, PERSON, TEAM, environment=environment)

    assert {"e-mail in plain sight", "phone in plain sight"} == findings.kinds[MASKED]
    assert {"no name masked"} == findings.kinds[NAMED]
    assert {MASKED, NAMED} == findings.broken.keys()


@pytest.mark.parametrize("flag", ["1", "yes", "TRUE", "True"])
def test_other_values_of_the_flag_are_not_among_the_fixed_scenarios(flag: str) -> None:
    """The documents do not say what they do; nobody is judged by them."""
    flags = {x.environment.flags.get(EXPOSE_PII_FLAG) for x in INVARIANT.scenarios(DOCUMENTED)}

    assert flag not in flags
    assert {*MASKING_FLAGS, "true"} == flags


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (str.upper, "e-mail in plain sight"),
        (lambda text: text.partition("@")[0], "e-mail in plain sight"),
        (lambda text: text.replace("@", " at "), "e-mail in plain sight"),
        (lambda text: "".join(filter(str.isdigit, text)), "phone in plain sight"),
        (lambda text: text.replace("-", " "), "phone in plain sight"),
        (lambda text: text[-8:], "phone in plain sight"),
    ],
)
def test_half_a_mask_is_none(change: Any, kind: str) -> None:
    """The local part of an address, or the last seven digits, give the person away."""
    assert kind in hidden(text_change(change)).kinds[MASKED]


def test_an_item_of_a_list_is_a_string_as_well() -> None:
    """Masking that looks at fields alone leaves it raw."""
    raw = masking(lambda masked, value: {**masked, "to": value["to"]} if "to" in value else masked)
    listed = turn("who", call({"to": [EMAILS[0]], "n": 1}))

    assert {MASKED} == conversation(raw, listed, environment=HIDDEN).broken.keys()
    assert {} == conversation(Talk, listed, environment=HIDDEN).broken


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        ({EMAILS[0]: 1}, "e-mail"),
        ({"rows": [{"by": {PHONES[1]: "n"}}]}, "phone"),
        ({f"mail of {EMAILS[1]}": True}, "e-mail"),
    ],
)
def test_a_key_is_a_string_as_well(data: Any, shape: str) -> None:
    """At any depth and among words; that keys count is a reading, so it is advice."""
    raw = conversation(masking(lambda _, value: value), turn("who", call(data)), environment=HIDDEN)
    masked = conversation(Talk, turn("who", call({"***": 1})), environment=HIDDEN)

    assert {KEYS: {f"{shape} as a key in plain sight"}} == raw.kinds
    assert {} == masked.broken
    assert "SHOULD" == next(x.level for x in INVARIANT.clauses if x.name == KEYS)


def test_a_key_that_is_a_value_too_is_left_to_the_clause_on_values() -> None:
    """Who masks keys alone shows the address once, as a value."""
    both = turn("who", call({EMAILS[0]: EMAILS[0]}))
    shown = masking(lambda _, value: {"***": EMAILS[0]} if value == {EMAILS[0]: EMAILS[0]} else {})

    assert {MASKED} == conversation(shown, both, environment=HIDDEN).broken.keys()


def test_data_may_be_one_text() -> None:
    """Masking that looks into containers alone leaves it raw."""
    raw = masking(lambda masked, value: value if isinstance(value, str) else masked)
    told = turn("who", call(f"write to {EMAILS[2]} please"))

    assert {MASKED} == conversation(raw, told, environment=HIDDEN).broken.keys()
    assert {} == conversation(Talk, told, environment=HIDDEN).broken


def test_an_escaped_letter_hides_nothing() -> None:
    """The classifier reads JSON escapes as the letters that they are."""

    class Escaping(Talk):
        def masked(self, value: Any) -> Any:
            return value

        def write(self, value: Any) -> str:
            return re.sub(r"[@.0-9+]", lambda m: f"\\u{ord(m[0]):04X}", super().write(value))

    assert {"e-mail in plain sight", "phone in plain sight"} == hidden(Escaping).kinds[MASKED]


@pytest.mark.parametrize(
    "token", ["", "[email]", "user1@redacted.invalid", "z***@example.com", "***-0137", "Jane Doe"]
)
def test_any_token_will_do(token: str) -> None:
    """Tokens may look like what they replace, and may show the domain or the last digits."""
    personal = re.compile(r"\S+@\S+|\+\d[\d ().-]{6,}|[A-Z]\w+ [A-Z]\w+")
    kernel = text_change(lambda text: personal.sub(lambda _: token, text))

    assert {} == hidden(kernel).broken
    assert {} == fixed_scenarios(kernel).broken


def test_one_masked_name_of_ten_shows_that_there_is_a_mechanism() -> None:
    """How good it is, is reported elsewhere and not judged."""
    poor = text_change(lambda text: re.sub(r"\S+@\S+|\+\d.*|Sarah Connor", "[masked]", text))

    assert {} == hidden(poor).broken


def test_a_kernel_that_always_masks_breaks_the_opt_in() -> None:
    """With the flag true the facts are verbatim."""

    class Never(Talk):
        exposed = False

        def __init__(self, flags: dict[str, str]) -> None:
            super().__init__({})
            del flags

    findings = conversation(Never, PERSON)

    assert {"e-mail masked though exposed", "phone masked though exposed"} == (
        findings.kinds[EXPOSED_TRUE]
    )


def test_what_the_cap_took_is_not_masked() -> None:
    """A canary behind the cut of an oversized payload is no sign of masking."""
    large = turn("who", call({"text": "x" * 3500, "from": EMAILS[0]}))

    assert {} == conversation(Talk, large).broken


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda masked, _: str(masked), "masking: object as string"),
        (lambda masked, _: {**masked, "ok": None} if "ok" in masked else masked,
         "masking: boolean as null"),
        (lambda masked, _: {**masked, "n": "[number]"} if "n" in masked else masked,
         "masking: number as string"),
        (lambda masked, _: {key: item for key, item in masked.items() if key != "from"},
         "masking: key lost"),
    ],
)  # fmt: skip
def test_masking_leaves_the_rest_alone(change: Any, kind: str) -> None:
    """Structure, booleans, null, small integers and short words stay."""
    assert {kind} == hidden(masking(change)).kinds[KEPT]


@pytest.mark.parametrize(
    "change",
    [
        lambda masked, _: {key.upper() if "@" in key else key: x for key, x in masked.items()},
        lambda masked, _: {**masked, "order": "[number]"} if "order" in masked else masked,
    ],
)
def test_masking_more_than_it_must_is_free(change: Any) -> None:
    """Keys that hold an address, order numbers and dates may be masked."""
    data = {EMAILS[0]: 1, "order": 4155550137, "date": "2026-05-15", "from": EMAILS[0]}
    findings = conversation(masking(change), turn("go", call(data)), environment=HIDDEN)

    assert set() == findings.kinds[KEPT]


def test_digests_and_previews_are_no_oracle() -> None:
    """A digest may be raw, and a reply may repeat what the user saw."""

    class RawDigests(Talk):
        def digests(self, step: Any) -> list[Any]:
            exposed, self.exposed = self.exposed, True
            events, self.exposed = super().digests(step), exposed
            return events

    told = turn("who", call({"from": EMAILS[0], "n": 1}), draft=f"It was {EMAILS[0]}.")

    assert {} == judged(play(RawDigests, CALIBRATION, told, CLOSING, environment=HIDDEN)).broken


def test_what_digests_and_narrators_show_is_told_and_not_judged() -> None:
    """The documents mask the facts alone."""

    class Raw(Talk):
        def digests(self, step: Turn) -> list[AnyEvent]:
            return [
                NarratorPrompt(prompt=f"{EMAILS[0]} and {PHONES[0]}"),
                *(
                    Digest(app_id=x.app, fn_name=x.function, data_facts_json=x.data_json)
                    for x in self.facts(step)
                ),
            ]

    masked, raw = hidden(Talk), hidden(Raw)

    assert {} == raw.broken
    assert {"digests masked"} == masked.partitions[MASKED] & TOLD
    assert {"digests raw", "narrator shown raw data"} == raw.partitions[MASKED] & TOLD


@pytest.mark.parametrize(
    ("shown", "expected"), [(EMAILS[1], "sections raw"), ("[email]", "sections masked")]
)
def test_whether_sections_are_masked_is_told(shown: str, expected: str) -> None:
    """A section is found by its word."""
    scenario = next(x for x in INVARIANT.scenarios(DOCUMENTED) if x.id == "pii-in-a-section")
    events: list[AnyEvent] = []
    for index, step in enumerate(scenario.steps):
        whose = {"step": index, "user": step.user, "session": step.session}
        events.append(Given(**whose, stimulus=step))
        if isinstance(step, Turn):
            section = f"- overview: mark={word('personal')}, from={shown}" if index else ""
            events.append(ClassifierPrompt(**whose, prompt=f"{step.message}\n{section}"))
    kernel = KernelDescription(kernel="hand", version="1")
    trace = Trace(events=tuple(events), kernel=kernel, environment=scenario.environment)
    judge = next(clause.judge for clause in INVARIANT.clauses if clause.name == MASKED)

    assert [Compared((expected,))] == list(judge(TraceView(trace)))
