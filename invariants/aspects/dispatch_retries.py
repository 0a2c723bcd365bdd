"""Which arguments do not fit, how often, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from ..scenarios.dimensions import APP
from ..scenarios.dispatch import FITTING, READ, STRICT, asks, planned, settled
from ..scenarios.facts import turn
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep, Call

_FITS = json.dumps(FITTING)

WRONG: Dimension[Sequence[str]] = Dimension(
    "wrong",
    (
        Value("missing", ('{"tags": ["a"]}',), "a required field is left out"),
        Value("nothing", ("{}",), "there are no arguments"),
        Value(
            "type",
            (
                '{"title": 7, "tags": ["a"]}',
                '{"title": "x", "tags": "a"}',
                '{"title": "x", "tags": [1]}',
                '{"title": null, "tags": ["a"]}',
                '{"title": ["x"], "tags": ["a"]}',
            ),
            "a validator that turns one type into another",
        ),
        Value(
            "format",
            (
                '{"title": "x", "tags": [], "due": "tomorrow"}',
                '{"title": "x", "tags": [], "due": "2026-02-30"}',
            ),
            "formats that are not checked",
        ),
        Value(
            "unknown",
            (
                '{"title": "x", "tags": [], "colour": "red"}',
                '{"title": "x", "tags": [], "Title": "x"}',
            ),
            "fields that nobody declared",
        ),
        Value("several", ('{"tags": "a", "due": "soon", "x": 1}',), "only the first is told"),
    ),
)
"""What does not fit."""

_KINDS = ("{}", '{"title": "x"}', '{"title": "x", "tags": 1}', '{"title": 1, "tags": []}')
_BETTER = ("{}", '{"title": "x"}', '{"title": "x"}')


Course = Callable[[str, int], Sequence[str]]


def _after(others: Sequence[str]) -> Course:
    """Return a course that spends the budget, and one try more, on other mistakes first."""

    def course(wrong: str, budget: int) -> Sequence[str]:
        many = [others[min(place, len(others) - 1)] for place in range(budget + 1)]
        return [*many, wrong, _FITS]

    return course


COURSE: Dimension[Course] = Dimension(
    "course",
    (
        Value("second", lambda wrong, _: [wrong, _FITS], "one retry is enough"),
        Value("last", lambda wrong, n: [*[wrong] * n, _FITS], "the budget is just enough"),
        Value("too-late", lambda wrong, n: [*[wrong] * (n + 1), _FITS], "one try too late"),
        Value("never", lambda wrong, _: [wrong], "the planner does not learn"),
        Value(
            "other-kinds",
            _after(_KINDS),
            "a count for each code",
        ),
        Value("better", _after(_BETTER), "what improves is free"),
        Value("worse", lambda wrong, _: [wrong, "{}", _FITS], "another mistake each time"),
    ),
)
"""What the planner gives when it is asked again."""

BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("alone", "alone", "one call in the turn"),
        Value("after", "after", "a call that went well before it"),
        Value("again", "again", "two calls that are both retried: a budget for the turn"),
        Value("failing", "failing", "the handler returns an error at last"),
        Value("failed-before", "failed-before", "another call of the turn that failed"),
        Value("twin", "twin", "another call that returns the same"),
    ),
)
"""What else there is in the turn."""


def _scene(row: Row, parameters: Parameters) -> Scene:
    app, beside = row[APP], row[BESIDE]
    steps: list[AnyStep] = []
    for number, wrong in enumerate(row[WRONG]):
        offers = row[COURSE](wrong, parameters.retry_budget)
        calls = [_call(offers, app, f"zq{number}retry", "failing" if beside == "failing" else "")]
        if beside == "after":
            calls = [planned({"n": 1}, function=READ, app=app), *calls]
        elif beside == "failed-before":
            calls = [planned({"n": 1}, function=READ, app=app, failing="BACKEND_5XX"), *calls]
        elif beside == "again":
            calls = [*calls, _call(offers, app, f"zq{number}again", "")]
        elif beside == "twin":
            same = {"mark": f"zq{number}retry"}
            calls = [*calls, planned({"n": 1}, function=READ, app=app, data=same)]
        later = [turn(f"and now? ({number})"), turn(f"and then? ({number})")]
        steps += [asks(f"save it ({number})", *calls), *later]
    return settled(steps, parameters)


def _call(offers: Sequence[str], app: str, mark: str, failing: str) -> Call:
    first, *others = offers
    return planned(
        first,
        *others,
        function=STRICT,
        app=app,
        data={"mark": mark},
        failing="BACKEND_TIMEOUT" if failing else None,
    )


ASPECT = Aspect(
    name="dispatch.retries",
    title="Arguments that do not fit",
    clauses=(
        "I-PYDANTIC-RETRY-BUDGET/at-most-two-retries",
        "I-PYDANTIC-RETRY-BUDGET/misfits-never-run",
        "I-PYDANTIC-RETRY-BUDGET/fitting-retry-runs",
        "I-PYDANTIC-RETRY-BUDGET/fails-with-a-code",
        "I-PYDANTIC-FC-SINGLE-APPEND/one-digest",
        "I-PYDANTIC-FC-SINGLE-APPEND/one-fact",
        "I-PYDANTIC-FC-SINGLE-APPEND/one-record",
        "I-PYDANTIC-FEEDBACK-STRUCTURED/names-each-field",
        "I-PYDANTIC-FEEDBACK-STRUCTURED/is-prose",
    ),
    focus=WRONG,
    context=(COURSE, BESIDE, APP),
    scene=_scene,
)
