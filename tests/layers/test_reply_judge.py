"""The judge of what a reply may show, on hand-built traces."""

from __future__ import annotations

import pytest

from fedcheck.invariants.scenarios.facts import call

from .stage import judged, turn

CLAUSE = "C-REPLY-PLAIN/no-machinery"
FACT = 'FACTS: app=alpha fn=read_items data={"n": 1}'
PROMPT = f"You decide which tools are called.\n[HISTORY]\n[x] ask → Done.\n{FACT}\n[TOOLS]\n- alpha"
ENVELOPE = '{"_action_meta":{"ms":1},"n":2}'
FIRST = turn("ask", call({"n": 1}))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Done.", set[str]()),
        ("Done. (one number was left out)", set()),
        ('Done.\n{"n": 2}', set()),
        (f"Done.\n{FACT}", {"a FACTS line in the reply"}),
        ("Done.\n[TOOLS]", {"a heading of a prompt in the reply"}),
        ("[SKELETON] Done.", {"a heading of a prompt in the reply"}),
        (
            "Done. You decide which tools are called.",
            {"a line of the classifier's prompt in the reply"},
        ),
        (f"Done. {ENVELOPE}", {"an envelope in the reply"}),
    ],
)
def test_what_a_reply_shows(reply: str, expected: set[str]) -> None:
    """Caveats and data are the kernel's to add; what is behind the scenes is not."""
    asked = turn("and?", call({"_action_meta": {"ms": 1}, "n": 2}), classifier=PROMPT, reply=reply)
    compared, kinds = judged(CLAUSE, FIRST, asked, exposed=True)

    assert compared > 0
    assert expected == kinds


@pytest.mark.parametrize("text", [FACT, "see [HISTORY] and [TOOLS]", "_action_meta: none"])
def test_what_was_said_may_be_repeated(text: str) -> None:
    """A draft that speaks of such things is the model's, and so is an answer that quotes it."""
    asked = turn("and?", call({"n": 2}), classifier=PROMPT, draft=text, reply=f"Well. {text}")
    compared, kinds = judged(CLAUSE, FIRST, asked, exposed=True)

    assert (True, set()) == (compared > 0, kinds)
