"""A run of the linter: the engine's findings, less the accepted ones."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...reports.lint.findings import Finding, LintReport
from ...reports.lint.shared import fails, one_per_cause
from ..files.discovery import place_of
from ..files.source import SourceFile
from ..rule import Rule
from ..sdk.releases import version_key
from ..sdk.targets import newest, target_of
from ..settings.model import Settings, in_folder, matches
from ..settings.selection import matching
from . import engine
from .engine import CheckResult, Target
from .ignores.meta_rules import STALE_BASELINE, UNUSED_IGNORE
from .ignores.suppressions import Known, apply_comments, apply_settings, known_rules

if TYPE_CHECKING:
    from ..inference.syntax.kept_trees import KeptTrees
    from .cache.extensions import KnownExtensions
    from .ignores.baseline import Baseline

Overlay = Mapping[Path, bytes]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run.

    Attributes:
        findings: sorted, the suppressed ones among them.
        notes: what could not be linted, and why.
        files: number of files looked at.
        sources: name as in findings → file.
        nothing_judged: why no finding was possible at all; empty if one was.
    """

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    files: int
    sources: Mapping[str, SourceFile]
    nothing_judged: str = ""

    def texts(self) -> dict[str, str]:
        """Return the texts of the files with findings; what cannot be decoded is left out."""
        named = {finding.path for finding in self.findings}
        named |= {step.path for finding in self.findings for step in finding.chain}
        found = {name: text_of(self.sources.get(name)) for name in named}
        return {name: text for name, text in found.items() if text is not None}


