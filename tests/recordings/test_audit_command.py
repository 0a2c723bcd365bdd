"""``fedcheck audit``, and every reader of a record, on the record of an audit."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from fedcheck.conformance.commands.group import cli
from fedcheck.reports.formats.registry import FORMATS
from fedcheck.reports.record.reader import read_record

from .made import REAL

AGNO = str(REAL / "agno-openinference-leak.otlp.json.gz")
SOUND = str(REAL / "pydantic-ai-native-v5.otlp.json.gz")
SECRETS = ("boss@corp", "boss", "Zoë", "zora.quill", "Q3 plan")


class Ran(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    said: str


def run(*words: str | Path) -> Ran:
    """Run a command in this process."""
    done = CliRunner().invoke(cli, [*map(str, words)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    code = done.exception.code if isinstance(done.exception, SystemExit) else done.exit_code
    return Ran(int(code or 0), done.output)


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "audit.ndjson"
    assert 1 == run("audit", AGNO, "--record", path).code
    return path


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("agno-openinference-leak", 1),
        ("pydantic-ai-native-v5", 0),
        ("pydantic-ai-native-v5-nocontent", 3),
        ("openai-v2-official", 3),
    ],
)
def test_the_exit_code_says_what_was_found(name: str, code: int) -> None:
    """Broken, kept, nothing to judge."""
    assert code == run("audit", REAL / f"{name}.otlp.json.gz").code


def test_too_little_that_is_judgeable_is_not_kept() -> None:
    """Two of three turns of the same session without content: half is demanded unless told."""
    both = (SOUND, REAL / "pydantic-ai-native-v5-nocontent.otlp.json.gz", "--select")
    clause = "C-RECORDED-ISOLATION/own-values-only"

    assert 3 == run("audit", *both, clause, "--min-judgeable", "0.9").code
    assert 0 == run("audit", *both, clause, "--min-judgeable", "0.3").code


def test_a_record_says_that_it_judges_a_recording(record: Path) -> None:
    """Where it was read, whose word the truth is, what was seen of each clause."""
    header, *lines = map(json.loads, record.read_text().splitlines())
    clause = next(x for x in lines if x.get("clause") == "C-RECORDED-ISOLATION/own-values-only")

    assert "the system's own word" == header["recording"]["truth"]
    assert {"seen": 3, "kept": 2, "broken": 1, "not_judgeable": 0} == clause["recorded"]["turns"]
    breach = clause["recorded"]["breaches"][0]
    assert ("session s1", 2) == (breach["conversation"], breach["turn"])
    assert "2026-11-26" == breach["time"][:10]
    assert breach["trace"]
    assert breach["span"]
    assert "agno-openinference-leak.otlp.json.gz" == Path(breach["place"]["file"]).name


def test_no_value_of_a_user_stands_in_a_record(record: Path) -> None:
    """Digests with a key that is not kept, unless more is asked for."""
    told = record.read_text()

    assert [] == [secret for secret in SECRETS if secret.casefold() in told.casefold()]


@pytest.mark.parametrize(("mode", "shown"), [("full", True), ("masked", False)])
def test_evidence_shows_what_was_asked_for(tmp_path: Path, mode: str, shown: bool) -> None:
    """With ``full`` the values themselves, with ``masked`` their shape."""
    path = tmp_path / "audit.ndjson"
    run("audit", AGNO, "--record", path, "--evidence", mode)

    assert shown == ("boss@corp.example" in path.read_text())
    assert (not shown) == ("aaaa@aaaa.aaaaaaa" in path.read_text())


def test_a_record_that_was_changed_is_refused(record: Path) -> None:
    """A breach that was taken out of the counts does not follow from the rest."""
    from msgspec.structs import replace

    from fedcheck.reports.record.derivation import underivable

    judged = read_record(record)
    clause = next(x for x in judged.clauses if x.recorded.kinds)
    turns = replace(clause.recorded.turns, broken=0)
    changed = replace(clause, recorded=replace(clause.recorded, turns=turns))
    others = [changed if x is clause else x for x in judged.clauses]

    assert [] == list(underivable(judged))
    assert [] != list(underivable(replace(judged, clauses=tuple(others))))


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"pdf"}))
def test_every_report_takes_it(record: Path, form: str, tmp_path: Path) -> None:
    """Whatever the format; of the breach at least the clause is named in most of them."""
    done = run("report", record, "--format", form, "-o", tmp_path / "report")

    assert 0 == done.code
    assert "" != (tmp_path / "report").read_text()


def test_a_bundle_of_it_is_packed_signed_and_checked(record: Path, tmp_path: Path) -> None:
    """From the record to a signed bundle that holds."""
    pytest.importorskip("cryptography")
    key, bundle = tmp_path / "fedcheck", tmp_path / "evidence.zip"

    assert 0 == run("keygen", key).code
    assert 0 == run("bundle", record, "-o", bundle, "--key", f"{key}.key").code
    assert "requirement-set.json" in zipfile.ZipFile(bundle).namelist()
    assert "everything holds" in run("verify", bundle, "--key", f"{key}.pub", "--rerender").said
    assert 0 == run("sign", record, "--key", f"{key}.key").code


def test_two_audits_are_compared(record: Path, tmp_path: Path) -> None:
    """What got worse is a regression; both stand in a history."""
    sound = tmp_path / "sound.ndjson"
    run("audit", SOUND, "--record", sound)

    assert 1 == run("diff", sound, record).code
    assert 0 == run("history", sound, record).code


def test_a_kept_breach_is_judged_again(record: Path, tmp_path: Path) -> None:
    """The smallest recording that shows it, out of the record or its own file; no kernel is run."""
    folder = tmp_path / "breaches"
    run("audit", AGNO, "--counterexamples", folder)
    of_record, of_folder = run("replay", record), run("replay", folder)

    assert (1, 1) == (of_record.code, of_folder.code)
    assert "a recording: 2 still fails" in of_record.said
    assert "a recording: 2 still fails" in of_folder.said
