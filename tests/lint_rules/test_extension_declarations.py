"""What is judged in a call ``Extension(…)``, and what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.reports.lint.findings import Finding

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
    return [(item.severity, item.text.partition("(V")[2].partition(")")[0]) for item in found]


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
