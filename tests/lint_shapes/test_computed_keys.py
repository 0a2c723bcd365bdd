"""Fields of skeleton sections whose keys are computed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Section = Callable[..., str]

LOOP = 'part = {{}}\nfor name in await ctx.store.query("c"):\n    {}\nreturn {{"response": part}}'


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('part[name.id] = {"open": 2}', True),
        ('part.update({name.id: {"open": 2}})', True),
        ('part = {**part, f"{name.id}_count": dict(open=2)}', True),
        ('part[name.id] = 2', False),
        ('part[name.id] = str({"open": 2})', False),
        ("part[name.id] = {}", False),
        ("part[name.id] = part.get(name.id, 0) + 1", False),
        ("part[name.id] += 1", False),
        ("del part[name.id]", False),
        ('part[name.id] = {"open": 2}\n    part[name.id] = str(part[name.id])', False),
    ],
)  # fmt: skip
def test_dicts_under_computed_keys(section: Section, statement: str, expected: bool) -> None:
    """What all of them hold is known, whatever they are called."""
    said = section(LOOP.format(statement))
    assert expected is ("under computed keys is a nested dict" in said)
    assert ('section[f"{name}_open"]' in said) is expected


@pytest.mark.parametrize(
    ("value", "expected"), [('{"open": 2}', True), ("len(name)", False), ("{}", False)]
)
def test_a_comprehension_of_dicts(section: Section, value: str, expected: bool) -> None:
    """A comprehension gives each key the same."""
    said = section(f'return {{"response": {{name: {value} for name in ctx.config}}}}')
    assert expected is ("FED212" in said)
