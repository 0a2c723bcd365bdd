"""Extensions that are alike: what the judges tell apart, on hand-built traces."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.invariants.catalog import catalog, clauses
from fedcheck.invariants.judges.prompts.c_extension_ids import CAPITALS, IDS, LETTERS, PUNCTUATION
from fedcheck.invariants.readings.likeness import BEGIN_ALIKE, ONE_NAME, likenesses, runs_together
from fedcheck.invariants.readings.probes import CONTROL_PATH, READ_PATH
from fedcheck.invariants.scenarios.facts import call
from fedcheck.invariants.scenarios.lookalike_apps import ALIKE, alike_environment
from fedcheck.invariants.scenarios.skeleton import (
    alike_sections,
    refresh,
    say,
    section,
    value,
    values,
    word,
)
from fedcheck.invariants.scenarios.store import keep, read
from fedcheck.invariants.vocabulary.protocol import needs
from fedcheck.invariants.vocabulary.scenario import (
    CacheGet,
    CacheSet,
    Environment,
    Extension,
    Probe,
    Scenario,
)
from fedcheck.invariants.vocabulary.trace import (
    AnyEvent,
    CacheOutcome,
    ClassifierPrompt,
    ProbeOutcome,
    SkeletonStored,
    StoreOutcome,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView
from fedcheck.invariants.vocabulary.verdict import Compared, Violation

from .stage import Step, trace_of, turn

CACHE, CACHE_USER = "C-CACHE-ISOLATION/per-extension", "C-CACHE-ISOLATION/per-user"
STORE, STORE_USER = "C-STORE-ISOLATION/per-extension", "C-STORE-ISOLATION/per-user"
SECTIONS, READ = "C-SKELETON-ISOLATION/per-extension", "C-SKELETON-ISOLATION/read-per-extension"
OWNER = "C-LEDGER-OWNER/extension-named"


def judged(clause: str, *steps: Step, where: Environment) -> tuple[set[str], set[str]]:
    """The input classes that a clause compared, and the kinds of its violations."""
    view = trace_of(*steps)
    view = TraceView(replace(view.trace, environment=where))
    findings = list(clauses(catalog())[clause][1].judge(view))
    classes = {name for each in findings if isinstance(each, Compared) for name in each.partitions}
    return classes, {each.kind for each in findings if isinstance(each, Violation)}


def put(number: int, app: str, key: str = "k", user: str = "u1") -> list[Step]:
    """A cached value, and its get by the owner."""
    text = json.dumps({"n": number})
    hit = CacheOutcome(outcome="hit", value_json=text)
    given = CacheSet(key=key, value_json=text, app=app, user=user)
    return [
        (given, [CacheOutcome(outcome="accepted")]),
        (CacheGet(key=key, app=app, user=user), [hit]),
    ]


def got(number: int | None, app: str, key: str = "k", user: str = "u1") -> Step:
    """A get that hits the value of that number, or misses."""
    outcome = CacheOutcome(outcome="miss")
    if number is not None:
        outcome = CacheOutcome(outcome="hit", value_json=json.dumps({"n": number}))
    return CacheGet(key=key, app=app, user=user), [outcome]


@pytest.mark.parametrize("leaks", [True, False])
@pytest.mark.parametrize(
    ("clause", "mine", "other", "kind"),
    [
        (CACHE, ("notes", "k", "u1"), ("notes-list", "k", "u1"), BEGIN_ALIKE),
        (CACHE, ("jotter", "k", "u1"), ("scribe", "k", "u1"), ONE_NAME),
        (CACHE, ("notes", "list-k", "u1"), ("notes-list", "k", "u1"), "with the key"),
        (CACHE, ("note", "sk", "u1"), ("notes", "k", "u1"), "with the key"),
        (CACHE_USER, ("notes", "k", "list-u1"), ("notes-list", "k", "u1"), "with the user"),
    ],
)
def test_a_cached_value_of_an_extension_that_is_alike(
    clause: str, mine: tuple[str, str, str], other: tuple[str, str, str], kind: str, leaks: bool
) -> None:
    """It is served to nobody else, however the addresses are put together."""
    steps = [*put(1, *mine), *put(2, *other), got(1 if leaks else 2, *other)]
    classes, kinds = judged(clause, *steps, where=alike_environment())

    assert any(kind in each for each in classes)
    assert leaks == bool(kinds)


@pytest.mark.parametrize("leaks", [True, False])
@pytest.mark.parametrize(
    ("clause", "mine", "other"),
    [
        (STORE, ("u1", "notes", "k"), ("u1", "notes-list", "k")),
        (STORE, ("u1", "notes", "list-k"), ("u1", "notes-list", "k")),
        (STORE_USER, ("list-u1", "notes", "k"), ("u1", "notes-list", "k")),
    ],
)
def test_a_document_of_an_extension_that_is_alike(
    clause: str, mine: tuple[str, str, str], other: tuple[str, str, str], leaks: bool
) -> None:
    """It is given to nobody else."""
    steps: list[Step] = []
    for number, (user, app, key) in enumerate((mine, other), 1):
        kept = keep(key, number, user=user, app=app)
        shown = ProbeOutcome(outcome="value", value_json=kept.value_json)
        steps += [
            (kept, [StoreOutcome(outcome="accepted")]),
            (read(key, user=user, app=app), [shown]),
        ]
    foreign = steps[0][0].value_json if leaks else steps[2][0].value_json  # type: ignore[union-attr]
    user, app, key = other
    steps.append(
        (read(key, user=user, app=app), [ProbeOutcome(outcome="value", value_json=foreign)])
    )
    _, kinds = judged(clause, *steps, where=alike_environment())

    assert leaks == bool(kinds)


def test_addresses_that_have_nothing_in_common_are_not_compared() -> None:
    """Another extension's other key is nobody's business."""
    steps = [*put(1, "notes", "a"), got(1, "notes-list", "b")]

    assert (set(), set()) == judged(CACHE, *steps, where=alike_environment())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("notes", "list-k"), ("notes-list", "k"), True),
        (("note", "sk"), ("notes", "k"), True),
        (("notes", "k"), ("notes", "k"), False),
        (("notes", "k"), ("notes-list", "k"), False),
    ],
)
def test_what_runs_together(one: tuple[str, str], other: tuple[str, str], expected: bool) -> None:
    """Joined by whatever separator, different pairs may be one text."""
    assert expected == runs_together(one, other)


def test_extensions_of_the_pool_are_not_alike() -> None:
    """Only extensions that a scenario installs are."""
    view = TraceView(replace(trace_of().trace, environment=alike_environment()))

    assert [] == list(likenesses(view, ("alpha", "beta", "notes")))
    assert [BEGIN_ALIKE, ONE_NAME] == list(likenesses(view, ALIKE))


def test_a_display_name_needs_an_extension_that_is_not_deployed() -> None:
    """The extensions of the pool have whatever name the team gave them."""
    named = Scenario(
        id="s",
        steps=(turn("hi")[0],),
        environment=Environment(extensions=(Extension(app="alpha", display_name="Alpha"),)),
    )

    assert "dynamic_extensions" in needs(named)


def lines_of(label: str, app: str) -> str:
    """A prompt with one section under that label."""
    return f"[SKELETON]\n- {label} (cached ~0s ago): mark={word(app, 0)}, total=3"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("notes-list.overview", set[str]()),
        ("notes-list: overview", set[str]()),
        ("notes.overview", {"value under another extension"}),
    ],
)
def test_a_label_names_its_own_extension(label: str, expected: set[str]) -> None:
    """An id that ends like another one is not that one."""
    where = alike_sections()
    ending = Extension(app="list", sections=(section(values("list")),))
    steps: list[Step] = [
        (
            refresh("notes-list"),
            [SkeletonStored(app="notes-list", section="overview", value_json="")],
        ),
        (say(), [ClassifierPrompt(prompt=lines_of(label, "notes-list"))]),
    ]
    unseen = (refresh("notes"), [SkeletonStored(app="notes", section="overview", value_json="")])
    where = replace(where, extensions=(*where.extensions, ending))
    _, kinds = judged(SECTIONS, unseen, *steps, where=where)

    assert expected == kinds


@pytest.mark.parametrize("leaks", [True, False])
def test_a_skeleton_handler_reads_its_own_section(leaks: bool) -> None:
    """Not that of the extension whose id begins alike."""
    steps: list[Step] = []
    for app in ("notes", "notes-list"):
        text = json.dumps(value(app, 0))
        stored: Sequence[AnyEvent] = [SkeletonStored(app=app, section="overview", value_json=text)]
        steps.append((refresh(app), stored))
    whose: dict[str, Any] = {"handler": "skeleton", "app": "notes", "session": "u1-s"}
    shown = json.dumps(value("notes-list" if leaks else "notes", 0))
    steps += [
        (
            Probe(op="get", path=CONTROL_PATH, **whose),
            [ProbeOutcome(outcome="value", value_json='"u1"')],
        ),
        (
            Probe(op="call", path=READ_PATH, args_json='["overview"]', **whose),
            [ProbeOutcome(outcome="value", value_json=shown)],
        ),
    ]
    classes, kinds = judged(READ, *steps, where=alike_sections())

    assert BEGIN_ALIKE in classes
    assert leaks == bool(kinds)


@pytest.mark.parametrize(
    ("shown", "expected"), [("notes-list", set[str]()), ("notes", {"another extension"})]
)
def test_a_fact_names_the_whole_id(shown: str, expected: set[str]) -> None:
    """Not its beginning."""
    asked = turn("ask", call({"n": 1}, app="notes"), call({"n": 2}, app="notes-list"))
    facts = "\n".join(
        f'FACTS: app={app} fn=read_items data={{"n": {n}}}'
        for n, app in enumerate(("notes", shown), 1)
    )
    shown_next = turn("next", classifier=f"[HISTORY]\n[user] ask\n{facts}\n")
    classes, kinds = judged(OWNER, turn("first"), asked, shown_next, where=alike_environment())

    assert BEGIN_ALIKE in classes
    assert expected == kinds


@pytest.mark.parametrize(
    ("other", "kind"),
    [("Notes", CAPITALS), ("notes.list", PUNCTUATION), ("n\u043etes", LETTERS)],
)
@pytest.mark.parametrize("leaks", [True, False])
def test_ids_that_differ_in_one_character(other: str, kind: str, leaks: bool) -> None:
    """They are two extensions, with two caches."""
    assert other in IDS
    steps = [*put(1, "notes"), *put(2, other), got(1 if leaks else 2, other)]
    where = Environment(extensions=(Extension(app="notes"), Extension(app=other)))

    expected = {"cache of another id"} if leaks else set[str]()
    assert ({kind}, expected) == judged("C-EXTENSION-IDS/cache-apart", *steps, where=where)
