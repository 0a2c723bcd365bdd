"""Trees without the SDK are passed over without loading the linter, and nothing else is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.lint.commands.lint import command
from fedcheck.lint.files.discovery import python_files
from fedcheck.lint.files.quiet import quiet_files

BREACH = "async def load(ctx):\n    return ctx.skeleton_data\n"
MAIN = (
    "from imperal_sdk import Extension\nfrom part.helper import load\n\n"
    'ext = Extension("n", capabilities=["n:read"])\n\n\n'
    '@ext.panel("p")\nasync def p(ctx):\n    return await load(ctx)\n'
)


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("name", ["text", "concise", "json", "gitlab", "rdjson"])
def test_output_is_that_of_the_linter(tmp_path: Path, name: str) -> None:
    """``--select`` makes the linter look; what it prints of a quiet tree is the same."""
    _write(tmp_path, {"a.py": BREACH, "b/c.py": "x = 1\n"})
    results = [
        CliRunner().invoke(command, [str(tmp_path), "--format", name, *more])
        for more in ((), ("--select", "FED"))
    ]
    assert [(0, results[0].output)] * 2 == [(it.exit_code, it.output) for it in results]


def test_quiet_files_are_counted_once(tmp_path: Path) -> None:
    """A folder that is named twice has each file once."""
    _write(tmp_path, {"a.py": "", "b/c.py": "", "b/test_c.py": "", ".git/d.py": "", "e.txt": ""})
    assert 2 == quiet_files([tmp_path, tmp_path / "b"])


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "x = 1\n", "b/c.py": "import imperal_sdk\n"},
        {"a.py": "x = 1\n", "b/imperal.json": "{}"},
        {"a.txt": ""},
    ],
)
def test_the_linter_has_to_look(tmp_path: Path, files: dict[str, str]) -> None:
    """The SDK is named, a manifest stands there, or there is no Python at all."""
    _write(tmp_path, files)
    assert quiet_files([tmp_path]) is None


def test_a_folder_inside_an_extension_is_not_quiet(tmp_path: Path) -> None:
    """Its files need not name the SDK: the entry above hands them a context."""
    _write(tmp_path, {"main.py": MAIN, "imperal.json": "{}", "part/helper.py": BREACH})
    result = CliRunner().invoke(command, [str(tmp_path / "part"), "--format", "concise"])
    assert (1, True) == (result.exit_code, "FED103" in result.output)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_unreadable_files_are_told(tmp_path: Path) -> None:
    """A link that leads nowhere is a note, as it is in an extension."""
    _write(tmp_path, {"a.py": "x = 1\n"})
    (tmp_path / "b.py").symlink_to(tmp_path / "nowhere.py")
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert (3, True) == (result.exit_code, "b.py" in result.output)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_files_are_found_in_order_and_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    """Files of a folder come before its folders, both by name."""
    _write(tmp_path, {"z.py": "", "a/b.py": "", "a/c/d.py": "", "b/a.py": "", "venv/x.py": ""})
    (tmp_path / "loop").symlink_to(tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in python_files(tmp_path)]
    assert ["z.py", "a/b.py", "a/c/d.py", "b/a.py"] == found
