"""``fedcheck invariant new`` for other ids than the example's."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import fedcheck
from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.commands.invariant import command
from fedcheck.conformance.driving.drive import FreshIds
from fedcheck.conformance.driving.judging import judge
from fedcheck.conformance.driving.session import Session
from fedcheck.conformance.scaffolding.invariant_template import (
    plugin_files,
    write_in_tree,
    write_plugin,
)
from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.catalog import catalog
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED
from fedcheck.invariants.vocabulary.toml_file import parse_toml
from fedcheck.invariants.vocabulary.verdict import Violation

TREE = Path(fedcheck.__file__).parent


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


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The rooms of a checkout."""
    for room in ("ledger", "prompts"):
        (tmp_path / "invariants" / "judges" / room).mkdir(parents=True)
        (tmp_path / "invariants" / "judges" / room / "__init__.py").touch()
    (tmp_path / "fixtures" / "mutants").mkdir(parents=True)
    return tmp_path


def module_in(path: Path, package: str) -> ModuleType:
    """Import a module as if it lay in the package."""
    spec = spec_from_file_location(f"{package}.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


JUDGE = "invariants/judges/prompts/c_new_promise.py"
KERNEL = "fixtures/mutants/c_new_promise.py"


def test_an_invariant_of_the_tree_works_at_once(tree: Path) -> None:
    """Its judge passes the reference kernel and objects to the broken one."""
    written, _ = write_in_tree("C-NEW-PROMISE", "prompts", tree)
    invariant = module_in(tree / JUDGE, "fedcheck.invariants.judges.prompts").INVARIANT
    (broken,) = module_in(tree / KERNEL, "fedcheck.fixtures.mutants").MUTANTS.values()
    (clause_id,) = invariant.clause_ids

    def objections(kernel: type[ReferenceKernel]) -> int:
        adapter = InProcessAdapter("made", kernel)
        description = adapter.describe()
        known = {clause_id: (invariant, invariant.clauses[0])}
        session = Session(adapter, description, known, FreshIds())
        found = [
            each
            for scenario in invariant.scenarios(description.parameters)
            for each in judge(session.trace(scenario), known)[clause_id]
        ]
        return sum(isinstance(each, Violation) for each in found)

    assert [tree / JUDGE, tree / KERNEL] == written
    assert broken.trips == set(invariant.clause_ids) == {"C-NEW-PROMISE/reply-shown"}
    assert 0 == objections(ReferenceKernel)
    assert 1 == objections(broken.kernel)


def test_two_new_invariants_have_scenarios_with_ids_of_their_own(tree: Path) -> None:
    """A scenario is named in records and commands."""
    new = [
        module_in(path, "fedcheck.invariants.judges.prompts").INVARIANT
        for invariant_id in ("C-NEW-PROMISE", "C-NEWER-PROMISE")
        for path in write_in_tree(invariant_id, "prompts", tree)[0][:1]
    ]
    every = [scenario.id for x in (*catalog(), *new) for scenario in x.scenarios(DOCUMENTED)]

    assert [] == [name for name, times in Counter(every).items() if times > 1]


def test_contributing_names_the_same_tests(tree: Path) -> None:
    """As the command, in the same order."""
    _, told = write_in_tree("C-NEW-PROMISE", "prompts", tree)
    guide = (TREE / "CONTRIBUTING.md").read_text("utf-8")
    section = guide.partition("## Add an invariant\n")[2].partition("\n## ")[0]
    tests = re.compile(r"python -m pytest .*")

    expected = [line.replace("NAME", "c-new-promise") for line in tests.findall(section)]
    assert expected
    assert expected == tests.findall(told)


@pytest.mark.skipif(find_spec("ruff") is None, reason="no ruff")
@pytest.mark.parametrize("words", [("check",), ("format", "--check")])
@pytest.mark.parametrize("name", [JUDGE, KERNEL])
def test_what_is_written_is_clean(tree: Path, name: str, words: tuple[str, ...]) -> None:
    """By the tree's own settings."""
    write_in_tree("C-NEW-PROMISE", "prompts", tree)
    ruff = [sys.executable, "-m", "ruff", *words, "--no-cache", "--stdin-filename", name, "-"]
    text = (tree / name).read_text("utf-8")
    done = subprocess.run(
        ruff,
        cwd=TREE,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout


def test_the_command_says_what_else_is_to_be_touched(tree: Path) -> None:
    """With the commands that write the generated files and that test it."""
    words = ["new", "C-NEW-PROMISE", str(tree), "--in-tree", "--room", "prompts"]
    result = CliRunner().invoke(command, words)

    assert 0 == result.exit_code, result.output
    for told in (
        f"Written: {tree / JUDGE}",
        "invariants/traceability/*.json",
        "fixtures/mutants/besides.json",
        "invariants/unscored.json",
        "fedcheck traceability --write docs",
        "python -m fedcheck.conformance.qualify --write",
        "tests/test_kill_table.py -m 'slow or not slow' -k 'trips and c-new-promise'",
    ):
        assert told in result.output


@pytest.mark.parametrize(
    ("invariant_id", "room", "message"),
    [
        ("ACME-X", "prompts", "begin it with I-"),
        ("C-X", "nowhere", "take one of ledger, prompts"),
        ("I-CACHE-KEY-SAFETY", "prompts", "exists already"),
    ],
)
def test_what_the_tree_cannot_hold_is_refused(
    tree: Path, invariant_id: str, room: str, message: str
) -> None:
    """And nothing is written; neither where there is no checkout."""
    with pytest.raises(UsageError, match=message):
        write_in_tree(invariant_id, room, tree)
    with pytest.raises(UsageError, match="not the root of fedcheck's checkout"):
        write_in_tree("C-X", "prompts", tree / "fixtures")
    assert [] == [*(tree / "fixtures").rglob("*.py")]
