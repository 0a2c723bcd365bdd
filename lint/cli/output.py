"""Where findings go: the terminal, a file, the summary of a build."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...reports.console.escape import inert, printable
from ...reports.console.files import write_atomically
from ...reports.console.styles import echo, styled, unstyled
from ...reports.lint.findings import LintReport
from ...reports.lint.formats import Renderer, render_safely, renderer
from ..rules.retired import renamed
from ..settings.model import Settings, from_here

if TYPE_CHECKING:
    from ..engine.run import Linter, Outcome
    from .options import Options

_STAYS = "the findings"
_OF_A_REPOSITORY = frozenset({"sarif", "github", "gitlab", "rdjson"})
"""Formats whose readers look for files by their paths in the checkout."""


class Output:
    """Shows outcomes as the options ask for.

    Attributes:
        said: what was written: 1 for stdout or 2 for stderr, and the text; empty if something
            could not be written as it should.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self.said: list[tuple[int, str]] = []

    def show(self, linter: Linter, outcome: Outcome) -> int:
        """Write what was found, and what could not be linted; return the exit code."""
        self.said = []
        report = self._report(linter, outcome)
        chosen, texts = self._chosen(report), outcome.texts()
        if self._options.format_name in _OF_A_REPOSITORY:
            chosen, texts = _placed_here(chosen), {from_here(it): texts[it] for it in texts}
        text, problem = render_safely(self._renderer(), chosen, texts)
        problems = [problem] if problem else []
        problems += self._written(text, report)
        notes = (f"not linted: {note}" for note in report.notes)
        nothing = [f"nothing was judged: {why}" for why in [outcome.nothing_judged] if why]
        remarks = _old_names(self._options, linter.settings)
        for line in [*nothing, *_unknown_targets(report.sdk), *remarks, *notes, *problems]:
            self._warn(line)
        if problems:
            self.said = []
        return report.exit_code or (3 if problems else 0)

    def exit_code(self, linter: Linter, outcome: Outcome) -> int:
        """Say only what could not be linted; return the exit code."""
        for note in outcome.notes:
            self._warn(f"not linted: {note}")
        return self._report(linter, outcome).exit_code

    def patch(self, patches: Sequence[bytes]) -> int:
        """Write patches: as they are into a file or a pipe, harmless to a terminal.

        Returns:
            The exit code, if nothing else decides: 3 if the file could not be written.
        """
        target = self._options.output
        problem = None if target is None else _written_into(target, b"".join(patches))
        if problem is not None:
            self._warn(problem)
        if target is None or problem is not None:
            self._show_patches(patches)
        return 3 if problem is not None else 0

    def _show_patches(self, patches: Sequence[bytes]) -> None:
        if not sys.stdout.isatty():
            sys.stdout.buffer.write(b"".join(patches))
            return
        for line in b"".join(patches).decode("utf-8", "backslashreplace").splitlines():
            colour = {"+": "green", "-": "red"}.get(line[:1])
            shown = printable(line.expandtabs(4), limit=None)
            echo(styled(shown, colour=colour) if colour else shown)

    def _report(self, linter: Linter, outcome: Outcome) -> LintReport:
        from ... import __version__

        return linter.report(outcome, version=__version__)

    def _renderer(self) -> Renderer:
        from functools import partial

        from ...reports.lint import text as lint_text

        if self._options.statistics and self._options.format_name == "text":
            return lint_text.render_statistics
        if self._options.format_name == "text":
            return partial(lint_text.render, grouped=self._options.group)
        return renderer(self._options.format_name)

    def _chosen(self, report: LintReport) -> LintReport:
        """Return what is rendered: in a plain list nobody would look for suppressed findings."""
        if self._options.format_name != "json" or self._options.show_suppressed:
            return report
        shown = tuple(finding for finding in report.findings if not finding.suppressed)
        return msgspec.structs.replace(report, findings=shown)

    def _written(self, text: str, report: LintReport) -> list[str]:
        """Write the text where it belongs; return what went wrong."""
        problem = self._filed(text)
        if self._options.output is None or problem is not None:
            self._echo(text)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if self._options.format_name == "github" and summary:
            return [x for x in (problem, _job_summary(report, Path(summary))) if x]
        return [problem] if problem else []

    def _echo(self, text: str) -> None:
        encoding = sys.stdout.encoding or "utf-8"
        shown = text.encode(encoding, "backslashreplace").decode(encoding)
        coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        said = shown if coloured else unstyled(shown)
        echo(said, nl=False)
        self.said.append((1, said))

    def _warn(self, line: str) -> None:
        shown = inert(printable(line, limit=None))
        echo(shown, err=True)
        self.said.append((2, f"{shown}\n"))

    def _filed(self, text: str) -> str | None:
        """Write the text into the file that was asked for, if one was."""
        target = self._options.output
        if target is None:
            return None
        return _written_into(target, unstyled(text).encode("utf-8", "backslashreplace"))


def _placed_here(report: LintReport) -> LintReport:
    """Return a report that names what lies in the current folder relative to it."""
    replace = msgspec.structs.replace
    findings = tuple(
        replace(
            it,
            path=from_here(it.path),
            chain=tuple(replace(step, path=from_here(step.path)) for step in it.chain),
        )
        for it in report.findings
    )
    return replace(report, findings=findings)


def _unknown_targets(targets: str) -> Iterator[str]:
    """Yield for each target that is no known release by which one it was judged."""
    from ..sdk.releases import nearest, version_key

    for target in filter(None, targets.split(", ")):
        known = nearest(target)
        if version_key(known) != version_key(target):
            yield (
                f"target SDK: this fedcheck knows no release {target}; it judged by {known}, the "
                "nearest that it knows. Name a release, or install a newer fedcheck."
            )


def _written_into(target: Path, data: bytes) -> str | None:
    """Write into a file; return what went wrong."""
    from ...reports.console.safely import safely

    return safely(str(target), lambda: write_atomically(target, data), _STAYS)


def _job_summary(report: LintReport, file: Path) -> str | None:
    from ...reports.console.safely import safely
    from ...reports.lint.github import job_summary

    def append() -> None:
        with file.open("a", encoding="utf-8", errors="backslashreplace") as summary:
            summary.write(job_summary(report))

    return safely("the summary of the job", append, _STAYS)


def _old_names(options: Options, settings: Settings) -> list[str]:
    """Return a remark for each old name of a rule on the command line and in the settings."""
    asked = [*options.select, *options.extend_select, *options.ignore]
    settled = [*settings.select, *settings.extend_select, *settings.ignore]
    ignored = chain.from_iterable(settings.per_file_ignores.values())
    remarks = (renamed(name) for name in dict.fromkeys([*asked, *settled, *ignored]))
    return [f"{remark}; write the new name" for remark in remarks if remark]
