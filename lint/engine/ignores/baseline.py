"""Baselines: files of accepted findings, which expire, and report what is gone."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from ....invariants.vocabulary.errors import UsageError
from ....reports.console.files import write_atomically
from ....reports.lint.findings import Finding, Span
from ....reports.lint.shared import unicode_only
from ...files.disk import read_regular
from ...rules.retired import RETIRED
from ...settings.model import in_folder
from .meta_rules import STALE_BASELINE

VERSION = 1
_SPACES = "  "
_AHEAD = 1
"""Days by which another time zone is ahead; an entry from later would never grow old."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One accepted finding.

    Attributes:
        path: of the file, relative to the folder of the baseline.
        code: of the rule.
        fingerprint: of the finding; holds no line number.
        added: day on which it was accepted, ``2026-11-22``.
        message: for people; not compared.
        line: of the entry in the baseline; not written.
    """

    path: str
    code: str
    fingerprint: str
    added: dt.date
    message: str = ""
    line: int = 1

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of a finding."""
        return self.path, self.code, self.fingerprint


class Baseline:
    """The content of a baseline file.

    Args:
        file: where it lies.
        entries: what it holds; None if there is no file yet.
        days: after how many days an entry expires.
    """

    def __init__(self, file: Path, entries: Sequence[Entry] | None, days: int) -> None:
        self.file = file
        self.is_missing = entries is None
        self.entries = entries or ()
        self._days = days
        self._root = os.path.realpath(file.parent)

    def apply(
        self,
        findings: Iterable[Finding],
        today: dt.date,
        linted: Callable[[Path], bool],
        on: frozenset[str],
    ) -> list[Finding]:
        """Suppress the accepted findings, and add one for each stale entry.

        Args:
            findings: of the whole run.
            today: from which the age counts.
            linted: whether a file would have been linted in this run.
            on: codes of the rules that were on.
        """
        open_entries = {entry.key: entry for entry in self.entries}
        marked: list[Finding] = []
        for finding in findings:
            entry = open_entries.pop(self._key(finding), None)
            marked.append(finding if entry is None else self._accepted(finding, entry, today))
        if STALE_BASELINE.code in on:
            marked += [self._stale(e) for e in open_entries.values() if self._judged(e, linted, on)]
        return marked

    def updated(
        self,
        findings: Iterable[Finding],
        today: dt.date,
        linted: Callable[[Path], bool],
        on: frozenset[str],
        *,
        grows: bool,
    ) -> Baseline:
        """Return the baseline without entries of fixed findings; others keep their day.

        Args:
            findings: of the whole run.
            today: day of what is added.
            linted: whether a file would have been linted in this run.
            on: codes of the rules that were on.
            grows: whether new findings are added.
        """
        known = {entry.key: entry for entry in self.entries}
        seen = {
            self._key(finding): finding
            for finding in findings
            if finding.suppressed in {"", "baseline"} and finding.code != STALE_BASELINE.code
        }
        fresh = {key: self._entry(it, today) for key, it in seen.items() if grows}
        kept = {
            key: entry
            for key, entry in known.items()
            if key in seen or not self._judged(entry, linted, on)
        }
        entries = {**fresh, **kept}
        return Baseline(self.file, [entries[key] for key in sorted(entries)], self._days)

    def write(self) -> None:
        """Write the file, one line for each entry.

        Raises:
            OSError: it cannot be written.
        """
        lines = [
            json.dumps(
                {
                    "path": entry.path,
                    "code": entry.code,
                    "fingerprint": entry.fingerprint,
                    "added": entry.added.isoformat(),
                    "message": entry.message,
                }
            )
            for entry in self.entries
        ]
        body = ",\n".join(_SPACES * 2 + line for line in lines)
        text = (
            f'{{\n{_SPACES}"version": {VERSION},\n{_SPACES}"entries": [\n{body}\n{_SPACES}]\n}}\n'
        )
        write_atomically(self.file, text.encode("ascii"))

    def unlisted(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the unsuppressed findings without an entry."""
        listed = {entry.key for entry in self.entries}
        return tuple(
            it
            for it in findings
            if not it.suppressed and it.code != STALE_BASELINE.code and self._key(it) not in listed
        )

    def outdated(self, findings: Iterable[Finding], today: dt.date) -> tuple[Finding, ...]:
        """Return the unsuppressed findings whose entry has expired."""
        listed = {entry.key for entry in self.entries if not self._counts(entry, today)}
        return tuple(it for it in findings if not it.suppressed and self._key(it) in listed)

    def _entry(self, finding: Finding, today: dt.date) -> Entry:
        return Entry(
            path=self._key(finding)[0],
            code=finding.code,
            fingerprint=finding.fingerprint,
            added=today,
            message=unicode_only(finding.message),
        )

    def _key(self, finding: Finding) -> tuple[str, str, str]:
        path = unicode_only(in_folder(finding.path, self._root))
        return path, finding.code, finding.fingerprint

    def _accepted(self, finding: Finding, entry: Entry, today: dt.date) -> Finding:
        if finding.suppressed:
            return finding
        if not self._counts(entry, today):
            long = f"for more than {self._days} days"
            why = long if entry.added < today else "a day that is still to come"
            aged = f"It is in the baseline since {entry.added}, {why}."
            return msgspec.structs.replace(finding, advice=_joined(finding.advice, aged))
        why = f"in {self.file.name} since {entry.added}"
        return msgspec.structs.replace(finding, suppressed="baseline", justification=why)

    def _counts(self, entry: Entry, today: dt.date) -> bool:
        return -_AHEAD <= (today - entry.added).days <= self._days

    def _judged(self, entry: Entry, linted: Callable[[Path], bool], on: frozenset[str]) -> bool:
        return (entry.code in on or entry.code in RETIRED) and linted(Path(self._root, entry.path))

    def _stale(self, entry: Entry) -> Finding:
        name = "\0".join(entry.key)
        return Finding(
            path=Path(os.path.relpath(self.file)).as_posix(),
            span=Span(line=entry.line, column=1, end_line=entry.line, end_column=2),
            code=STALE_BASELINE.code,
            rule=STALE_BASELINE.name,
            severity=STALE_BASELINE.severity,
            message=f"{entry.code} in {entry.path} is gone; remove the entry of {entry.added}, or "
            "run again with --update-baseline",
            fingerprint=sha256(name.encode()).hexdigest()[:32],
        )


def _joined(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def read_baseline(file: Path, days: int, *, may_be_missing: bool) -> Baseline:
    """Read a baseline.

    Args:
        file: where it lies.
        days: after how many days an entry no longer counts.
        may_be_missing: whether no file means no entries.

    Raises:
        UsageError: it cannot be read, or is no baseline.
    """
    try:
        data = read_regular(file)
    except FileNotFoundError:
        if may_be_missing:
            return Baseline(file, None, days)
        raise UsageError(
            f"the baseline {file} does not exist; make it with --update-baseline"
        ) from None
    except OSError as error:
        raise UsageError(f"the baseline {file} cannot be read: {error.strerror}") from error
    return Baseline(file, _entries(file, data), days)


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    entries: list[Entry]


def _entries(file: Path, data: bytes) -> list[Entry]:
    try:
        document = msgspec.json.decode(data, type=_Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{file} is no baseline of fedcheck lint: {error}") from error
    if document.version != VERSION:
        raise UsageError(
            f"{file}: baseline of version {document.version}; this fedcheck reads {VERSION}"
        )
    where = {
        line.strip().rstrip(b","): number for number, line in enumerate(data.splitlines(), start=1)
    }
    return [_placed(entry, where) for entry in document.entries]


def _placed(entry: Entry, where: dict[bytes, int]) -> Entry:
    """Return an entry with the number of its line."""
    wanted = (json.dumps(entry.fingerprint).encode(), json.dumps(entry.path).encode())
    line = next((n for text, n in where.items() if all(part in text for part in wanted)), 1)
    return msgspec.structs.replace(entry, line=line)
