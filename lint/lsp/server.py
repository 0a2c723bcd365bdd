"""``fedcheck lsp``: findings while one types, rule pages on hover, fixes and ignores as actions.

Every open document counts as it stands in the editor; the rest of its extension is read from
disk, so that a helper in one file is judged by its callers in another.
"""

from __future__ import annotations

from lsprotocol import types

from ..engine.ignores.meta_rules import every_rule
from .actions import FIX_ALL, actions_for
from .session import WATCHING, Server, can_watch


def make_server(version: str) -> Server:
    """Return a server with everything that it answers."""
    server = Server(version)

    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.lint_soon(params.text_document.uri, pause=0)

    async def edited(params: types.DidChangeTextDocumentParams) -> None:
        server.lint_soon(params.text_document.uri, typed=True)

    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.lint_soon(params.text_document.uri)

    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)
        server.lint_soon(params.text_document.uri)  # its unsaved text no longer counts

    def hover(params: types.HoverParams) -> types.Hover | None:
        return _hover(server, params)

    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return actions_for(server, params)

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
        await server.warm_up()

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
