"""A record that holds something of everything, each text of which can be chosen."""

from __future__ import annotations

from msgspec.structs import replace

from fedcheck.invariants.vocabulary.scenario import Call, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import (
    ClassifierPrompt,
    Given,
    KernelDescription,
    NarratorPrompt,
    Reply,
    Trace,
)
from fedcheck.invariants.vocabulary.verdict import Verdict, Violation
from fedcheck.reports.lint.findings import Finding, LintReport, RuleText, Span
from fedcheck.reports.record.model import (
    Counterexample,
    Distribution,
    Origin,
    Plugin,
    Qualification,
    RequirementSet,
    RunRecord,
    Setting,
    Suite,
    Surroundings,
    WaiverResult,
)
from fedcheck.reports.record.sample import sample_clause, sample_incident, sample_record

HOSTILE = (
    "</style></title></textarea></script><script>alert(1)</script><img src=x onerror=alert(2)>"
    '<svg/onload=alert(3)>" onmouseover="alert(4)" \' {{ 7*7 }} {% raw %} <!-- ]]> '
    "<a href='javascript:alert(5)'>a</a><style>*{display:none}</style>"
    "<link rel=stylesheet href=http://127.0.0.1:9/a.css><base href=http://127.0.0.1:9/>"
    "\u202egnp\u2066 \x1b[31m\x07\x00 \r\n\ud800 javascript:alert(6)"
)
"""What must stay text: markup, scripts, templates, bidi overrides, terminal escapes."""


def turns(text: str = "") -> Scenario:
    """Return a conversation of two turns."""
    call = Call(data_json='{"unread":8}', summary=text)
    return Scenario(
        id=f"two-turns{text}",
        steps=(Turn(message=f"show my mail{text}", calls=(call,)), Turn(message=f"and now{text}")),
    )


def talked(text: str = "", *, prompt: str = "[HISTORY]\nFACTS: app=beta data=9\n[END]") -> Trace:
    """Return what a kernel did that told an invented fact in the second turn."""
    scenario = turns(text)
    given = tuple(Given(step=n, stimulus=step) for n, step in enumerate(scenario.steps))
    told = (
        ClassifierPrompt(step=1, prompt=f"{prompt}{text}"),
        NarratorPrompt(step=1, prompt=f"Tell it.{text}"),
        Reply(step=1, text=f"You have 9.{text}"),
    )
    kernel = KernelDescription(kernel="whole-kernel", version="1")
    return Trace(events=(given[0], given[1], *told), kernel=kernel, scenario=scenario.id)


def told_example(clause: str, text: str = "", **changes: object) -> Counterexample:
    """Return the counterexample of ``talked``."""
    kind = f"fact of no call{text}"
    violation = Violation(
        clause=clause,
        kind=kind,
        step=1,
        expected=f"FACTS: app=beta data=8{text}",
        got=f"FACTS: app=beta data=9{text}",
    )
    example = Counterexample(
        id=f"ce-1{text}",
        clause=clause,
        kind=kind,
        violation=violation,
        scenario=turns(text),
        trace=talked(text),
        other_trace=talked(text, prompt="kept"),
        reproduced=5,
        attempts=5,
        found_in=f"explore{text}",
        command=f"fedcheck run --kernel whole{text}",
    )
    return replace(example, **changes)


