"""Files that no parser likes end in a note or a finding, never in a traceback."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.inference.syntax import memo as clock
from fedcheck.lint.inference.syntax import parsing
from fedcheck.lint.sdk.releases import versions

Check = Callable[..., CheckResult]

HEAD = (
    "from imperal_sdk import Extension\n"
    "ext = Extension('notes', capabilities=['a:b'], display_name='Notes', icon='icon.svg', "
    "description='Keeps the notes of the user and finds them again')\n"
)
BREACH = HEAD + "@ext.panel('p')\nasync def p(ctx):\n    return ctx.skeleton_data\n"
LINE = 5


def test_an_extension_in_utf_16_is_a_note(check_files: Check) -> None:
    """No trigger shows in its text; it is not taken for a tree without the SDK."""
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        bom = b"" if encoding == "utf-16" else "\ufeff".encode(encoding)
        (note,) = check_files({"main.py": bom + BREACH.encode(encoding)}).notes
        assert "main.py: it is not utf-8" in note


def _lines(result: CheckResult) -> list[int]:
    return [item.span.line for item in result.findings if item.code == "FED103"]


@pytest.mark.parametrize(
    "text",
    [
        "print 'Python 2', ctx\n",
        "def f(:\n  ctx.skeleton\n",
        "match = 1\x00ctx.skeleton\n",
        "# -*- coding: no-such-codec -*-\nctx.skeleton\n",
        b"# coding: latin-1\n" + b"\xef\xbb\xbfctx.skeleton\n",
        b"ctx.skeleton = '\xff\xfe'\n",
        "\ufeff# coding: cp1251\nctx.skeleton\n",
        "ctx.skeleton[" * 3000,
        "f'{ctx.skeleton!x}'\n",
        "ctx.skeleton\n".encode("utf-16"),
        "ctx.skeleton\n".encode("utf-16-be"),
    ],
    ids=[
        "py2",
        "syntax",
        "nul",
        "codec",
        "late bom",
        "bytes",
        "bom and cookie",
        "brackets",
        "fstring",
        "utf-16",
        "utf-16 without bom",
    ],
)
def test_an_unreadable_file_is_a_note(check_files: Check, text: str | bytes) -> None:
    """The note names the file, and the other files are linted."""
    data = (text.encode() if isinstance(text, str) else text) + b"\nimport os\n"
    result = check_files({"main.py": BREACH + "import broken\n", "broken.py": data})
    assert [LINE] == _lines(result)
    assert ["broken.py"] == [Path(note.split(": ")[0]).name for note in result.notes]


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (BREACH.replace("\n", "\r\n").encode(), LINE, 12),
        (BREACH.replace("\n", "\r").encode(), LINE, 12),
        (b"\xef\xbb\xbf" + BREACH.encode(), LINE, 12),
        (("# coding: cp1251\ns = 'Ж'\n" + BREACH).encode("cp1251"), LINE + 2, 12),
        (("x = 1\n\x0c\n" + BREACH).encode(), LINE + 2, 12),
        (BREACH.replace("return ctx", "x = 'Жы🙂'; return ctx").encode(), LINE, 23),
        (BREACH.replace("ctx.skeleton_data", "ctx . \\\n  skeleton_data").encode(), LINE, 12),
        (BREACH.replace("skeleton_data", "ｓkeleton_data").encode(), LINE, 12),
        (BREACH.rstrip("\n").encode(), LINE, 12),
    ],
    ids=["crlf", "cr", "bom", "cp1251", "form feed", "wide", "backslash", "nfkc", "no newline"],
)
def test_layout_and_encoding_do_not_move_a_finding(
    check_files: Check, data: bytes, line: int, column: int
) -> None:
    """Lines and columns count characters of the file as people see it."""
    result = check_files({"main.py": data})
    assert () == result.notes
    found = [item.span for item in result.findings if item.code == "FED103"]
    assert [(line, column)] == [(span.line, span.column) for span in found]


def test_a_deep_expression_is_read(check_files: Check) -> None:
    """20,000 terms overflow the default stack; the breach beside them is found.

    Where Python itself refuses so many, whatever the limit (3.12, 3.13), a note names the file.
    """
    text = BREACH + "x = " + "+".join(["1"] * 20_000) + "\n"
    result = check_files({"main.py": text}, exhaustive=True)
    if sys.version_info[:2] in {(3, 12), (3, 13)}:
        assert [True] == ["main.py" in note for note in result.notes]
    else:
        assert [LINE] == _lines(result)


def test_a_deep_chain_of_attributes_is_no_traceback(check_files: Check) -> None:
    """A chain of 5,000 attributes on the context costs at most a note."""
    text = BREACH + "y = lambda ctx: ctx" + ".skeleton_data" * 5_000 + "\n"
    result = check_files({"main.py": text}, exhaustive=True)
    assert LINE in _lines(result) or result.notes


def test_ten_megabytes_are_read(check_files: Check) -> None:
    """A large file is linted like others."""
    filler = "VALUES = [\n" + "    'x' * 10,\n" * 700_000 + "]\n"
    result = check_files({"main.py": BREACH, "data.py": filler})
    assert [LINE] == _lines(result)
    assert 2 == len(result.files)


def test_thousands_of_functions_share_a_name(check_files: Check) -> None:
    """Each declares it nonlocal; no rule runs out of its time."""
    text = BREACH.replace("    return", "    life = 60\n    return")
    text += "".join(
        f"    def f{i}():\n        nonlocal life\n        life = {i}\n" for i in range(3000)
    )
    text += "    await ctx.cache.set('k', life, ttl_seconds=life)\n"
    result = check_files({"main.py": text})
    assert () == result.notes
    assert "FED303" in {item.code for item in result.findings}


@pytest.mark.parametrize("annotation", ["", " -> ActionResult"])
def test_functions_that_call_each_other_in_many_circles(
    check_files: Check, annotation: str
) -> None:
    """Each of sixty hands the context to three others; no rule runs out of its time."""
    count = 60
    text = "from imperal_sdk import ActionResult, Extension\n\next = Extension('n')\n"
    for i in range(count):
        after = [f"f{(i + step) % count}(ctx)" for step in (1, 2, 3)]
        text += f"\n\nasync def f{i}(ctx){annotation}:\n"
        text += f"    if ctx.user:\n        return await {after[0]}\n    r = await {after[1]}\n"
        text += f"    if r:\n        return {after[2]}\n    return ctx.user.id\n"
    text += "\n\n@ext.panel('p')\nasync def p(ctx):\n    return await f0(ctx)\n"
    result = check_files({"main.py": text})
    assert () == result.notes
    assert count == sum(item.code == "FED105" for item in result.findings)


def test_links_in_circles_end(tmp_path: Path) -> None:
    """A folder that links to itself is walked once."""
    (tmp_path / "main.py").write_text(BREACH)
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    result = check([tmp_path], Target(sdk=versions()[-1]))
    assert [LINE] == _lines(result)
    assert ["gone.py"] == [Path(note.split(": ")[0]).name for note in result.notes]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_forbidden_file_is_a_note(tmp_path: Path) -> None:
    """What cannot be read is named."""
    (tmp_path / "main.py").write_text(BREACH)
    (tmp_path / "main.py").chmod(0)
    assert 1 == len(check([tmp_path], Target(sdk=versions()[-1])).notes)


def test_a_file_that_does_not_exist_is_a_note(tmp_path: Path) -> None:
    """A misspelt path is not silently fine."""
    result = check([tmp_path / "mian.py"], Target(sdk=versions()[-1]))
    assert 1 == len(result.notes)


def test_time_over_is_a_note(check_files: Check) -> None:
    """Each file has its limit; the note says which rule needed more."""
    result = check_files({"main.py": BREACH}, seconds_per_file=0.0)
    assert not result.findings
    assert any("took longer than 0 s" in note for note in result.notes)


def test_a_busy_machine_stops_nothing(monkeypatch: pytest.MonkeyPatch, check_files: Check) -> None:
    """What counts is how long a file is computed on, not how long the others are."""
    now = itertools.count(0.0, 100.0)
    monkeypatch.setattr(clock.time, "monotonic", lambda: next(now))
    result = check_files({"main.py": BREACH}, seconds_per_file=60.0)
    assert (["FED103"], ()) == ([found.code for found in result.findings], result.notes)


def test_new_syntax_is_named(monkeypatch: pytest.MonkeyPatch, check_files: Check) -> None:
    """Syntax that this interpreter does not read yet is a note with the line."""

    def fail(_: object) -> object:
        error = SyntaxError("invalid syntax")
        error.lineno = 7
        raise error

    monkeypatch.setattr(parsing, "_parse_tree", fail)
    assert ["line 7: invalid syntax"] == [
        note.split(": ", 1)[1] for note in check_files({"main.py": BREACH}).notes
    ]


def test_the_editor_has_the_last_word(tmp_path: Path) -> None:
    """Unsaved text replaces the file's, also for a file that is not on disk yet."""
    main = tmp_path / "main.py"
    main.write_text(BREACH)
    target = Target(sdk=versions()[-1])
    assert [] == _lines(check([main], target, overlay={main: HEAD.encode()}))
    new = tmp_path / "new.py"
    assert [LINE] == _lines(check([new], target, overlay={new: BREACH.encode()}))


