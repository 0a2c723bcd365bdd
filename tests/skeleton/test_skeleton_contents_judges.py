"""The judges of what sections hold, how they change and grow old, on prompts written by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.scenarios.skeleton import (
    LONG,
    environment,
    refresh,
    say,
    section,
    value,
    wait,
    word,
)
from fedcheck.invariants.vocabulary.scenario import Environment, SkeletonRefresh
from fedcheck.invariants.vocabulary.trace import SkeletonStored
from fedcheck.invariants.vocabulary.trace_view import TraceView

from .stage import NOTE, compared, kinds, line, played

ALERT = "C-SKELETON-ALERT"
EVERY_TURN = "C-SKELETON-EVERY-TURN/all-sections-shown"
COMPRESSION = "C-SKELETON-COMPRESSION"
NAME = word("a name")


def _named(held: Any) -> Environment:
    return environment(alpha=section([held], name=NAME))


def _stored(view: TraceView) -> TraceView:
    """The same trace, in which each refresh is reported as that of the section."""
    events = tuple(
        replace(event, section=NAME) if isinstance(event, SkeletonStored) else event
        for event in view.trace.events
    )
    return TraceView(replace(view.trace, events=events))


def _shown(held: Any, prompt: str) -> TraceView:
    told = SkeletonRefresh(section=NAME, session="u1-s")
    return _stored(played(told, (say(), f"{NOTE}\n{prompt}"), where=_named(held)))


@pytest.mark.parametrize("held", [None, 0, 36, "", "three new mails", [], ["one"], {}, {"n": 1}])
def test_a_section_without_a_word_is_found_by_its_name(held: Any) -> None:
    """Whatever it holds, its name stands in the prompt."""
    assert {"name not shown"} == kinds(_shown(held, "- other: n=1"), EVERY_TURN)
    assert set() == kinds(_shown(held, f"- {NAME.title()}: 1"), EVERY_TURN)


def test_a_section_that_the_kernel_does_not_report_is_not_looked_for_by_name() -> None:
    """Whether nothing at all is stored is the kernel's affair."""
    told = SkeletonRefresh(section=NAME, session="u1-s")
    view = played(told, (say(), NOTE), where=_named(None))

    assert not compared(view, EVERY_TURN)


def test_a_section_that_is_a_word_is_found_by_it() -> None:
    """Its name alone is not enough, and it needs no age."""
    view = _shown(word("root"), f"- {NAME}: (no fields)")

    assert {"never shown"} == kinds(view, EVERY_TURN)
    shown = _shown(word("root"), f"- {NAME}: {word('root')}")
    assert set() == kinds(shown, "I-SKELETON-STALENESS-ENVELOPE/age-shown")
    assert not compared(shown, "I-SKELETON-STALENESS-ENVELOPE/age-shown")


def test_a_section_that_is_no_object_is_compressed() -> None:
    """A text of its own is shortened, a list of its own a hint."""
    text, rows = "x" * LONG, [{"id": n, "t": word("row", n)} for n in range(6)]
    cut, collapsed = f"{COMPRESSION}/long-strings-cut", f"{COMPRESSION}/long-lists-collapsed"

    assert {"long string whole, no object"} == kinds(_shown(text, f"- {NAME}: {text}"), cut)
    assert set() == kinds(_shown(text, f"- {NAME}: {text[:80]}…"), cut)
    assert {"list inlined"} == kinds(_shown(rows, f"- {NAME}: {rows}"), collapsed)
    assert set() == kinds(_shown(rows, f"- {NAME}: list[6]"), collapsed)


@pytest.mark.parametrize(("count", "expected"), [(6, {"list inlined"}), (5, set[str]())])
def test_a_list_inside_a_field_may_be_cut_with_it(count: int, expected: set[str]) -> None:
    """All of its items are too many."""
    rows = [{"t": word("row", n)} for n in range(6)]
    where = environment(alpha=section([value("alpha", 0, inner={"rows": rows})]))
    shown = line("alpha", more=f", inner={{rows: {rows[:count]}")
    view = played(refresh(), (say(), f"{NOTE}\n{shown}"), where=where)

    assert expected == kinds(view, f"{COMPRESSION}/long-lists-collapsed")


def test_empty_fields_count() -> None:
    """A seventh field is not one of the first six because one of those is empty."""
    held = {"mark": word("m"), "none": None, **{f"k{n}": word("k", n) for n in range(6)}}
    shown = ", ".join(f"{k}={v}" for k, v in held.items() if v is not None and k != "k5")
    view = played(
        refresh(), (say(), f"{NOTE}\n- a: {shown}"), where=environment(alpha=section([held]))
    )

    expected = {"field beyond the first ones"}
    assert expected == kinds(view, f"{COMPRESSION}/at-most-six-fields")


def test_the_order_of_fields_is_no_change() -> None:
    """An alert is called for when a value has changed."""
    held = ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 2}, {"b": 2, "a": 1})
    where = environment(
        alpha=section(held * 3, alert=True),
        beta=section([value("beta", n) for n in range(12)], alert=True),
    )
    steps = (refresh(), refresh("beta"), refresh(), refresh("beta"))
    uncalled = played(*steps, where=where, alerts=((2, "alpha"), (3, "beta")))

    assert {"alert without change"} == kinds(uncalled, f"{ALERT}/silent-without-change")
    silent = played(*steps, where=where, alerts=((3, "beta"),))
    assert set() == kinds(silent, f"{ALERT}/silent-without-change")


def test_a_section_comes_to_the_value_of_its_period() -> None:
    """Three periods bring the fourth value, though the first three are the same."""
    held = [value("alpha", n // 3) for n in range(12)]
    where = environment(alpha=section(held, ttl=60))
    steps: list[Any] = [refresh(), (say(), f"{NOTE}\n{line('alpha')}")]
    for _ in range(3):
        steps += [wait(75), (say(), f"{NOTE}\n{line('alpha')}")]

    assert {"refreshed too seldom"} == kinds(
        played(*steps, where=where), "C-SKELETON-REFRESH/every-ttl"
    )
    assert set() == kinds(played(*steps[:-2], where=where), "C-SKELETON-REFRESH/every-ttl")


def test_an_age_counts_from_the_refresh_that_the_kernel_reports() -> None:
    """A value that stays the same is as old as its last refresh."""
    where = environment(alpha=section([value("alpha", 0)] * 4, ttl=100_000))
    view = played(
        refresh(),
        (say(), f"{NOTE}\n{line('alpha')}"),
        wait(500),
        (say(), f"{NOTE}\n{line('alpha', age=' (cached ~500s ago)')}"),
        where=where,
    )
    given = next(event for event in view.trace.events if isinstance(event, SkeletonStored))
    events = list(view.trace.events)
    events.insert(-2, replace(given, step=2))
    told = TraceView(replace(view.trace, events=tuple(events)))
    wait_more = played(
        refresh(),
        (say(), f"{NOTE}\n{line('alpha')}"),
        wait(500),
        wait(5),
        (say(), f"{NOTE}\n{line('alpha', age=' (cached ~505s ago)')}"),
        where=where,
    )
    events = list(wait_more.trace.events)
    events.insert(-2, replace(given, step=3))
    stale = TraceView(replace(wait_more.trace, events=tuple(events)))

    clause = "I-SKELETON-STALENESS-ENVELOPE/age-accurate"
    assert set() == kinds(told, clause)
    assert {"too old"} == kinds(stale, clause)
