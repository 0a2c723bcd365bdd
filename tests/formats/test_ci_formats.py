"""SARIF, GitHub, GitLab, CTRF, TAP, the badge: valid, inert, red exactly when the run is."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.badge import badge
from fedcheck.reports.formats.ctrf import ctrf
from fedcheck.reports.formats.github import command, github_commands
from fedcheck.reports.formats.gitlab import gitlab_code_quality
from fedcheck.reports.formats.junit_rich import junit_rich_xml
from fedcheck.reports.formats.registry import FORMATS, render
from fedcheck.reports.formats.sarif import sarif
from fedcheck.reports.formats.tap import tap
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.outcome import exit_code
from fedcheck.reports.record.sample import sample_clause, sample_counterexample, sample_record
from fedcheck.reports.wording.concerns import concerns

from .records import RECORDS, sample_waiver, waived_record
from .schemas import schema_errors

EVERY_RECORD = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
OWN = ("text", "junit", "junit-rich", "sarif", "github", "gitlab", "ctrf", "tap", "badge")


def results(record: RunRecord) -> list[dict[str, Any]]:
    """Return the results of the SARIF log."""
    return json.loads("".join(sarif(record)))["runs"][0]["results"]


def many_failures(number: int) -> RunRecord:
    """Return a record in which so many clauses failed."""
    return sample_record(
        [sample_clause(Verdict.FAIL, clause=f"C-SAMPLE/{n}") for n in range(number)]
    )


@EVERY_RECORD
@pytest.mark.parametrize("name", OWN)
def test_rendered_twice_the_bytes_are_the_same(name: str, record: RunRecord) -> None:
    """A report is a pure function of the record."""
    assert render(name, record) == render(name, record)


@EVERY_RECORD
@pytest.mark.parametrize("name", [x for x in FORMATS if x in OWN])
def test_no_control_character_gets_out(name: str, record: RunRecord) -> None:
    """Terminal escapes, bidirectional overrides and half characters are never written."""
    text = render(name, record).decode("utf-8")
    assert [] == re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e\ufffe]", text)


@EVERY_RECORD
def test_an_error_is_listed_exactly_when_the_run_is_red(record: RunRecord) -> None:
    """A gate on the list and a gate on the exit code agree."""
    levels = {concern.level for concern in concerns(record)}
    assert (record.summary.exit_code != 0) == ("error" in levels)


@EVERY_RECORD
def test_the_official_sarif_schema_accepts_every_record(record: RunRecord) -> None:
    """Whatever the record holds, a code-scanning view can read it."""
    assert [] == schema_errors("sarif-schema-2.1.0.json", json.loads("".join(sarif(record))))


def test_the_official_sarif_schema_is_really_asked() -> None:
    """A level that does not exist is refused."""
    log = json.loads("".join(sarif(sample_record())))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert schema_errors("sarif-schema-2.1.0.json", log)


def test_sarif_lists_what_is_to_be_looked_at_and_no_pass() -> None:
    """Viewers show every result as an alert, so a pass is none."""
    found = {x["ruleId"]: x["level"] for x in results(waived_record())}
    red = ("fail", "flaky", "timeout", "crash", "error", "not-exercised")
    expected = {**{f"C-SAMPLE/{name}": "error" for name in red}, "C-SAMPLE/waived": "note"}
    assert expected == found


def test_sarif_shows_a_waiver_as_an_accepted_suppression() -> None:
    """With its reason, its last day and who allowed it."""
    waived = next(x for x in results(waived_record()) if x["ruleId"] == "C-SAMPLE/waived")
    told = {"waiver": "W-7", "expires": "2030-01-01", "approvedBy": "bob", "ticket": "KERN-12"}
    expected = {
        "kind": "external",
        "status": "accepted",
        "justification": "the new parser comes with 1.3",
        "properties": told,
    }
    assert [expected] == waived["suppressions"]
    others = [x for x in results(waived_record()) if x["ruleId"] != "C-SAMPLE/waived"]
    assert not any("suppressions" in x for x in others)


def test_sarif_rules_are_found_by_their_index() -> None:
    """``ruleIndex`` and ``ruleId`` name the same rule, also for the run as a whole."""
    run = json.loads("".join(sarif(RECORDS["hostile"])))["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert all(rules[x["ruleIndex"]] == x["ruleId"] for x in run["results"])


@EVERY_RECORD
def test_sarif_rules_have_a_name_that_is_not_their_id(record: RunRecord) -> None:
    """GitHub's own checker demands it."""
    for rule in json.loads("".join(sarif(record)))["runs"][0]["tool"]["driver"]["rules"]:
        assert re.fullmatch(r"[A-Za-z0-9]+", rule["name"])
        assert rule["id"].casefold() != rule["name"].casefold()


