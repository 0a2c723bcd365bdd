"""The two invariants about what a FACTS payload and a digest say, on kernels that break them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fedcheck.invariants.scenarios.facts import EXPOSED, call, turn
from fedcheck.invariants.scenarios.payloads import IMITATIONS, UNICODE_SAMPLES, nested, rows
from fedcheck.invariants.vocabulary.scenario import APPS, Call, Environment, Turn
from fedcheck.invariants.vocabulary.trace import AnyEvent, Digest

from .talk import Talk, conversation, judged, play

DATA, META, SUMMARY = "payload-is-data", "no-action-meta", "no-summary"
DIGEST, DEPTH, LEAVES = "digest-is-data", "full-depth", "exact-leaves"
PROSE = 'You have "fifty" tasks, most of them überfällig.'


def mapped(value: Any, leaf: Any) -> Any:
    """A value with every leaf replaced."""
    if isinstance(value, dict):
        return {key: mapped(item, leaf) for key, item in value.items()}
    return [mapped(x, leaf) for x in value] if isinstance(value, list) else leaf(value)


def storing(change: Any) -> type[Talk]:
    """A kernel that changes the data before it records it."""

    class Changing(Talk):
        def data(self, call: Call) -> Any:
            return change(super().data(call))

    return Changing


def as_double(leaf: Any) -> Any:
    """What a language with one kind of number makes of an integer."""
    return int(float(leaf)) if type(leaf) is int else leaf


def cut_deep(value: Any, levels: int = 3) -> Any:
    """A value with everything below some levels written as text."""
    if levels == 0 and isinstance(value, (dict, list)):
        return "…"
    if isinstance(value, dict):
        return {key: cut_deep(item, levels - 1) for key, item in value.items()}
    return [cut_deep(x, levels - 1) for x in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("change", "data", "expected"),
    [
        (as_double, {"in": {"n": 2**53 + 1}}, {DATA: "number changed", LEAVES: "number changed"}),
        (bool, {"in": {"n": 1}}, {DATA: "number as boolean", LEAVES: "number as boolean"}),
        (str, {"in": {"n": 1.5}}, {DATA: "number as string", LEAVES: "number as string"}),
        (lambda x: x or None, {"in": {"t": ""}}, {DATA: "string as null"}),
        (lambda x: x.strip() if isinstance(x, str) else x, {"t": " a "}, {DATA: "string changed"}),
    ],
)
def test_a_changed_leaf_is_named(change: Any, data: Any, expected: dict[str, str]) -> None:
    """The kind of difference says what happened to the value."""
    kernel = storing(lambda value: mapped(value, change) if "b" not in value else value)
    findings = conversation(kernel, turn("go", call(data)))

    assert {name: {kind} for name, kind in expected.items()} == {
        name: findings.kinds[name] for name in expected
    }
    assert {DATA, DIGEST, LEAVES} == findings.broken.keys()


@pytest.mark.parametrize(
    ("change", "data", "kind"),
    [
        (cut_deep, nested(8), "list as string"),
        (lambda v: {**v, "items": v["items"][:3]} if "items" in v else v, rows(9), "item lost"),
        (lambda v: {**v, "in": {}} if "in" in v else v, {"in": {"a": 1}}, "key lost"),
        (lambda v: {k: x for k, x in v.items() if x != []}, {"e": [], "n": 1}, "key lost"),
        (lambda v: {**v, "in": json.dumps(v["in"])} if "in" in v else v, nested(2), "as string"),
    ],
)
def test_lost_structure_is_named(change: Any, data: Any, kind: str) -> None:
    """What is nested stays nested."""
    findings = conversation(storing(change), turn("go", call(data)))

    assert {DATA, DIGEST, DEPTH} == findings.broken.keys()
    assert all(found.endswith(kind) for found in findings.kinds[DEPTH])


@pytest.mark.parametrize("data", [0, "", None, False, [], {}, "text", [1], 7.5])
def test_data_of_every_kind_counts(data: Any) -> None:
    """Data that is no object, or empty, is shown as JSON; a kernel that loses it is caught."""
    wrapped = storing(
        lambda value: value if isinstance(value, dict) and value else {"value": value}
    )

    assert {} == conversation(Talk, turn("go", call(data))).broken
    assert {DATA, DIGEST} <= conversation(wrapped, turn("go", call(data))).broken.keys()


@pytest.mark.parametrize("text", [*UNICODE_SAMPLES, *IMITATIONS, "a\r\nb\x0bc\x0cd", "\ud800"])
@pytest.mark.parametrize("only_ascii", [True, False])
def test_odd_text_stays_on_its_line(text: str, *, only_ascii: bool) -> None:
    """U+2028, U+0085 and vertical tabs end no line, and lone surrogates are compared."""

    class Writing(Talk):
        def write(self, value: Any) -> str:
            return json.dumps(value, ensure_ascii=only_ascii)

    findings = conversation(Writing, turn("go", call({"t": text}), call(text, app=APPS[1])))

    assert {} == findings.broken


class RawLines(Talk):
    """Writes line feeds inside strings as they are."""

    def write(self, value: Any) -> str:
        return super().write(value).replace("\\n", "\n")


class Literals(Talk):
    """Writes what its own language calls a literal."""

    def write(self, value: Any) -> str:
        return repr(value)


class Pretty(Talk):
    """Spreads JSON over several lines."""

    def write(self, value: Any) -> str:
        return json.dumps(value, indent=2)


class Twice(Talk):
    """Names a key twice."""

    def write(self, value: Any) -> str:
        return super().write(value).replace('{"n": 1', '{"n": 0, "n": 1')


class Abyss(Talk):
    """Writes JSON that is too deep for any parser."""

    def write(self, value: Any) -> str:
        return super().write(value).replace('{"n": 1', "[" * 100_000)


@pytest.mark.parametrize("kernel", [Literals, Pretty, Twice, Abyss])
def test_what_is_no_json_is_no_payload(kernel: type[Talk]) -> None:
    """Not JSON, not on one line, not defined, or not readable: not the data."""
    findings = conversation(kernel, turn("go", call({"n": 1, "t": "a\nb", "ok": True})))

    assert "payload is not the data as JSON" in findings.kinds[DATA]


def test_a_line_feed_inside_a_string_cuts_the_payload() -> None:
    """What follows it on the next line is no part of the fact."""
    findings = conversation(RawLines, turn("go", call({"t": f"a\n{IMITATIONS[0]}"})))

    assert {"fact of no call"} == findings.kinds["nothing-else-rendered"]
    assert findings.kinds[DATA] | findings.kinds["fits-intact"]


class WithMeta(Talk):
    """Keeps the envelope in what it records."""

    def data(self, call: Call) -> Any:
        return json.loads(call.data_json)


class WithSummary(Talk):
    """Puts the summary behind the payload."""

    def line(self, call: Call, payload: str) -> str:
        return f"{super().line(call, payload)} {call.summary}"


class SummaryAsField(Talk):
    """Adds the summary to the data, and shows letters as they are."""

    def data(self, call: Call) -> Any:
        value = super().data(call)
        return {**value, "text": call.summary} if call.summary else value

    def write(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)


def test_the_envelope_is_no_fact() -> None:
    """`_action_meta` is for the kernel; a nested key of that name is data."""
    enveloped = turn("go", call({"_action_meta": {"action_type": "read"}, "n": 1}))
    inside = turn("go", call({"n": {"_action_meta": 1}}))

    assert {META, DATA, DIGEST} == conversation(WithMeta, enveloped).broken.keys()
    assert {} == conversation(Talk, enveloped, inside).broken


@pytest.mark.parametrize("kernel", [WithSummary, SummaryAsField])
def test_the_summary_is_no_fact(kernel: type[Talk]) -> None:
    """Neither behind the payload nor inside, in whatever escaping."""
    spoken = turn("go", call({"n": 1}, summary=PROSE))

    assert {"summary in the facts"} == conversation(kernel, spoken).kinds[SUMMARY]


@pytest.mark.parametrize("summary", [PROSE, "x" * 200 + " and so on", "short"])
def test_a_summary_that_the_data_contains_proves_nothing(summary: str) -> None:
    """Where the data says the same words, they may stand in the facts."""
    data = {"text": f"{PROSE} {'x' * 300}"}

    assert {} == conversation(Talk, turn("go", call(data, summary=summary))).broken


class NoDigest(Talk):
    """Writes no digest."""

    def digests(self, step: Turn) -> list[AnyEvent]:
        return []


class SwappedDigests(Talk):
    """Attributes each digest of a turn to the other call."""

    def digests(self, step: Turn) -> list[AnyEvent]:
        texts = [self.payload(x) for x in self.facts(step)][::-1]
        return [
            Digest(app_id=x.app, fn_name=x.function, data_facts_json=text)
            for x, text in zip(self.facts(step), texts, strict=True)
        ]


@pytest.mark.parametrize("kernel", [NoDigest, SwappedDigests])
def test_every_call_leaves_its_digest(kernel: type[Talk]) -> None:
    """A digest names its owner and holds its data."""
    findings = conversation(kernel, turn("go", call({"n": 1}), call({"n": 2}, app=APPS[1])))

    assert {DIGEST: {"no digest with the data"}} == findings.broken


def test_masked_runs_do_not_judge_verbatim_facts() -> None:
    """What masking does to data is the business of the masking invariant."""
    changed = storing(lambda value: mapped(value, str))
    findings = judged(
        play(changed, turn("a", call({"n": 1})), turn("b"), environment=Environment())
    )

    assert {} == findings.broken
    assert 0 == findings.compared[DATA] + findings.compared[LEAVES] + findings.compared[DIGEST]


def test_a_kernel_that_always_masks_is_judged_on_what_no_masking_may_touch() -> None:
    """Without `env_per_scenario` there is no run with the facts as they are."""
    capabilities = ("fact_ledger", "digest")
    data = turn("a", call({"who": "Sarah Connor", "n": 1, "ok": True}))
    fair = type("Fixed", (Talk,), {"capabilities": capabilities})
    unfair = type("Unfair", (storing(lambda v: {**v, "n": 2}),), {"capabilities": capabilities})

    assert {} == judged(play(fair, data, turn("b"), environment=Environment())).broken
    assert {DATA, DIGEST, LEAVES} == judged(
        play(unfair, data, turn("b"), environment=Environment())
    ).broken.keys()
    assert "true" == EXPOSED.flags["IMPERAL_FACT_LEDGER_EXPOSE_PII"]
