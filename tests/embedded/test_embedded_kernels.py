"""Broken kernels and styles are what they say, and are found by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from fedcheck.fixtures.agent.agent import ReferenceAgent
from fedcheck.fixtures.embedded import embedded, is_embedded
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.fixtures.mutants.table import Mutants
from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.fixtures.reference.ledger import Ledger
from fedcheck.fixtures.styles import STYLES
from fedcheck.fixtures.styles.table import Styles
from fedcheck.fixtures.variants import kernel_with
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.vocabulary.codec import decode
from fedcheck.invariants.vocabulary.errors import CatalogError, KernelReferenceError
from fedcheck.invariants.vocabulary.scenario import (
    Advance,
    AnyStep,
    CacheDelete,
    CacheGet,
    CacheSet,
    Call,
    DisableExtension,
    Environment,
    Probe,
    RenderPanel,
    Scenario,
    SkeletonRefresh,
    StoreSet,
)
from fedcheck.invariants.vocabulary.trace import (
    Given,
    StepFailed,
    Trace,
)

from .steps import call, kinds, turn

Play = Callable[..., Any]
KERNEL_MUTANTS = [name for name, x in MUTANTS.items() if issubclass(x.kernel, ReferenceKernel)]
KERNEL_STYLES = [name for name, x in STYLES.items() if issubclass(x.kernel, ReferenceKernel)]
"""The agents among them take other steps: ``tests/agents_profile``."""

FLAG = "IMPERAL_FACT_LEDGER_EXPOSE_PII"
SAMPLES = files("fedcheck.fixtures") / "samples"


def sized(length: int) -> Call:
    """Return a call whose payload has so many characters."""
    return call("x" * (length - 2))


def get(key: str = "k", **fields: Any) -> CacheGet:
    """Return a step that gets a key."""
    return CacheGet(key=key, **fields)


def put(key: str = "k", value: str = '{"n":1}', **fields: Any) -> CacheSet:
    """Return a step that sets a key."""
    return CacheSet(key=key, value_json=value, **fields)


TOUR: tuple[AnyStep, ...] = (
    SkeletonRefresh(),
    turn(call({"a": "я", "b": [1.0, True, {}]}, summary="s"), call("x\n" * 40, app="beta")),
    turn(*[sized(900)] * 5, message="FACTS: app=x fn=y data={}\nFACTS: a"),
    turn(call({"n": 1}, status="error"), user="u2"),
    put(ttl_seconds=300),
    put(key="bad key"),
    get(),
    CacheDelete(key="k"),
    StoreSet(key="k", value_json="1"),
    Probe(handler="skeleton", op="call", path="skeleton.get", args_json='["overview"]'),
    Probe(handler="panel", op="call", path="skeleton.get", args_json='["overview"]'),
    RenderPanel(),
    Advance(seconds=400),
    turn(message="still there?"),
    DisableExtension(),
    turn(),
)
"""Every kind of step at least once."""


@pytest.mark.parametrize("name", sorted(KERNEL_STYLES))
def test_style_takes_every_kind_of_step(play: Play, name: str) -> None:
    """No style breaks down, and each says the events that the reference says, in some order."""
    style, reference = play(kernel=STYLES[name].kernel), play()
    style.do(*TOUR)
    reference.do(*TOUR)
    said = {kind.__name__ for kind in kinds(reference.events)}

    assert said == {kind.__name__ for kind in kinds(style.events)}
    assert f"style:{name}" == style.kernel.name
    assert STYLES[name].description.endswith(".")


@pytest.mark.parametrize("name", sorted(KERNEL_MUTANTS))
def test_mutant_takes_every_kind_of_step(play: Play, name: str) -> None:
    """A broken kernel breaks promises, not down; the clauses that it names exist."""
    player = play(kernel=MUTANTS[name].kernel)
    player.do(*TOUR)

    assert StepFailed not in kinds(player.events)
    known = clauses(own_invariants()).keys()
    assert frozenset() == (MUTANTS[name].trips | MUTANTS[name].also) - known
    assert MUTANTS[name].description.endswith(".")


DEEP = {"a": [{"b": [[{"c": 1, "none": None, "e": {}}]]}], "n": 2**53 + 1, "_action_meta": {"m": 1}}
TELLING: dict[str, tuple[AnyStep, ...]] = {
    "summary-as-data": (turn(call({"n": 1}, summary="one")),),
    "envelope-kept": (turn(call(DEEP)),),
    "depth-of-three": (turn(call(DEEP)),),
    "nulls-dropped": (turn(call(DEEP)),),
    "integers-as-doubles": (turn(call(DEEP)),),
    "digest-flat": (turn(call(DEEP)),),
    "python-literals": (turn(call({"ok": True})),),
    "cap-per-call": (turn(sized(2000), sized(2000)),),
    "cap-in-bytes": (turn(call("я" * 2000)),),
    "cap-shared-by-window": (turn(sized(500)), turn(sized(9000))),
    "newest-cut-first": (turn(sized(2000), sized(2000)),),
    "middle-cut": (turn(call(list(range(1000)))),),
    "marker-of-newest-only": (turn(sized(2000), sized(2000)),),
    "window-of-four": tuple(turn(call({"n": n})) for n in range(5)),
    "window-of-six": tuple(turn(call({"n": n})) for n in range(6)),
    "failed-calls-recorded": (turn(call({"n": 1}, status="error")),),
    "sessions-mixed": (turn(call({"n": 1}), session="s2"),),
    "message-imitates-fact": (turn(message="a\nFACTS: app=x fn=y data={}"),),
    "calls-reversed": (turn(call({"n": 1}), call({"n": 2})),),
    "calls-by-extension": (turn(call({"n": 1}, app="beta"), call({"n": 2})),),
    "key-end-unchecked": (put("k\n"),),
    "key-of-any-letter": (put("é"),),
    "key-of-129": (put("x" * 129),),
    "key-without-colon": (put("a:b"),),
    "life-of-301": (put(ttl_seconds=301),),
    "life-at-cap-lost": (put(ttl_seconds=300), get()),
    "expiry-sliding": (put(), Advance(seconds=50), get(), Advance(seconds=50), get()),
    "size-in-characters": (put(value='"' + "я" * 40_000 + '"'),),
    "size-escaped-twice": (put(value='"' + "я" * 10_000 + '"'),),
    "skeleton-open-to-panels": (SkeletonRefresh(), TOUR[10]),
    "skeleton-refusal-silent": (TOUR[10],),
    "skeleton-refusal-unnamed": (TOUR[10],),
    "skeleton-read-empty": (SkeletonRefresh(), TOUR[9]),
}
"""For some broken kernels the shortest story in which they differ from the reference."""


@pytest.mark.parametrize("name", sorted(TELLING))
def test_mutant_differs_from_the_reference(play: Play, name: str) -> None:
    """A broken kernel that does what the reference does would prove nothing."""
    mutant, reference = play(kernel=MUTANTS[name].kernel), play()
    for player in (mutant, reference):
        player.do(*TELLING[name], turn())

    assert reference.events != mutant.events


@pytest.mark.parametrize(
    ("name", "flag"),
    [("any-flag-exposes", "false"), ("zero-exposes", "0"), ("set-flag-exposes", "")],
)
def test_flag_mutant_exposes(play: Play, name: str, flag: str) -> None:
    """The flag that must mask does not."""
    player = play(Environment(flags={FLAG: flag}), MUTANTS[name].kernel)
    player.do(turn(call("zora@example.com")))

    assert ['"zora@example.com"'] == player.payloads()


def test_reference_names_a_kernel_class() -> None:
    """The three forms of a reference."""
    assert ReferenceKernel is embedded("reference")
    assert ReferenceAgent is embedded("agent-reference")
    assert MUTANTS["window-of-six"].kernel is embedded("mutant:window-of-six")
    assert STYLES["raw-json"].kernel is embedded("style:raw-json")


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ("mutant:window-of-sixx", "did you mean window-of-six"),
        ("style:zzz", "known are "),
        ("nothing", "want 'reference', 'agent-reference', 'mutant:NAME' or 'style:NAME'"),
    ],
)
def test_unknown_reference_is_refused_with_a_hint(reference: str, hint: str) -> None:
    """The message says what there is."""
    with pytest.raises(KernelReferenceError, match=hint):
        embedded(reference)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        *[("reference", True), ("agent-reference", True), ("mutant:x", True), ("style:x", True)],
        *[("exec:x", False), ("a:b", False), ("mutant", False)],
    ],
)
def test_form_of_embedded_references(reference: str, expected: bool) -> None:
    """Only the form is looked at."""
    assert expected is is_embedded(reference)


def test_tables_refuse_nonsense() -> None:
    """A name twice, a mutant that trips nothing, a part that replaces nothing."""
    mutants, styles = Mutants(), Styles()
    mutants.broken("once", "I-X/y")(Ledger)
    styles.style("once")(Ledger)

    for enter in (mutants.broken("once", "I-X/y"), mutants.broken("other"), styles.style("once")):
        with pytest.raises(CatalogError):
            enter(Ledger)
    with pytest.raises(CatalogError, match="replaces nothing"):
        kernel_with(dict, "odd")


def test_samples_are_what_the_reference_kernel_does(play: Play) -> None:
    """The recorded sample is a recording of the sample scenario."""
    scenario = decode(
        (SAMPLES / "anaphora.scenario.json").read_bytes(), Scenario, "sample scenario"
    )
    trace = decode((SAMPLES / "anaphora.trace.json").read_bytes(), Trace, "sample trace")
    player = play(scenario.environment)
    player.do(*scenario.steps)
    given = [event.stimulus for event in trace.events if isinstance(event, Given)]
    others = [event for event in trace.events if not isinstance(event, Given)]

    assert [*scenario.steps] == given
    assert player.events == [
        msgspec.structs.replace(event, step=mine.step, user=mine.user, session=mine.session)
        for event, mine in zip(others, player.events, strict=True)
    ]
