"""What ``fedcheck lint`` does, from its options to its exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...invariants.vocabulary.errors import UsageError
from ...invariants.vocabulary.text import counted
from ...reports.console.escape import inert, printable
from ...reports.console.styles import echo
from ..engine.processes import cores
from ..rule_plugins import has_foreign_rules
from ..settings.model import Settings, find_settings, read_settings
from .options import Options
from .output import Output

if TYPE_CHECKING:
    from ...reports.lint.findings import Finding
    from ..engine.cache.extensions import KnownExtensions
    from ..engine.cache.recording import Recording
    from ..engine.ignores.baseline import Baseline
    from ..engine.run import Linter, Outcome
    from ..inference.syntax.kept_trees import KeptTrees
    from ..rule import Rule


def run(options: Options, words: Sequence[str] | None = None) -> int:
    """Lint, and return the exit code.

    Args:
        options: what to do.
        words: the command line that they were read from, if the result may be kept under it.

    Raises:
        UsageError: options or settings are wrong.
    """
    _refuse_contradictions(options)
    recording = _recording(options, words)
    settings = _settings(options)
    output = Output(options)
    baseline = _baseline_file(options, settings)
    if recording is not None and baseline is not None:
        recording.depends(baseline)
    known = _known_extensions(options, words)
    if options.watch:
        return _watch(options, output, known, baseline)
    linter = make_linter(options, settings, known)
    overlay = _overlay(options)
    outcome = linter.lint(overlay)
    if options.update_baseline:
        return _update_baseline(linter, outcome, grows=options.accept_new)
    if options.add_ignores:
        return _add_ignores(linter, outcome, options)
    if options.fix or options.diff:
        return _fix(linter, outcome, options, output, overlay)
    return _kept(recording, output.show(linter, outcome), outcome.notes, output)


def _recording(options: Options, words: Sequence[str] | None) -> Recording | None:
    """Return what keeps the run; None if it does more than look, or nothing is to be kept."""
    changes = (options.fix, options.diff, options.update_baseline, options.add_ignores)
    elsewhere = (options.stdin, options.watch, options.output is not None, options.no_cache)
    summary = options.format_name == "github" and "GITHUB_STEP_SUMMARY" in os.environ
    if words is None or any((*changes, *elsewhere, summary)):
        return None
    from ..engine.cache.recording import Recording

    return Recording(words, options.paths, options.config, options.cache_dir)


def _kept(recording: Recording | None, code: int, notes: Sequence[str], output: Output) -> int:
    if recording is not None and not has_foreign_rules():  # what they read is not known
        recording.finish(code, notes, output.said)
    return code


def _known_extensions(options: Options, words: Sequence[str] | None) -> KnownExtensions | None:
    """Return what is known of the extensions; None if nothing is to be kept."""
    if words is None or options.no_cache:
        return None
    from ..engine.cache.extensions import known_extensions

    return known_extensions(words, options.cache_dir)


def _watch(
    options: Options, output: Output, known: KnownExtensions | None, baseline: Path | None
) -> int:
    """Lint after each change as if for the first time: settings and targets may have changed."""
    from .watch import watch

    others = [file for file in (options.config, baseline) if file is not None]

    def lint() -> int:
        linter = make_linter(options, _settings(options), known)
        return output.show(linter, linter.lint())

    return watch(options.paths, lint, others=others)


def make_linter(
    options: Options,
    settings: Settings,
    known: KnownExtensions | None = None,
    trees: KeptTrees | None = None,
) -> Linter:
    """Return what lints the paths of the options.

    Args:
        options: what to do.
        settings: of the project.
        known: what was found in extensions earlier, if that may be said again.
        trees: of files that an earlier run of this process parsed.

    Raises:
        UsageError: a rule, the target or the baseline does not exist.
    """
    from ..engine.ignores.meta_rules import every_rule
    from ..engine.run import Linter
    from ..sdk.targets import asked_for

    rules = every_rule()
    wanted = options.target_sdk or settings.target_sdk
    origin = "--target-sdk" if options.target_sdk else f"{settings.origin}: lint.target-sdk"
    return Linter(
        options.linted,
        settings,
        rules,
        _selected(options, settings, rules),
        wanted=asked_for(wanted, origin) if wanted else "",
        exhaustive=options.exhaustive,
        comments=not options.no_ignores,
        baseline=_baseline(options, settings),
        known=known,
        processes=1 if has_foreign_rules() else options.jobs or cores(),
        trees=None if has_foreign_rules() else trees,
    )


def _refuse_contradictions(options: Options) -> None:
    modes = {
        "--fix or --diff": options.fix or options.diff,
        "--add-ignores": options.add_ignores,
        "--update-baseline": options.update_baseline,
        "--watch": options.watch,
    }
    asked = [name for name, wanted in modes.items() if wanted]
    if len(asked) > 1:
        raise UsageError(f"{asked[0]} and {asked[1]} cannot be combined; run them one by one")
    if options.stdin and asked and not modes["--fix or --diff"]:
        raise UsageError(f"--stdin and {asked[0]} cannot be combined; name the file instead")
    if options.add_ignores and not options.reason.strip():
        raise UsageError(
            "--add-ignores needs --reason TEXT: an ignore without a reason is itself a finding"
        )
    if options.isolated and options.config is not None:
        raise UsageError("--isolated takes no settings; leave out --config")
    if options.output is not None and options.output.suffix in {".py", ".pyi"}:
        raise UsageError(
            f"--output {options.output}: it is Python code, which findings would replace"
        )


def _settings(options: Options) -> Settings:
    if options.isolated:
        found = Settings(root=str(Path.cwd()))
    elif options.config is not None:
        found = read_settings(options.config)
    else:
        found = find_settings(options.linted)
    return msgspec.structs.replace(
        found,
        all_files=options.all_files or found.all_files,
        fail_on=options.fail_on or found.fail_on,
    )


def _selected(options: Options, settings: Settings, rules: Sequence[Rule]) -> frozenset[str]:
    """Return the codes that are on: a ``--select`` replaces all that the settings say of it."""
    from ..settings.selection import selected

    settled = selected(
        rules,
        select=settings.select,
        extend=settings.extend_select,
        ignore=settings.ignore,
        origin=f"{settings.origin}: lint",
    )
    return selected(
        rules,
        select=options.select,
        extend=options.extend_select,
        ignore=options.ignore,
        origin="the command line",
        base=settled,
    )


def _baseline_file(options: Options, settings: Settings) -> Path | None:
    if options.baseline is None and settings.baseline:
        return _settled_baseline(settings)
    return options.baseline


def _baseline(options: Options, settings: Settings) -> Baseline | None:
    named = _baseline_file(options, settings)
    if named is None:
        if options.update_baseline:
            raise UsageError(
                "--update-baseline needs --baseline FILE, or lint.baseline in the settings"
            )
        return None
    from ..engine.ignores.baseline import read_baseline

    return read_baseline(named, settings.baseline_days, may_be_missing=options.update_baseline)


def _settled_baseline(settings: Settings) -> Path:
    """Return the baseline of the settings, which may come with a stranger's code."""
    root = Path(os.path.realpath(settings.root))
    file = Path(os.path.realpath(root / settings.baseline))
    if root not in file.parents:
        raise UsageError(
            f"{settings.origin}: lint.baseline leads out of {root}; use --baseline for such a file"
        )
    return Path(os.path.relpath(file))