class Linter:
    """Lints the same paths repeatedly, also with unsaved texts.

    Args:
        paths: what the user named: files and folders.
        settings: of the project, those of the command line worked in.
        rules: every rule that there is.
        on: codes of those that are on.
        wanted: version of the SDK that was asked for; empty for what each extension declares.
        exhaustive: parse every file, whatever its text.
        comments: whether ignore comments count.
        baseline: accepted findings, if there are any.
        today: day from which the age of the baseline counts.
        known: what was found in extensions earlier, if that may be said again.
        processes: how many may lint extensions at the same time.
        trees: of files that an earlier run of this process parsed.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        settings: Settings,
        rules: Sequence[Rule],
        on: frozenset[str],
        *,
        wanted: str = "",
        exhaustive: bool = False,
        comments: bool = True,
        baseline: Baseline | None = None,
        today: dt.date | None = None,
        known: KnownExtensions | None = None,
        processes: int = 1,
        trees: KeptTrees | None = None,
    ) -> None:
        self.settings = settings
        self.on = on
        self.baseline = baseline
        self.today = today or dt.datetime.now(dt.timezone.utc).date()
        self._paths = tuple(paths)
        self._rules = tuple(rules)
        self._wanted = wanted
        self._sdk_of = target_of(wanted)
        self._exhaustive = exhaustive
        self._comments = comments
        self._known = known
        self._processes = processes
        self._trees = trees
        self._targets: set[str] = set()

    def with_default_rules(self) -> Linter:
        """Return what lints with all default rules besides its own, or itself."""
        wide = self.on | {rule.code for rule in self._rules if rule.default}
        if wide == self.on:
            return self
        linter = copy(self)
        linter.on = wide
        linter._targets = set()
        return linter

    @cached_property
    def _config_codes(self) -> dict[str, frozenset[str]]:
        origin = f"{self.settings.origin}: lint.per-file-ignores"
        return {
            glob: frozenset[str]().union(*(matching(p, self._rules, origin) for p in patterns))
            for glob, patterns in self.settings.per_file_ignores.items()
        }

    def lint(self, overlay: Overlay | None = None) -> Outcome:
        """Lint once.

        When something could not be linted, no ignore is called unused and no entry of the
        baseline stale: what they hide may be there.

        Args:
            overlay: texts to be linted instead of those on disk, by absolute path.
        """
        result = self._check(overlay or {})
        notes = tuple(note for note in result.notes if not self._excludes(note))
        judged = self.on if not notes else self.on - {UNUSED_IGNORE.code, STALE_BASELINE.code}
        findings = self._commented(result, known_rules(self._rules, judged))
        findings = apply_settings(findings, self.settings, self._config_codes)
        if self.baseline is not None:
            findings = self.baseline.apply(findings, self.today, self.covers, judged)
        if not result.files:
            notes = (*notes, "no Python file was found")
        return Outcome(
            findings=tuple(sorted(findings, key=_order)),
            notes=notes,
            files=len(result.files),
            sources=result.sources,
            nothing_judged=self._nothing_judged(result.files),
        )

    def _nothing_judged(self, names: Collection[str]) -> str:
        if not self.on:
            return "no rule is on; see --select and --ignore, and the same in the settings"
        leaving_out = names and (self.settings.exclude or self._config_codes)
        if not leaving_out or not all(map(self._left_out, names)):
            return ""
        return f"exclude and per-file-ignores of {self.settings.origin} leave out every file"

    def _left_out(self, name: str) -> bool:
        """Tell whether the settings leave out a file, or every rule in it."""
        relative = in_folder(name, self.settings.root)
        hidden = (codes for glob, codes in self._config_codes.items() if matches(relative, glob))
        return self._excluded(name) or self.on <= frozenset[str]().union(*hidden)

    def report(self, outcome: Outcome, *, version: str) -> LintReport:
        """Return what the renderers read."""
        fail_on = self.settings.fail_on
        failing = any(not f.suppressed and fails(f.severity, fail_on) for f in outcome.findings)
        return LintReport(
            version=version,
            sdk=self.sdk,
            findings=one_per_cause(outcome.findings),
            notes=outcome.notes,
            rules=tuple(rule.text() for rule in self._rules if rule.code in self.on),
            files=outcome.files,
            fail_on=fail_on,
            exit_code=1 if failing else 3 if outcome.notes else 0,
        )

    @property
    def sdk(self) -> str:
        """The target versions of the last run, for people."""
        return ", ".join(sorted(self._targets or {self._wanted or newest()}, key=version_key))

    def covers(self, path: Path) -> bool:
        """Tell whether a file lies in what the user named."""
        wanted = place_of(path)
        return any(place_of(base) in {wanted, *wanted.parents} for base in self._paths)

    def _check(self, overlay: Overlay) -> CheckResult:
        found = engine.check(
            self._paths,
            self._target(),
            codes=self.on,
            overlay=overlay,
            recall=self._known,
            processes=self._processes,
            trees=self._trees,
        )
        if self._known is not None and not overlay:  # what is not saved will not be asked again
            self._known.save()
        return found

    def _target(self) -> Target:
        return Target(
            sdk=newest(),
            sdk_of=self._target_of,
            all_files=self.settings.all_files,
            exhaustive=self._exhaustive,
            excluded=self._excluded if self.settings.exclude else None,
        )

    def _target_of(self, root: Path) -> str:
        version = self._sdk_of(root)
        self._targets.add(version)
        return version

    def _excludes(self, note: str) -> bool:
        """Tell whether a note is about a file that the settings leave out."""
        return self._excluded(note.partition(":")[0])

    def _excluded(self, name: str) -> bool:
        relative = in_folder(name, self.settings.root)
        return any(matches(relative, glob) for glob in self.settings.exclude)

    def _commented(self, result: CheckResult, known: Known) -> list[Finding]:
        if not self._comments:
            return list(result.findings)
        grouped: dict[str, list[Finding]] = {name: [] for name in result.sources}
        for finding in result.findings:
            grouped.setdefault(finding.path, []).append(finding)
        found: list[Finding] = []
        for name, own in grouped.items():
            text = text_of(result.sources.get(name), marked=True)
            found += own if text is None else apply_comments(name, own, text, known)
        return found


def text_of(source: SourceFile | None, *, marked: bool = False) -> str | None:
    """Return the text of a file, or ``None`` if it cannot be decoded.

    Args:
        source: the file.
        marked: only if an ignore comment may stand in it.
    """
    if source is None or (marked and b"fedcheck" not in source.data):
        return None
    try:
        return source.text
    except (SyntaxError, UnicodeError, LookupError):
        return None


def _order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.span.line, finding.span.column, finding.code
