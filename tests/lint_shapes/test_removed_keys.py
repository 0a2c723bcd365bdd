"""Keys that a skeleton section loses before it is returned."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Section = Callable[..., str]

RAW = 'raw = {"n": 1, "meta": {"a": 1}, "names": [1, 2, 3, 4, 5, 6, 7]}\n'
STATS = """
async def stats(ctx):
    return {"n": 1, "meta": {"a": 1}, "names": [1, 2, 3, 4, 5, 6, 7]}
"""
LEFT = (
    'meta = raw.pop("meta")\ndel raw["names"]\nreturn {"response": {**raw, "k": len(meta)}}',
    'raw.pop("meta", None)\nraw.pop("names")\nreturn {"response": raw}',
    'for k in ("meta", "names"):\n    raw.pop(k, None)\nreturn {"response": raw}',
    'del raw["meta"], raw["names"]\nreturn {"response": raw}',
    'if ctx.user:\n    del raw["meta"]\nraw.pop("names")\nreturn {"response": raw}',
    'raw.pop("meta")\nraw["names"] = 7\nreturn {"response": raw}',
    'raw.clear()\nreturn {"response": raw}',
)
KEPT = (
    ('raw.pop("n")\nreturn {"response": raw}', ["FED212", "FED213"]),
    ('raw.pop("meta")\nreturn {"response": raw}', ["FED213"]),
    ('raw.pop("names")\nraw["names"] = [1, 2, 3, 4, 5, 6]\nreturn {"response": raw}',
     ["FED212", "FED213"]),
    ('if ctx.user:\n    raw.clear()\n    return {"response": {}}\nreturn {"response": raw}',
     ["FED212", "FED213"]),
    ('if ctx.user:\n    raw.clear()\nelse:\n    return {"response": raw}\nreturn {"response": {}}',
     ["FED212", "FED213"]),
    ('copy = dict(raw)\ncopy.pop("meta")\nreturn {"response": raw}', ["FED212", "FED213"]),
)  # fmt: skip


def _codes(found: str) -> list[str]:
    return sorted(code for code in ("FED212", "FED213") if code in found)


@pytest.mark.parametrize("body", LEFT)
def test_a_key_that_is_gone_is_silent(section: Section, body: str) -> None:
    """What was popped or deleted, or may have been, is not in the section."""
    assert [] == _codes(section(RAW + body))


@pytest.mark.parametrize(("body", "expected"), KEPT)
def test_a_key_that_stays_is_reported(section: Section, body: str, expected: list[str]) -> None:
    """Other keys, later writes, other branches and copies take nothing away."""
    assert expected == _codes(section(RAW + body))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('raw.pop("meta"); raw.pop("names")', []),
        ('raw.pop("names")', ["FED212"]),
    ],
)
def test_a_key_of_a_helper_is_taken_out(section: Section, line: str, expected: list[str]) -> None:
    """What the handler does comes after what the helper does."""
    body = f'raw = await stats(ctx)\n{line}\nreturn {{"response": raw}}'
    assert expected == _codes(section(body, STATS))
