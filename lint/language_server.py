"""``fedcheck lsp``: findings while one types, rule pages on hover, fixes and ignores as actions.

Every open document counts as it stands in the editor; the rest of its extension is read from
disk, so that a helper in one file is judged by its callers in another.
"""

from __future__ import annotations

import asyncio
import re
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
from .editor_files import WATCHING, can_watch
from .editor_texts import BOM, Lines, encoded
from .files.source import SourceFile
from .files.walking import is_extension_root
from .fixes.adding_ignores import comment_edit, comment_lines
from .fixes.fixing import Change, Fixer
from .ignores.directives import directives
from .ignores.meta_rules import META_RULES, every_rule
from .linting import Linter, Outcome
from .options import Options
from .running import make_linter
from .settings import find_settings

PAUSE = 0.15
"""Seconds without a key stroke after which a document is linted."""

PLACEHOLDER = "TODO: why"
"""What an inserted ignore says until somebody writes the reason; it counts as none."""

FIX_ALL = "source.fixAll.fedcheck"
_QUICK_FIX = types.CodeActionKind.QuickFix.value

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
        async with self._busy:
            del self._waiting[root]  # a run that has begun is not cancelled: its thread goes on
            documents = self.open_documents(root)
            texts = {file: document.source for file, document in documents.items()}
            if not texts:
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

    def open_documents(self, root: Path) -> dict[Path, TextDocument]:
        """Return the open documents of an extension, by its root."""
        found: dict[Path, TextDocument] = {}
        for uri, document in self.workspace.text_documents.items():
            path = _path_of(uri)
            if path is not None and path.suffix == ".py" and _extension_of(path) == root:
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
        diagnostics = [self._diagnostic(document, finding, lines) for finding in findings]
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

    def _diagnostic(
        self, document: TextDocument, finding: Finding, lines: Lines
    ) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(
                location=types.Location(
                    uri=from_fs_path(str(Path(step.path).absolute())) or document.uri,
                    range=self._range(lines.of(step.path), step.span),
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

    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)
        server.lint_soon(params.text_document.uri)  # its unsaved text no longer counts

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
    _watch_disk(server)
    return server


def _watch_disk(server: Server) -> None:
    """Lint again when settings, or code that is not open, have changed on disk."""

    async def disk_changed(_params: types.DidChangeWatchedFilesParams) -> None:
        for document in list(server.workspace.text_documents.values()):
            server.lint_soon(document.uri)

    async def initialized(_params: types.InitializedParams) -> None:
        if can_watch(server.client_capabilities):
            await server.client_register_capability_async(WATCHING)

    server.feature(types.INITIALIZED)(initialized)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(disk_changed)


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
    document = server.workspace.get_text_document(params.text_document.uri)
    wanted = _wanted(params.context.only)
    actions = _quick_fixes(server, document, params.range) if _QUICK_FIX in wanted else []
    return actions + (_fix_all(server, document) if FIX_ALL in wanted else [])


def _quick_fixes(
    server: Server, document: TextDocument, place: types.Range
) -> list[types.CodeAction]:
    found = server.findings_at(document.uri, place)
    fixes = [_fix(server, document, finding) for finding in found if finding.fix is not None]
    meta = {rule.code for rule in META_RULES}
    hidden = {(it.code, it.span.line): it for it in found if it.code not in meta}
    return fixes + [_ignore(server, document, finding) for finding in hidden.values()]


def _wanted(kinds: Sequence[types.CodeActionKind | str] | None) -> set[str]:
    """Return those of our kinds that a client wants: it names them, or kinds above them."""
    if not kinds:
        return {_QUICK_FIX}
    names = [kind.value if isinstance(kind, types.CodeActionKind) else kind for kind in kinds]
    ours = (_QUICK_FIX, FIX_ALL)
    return {own for own in ours for name in names if not name or f"{own}.".startswith(f"{name}.")}


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
    try:
        change = _all_fixed(server, path)
    except Exception as error:  # noqa: BLE001  an editor asks on each save; its log is the place
        server.tell(error)
        return []
    if change is None:
        return []
    lines = split_lines(document.source)
    whole = Span(line=1, column=1, end_line=len(lines), end_column=len(lines[-1]) + 1)
    mark = BOM if document.source.startswith(BOM) else ""
    new = mark + SourceFile(path, str(path), change.after).text
    edit = server.edit(document, [Edit(span=whole, replacement=new)])
    return [types.CodeAction(title="fedcheck: Make all safe fixes", kind=FIX_ALL, edit=edit)]


def _all_fixed(server: Server, path: Path) -> Change | None:
    texts = {
        file: other.source for file, other in server.open_documents(_extension_of(path)).items()
    }
    overlay = {file: encoded(text) for file, text in texts.items()}
    linter = _linter(path, texts)
    return Fixer(linter).fix(linter.lint(overlay), overlay).changes.get(path.as_posix())


def _lint(path: Path, texts: Mapping[Path, str]) -> Outcome:
    return _linter(path, texts).lint({file: encoded(text) for file, text in texts.items()})


def _linter(path: Path, texts: Mapping[Path, str]) -> Linter:
    """Return what lints the open documents, by the settings as they now are."""
    return make_linter(Options(paths=tuple(texts)), find_settings([path]))


def _extension_of(path: Path) -> Path:
    """Return the root of the extension that a file belongs to, or its folder."""
    return next((folder for folder in path.parents if is_extension_root(folder)), path.parent)


def _path_of(uri: str) -> Path | None:
    """Return the file of a document; ``None`` for one that was never saved."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end
