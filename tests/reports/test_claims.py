"""What is proven, what is not, and by whom: the same three lines wherever they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from fedcheck.__main__ import cli
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.markdown import markdown_report
from fedcheck.reports.formats.text import text_report
from fedcheck.reports.html.report import html_report
from fedcheck.reports.record.claims import claims
from fedcheck.reports.record.model import Origin, RunRecord
from fedcheck.reports.record.protection import Protection, protection_words
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.record_parts import Recorded, Seen
from fedcheck.reports.record.sample import sample_clause, sample_record

UNSIGNED = "that nobody edited the record, which only a signature proves"


def told(record: RunRecord, signer: str = "") -> dict[str, str]:
    """Return the three lines by their labels."""
    return {claim.label: claim.text for claim in claims(record, signer)}


def record(**header: Any) -> RunRecord:
    """Return a record with a passed and a not claimed clause, and with fields of its header."""
    clauses = [
        sample_clause(Verdict.PASS),
        sample_clause(Verdict.NOT_CLAIMED),
        sample_clause(Verdict.FAIL),
    ]
    return sample_record(clauses, **header)


def test_what_is_proven_is_what_was_tried() -> None:
    """And no more; what a kernel could have forged proves nothing."""
    kept = "in what was tried, 1 of 3 required clauses of founding-documents-1 were kept, 1 broken"
    assert kept == told(record())["Proven"]
    assert told(record(evidence="none"))["Proven"].startswith("nothing: the kernel ran where")


def test_what_is_not_proven_is_named() -> None:
    """Not claimed, ignored, left out, deviations, protection, and that nobody edited it."""
    lines = told(
        record(
            ignored=("C-X/y",),
            excluded={"C-X/y": "ignored", "C-X/z": "not selected"},
            deviations={"window": (5, 20)},
            transport="exec",
        )
    )
    assert [
        "1 not claimed, 1 required clause ignored, 2 clauses left out",
        "deviations from the documents: window",
        "protection: not told",
        "other inputs than those tried",
        UNSIGNED,
    ] == lines["Not proven"].split("; ")


def test_turns_that_could_not_be_judged_are_not_proven() -> None:
    """A clause that counts as kept says of how many turns nobody knows, and why."""
    turns = Seen(seen=9, kept=5, not_judgeable=3)
    found = Recorded(
        conversations=Seen(seen=2, kept=2), turns=turns, reasons={"no content": 1, "gap": 2}
    )
    kept, broken = sample_clause(Verdict.PASS), sample_clause(Verdict.FAIL)
    clauses = [replace(kept, recorded=found), replace(broken, recorded=found)]
    lines = told(sample_record(clauses))["Not proven"].split("; ")

    assert [f"{kept.clause} in 3 of 9 turns: gap, no content"] == [
        line for line in lines if "turns" in line
    ]


def test_a_signature_that_was_checked_proves_more() -> None:
    """Only then; and its key is named."""
    assert UNSIGNED in told(record())["Not proven"]
    assert UNSIGNED not in told(record(), "ab12")["Not proven"]
    assert told(record(), "ab12")["By"].endswith("; signed by the key ab12")


@pytest.mark.parametrize(
    ("origin", "by"),
    [
        (Origin(organisation="Acme", person="Ann", user="root"), "Acme, Ann"),
        (Origin(person="Ann", ci="GitLab CI", run_url="https://x/1"), "Ann, GitLab CI https://x/1"),
        (Origin(user="root"), "the user root"),
        (Origin(organisation="Acme; signed by the key x"), "Acme, signed by the key x"),
        (Origin(ci="GitLab CI"), "GitLab CI"),
        (Origin(), "nobody who is named"),
    ],
)
def test_who_says_so(origin: Origin, by: str) -> None:
    """Organisation and person, else the user."""
    assert f"{by}, as the record says" == told(record(origin=origin))["By"]


def test_each_report_says_it() -> None:
    """Terminal, Markdown, and the banner of the page."""
    judged = record(origin=Origin(organisation="Acme <b>", person="Ann"))
    page = html_report(judged)
    banner = page[page.index('<div class="verdict') :].partition("</div>")[0]
    text = " ".join(text_report(judged).split())
    for line in claims(judged):
        assert f"{line.label}: {line.text}" in text
        assert f"- **{line.label}:** " in markdown_report(judged)
        assert f"<b>{line.label}:</b>" in banner
    assert "Acme &lt;b&gt;, Ann" in banner


def test_verify_says_it_by_the_settings_of_the_run(tmp_path: Path) -> None:
    """With the signer's key, if there is one; the record holds who was named."""
    pytest.importorskip("cryptography")
    run, pair, bundle = (str(tmp_path / name) for name in ("run.ndjson", "pair", "e.zip"))
    (tmp_path / "fedcheck.toml").write_text('organisation = "Acme"\nperson = "Ann"\n')
    words = ["run", "--select", "I-CACHE-KEY-SAFETY", "--examples", "0", "--person", "Bob"]
    words += ["--config", str(tmp_path / "fedcheck.toml"), "--record", run]
    assert 0 == CliRunner().invoke(cli, words).exit_code
    assert Origin(organisation="Acme", person="Bob") == replace(
        read_record(run).header.origin, user="", ci="", run_url="", commit="", workflow=""
    )
    assert 0 == CliRunner().invoke(cli, ["keygen", pair]).exit_code
    pack = ["bundle", run, "-o", bundle, "--format", "tap", "--key", f"{pair}.key"]
    assert 0 == CliRunner().invoke(cli, pack).exit_code
    unchecked = CliRunner().invoke(cli, ["verify", bundle]).stdout
    checked = CliRunner().invoke(cli, ["verify", bundle, "--key", f"{pair}.pub"]).stdout
    for shown in (unchecked, checked):
        assert "Proven: in what was tried, 3 of 3 required clauses" in shown
        assert "By: Acme, Bob" in shown
    assert (True, False) == (UNSIGNED in unchecked, UNSIGNED in checked)
    assert "; signed by the key " in checked


@pytest.mark.parametrize(
    ("protection", "line"),
    [("pid-namespace", "Proven"), ("subreaper", "Proven"), ("none", "Not proven")],
)
def test_the_protection_of_a_run_is_proven_or_not(protection: Protection, line: str) -> None:
    """What held is proven; that nothing did is told among what is not."""
    ran = record(transport="exec")
    lines = told(replace(ran, summary=replace(ran.summary, protection=protection)))
    words = f"protection: {protection_words(protection)}"
    assert [line] == [label for label, text in lines.items() if words in text.split("; ")]