def test_one_file_sees_its_neighbours(tmp_path: Path) -> None:
    """Linting one file follows the calls from the extension's other files, and reports only it."""
    helper = "async def read(ctx):\n    return await ctx.skeleton.get('n')\n"
    (tmp_path / "main.py").write_text(
        HEAD + "import helper\n@ext.panel('p')\nasync def p(ctx):\n    ctx.skeleton_data\n"
        "    return await helper.read(ctx)\n"
    )
    (tmp_path / "helper.py").write_text(helper)
    result = check([tmp_path / "helper.py"], Target(sdk=versions()[-1]))
    assert [("FED201", "helper.py")] == [
        (item.code, Path(item.path).name) for item in result.findings
    ]


_ODD = """
@ext.skeleton("n", ttl={0})
async def n(ctx):
    return {{"response": {{{0}: 1, "a": {0}, "b": [{0}]}}}}


@ext.schedule("s", cron={0})
async def s(ctx):
    await ctx.cache.set({0}, {{{0}: 1}}, ttl_seconds={0})
    await ctx.store.set("k", {{{0}: 2, "w": "a" * {0}, "x": {0} * 2}})
    await ctx.http.get(f"{{{0}}}", timeout={0})
    return ctx.skeleton_data
"""


@pytest.mark.parametrize("number", ["0x" + "f" * 5000, "9**9999", "(1 << 200000)", "1" * 400])
def test_a_huge_number_fails_no_rule(check_files: Check, number: str) -> None:
    """Nobody can print it; what stands beside it is judged."""
    result = check_files({"main.py": HEAD + _ODD.format(number)})

    assert () == result.notes
    assert [14] == _lines(result)