def test_sarif_names_a_bug_the_same_in_every_run() -> None:
    """The key depends on clause and kind of difference, not on run, seed or texts."""
    first = sample_counterexample("C-SAMPLE/fail")
    again = sample_counterexample("C-SAMPLE/fail", got="something else")
    keys = [
        results(
            sample_record([sample_clause(Verdict.FAIL, examples=[x])], examples=[x], run_id=run)
        )[0]["partialFingerprints"]
        for x, run in ((first, "run-1"), (again, "run-2"))
    ]
    assert keys[0] == keys[1]


def test_sarif_messages_hold_no_link() -> None:
    """``[a](b)`` in a message would be shown as a link; what a kernel says is none."""
    messages = "".join(x["message"]["text"] for x in results(RECORDS["hostile"]))
    assert "[a](javascript" not in messages
    assert "[a\\](javascript" in messages


@EVERY_RECORD
def test_github_lines_are_commands_of_ours_and_one_summary(record: RunRecord) -> None:
    """No text of a kernel begins a line, ends a command or is read as an older command."""
    *commands, summary, last = github_commands(record).split("\n")
    assert "" == last
    assert re.match(r"fedcheck: \d+ of \d+ required clauses judged", summary)
    for line in commands:
        assert re.fullmatch(r"::(error|warning|notice) title=[^:,]*::[^\r\n]*", line)
        assert re.fullmatch(r"(?:[^%]|%(?:25|0A|3A|2C))*", line)


def test_a_github_command_is_escaped_as_documented() -> None:
    """Per cent, line feeds, and in properties also colon and comma."""
    expected = "::error title=a%3Ab%2Cc%25::100%25%0A::set-env name=x%3A::y".replace("x%3A", "x", 1)
    assert expected == command("error", "a:b,c%", "100%\n::set-env name=x::y")


def test_github_says_how_many_it_leaves_out() -> None:
    """Ten annotations of a level are kept; the last one counts the rest."""
    lines = github_commands(many_failures(30)).splitlines()
    assert 10 == sum(line.startswith("::error ") for line in lines)
    assert "::error title=fedcheck::and 21 more: see the record" == lines[9]
    assert 10 == len(github_commands(many_failures(10)).splitlines()) - 1


@EVERY_RECORD
def test_gitlab_issues_have_what_gitlab_demands(record: RunRecord) -> None:
    """All five fields, a known severity, and no fingerprint twice."""
    issues = json.loads("".join(gitlab_code_quality(record)))
    for issue in issues:
        assert {"description", "check_name", "fingerprint", "severity", "location"} == set(issue)
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert {"path": "fedcheck.toml", "lines": {"begin": 1}} == issue["location"]
    assert len(issues) == len({issue["fingerprint"] for issue in issues})
    red = any(issue["severity"] == "critical" for issue in issues)
    assert (record.summary.exit_code != 0) == red


@EVERY_RECORD
def test_ctrf_counts_its_own_tests(record: RunRecord) -> None:
    """The summary adds up, and something failed exactly when the run is red."""
    told = json.loads("".join(ctrf(record)))["results"]
    summary, tests = told["summary"], told["tests"]
    assert summary["tests"] == len(tests)
    for status in ("passed", "failed", "skipped", "pending", "other"):
        assert summary[status] == sum(test["status"] == status for test in tests)
    assert (record.summary.exit_code != 0) == (summary["failed"] > 0)
    assert 1_778_932_800_000 == summary["start"]
    assert 1500 == summary["duration"]


def test_ctrf_never_calls_a_clause_passed_that_did_not_pass() -> None:
    """Not claimed and waived are skipped."""
    tests = json.loads("".join(ctrf(waived_record())))["results"]["tests"]
    assert ["C-SAMPLE/pass"] == [x["name"] for x in tests if x["status"] == "passed"]
    skipped = [x["name"] for x in tests if x["status"] == "skipped"]
    assert ["C-SAMPLE/not-claimed", "C-SAMPLE/waived"] == skipped


