"""Kernels that tell their steps as spans: the clauses of kernels judge them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fedcheck.conformance.driving.drive import runnable
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.fixtures.catches import known_catches
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.fixtures.styles import STYLES
from fedcheck.invariants.catalog import own_invariants
from fedcheck.invariants.rows import fixed_scenarios
from fedcheck.invariants.vocabulary.trace import Trace
from fedcheck.reports.record.reader import read_record

from .kernels_as_spans import attributes, lines, spans
from .made import audited, told
from .test_audit_command import run

_BROKEN = {
    "digest-of-last-call": "C-LEDGER-DIGEST-FIELDS/one-per-call",
    "cache-of-all-users": "C-CACHE-ISOLATION/per-user",
    "skeleton-alert-of-three-lines": "C-SKELETON-ALERT/one-line",
    "narrator-sees-store": "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/isolation",
}
"""A broken kernel → the clause by which its spans show it."""

Span = dict[str, Any]
_EMPTY = '{"extensions":[]}'


@cache
def _traces(kernel: str, scenarios: tuple[str, ...] | int) -> tuple[Trace, ...]:
    """What a kernel did in some of the fixed scenarios."""
    with plan_run(RunOptions(kernel=kernel, plugins=False)) as plan:
        described, own = plan.description, own_invariants()
        claimed = frozenset(described.capabilities)
        some = [x for i in own for x in fixed_scenarios(i, own, described.parameters, claimed)]
        known = {x.id: x for x in some if runnable(described, x) is None}
        if isinstance(scenarios, int):
            scenarios = tuple(sorted(known)[:: max(1, len(known) // scenarios)])
        return tuple(plan.session.trace(known[name]) for name in scenarios)


def _catching(name: str) -> tuple[Trace, ...]:
    """What a broken kernel did where its fault is seen."""
    return _traces(f"mutant:{name}", (known_catches()[name][_BROKEN[name]],))


def _told(traces: tuple[Trace, ...]) -> list[Span]:
    return [x for n, trace in enumerate(traces) for x in spans(trace, f"{n} {trace.scenario}")]


def _written(path: Path, every: list[Span]) -> Path:
    path.write_text(lines(every), encoding="utf-8")
    return path


def _broken(*paths: Path) -> set[str]:
    found = audited(*paths)
    assert {} == found.judged.errors
    return {clause for clause, tally in found.judged.tallies.items() if tally.kinds}


def test_the_spans_of_a_sound_kernel_are_kept(tmp_path: Path) -> None:
    """Whatever it was asked; nothing is unreadable."""
    traces = _traces("reference", 40)
    found = audited(_written(tmp_path / "spans.jsonl", _told(traces)))
    tallies = found.judged.tallies

    assert set() == {clause for clause, tally in tallies.items() if tally.kinds}
    assert len(traces) == found.judged.conversations
    assert {} == found.judged.errors
    assert set() == {*found.judged.remarks.counts}


@pytest.mark.parametrize("name", _BROKEN)
def test_a_sound_kernel_keeps_what_a_broken_one_breaks(name: str, tmp_path: Path) -> None:
    """Asked the same, it is judged by that clause and keeps it."""
    scenario = known_catches()[name][_BROKEN[name]]
    every = _told(_traces("reference", (scenario,)))
    found = audited(_written(tmp_path / "spans.jsonl", every))
    tally = found.judged.tallies[_BROKEN[name]]

    assert set() == {clause for clause, each in found.judged.tallies.items() if each.kinds}
    assert (1, 0) == (tally.conversations_kept, tally.conversations_open)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [f"style:{name}" for name in sorted(STYLES)[::12]])
def test_the_spans_of_no_conforming_style_are_blamed(kernel: str, tmp_path: Path) -> None:
    """However it renders what it was given."""
    assert set() == _broken(_written(tmp_path / "spans.jsonl", _told(_traces(kernel, 40))))


@pytest.mark.parametrize("name", _BROKEN)
def test_a_broken_kernel_is_found_by_its_spans(name: str, tmp_path: Path) -> None:
    """By the clause that it breaks, and by no other than its own trace shows."""
    found = _broken(_written(tmp_path / "spans.jsonl", _told(_catching(name))))

    assert _BROKEN[name] in found
    assert set() == found - {*known_catches()[name]} - MUTANTS[name].trips - MUTANTS[name].also


def test_spans_in_any_order_twice_and_in_two_files_are_judged_the_same(tmp_path: Path) -> None:
    """What comes twice is a remark; nothing else of what is judged changes."""
    every = _told(tuple(trace for name in _BROKEN for trace in _catching(name)))
    one = audited(_written(tmp_path / "one.jsonl", every))
    mixed = [*every[1::2], *reversed(every), *every[::2]]
    first = _written(tmp_path / "first.jsonl", mixed[: len(every)])
    two = audited(first, _written(tmp_path / "second.jsonl", mixed[len(every) :]))
    counts = [
        {
            clause: (tally.turns_kept, tally.turns_broken, tally.turns_open, dict(tally.kinds))
            for clause, tally in found.judged.tallies.items()
        }
        for found in (one, two)
    ]

    assert counts[0] == counts[1]
    assert {"a span that was recorded before": len(every)} == dict(two.judged.remarks.counts)
    assert told(one) == told(audited(tmp_path / "one.jsonl"))


def _without(span: Span, name: str) -> None:
    span["attributes"] = [x for x in span["attributes"] if x["key"] != name]


def _put(span: Span, name: str, value: Any) -> None:
    _without(span, name)
    span["attributes"] += attributes({name: value})


def _drop_first(every: list[Span]) -> None:
    del every[0]


@pytest.mark.parametrize(
    ("spoil", "remark"),
    [
        (_drop_first, "missing"),
        (lambda every: _without(every[-1], "fedcheck.number"), "without fedcheck.number"),
        (lambda every: _put(every[-1], "fedcheck.number", 0), "two ways"),
        (lambda every: _put(every[0], "fedcheck.step", "{nonsense"), "cannot be read"),
        (lambda every: _put(every[0], "fedcheck.kernel", '{"kernel":3}'), "cannot be read"),
        (lambda every: _without(every[0], "fedcheck.kernel"), "fedcheck.kernel: missing"),
        (lambda every: _without(every[0], "fedcheck.environment"), "environment: missing"),
        (lambda every: _put(every[-1], "fedcheck.environment", _EMPTY), "another kernel"),
        (lambda every: every[0]["events"].append({"name": "fedcheck.odd"}), "another name"),
        (lambda every: every[0]["events"].append({"name": "fedcheck.digest"}), "field `app_id`"),
        (lambda every: every[0]["events"].append({"name": "fedcheck.given"}), "another name"),
        (lambda every: every[0].update(droppedEventsCount=1), "dropped"),
    ],
)  # fmt: skip
def test_what_is_missing_of_a_kernel_s_spans_breaks_nothing(
    spoil: Callable[[list[Span]], None], remark: str, tmp_path: Path
) -> None:
    """It is named by file and line, and what hangs on it is not judgeable."""
    every = _told(_catching("cache-of-all-users"))
    assert len(every) > 1
    spoil(every)
    found = audited(_written(tmp_path / "spans.jsonl", every))
    remarks = found.judged.remarks

    assert set() == {clause for clause, tally in found.judged.tallies.items() if tally.kinds}
    assert [name for name in remarks.counts if remark in name]
    assert all(place.line for places in remarks.places.values() for place in places)
    tally = found.judged.tallies[_BROKEN["cache-of-all-users"]]
    assert (0, 0, tally.turns) == (tally.turns_kept, tally.turns_broken, tally.turns_open)


def test_hostile_spans_of_a_kernel_are_remarks(tmp_path: Path) -> None:
    """Nesting, numbers without end, half of a surrogate pair, values of every wrong kind."""
    (good, *_) = _told(_catching("cache-of-all-users"))
    values = ["[" * 100_000, "9" * 5000, '{"step":"turn","message":"\ud800"}', "\ud800", 3, True]
    values += [2.5, "null", '{"step":"advance","seconds":1e999}', '{"step":"odd"}']
    every: list[Span] = []
    for value in values:
        for name in ("fedcheck.step", "fedcheck.kernel", "fedcheck.environment", "fedcheck.number"):
            span = json.loads(json.dumps(good))
            _put(span, name, value)
            every.append(span)
        event = {"name": "fedcheck.reply", "attributes": attributes({"text.json": value})}
        every.append({**good, "events": [event, {"name": "fedcheck.", "attributes": []}]})
    found = audited(_written(tmp_path / "spans.jsonl", every))

    assert found.judged.remarks.counts
    assert {} == found.judged.errors


def test_a_record_of_a_kernel_s_spans_is_bundled_and_verified(tmp_path: Path) -> None:
    """From the command line: exit code 1, the clause named, evidence that follows from itself."""
    name = "narrator-sees-store"
    recording = _written(tmp_path / "spans.jsonl", _told(_catching(name)))
    record, bundle = tmp_path / "audit.ndjson", tmp_path / "audit.zip"
    assert 1 == run("audit", recording, "--record", record, "--evidence", "full").code
    read = read_record(record)

    assert _BROKEN[name] in {x.clause for x in read.clauses if x.verdict.broken}
    assert "kernel" == read.header.kernel.kernel
    assert 0 == run("bundle", record, "-o", bundle).code
    assert 0 == run("verify", bundle, "--recordings", recording).code
