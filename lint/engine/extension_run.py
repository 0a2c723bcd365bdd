"""Lints one extension."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from ...reports.lint.findings import Finding
from ..files.discovery import Tree
from ..files.disk import read_regular
from ..files.source import SourceFile
from ..files.walking import MANIFEST, is_extension_root, python_files
from ..inference.project import Project
from ..inference.syntax.kept_trees import KeptTrees
from ..inference.syntax.memo import OutOfTime
from ..rule import Hit, ManifestHit, Rule
from ..sdk.surface import surface
from ..sdk_use.import_errors import never_runs
from ..view import FileView, ProjectView
from .findings import checked, manifest_finding, numbered
from .prefilter import Screening
from .results import Found, Inputs
from .time_limit import within_limit

IGNORE_MARK = b"fedcheck:"
"""What stands in each file with an ignore comment."""


class Target(msgspec.Struct, frozen=True):
    """The target version, and the extent of a run.

    Attributes:
        sdk: a version of the SDK, resolved.
        all_files: also files that the entry does not import.
        exhaustive: parse every file, without the prefilter.
        seconds_per_file: limit of CPU time (of the clock, for rules of other packages); a file
            that needs more becomes a note.
        sdk_of: root of an extension → its version, where extensions differ; wins over ``sdk``.
        excluded: name of a file → whether it is only read where other files lead to it.
    """

    sdk: str
    all_files: bool = False
    exhaustive: bool = False
    seconds_per_file: float = 10.0
    sdk_of: Callable[[Path], str] | None = None
    excluded: Callable[[str], bool] | None = None


class ExtensionRun:
    """The run over one extension."""

    def __init__(
        self,
        tree: Tree,
        root: Path,
        paths: list[Path],
        target: Target,
        rules: tuple[Rule, ...],
        trees: KeptTrees | None = None,
    ) -> None:
        self._target = target
        self._rules = rules
        self.paths = paths
        self._named = tree.named
        known = {path: tree.sources[path] for path in paths}
        self._project = Project(root, _with_neighbours(tree, root, known), surface(target.sdk))
        self._project.trees = trees
        self._project.whole = target.all_files
        self._project.named = frozenset(tree.named)
        self._view = ProjectView(self._project)
        self._screening = Screening(self._project, rules, exhaustive=target.exhaustive)
        self.notes: list[str] = []
        self.sources: dict[str, SourceFile] = {}

    @property
    def has_sdk(self) -> bool:
        """Whether a file names the SDK; elsewhere there is nearly nothing to be found."""
        return self._project.is_extension

    def inputs(self) -> Inputs:
        """Return all that the findings depend on."""
        project, target = self._project, self._target
        sources = project.sources.values()
        return Inputs(
            root=project.root,
            files=project.sources,
            linted=self.paths,
            named=frozenset(path for path in self._named if path in project.sources),
            excluded=frozenset(it.name for it in sources if self._is_excluded(it)),
            manifest=project.manifest_text,
            icons=project.icons,
            sdk=target.sdk,
            rules=self._rules,
            all_files=target.all_files,
            exhaustive=target.exhaustive,
        )

    @property
    def size(self) -> int:
        """Bytes of the linted files, as a measure of the time that it takes."""
        return sum(len(self._project.sources[path].data) for path in self.paths)

    def found(self) -> Found:
        """Lint."""
        findings = tuple(self.findings())
        return Found(findings, tuple(self.notes), tuple(self.sources))

    def sources_named(self, names: Sequence[str]) -> dict[str, SourceFile]:
        """Return name → file of some of the files; one that is no code is the manifest."""
        if not names:
            return {}
        known = {source.name: source for source in self._project.sources.values()}
        return {name: known.get(name) or self._manifest_source() for name in names}

    def findings(self) -> Iterator[Finding]:
        """Yield the findings of all files, then those of the manifest."""
        if not self._project.is_extension and not self._named & set(self.paths):
            return
        for path in self.paths:
            yield from self._file(path)
        yield from self._manifest()

    def _file(self, path: Path) -> Iterator[Finding]:
        source = self._project.sources[path]
        rules = self._screening.rules_for(source)
        marked = IGNORE_MARK in source.data
        if not (rules or marked) or self._is_excluded(source) or not self._is_code(path):
            return
        if marked:
            self.sources[source.name] = source
        if not rules:
            return
        self._project.clock.start(self._target.seconds_per_file)
        module = self._project.module(path)
        if module is None:
            self.notes.append(f"{source.name}: {self._project.problems[path]}")
            return
        view = FileView(self._view, module)
        hits = [(rule, hit) for rule in rules for hit in self._hits(rule, view)]
        if hits:
            self.sources[source.name] = source
            yield from numbered(module, hits, self._project.surface.version)

    def _is_code(self, path: Path) -> bool:
        asked = self._target.all_files or path in self._named
        return asked or path in self._project.reachable

    def _is_excluded(self, source: SourceFile) -> bool:
        return self._target.excluded is not None and self._target.excluded(source.name)

    def _hits(self, rule: Rule, view: FileView) -> list[Hit]:
        """Run one rule; an exception in it costs only its own findings, and becomes a note."""
        name = view.module.source.name
        try:
            if rule.check is None:
                return []
            with within_limit(rule.check, self._project.clock.deadline):
                return [_judged(rule, view, checked(hit, Hit)) for hit in rule.check(view)]
        except OutOfTime:
            self._view = ProjectView(self._project)  # what it had begun to find is half of it
            limit = self._target.seconds_per_file
            self.notes.append(f"{name}: {rule.code} took longer than {limit:g} s; it was stopped")
        except RecursionError:
            self.notes.append(f"{name}: {rule.code} stopped at expressions nested too deeply")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plug-in may raise anything
            self.notes.append(
                f"{name}: {rule.code} failed: {type(error).__name__}: {error}; report this rule"
            )
        return []

    def _manifest(self) -> Iterator[Finding]:
        rules = [rule for rule in self._rules if rule.check_project]
        if not rules or not self._project.manifest_text:
            return
        source = self._manifest_source()
        if self._project.manifest_is_broken:
            self.notes.append(f"{source.name}: {_no_object(self._project.manifest_text)}")
            return
        for rule in rules:
            for hit in self._project_hits(rule):
                self.sources[source.name] = source
                yield manifest_finding(source, rule, hit, self._project.surface.version)

    def lost_manifest(self) -> Iterator[str]:
        """Yield the note about a manifest that cannot be read, if there is one."""
        judged = self.has_sdk and any(rule.check_project for rule in self._rules)
        path = self._project.root / MANIFEST
        if not judged or self._project.manifest_text or not os.path.isfile(path):  # noqa: PTH113
            return
        try:
            read_regular(path)
            why = "it is no JSON object"
        except OSError as error:
            why = f"it cannot be read: {error.strerror}"
        yield f"{self._manifest_source().name}: {why}"

    def _manifest_source(self) -> SourceFile:
        path = self._project.root / MANIFEST
        name = _named_like(self.paths, self._project, path)
        return SourceFile(path, name, self._project.manifest_text.encode())

    def _project_hits(self, rule: Rule) -> list[ManifestHit]:
        self._project.clock.start(self._target.seconds_per_file)
        try:
            check = rule.check_project
            if check is None:
                return []
            with within_limit(check, self._project.clock.deadline):
                return [checked(hit, ManifestHit) for hit in check(self._view)]
        except OutOfTime:
            self._view = ProjectView(self._project)  # as above
            self.notes.append(
                f"{self._project.root.name}: {rule.code} took too long; it was stopped"
            )
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plug-in may raise anything
            self.notes.append(
                f"{self._project.root.name}: {rule.code} failed: {type(error).__name__}: {error}; "
                "report this rule"
            )
        return []


def _with_neighbours(
    tree: Tree, root: Path, known: dict[Path, SourceFile]
) -> dict[Path, SourceFile]:
    """Add the extension's other files when the user named only some, to follow imports."""
    if any(root == folder or folder in root.parents for folder in tree.folders):
        return known
    if not is_extension_root(root):
        return known
    result = dict(known)
    for path in python_files(root):
        if path not in result:
            try:
                result[path] = tree.load(path, path.as_posix())
            except OSError:
                continue
    return result


def _named_like(paths: list[Path], project: Project, path: Path) -> str:
    """Return the name of a file in the style in which the user named the others."""
    for known in paths:
        name = project.sources[known].name
        tail = (
            known.relative_to(project.root).as_posix() if known.is_relative_to(project.root) else ""
        )
        if tail and name.endswith(tail):
            return name.removesuffix(tail) + path.name
    return path.as_posix()


def _judged(rule: Rule, view: FileView, hit: Hit) -> Hit:
    """Downgrade hits in unreachable code to infos: ``if LEGACY:`` of a constant."""
    if (hit.severity or rule.severity) == "info" or not never_runs(view, hit.node):
        return hit
    return msgspec.structs.replace(
        hit, severity="info", message=f"{hit.message} This branch never runs."
    )


def _no_object(text: str) -> str:
    """Return why a text is no JSON object, and where."""
    try:
        json.loads(text)
    except ValueError as error:
        return f"it is no JSON object: {error}"
    except RecursionError:
        pass
    return "it is no JSON object"
