"""Lints paths: the entrance of the engine."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from ...reports.lint.findings import Finding
from ..files.discovery import Tree, extension_roots
from ..files.source import SourceFile
from ..inference.syntax.kept_trees import KeptTrees
from ..rule import Rule
from ..rules import all_rules
from ..sdk.releases import version_key
from .extension_run import ExtensionRun, Target
from .parallel import in_turn
from .results import Recall


class CheckResult(msgspec.Struct, frozen=True):
    """The result of a run of the engine.

    Attributes:
        findings: unsuppressed, by path, line, column and code.
        notes: what could not be linted and why; one line each.
        files: names of the files looked at.
        sources: name as in ``Finding.path`` → file: those with findings or ignore comments.
    """

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    files: frozenset[str]
    sources: Mapping[str, SourceFile]


def check(
    root_paths: Sequence[Path],
    target: Target,
    *,
    codes: frozenset[str] | None = None,
    overlay: Mapping[Path, bytes] | None = None,
    recall: Recall | None = None,
    processes: int = 1,
    trees: KeptTrees | None = None,
) -> CheckResult:
    """Lint files and folders.

    Args:
        root_paths: what the user named; an explicit file is always linted.
        target: version and extent.
        codes: of the rules to run; by default those that are on.
        overlay: texts that an editor has not saved, by absolute path.
        recall: the cache of findings of extensions.
        processes: number of extensions linted in parallel.
        trees: of files that earlier runs parsed; they serve the next one too.
    """
    collects = gc.isenabled()
    gc.disable()  # trees are freed by their reference counts; measured: a fifth of the time
    try:
        tree = Tree(root_paths, overlay or {})
        runs = _runs(tree, target, codes, trees)
        return _check(tree, runs, recall, processes)
    finally:
        if trees is not None:
            trees.settle()
        if collects:
            gc.enable()


def _check(
    tree: Tree, runs: Iterator[ExtensionRun], recall: Recall | None, processes: int
) -> CheckResult:
    findings: list[Finding] = []
    notes = list(tree.notes)
    sources: dict[str, SourceFile] = {}
    files = frozenset(source.name for source in tree.sources.values())
    for run, found in in_turn(runs, recall, processes):
        findings.extend(found.findings)
        notes.extend((*found.notes, *run.lost_manifest()))
        for name, source in run.sources_named(found.sources).items():
            sources[name] = SourceFile(source.path, name, source.data)  # without what is decoded
        for path in run.paths:
            del tree.sources[path]  # what has no finding is not needed any more
        del run  # and its trees are freed before the next ones are parsed
    findings.sort(key=lambda item: (item.path, item.span.line, item.span.column, item.code))
    return CheckResult(tuple(findings), tuple(sorted(set(notes))), files, sources)


def _runs(
    tree: Tree, target: Target, codes: frozenset[str] | None, trees: KeptTrees | None
) -> Iterator[ExtensionRun]:
    for root, paths in extension_roots(tree).items():
        sdk = target.sdk_of(root) if target.sdk_of else target.sdk
        own = msgspec.structs.replace(target, sdk=sdk)
        yield ExtensionRun(tree, root, paths, own, selected(sdk, codes), trees)


def selected(sdk: str, codes: frozenset[str] | None) -> tuple[Rule, ...]:
    """Return the rules that run: those named, or the default ones, if the version has them."""
    key = version_key(sdk)
    return tuple(
        rule
        for rule in all_rules()
        if (rule.default if codes is None else rule.code in codes)
        and (not rule.since or version_key(rule.since) <= key)
        and (not rule.removed or key < version_key(rule.removed))
    )
