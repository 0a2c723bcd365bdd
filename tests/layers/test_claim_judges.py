"""What counts as an invented claim, and what a narrator may have reckoned."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.readings.marks import mark
from fedcheck.invariants.scenarios.facts import call

from .stage import HI, judged, turn

_NARRATOR = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS"
_GUARD, _COUNT = f"{_NARRATOR}/guard-in-any-form", f"{_NARRATOR}/contradicted-count"

_INVENTED = [
    ({"total": 36}, "You have 84,267 tasks.", "invented number told"),
    ({"price": "€1,034.20"}, "It costs €5,678.91.", "invented amount told"),
    ({"price": "1.034,20 €"}, "It costs 5.678,91 €.", "invented amount told"),
    ({"growth": "215.3 %"}, "It grew by 734.8 %.", "invented percentage told"),
    ({"due": "2031-05-16"}, "It is due on 1948-12-27.", "invented date told"),
    ({"due": "16 May 2031"}, "It is due on 27 August 1948.", "invented date told"),
    ({"at": "09:15"}, "It starts at 20:48.", "invented time told"),
    ({"to": "a@vale.example"}, "I wrote to B+c@Hafen.example.", "invented address told"),
    ({"ref": "INV-30915"}, "See ORD-84267.", "invented identifier told"),
    ({"ref": "x7ord-842673q"}, "See ord-84267.", "invented identifier told"),
    ({"at": "https://vale.example/a"}, "See https://hafen.example/b.", "invented link told"),
    ({"phone": "+49 171 5550134"}, "Call +31 682 9447286.", "invented phone told"),
    ({"runs": "v2.14.3"}, "It runs v8.70.9.", "invented version told"),
]


@pytest.mark.parametrize(("data", "draft", "kind"), _INVENTED)
def test_an_invented_claim_must_not_be_told(data: Any, draft: str, kind: str) -> None:
    """In whatever form; a reply that leaves it out is fine."""
    given = call(data)

    assert (1, {kind}) == judged(_GUARD, turn(HI, given, draft=draft, reply=draft))
    assert (1, set()) == judged(_GUARD, turn(HI, given, draft=draft, reply="I cannot say."))


@pytest.mark.parametrize(
    ("data", "draft"),
    [
        ({"a": 1200, "b": 1300}, "They are 2,500 together."),
        ({"price": 1250}, "Three of them cost €3,750.00."),
        ({"new": 30, "old": 4}, "It grew to 750 %."),
        ({"due": "2031-05-16", "days": 30}, "It is due on 2031-06-15."),
        ({"year": "2031", "month": "07", "day": "19"}, "It is due on 2031-07-19."),
        ({"due": "2031-05-16T23:30:00Z"}, "It is due on 17 May 2031."),
        ({"due": "2031-12-31T23:30:00Z"}, "It is due on 2032-01-01."),
        ({"due": "2031-05-16"}, "Today is 2026-11-27."),
        ({"at": "09:15"}, "It starts at 14:45 where you are."),
        ({"at": "noon"}, "It is 20:48 now."),
        ({"order": 84267}, "See INV-84267."),
        ({"path": "moss"}, "See https://hafen.example/moss."),
    ],
)
def test_what_may_have_been_reckoned_is_not_judged(data: Any, draft: str) -> None:
    """Sums, products, shares, other days and zones, and what is put together of parts."""
    assert (0, set()) == judged(_GUARD, turn(HI, call(data), draft=draft, reply=draft))


def test_a_true_claim_is_found_however_the_reply_writes_it() -> None:
    """In groups of digits, and as the escaped text of JSON."""
    clause = f"{_NARRATOR}/grounded-in-any-form"
    amount, number = call({"price": "€1,034.20"}), call({"n": 30915})
    lost = turn(HI, amount, draft="It costs €1,034.20.", reply="It costs something.")

    assert (1, {"true amount lost"}) == judged(clause, lost)
    assert (1, set()) == judged(
        clause, turn(HI, number, draft="There are 30915.", reply="There are 30\u202f915.")
    )


_PARTS = [
    ("https://pier.e", "https://pier"),
    ("https://vale.example/a?b=1", "https://vale.example/a"),
    ("x+tern@vale.example", "tern@vale.example"),
    ("tern@vale.example.org", "tern@vale.example"),
    ("-$1,034.20", "$1,034.20"),
    ("€1,034.20", "1,034"),
    ("€1,034.20", "20"),
    ("1", "€1,0"),
    (1, "€1.00"),
    (215.3, "215.3 %"),
    ("12.5 %", "5 %"),
    ("16 May 2031", "6 May 2031"),
    ("2031-05-16T09:15", "2031-05-16"),
    ("09:15:36", "09:15"),
    ("2.14.3.1", "2.14.3"),
    ("v2.14.3-rc1", "v2.14.3"),
    ("ab-inv-30915", "inv-30915"),
    ("ref/inv-30915/2", "inv-30915"),
    ("+49 171 5550134-12", "+49 171 5550134"),
    ("1 430 915", "430 915"),
    ("1430.25", "1430"),
]
_WHOLE = [
    ("https://pier.e", "https://pier.e"),
    ("see https://vale.example/a, please", "https://vale.example/a"),
    ("Tern@Vale.example", "tern@vale.example"),
    ("-$1,034.20", "-$1,034.20"),
    ("1.034,20 €.", "1.034,20 €"),
    ("12.5 %", "12.5 %"),
    ("16 May 2031", "16 May 2031"),
    ("2031-05-16 09:15", "2031-05-16"),
    ("09:15", "09:15"),
    ("2.14.3", "2.14.3"),
    ("INV-30915", "INV-30915"),
    ("+49 171 5550134", "+49 171 5550134"),
    ("1\u202f430\u202f915", "1\u202f430\u202f915"),
    (1_430_915, "1,430,915"),
    (1430.25, "1430.25"),
    ("1430915", "1 430 915"),
]


@pytest.mark.parametrize(
    ("held", "draft", "due"),
    [*((*each, False) for each in _PARTS), *((*each, True) for each in _WHOLE)],
)
def test_only_what_is_held_whole_has_to_be_told(held: Any, draft: str, due: bool) -> None:
    """A part of a longer value is another value; so is a currency that nobody has named."""
    clause = f"{_NARRATOR}/grounded-in-any-form"
    step = turn(HI, call({"value": held}), draft=f"It is {draft} now.", reply="I cannot say.")

    assert int(due) == judged(clause, step)[0]


@pytest.mark.parametrize(
    ("data", "draft", "broken"),
    [
        ({"total": 360}, "You have 47 tasks.", True),
        ({"total": "36"}, "You have 50 tasks.", True),
        ({"total": 3, "tasks": ["a", "b", "c"]}, "You have 50 tasks.", True),
        ({"total": 360}, "Half of them, 180, are yours.", False),
        ({"total": 360}, "The first 12 are yours.", False),
        ({"tasks": ["open"] * 20 + ["done"] * 16}, "20 of them are open.", False),
        ({"link": "https://vale.example/r/1", "total": 3}, "https://vale.example/r/50", False),
    ],
)
def test_a_number_contradicts_only_what_cannot_yield_it(
    data: Any, draft: str, broken: bool
) -> None:
    """A number that is less than the right one may be a part of it, or of a list."""
    kinds = {"contradicted number told"} if broken else set[str]()

    assert (int(broken), kinds) == judged(_COUNT, turn(HI, call(data), draft=draft, reply=draft))


_DATA, _SAID, _ERROR = mark(31), mark(32), mark(33)
_FAILED = replace(call({"label": _DATA}, status="error", summary=_SAID), error=_ERROR)
_LONG = call([{"title": _DATA, "note": "and so on, as before"}] * 80)


@pytest.mark.parametrize(
    ("clause", "given", "shown", "missing"),
    [
        (
            "failed-call-visible",
            _FAILED,
            "",
            {"a failed call missing"},
        ),
        ("failed-call-visible", _FAILED, _DATA, set[str]()),
        ("failed-call-visible", _FAILED, _SAID, set[str]()),
        ("field-names-visible", call({_DATA: 3}), "3", {"a field missing"}),
        ("field-names-visible", call([{_DATA: 3}]), _DATA.upper(), set[str]()),
        ("large-data-visible", _LONG, "80 rows", {"more than 3,000 characters missing"}),
        ("large-data-visible", _LONG, f"{_DATA} and 79 more", set[str]()),
    ],
)
def test_the_narrator_is_shown_every_step(
    clause: str, given: Any, shown: str, missing: set[str]
) -> None:
    """Failed calls, the names of fields, and a part of what is too large to be shown whole."""
    step = turn(HI, given, narrator=f"{HI} {shown}")

    assert (1, missing) == judged(f"{_NARRATOR}/{clause}", step)


def test_a_failure_may_be_told_by_its_error() -> None:
    """The documents promise the summary; a kernel that shows the error instead tells as much."""
    clause = f"{_NARRATOR}/failed-call-visible"
    failed = call({}, status="error", summary=_SAID)

    assert (0, set()) == judged(clause, turn(HI, failed, narrator=f"{HI} backend said no"))
