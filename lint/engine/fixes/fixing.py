"""Fixes findings in rounds, and lints after each.

A fix is reverted if the file no longer parses, if its finding remains, or if it is called safe and
its code has another finding afterwards. So fixing is idempotent. Findings of default rules that
the user has not selected count too.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from ....reports.console.files import write_atomically
from ....reports.lint.findings import Finding, Fix
from ...edits import text_edits as edits
from ...files.source import SourceFile
from ...settings.model import from_here
from ..run import Linter, Outcome, text_of
from .fix_review import Review

MOST_ROUNDS = 20

_Key = tuple[str, str, str]


class Change(msgspec.Struct, frozen=True):
    """A changed file.

    Attributes:
        before: the file as it was linted first.
        after: its new bytes.
    """

    before: SourceFile
    after: bytes

    def diff(self) -> bytes:
        """Return the change as a patch, in the file's own encoding and line endings.

        A patch applies to the current folder, however the file was named.
        """
        name = from_here(self.before.name).lstrip("/")
        before, after = _patch_name(f"a/{name}"), _patch_name(f"b/{name}")
        old, new = (_lines(data) for data in (self.before.data, self.after))
        lines = difflib.diff_bytes(difflib.unified_diff, old, new, before, after)
        return b"".join(_terminated(line) for line in lines)


class Fixed(msgspec.Struct, frozen=True):
    """The result of fixing.

    Attributes:
        outcome: of linting the fixed texts; a reverted fix is called unsafe.
        changes: by name of the file.
        fixed: the findings that are gone.
    """

    outcome: Outcome
    changes: Mapping[str, Change]
    fixed: tuple[Finding, ...]


class Fixer:
    """Fixes what a linter finds.

    Args:
        linter: lints the paths.
        unsafe: whether unsafe fixes are applied too.
    """

    def __init__(self, linter: Linter, *, unsafe: bool = False) -> None:
        self._linter = linter
        self._judge = linter.with_default_rules()
        self._unsafe = unsafe
        self._refused: set[_Key] = set()
        self._overlay: dict[Path, bytes] = {}
        self._changes: dict[str, Change] = {}

    def fix(self, outcome: Outcome, overlay: Mapping[Path, bytes] | None = None) -> Fixed:
        """Fix the findings of an outcome; writes nothing.

        Args:
            outcome: of linting.
            overlay: the texts that were linted instead of those on disk.
        """
        self._overlay = dict(overlay or {})
        fixed: list[Finding] = []
        narrow = self._judge is not self._linter and bool(self._batch(outcome))
        if narrow:
            outcome = self._judge.lint(self._overlay)
        fresh = True  # whether a fix was made since the last refusals were forgotten
        for _ in range(MOST_ROUNDS):
            batch = self._batch(outcome)
            if not batch and fresh and self._refused:
                self._refused, fresh = set(), False  # what was in the way may be gone
                batch = self._batch(outcome)
            if not batch:
                break
            outcome, done = self._round(outcome, batch)
            fixed += done
            fresh = fresh or bool(done)
        if narrow:
            outcome = self._linter.lint(self._overlay)
        changes = {n: c for n, c in self._changes.items() if c.after != c.before.data}
        return Fixed(self._honest(outcome), changes, tuple(fixed))

    def _batch(self, outcome: Outcome) -> list[Finding]:
        return [f for f in outcome.findings if self._wanted(f) and f.path in outcome.sources]

    def _wanted(self, finding: Finding) -> bool:
        if finding.fix is None or finding.suppressed or _key(finding) in self._refused:
            return False
        if finding.code not in self._linter.on:
            return False
        return self._unsafe or finding.fix.safety == "safe"

    def _round(self, outcome: Outcome, batch: list[Finding]) -> tuple[Outcome, list[Finding]]:
        """Apply a batch, lint, and revert the fixes that turn out wrong."""
        while batch:
            applied: list[Finding] = []
            texts: dict[str, bytes] = {}
            for name in dict.fromkeys(finding.path for finding in batch):
                own = [finding for finding in batch if finding.path == name]
                data, done = self._applied(outcome.sources[name], own)
                applied += done
                texts[name] = data
            overlay = {_absolute(outcome.sources[name]): data for name, data in texts.items()}
            after = self._judge.lint({**self._overlay, **overlay})
            review = Review(outcome, after, applied, self._linter.on)
            wrong = review.wrong(lenient=self._unsafe)
            if not wrong:
                self._overlay |= overlay
                self._remember(outcome, texts)
                return after, applied
            self._refused |= {_key(finding) for finding in wrong}
            batch = self._batch(outcome)
        return outcome, []

    def _remember(self, outcome: Outcome, texts: Mapping[str, bytes]) -> None:
        for name, data in texts.items():
            known = self._changes.get(name)
            before = outcome.sources[name] if known is None else known.before
            self._changes[name] = Change(before, data)

    def _applied(self, source: SourceFile, own: Sequence[Finding]) -> tuple[bytes, list[Finding]]:
        """Return the file with those fixes that do not overlap and still parse."""
        text = text_of(source)
        if text is None:
            return self._none(source, own)
        chosen = edits.without_overlap(own, text)
        self._refuse_unplaced(own, text)
        data = _with(text, source, chosen)
        if data is not None:
            return data, chosen
        good: list[Finding] = []
        for finding in chosen:
            if _with(text, source, [*good, finding]) is not None:
                good.append(finding)
            else:
                self._refused.add(_key(finding))
        return _with(text, source, good) or source.data, good

    def _refuse_unplaced(self, own: Sequence[Finding], text: str) -> None:
        for finding in own:
            if not edits.without_overlap([finding], text):
                self._refused.add(_key(finding))

    def _none(self, source: SourceFile, own: Sequence[Finding]) -> tuple[bytes, list[Finding]]:
        self._refused |= {_key(finding) for finding in own}
        return source.data, []

    def _honest(self, outcome: Outcome) -> Outcome:
        """Return an outcome in which no reverted fix is called safe."""
        return msgspec.structs.replace(
            outcome, findings=tuple(self._demoted(finding) for finding in outcome.findings)
        )

    def _demoted(self, finding: Finding) -> Finding:
        if finding.fix is None or _key(finding) not in self._refused:
            return finding
        fix: Fix = msgspec.structs.replace(finding.fix, safety="unsafe")
        return msgspec.structs.replace(finding, fix=fix)


def _with(text: str, source: SourceFile, findings: Sequence[Finding]) -> bytes | None:
    """Return the fixed file, or None if it no longer parses."""
    every = [edit for finding in findings if finding.fix for edit in finding.fix.edits]
    try:
        data = edits.encoded(edits.apply(text, every), source)
    except ValueError:
        return None
    return data if data is not None and edits.parses(data) else None


def save(changes: Mapping[str, Change], roots: Sequence[Path]) -> list[str]:
    """Write changed files.

    Args:
        changes: by name of the file.
        roots: folders and files that the user named; nothing outside of them is written.

    Returns:
        One line for each file that could not be written, with the reason.
    """
    problems: list[str] = []
    allowed = [Path(os.path.realpath(root)) for root in roots]
    done: set[Path] = set()
    for name, change in changes.items():
        real = Path(os.path.realpath(change.before.path))
        if real in done:
            continue  # the same file by another name
        done.add(real)
        problem = _save(real, change, allowed)
        if problem:
            problems.append(f"{name}: not written: {problem}")
    return problems


def _save(real: Path, change: Change, allowed: Sequence[Path]) -> str:
    if not any(root in {real, *real.parents} for root in allowed):
        return "it is a link to a file outside of what is linted"
    try:
        if real.read_bytes() != change.before.data:
            return "it was changed meanwhile; run again"
        write_atomically(real, change.after)
    except OSError as error:
        return str(error.strerror or error)
    return ""


def _key(finding: Finding) -> _Key:
    return finding.path, finding.code, finding.fingerprint


def _absolute(source: SourceFile) -> Path:
    return Path(os.path.normpath(source.path.absolute()))


def _patch_name(name: str) -> bytes:
    """Return a name as ``git apply`` and ``patch`` read it.

    One with blanks ends with a tab; one that is not plain to see stands in quotes, as git does.
    """
    if name.isprintable() and not {'"', "\\"} & set(name):
        return name.encode() + (b"\t" if " " in name else b"")
    plain = set(range(0x20, 0x7F)) - set(b'"\\')
    quoted = (chr(b) if b in plain else f"\\{b:03o}" for b in os.fsencode(name))
    return f'"{"".join(quoted)}"'.encode()


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _terminated(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