def _overlay(options: Options) -> dict[Path, bytes]:
    if not options.stdin:
        return {}
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - if it is closed
        raise UsageError("--stdin: standard input is closed; pipe the text in")
    return {options.stdin_filename.absolute(): sys.stdin.buffer.read()}


def _update_baseline(linter: Linter, outcome: Outcome, *, grows: bool) -> int:
    old = linter.baseline
    assert old is not None  # noqa: S101  _baseline has refused the run without one
    judged = frozenset[str]() if outcome.notes else linter.on  # what was not seen is not dropped
    grows = grows or old.is_missing
    new = old.updated(outcome.findings, linter.today, linter.covers, judged, grows=grows)
    try:
        new.write()
    except OSError as error:
        raise UsageError(f"the baseline {old.file} cannot be written: {error.strerror}") from error
    before, after = ({entry.key for entry in b.entries} for b in (old, new))
    echo(
        f"{printable(str(old.file))}: {counted(len(after), 'accepted finding')}, "
        f"{len(after - before):,} of them new; {len(before - after):,} dropped."
    )
    left = new.unlisted(outcome.findings)
    if left:
        echo(
            f"{counted(len(left), 'new finding')} left out; mend what is new, or add --accept-new."
        )
    outdated = new.outdated(outcome.findings, linter.today)
    if outdated:
        echo(
            f"{counted(len(outdated), 'accepted finding')} no longer hidden, for the entries are "
            "too old (or of a day to come); mend what they stand for."
        )
    return _told(linter, outcome, left + outdated)


