"""``fedcheck rule new --in-tree``: what it writes is a rule of the tree at once."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from click.testing import CliRunner

import fedcheck
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.lint.authoring.examples import problems
from fedcheck.lint.authoring.scaffold import new_own_rule
from fedcheck.lint.commands.rule import command
from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.rule import Rule
from fedcheck.lint.rules import own_rules
from fedcheck.lint.sdk.targets import newest

from .case_files import linted, sections

TREE = Path(fedcheck.__file__).parent
MODULE = "lint/rules/extension/fed599_blocking_sleep.py"
CASES = "tests/lint/cases/FED599.md"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The rooms of a checkout."""
    (tmp_path / "lint" / "rules" / "extension").mkdir(parents=True)
    return tmp_path


def rule_in(path: Path) -> Rule:
    """Import a rule as if it lay in the tree."""
    name = f"fedcheck.lint.rules.extension.{path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.RULE


def test_a_rule_of_the_tree_works_at_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its examples and its cases hold."""
    written, _ = new_own_rule("FED599", "blocking-sleep", tree)
    rule = rule_in(tree / MODULE)
    everything = (*own_rules(), rule)
    monkeypatch.setattr("fedcheck.lint.engine.engine.all_rules", lambda: everything)
    monkeypatch.setattr("fedcheck.lint.rules.all_rules", lambda: everything)
    (section,) = sections(tree / CASES)
    expected, actual = linted(tree / CASES, section, tree)

    assert [tree / MODULE, tree / CASES] == written
    assert ("FED599", "blocking-sleep") == (rule.code, rule.name)
    assert [] == problems(rule)
    assert expected == actual
    assert 2 == len(expected)


def test_its_fast_path_finds_what_exhaustive_linting_finds(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the function is named, in this file or in another."""
    new_own_rule("FED599", "blocking-sleep", tree)
    rule = rule_in(tree / MODULE)
    monkeypatch.setattr("fedcheck.lint.engine.engine.all_rules", lambda: (rule,))
    root = tree / "notes"
    root.mkdir()
    (root / "helpers.py").write_text("from time import sleep as pause\n")
    renamed = "from helpers import pause\n" + rule.bad[0].code.replace("time.sleep", "pause")
    for text in (*(example.code for example in rule.bad), renamed):
        (root / "main.py").write_text(text)
        fast, exhaustive = (
            check([root], Target(sdk=newest(), exhaustive=each)).findings for each in (False, True)
        )
        assert 1 == len(exhaustive)
        assert exhaustive == fast


def test_contributing_names_the_same_tests(tree: Path) -> None:
    """As the command, in the same order."""
    _, told = new_own_rule("FED599", "blocking-sleep", tree)
    guide = (TREE / "CONTRIBUTING.md").read_text("utf-8")
    section = guide.partition("## Add a rule\n")[2].partition("\n## ")[0]
    tests = re.compile(r"python -m pytest .*")

    expected = [line.replace("FEDNNN", "FED599") for line in tests.findall(section)]
    assert expected
    assert expected == tests.findall(told)


@pytest.mark.skipif(find_spec("ruff") is None, reason="no ruff")
@pytest.mark.parametrize("words", [("check",), ("format", "--check")])
def test_what_is_written_is_clean(tree: Path, words: tuple[str, ...]) -> None:
    """By the tree's own settings."""
    new_own_rule("FED599", "blocking-sleep", tree)
    ruff = [sys.executable, "-m", "ruff", *words, "--no-cache", "--stdin-filename", MODULE, "-"]
    text = (tree / MODULE).read_text("utf-8")
    done = subprocess.run(ruff, cwd=TREE, input=text, capture_output=True, text=True, check=False)

    assert 0 == done.returncode, done.stdout


def test_the_command_says_what_else_is_to_be_touched(tree: Path) -> None:
    """With the commands that test it and that write its page."""
    words = ["new", "FED599", "--in-tree", "--name", "blocking-sleep", "--into", str(tree)]
    result = CliRunner().invoke(command, words)

    assert 0 == result.exit_code, result.output
    for told in (
        f"Written: {tree / MODULE}",
        "pytest -n 2 tests/lint/test_rule_examples.py tests/lint/test_cases.py -k FED599",
        "fedcheck rule docs docs/rules",
        "lint/rules/extension/support/",
    ):
        assert told in result.output


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("ACME101", "sleep", "FED5.. for extension"),
        ("FED999", "sleep", "FED5.. for extension"),
        ("FED599", None, "give --name"),
        ("FED101", "sleep", "exists already"),
        ("FED599", "nonexistent-fact-ledger", "exists already"),
        ("FED515", "sleep", "was retired"),
        ("FED199", "sleep", "not the root of fedcheck's checkout"),
    ],
)
def test_what_cannot_be_written_is_refused(
    tree: Path, code: str, name: str | None, message: str
) -> None:
    """And nothing is."""
    with pytest.raises(UsageError, match=message):
        new_own_rule(code, name, tree)
    assert [] == [path for path in tree.rglob("*") if path.is_file()]
