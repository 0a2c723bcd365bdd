"""What is judged in a call ``Extension(…)``, and what is not known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

CODES = "FED524 FED525"
FULL = {
    "version": "'1.0.0'",
    "display_name": "'Notes'",
    "description": "'Keeps the notes of the user and finds them again'",
    "icon": "'icon.svg'",
}


def call(app_id: str = "'notes'", **changed: str) -> str:
    """Return a call in which nothing is wrong but what is changed."""
    given = ", ".join(f"{name}={text}" for name, text in {**FULL, **changed}.items() if text)
    return f"Extension({app_id}, {given})"


def told(found: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """Return severity and rule of the validator of each finding."""
    return [(item.severity, item.message.partition("(V")[2].partition(")")[0]) for item in found]


@pytest.fixture
def declare(lint: Lint) -> Callable[..., list[tuple[str, str]]]:
    """Return a function: lines before, the call, lines behind → what is told."""

    def run(before: str, made: str, behind: str = "", **files: str) -> list[tuple[str, str]]:
        text = f"from imperal_sdk import Extension\n{before}\next = {made}\n{behind}\n"
        return told(lint(CODES, text, **files))

    return run


Declare = Callable[..., list[tuple[str, str]]]

LITERALS = [
    (call(), []),
    (call("'n'"), ["V1"]),
    (call("'notes-'"), ["V1"]),
    (call("'-notes'"), ["V1"]),
    (call("'Keeper'"), ["V1"]),
    (call("'my_notes'"), ["V1"]),
    (call("''"), ["V1"]),
    (call("None"), ["V1"]),
    (call("'4u'"), []),
    (call("'notes\\n'"), []),
    (call("'notes\\n\\n'"), ["V1"]),
    (call(version=""), []),
    (call(version="''"), ["V2"]),
    (call(version="'1.0'"), ["V2"]),
    (call(version="'v1.0.0'"), ["V2"]),
    (call(version="'1.0.0.dev1+x'"), []),
    (call(version="'1.0.0 or so'"), []),
    (call(description=""), ["V14"]),
    (call(description="None"), ["V14"]),
    (call(description="'x' * 39"), ["V14"]),
    (call(description="'x' * 40"), []),
    (call(description="' ' + 'x' * 39 + ' '"), ["V14"]),
    (call("'" + "a" * 40 + "'", description="'" + "a" * 40 + " '"), ["V14"]),
    (call(description="b'x' * 40"), []),
    (call(display_name=""), ["V15"]),
    (call(display_name="' ab '"), ["V15"]),
    (call(display_name="'abc'"), []),
    (call(display_name="'notes '"), ["V15"]),
    (call(display_name="'Notes '"), []),
    (call(actions_explicit="False"), ["V19"]),
    (call(actions_explicit="0"), ["V19"]),
    (call(actions_explicit="1"), []),
    (call(icon=""), ["V21"]),
    (call(icon="'note'"), ["V21"]),
    (call(icon="'icon.svg.png'"), ["V21"]),
    (call(icon="'Icon.SVG'"), []),
    (call(icon="'https://a.b/icon.svg'"), []),
    ("Extension('n', '1', display_name='n')", ["V1", "V14", "V15", "V2", "V21"]),
]


@pytest.mark.parametrize(("made", "expected"), LITERALS)
def test_what_stands_there(declare: Declare, made: str, expected: list[str]) -> None:
    """Each problem is one error, and nothing else is told."""
    assert expected == sorted(f"V{number}" for _, number in declare("", made))
    assert {"error"} >= {severity for severity, _ in declare("", made)}


@pytest.mark.parametrize(("made", "expected"), LITERALS)
def test_the_published_sdk_says_the_same(
    made: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The validator of the installed SDK refuses exactly what is told here."""
    sdk = pytest.importorskip("imperal_sdk")
    validator = pytest.importorskip("imperal_sdk.validator")
    monkeypatch.chdir(tmp_path)
    report = validator.validate_extension(eval(made, {"Extension": sdk.Extension}))  # noqa: S307
    judged = {"V1", "V2", "V14", "V15", "V19", "V21"}
    assert expected == sorted(item.rule for item in report.errors if item.rule in judged)


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"version": "1.0"}, "version is 1.0, no text"),
        ({"description": "7"}, "description is 7, no text"),
        ({"icon": "1"}, "icon is 1, no text"),
    ],
)
def test_what_is_no_text(lint: Lint, changed: dict[str, str], name: str) -> None:
    """The validator itself fails there."""
    (found,) = lint(CODES, f"from imperal_sdk import Extension\next = {call(**changed)}\n")
    assert name in found.message
    assert "error" == found.severity


CONSTANTS: list[tuple[str, dict[str, str]]] = [
    ("V = '1.0'", {"version": "V"}),
    ("V = f'{1}.{0}'", {"version": "V"}),
    ("MAJOR = '1'", {"version": "MAJOR + '.0'"}),
    ("from other import V", {"version": "V"}),
    ("import other", {"version": "other.V"}),
]


