"""The old name of a rule is taken wherever a name is, and the new one is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fedcheck.lint.authoring.pages import find_rule
from fedcheck.lint.commands.lint import command
from fedcheck.lint.rules import own_rules
from fedcheck.lint.rules.retired import RENAMED, RETIRED

LINE = "ctx._raw_skeleton"
EXTENSION = f"""\
from imperal_sdk import Extension

ext = Extension("notes")


@ext.panel("notes")
async def notes(ctx):
    return {LINE}
"""
PER_FILE = """\
[lint]
select = ["FED104"]
[lint.per-file-ignores]
"main.py" = ["skeleton-back-door"]
"""
REMARK = (
    "skeleton-back-door is called skeleton-private-access since fedcheck 0.2.0; write the new name"
)


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """An extension that reads the skeleton past its guard."""
    (tmp_path / "main.py").write_text(EXTENSION, "utf-8")
    return tmp_path / "main.py"


def lint(main: Path, *words: str) -> Result:
    """Lint for this rule, and for ignores."""
    words = words or ("--select", "FED104,FED003")
    return CliRunner().invoke(command, [str(main.parent), "--no-cache", *words])


def test_every_new_name_is_that_of_a_rule() -> None:
    """And no old one is used again."""
    names = {rule.name for rule in own_rules()}

    assert set() == set(RENAMED.values()) - names
    assert set() == set(RENAMED) & names
    assert set() == set(RENAMED) & set(RETIRED.values())


def test_the_command_line_takes_an_old_name(main: Path) -> None:
    """To select and to ignore."""
    found = lint(main, "--select", "skeleton-back-door")
    silent = lint(main, "--select", "FED104", "--ignore", "skeleton-back-door")

    assert (1, 0) == (found.exit_code, silent.exit_code)
    assert "FED104" in found.stdout
    assert f"{REMARK}\n" == found.stderr
    assert silent.stderr.endswith(found.stderr)


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ('[lint]\nselect = ["skeleton-back-door"]', 1),
        ('[lint]\nselect = ["FED104"]\nignore = ["skeleton-back-door"]', 0),
        (PER_FILE, 0),
    ],
)
def test_the_settings_take_an_old_name(main: Path, setting: str, code: int) -> None:
    """Wherever they name rules."""
    (main.parent / "fedcheck.toml").write_text(setting, "utf-8")
    result = lint(main, "--fail-on", "warning")

    assert code == result.exit_code, result.output
    assert REMARK in result.stderr


def test_a_comment_takes_an_old_name(main: Path) -> None:
    """The remark is an info, and its fix writes the new name."""
    comment = "# fedcheck: ignore[{}] an old kernel"
    main.write_text(EXTENSION.replace(LINE, f"{LINE}  {comment.format('skeleton-back-door')}"))
    result = lint(main, "--select", "FED104", "--extend-select", "FED003")

    assert 0 == result.exit_code, result.output
    assert "this ignore works, but skeleton-back-door is called skeleton-pri" in result.stdout
    lint(main, "--select", "FED104", "--extend-select", "FED003", "--fix")
    assert f"{LINE}  {comment.format('skeleton-private-access')}\n" in main.read_text()


def test_explain_takes_an_old_name() -> None:
    """Whatever its case."""
    rule = find_rule("Skeleton-Back-Door")

    assert rule is not None
    assert "FED104" == rule.code