def _add_ignores(linter: Linter, outcome: Outcome, options: Options) -> int:
    from ..engine.fixes.adding_ignores import with_ignores
    from ..engine.fixes.fixing import save

    changes, hidden = with_ignores(outcome, options.reason)
    problems = save(changes, options.paths)
    _warn(problems)
    saved = [name for name in changes if not _failed(name, problems)]
    added = sum(len(hidden[name]) for name in saved)
    echo(f"{counted(added, 'finding')} ignored in {counted(len(saved), 'file')}.")
    done = {id(it) for own in hidden.values() for it in own}
    left = tuple(it for it in outcome.findings if not it.suppressed and id(it) not in done)
    if left:
        echo(
            f"{counted(len(left), 'finding')} left, about comments or where none can stand "
            f"({_in_files(left)}); use per-file-ignores or a baseline."
        )
    return 3 if problems else _told(linter, outcome, left)


def _in_files(findings: Sequence[Finding]) -> str:
    """Name the files of some findings, at most three."""
    names = list(dict.fromkeys(printable(it.path) for it in findings))
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def _told(linter: Linter, outcome: Outcome, left: tuple[Finding, ...]) -> int:
    """Say what could not be linted; return the exit code that the findings left give."""
    _warn(f"not linted: {note}" for note in outcome.notes)
    rest = msgspec.structs.replace(outcome, findings=left)
    return linter.report(rest, version="").exit_code


def _fix(
    linter: Linter, outcome: Outcome, options: Options, output: Output, overlay: dict[Path, bytes]
) -> int:
    from ..engine.fixes.fixing import Fixer, save

    fixed = Fixer(linter, unsafe=options.unsafe_fixes).fix(outcome, overlay)
    if options.diff:
        lost = output.patch([change.diff() for change in fixed.changes.values()])
        return 1 if fixed.changes else output.exit_code(linter, fixed.outcome) or lost
    if options.stdin:
        name = options.stdin_filename.as_posix()
        data = fixed.changes[name].after if name in fixed.changes else next(iter(overlay.values()))
        sys.stdout.buffer.write(data)
        return output.exit_code(linter, fixed.outcome)
    problems = save(fixed.changes, options.paths)
    code = output.show(linter, linter.lint() if problems else fixed.outcome)
    _warn(problems)
    saved = [it for it in fixed.fixed if not _failed(it.path, problems)]
    if saved:
        files = len({it.path for it in saved})
        echo(f"{counted(len(saved), 'finding')} fixed in {counted(files, 'file')}.", err=True)
    return code or (3 if problems else 0)


def _failed(name: str, problems: Sequence[str]) -> bool:
    return any(line.startswith(f"{name}: ") for line in problems)


def _warn(lines: Iterable[str]) -> None:
    """Say something that may name a stranger's files."""
    for line in lines:
        echo(inert(printable(line, limit=None)), err=True)
