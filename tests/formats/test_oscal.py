"""OSCAL: valid against the NIST schemas, without a dangling reference, and honest."""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.registry import render
from fedcheck.reports.oscal.catalog import oscal_catalog
from fedcheck.reports.oscal.component import oscal_component
from fedcheck.reports.oscal.parts import markup, objective, token
from fedcheck.reports.oscal.plan import oscal_plan
from fedcheck.reports.oscal.results import oscal
from fedcheck.reports.proof.bundle import RECORD, report_path
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import sample_clause, sample_record
from fedcheck.reports.record.writer import write_record

from .records import RECORDS, sample_waiver, waived_record
from .schemas import schema_errors

SCHEMAS = {
    "oscal": "oscal_assessment-results_schema.json",
    "oscal-plan": "oscal_assessment-plan_schema.json",
    "oscal-component": "oscal_component_schema.json",
    "oscal-catalog": "oscal_catalog_schema.json",
}
EVERY_RECORD = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
EVERY_DOCUMENT = pytest.mark.parametrize("name", SCHEMAS)


def document(name: str, record: RunRecord) -> Any:
    """Return a document as JSON."""
    return json.loads(render(name, record))


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a document."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict | list):
            yield from nodes(item)


def findings(record: RunRecord) -> dict[str, dict[str, Any]]:
    """Return the findings by the id of their objective."""
    found = document("oscal", record)["assessment-results"]["results"][0].get("findings", [])
    return {finding["target"]["target-id"]: finding for finding in found}


def risks(record: RunRecord) -> dict[str, dict[str, Any]]:
    """Return the risks by title."""
    found = document("oscal", record)["assessment-results"]["results"][0].get("risks", [])
    return {risk["title"]: risk for risk in found}


@EVERY_RECORD
@EVERY_DOCUMENT
def test_the_nist_schema_accepts_every_record(name: str, record: RunRecord) -> None:
    """Whatever the record holds, also hostile texts and nothing at all."""
    assert [] == schema_errors(SCHEMAS[name], document(name, record))


@EVERY_DOCUMENT
def test_the_nist_schema_is_really_asked(name: str) -> None:
    """A key that it does not know is refused."""
    wrong = document(name, RECORDS["failing"])
    next(iter(wrong.values()))["unknown"] = 1
    assert schema_errors(SCHEMAS[name], wrong)


@EVERY_RECORD
@EVERY_DOCUMENT
def test_rendered_twice_the_bytes_are_the_same(name: str, record: RunRecord) -> None:
    """Nothing is drawn, and no clock is asked."""
    assert render(name, record) == render(name, record)


@EVERY_RECORD
@EVERY_DOCUMENT
def test_every_uuid_is_its_own_and_every_reference_leads_somewhere(
    name: str, record: RunRecord
) -> None:
    """No validator looks for dangling references, so we do."""
    every = list(nodes(document(name, record)))
    counted = Counter(node["uuid"] for node in every if "uuid" in node)
    assert [] == [uuid for uuid, number in counted.items() if number > 1]
    referred = {
        value.removeprefix("#")
        for node in every
        for key, value in node.items()
        if (key.endswith("-uuid") or key in {"href", "source"}) and isinstance(value, str)
        and (key.endswith("-uuid") or value.startswith("#"))
    }  # fmt: skip
    assert set() == referred - set(counted)


@EVERY_RECORD
def test_the_documents_name_the_same_controls_and_objectives(record: RunRecord) -> None:
    """What the results, the plan and the claims are about is in the catalog."""
    parts = {node["id"] for node in nodes(document("oscal-catalog", record)) if "id" in node}
    for name in ("oscal", "oscal-plan", "oscal-component"):
        for node in nodes(document(name, record)):
            for key in ("control-id", "objective-id", "target-id"):
                assert node.get(key, next(iter(parts), None)) in parts or not parts


@EVERY_RECORD
def test_the_results_name_the_plan_by_its_digest(record: RunRecord) -> None:
    """And the claims the catalog: each is the file that lies beside it."""
    for name, other in (("oscal", "oscal-plan"), ("oscal-component", "oscal-catalog")):
        every = [link for node in nodes(document(name, record)) for link in node.get("rlinks", [])]
        links = [link for link in every if link["media-type"] == "application/oscal+json"]
        digest = hashlib.sha256(render(other, record)).hexdigest()
        hashes = [{"algorithm": "SHA-256", "value": digest}]
        assert [(f"{other}.json", hashes)] == [(x["href"], x["hashes"]) for x in links]


