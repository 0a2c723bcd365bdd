"""The reference kernel's skeleton, and what its handlers receive."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fedcheck.invariants.vocabulary.scenario import (
    Advance,
    CacheSet,
    DisableExtension,
    Environment,
    Extension,
    Probe,
    Section,
    SkeletonRefresh,
    StoreSet,
)
from fedcheck.invariants.vocabulary.trace import (
    Advanced,
    AlertRaised,
    ExtensionDisabled,
    ProbeOutcome,
    SkeletonStored,
    StepFailed,
)

from .steps import kinds, turn

Play = Callable[..., Any]


def environment(*sections: Section) -> Environment:
    """Return an environment in which alpha has these sections."""
    return Environment(extensions=(Extension(app="alpha", sections=sections),))


def section_line(player: Any) -> str:
    """Return the line of the section ``overview`` in a prompt."""
    (line,) = [x for x in player.prompt().split("\n") if x.startswith("- overview")]
    return line


def test_section_shows_age_and_six_fields(play: Play) -> None:
    """The age grows with the clock; the seventh field and hidden ones are not shown."""
    fields = {"_refreshed_at": 1, **{f"f{n}": n for n in range(7)}}
    player = play(environment(Section(returns_json=(json.dumps(fields),))))
    player.do(SkeletonRefresh(), Advance(seconds=145))

    assert "- overview (cached ~145s ago): f0=0, f1=1, f2=2, f3=3, f4=4, f5=5" == (
        section_line(player)
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"id": n, "name": "x"} for n in range(6)], "list[6]"),
        ([{"id": "abc", "name": "Q3 plan"}], "[Q3 plan (#abc)]"),
        ("y" * 300, "y" * 80 + "…"),
        ("a\n- other: b=1", "a - other: b=1"),
        (True, "true"),
        (None, "null"),
    ],
)
def test_section_is_compressed(play: Play, value: Any, expected: str) -> None:
    """Long strings are cut, six dicts collapse, five may stay, nothing breaks the line."""
    player = play(environment(Section(returns_json=(json.dumps({"v": value}),))))
    player.do(SkeletonRefresh())

    assert f"- overview (cached ~0s ago): v={expected}" == section_line(player)


def test_staleness_note_precedes_the_sections(play: Play) -> None:
    """The block says that its sections are snapshots."""
    player = play()
    player.do(SkeletonRefresh())
    lines = player.prompt().split("\n")

    assert lines[lines.index("[SKELETON]") + 1].startswith("NOTE: every section below is a cached")


def test_section_belongs_to_a_user(play: Play) -> None:
    """Another user's prompt has no section line."""
    player = play()
    player.do(SkeletonRefresh())

    assert "- overview" not in player.prompt(user="u2")


def test_undeclared_section_is_refreshed_when_due(play: Play) -> None:
    """A refresh tool alone is enough, and nobody has to ask for the refresh."""
    player = play(environment(Section(declared=False, ttl_seconds=60)))
    player.do(turn())
    before = player.do(Advance(seconds=59))
    after = player.do(Advance(seconds=1))

    assert [Advanced] == kinds(before)
    assert [SkeletonStored, Advanced] == kinds(after)


def test_section_is_refreshed_each_time_it_was_due(play: Play) -> None:
    """Three periods are three refreshes, each at its own moment; changes raise an alert."""
    values = ('{"n":1}', '{"n":1}', '{"n":2}')
    section = Section(returns_json=values, ttl_seconds=60, alert=True)
    player = play(environment(section))
    events = player.do(Advance(seconds=190))
    start = environment().start_time

    stored = [event for event in events if isinstance(event, SkeletonStored)]
    assert [*zip(values, (start + 60, start + 120, start + 180), strict=True)] == [
        (event.value_json, event.at) for event in stored
    ]
    assert [start + 180] == [event.at for event in events if isinstance(event, AlertRaised)]


def test_disabled_extension_loses_its_sections(play: Play) -> None:
    """The section and the tools go, and no refresh brings them back."""
    player = play()
    disabled = player.one(ExtensionDisabled, SkeletonRefresh(), DisableExtension())
    player.do(Advance(seconds=1000))

    assert "alpha" == disabled.app
    assert "- alpha:" not in player.prompt()
    assert 2 == player.prompt().count("- overview")
    assert [StepFailed] == kinds(player.do(SkeletonRefresh()))


@pytest.mark.parametrize("via", ["direct", "dynamic", "helper"])
@pytest.mark.parametrize("handler", ["tool", "chat_function", "panel", "webhook", "schedule"])
def test_skeleton_is_refused_outside(play: Play, handler: Any, via: Any) -> None:
    """SkeletonAccessForbidden, a PermissionError, in every other handler and by every way."""
    player = play()
    probe = Probe(handler=handler, op="call", path="skeleton.get", args_json='["overview"]')
    outcome = player.one(ProbeOutcome, SkeletonRefresh(), msgspec.structs.replace(probe, via=via))

    assert outcome.error is not None
    assert "SkeletonAccessForbidden" == outcome.error.name
    assert "PermissionError" in outcome.error.bases


def test_skeleton_is_readable_inside(play: Play) -> None:
    """A skeleton handler gets what its section's handler returned, uncompressed."""
    player = play()
    probe = Probe(handler="skeleton", op="call", path="skeleton.get", args_json='["overview"]')
    outcome = player.one(ProbeOutcome, SkeletonRefresh(), probe)

    assert {"total": 3} == json.loads(outcome.value_json or "null")


@pytest.mark.parametrize(
    ("op", "path", "outcome"),
    [
        ("get", "user.imperal_id", "value"),
        ("get", "user.role", "value"),
        ("get", "user.language", "value"),
        *(("get", name, "value") for name in ("store", "cache", "http", "ai", "notify", "secrets")),
        ("get", "fact_ledger", "absent"),
        ("get", "history", "absent"),
        ("get", "skeleton.set", "absent"),
        ("get", "user.__class__", "absent"),
        ("call", "skeleton.set", "raised"),
        ("import", "Extension", "value"),
        ("import", "fact_ledger", "raised"),
    ],
)
def test_handler_has_the_documented_surfaces(play: Play, op: Any, path: str, outcome: str) -> None:
    """What a handler gets, and what it never gets."""
    probe = Probe(handler="chat_function", op=op, path=path, user="u7")
    assert outcome == play().one(ProbeOutcome, probe).outcome


def test_user_is_the_one_of_the_step(play: Play) -> None:
    """Identity comes from the kernel."""
    probe = Probe(handler="panel", op="get", path="user.imperal_id", user="u7")
    assert '"u7"' == play().one(ProbeOutcome, probe).value_json


def test_handler_reads_cache_and_store(play: Play) -> None:
    """Both clients of a handler reach what earlier steps kept."""
    player = play()
    player.do(CacheSet(key="k", value_json='{"n":1}'), StoreSet(key="k", value_json="[2]"))
    values = [
        player.one(
            ProbeOutcome,
            Probe(handler="tool", op="call", path=path, args_json='["k"]'),
        ).value_json
        for path in ("cache.get", "store.get")
    ]

    assert ['{"n": 1}', "[2]"] == values
