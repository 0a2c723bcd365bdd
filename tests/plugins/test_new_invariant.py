"""``fedcheck invariant new`` for other ids than the example's."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from fedcheck.conformance.scaffolding.invariant_template import plugin_files, write_plugin
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.toml_file import parse_toml


@pytest.mark.parametrize("invariant_id", ["X-1", "TEAM-A-NO-DEBUG-TRACES", "C-NEW-PROMISE"])
def test_every_file_is_whole_and_names_the_id(invariant_id: str) -> None:
    """Nothing of the example is left, and nothing is unfilled."""
    files = plugin_files(invariant_id)
    package = invariant_id.lower().replace("-", "_")

    assert f"{package}/invariant.py" in files
    for name, text in files.items():
        assert "ACME" not in text
        assert not re.search(r"\$\w", text), name
        if name.endswith(".py"):
            ast.parse(text)
    assert invariant_id in files[f"{package}/invariant.py"]
    assert [f"{invariant_id}/reply-shown"] == json.loads(files["requirements.json"])["clauses"]
    assert [package] == parse_toml(files["pyproject.toml"], "it")["tool"]["setuptools"]["packages"]


@pytest.mark.parametrize(
    ("invariant_id", "message"),
    [
        ("acme", "is no id"),
        ("ACME", "is no id"),
        ("ACME_X", "is no id"),
        ("ACME-", "is no id"),
        ("../ACME-X", "is no id"),
        ("ACME-X\n", "is no id"),
        ("", "is no id"),
        ("I-CACHE-KEY-SAFETY", "exists already"),
    ],
)
def test_an_id_that_cannot_be_used_is_refused(invariant_id: str, message: str) -> None:
    """Before anything is written."""
    with pytest.raises(UsageError, match=message):
        plugin_files(invariant_id)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder that holds something is somebody's work."""
    write_plugin("ACME-X", tmp_path / "it")
    before = sorted(path.stat().st_mtime_ns for path in (tmp_path / "it").rglob("*"))

    with pytest.raises(UsageError, match="is not empty"):
        write_plugin("ACME-X", tmp_path / "it")
    assert before == sorted(path.stat().st_mtime_ns for path in (tmp_path / "it").rglob("*"))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """As wrong usage."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(UsageError, match="cannot be written"):
        write_plugin("ACME-X", tmp_path / "file" / "it")


def test_the_invariant_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its fixed scenarios reach every class of input that its clause names."""
    write_plugin("TEAM-B-PROMISE", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    from importlib import import_module

    module = import_module("team_b_promise.invariant")
    invariant = module.INVARIANT

    assert "TEAM-B-PROMISE" == invariant.id
    assert {"short", "long"} == {x.name for x in invariant.clauses[0].partitions}
    drafts = [scenario.steps[0].draft for scenario in invariant.scenarios(None)]
    assert [False, True] == [len(draft) >= module.LONG for draft in drafts]
