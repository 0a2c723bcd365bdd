"""Texts of results in the narrator's prompt: as they are written, in any quotation."""

from __future__ import annotations

import pytest

from fedcheck.invariants.scenarios.facts import call

from .narrator_cases import NARRATOR
from .stage import HI, judged, turn

CLAUSE = f"{NARRATOR}/texts-visible"
ODD = call({"texts": ["US$100 & so", "Fee {at} \\1", "  two  "]}, summary="found 100% sure")
TOLD = '{"texts":["US$100 & so","Fee {at} \\\\1","  two  "]} found 100% sure'


@pytest.mark.parametrize(
    ("kind", "prompt"),
    [
        ("signs of templates", TOLD.replace("{at}", "")),
        ("signs of templates", TOLD.replace("$1", "")),
        ("signs of templates", TOLD.replace("100% ", "")),
        ("signs of templates", TOLD.replace("&", "&amp;")),
        ("blanks", TOLD.replace("  two  ", "two")),
    ],
)
def test_an_altered_text_is_found(kind: str, prompt: str) -> None:
    """A sign that was filled in, resolved, escaped or trimmed is missing."""
    kinds = judged(CLAUSE, turn(HI, ODD, narrator=prompt), exposed=True)[1]
    assert {f"text of a result altered: {kind}"} == kinds


@pytest.mark.parametrize(
    "prompt",
    [
        TOLD,
        TOLD.replace("\\\\1", "\\1").replace('"', "'"),
        f"<result>{TOLD.replace('&', '&amp;')}</result>",
    ],
)
def test_quotations_are_free(prompt: str) -> None:
    """JSON, bare texts and XML show the same texts."""
    compared, kinds = judged(CLAUSE, turn(HI, ODD, narrator=prompt), exposed=True)
    assert (True, set()) == (compared > 0, kinds)
