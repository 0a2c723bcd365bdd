"""What the server does with documents: keeps texts, lints, watches files, answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import takewhile
from pathlib import Path

import msgspec
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from ...invariants.vocabulary.errors import FedcheckError
from ...reports.lint.findings import Edit, Finding, Severity, Span
from ...reports.lint.shared import split_lines
from ..cli import preload
from ..cli.main import make_linter
from ..cli.options import Options
from ..engine.cache.dependencies import SETTLING
from ..engine.run import Linter, Outcome
from ..files.disk import read_regular
from ..files.source import SourceFile
from ..files.walking import MANIFEST, is_extension_root
from ..inference.syntax.kept_trees import KeptTrees
from ..settings.model import find_settings

_WATCHED = ("**/*.py", *(f"**/{name}" for name in SETTLING))
"""What the findings of an open document follow from besides its text."""
WATCHING = types.RegistrationParams(
    registrations=[
        types.Registration(
            id="fedcheck-files",
            method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            register_options=types.DidChangeWatchedFilesRegistrationOptions(
                watchers=[types.FileSystemWatcher(glob_pattern=name) for name in _WATCHED]
            ),
        )
    ]
)
"""Asks a client to tell when one of them changes."""


def can_watch(client: types.ClientCapabilities) -> bool:
    """Tell whether a client may be asked."""
    watching = client.workspace and client.workspace.did_change_watched_files
    return bool(watching and watching.dynamic_registration)


def linter_of(path: Path, texts: Mapping[Path, str], trees: KeptTrees | None = None) -> Linter:
    """Return what lints the open documents, by the settings as they now are.

    Args:
        path: of one of them.
        texts: of all of them.
        trees: of files that an earlier run parsed; no other run may read them meanwhile.
    """
    return make_linter(Options(paths=tuple(texts), jobs=1), find_settings([path]), trees=trees)


def extension_of(path: Path) -> Path:
    """Return the root of the extension that a file belongs to, or its folder."""
    return next((folder for folder in path.parents if is_extension_root(folder)), path.parent)


def path_of(uri: str) -> Path | None:
    """Return the file of a document; ``None`` for one that was never saved."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)


BOM = "\ufeff"


class Lines:
    """The lines of files that findings point to: as the editor has them, else as on disk."""

    def __init__(self, texts: Mapping[Path, str]) -> None:
        self._texts = texts
        self._known: dict[str, list[str]] = {}

    def of(self, name: str) -> list[str]:
        """Return the lines of a file; none if it cannot be read any more."""
        if name not in self._known:
            path = Path(name).absolute()
            try:
                text = self._texts[path] if path in self._texts else _on_disk(path)
            except (OSError, SyntaxError, UnicodeError, LookupError):
                text = ""
            self._known[name] = split_lines(text)
        return self._known[name]


def _on_disk(path: Path) -> str:
    return SourceFile(path, str(path), read_regular(path)).text


