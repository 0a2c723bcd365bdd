"""Hosting a Python kernel: its description, its steps and its mistakes."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from fedcheck.conformance.adapters import wire
from fedcheck.conformance.adapters.decoding import (
    DESCRIPTION_BYTES,
    PARAMETER_BOUNDS,
    description_from,
)
from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.adapters.journal import Journal
from fedcheck.conformance.adapters.loading import load
from fedcheck.invariants.catalog import catalog
from fedcheck.invariants.rows import aspects, fixed_scenarios
from fedcheck.invariants.vocabulary.errors import (
    KernelReferenceError,
    ProtocolError,
)
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import (
    AnyStep,
    CacheDelete,
    CacheGet,
    CacheSet,
    Environment,
    Scenario,
    Turn,
)
from fedcheck.invariants.vocabulary.trace import (
    CAPABILITIES,
    AnyEvent,
    CacheOutcome,
    ClassifierPrompt,
    Reply,
    StepFailed,
)

KERNELS = Path(__file__).parent / "kernels"


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(KERNELS)


def toy(name: str) -> InProcessAdapter:
    """Host one of the toy kernels here."""
    return InProcessAdapter(f"toys:{name}", load(f"toys:{name}"))


def events(name: str, *steps: AnyStep, scenario: str = "s") -> tuple[AnyEvent, ...]:
    """Return what a toy kernel answers."""
    return toy(name).run(Scenario(id=scenario, steps=steps))


def failure(name: str, *steps: AnyStep, scenario: str = "s") -> ProtocolError:
    """Return the protocol error that a toy kernel provokes."""
    with pytest.raises(ProtocolError) as raised:
        events(name, *steps, scenario=scenario)
    return raised.value


def test_step_user_and_session_are_filled_in() -> None:
    """A kernel need not repeat whose step it is."""
    step = CacheSet(user="anna", session="first", key="k", value_json="1")
    expected = (CacheOutcome(step=0, user="anna", session="first", outcome="accepted"),)
    assert expected == events("Polite", step)


def test_what_the_kernel_sets_is_kept() -> None:
    """An event may name another step, user and session than the current one."""
    (_, event) = events("Generous", Turn(message="x"), CacheSet(key="own ids", value_json="1"))[-2:]
    assert CacheOutcome(step=0, user="someone", session="somewhere", outcome="miss") == event


def test_each_scenario_has_its_own_instance() -> None:
    """Nothing is carried from one scenario to the next."""
    adapter = toy("Polite")
    scenario = Scenario(id="s", steps=(Turn(message="a"), Turn(message="b")))
    assert adapter.run(scenario) == adapter.run(scenario)


@pytest.mark.parametrize("name", ["Polite", "factory"])
def test_environment_reaches_the_constructor(name: str) -> None:
    """A class or a factory with a positional argument gets the environment."""
    scenario = Scenario(
        id="s", steps=(Turn(message="hello"),), environment=Environment(flags={"F": "on"})
    )
    expected = (ClassifierPrompt(step=0, user="u1", session="s1", prompt="1 {'F': 'on'} hello"),)
    assert expected == toy(name).run(scenario)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Polite", {"fact_ledger", "cache", "env_per_scenario"}),
        ("factory", {"fact_ledger", "cache", "env_per_scenario"}),
        ("Frail", set[str]()),
        ("Generous", {"cache", "narrator"}),
        ("Whole", {"fact_ledger"}),
        ("whole_factory", {"fact_ledger"}),
    ],
)
def test_capabilities(name: str, expected: set[str]) -> None:
    """They are the listed ones, else those that the methods amount to."""
    assert expected == set(toy(name).describe().capabilities)


def test_description_comes_from_the_attributes() -> None:
    """Name, version and parameters are read from the class."""
    description = toy("Polite").describe()
    expected = ("polite", "1.2", Parameters(window=7))
    assert expected == (description.kernel, description.version, description.parameters)


def test_description_has_defaults() -> None:
    """A class without attributes is known by its own name."""
    description = toy("Frail").describe()
    assert ("Frail", "unknown", {}) == (
        description.kernel,
        description.version,
        description.env_fixed,
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Boastful", "unknown capability 'cach' (did you mean cache?)"),
        ("Lettered", "Expected `array`, got `str` - at `$.capabilities`"),
        ("Undescribed", "missing required field `version`"),
        ("Embarrassed", "LookupError: who am I"),
    ],
)
def test_wrong_description(name: str, message: str) -> None:
    """A description that is not as agreed is refused, with the reason."""
    with pytest.raises(ProtocolError) as raised:
        toy(name).describe()
    assert message in str(raised.value)


def test_exception_is_a_failed_step_and_the_next_step_follows() -> None:
    """What a kernel raises is its fault, not our crash."""
    first, second = events("Frail", CacheGet(key="raise_error"), CacheGet(key="fine"))
    expected = StepFailed(step=0, user="u1", session="s1", message="ValueError: no such luck")
    assert expected == first
    assert CacheOutcome(step=1, user="u1", session="s1", outcome="miss") == second


def test_system_exit_is_a_failed_step() -> None:
    """A kernel cannot end us by ``sys.exit``."""
    (event,) = events("Frail", CacheGet(key="call_exit"))
    assert StepFailed(step=0, user="u1", session="s1", message="SystemExit: enough") == event


def test_events_before_an_exception_are_kept() -> None:
    """A generator that breaks has still shown something."""
    kinds = [type(event) for event in events("Generous", Turn(message="m"))]
    assert [ClassifierPrompt, Reply, StepFailed] == kinds


def test_missing_method_is_a_failed_step() -> None:
    """A step kind that the kernel does not know is said to be unsupported."""
    (event,) = events("Polite", CacheDelete(key="k"))
    assert isinstance(event, StepFailed)
    assert "does not support 'cache_delete'" in event.message


def test_failing_constructor_fails_every_step() -> None:
    """A kernel that cannot be made fails the steps, with the reason."""
    shown = events("Unmakeable", Turn(message="a"), Turn(message="b"))
    expected = "the kernel could not be made: ConnectionError: no database"
    assert [(0, expected), (1, expected)] == [
        (e.step, e.message) for e in shown if isinstance(e, StepFailed)
    ]


def test_none_is_no_event() -> None:
    """A method may show nothing."""
    assert () == events("Generous", CacheSet(key="nothing", value_json="1"))


def test_a_list_of_events_is_taken() -> None:
    """Any iterable will do."""
    shown = events("Generous", CacheSet(key="list", value_json="1"))
    assert [None, 5.0] == [event.at for event in shown]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("number", "step 0 (cache_set): expected an event, an iterable of events or None, got int"),
        ("text", "got str"),
        ("misspelt", "step 0 (cache_set), event 0: unknown event 'cache_outcom' (did you mean"),
        ("wrong value", "(cache_outcome): Invalid enum value 'acepted' - at `$.outcome`"),
        ("unknown field", "unknown field `colour`"),
        ("wrong type", "Expected `str`, got `int` - at `$.text`"),
        ("bytes", "got `bytes` - at `$.value_json`"),
        ("an object", "(CacheOutcome): Encoding objects of type object is unsupported"),
        ("given", "`given` events are the suite's own"),
        ("no kind", "the field `event`, which names the kind of event, is missing"),
    ],
)
def test_malformed_event(key: str, message: str) -> None:
    """What is no event is refused by step, position and field."""
    assert message in str(failure("Generous", CacheSet(key=key, value_json="1")))


def test_subclasses_of_built_in_types_are_taken_for_what_they_are() -> None:
    """A text with a method of its own is a text."""
    prompt, reply = events("Derived", Turn(message="m"))
    assert isinstance(prompt, ClassifierPrompt)
    assert isinstance(reply, Reply)
    kinds = [type(prompt.prompt), type(prompt.at), type(prompt.call), type(reply.text)]

    assert [str, float, int, str] == kinds
    assert ("as it is", "as it is") == (prompt.prompt, reply.text)
    assert (str, 7) == (
        type(toy("Derived").describe().kernel),
        toy("Derived").describe().parameters.window,
    )


def test_coroutine_is_explained() -> None:
    """An asynchronous method is told what to do."""
    assert "use asyncio.run inside" in str(failure("Generous", CacheGet(key="k")))


def test_protocol_error_carries_the_events_before_it() -> None:
    """What the steps before had shown is not lost."""
    error = failure("Generous", Turn(message="m"), CacheSet(key="number", value_json="1"))
    kinds = [event["event"] for event in error.events if isinstance(event, dict)]
    assert ["classifier_prompt", "reply", "step_failed"] == kinds


def test_kernel_that_runs_scenarios_as_a_whole() -> None:
    """An object with describe and run answers for itself."""
    shown = events("Whole", Turn(message="a"), Turn(message="b"))
    assert [0, 1] == [event.step for event in shown]


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        ("break", "run() raised RuntimeError: gave up"),
        ("misspell", "run(), event 1: unknown event 'replay'"),
    ],
)
def test_whole_run_that_goes_wrong(scenario: str, message: str) -> None:
    """Its exceptions and mistakes are protocol errors that keep the events before them."""
    error = failure("Whole", Turn(message="a"), scenario=scenario)
    assert message in str(error)
    assert 1 == len(error.events)


@pytest.mark.parametrize("name", ["number", "instance"])
def test_what_is_no_kernel(name: str) -> None:
    """An object that is neither is refused before anything runs."""
    with pytest.raises(KernelReferenceError, match=f"toys:{name}: .*is not a kernel"):
        toy(name)


def test_journal_holds_the_scenario_under_way(tmp_path: Path) -> None:
    """The scenario is on disk before the kernel sees it."""
    adapter = toy("Polite")
    adapter.journal = Journal(tmp_path / "journal.json")
    adapter.run(Scenario(id="first", steps=(Turn(message="\ud800"),)))
    adapter.run(Scenario(id="second", steps=()))
    line, *_ = adapter.journal.path.read_text("ascii").splitlines()
    assert "second" == json.loads(line)["scenario"]["id"]


@pytest.mark.parametrize(
    "got", [b"\xff" * 500, "я" * 500, b'{"a":1}', "\ud800\n", "я".encode() * 900]
)
def test_excerpt_is_short_and_ascii(got: bytes | str) -> None:
    """What a kernel sent can be shown on any terminal."""
    shown = wire.excerpt(got)
    assert shown.isascii()
    assert shown.isprintable()
    assert len(shown) <= wire.EXCERPT_LENGTH


def test_unknown_capability_lists_the_known_ones() -> None:
    """A claim that nobody knows would read as not claimed, so it is refused."""
    with pytest.raises(ProtocolError, match="unknown capability 'psi'; known are fact_ledger"):
        description_from({"kernel": "k", "version": "1", "capabilities": ["psi"]}, "here")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"window": 1_000_000_000}, "window is 1000000000; expected 1 to 1,000"),
        ({"window": -3}, "window is -3"),
        ({"ttl_max_seconds": 1}, "ttl_max_seconds is 1; expected 60 to"),
        ({"value_max_bytes": 0}, "value_max_bytes is 0"),
        ({"call_cap": 0}, "call_cap is 0"),
    ],
)
def test_parameters_for_which_no_scenario_can_be_made(
    parameters: dict[str, int], message: str
) -> None:
    """A kernel cannot send the suite into the void by what it says of itself."""
    plain = {"kernel": "k", "version": "1", "parameters": parameters}
    with pytest.raises(ProtocolError, match=f"here: parameter {message}"):
        description_from(plain, "here")


def test_every_number_has_bounds_and_the_documents_lie_within() -> None:
    """Whatever a kernel can declare is bounded, and the default is allowed."""
    words = {"cap_counts", "confirm_writes", "agent_failed_turns"}
    numbers = set(Parameters.__struct_fields__) - words
    assert numbers == set(PARAMETER_BOUNDS)
    assert Parameters() == description_from({"kernel": "k", "version": "1"}, "here").parameters


@pytest.mark.parametrize("bounds", [0, 1])
def test_scenarios_can_be_made_at_the_bounds(bounds: int) -> None:
    """Every invariant makes its scenarios and its strategy for the extreme values."""
    for name, values in PARAMETER_BOUNDS.items():
        parameters = Parameters(**{name: values[bounds]})
        made = Counter[str]()
        for invariant in catalog():
            fixed = fixed_scenarios(invariant, catalog(), parameters, frozenset(CAPABILITIES))
            made.update(scenario.id.partition("/")[0] for scenario in fixed)
            invariant.strategy(parameters)
        assert {each.name for each in aspects()} <= set(made)


def test_a_description_has_a_largest_size() -> None:
    """It stands in every report and signature, whatever part of it is long."""
    plain = {"kernel": "k", "version": "1"}
    long = "x" * DESCRIPTION_BYTES
    for more in ({"kernel": long}, {"env_fixed": {long: ""}}, {"capabilities": ["cache"] * 4000}):
        with pytest.raises(ProtocolError, match="d: the description takes") as raised:
            description_from({**plain, **more}, "d")
        assert 200 > len(str(raised.value))
    assert "k" == description_from({**plain, "commit": "x" * 10_000}, "d").kernel
