"""``fedcheck waive``: an entry is added, nothing else is touched."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from fedcheck.conformance.counterexamples.documents import CounterexampleFile, read_file
from fedcheck.conformance.settings.configuration import configuration
from fedcheck.conformance.settings.waiver_entries import WaiverEntry, today
from fedcheck.conformance.waivers.writing import check, failures, toml_string, write_waiver
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.toml_file import parse_toml
from fedcheck.reports.record.sample import failing_record, sample_record

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]

CLAUSE = "C-SAMPLE/fail"
ENTRY = WaiverEntry(
    clause=CLAUSE,
    kernel='a "kernel"',
    versions=">=1.2.3",
    reason="line\nbreak, back\\slash, \x7f, 日本語, 😀",
    requested_by="Ann <ann@example.com>",
    approved_by="Bob <bob@example.com>",
    ticket="KRN-1",
    expires=today() + timedelta(days=300),
    counterexample="",
    fingerprint="unsafe key stored",
)


def example() -> CounterexampleFile:
    """The failure to waive."""
    (found,) = failures(failing_record(), CLAUSE)
    return found


@pytest.mark.parametrize("name", ["fedcheck.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "# ours\nseed = 3  # a comment\n\n[lint]\nselect = []",
        "# ours\r\nseed = 3\r\n",
        "seed = 3\n\n[[waivers]]  # the first\n",
    ],
)
def test_an_entry_is_added_behind_what_is_there(tmp_path: Path, name: str, text: str) -> None:
    """Comments, order and line ends stay; what is read back is what was written."""
    shared = name == "pyproject.toml"
    if "[[waivers]]" in text:
        older = write_waiver(tmp_path / name, replace(ENTRY, ticket="KRN-0"), example())
        older.rename(older.with_name("older.json"))
        file = tmp_path / name
        text = file.read_text("utf-8").replace(older.name, "older.json")
        file.write_text(text, "utf-8")
    elif shared:
        end = "\r\n" if "\r\n" in text else "\n"
        text = f"[tool.fedcheck]{end}{text.replace('[lint]', '[tool.fedcheck.lint]')}"
    (tmp_path / name).write_bytes(text.encode())
    written = write_waiver(tmp_path / name, ENTRY, example())
    new = (tmp_path / name).read_bytes().decode()
    waiver = configuration(tmp_path / name).waivers[-1]

    assert new.startswith(text)
    assert new.count("\r\n") in {0, new.count("\n")}
    assert replace(ENTRY, counterexample=waiver.entry.counterexample) == waiver.entry
    assert written.resolve() == waiver.counterexample.resolve()
    assert example() == read_file(written)
    assert {name, "waivers"} == {path.name for path in tmp_path.iterdir()}


def test_a_waiver_that_is_there_already_is_not_written_twice(tmp_path: Path) -> None:
    """The place of the first one is told."""
    file = tmp_path / "fedcheck.toml"
    write_waiver(file, ENTRY, example())
    before = file.read_bytes()

    with pytest.raises(UsageError, match="line 1: a waiver of this failure is there already"):
        write_waiver(file, ENTRY, example())
    assert before == file.read_bytes()


@pytest.mark.parametrize("text", ["waivers = []\n", "seed = ?\n", "x = 1\n"])
def test_a_file_to_which_nothing_can_be_added_is_left_alone(tmp_path: Path, text: str) -> None:
    """An inline list would clash with a table; a broken file is not made worse."""
    file = tmp_path / "fedcheck.toml"
    file.write_text(text)

    with pytest.raises(UsageError, match=r"fedcheck\.toml"):
        write_waiver(file, ENTRY, example())
    assert text == file.read_text()
    assert ["fedcheck.toml"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize(
    "text", ["", 'quote " and \\', "tab\t nul\0 del\x7f", "\u2028 \u202e 😀", "'''", "\r\n"]
)
def test_a_toml_string_comes_back(text: str) -> None:
    """Whatever somebody gives as a reason."""
    assert {"x": text} == parse_toml(f"x = {toml_string(text)}", "it")


def test_half_a_character_cannot_be_written() -> None:
    """TOML is UTF-8."""
    with pytest.raises(UsageError, match="half a character"):
        toml_string("\ud800")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"approved_by": "Ann B. (ANN@example.COM)"}, "must name somebody else"),
        ({"approved_by": "Bob"}, 'change the line to `approved_by = "Bob <NAME@EXAMPLE.COM>"`'),
        ({"requested_by": "ann@localhost"}, "requested_by 'ann@localhost' has no e-mail address"),
        ({"expires": date(2027, 5, 4)}, "change the line to `expires = 2027-05-03`"),
        ({"expires": date(2026, 5, 1)}, "has passed"),
    ],
)
def test_a_waiver_that_would_not_hold_is_refused(changes: dict[str, object], message: str) -> None:
    """At once, and not by the next run."""
    with pytest.raises(UsageError, match=message):
        check(replace(ENTRY, **{"expires": date(2026, 6, 1), **changes}), date(2026, 5, 2))


@pytest.mark.parametrize(
    ("clause", "kind", "message"),
    [
        ("C-SAMPLE/pass", "", "failures of: C-SAMPLE/fail"),
        ("C-SAMPLE/crash", "", "only a failure that can be replayed"),
        (CLAUSE, "another kind", "it found: 'unsafe key stored'"),
    ],
)
def test_only_what_the_run_found_can_be_waived(clause: str, kind: str, message: str) -> None:
    """The message names what there is."""
    with pytest.raises(UsageError, match=message):
        failures(sample_record(), clause, kind)


_KERNEL = """\
class Kernel:
    name, version, capabilities = "acme", "VERSION", ("cache",)

    def __init__(self):
        self.entries = {}

    def cache_set(self, step):
        good = 0 < len(step.key) <= 128 and step.key.replace("-", "").replace("_", "")
        good = good and good.replace(":", "").ALNUM and step.key.isascii()
        if not good or step.ttl_seconds != 60:
            return {"event": "cache_outcome", "outcome": "refused"}
        self.entries[step.key] = step.value_json
        return {"event": "cache_outcome", "outcome": "accepted"}

    def cache_get(self, step):
        text = self.entries.get(step.key)
        outcome = "miss" if text is None else "hit"
        return {"event": "cache_outcome", "outcome": outcome, "value_json": text}
