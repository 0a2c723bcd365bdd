"""The examples of each rule are its tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fedcheck.lint import rules
from fedcheck.lint.authoring.scaffold import ROOMS
from fedcheck.lint.engine.engine import CheckResult, Target, check
from fedcheck.lint.rule import PREAMBLE, Example, Rule
from fedcheck.lint.rules import own_rules
from fedcheck.lint.sdk.releases import versions
from fedcheck.reports.lint.shared import with_chain

_RULES = Path(rules.__file__).parent
_MODULES = sorted(path.relative_to(_RULES) for path in _RULES.rglob("fed[0-9]*.py"))


def lint_example(folder: Path, example: Example, rule: Rule, *, exhaustive: bool) -> CheckResult:
    """Write an example as an extension and run one rule over it."""
    own = "from imperal_sdk" in example.code
    text = example.code if own else PREAMBLE + example.code
    for name, content in {"main.py": text, **example.files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    target = Target(sdk=example.sdk or versions()[-1], exhaustive=exhaustive)
    return check([folder], target, codes=frozenset({rule.code}))


def _examples(kind: str) -> Iterator[object]:
    for rule in own_rules():
        for index, example in enumerate(getattr(rule, kind)):
            yield pytest.param(rule, example, id=f"{rule.code}-{index}")


@pytest.mark.parametrize("exhaustive", [False, True], ids=["fast", "exhaustive"])
@pytest.mark.parametrize(("rule", "example"), list(_examples("bad")))
def test_a_bad_example_is_found(
    tmp_path: Path, rule: Rule, example: Example, exhaustive: bool
) -> None:
    """Each bad example yields the rule, with its severity and words, on both paths."""
    result = lint_example(tmp_path, example, rule, exhaustive=exhaustive)
    assert () == result.notes
    assert result.findings
    assert (example.severity or rule.severity) == result.findings[0].severity
    assert any(example.holds in " ".join(with_chain(it).split()) for it in result.findings)


@pytest.mark.parametrize(("rule", "example"), list(_examples("good")))
def test_a_good_example_is_silent(tmp_path: Path, rule: Rule, example: Example) -> None:
    """No good example yields the rule."""
    result = lint_example(tmp_path, example, rule, exhaustive=True)
    assert ((), ()) == (result.notes, tuple(item.text for item in result.findings))


@pytest.mark.parametrize("rule", own_rules(), ids=lambda rule: rule.code)
def test_a_rule_is_documented(rule: Rule) -> None:
    """Each rule has its page, its examples and its references."""
    page = rule.markdown()
    for heading in ("What it does", "Why is this bad?", "Example", "Use instead", "Fix safety"):
        assert f"## {heading}" in page, "give its RULE this part"
    assert rule.bad, "give its RULE a bad example"
    assert rule.good, "give its RULE a good example"
    assert rule.references, "give its RULE references"


@pytest.mark.parametrize("path", _MODULES, ids=lambda path: path.stem)
def test_a_rule_lies_in_the_room_of_its_first_digit(path: Path) -> None:
    """And none beside the rooms."""
    digit = path.name[3]
    room = ROOMS[digit]
    assert Path(room, path.name) == path, f"move it to lint/rules/{room}/, the room of FED{digit}.."


def test_codes_and_names_are_unique() -> None:
    """No two rules share a code or a name."""
    rules = own_rules()
    assert len(rules) == len({rule.code for rule in rules}) == len({rule.name for rule in rules})
