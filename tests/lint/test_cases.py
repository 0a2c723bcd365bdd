"""What the rules find in the programs of ``cases``, and what the reader of those files refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from fedcheck.lint.rules import own_rules

from .case_files import Section, linted, sections

FILES = sorted((Path(__file__).parent / "cases").glob("*.md"))
CASES = [
    pytest.param(path, section, id=f"{path.name}:{section.place}")
    for path in FILES
    for section in sections(path)
]


@pytest.mark.parametrize(("path", "section"), CASES)
def test_a_rule_finds_what_the_comments_say(path: Path, section: Section, tmp_path: Path) -> None:
    """Nothing more, nothing less: in its line, with its severity and its words."""
    expected, actual = linted(path, section, tmp_path)
    assert expected == actual


def test_each_file_is_named_after_a_rule() -> None:
    """A file of another name tests no rule."""
    assert set() == {path.stem for path in FILES} - {rule.code for rule in own_rules()}


FRAME = """
## A read is found

```python frame
ABOVE

@ext.panel("p")
async def p(ctx):
    found = BODY
    return found.missing  # @later
```
"""
READ = "await ctx.skeleton.get('n')"


@pytest.mark.parametrize(
    ("block", "missing", "more"),
    [
        (f"python each\n{READ}  # error: FED201", "", ""),
        (f"python\n1\n---\nX = 1\n===\n{READ}  # error: FED201", "", ""),
        (f"python each\nctx  # error: FED201\n{READ}", "14 error FED201", "15 error FED201 "),
        (f'python each\n{READ}  # error: FED201 "it is"', "14 error FED201 'it is'", "14 error"),
        (f"python each\n{READ}  # warning: FED201", "14 warning FED201", "14 error FED201 "),
        (f"python\n{READ}  # @later error: FED201", "10 error FED201", "14 error FED201 "),
        (f"python sdk=1.0.0\n{READ}  # error: FED201", "14 error FED201", ""),
    ],
)
def test_the_line_of_a_difference_is_told(
    tmp_path: Path, block: str, missing: str, more: str
) -> None:
    """Of what is expected and not found, and of what is found and not expected."""
    path = tmp_path / "FED201.md"
    path.write_text(f"{FRAME}\n```{block}\n```\n", encoding="utf-8")
    expected, actual = (
        [text.removeprefix("FED201.md:") for text in told]
        for told in linted(path, *sections(path), tmp_path)
    )
    assert [missing] * bool(missing) == [text for text in expected if text not in actual]
    assert [True] * bool(more) == [text.startswith(more) for text in actual if text not in expected]


def test_a_silent_program_needs_a_twin(tmp_path: Path) -> None:
    """In its own section."""
    path = tmp_path / "FED201.md"
    path.write_text(f"{FRAME}\n```python each\nctx\n```\n", encoding="utf-8")
    with pytest.raises(ValueError, match="silent case") as caught:
        sections(path)
    assert (
        "FED201.md:14: silent case without a positive twin; add a program with a finding to its "
        "section, or move it to one that has some"
    ) == str(caught.value)
