"""A scenario told as a conversation."""

from __future__ import annotations

import re
from typing import get_args

from fedcheck.invariants.vocabulary.scenario import (
    Advance,
    AnyStep,
    CacheDelete,
    CacheGet,
    CacheSet,
    Call,
    Confirm,
    DisableExtension,
    Environment,
    Extension,
    Probe,
    RenderPanel,
    Restart,
    Scenario,
    Section,
    SkeletonRefresh,
    StoreSet,
    Turn,
)
from fedcheck.invariants.vocabulary.trace import CacheOutcome, RaisedError, StoreOutcome, Trace
from fedcheck.reports.record.sample import KERNEL, sample_scenario
from fedcheck.reports.wording.scenario_text import environment_lines, step_texts


def deeds(*steps: AnyStep) -> list[str]:
    """Return what the steps of a scenario are said to do."""
    return [text.deed for text in step_texts(Scenario(id="s", steps=steps))]


def test_every_kind_of_step_is_told() -> None:
    """No step kind is missing, and each says what matters of it."""
    steps: dict[AnyStep, str] = {
        Turn(message="hi"): 'says "hi"',
        Confirm(message="hi"): 'answers yes to the card of the turn "hi"',
        CacheSet(key="k", value_json="1"): 'cache.set "k" = 1 [in alpha\'s chat_function]',
        CacheGet(key="k", handler="panel"): 'cache.get "k" [in alpha\'s panel]',
        CacheDelete(key="k", app="beta"): 'cache.delete "k" [in beta\'s chat_function]',
        SkeletonRefresh(): "skeleton section overview of alpha is refreshed",
        StoreSet(key="k", value_json="1"): 'store.set "k" = 1 [alpha]',
        Probe(handler="tool", op="get", path="user.imperal_id"): (
            "get ctx.user.imperal_id [in alpha's tool]"
        ),
        RenderPanel(): "panel board of alpha is rendered",
        Advance(seconds=301): "the clock moves on by 301 s",
        DisableExtension(app="gamma"): "extension gamma is disabled",
        Restart(): "the agent is started anew, with the same storage",
    }
    assert set(get_args(AnyStep)) == {type(step) for step in steps}
    assert list(steps.values()) == deeds(*steps)


def test_probes_say_how_they_reach_the_path() -> None:
    """Arguments, imports and indirect ways are told."""
    told = deeds(
        Probe(handler="tool", op="call", path="skeleton.get", args_json='["a"]', via="dynamic"),
        Probe(handler="tool", op="import", path="fact_ledger"),
    )
    expected = [
        'call ctx.skeleton.get("a"), dynamic [in alpha\'s tool]',
        "import fact_ledger [in alpha's tool]",
    ]
    assert expected == told


def test_a_ttl_is_shown_with_its_type() -> None:
    """True, "60" and 60 are different stimuli."""
    told = [deeds(CacheSet(key="k", value_json="1", ttl_seconds=ttl)) for ttl in (True, "60", 60)]
    assert ["for True s", "for '60' s", "for 60 s"] == [
        re.search(r"for \S+ s", deed)[0]  # type: ignore[index]
        for (deed,) in told
    ]


def test_a_turn_tells_calls_errors_summaries_and_an_unusual_draft() -> None:
    """What the suite scripted is all there; the default draft is not worth a line."""
    failed = Call(status="error", error="no such mail")
    panels = ("board", "list")
    read = Call(app="beta", data_json='{"a":1}', summary="read one", refresh_panels=panels)
    first, second = step_texts(
        Scenario(
            id="s",
            steps=(Turn(message="a", calls=(failed, read)), Turn(message="b", draft="42 mails")),
        )
    )
    assert (
        'calls alpha.read_items -> error "no such mail"',
        'calls beta.read_items -> data {"a":1}, summary "read one", refresh_panels "board", "list"',
    ) == first.details
    assert ('the narrator model drafts "42 mails"',) == second.details


def test_a_failed_call_tells_its_summary_and_a_successful_one_its_error() -> None:
    """Whatever a handler returned may be what the kernel lost."""
    failed = Call(status="error", summary="ask zqpadgds")
    odd = Call(error="half done")
    (text,) = step_texts(Scenario(id="s", steps=(Turn(message="a", calls=(failed, odd)),)))
    assert (
        'calls alpha.read_items -> error "", summary "ask zqpadgds"',
        'calls alpha.read_items -> data {}, error "half done"',
    ) == text.details


def test_the_kernel_outcomes_stand_at_their_steps() -> None:
    """With a trace, each step tells what came of it."""
    scenario = Scenario(id="s", steps=(CacheGet(key="k"), StoreSet(key="k", value_json="1")))
    events = (
        CacheOutcome(step=0, outcome="hit", value_json="7"),
        StoreOutcome(step=1, outcome="error", error=RaisedError(name="OSError", message="full")),
    )
    told = step_texts(scenario, Trace(events=events, kernel=KERNEL))
    assert [("the kernel: hit 7",), ("the kernel: error (OSError: full)",)] == [
        step.details for step in told
    ]


def test_the_environment_is_told_as_far_as_it_matters() -> None:
    """Flags always, their absence where it matters, sections where they are refreshed."""
    extension = Extension(app="alpha", sections=(Section(returns_json=('{"a":1}', '{"a":2}')),))
    environment = Environment(flags_matter=True, extensions=(extension,))
    turn, refresh = Turn(message="hi"), SkeletonRefresh()
    assert ["no flag is set"] == environment_lines(
        Scenario(id="s", steps=(turn,), environment=environment)
    )
    assert 'section overview of alpha returns {"a":1}, then {"a":2}' in environment_lines(
        Scenario(id="s", steps=(refresh,), environment=environment)
    )
    assert [] == environment_lines(Scenario(id="s", steps=(turn,)))
    assert ['flag SAMPLE_FLAG = "true"'] == environment_lines(sample_scenario())


def test_letters_that_look_alike_are_told_apart_in_keys_and_ids() -> None:
    """Cyrillic а and invisible spaces are escaped there; a message stays readable."""
    told = deeds(
        CacheSet(key="m\u0430il", value_json="1", app="\u0430lpha"),
        StoreSet(key="a\u00a0b\u200bc", value_json='"\u0430"'),
        Turn(message="m\u0430il"),
    )
    expected = [
        'cache.set "m\\u0430il" = 1 [in \\u0430lpha\'s chat_function]',
        'store.set "a\\xa0b\\u200bc" = "\u0430" [alpha]',
        'says "m\u0430il"',
    ]
    assert expected == told
