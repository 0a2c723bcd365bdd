"""A folder is the same folder, whichever way leads to it: through links, and `..` behind them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fedcheck.lint.files.walking import absolute

if sys.platform == "win32":
    pytest.skip("links need rights there", allow_module_level=True)

BREACH = "import imperal_sdk\n\n\nasync def load(ctx):\n    return ctx.skeleton_data\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write ``real/deep/x.py`` and ``real/deep/er``, a link to the latter, and go beside them."""
    (tmp_path / "real" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "real" / "deep" / "x.py").write_text(BREACH)
    (tmp_path / "link").symlink_to("real/deep/er")
    (tmp_path / "way").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


def _found(result: Any) -> list[str]:
    return [f"{it['path']} {it['code']}" for it in json.loads(result.out)]


def test_behind_a_link_the_folder_above_is_that_of_its_target(tree: Path) -> None:
    """As the system has it; elsewhere two dots take one name away."""
    ways = ["link/..", "link/../x.py", "way/..", "real/../way/deep", "real/..x", "link", "."]
    expected = ["real/deep", "real/deep/x.py", "", "way/deep", "real/..x", "link", ""]
    assert [str(tree / name) for name in expected] == [absolute(way) for way in ways]


def test_what_is_listed_there_is_read_there(tree: Path, lint_here: Callable[..., Any]) -> None:
    """A file of the same name where the link lies is another one."""
    (tree / "x.py").write_text("x = 1\n")
    (tree / "er").mkdir()
    found = lint_here("link/..", "--all-files", "--no-cache", "--format", "json")
    assert (1, ["link/../x.py FED103"]) == (found.code, _found(found))


def test_a_fix_is_written_there(tree: Path, lint_here: Callable[..., Any]) -> None:
    """The other file stays."""
    (tree / "x.py").write_text("x = 1\n")
    here = tree / "real" / "deep" / "x.py"
    text = "from imperal_sdk import Extension\n\n\nasync def f(ctx):\n    return ctx.user.id\n"
    here.write_text(text)
    lint_here("link/../x.py", "--fix", "--no-cache")
    assert (text.replace("user.id", "user.imperal_id"), "x = 1\n") == (
        here.read_text(),
        (tree / "x.py").read_text(),
    )


def test_a_kept_run_sees_where_such_a_way_leads(tree: Path, lint_here: Callable[..., Any]) -> None:
    """After the link leads elsewhere, and after the file there has changed."""
    (tree / "other" / "er").mkdir(parents=True)
    (tree / "other" / "x.py").write_text("x = 1\n")
    words = ("link/..", "--all-files", "--format", "concise")
    assert [1, 1] == [lint_here(*words).code for _ in range(2)]
    (tree / "link").unlink()
    (tree / "link").symlink_to("other/er")
    assert [0, 0] == [lint_here(*words).code for _ in range(2)]
    (tree / "other" / "x.py").write_text(BREACH)
    assert [1, 1] == [lint_here(*words).code for _ in range(2)]


@pytest.mark.parametrize("way", ["real", "way", "way/../way", "real/deep/..", "absolute"])
@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ("[lint]\nexclude = ['deep/*']\n", 0),
        ("[lint.per-file-ignores]\n'deep/x.py' = ['FED103']\n", 0),
        ("[lint.per-file-ignores]\n'real/deep/x.py' = ['FED103']\n", 1),
    ],
)
def test_globs_count_from_the_settings(
    tree: Path, lint_here: Callable[..., Any], way: str, settings: str, code: int
) -> None:
    """Not from the way on which the folder was reached."""
    (tree / "real" / "fedcheck.toml").write_text(settings)
    named = str(tree / "way") if way == "absolute" else way
    assert code == lint_here(named, "--all-files", "--no-cache").code


@pytest.mark.parametrize("way", [".", "way", "real", "way/deep/x.py", "link/.."])
def test_a_baseline_holds_for_each_way(tree: Path, lint_here: Callable[..., Any], way: str) -> None:
    """Whether settings or the command line name it."""
    (tree / "real" / "fedcheck.toml").write_text("[lint]\nbaseline = 'known.json'\n")
    lint_here("real", "--all-files", "--update-baseline", "--no-cache")
    named = () if way != "." else ("--baseline", "way/known.json")
    found = lint_here(way, *named, "--all-files", "--no-cache", "--format", "concise")
    assert (0, "") == (found.code, found.out)
