"""The server behind ``fedcheck lsp``: lints open documents and tells what is found."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path
from pygls.workspace import TextDocument

from ..invariants.vocabulary.errors import FedcheckError
from ..reports.lint.findings import Edit, Finding, Severity, Span
from ..reports.lint.shared import split_lines
from .editor_linting import extension_of, linter_of, path_of
from .editor_texts import Lines, encoded
from .files.walking import MANIFEST
from .linting import Outcome

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
    """

    text: str
    findings: tuple[Finding, ...]


class Server(LanguageServer):
    """Lints the open documents."""

    def __init__(self, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  its *args have no types
            "fedcheck", version, types.TextDocumentSyncKind.Full
        )
        self.linted: dict[str, Linted] = {}
        self._told_manifests: set[Path] = set()
        self._waiting: dict[Path, asyncio.Task[None]] = {}
        self._busy = asyncio.Lock()

    def lint_soon(self, uri: str) -> None:
        """Lint the extension of a document once the user has paused."""
        path = path_of(uri)
        if path is None:
            return
        root = extension_of(path)
        earlier = self._waiting.get(root)
        if earlier is not None:
            earlier.cancel()
        self._waiting[root] = asyncio.ensure_future(self._lint_later(root, path))

    async def _lint_later(self, root: Path, path: Path) -> None:
        await asyncio.sleep(PAUSE)
        async with self._busy:
            del self._waiting[root]  # a run that has begun is not cancelled: its thread goes on
            documents = self.open_documents(root)
            texts = {file: document.source for file, document in documents.items()}
            if not texts:
                self._publish_manifest(root, (), Lines(texts))
                return
            try:
                outcome = await asyncio.to_thread(_lint, path, texts)
            except Exception as error:  # noqa: BLE001  the next key stroke must find a server
                self.tell(error)
                return
        lines = Lines(texts)
        still_open = self.open_documents(root)
        for file, document in documents.items():
            is_open = still_open.get(file) is document
            if is_open and document.source == texts[file]:  # else another run is on its way
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
        self.linted[document.uri] = Linted(document.source, findings)
        diagnostics = [self._diagnostic(document.uri, finding, lines) for finding in findings]
        diagnostics += [self._not_linted(document, why) for why in _notes_on(file, outcome)]
        self._diagnose(document.uri, document.version, diagnostics)

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
        return types.Diagnostic(
            range=self._range(lines.of(finding.path), finding.span),
            message=finding.message,
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


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _lint(path: Path, texts: Mapping[Path, str]) -> Outcome:
    return linter_of(path, texts).lint({file: encoded(text) for file, text in texts.items()})