def encoded(text: str) -> bytes:
    """Return an editor's text as the bytes that its encoding comment announces."""
    data = text.encode("utf-8", "surrogatepass")
    if text.startswith(BOM):
        return data  # the mark is already there
    try:
        return text.encode(SourceFile(Path(), "", data).encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return data


PAUSE = 0.15
"""Seconds without a key stroke after which a document is linted."""

_SEVERITY: dict[Severity, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


class Linted(msgspec.Struct, frozen=True):
    """What is known of one open document.

    Attributes:
        text: as it was linted.
        findings: not suppressed.
        shown: what the editor was told of them.
    """

    text: str
    findings: tuple[Finding, ...]
    shown: tuple[types.Diagnostic, ...]


class Known(msgspec.Struct, frozen=True):
    """What the last run said of an extension.

    Attributes:
        texts: of its open documents, as they were linted.
        outcome: of the run.
    """

    texts: Mapping[Path, str]
    outcome: Outcome


class Server(LanguageServer):
    """Lints the open documents."""

    def __init__(self, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  its *args have no types
            "fedcheck", version, types.TextDocumentSyncKind.Full
        )
        self.linted: dict[str, Linted] = {}
        self.known: dict[Path, Known] = {}
        self._told_manifests: set[Path] = set()
        self._waiting: dict[Path, asyncio.Task[None]] = {}
        self._busy = asyncio.Lock()
        self._trees = KeptTrees()

    async def warm_up(self) -> None:
        """Load the rules before the first document needs them."""
        async with self._busy:
            await asyncio.to_thread(preload.load)

    def lint_soon(self, uri: str, pause: float = PAUSE, *, typed: bool = False) -> None:
        """Lint the extension of a document once the user has paused.

        Args:
            uri: of the document.
            pause: seconds without another call.
            typed: whether the text was changed in the editor, and nothing on disk.
        """
        path = path_of(uri)
        if path is None:
            return
        root = extension_of(path)
        earlier = self._waiting.get(root)
        if earlier is not None:
            earlier.cancel()
        self._waiting[root] = asyncio.ensure_future(self._lint_later(root, path, pause, typed))

    async def _lint_later(self, root: Path, path: Path, pause: float, typed: bool) -> None:
        await asyncio.sleep(pause)
        async with self._busy:
            del self._waiting[root]  # a run that has begun is not cancelled: its thread goes on
            documents = self.open_documents(root)
            texts = {file: document.source for file, document in documents.items()}
            if not texts:
                self.known.pop(root, None)
                self._publish_manifest(root, (), Lines(texts))
                return
            try:
                outcome = await asyncio.to_thread(_lint, path, texts, self._trees)
            except Exception as error:  # noqa: BLE001  the next key stroke must find a server
                self.tell(error)
                return
        self.known[root] = Known(texts, outcome)
        lines = Lines(texts)
        still_open = self.open_documents(root)
        half_typed = typed and any(_notes_on(file, outcome) for file in documents)
        for file, document in documents.items():
            is_open = still_open.get(file) is document
            is_current = (
                is_open and document.source == texts[file]
            )  # else another run is on its way
            known = self.linted.get(document.uri)
            if half_typed and known is not None and known.text == texts[file]:
                continue  # what it says of the others is gone with the next key strokes
            if is_current:
                self._publish(file, document, outcome, lines)
        self._publish_manifest(root, outcome.findings, lines)

    def open_documents(self, root: Path) -> dict[Path, TextDocument]:
        """Return the open documents of an extension, by its root."""
        found: dict[Path, TextDocument] = {}
        for uri, document in self.workspace.text_documents.items():
            path = path_of(uri)
            if path is not None and path.suffix == ".py" and extension_of(path) == root:
                found[path] = document
        return found

    def close(self, uri: str) -> None:
        """Forget a document."""
        self.linted.pop(uri, None)
        self._diagnose(uri, None, [])

    def findings_at(self, uri: str, wanted: types.Range) -> list[Finding]:
        """Return the findings that touch a range; none if the document has changed since."""
        document = self.workspace.get_text_document(uri)
        known = self.linted.get(document.uri)
        if known is None or known.text != document.source:
            return []
        return [f for f in known.findings if _touch(self.range(document, f.span), wanted)]

    def range(self, document: TextDocument, span: Span) -> types.Range:
        """Return a span of a document in the units of the client."""
        return self._range(split_lines(document.source), span)

    def _range(self, lines: Sequence[str], span: Span) -> types.Range:
        start = types.Position(line=span.line - 1, character=span.column - 1)
        end = types.Position(line=span.end_line - 1, character=span.end_column - 1)
        return self.workspace.position_codec.range_to_client_units(
            lines, types.Range(start=start, end=end)
        )

    def edit(self, document: TextDocument, edits: Sequence[Edit]) -> types.WorkspaceEdit:
        """Return edits that an editor applies only to the text that they were made for."""
        changes = [
            types.TextEdit(range=self.range(document, edit.span), new_text=edit.replacement)
            for edit in edits
        ]
        identifier = types.OptionalVersionedTextDocumentIdentifier(
            uri=document.uri, version=document.version
        )
        whole = types.TextDocumentEdit(text_document=identifier, edits=list(changes))
        return types.WorkspaceEdit(document_changes=[whole])

    def _publish(self, file: Path, document: TextDocument, outcome: Outcome, lines: Lines) -> None:
        findings = tuple(
            finding
            for finding in outcome.findings
            if not finding.suppressed and Path(finding.path).absolute() == file
        )
        unread = [self._not_linted(document, why) for why in _notes_on(file, outcome)]
        known = self.linted.get(document.uri)
        if unread and known is not None:
            kept = _moved(known.shown, known.text, document.source)
            self._diagnose(document.uri, document.version, [*kept, *unread])
            return
        shown = tuple(self._diagnostic(document.uri, finding, lines) for finding in findings)
        self.linted[document.uri] = Linted(document.source, findings, shown)
        self._diagnose(document.uri, document.version, [*shown, *unread])

    def _not_linted(self, document: TextDocument, why: str) -> types.Diagnostic:
        """Return what says that a file has no findings because nobody could look for them."""
        named = _LINE.match(why)
        lines = split_lines(document.source)
        line = min(int(named[1]), len(lines)) if named else 1
        span = Span(line=line, column=1, end_line=line, end_column=len(lines[line - 1]) + 1)
        return types.Diagnostic(
            range=self.range(document, span),
            message=f"not linted: {why}",
            severity=types.DiagnosticSeverity.Information,
            source="fedcheck",
        )

    def _publish_manifest(self, root: Path, findings: Iterable[Finding], lines: Lines) -> None:
        """Tell what is found in an extension's manifest, which an editor does not open with it."""
        file = root / MANIFEST
        found = [it for it in findings if not it.suppressed and Path(it.path).absolute() == file]
        uri = from_fs_path(str(file))
        if uri is None or not (found or file in self._told_manifests):
            return
        self._told_manifests.add(file)
        self._diagnose(uri, None, [self._diagnostic(uri, finding, lines) for finding in found])

    def _diagnostic(self, uri: str, finding: Finding, lines: Lines) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(
                location=types.Location(
                    uri=from_fs_path(str(Path(step.path).absolute())) or uri,
                    range=self._range(lines.of(step.path), step.span),
                ),
                message=step.note,
            )
            for step in finding.chain
        ]
        text = lines.of(finding.path)
        return types.Diagnostic(
            range=self._range(text, _first_line(finding.span, text)),
            message=finding.text,
            severity=_SEVERITY[finding.severity],
            code=finding.code,
            source="fedcheck",
            related_information=related or None,
        )

    def _diagnose(
        self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]
    ) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=diagnostics)
        )

    def tell(self, error: Exception) -> None:
        """Say in the editor's log why something was not linted."""
        what = f"the document was not linted: {type(error).__name__}: {error}"
        message = f"fedcheck: {error if isinstance(error, FedcheckError) else what}"
        self.window_log_message(
            types.LogMessageParams(type=types.MessageType.Error, message=message)
        )


