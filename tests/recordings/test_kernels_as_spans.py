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
from fedcheck.fixtures.agent.agent import ReferenceAgent
from fedcheck.fixtures.catches import known_catches
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.fixtures.styles import STYLES
from fedcheck.invariants.catalog import own_invariants
from fedcheck.invariants.recorded import NO_SKELETON, NO_STORE, not_told, not_told_clauses
from fedcheck.invariants.rows import fixed_scenarios
from fedcheck.invariants.vocabulary.trace import Trace
from fedcheck.reports.record.reader import read_record

from .kernels_as_spans import attributes, lines, message, spans
from .made import ROOT, audited, told
from .test_audit_command import run

_BROKEN = {
    "digest-of-last-call": "C-LEDGER-DIGEST-FIELDS/one-per-call",
    "cache-of-all-users": "C-CACHE-ISOLATION/per-user",
    "skeleton-alert-of-three-lines": "C-SKELETON-ALERT/one-line",
    "narrator-sees-store": "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/isolation",
}
"""A broken kernel → the clause by which its spans show it."""

BROKEN = sorted(
    name
    for name, mutant in MUTANTS.items()
    if not (isinstance(mutant.kernel, type) and issubclass(mutant.kernel, ReferenceAgent))
)

_NO_WORD = "no word of the section's own is found in a prompt once, after it was returned"
_NOT_COME = "a refresh that was asked for, and of which no handler heard, is not told"
_GUARD = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/guard"

NOT_CARRIED = {
    "C-SKELETON-COMPRESSION/long-lists-collapsed": {_NO_WORD: {"skeleton-root-list-not-collapsed"}},
    "C-SKELETON-COMPRESSION/long-strings-cut": {
        _NO_WORD: {"skeleton-links-whole", "skeleton-root-string-whole"}
    },
    "C-SKELETON-EVERY-TURN/all-sections-shown": {
        _NO_WORD: {
            "skeleton-dropped-when-history-is-long",
            "skeleton-hidden-when-nothing",
            "skeleton-large-left-out",
            "skeleton-no-object-hidden",
        },
        _NOT_COME: {"refresh-by-display-name"},
    },
    "C-SKELETON-ISOLATION/per-extension": {
        _NO_WORD: {"skeleton-by-name-alone", "skeleton-values-doubled"}
    },
    "C-SKELETON-REMOVAL/gone": {
        "a refresh after the removal may tell that the extension was installed again": {
            "skeleton-removed-comes-back"
        }
    },
    "I-SKEL-AUTO-DERIVE-1/refreshed-again": {_NOT_COME: {"skeleton-derived-remembered"}},
    f"{_GUARD}-in-any-form": {
        "what stands in the narrator's prompt is no invention": {"count-after-a-failure"}
    },
}
"""Clause → why spans do not show it broken → the kernels that break it so."""

ALSO = {
    "C-SKELETON-REFRESH/every-ttl": {"skeleton-expires"},
    "C-STORE-LASTING/": {"store-of-twenty"},
    "I-CACHE-": {
        "cache-by-template",
        "cached-false-a-miss",
        "cached-integers-as-floats",
        "key-constructor-refused",
        "key-of-a-number-refused",
    },
    "I-SKELETON-LLM-ONLY/read-inside-skeleton": {
        "skeleton-read-most-refreshed",
        "skeleton-read-of-first-user",
        "skeleton-read-remembered",
    },
}
"""Beginning of a clause → the kernels that spans show to break it, and runs of the suite do not.

What a handler returned is told of one user alone, and time stands still nowhere.
"""

_TELLS_CHANGES_ALONE = "style:skeleton-reports-changes-only"
"""Of what it stores it tells what has changed, so it cannot say that it tells all."""

_OF_WHAT_IS_TOLD = ("C-SKELETON-", "C-STORE-", "I-SKEL", "I-NARRATOR-NO-FABRICATED")
_A_FEW = 12

Span = dict[str, Any]
_EMPTY = '{"extensions":[]}'


