"""``fedcheck rule``, ``fedcheck explain CODE`` and the pages of ``docs/rules``."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.invariants.vocabulary.errors import CatalogError, UsageError
from fedcheck.lint.authoring.examples import problems
from fedcheck.lint.authoring.pages import pages, write_pages
from fedcheck.lint.authoring.scaffold import new_rule
from fedcheck.lint.engine.ignores import meta_rules
from fedcheck.lint.engine.ignores.meta_rules import META_RULES, every_rule
from fedcheck.lint.rule import Example, Rule
from fedcheck.lint.rules import own_rules

_ROOT = Path(__file__).resolve().parents[2]
Fedcheck = Callable[..., subprocess.CompletedProcess[str]]


def install(monkeypatch: pytest.MonkeyPatch, *rules: Rule) -> None:
    """Let rules count as installed."""
    everything = (*own_rules(), *rules)
    monkeypatch.setattr("fedcheck.lint.engine.engine.all_rules", lambda: everything)
    monkeypatch.setattr("fedcheck.lint.rules.all_rules", lambda: everything)


def test_a_new_rule_works_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its examples hold, its entry point names it, and its tests are there."""
    root = new_rule("ACME101", "acme-sleep", tmp_path)
    spec = importlib.util.spec_from_file_location("acme101", root / "acme101.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    install(monkeypatch, module.RULE)

    assert ("ACME101", "acme-sleep") == (module.RULE.code, module.RULE.name)
    assert [] == problems(module.RULE)
    assert 'ACME101 = "acme101:RULE"' in (root / "pyproject.toml").read_text()
    assert "problems(RULE)" in (root / "tests" / "test_acme101.py").read_text()


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("FED101", None, "are ours"),
        ("acme101", None, "is no code of a rule"),
        ("ACME101; x", None, "is no code of a rule"),
        ("ACME101", "Acme Rule", "is no name of a rule"),
        ("ACME101", '"\n', "is no name of a rule"),
    ],
)
def test_wrong_codes_and_names_are_refused(
    tmp_path: Path, code: str, name: str | None, message: str
) -> None:
    """Before anything is written."""
    with pytest.raises(UsageError, match=message):
        new_rule(code, name, tmp_path)
    assert [] == list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A second time is an error, and the first rule stays."""
    root = new_rule("ACME101", None, tmp_path)
    (root / "acme101.py").write_text("mine\n")

    with pytest.raises(UsageError, match="not empty"):
        new_rule("ACME101", None, tmp_path)
    assert "mine\n" == (root / "acme101.py").read_text()


def test_examples_that_do_not_hold_are_told() -> None:
    """Each way in which an example can be wrong."""
    rule = next(rule for rule in own_rules() if rule.code == "FED201")
    bad, good = rule.bad[0], rule.good[0]

    def told(**changes: object) -> str:
        import msgspec

        return "\n".join(problems(msgspec.structs.replace(rule, **changes)))

    assert "bad example 1: it is not reported" in told(bad=(good,))
    assert "good example 1: it is reported" in told(good=(bad,))
    assert "expected info" in told(bad=(Example(bad.code, bad.files, severity="info"),))
    assert "at least one" in told(good=())


def test_a_rule_with_a_code_of_ours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when it is one of those about ignores."""
    install(monkeypatch, META_RULES[0])

    with pytest.raises(CatalogError, match="FED001"):
        every_rule()
    assert meta_rules.META_RULES == META_RULES


def test_the_pages_are_current() -> None:
    """Each says what its rule says, and there is no other."""
    folder = _ROOT / "docs" / "rules"

    assert pages() == {path.name: path.read_text("utf-8") for path in folder.iterdir()}, (
        "fedcheck rule docs docs/rules"
    )


def test_pages_of_rules_that_are_gone_are_removed(tmp_path: Path) -> None:
    """And nothing else is."""
    for name in ("FED999.md", "notes.md"):
        (tmp_path / name).write_text("old")

    write_pages(tmp_path)

    assert {*pages(), "notes.md"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("rule", [*META_RULES, *own_rules()], ids=lambda rule: rule.code)
def test_every_page_has_every_part(rule: Rule) -> None:
    """The headings in their order, and no empty part."""
    parts = re.split(r"^## ", rule.markdown(), flags=re.MULTILINE)

    assert parts[0].startswith(f"# {rule.name} ({rule.code})\n\n{rule.summary}")
    assert [
        "What it does",
        "Why is this bad?",
        "Example",
        "Use instead",
        "Fix safety",
        "References",
    ] == [part.partition("\n")[0] for part in parts[1:]]
    assert all(part.partition("\n")[2].strip() for part in parts[1:])
    assert "```python\n\n```" not in rule.markdown()


def test_codes_and_names_are_unique_and_families_fit() -> None:
    """A finding is named by either."""
    rules = [*META_RULES, *own_rules()]

    assert len(rules) == len({rule.code for rule in rules}) == len({rule.name for rule in rules})
    assert all(re.fullmatch(r"FED[0-5]\d\d", rule.code) for rule in rules)


def test_explain_shows_a_page_by_code_or_name(fedcheck: Fedcheck) -> None:
    """Of our rules and of those about ignores; an invariant is explained as before."""
    shown = fedcheck("explain", "fed201")
    by_name = fedcheck("explain", "skeleton-read-outside-handler")

    assert shown.stdout == by_name.stdout
    assert shown.stdout.startswith("# skeleton-read-outside-handler (FED201)")
    assert "unused-ignore" in fedcheck("explain", "FED001").stdout
    for name in ("FED999", "FED9", "skeleton-reed"):
        unknown = fedcheck("explain", name)
        assert 2 == unknown.returncode
        assert f"There is no invariant and no lint rule '{name}'; " in unknown.stderr
    assert "`fedcheck list` shows all" in fedcheck("explain", "FED999").stderr
    assert "did you mean skeleton-read-outside-handler?" in (
        fedcheck("explain", "Skeleton-Read-Outside-Handler-").stderr
    )
    gone = fedcheck("explain", "fed405").stderr
    assert "FED405 (sensitive-literal) was retired in fedcheck 0.2.0" in gone
    invariant = fedcheck("explain", "I-CACHE-KEY-SAFETY")
    assert invariant.stdout.startswith("I-CACHE-KEY-SAFETY: ")


def test_list_shows_every_rule(fedcheck: Fedcheck) -> None:
    """One line each."""
    lines = fedcheck("rule", "list").stdout.splitlines()

    assert [rule.code for rule in every_rule()] == [line.split()[0] for line in lines]


@pytest.mark.parametrize(
    "words", [("rule", "docs", "file/pages"), ("rule", "new", "ACME101", "--into", "file/rules")]
)
def test_a_folder_that_cannot_be_written_is_wrong_usage(
    fedcheck: Fedcheck, words: tuple[str, ...], tmp_path: Path
) -> None:
    """The message names the folder and what to do; a traceback would look like a finding."""
    (tmp_path / "file").write_text("no folder", "utf-8")
    done = fedcheck(*words)

    assert 2 == done.returncode
    assert f"{words[-1]}: cannot be written: Not a directory; " in done.stderr
    assert "Traceback" not in done.stderr
