"""A client of ``fedcheck lsp``, over standard input and output, as an editor is one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_FEDCHECK = Path(sys.executable).with_name("fedcheck")
_CAPABILITIES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True
        )
    )
)


class Editor:
    """A client with a folder, that remembers the diagnostics of each document."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.versions: dict[str, int] = {}
        self.watched: list[str] = []
        self.queue: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        self.told: list[str] = []

        def published(params: types.PublishDiagnosticsParams) -> None:
            self.told.append(params.uri)
            self.queue.put_nowait(params)

        def register(params: types.RegistrationParams) -> None:
            options: Any = params.registrations[0].register_options
            self.watched += [watcher["globPattern"] for watcher in options["watchers"]]

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
        client.feature(types.CLIENT_REGISTER_CAPABILITY)(register)

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str) -> None:
        item = types.TextDocumentItem(
            uri=self.uri(name), language_id="python", version=1, text=text
        )
        self.versions[name] = 1
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def type(self, name: str, text: str) -> None:
        self.versions[name] += 1
        document = types.VersionedTextDocumentIdentifier(
            uri=self.uri(name), version=self.versions[name]
        )
        change = types.TextDocumentContentChangeWholeDocument(text=text)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
        )

    async def diagnostics(self, name: str, version: int | None) -> list[types.Diagnostic]:
        """Wait for the diagnostics of this version of a document."""
        while True:
            published = await asyncio.wait_for(self.queue.get(), 60)
            if published.uri == self.uri(name) and published.version == version:
                return list(published.diagnostics)

    async def actions(
        self, name: str, found: types.Range, only: list[str] | None = None
    ) -> list[types.CodeAction]:
        answer = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                text_document=types.TextDocumentIdentifier(uri=self.uri(name)),
                range=found,
                context=types.CodeActionContext(diagnostics=[], only=only),
            )
        )
        return [action for action in answer or [] if isinstance(action, types.CodeAction)]


def applied(text: str, action: types.CodeAction) -> str:
    """Return a text with the edits of an action made, in UTF-16 units as the editor counts."""
    assert action.edit is not None
    (document,) = action.edit.document_changes or []
    lines = text.split("\n")
    starts = [
        sum(len(line.encode("utf-16-le")) // 2 + 1 for line in lines[:n]) for n in range(len(lines))
    ]
    units = text.encode("utf-16-le")
    for edit in sorted(
        document.edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True
    ):
        begin, end = (
            2 * (starts[p.line] + p.character) for p in (edit.range.start, edit.range.end)
        )
        units = units[:begin] + edit.new_text.encode("utf-16-le") + units[end:]
    return units.decode("utf-16-le")


def edit_with(
    root: Path,
    session: Callable[[Editor], Awaitable[Any]],
    command: Sequence[str] = (str(_FEDCHECK),),
) -> Any:
    """Start the server by this command, hold a session with it, and stop it."""

    async def main() -> Any:
        client = LanguageClient("test-editor", "1")
        await client.start_io(*command, "lsp", "--stdio", cwd=root)
        editor = Editor(client, root)
        try:
            await client.initialize_async(
                types.InitializeParams(capabilities=_CAPABILITIES, root_uri=root.as_uri())
            )
            client.initialized(types.InitializedParams())
            result = await session(editor)
            await client.shutdown_async(None)
            client.exit(None)
            return result
        finally:
            await client.stop()

    return asyncio.run(asyncio.wait_for(main(), 120))