_LINE = re.compile(r"line (\d+): ")


def _notes_on(file: Path, outcome: Outcome) -> list[str]:
    """Return what was not linted of a file, and why."""
    name = f"{file.as_posix()}: "
    return [note.removeprefix(name) for note in outcome.notes if note.startswith(name)]


def _first_line(span: Span, lines: Sequence[str]) -> Span:
    """Return a span up to the end of its first line: a statement marked whole is hard to read."""
    if span.end_line == span.line or span.line > len(lines):
        return span
    end = len(lines[span.line - 1].rstrip()) + 1
    return Span(line=span.line, column=span.column, end_line=span.line, end_column=end)


def _moved(
    shown: Iterable[types.Diagnostic], before: str, after: str
) -> Iterator[types.Diagnostic]:
    """Yield what was found in an earlier text, where it stands now; not what was edited since."""
    old, new = split_lines(before), split_lines(after)
    same = _alike(zip(old, new, strict=False))
    rest = min(len(old), len(new)) - same
    tail = min(_alike(zip(reversed(old), reversed(new), strict=False)), rest)
    for it in shown:
        if it.range.end.line < same:
            yield it
        elif it.range.start.line >= len(old) - tail:
            lower = len(new) - len(old)
            start, end = (
                types.Position(at.line + lower, at.character)
                for at in (it.range.start, it.range.end)
            )
            moved = copy(it)
            moved.range = types.Range(start, end)
            yield moved


def _alike(pairs: Iterable[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _lint(path: Path, texts: Mapping[Path, str], trees: KeptTrees) -> Outcome:
    linter = linter_of(path, texts, trees)
    return linter.lint({file: encoded(text) for file, text in texts.items()})
