"""``fedcheck lsp``, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_FEDCHECK = Path(sys.executable).with_name("fedcheck")
_APP = """\
from imperal_sdk import Extension, ChatExtension
from helpers import load

ext = Extension("notes")
chat = ChatExtension(ext, tool_name="notes")


@chat.function("read", description="Reads the notes of the user")
async def read(ctx, params):
    return await load(ctx)
"""
_HELPER = """\
async def load(ctx):
    return await ctx.skeleton.get("notes")
"""
_USER = """\
async def load(ctx):
    mood = "\U0001f600"; return "\U0001f600", ctx.user.id
"""


class Editor:
    """A client with a folder, that remembers the diagnostics of each document."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.versions: dict[str, int] = {}
        self.queue: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        def published(params: types.PublishDiagnosticsParams) -> None:
            self.queue.put_nowait(params)

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

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

    async def diagnostics(self, name: str, version: int) -> list[types.Diagnostic]:
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


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    """An extension of two files on disk."""
    (tmp_path / "main.py").write_text(_APP)
    (tmp_path / "helpers.py").write_text("async def load(ctx):\n    return 1\n")
    return tmp_path


def edit_with(root: Path, session: Callable[[Editor], Awaitable[Any]]) -> Any:
    """Start the server, hold a session with it, and stop it."""

    async def main() -> Any:
        client = LanguageClient("test-editor", "1")
        await client.start_io(str(_FEDCHECK), "lsp", "--stdio", cwd=root)
        editor = Editor(client, root)
        try:
            await client.initialize_async(
                types.InitializeParams(
                    capabilities=types.ClientCapabilities(), root_uri=root.as_uri()
                )
            )
            client.initialized(types.InitializedParams())
            result = await session(editor)
            await client.shutdown_async(None)
            client.exit(None)
            return result
        finally:
            await client.stop()

    return asyncio.run(asyncio.wait_for(main(), 120))


def test_findings_come_while_one_types(extension: Path) -> None:
    """One unsaved file is judged by its callers on disk; the finding goes when it is mended."""

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("helpers.py", "async def load(ctx):\n    return 1\n")
        before = await editor.diagnostics("helpers.py", 1)
        editor.type("helpers.py", _HELPER)
        broken = await editor.diagnostics("helpers.py", 2)
        editor.type("helpers.py", "async def load(ctx):\n    return ctx.\n")
        typing = await editor.diagnostics("helpers.py", 3)
        editor.type("helpers.py", "async def load(ctx):\n    return 1\n")
        return before, broken, typing, await editor.diagnostics("helpers.py", 4)

    before, (found,), (typing,), after = edit_with(extension, session)

    assert ([], []) == (before, after)
    assert "not linted: line 2: invalid syntax; it was not linted" == typing.message
    assert (1, types.DiagnosticSeverity.Information) == (typing.range.start.line, typing.severity)
    assert ("FED201", "fedcheck") == (found.code, found.source)
    assert types.DiagnosticSeverity.Error == found.severity
    assert (1, 17) == (found.range.start.line, found.range.start.character)
    assert [("main.py", 8), ("main.py", 9)] == [
        (x.location.uri.rpartition("/")[2], x.location.range.start.line)
        for x in found.related_information
    ]


def test_a_change_in_one_open_file_reaches_the_other(extension: Path) -> None:
    """The caller becomes a skeleton handler in the editor, and the finding is gone."""

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("helpers.py", _HELPER)
        found = await editor.diagnostics("helpers.py", 1)
        editor.open("main.py", _APP)
        await editor.diagnostics("main.py", 1)
        handler = _APP.partition("@chat")[0] + (
            '@ext.skeleton("notes")\nasync def read(ctx):\n    return await load(ctx)\n'
        )
        editor.type("main.py", handler)
        return found, await editor.diagnostics("helpers.py", 1)

    found, left = edit_with(extension, session)

    assert (1, 0) == (len(found), len(left))


def test_hover_fix_and_ignore(extension: Path) -> None:
    """Behind a character of two UTF-16 units; each edit hits what it should."""

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("helpers.py", _USER)
        (found,) = await editor.diagnostics("helpers.py", 1)
        page = await editor.client.text_document_hover_async(
            types.HoverParams(
                text_document=types.TextDocumentIdentifier(uri=editor.uri("helpers.py")),
                position=found.range.start,
            )
        )
        nothing = await editor.client.text_document_hover_async(
            types.HoverParams(
                text_document=types.TextDocumentIdentifier(uri=editor.uri("helpers.py")),
                position=types.Position(line=0, character=0),
            )
        )
        actions = await editor.actions("helpers.py", found.range)
        everything = await editor.actions("helpers.py", found.range, ["source.fixAll"])
        editor.type("helpers.py", applied(_USER, actions[1]))
        ignored = await editor.diagnostics("helpers.py", 2)
        return found, page, nothing, actions, everything, ignored

    found, page, nothing, (fix, ignore), (everything,), ignored = edit_with(extension, session)

    assert "ctx.user.id" == _USER.splitlines()[1].encode("utf-16-le")[
        2 * found.range.start.character : 2 * found.range.end.character
    ].decode("utf-16-le")
    assert "## Why is this bad?" in page.contents.value
    assert nothing is None
    mended = _USER.replace("ctx.user.id", "ctx.user.imperal_id")
    assert mended == applied(_USER, fix)
    assert mended == applied(_USER, everything)
    assert fix.is_preferred
    assert applied(_USER, ignore).endswith(f"  # fedcheck: ignore[{found.code}] TODO: why\n")
    assert ["FED002"] == [diagnostic.code for diagnostic in ignored]


