"""``fedcheck lsp``: findings while one types, rule pages on hover, fixes and ignores as actions.

Every open document counts as it stands in the editor; the rest of its extension is read from
disk, so that a helper in one file is judged by its callers in another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from ..invariants.errors import FedcheckError
from ..reports.lint.findings import Edit, Finding, Severity, Span
from ..reports.lint.shared import split_lines
from .discovery import is_extension_root
from .fixes.fixing import Fixer
from .ignores.adding_ignores import comment_edit, comment_lines
from .ignores.directives import directives
from .ignores.meta_rules import META_RULES, every_rule
from .linting import Linter, Outcome
from .model.source import SourceFile
from .options import Options
from .running import make_linter
from .settings import find_settings

PAUSE = 0.15
"""Seconds without a key stroke after which a document is linted."""

PLACEHOLDER = "TODO: why"
"""What an inserted ignore says until somebody writes the reason; it counts as none."""

FIX_ALL = "source.fixAll.fedcheck"

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
        self._waiting: dict[Path, asyncio.Task[None]] = {}
        self._busy = asyncio.Lock()

    def lint_soon(self, uri: str) -> None:
        """Lint the extension of a document once the user has paused."""
        path = _path_of(uri)
        if path is None:
            return
        root = _extension_of(path)
        earlier = self._waiting.get(root)
        if earlier is not None:
            earlier.cancel()
        self._waiting[root] = asyncio.ensure_future(self._lint_later(root, path))

    async def _lint_later(self, root: Path, path: Path) -> None:
        await asyncio.sleep(PAUSE)
        documents = self.open_documents(root)
        texts = {file: document.source for file, document in documents.items()}
        async with self._busy:
            try:
                outcome = await asyncio.to_thread(_lint, path, texts)
            except FedcheckError as error:
                self._tell(str(error))
                return
            except Exception as error:  # noqa: BLE001  the next key stroke must find a server
                self._tell(f"the document was not linted: {type(error).__name__}: {error}")
                return
        for file, document in documents.items():
            if document.source == texts[file]:  # else another run is on its way
                self._publish(file, document, outcome)

    def open_documents(self, root: Path) -> dict[Path, TextDocument]:
        """Return the open documents below a folder."""
        found: dict[Path, TextDocument] = {}
        for uri, document in self.workspace.text_documents.items():
            path = _path_of(uri)
            if path is not None and path.suffix == ".py" and root in path.parents:
                found[path] = document
        return found

    def close(self, uri: str) -> None:
        """Forget a document."""
        self.linted.pop(uri, None)
        self._diagnose(uri, None, [])

    def findings_at(self, uri: str, wanted: types.Range) -> list[Finding]:
        """Return the findings that touch a range; none if the document has changed since."""
        known = self.linted.get(uri)
        document = self.workspace.get_text_document(uri)
        if known is None or known.text != document.source:
            return []
        return [f for f in known.findings if _touch(self.range(document, f.span), wanted)]

    def range(self, document: TextDocument, span: Span) -> types.Range:
        """Return a span in the units of the client."""
        start = types.Position(line=span.line - 1, character=span.column - 1)
        end = types.Position(line=span.end_line - 1, character=span.end_column - 1)
        return self.workspace.position_codec.range_to_client_units(
            split_lines(document.source), types.Range(start=start, end=end)
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

    def _publish(self, file: Path, document: TextDocument, outcome: Outcome) -> None:
        findings = tuple(
            finding
            for finding in outcome.findings
            if not finding.suppressed and Path(finding.path).absolute() == file
        )
        self.linted[document.uri] = Linted(document.source, findings)
        diagnostics = [self._diagnostic(document, finding) for finding in findings]
        self._diagnose(document.uri, document.version, diagnostics)

    def _diagnostic(self, document: TextDocument, finding: Finding) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(
                location=types.Location(
                    uri=from_fs_path(str(Path(step.path).absolute())) or document.uri,
                    range=self.range(document, step.span),
                ),
                message=step.note,
            )
            for step in finding.chain
        ]
        return types.Diagnostic(
            range=self.range(document, finding.span),
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

    def _tell(self, message: str) -> None:
        self.window_log_message(
            types.LogMessageParams(type=types.MessageType.Error, message=f"fedcheck: {message}")
        )


def make_server(version: str) -> Server:
    """Return a server with everything that it answers."""
    server = Server(version)

    def changed(
        params: types.DidOpenTextDocumentParams
        | types.DidChangeTextDocumentParams
        | types.DidSaveTextDocumentParams,
    ) -> None:
        server.lint_soon(params.text_document.uri)

    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        changed(params)

    async def edited(params: types.DidChangeTextDocumentParams) -> None:
        changed(params)

    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        changed(params)

    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    def hover(params: types.HoverParams) -> types.Hover | None:
        return _hover(server, params)

    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return _actions(server, params)

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(edited)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(closed)
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)
    options = types.CodeActionOptions(code_action_kinds=kinds)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(actions)
    return server


def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    here = types.Range(start=params.position, end=params.position)
    found = server.findings_at(params.text_document.uri, here)
    pages = {rule.code: rule.markdown() for rule in every_rule()}
    texts = [pages[code] for code in dict.fromkeys(finding.code for finding in found)]
    if not texts:
        return None
    content = types.MarkupContent(kind=types.MarkupKind.Markdown, value="\n---\n\n".join(texts))
    return types.Hover(contents=content)


def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    uri = params.text_document.uri
    document = server.workspace.get_text_document(uri)
    if params.context.only and FIX_ALL in _wider(params.context.only):
        return _fix_all(server, document)
    found = server.findings_at(uri, params.range)
    fixes = [_fix(server, document, finding) for finding in found if finding.fix is not None]
    meta = {rule.code for rule in META_RULES}
    ignores = [_ignore(server, document, finding) for finding in found if finding.code not in meta]
    return fixes + ignores


def _wider(kinds: Sequence[types.CodeActionKind | str]) -> set[str]:
    """Return our kind if one of the kinds that a client wants is it, or above it."""
    names = [kind.value if isinstance(kind, types.CodeActionKind) else kind for kind in kinds]
    return {FIX_ALL for name in names if name and f"{FIX_ALL}.".startswith(f"{name}.")}


def _fix(server: Server, document: TextDocument, finding: Finding) -> types.CodeAction:
    assert finding.fix is not None  # noqa: S101  the caller has looked
    safe = finding.fix.safety == "safe"
    return types.CodeAction(
        title=f"{finding.code}: {finding.fix.title}{'' if safe else ' (look at it)'}",
        kind=types.CodeActionKind.QuickFix,
        is_preferred=safe,
        edit=server.edit(document, finding.fix.edits),
    )


def _ignore(server: Server, document: TextDocument, finding: Finding) -> types.CodeAction:
    text = document.source
    line = comment_lines(text).get(finding.span.line, finding.span.line)
    present = next(
        (d for d in directives(text) if d.span.line == line and not d.whole_file and not d.problem),
        None,
    )
    line_text = split_lines(text)[line - 1]
    edit = comment_edit(line_text, line, [finding.code], PLACEHOLDER, present)
    return types.CodeAction(
        title=f"{finding.code}: Ignore here; write the reason behind it",
        kind=types.CodeActionKind.QuickFix,
        edit=server.edit(document, [edit]),
    )


def _fix_all(server: Server, document: TextDocument) -> list[types.CodeAction]:
    path = _path_of(document.uri)
    if path is None:
        return []
    texts = {
        file: other.source for file, other in server.open_documents(_extension_of(path)).items()
    }
    overlay = {file: encoded(text) for file, text in texts.items()}
    linter = _linter(path, texts)
    fixed = Fixer(linter).fix(linter.lint(overlay), overlay)
    change = fixed.changes.get(path.as_posix())
    if change is None:
        return []
    lines = split_lines(document.source)
    whole = Span(line=1, column=1, end_line=len(lines), end_column=len(lines[-1]) + 1)
    new = SourceFile(path, str(path), change.after).text
    edit = server.edit(document, [Edit(span=whole, replacement=new)])
    return [types.CodeAction(title="fedcheck: Make all safe fixes", kind=FIX_ALL, edit=edit)]


def _lint(path: Path, texts: Mapping[Path, str]) -> Outcome:
    return _linter(path, texts).lint({file: encoded(text) for file, text in texts.items()})


def _linter(path: Path, texts: Mapping[Path, str]) -> Linter:
    """Return what lints the open documents, by the settings as they now are."""
    return make_linter(Options(paths=tuple(texts)), find_settings([path]))


def encoded(text: str) -> bytes:
    """Return an editor's text as the bytes that its encoding comment announces."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        return text.encode(SourceFile(Path(), "", data).encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return data


def _extension_of(path: Path) -> Path:
    """Return the root of the extension that a file belongs to, or its folder."""
    return next((folder for folder in path.parents if is_extension_root(folder)), path.parent)


def _path_of(uri: str) -> Path | None:
    """Return the file of a document; ``None`` for one that was never saved."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end