def test_only_a_pass_is_satisfied() -> None:
    """Two states are too few for nine verdicts: none of the others may look like a pass."""
    states = {x: y["target"]["status"] for x, y in findings(waived_record()).items()}
    told = {x: (y["state"], y["reason"]) for x, y in states.items()}
    expected = {
        "pass": ("satisfied", "pass"),
        "fail": ("not-satisfied", "fail"),
        "flaky": ("not-satisfied", "fail"),
        "waived": ("not-satisfied", "fail"),
        **dict.fromkeys(("timeout", "crash", "error", "not-exercised"), ("not-satisfied", "other")),
    }
    assert {f"C-SAMPLE.{x}_obj": y for x, y in expected.items()} == told


@pytest.mark.parametrize(
    ("raw", "effective"), [(Verdict.FAIL, Verdict.PASS), (Verdict.PASS, Verdict.WAIVED)]
)
def test_a_record_that_says_two_things_is_not_satisfied(raw: Verdict, effective: Verdict) -> None:
    """Both verdicts must be a pass."""
    plain = sample_clause(Verdict.PASS, clause="C-SAMPLE/x")
    clause = msgspec.structs.replace(plain, verdict=raw, effective=effective)
    status = findings(sample_record([clause]))["C-SAMPLE.x_obj"]["target"]["status"]
    assert "not-satisfied" == status["state"]
    assert "pass" != status["reason"]


def test_what_is_not_claimed_has_no_finding_and_is_excluded_with_the_reason() -> None:
    """It was not assessed."""
    assert "C-SAMPLE.not-claimed_obj" not in findings(waived_record())
    result = document("oscal", waived_record())["assessment-results"]["results"][0]
    chosen = result["reviewed-controls"]["control-objective-selections"][0]
    excluded = [
        {
            "objective-id": "C-SAMPLE.not-claimed_obj",
            "remarks": "the kernel does not claim clock",
        }
    ]
    assert excluded == chosen["exclude-objectives"]
    assert 8 == len(chosen["include-objectives"])


def test_a_waiver_is_an_accepted_risk_with_a_deadline() -> None:
    """Who allowed it, why, and until when; the finding stays as it is."""
    risk = risks(waived_record())["C-SAMPLE/waived"]
    assert ("deviation-approved", "2030-01-01T23:59:59Z") == (risk["status"], risk["deadline"])
    remediation = risk["remediations"][0]
    assert {"name": "type", "value": "accept"} == remediation["props"][0]
    assert "the new parser comes with 1.3" == remediation["description"]
    entry = risk["risk-log"]["entries"][0]
    people = {
        party["uuid"]: party["name"]
        for party in document("oscal", waived_record())["assessment-results"]["metadata"]["parties"]
    }
    logged = [(people[x["party-uuid"]], x["role-id"]) for x in entry["logged-by"]]
    assert [("ann", "waiver-requester"), ("bob", "waiver-approver")] == logged
    assert "deviation-approved" == entry["status-change"]


def test_every_other_failure_is_an_open_risk_without_a_deadline() -> None:
    """What could not be judged is being looked into."""
    found = {x.partition("/")[2]: y for x, y in risks(waived_record()).items()}
    statuses = {name: risk["status"] for name, risk in found.items()}
    looked_into = dict.fromkeys(("timeout", "crash", "error", "not-exercised"), "investigating")
    broken = dict.fromkeys(("fail", "flaky"), "open")
    assert {**broken, **looked_into, "waived": "deviation-approved"} == statuses
    assert ["waived"] == [name for name, risk in found.items() if "deadline" in risk]


@pytest.mark.parametrize("expires", ["soon", "2030-13-01", "2030-01-01T00:00:00Z", ""])
def test_a_deadline_that_is_no_day_is_left_out(expires: str) -> None:
    """The document stays valid; the text is still shown."""
    record = msgspec.structs.replace(waived_record(), waivers=(sample_waiver(expires=expires),))
    assert "deadline" not in risks(record)["C-SAMPLE/waived"]
    assert [] == schema_errors(SCHEMAS["oscal"], document("oscal", record))


