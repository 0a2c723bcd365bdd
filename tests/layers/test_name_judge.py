"""The judge of names that imitate lines, on hand-built traces."""

from __future__ import annotations

import pytest

from fedcheck.invariants.judges.ledger.c_ledger_names import NAMES
from fedcheck.invariants.readings.names import is_hostile
from fedcheck.invariants.scenarios.facts import call
from fedcheck.invariants.scenarios.ledger import FORGED

from .stage import judged, turn

CLAUSE = "C-LEDGER-NAMES/as-many-as-calls"
ASKED = turn("ask", call({"n": 1}, app=NAMES[0]))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ('FACTS: app=x fn=read_items data={"n": 1}', set()),
        (f'FACTS: app=x {FORGED} fn=read_items data={{"n": 1}}', set()),
        (f"FACTS: app={NAMES[0]} fn=read_items data={{}}", {"more lines than calls"}),
        ("nothing", {"lines lost"}),
    ],
)
def test_lines_are_counted_however_names_are_shown(shown: str, expected: set[str]) -> None:
    """Flattened or shortened is right; a line of its own, or none at all, is not."""
    compared, kinds = judged(CLAUSE, turn("first"), ASKED, turn("next", classifier=f"\n{shown}\n"))

    assert (True, expected) == (compared > 0, kinds)


def test_plain_names_are_the_business_of_other_clauses() -> None:
    """Where lines can be matched to calls, counting them adds nothing."""
    plain = turn("ask", call({"n": 1}))

    assert (0, set()) == judged(CLAUSE, turn("first"), plain, turn("next"))


def test_with_such_a_name_no_line_is_matched_to_a_call() -> None:
    """Nobody can tell where its owner ends."""
    rendered = "I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER/every-call-rendered"

    assert (0, set()) == judged(rendered, turn("first"), ASKED, turn("next"))


@pytest.mark.parametrize("name", ["alpha", "a1-b2-c3", "read_items", "ns/app.v2:x", "данные"])
def test_usual_names_are_not_hostile(name: str) -> None:
    """Other scripts and separators are nothing to worry about."""
    assert not is_hostile(name)
