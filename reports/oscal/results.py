"""The record as OSCAL assessment results.

OSCAL knows two states, so everything that did not pass is *not satisfied*, with the reason; a
waiver changes the risk, never the finding. What the kernel does not claim was not assessed and
has no finding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from ...invariants.vocabulary.codec import to_json
from ...invariants.vocabulary.verdict import Verdict
from ..record.ids import stable_uuid
from ..record.model import ClauseResult, Counterexample, RunRecord
from ..record.seal import encode_line
from ..record.verdict_words import coverage, extent
from ..wording.clause_text import headline
from ..wording.narrative import run_problems
from .component import claimed
from .parts import (
    Node,
    assets,
    document_pieces,
    document_resource,
    embedded,
    kernel_component,
    kernel_uuid,
    markup,
    metadata,
    objective,
    one_by_one,
    prop,
    props,
    resource,
    slim,
    suite_uuid,
    token,
)
from .plan import oscal_plan, reviewed_controls
from .risks import ROLES, parties, risk_uuid, risks

_INCIDENTS = 20
_REASONS = {Verdict.PASS: "pass", Verdict.FAIL: "fail", Verdict.FLAKY: "fail"}


def oscal(record: RunRecord) -> Iterator[str]:
    """Yield a record as assessment results."""
    header = record.header
    plan = stable_uuid("results", "plan", header.run_id)
    people = parties(record)
    body = {
        "uuid": stable_uuid("oscal-results", header.run_id),
        "metadata": metadata(
            f"Assessment of {header.kernel.kernel} {header.kernel.version}",
            record.summary.finished,
            header.suite.version,
            people,
            ROLES if people else (),
        ),
        "import-ap": {"href": f"#{plan}"},
        "results": [_result(record)],
        "back-matter": {
            "resources": chain(
                [document_resource(plan, "The assessment plan", "oscal-plan", oscal_plan(record))],
                _evidence(record),
            )
        },
    }
    return document_pieces("assessment-results", body)


def _result(record: RunRecord) -> Node:
    header, told = record.header, record.summary
    found = list(_judged(record))
    kernel = {**kernel_component(record), "status": {"state": "operational"}}
    values = (
        ("run-id", header.run_id),
        ("required", told.required),
        ("exercised", told.exercised),
        ("passed", told.passed),
        *((f"count-{token(name)}", number) for name, number in told.verdicts.items()),
        ("exit-code", told.exit_code),
        ("interrupted", str(told.interrupted).lower()),
        *((f"deviation-{token(name)}", pair) for name, pair in header.deviations.items()),
        *(("ignored", name) for name in header.ignored),
        *(("not-claimed-but-demanded", name) for name in header.unclaimed),
        *(("waiver", f"{x.id}: {x.state}, until {x.expires}") for x in record.waivers),
    )
    return slim(
        {
            "uuid": stable_uuid("result", header.run_id),
            "title": "One run of the suite",
            "description": f"{coverage(record)}; {told.passed:,} passed, "
            f"exit code {told.exit_code}.",
            "start": header.started,
            "end": told.finished,
            "props": props(values),
            "local-definitions": {
                "components": [slim(kernel)],
                "assessment-assets": assets(record),
            },
            "reviewed-controls": reviewed_controls(record),
            "observations": one_by_one(_observation(record, x) for x in found),
            "risks": one_by_one(risks(record)),
            "findings": one_by_one(_findings(record, found)),
            "remarks": _remarks(record),
        }
    )


def _remarks(record: RunRecord) -> str:
    """Return what is wrong with the run as a whole, and what kept the suite from judging."""
    incidents = [
        f"{x.kind} while judging {x.clause or x.invariant}: {x.message}" for x in record.incidents
    ]
    told = [*run_problems(record), *incidents[:_INCIDENTS]]
    if len(incidents) > _INCIDENTS:
        told.append(f"and {len(incidents) - _INCIDENTS} more incidents: see the record")
    return "\n\n".join(map(markup, told))


def _judged(record: RunRecord) -> Iterator[ClauseResult]:
    for results in record.by_invariant().values():
        yield from claimed(results)


def _observation(record: RunRecord, result: ClauseResult) -> Node:
    told = (
        ("verdict", result.verdict.value),
        ("effective-verdict", result.effective.value),
        ("required", str(result.required).lower()),
        ("level", result.level),
        ("scenarios", result.scenarios),
        ("comparisons", result.comparisons),
        ("seconds-of-invariant", f"{result.seconds:.3f}"),
        *(("partition", f"{name}: {n}") for name, n in result.partitions.items()),
        *(("missing-partition", name) for name in result.missing_partitions),
    )
    evidence = [_shown(record, example) for example in record.counterexamples_of(result)]
    traced = any("props" in each for each in evidence)
    rests_on = f"{extent(record, result)}."
    return slim(
        {
            "uuid": _observation_uuid(record, result),
            "title": markup(result.clause),
            "description": markup(headline(record, result)),
            "props": props(told),
            "links": [{"href": f"#{_record_uuid(record)}", "rel": "trace"}] if traced else [],
            "methods": ["TEST"],
            "types": ["control-objective"],
            "origins": [{"actors": [{"type": "tool", "actor-uuid": suite_uuid(record)}]}],
            "subjects": [{"subject-uuid": kernel_uuid(record), "type": "component"}],
            "relevant-evidence": evidence or [{"description": rests_on}],
            "collected": record.summary.finished,
        }
    )


def _shown(record: RunRecord, example: Counterexample) -> Node:
    line = hashlib.sha256(encode_line(example)).hexdigest() if example.trace else ""
    node = {
        "href": f"#{_evidence_uuid(record, example)}",
        "description": markup(f"{example.kind}; reproduce it with: {example.command}"),
    }
    return {**node, "props": prop("record-line-sha256", line)} if line else node


def _findings(record: RunRecord, judged: list[ClauseResult]) -> Iterator[Node]:
    for result in judged:
        risk = risk_uuid(record, result)
        yield slim(
            {
                "uuid": stable_uuid("finding", record.header.run_id, result.clause),
                "title": markup(result.clause),
                "description": markup(result.sentence),
                "props": props((("verdict", result.verdict.value), ("waiver", result.waiver))),
                "target": {
                    "type": "objective-id",
                    "target-id": objective(result.clause),
                    "status": _status(result),
                },
                "related-observations": [{"observation-uuid": _observation_uuid(record, result)}],
                "related-risks": [{"risk-uuid": risk}] if risk else [],
            }
        )


def _status(result: ClauseResult) -> Node:
    passed = result.verdict is Verdict.PASS and result.effective is Verdict.PASS
    reason = _REASONS.get(result.verdict, "other")
    return slim(
        {
            "state": "satisfied" if passed else "not-satisfied",
            "reason": reason if passed or reason != "pass" else "other",
            "remarks": markup(result.reason) if result.reason else "",
        }
    )


def _evidence(record: RunRecord) -> Iterator[Node]:
    """Yield the counterexamples, and the record: what the kernel did, step by step, is there."""
    if any(example.trace for example in record.counterexamples):
        yield resource(
            _record_uuid(record),
            "The record",
            "What was done in each counterexample: the line with its id. "
            "In a bundle it lies here, elsewhere it is the file that this document was made from.",
            rlinks=[{"href": "../record.ndjson", "media-type": "application/x-ndjson"}],
        )
    known = record.counterexample_places
    named = dict.fromkeys(x for result in record.clauses for x in result.counterexamples)
    for place in (known[name] for name in named if name in known):
        example = record.counterexamples[place]
        yield embedded(
            _evidence_uuid(record, example),
            f"Counterexample {example.id}",
            example.kind,
            f"{token(example.id)}.json",
            to_json(replace(example, trace=None, other_trace=None)).encode("ascii"),
        )


def _evidence_uuid(record: RunRecord, example: Counterexample) -> str:
    return stable_uuid("evidence", record.header.run_id, example.id)


def _record_uuid(record: RunRecord) -> str:
    return stable_uuid("record", record.header.run_id)


def _observation_uuid(record: RunRecord, result: ClauseResult) -> str:
    return stable_uuid("observation", record.header.run_id, result.clause)