def whole_record(text: str = "") -> RunRecord:
    """Return a record with every kind of line; ``text`` stands behind every text."""
    name = f"C-WHOLE{text}"
    waived = f"{name}/waived{text}"
    changes = {"invariant": name, "sentence": f"Kept.{text}", "sources": (f"page{text}",)}
    sentences = {"FL-2": f"Second.{text}", "FL-12": f"Twelfth.{text}"}
    example, other = told_example(f"{name}/fail{text}", text), told_example(waived, text)
    other = replace(other, id=f"ce-2{text}")
    examples = {Verdict.FAIL: (example,), Verdict.WAIVED: (other,)}
    clauses = [
        sample_clause(
            verdict,
            examples=examples.get(verdict, ()),
            clause=f"{name}/{verdict.value}{text}",
            reason=f"because{text}",
            partitions={f"cap{text}": 3},
            sentences=sentences if verdict in examples else {},
            waiver=f"W-1{text}" if verdict is Verdict.WAIVED else "",
            level="SHOULD" if verdict is Verdict.FLAKY else "MUST",
            required=verdict is not Verdict.FLAKY,
            **changes,
        )
        for verdict in Verdict
    ]
    record = sample_record(
        clauses,
        examples=[example, other],
        incidents=[
            sample_incident(invariant=name, message=f"died{text}", stderr_tail=f"last{text}"),
            sample_incident(invariant="", message=f"died{text}", command=f"fedcheck{text}"),
        ],
        kernel=KernelDescription(kernel=f"whole{text}", version=f"1{text}", commit=f"c{text}"),
        reference=f"whole{text}",
        suite=Suite(name="fedcheck", version=f"0{text}", digest="ab" * 32),
        requirement_set=RequirementSet(name=f"set{text}", digest="cd" * 32),
        excluded={f"C-OUT/{n}{text}": f"ignored{text}" for n in range(8)},
        deviations={f"window{text}": (5, f"6{text}")},
        arguments=("run", "--kernel", f"whole{text}"),
        surroundings=Surroundings(python=f"3{text}", platform=f"L{text}", packages={"a": text}),
        plugins=(
            Plugin(group=f"g{text}", name=f"p{text}", distribution="d", version="1", digest="ef"),
        ),
        configuration={f"seed{text}": Setting(value=f"0{text}", source=f"default{text}")},
        origin=Origin(user=f"u{text}", ci=f"ci{text}", run_url=f"javascript:alert(7){text}"),
    )
    return replace(
        record, waivers=_waivers(waived, text), distributions=_spread(text), **_tested(name, text)
    )


def whole_lint(text: str = "") -> LintReport:
    """Return a lint report with a finding and a suppressed one."""
    span = Span(line=3, column=1, end_line=3, end_column=9)
    finding = Finding(
        path=f"a.py{text}",
        span=span,
        code="FED101",
        rule=f"some-rule{text}",
        severity="error",
        message=f"mend it{text}",
        invariant=f"C-WHOLE{text}",
    )
    quiet = replace(finding, suppressed="inline", justification=f"known{text}")
    rule = RuleText(
        code="FED101", name="some-rule", summary="s", severity="error", invariant=f"C-WHOLE{text}"
    )
    return LintReport(
        version="1",
        sdk=f"2{text}",
        findings=(finding, quiet),
        notes=(f"b.py{text}",),
        rules=(rule,),
        files=2,
    )


def _waivers(clause: str, text: str) -> tuple[WaiverResult, ...]:
    waiver = WaiverResult(
        id=f"W-1{text}",
        clause=clause,
        reason=f"later{text}",
        requested_by=f"ann{text}",
        approved_by=f"bob{text}",
        ticket=f"javascript:alert(8){text}",
        expires="2026-06-01",
        state="applied",
        days_left=16,
    )
    stray = replace(waiver, id=f"W-2{text}", clause=f"C-GONE{text}", state="unmatched")
    return waiver, replace(stray, message=f"remove it{text}")


def _spread(text: str) -> tuple[Distribution, ...]:
    counts = tuple((float(n), 1 + n % 7) for n in range(2900, 3100))
    marks = {f"cap{text}": 3000.0, "call cap": 3050.0}
    spread = Distribution(measure=f"payload{text}", unit=f"chars{text}", marks=marks, counts=counts)
    return spread, Distribution(measure="nothing", counts=())


def _tested(name: str, text: str) -> dict[str, Qualification]:
    killed = {f"{name}/pass{text}": (f"mutant-1{text}", "mutant-2")}
    told = Qualification(suite_digest="ab" * 32, killed=killed, tolerated=(f"style-1{text}",))
    return {"qualification": told}