@cache
def traces_of(kernel: str, scenarios: tuple[str, ...] | int) -> tuple[Trace, ...]:
    """What a kernel did in some of the fixed scenarios."""
    with plan_run(RunOptions(kernel=kernel, plugins=False)) as plan:
        described, own = plan.description, own_invariants()
        claimed = frozenset(described.capabilities)
        some = [x for i in own for x in fixed_scenarios(i, own, described.parameters, claimed)]
        known = {x.id: x for x in some if runnable(described, x) is None}
        if isinstance(scenarios, int):
            scenarios = tuple(sorted(known)[:: max(1, len(known) // scenarios)])
        return tuple(plan.session.trace(known[name]) for name in scenarios)


def catching(name: str, clause: str) -> tuple[str, ...]:
    """The scenario in which a broken kernel is known to break a clause."""
    return (known_catches()[name][clause],)


def _catching(name: str) -> tuple[Trace, ...]:
    """What a broken kernel did where its fault is seen."""
    return traces_of(f"mutant:{name}", catching(name, _BROKEN[name]))


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
    traces = traces_of("reference", 40)
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
    every = _told(traces_of("reference", (scenario,)))
    found = audited(_written(tmp_path / "spans.jsonl", every))
    tally = found.judged.tallies[_BROKEN[name]]

    assert set() == {clause for clause, each in found.judged.tallies.items() if each.kinds}
    assert (1, 0) == (tally.conversations_kept, tally.conversations_open)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [f"style:{name}" for name in sorted(STYLES)[::12]])
def test_the_spans_of_no_conforming_style_are_blamed(kernel: str, tmp_path: Path) -> None:
    """However it renders what it was given."""
    every = _told(traces_of(kernel, 40))
    for span in every if kernel == _TELLS_CHANGES_ALONE else ():
        _put(span, "fedcheck.whole", "store")

    assert set() == _broken(_written(tmp_path / "spans.jsonl", every))


@pytest.mark.parametrize("name", _BROKEN)
def test_a_broken_kernel_is_found_by_its_spans(name: str, tmp_path: Path) -> None:
    """By the clause that it breaks, and by no other than its own trace shows."""
    found = _broken(_written(tmp_path / "spans.jsonl", _told(_catching(name))))

    assert _BROKEN[name] in found
    assert set() == found - {*known_catches()[name]} - MUTANTS[name].trips - MUTANTS[name].also


def _is_found_or_named(name: str, folder: Path) -> None:
    """Each clause that a kernel breaks is found broken, or named with the reason; no other is."""
    catches, mutant = known_catches()[name], MUTANTS[name]
    traces = traces_of(f"mutant:{name}", tuple(dict.fromkeys(catches.values())))
    found = _broken(_written(folder / "spans.jsonl", _told(traces)))
    named = {
        clause
        for clause in catches
        if not_told(clause) or any(name in x for x in NOT_CARRIED.get(clause, {}).values())
    }
    alone = {
        x for x in found for begin, names in ALSO.items() if x.startswith(begin) and name in names
    }

    assert named == catches.keys() - found
    assert set() == found - alone - mutant.trips - mutant.also - catches.keys()


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize("name", BROKEN)
def test_every_broken_kernel_is_found_by_its_spans(name: str, tmp_path: Path) -> None:
    """Clause by clause, in the scenarios known to show it; what spans do not carry is named."""
    _is_found_or_named(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in BROKEN
        if any(clause.startswith(_OF_WHAT_IS_TOLD) for clause in known_catches()[name])
    ][::_A_FEW],
)
def test_broken_kernels_are_found_by_what_they_tell(name: str, tmp_path: Path) -> None:
    """A few of those that show it by sections, documents and drafts."""
    _is_found_or_named(name, tmp_path)


@pytest.mark.parametrize(
    ("name", "clause", "attribute", "reason"),
    [
        ("guard-absent", _GUARD, "draft", "draft not told"),
        ("guard-absent", _GUARD, "summary", "draft not told"),
        (
            "guard-absent",
            _GUARD,
            "fedcheck.narrator_prompt",
            "draft not told",
        ),
        ("store-per-session", "C-STORE-LASTING/across-sessions", "fedcheck.whole", NO_STORE),
        (
            "skeleton-note-missing",
            "I-SKELETON-STALENESS-ENVELOPE/staleness-stated",
            "fedcheck.whole",
            NO_SKELETON,
        ),
        (
            "skeleton-note-missing",
            "I-SKELETON-STALENESS-ENVELOPE/staleness-stated",
            "returned_json",
            NO_SKELETON,
        ),
    ],
)  # fmt: skip
def test_what_a_kernel_does_not_tell_is_not_judgeable(
    name: str, clause: str, attribute: str, reason: str, tmp_path: Path
) -> None:
    """With the attribute its breach is found; without, nothing is kept and nobody is blamed."""
    every = _told(traces_of(f"mutant:{name}", catching(name, clause)))
    assert clause in _broken(_written(tmp_path / "spans.jsonl", every))
    for span in every:
        _leave_out(span, attribute)
    tally = audited(_written(tmp_path / "less.jsonl", every)).judged.tallies[clause]

    assert (0, 0, {}) == (tally.turns_kept, tally.turns_broken, tally.kinds)
    assert {reason} == {*tally.reasons}


def _leave_out(span: Span, attribute: str) -> None:
    """Take an attribute out of a span, of its step, or of its events; or an event."""
    _without(span, attribute)
    span["events"] = [x for x in span["events"] if x["name"] != attribute]
    for event in span["events"]:
        _without(event, attribute)
    (step,) = (x for x in span["attributes"] if x["key"] == "fedcheck.step")
    asked = json.loads(step["value"]["stringValue"])
    for part in (asked, *asked.get("calls", ())):
        part.pop(attribute, None)
    step["value"]["stringValue"] = json.dumps(asked)


_MAIL = {"app": "mail", "sections": [{"name": "inbox", "ttl_seconds": 300}]}
_TELLING = ("fact_ledger", "narrator", "narrator_guard", "skeleton", "clock", "store", "probe")


def _step(
    number: int, at: float, asked: dict[str, Any], *events: tuple[str, dict[str, Any]]
) -> Span:
    """A span of a kernel that no fixture stands for."""
    told = {
        "fedcheck.trace": "all",
        "fedcheck.number": number,
        "fedcheck.step": json.dumps({"user": "7", "session": "a", **asked}),
        "fedcheck.kernel": json.dumps({"kernel": "k", "version": "1", "capabilities": _TELLING}),
        "fedcheck.environment": json.dumps({"extensions": [_MAIL]}),
        "fedcheck.at": at,
        "fedcheck.whole": "skeleton store",
    }
    return {
        "traceId": f"{number + 1:032x}",
        "spanId": f"{number + 1:016x}",
        "name": asked["step"],
        "startTimeUnixNano": str(int(at * 10**9)),
        "attributes": attributes(told),
        "events": [{"name": f"fedcheck.{x}", "attributes": attributes(y)} for x, y in events],
    }


def _refresh(number: int, at: float, value: dict[str, Any]) -> Span:
    text = json.dumps(value)
    told = {"app": "mail", "section": "inbox", "value_json": text, "returned_json": text}
    asked = {"step": "skeleton_refresh", "app": "mail", "section": "inbox"}
    return _step(number, at, asked, ("skeleton_stored", told))


def _turn(number: int, at: float, prompt: str, narrator: str = "", draft: str = "Done.") -> Span:
    told = [("classifier_prompt", prompt), ("narrator_prompt", narrator)]
    asked = {"step": "turn", "message": "what is new?", "calls": [], "draft": draft}
    prompts = [(name, {"prompt": text}) for name, text in told]
    return _step(number, at, asked, *prompts, ("reply", {"text": draft}))


_NOTE = "Sections are cached snapshots and may be stale."


@pytest.mark.parametrize(
    ("static", "first", "second"),
    [
        ("", {"state": "connected", "new": 3}, {"state": "connected", "new": 4}),
        (
            "The mailbox is connected.",
            {"state": "connected", "new": 3},
            {"state": "broken", "new": 4},
        ),
        (
            "",
            {"state": "connected", "was": "connected", "new": 3},
            {"state": "connected", "new": 4},
        ),
    ],
)
def test_a_word_that_may_stand_for_something_else_blames_nobody(
    static: str, first: dict[str, Any], second: dict[str, Any], tmp_path: Path
) -> None:
    """One that several values hold, or the kernel itself says."""
    begin = 1_778_865_664.0
    every = [
        _turn(0, begin, static),
        _refresh(1, begin + 1, first),
        _turn(2, begin + 200, f"{static}\n{_NOTE}\n- mail.inbox (age: 199s): {json.dumps(first)}"),
        _refresh(3, begin + 201, second),
        _turn(4, begin + 400, f"{static}\n{_NOTE}\n- mail.inbox (age: 199s): {json.dumps(second)}"),
        _step(
            5,
            begin + 401,
            {"step": "disable_extension", "app": "mail"},
            ("extension_disabled", {"app": "mail"}),
        ),
        _turn(6, begin + 402, static),
    ]

    assert set() == _broken(_written(tmp_path / "spans.jsonl", every))


def test_what_the_narrator_was_given_is_no_invention(tmp_path: Path) -> None:
    """Whoever told it; what it was not given is one."""
    begin, draft = 1_778_865_664.0, "Write to help@mail.example.org or order ab-123456."
    given = [_turn(0, begin, "", f"You are the narrator. {draft}", draft)]
    invented = [_turn(0, begin, "", "You are the narrator.", draft)]

    assert set() == _broken(_written(tmp_path / "given.jsonl", given))
    assert {_GUARD, f"{_GUARD}-in-any-form"} <= _broken(
        _written(tmp_path / "invented.jsonl", invented)
    )


def test_nothing_is_no_document_of_somebody_else(tmp_path: Path) -> None:
    """Nor is what a handler asked for where nothing is kept."""
    begin = 1_778_865_664.0

    def kept(number: int, user: str, key: str, value: str) -> Span:
        asked = {"step": "store_set", "user": user, "app": "mail", "key": key, "value_json": value}
        return _step(number, begin + number, asked, ("store_outcome", {"outcome": "accepted"}))

    def read(number: int, user: str, arguments: list[Any], value: str) -> Span:
        asked = {"step": "probe", "user": user, "app": "mail", "handler": "chat_function"}
        asked |= {"op": "call", "path": "store.get", "args_json": json.dumps(arguments)}
        told = ("probe_outcome", {"outcome": "value", "value_json": value})
        return _step(number, begin + number, asked, told)

    theme = '{"theme": "dark"}'
    every = [
        kept(0, "7", "a", "{}"),
        kept(1, "7", "b", theme),
        read(2, "7", ["b"], theme),
        read(3, "8", ["a"], "{}"),
        read(4, "8", ["b", {"theme": "dark"}], theme),
    ]
    assert set() == _broken(_written(tmp_path / "spans.jsonl", every))
    leak = [*every, read(5, "8", ["b"], theme)]

    assert {"C-STORE-ISOLATION/per-user"} == _broken(_written(tmp_path / "leak.jsonl", leak))


def test_the_guide_names_what_spans_of_kernels_do_not_show() -> None:
    """Each clause with its reason, in the words of the product."""
    guide = " ".join((ROOT / "docs" / "audit.md").read_text(encoding="utf-8").split())
    rows = {
        f"| {', '.join(f'`{clause}`' for clause in clauses)} | {reason} |"
        for reason, clauses in not_told_clauses().items()
    }

    assert set() == {row for row in rows if row not in guide}


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


@pytest.mark.parametrize(
    ("dropped", "judgeable"),
    [
        ({}, True),
        ({"droppedLinksCount": 3}, True),  # no link is read
        ({"droppedAttributesCount": 1}, False),
        ({"droppedEventsCount": 2}, False),
        ({"events": {"droppedAttributesCount": 1}}, False),
    ],
    ids=["nothing", "links", "attributes", "events", "attributes of an event"],
)
def test_what_an_sdk_dropped_is_told_in_protobuf_as_in_json(
    dropped: dict[str, Any], judgeable: bool, tmp_path: Path
) -> None:
    """Of a kernel that keeps its promise and of one that breaks it: judged, or not judgeable."""
    pytest.importorskip("opentelemetry.proto.trace.v1.trace_pb2", reason="needs the extra `audit`")
    name = "cache-of-all-users"
    clause, scenario = _BROKEN[name], known_catches()[name][_BROKEN[name]]
    for is_broken in (True, False):
        every = _told(_catching(name) if is_broken else traces_of("reference", (scenario,)))
        own = dict(dropped)
        for event in every[0]["events"][:1]:
            event.update(own.pop("events", {}))
        every[0].update(own)
        (tmp_path / "spans.pb").write_bytes(message(every))
        binary = audited(tmp_path / "spans.pb")
        text = audited(_written(tmp_path / "spans.jsonl", every))
        tally = binary.judged.tallies[clause]

        assert (is_broken and judgeable) == bool(tally.turns_broken)
        assert judgeable == (tally.turns_open == 0)
        assert [(k, v.kinds, v.reasons) for k, v in text.judged.tallies.items()] == [
            (k, v.kinds, v.reasons) for k, v in binary.judged.tallies.items()
        ]


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
