"""The reference agent, its broken twins and its styles take the profile's steps."""

from __future__ import annotations

import pytest

from fedcheck.fixtures.agent.agent import ReferenceAgent
from fedcheck.fixtures.mutants import MUTANTS
from fedcheck.fixtures.styles import STYLES
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.scenarios.agents import asks, failing, item, returning
from fedcheck.invariants.vocabulary.scenario import ModelFault, Restart, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import (
    AgentFailed,
    AnyEvent,
    CallDispatched,
    ModelRequest,
    Reply,
    Restarted,
    StepFailed,
)

TOUR = Scenario(
    id="tour",
    steps=(
        asks("hello"),
        asks("look", item("opal"), failing(), returning([1, None, "x"]), draft="Found."),
        asks("one by one", item("agate", 1), item("agate", 2), one_by_one=True),
        asks("pay", item("lime"), arguments=['{"to": "alice", "amount": 1000}'], cut=[0]),
        asks("pay it", item("marl"), arguments=["to alice"]),
        asks("slow", item("tuff"), faults=[ModelFault(kind="rate_limit")]),
        asks("broken", item("chalk"), faults=[ModelFault(request=1, kind="cut_stream")]),
        asks("elsewhere", item("slate"), session="s2"),
        asks("at once", item("clay"), session="s3", overlaps=True),
        Restart(),
        asks("and now?"),
    ),
)
"""Every kind of step at least once."""

AGENT_MUTANTS = [name for name, x in MUTANTS.items() if issubclass(x.kernel, ReferenceAgent)]
AGENT_STYLES = [name for name, x in STYLES.items() if issubclass(x.kernel, ReferenceAgent)]


def events(kind: type[ReferenceAgent] = ReferenceAgent) -> list[AnyEvent]:
    """What an agent of this class does on the tour."""
    return kind().run(TOUR)


def endings(found: list[AnyEvent]) -> list[tuple[int, str]]:
    """How each step ended, in the order of the steps."""
    kinds = (Reply, AgentFailed, Restarted)
    return sorted((x.step, type(x).__name__) for x in found if isinstance(x, kinds))


def test_every_step_ends_once() -> None:
    """By a reply, an error or a new process; only the broken stream is an error."""
    usual = [(step, "Reply") for step in range(11)]
    usual[6], usual[9] = (6, "AgentFailed"), (9, "Restarted")

    assert usual == endings(events())


def test_calls_run_once_and_cut_ones_do_not() -> None:
    """Under their own step, without the argument that the model adds."""
    ran = [(x.step, x.call, x.args_json) for x in events() if isinstance(x, CallDispatched)]

    assert [(1, n, "{}") for n in range(3)] == [x for x in ran if x[0] == 1]
    assert not [x for x in ran if x[0] in (3, 4)]
    assert len(ran) == len({x[:2] for x in ran})


def test_overlapping_turns_take_turns() -> None:
    """A request of the second stands between two of the first."""
    order = [x.step for x in events() if isinstance(x, ModelRequest) and x.step in (7, 8)]

    assert [7, 8, 7, 8] == order


def test_requests_bear_no_marks_of_ours() -> None:
    """What tells turns apart is taken out again."""
    texts = [m.text for x in events() if isinstance(x, ModelRequest) for m in x.prompt]

    assert not [text for text in texts if "[t" in text]


def test_a_second_run_is_a_new_installation() -> None:
    """Nothing is left of the first one."""
    agent = ReferenceAgent()
    first, second = agent.run(TOUR), agent.run(TOUR)

    assert len(first) == len(second)
    assert endings(first) == endings(second)


@pytest.mark.parametrize("name", AGENT_STYLES)
def test_style_takes_every_kind_of_step(name: str) -> None:
    """No style breaks down, and each has a sentence."""
    found = events(STYLES[name].kernel)

    assert name.startswith("agent-")
    assert f"style:{name}" == STYLES[name].kernel.name
    assert not [x for x in found if isinstance(x, StepFailed)]
    assert [x[0] for x in endings(found)] == list(range(11))
    assert STYLES[name].description.endswith(".")


@pytest.mark.parametrize("name", AGENT_MUTANTS)
def test_mutant_takes_every_kind_of_step(name: str) -> None:
    """A broken agent breaks promises, not down; it trips clauses about agents."""
    found = events(MUTANTS[name].kernel)
    known = {x for x, (i, _) in clauses(own_invariants()).items() if "agent" in i.capabilities}

    assert name.startswith("agent-")
    assert not [x for x in found if isinstance(x, StepFailed)]
    assert set() == (MUTANTS[name].trips | MUTANTS[name].also) - known
    assert MUTANTS[name].description.endswith(".")


def test_each_clause_has_three_broken_agents() -> None:
    """And there are fifteen styles at least."""
    counts = {x: 0 for x, (i, _) in clauses(own_invariants()).items() if "agent" in i.capabilities}
    for name in AGENT_MUTANTS:
        for clause in MUTANTS[name].trips:
            counts[clause] += 1

    assert {} == {clause: count for clause, count in counts.items() if count < 3}
    assert 15 <= len(AGENT_STYLES)


def test_other_steps_are_told_to_be_none_of_an_agent() -> None:
    """A kernel's step fails, and is no pass."""
    (found,) = ReferenceAgent().run(Scenario(id="x", steps=(_kernel_step(),)))

    assert isinstance(found, StepFailed)


def _kernel_step() -> Turn:
    from fedcheck.invariants.vocabulary.scenario import Advance

    return Advance(seconds=1)  # type: ignore[return-value]