def test_a_loose_file_above_changes_nothing(extension: Path) -> None:
    """Extensions keep their own settings, whatever else is open in a folder above."""
    root = extension / "ext"
    root.mkdir()
    (root / "main.py").write_text(_APP)
    (root / "fedcheck.toml").write_text('[lint]\nignore = ["FED201"]\n')
    (extension / "main.py").unlink()

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("ext/helpers.py", _HELPER)
        found = await editor.diagnostics("ext/helpers.py", 1)
        editor.open("loose.py", "x = 1\n")
        await editor.diagnostics("loose.py", 1)
        return found, editor.queue.qsize()

    assert ([], 0) == edit_with(extension, session)


def test_a_closed_file_counts_as_on_disk(extension: Path) -> None:
    """What was not saved is forgotten; the others are linted again."""

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("main.py", _APP)
        editor.open("helpers.py", _HELPER)
        (found,) = await editor.diagnostics("helpers.py", 1)
        (extension / "main.py").write_text(_APP.replace("await load(ctx)", "1"))
        item = types.TextDocumentIdentifier(uri=editor.uri("main.py"))
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=item))
        return found, await editor.diagnostics("helpers.py", 1)

    found, left = edit_with(extension, session)

    assert ("FED201", []) == (found.code, left)


def test_only_the_wanted_actions_are_given(extension: Path) -> None:
    """Who asks for imports to be sorted gets no fix of ours, and who asks for both gets both."""
    kinds = [["source.organizeImports"], ["quickfix"], ["source"], ["quickfix", "source.fixAll"]]

    async def session(editor: Editor) -> list[list[str]]:
        editor.open("helpers.py", _USER)
        (found,) = await editor.diagnostics("helpers.py", 1)
        answers = [await editor.actions("helpers.py", found.range, only) for only in kinds]
        return [sorted({str(action.kind) for action in answer}) for answer in answers]

    quick, every = "quickfix", "source.fixAll.fedcheck"
    assert [[], [quick], [every], [quick, every]] == edit_with(extension, session)


def test_a_byte_order_mark_stays(extension: Path) -> None:
    """Some editors leave it in the text; it is neither doubled nor lost."""
    text = "\ufeff" + _USER

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("helpers.py", text)
        found = await editor.diagnostics("helpers.py", 1)
        return found, await editor.actions("helpers.py", found[0].range, ["source.fixAll"])

    (found,), (everything,) = edit_with(extension, session)

    assert "FED105" == found.code
    assert text.replace("ctx.user.id", "ctx.user.imperal_id") == applied(text, everything)


def test_it_ends_when_it_is_told_to(extension: Path) -> None:
    """With exit code 0, and nothing on standard error."""
    bodies = [
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}',
        b'{"jsonrpc":"2.0","method":"initialized","params":{}}',
        b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
        b'{"jsonrpc":"2.0","method":"exit"}',
    ]
    told = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)

    done = subprocess.run(
        [_FEDCHECK, "lsp"], input=told, cwd=extension, capture_output=True, check=False, timeout=60
    )

    assert (0, b"") == (done.returncode, done.stderr)


def test_wrong_settings_do_not_stop_the_server(extension: Path) -> None:
    """The editor is told, and the server works again when they are mended."""

    async def session(editor: Editor) -> tuple[Any, ...]:
        told: asyncio.Queue[types.LogMessageParams] = asyncio.Queue()

        def logged(params: types.LogMessageParams) -> None:
            told.put_nowait(params)

        editor.client.feature(types.WINDOW_LOG_MESSAGE)(logged)
        settings = extension / "fedcheck.toml"
        settings.write_text("[lint]\ncolour = 1\n")
        editor.open("helpers.py", _HELPER)
        message = await asyncio.wait_for(told.get(), 60)
        everywhere = types.Range(start=types.Position(0, 0), end=types.Position(9, 0))
        assert [] == await editor.actions("helpers.py", everywhere, ["source.fixAll"])
        settings.write_text("[lint]\n")
        editor.type("helpers.py", _HELPER + "\n")
        return message.message, await editor.diagnostics("helpers.py", 2)

    message, found = edit_with(extension, session)

    assert "lint has no setting 'colour'" in message
    assert 1 == len(found)


def test_a_missing_extra_is_named() -> None:
    """With the command that installs it."""
    code = (
        "import sys; sys.modules['pygls'] = None; sys.argv = ['fedcheck', 'lsp'];"
        "from fedcheck.__main__ import main; main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )

    assert 2 == done.returncode
    assert "pip install 'fedcheck[lsp]'" in done.stderr