def test_a_failure_holds_its_evidence() -> None:
    """The counterexample is in the document, and the observation points at it."""
    body = document("oscal", RECORDS["failing"])["assessment-results"]
    observation = next(
        x for x in body["results"][0]["observations"] if x["title"] == "C-SAMPLE/fail"
    )
    target = observation["relevant-evidence"][0]["href"].removeprefix("#")
    held = next(x for x in body["back-matter"]["resources"] if x["uuid"] == target)["base64"]
    example = RECORDS["failing"].counterexamples[0]
    assert f"{example.id}.json" == held["filename"]
    assert example.clause == json.loads(base64.b64decode(held["value"]))["clause"]


def test_a_failure_leads_to_what_the_kernel_did(tmp_path: Path) -> None:
    """The digest is that of the line in the record; the link leads to it from inside a bundle."""
    record = RECORDS["failing"]
    write_record(tmp_path / RECORD, record)
    example = record.counterexamples[0]
    lines = (tmp_path / RECORD).read_bytes().splitlines(keepends=True)
    line = next(x for x in lines if f'"id":"{example.id}"'.encode() in x)
    body = document("oscal", record)["assessment-results"]
    told = next(x for x in nodes(body) if "links" in x)

    assert json.loads(line)["trace"]["events"]
    shown = told["relevant-evidence"][0]["props"]
    assert [("record-line-sha256", hashlib.sha256(line).hexdigest())] == [
        (x["name"], x["value"]) for x in shown
    ]
    uuid = told["links"][0]["href"].removeprefix("#")
    linked = next(x for x in body["back-matter"]["resources"] if x["uuid"] == uuid)["rlinks"][0]
    folder = posixpath.dirname(report_path("oscal"))
    assert posixpath.normpath(f"{folder}/{linked['href']}") == RECORD


def test_without_a_trace_no_record_is_linked() -> None:
    """There is nothing to be found in it."""
    record = RECORDS["failing"]
    bare = tuple(msgspec.structs.replace(x, trace=None) for x in record.counterexamples)
    body = document("oscal", msgspec.structs.replace(record, counterexamples=bare))

    assert [] == [x for x in nodes(body) if "links" in x or x.get("title") == "The record"]


def test_what_is_wrong_with_the_whole_run_is_told() -> None:
    """Deviations and incidents are remarks of the result."""
    for name, told in (
        ("deviations", "the kernel declares window = 20, the documents say 5"),
        ("all-verdicts", "crash while judging C-SAMPLE: the kernel's process ended"),
    ):
        result = document("oscal", RECORDS[name])["assessment-results"]["results"][0]
        assert told in result["remarks"]
    assert "remarks" not in document("oscal", RECORDS["pass"])["assessment-results"]["results"][0]


@pytest.mark.parametrize("render_one", [oscal, oscal_plan, oscal_component, oscal_catalog])
def test_another_run_has_other_ids(render_one: Any) -> None:
    """The same record has the same ids; another run of the same kernel has its own."""
    header = msgspec.structs.replace(RECORDS["failing"].header, run_id="run-2")
    other = msgspec.structs.replace(RECORDS["failing"], header=header)
    pattern = r'"uuid":"([^"]+)"'
    first = re.findall(pattern, "".join(render_one(RECORDS["failing"])))[0]
    assert first not in "".join(render_one(other))


@pytest.mark.parametrize("name", ["", "1", "a b", "ä", "a/b", "x\n", "<b>"])
def test_a_name_that_is_no_token_becomes_one(name: str) -> None:
    """The same one each time."""
    assert re.fullmatch(r"id-[0-9a-f]{16}", token(name))
    assert token(name) == token(name)


def test_objectives_are_named_like_clauses() -> None:
    """With a dot, because a token holds no slash."""
    assert "C-SAMPLE.fail_obj" == objective("C-SAMPLE/fail")


def test_texts_are_shown_as_they_are() -> None:
    """OSCAL texts are Markdown: nothing of a kernel is a link, a heading or HTML."""
    assert r"\<script\> \[a\](javascript:x) \*b\* \`c\` \&lt;" == markup(
        "<script> [a](javascript:x) *b* `c` &lt;"
    )