"""
_MEND = {"VERSION": "1.1", "ALNUM": "isalnum()"}
_BUG = {"VERSION": "1.0", "ALNUM": 'replace(".", "").isalnum()'}


def _kernel(folder: Path, parts: dict[str, str]) -> None:
    text = _KERNEL
    for name, part in parts.items():
        text = text.replace(name, part)
    (folder / "acme.py").write_text(text)


def test_a_bug_is_caught_waived_mended_and_the_stale_waiver_reported(
    fedcheck: Fedcheck, tmp_path: Path
) -> None:
    """The whole life of a waiver, by the commands alone."""
    clause = "I-CACHE-KEY-SAFETY/unsafe-key-not-stored"
    run = ["run", "--kernel", "acme:Kernel", "--select", clause, "--record", "run.ndjson"]
    _kernel(tmp_path, _BUG)
    caught = fedcheck(*run)
    people = ["--requested-by", "a@x.test", "--approved-by", "b@x.test"]
    why = [
        "--ticket",
        "KRN-1",
        "--reason",
        "the store is being replaced",
        "--expires",
        (today() + timedelta(days=300)).isoformat(),
    ]
    waived = fedcheck("waive", "run.ndjson", clause, *people, *why)
    borne = fedcheck(*run)
    strict = fedcheck(*run, "--no-waivers")
    _kernel(tmp_path, _MEND)
    stale = fedcheck(*run)
    (tmp_path / "fedcheck.toml").unlink()

    assert (1, 0, 0, 1, 1) == tuple(x.returncode for x in (caught, waived, borne, strict, stale)), (
        caught.stdout + waived.stderr + borne.stdout
    )
    assert "waived" in borne.stdout
    assert "is stale: fedcheck.toml, line 1" in stale.stdout
    assert "delete this [[waivers]]" in stale.stdout
    assert 0 == fedcheck(*run).returncode
