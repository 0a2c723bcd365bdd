"""``fedcheck lsp``, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from lsprotocol import types

from .editor_client import Editor, applied, edit_with

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


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    """An extension of two files on disk."""
    (tmp_path / "main.py").write_text(_APP)
    (tmp_path / "helpers.py").write_text("async def load(ctx):\n    return 1\n")
    return tmp_path


def test_one_comment_is_offered_for_all_that_it_hides(extension: Path) -> None:
    """Two findings of one rule on a line: each has its fix, both have one comment."""

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("helpers.py", _USER.replace("ctx.user.id", "ctx.user.id, ctx.user.id"))
        found = await editor.diagnostics("helpers.py", 1)
        whole = types.Range(start=found[0].range.start, end=found[1].range.end)
        return found, await editor.actions("helpers.py", whole)

    found, actions = edit_with(extension, session)

    titles = [action.title for action in actions]
    ignore = "FED105: Ignore here; write the reason behind it"
    assert (2, ["FED105: Use imperal_id"] * 2 + [ignore]) == (len(found), titles)


def test_findings_in_the_manifest_come_with_the_code(extension: Path) -> None:
    """It is told beside the code that is open, and the finding goes when it is mended."""
    manifest = extension / "imperal.json"
    text = '{\n  "app_id": "notes",\n  "sdk_version": "1.0.0"\n}\n'
    manifest.write_text(text)

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("helpers.py", "async def load(ctx):\n    return 1\n")
        broken = await editor.diagnostics("imperal.json", None)
        manifest.write_text(text.replace("1.0.0", "6.3.7"))
        editor.type("helpers.py", "async def load(ctx):\n    return 2\n")
        return broken, await editor.diagnostics("imperal.json", None)

    broken, after = edit_with(extension, session)

    ((code, line),) = {(it.code, it.range.start.line) for it in broken if it.code == "FED504"}
    assert ("FED504", 2) == (code, line)
    assert "FED504" not in {it.code for it in after}


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
    assert "not linted: line 2: invalid syntax" == typing.message
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


def test_findings_stay_while_a_line_is_half_typed(extension: Path) -> None:
    """They move with their lines; those of the line itself, and of no other file, are gone."""
    two = _HELPER + "\n\nasync def other(ctx):\n    return await load(ctx)\n"

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("main.py", _APP.replace("tool_name=", "no_such="))
        await editor.diagnostics("main.py", 1)
        editor.open("helpers.py", two)
        first = await editor.diagnostics("helpers.py", 1)
        editor.told.clear()
        editor.type("helpers.py", "import (\n\n" + two)
        above = await editor.diagnostics("helpers.py", 2)
        editor.type("helpers.py", two + "x = (\n")
        below = await editor.diagnostics("helpers.py", 3)
        editor.type("helpers.py", two.replace('"notes")', '"notes"'))
        inside = await editor.diagnostics("helpers.py", 4)
        return first, above, below, inside, editor.told.count(editor.uri("main.py"))

    first, above, below, inside, others = edit_with(extension, session)

    assert [("FED201", 1)] == _places(first)
    assert [("FED201", 3), (None, 0)] == _places(above)
    assert [("FED201", 1), (None, 6)] == _places(below)
    assert [None] == [found.code for found in inside]
    assert 0 == others


def _places(diagnostics: list[types.Diagnostic]) -> list[tuple[Any, int]]:
    return [(found.code, found.range.start.line) for found in diagnostics]


def test_a_statement_is_marked_in_its_first_line(extension: Path) -> None:
    """A finding about a call of four lines marks one of them, up to its end."""
    text = _APP.replace('Extension("notes")', 'Extension(  # ours\n    "notes",\n    "1.0",\n)')

    async def session(editor: Editor) -> list[types.Diagnostic]:
        editor.open("main.py", text)
        return await editor.diagnostics("main.py", 1)

    found = {it.code: it.range for it in edit_with(extension, session)}

    place = found["FED505"]
    assert (3, 6, 3, 24) == (
        place.start.line,
        place.start.character,
        place.end.line,
        place.end.character,
    )


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


@pytest.mark.parametrize("name", ["two words", "c\u00f4t\u00e9", "100%"])
def test_names_that_a_uri_escapes_are_linted(extension: Path, name: str) -> None:
    """A space, a letter beyond ASCII; some editors escape the colon of each drive."""
    root = extension / name
    root.mkdir()
    (root / "main.py").write_text(_APP)

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open(f"{name}/helpers.py", _USER)
        (found,) = await editor.diagnostics(f"{name}/helpers.py", 1)
        return found.code, await editor.actions(f"{name}/helpers.py", found.range)

    code, (fix, _) = edit_with(extension, session)

    assert "FED105" == code
    assert _USER.replace("ctx.user.id", "ctx.user.imperal_id") == applied(_USER, fix)


def test_line_ends_of_windows_stay(extension: Path) -> None:
    """In fixes and ignores, also below what other programs take for the end of a line."""
    text = "x = '\u2028 \x85 \x1c'\r\n\f\r\n" + _USER.replace("\n", "\r\n")

    async def session(editor: Editor) -> list[types.CodeAction]:
        editor.open("helpers.py", text)
        (found,) = await editor.diagnostics("helpers.py", 1)
        everything = await editor.actions("helpers.py", found.range, ["source.fixAll"])
        return [*await editor.actions("helpers.py", found.range), *everything]

    fix, ignore, everything = edit_with(extension, session)

    mended = text.replace("ctx.user.id", "ctx.user.imperal_id")
    assert [mended, mended] == [applied(text, fix), applied(text, everything)]
    comment = "  # fedcheck: ignore[FED105] TODO: why\r\n"
    assert text.removesuffix("\r\n") + comment == applied(text, ignore)


def test_changes_on_disk_reach_open_files(extension: Path) -> None:
    """The client is asked to watch settings and code, and told anew when one has changed."""

    async def session(editor: Editor) -> tuple[Any, ...]:
        editor.open("helpers.py", _HELPER)
        (found,) = await editor.diagnostics("helpers.py", 1)
        settings = extension / "fedcheck.toml"
        settings.write_text("[lint]\nignore = ['FED201']\n")
        event = types.FileEvent(uri=settings.as_uri(), type=types.FileChangeType.Created)
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams(changes=[event])
        )
        return editor.watched, found.code, await editor.diagnostics("helpers.py", 1)

    watched, code, left = edit_with(extension, session)

    assert {"**/*.py", "**/fedcheck.toml", "**/requirements.txt"} <= set(watched)
    assert ("FED201", []) == (code, left)


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