@EVERY_RECORD
def test_tap_is_red_exactly_when_the_run_is(record: RunRecord) -> None:
    """The plan fits, numbers ascend, and only ``not ok`` without TODO is red."""
    version, plan, *lines = "".join(tap(record)).splitlines()
    points = [line for line in lines if not line.startswith(("  ", "# "))]
    assert ("TAP version 14", f"1..{len(points)}") == (version, plan)
    found = [re.fullmatch(r"(ok|not ok) (\d+) - (.*)", point) for point in points]
    assert [str(n + 1) for n in range(len(points))] == [m and m.group(2) for m in found]
    red = [m for m in found if m and m.group(1) == "not ok" and not re.search(r" # TODO ", m[3])]
    assert (record.summary.exit_code != 0) == bool(red)


def test_tap_calls_a_waived_failure_todo_and_an_unclaimed_clause_skipped() -> None:
    """What is borne for now is still not ok."""
    lines = "".join(tap(waived_record())).splitlines()
    assert ["not ok 9 - C-SAMPLE/waived # TODO waived: W-7, until 2030-01-01"] == [
        x for x in lines if "# TODO" in x
    ]
    assert ["ok 8 - C-SAMPLE/not-claimed # SKIP not claimed: the kernel does not claim clock"] == [
        x for x in lines if "# SKIP" in x
    ]


def test_tap_diagnostics_are_json_strings() -> None:
    """A hostile text stays inside its quotes."""
    for line in "".join(tap(RECORDS["hostile"])).splitlines():
        if match := re.fullmatch(r"  \w+: (.*)", line):
            assert isinstance(json.loads(match[1]), str)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (sample_record([sample_clause(Verdict.PASS)]), "conformant 1/1"),
        (
            sample_record([sample_clause(Verdict.PASS), sample_clause(Verdict.WAIVED)]),
            "conformant 1/2, 1 waived",
        ),
        (sample_record([sample_clause(Verdict.FAIL)]), "not conformant 0/1"),
        (sample_record([sample_clause(Verdict.CRASH)]), "not judged"),
    ],
    ids=["pass", "waived", "fail", "crash"],
)
def test_the_badge_says_what_the_exit_code_says(record: RunRecord, words: str) -> None:
    """Four words, and a text for screen readers."""
    root = ET.fromstring(badge(record))  # noqa: S314  our own document
    assert ("img", f"fedcheck: {words}") == (root.get("role"), root.get("aria-label"))
    assert ["fedcheck", words] == [x.text for x in root.iter("{http://www.w3.org/2000/svg}text")]


@EVERY_RECORD
def test_the_badge_is_well_formed(record: RunRecord) -> None:
    """Nothing a kernel says is in it."""
    assert "script" not in badge(record)
    assert "svg" in ET.fromstring(badge(record)).tag  # noqa: S314  our own document


def test_rich_junit_tells_the_waiver_and_its_last_day() -> None:
    """What plain JUnit cannot carry stands in properties; the outcome stays the same."""
    root = ET.fromstring("".join(junit_rich_xml(waived_record())))  # noqa: S314  our own document
    case = next(case for case in root.iter("testcase") if case.get("name") == "waived")
    told = {x.get("name"): x.get("value") for x in case.iter("property")}
    assert ("W-7", "2030-01-01") == (told["waiver"], told["waiver expires"])
    assert ("fail", "waived") == (told["verdict"], told["effective verdict"])
    assert case.find("skipped") is not None


@EVERY_RECORD
def test_rich_junit_is_well_formed_and_keeps_the_numbers(record: RunRecord) -> None:
    """Whatever a kernel says, the document can be read."""
    rich = ET.fromstring("".join(junit_rich_xml(record)))  # noqa: S314  our own document
    assert rich.get("tests") == str(len(list(rich.iter("testcase"))))


@pytest.mark.parametrize("state", ["expired", "stale", "unmatched", "self-approved"])
def test_a_waiver_that_does_not_apply_is_an_error(state: str) -> None:
    """It makes the run red, and what to do is said."""
    record = msgspec.structs.replace(
        sample_record([sample_clause(Verdict.PASS)]),
        waivers=(sample_waiver(state=state, message="take it out"),),
    )
    expected = [("error", f"waiver W-7 is {state}: take it out")]
    assert expected == [(x.level, x.message) for x in concerns(record)]
    assert 1 == exit_code(record.clauses, (), record.waivers)