@pytest.mark.parametrize(("before", "changed"), CONSTANTS)
def test_a_constant_is_proved(declare: Declare, before: str, changed: dict[str, str]) -> None:
    """Also one of another file."""
    assert [("error", "2")] == declare(before, call(**changed), other__py="V = '1.0'\n")


@pytest.mark.parametrize(
    ("before", "version"),
    [
        ("import os", "'1.0' if os.environ.get('OLD') else '1.0.0'"),
        ("import os\nV = '1.0.0'\nif os.environ.get('OLD'):\n    V = '1.0'", "V"),
        ("import os", "os.environ.get('V', '1.0')"),
        ("import os", "os.environ.get('V') or '1.0'"),
    ],
)
def test_what_is_wrong_sometimes_is_a_warning(declare: Declare, before: str, version: str) -> None:
    """One of several values."""
    assert [("warning", "2")] == declare(before, call(version=version))


@pytest.mark.parametrize(
    "before",
    [
        "def make():\n    return Extension('Notes', **settings())",
        "if settings():\n    other = Extension('Notes', **settings())",
        "make = lambda: Extension('Notes', **settings())",
        "if settings():\n    from a import Extension\nother = Extension('Notes', **settings())",
    ],
)
def test_a_call_that_may_not_run_is_a_warning(declare: Declare, before: str) -> None:
    """In a function, a branch, or of a class that may be another."""
    assert [("warning", "1")] == declare(before, call())


@pytest.mark.parametrize(
    ("before", "made", "behind"),
    [
        ("settings = load()", "Extension('notes', **settings)", ""),
        ("", "Extension(*load())", ""),
        ("import json", "Extension('notes', **json.load(open('a.json')))", ""),
        ("", call(version="load()", icon="load()"), ""),
        ("", call(icon="f'{load()}'"), ""),
        ("", call(description="f'{load()}'"), ""),
        ("", call(version="", icon=""), "ext.icon = 'icon.svg'"),
        ("", call(icon=""), "def late(extension):\n    extension.icon = 'icon.svg'\nlate(ext)"),
        ("", call(icon=""), "def late(ext):\n    ext.icon = 'icon.svg'"),
        ("", call(icon=""), "for name in load():\n    setattr(ext, name, load())"),
        ("", call(), "try:\n    pass\nexcept TypeError:\n    ext = Extension('N')"),
        ("", call(), "if __name__ == '__main__':\n    ext = Extension('N')"),
        ("class Mine(Extension):\n    icon = 'icon.svg'", "Mine('Notes')", ""),
        ("from imperal_sdk import App", "App('Notes')", ""),
        ("from imperal_sdk import ChatExtension as Extension", "Extension('Notes')", ""),
        (
            "import os\nNAME = 'notes' if os.name else load()",
            call("NAME", display_name="'notes'"),
            "",
        ),
        ("class Extension:\n    def __init__(self, *given): ...", "Extension('Notes')", ""),
    ],
)
def test_what_is_not_known_is_not_told(
    declare: Declare, before: str, made: str, behind: str
) -> None:
    """Other arguments, values that are read somewhere, values that come later."""
    assert [] == declare(before, made, behind)


@pytest.mark.parametrize(
    ("before", "made", "behind"),
    [
        ("GIVEN = {'icon': 'a.png'}", f"{call(icon='')[:-1]}, **GIVEN)", ""),
        ("GIVEN = dict(icon='a.png')", f"{call(icon='')[:-1]}, **GIVEN)", ""),
        ("GIVEN = {'version': '1.0.0'}", f"{call(icon='', version='')[:-1]}, **GIVEN)", ""),
        ("", call(icon=""), "def late(row):\n    row.icon = 'icon.svg'"),
        ("import imperal_sdk as sdk", f"sdk.{call(icon='')}", ""),
        ("Made = Extension", call(icon="").replace("Extension", "Made"), ""),
        ("", call(icon=""), "class Note:\n    def __init__(self):\n        self.icon = 'a.svg'"),
        ("", call(icon=""), "setattr(ext, 'version', load())"),
    ],
)
def test_what_is_known_all_the_same(declare: Declare, before: str, made: str, behind: str) -> None:
    """A mapping that is written out, another name of the class, an attribute of something else."""
    assert [("error", "21")] == declare(before, made, behind)


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (call("'My Notes!'"), 'Write app_id="my-notes".'),
        (call("'_'"), 'Write app_id="notes".'),
        (call(version="'2'"), 'Write version="2.0.0".'),
        (call(version="'2.5'"), 'Write version="2.5.0".'),
        (call(version="'new'"), 'Write version="1.0.0".'),
        (call("'my-notes'", display_name=""), 'Write display_name="My Notes".'),
        (call("'ab'", display_name=""), 'Write display_name="My Notes".'),
    ],
)
def test_the_line_to_write_is_right_itself(lint: Lint, made: str, line: str) -> None:
    """It is made of what was written, if that leads anywhere."""
    (found,) = lint(CODES, f"from imperal_sdk import Extension\next = {made}\n")
    assert found.message.endswith(line)
