"""The judges of agents, on traces that are written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from fedcheck.conformance.driving.judging import judge
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.scenarios.agents import ERROR, answers, asks, failing, item, written
from fedcheck.invariants.vocabulary.messages import Message, Part, ToolCall
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import AnyStep, Turn
from fedcheck.invariants.vocabulary.trace import (
    AGENT_CAPABILITIES,
    AgentFailed,
    AnyEvent,
    CallDispatched,
    CardCall,
    ConfirmationCard,
    Given,
    KernelDescription,
    ModelRequest,
    Reply,
    Trace,
)
from fedcheck.invariants.vocabulary.verdict import Violation

CLAUSES = {x: y for x, y in clauses(own_invariants()).items() if "agent" in y[0].capabilities}
DATA = '{"id": "onyx7q2", "amount": 4000, "open": true, "none": null}'


def user(text: str) -> Message:
    """A message of the user."""
    return Message(role="user", content=text)


def ask(call_id: str = "a", arguments: str = '{"n": 1}') -> Message:
    """A message that asks for one call."""
    call = ToolCall(id=call_id, name="alpha_read_items", arguments=arguments)
    return Message(role="assistant", tool_calls=(call,))


def result(text: str | tuple[Part, ...] = DATA, call_id: str = "a", **more: bool) -> Message:
    """A message with a result."""
    return Message(role="tool", content=text, tool_call_id=call_id, **more)


def trace(*turns: tuple[AnyStep, Sequence[AnyEvent]], **parameters: int) -> Trace:
    """A trace of these turns, as somebody recorded it."""
    events: list[AnyEvent] = []
    for index, (turn, found) in enumerate(turns):
        events.append(Given(step=index, user=turn.user, session=turn.session, stimulus=turn))
        for event in found:
            kind = type(event)
            fields = {name: getattr(event, name) for name in event.__struct_fields__}
            events.append(kind(**{**fields, "step": index}))
    kernel = KernelDescription(
        kernel="k",
        version="1",
        capabilities=tuple(AGENT_CAPABILITIES),
        parameters=Parameters(**parameters),
    )
    return Trace(events=tuple(events), kernel=kernel, origin="recording")


def ran(call: int = 0, arguments: str = '{"n": 1}') -> CallDispatched:
    """A tool was called."""
    return CallDispatched(call=call, app="alpha", function="read_items", args_json=arguments)


def request(*messages: Message, number: int = 1, answered: str = "text") -> ModelRequest:
    """A request to the model."""
    return ModelRequest(prompt=messages, number=number, answered=answered)  # type: ignore[arg-type]


def one_turn(*shown: Message, data: str = DATA, draft: str = "Done.") -> Trace:
    """A turn with one call, whose last request is this."""
    turn = asks("look", written(data), arguments=['{"n": 1}'], draft=draft)
    first = request(user("look"), number=0, answered="calls")
    return trace((turn, [first, ran(), request(user("look"), *shown), Reply(text=draft)]))


def kinds(found: Trace) -> dict[str, set[str]]:
    """The kinds of difference, by clause."""
    told = judge(found, CLAUSES)
    broken = {x: {y.kind for y in f if isinstance(y, Violation)} for x, f in told.items()}
    return {clause: names for clause, names in broken.items() if names}


@pytest.mark.parametrize(
    "content",
    [
        DATA,
        '{"none":null,"open":true,"amount":4000.0,"id":"onyx7q2"}',
        (Part(text=DATA),),
        (Part(type="json", json=DATA),),
        f"Result:\n{DATA}",
        json.dumps({"content": [{"type": "text", "text": DATA}], "isError": False}),
        json.dumps({"structuredContent": json.loads(DATA)}),
    ],
)
def test_forms_of_a_result_that_are_its_value(content: str | tuple[Part, ...]) -> None:
    """Text, parts, envelopes, words before it, another order of fields."""
    assert {} == kinds(one_turn(ask(), result(content)))


def test_one_serialisation_fault_is_one_finding() -> None:
    """A result as Python prints it is no JSON, and nothing else."""
    shown = result("{'id': 'onyx7q2', 'amount': 4000, 'open': True, 'none': None}")

    assert {"C-AGENT-FIDELITY/json-kept": {"not JSON"}} == kinds(one_turn(ask(), shown))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"id": "onyx7q2", "amount": 4000, "open": true}', "key lost"),
        ('{"id": "onyx7q2", "amount": "4000", "open": true, "none": null}', "number as string"),
        ('{"id": "onyx7q2", "amount": 40', "cut"),
    ],
)
def test_changed_values(text: str, kind: str) -> None:
    """Each is told by its kind."""
    assert {"C-AGENT-FIDELITY/values-kept": {kind}} == kinds(one_turn(ask(), result(text)))


def test_a_text_may_be_bare() -> None:
    """But not trimmed."""
    assert {} == kinds(one_turn(ask(), result(" two  blanks "), data='" two  blanks "'))
    assert {"C-AGENT-FIDELITY/text-kept": {"text changed"}} == kinds(
        one_turn(ask(), result("two  blanks"), data='" two  blanks "')
    )


def test_a_history_in_words_is_no_breach() -> None:
    """Where the result stands in the user's text, nothing is paired and nothing forgotten."""
    assert {} == kinds(one_turn(user(f"Observation: {DATA}")))


def test_a_result_that_is_nowhere_is_forgotten() -> None:
    """Neither as a message nor in words."""
    assert {"C-AGENT-RECALL/in-this-turn": {"forgotten"}} == kinds(one_turn())


def test_pairs_that_no_provider_takes() -> None:
    """A call without a result, and a result without a call."""
    assert {"no result"} == kinds(one_turn(ask(), result(), ask("b", '{"n": 2}')))[
        "C-AGENT-PAIRING/one-result-each"
    ]
    assert {"C-AGENT-PAIRING/no-orphan": {"a result without a call"}} == kinds(
        one_turn(ask(), result(), result("gone", "z"))
    )


def two_turns(*earlier: Message, **parameters: int) -> Trace:
    """A turn with a call, and a later one whose request begins with these messages."""
    first = asks("look", written(DATA), arguments=['{"n": 1}'])
    usual = [
        request(user("look"), number=0, answered="calls"),
        ran(),
        request(user("look"), ask(), result()),
        Reply(text="Done."),
    ]
    later = [request(*earlier, user("again"), number=0), Reply(text="Done.")]
    return trace((first, usual), (asks("again"), later), **parameters)


def test_recall_is_judged_within_the_window() -> None:
    """A runtime that declares to send no earlier turn forgets nothing."""
    assert {"C-AGENT-RECALL/within-window": {"forgotten"}} == kinds(two_turns(user("look")))
    assert {} == kinds(two_turns(user("look"), agent_turns=0))
    assert {} == kinds(two_turns(user("look"), ask("other-id"), result(call_id="other-id")))
    assert {} == kinds(two_turns(Message(role="system", content=f"Known: {DATA}")))


def test_words_of_another_session_are_found_without_marks() -> None:
    """By values that only the other one has."""
    first = asks("look", item("basalt"), session="s1")
    second = asks("look", session="s2")
    usual: list[AnyEvent] = [
        request(user("look"), number=0, answered="calls"),
        ran(0, "{}"),
        request(user("look"), ask(arguments="{}"), result(first.calls[0].data_json)),
        Reply(text="Done."),
    ]
    leak = [request(user("basalt0x7?"), user("look"), number=0), Reply(text="Done.")]
    clean = [request(user("look"), number=0), Reply(text="Done.")]

    assert {"C-AGENT-SESSIONS/sessions-apart": {"another session's"}} == kinds(
        trace((first, usual), (second, leak))
    )
    assert {} == kinds(trace((first, usual), (second, clean)))


def stored(call_id: str) -> tuple[Message, ...]:
    """A turn as a history shows it."""
    said = Message(role="assistant", content="It is amber.")
    return user("look"), ask(call_id), result(call_id=call_id), said


STORED = stored("b")


def streamed_and_plain(*history: Message) -> Trace:
    """Two sessions with the same turns, of which the second one streams its first."""
    steps: list[tuple[Turn, Sequence[AnyEvent]]] = []
    for session, streams in (("a", False), ("b", True)):
        first = asks(
            "look",
            written(DATA),
            session=session,
            streams=streams,
            arguments=['{"n": 1}'],
            draft="It is amber.",
        )
        usual = [
            request(user("look"), number=0, answered="calls"),
            ran(),
            request(user("look"), *stored(session)[1:3]),
            Reply(text="It is amber."),
        ]
        shown = history if streams else stored(session)
        last = [request(*shown, user("again"), number=0), Reply(text="Done.")]
        steps += [(first, usual), (asks("again", session=session), last)]
    return trace(*steps)


def test_a_streamed_turn_leaves_the_same_history() -> None:
    """In whatever form; what is missing, or there twice, is told."""
    clause = "C-AGENT-STREAMS/same-history"
    parts = Message(role="assistant", content=(Part(text="It is "), Part(text="amber.")))
    missing, more = {"not there after a stream"}, {"there more often after a stream"}

    assert {} == kinds(streamed_and_plain(*STORED))
    assert {} == kinds(streamed_and_plain(*STORED[:3], parts))
    assert {clause: missing} == kinds(streamed_and_plain(*STORED[:3]))
    assert {clause: missing} == kinds(streamed_and_plain(*STORED[1:]))
    assert {clause: more} == kinds(streamed_and_plain(*STORED, STORED[-1]))


def test_sessions_whose_turns_differ_are_not_compared() -> None:
    """Nothing is said of a stream without a plain session of the same turns."""
    found = streamed_and_plain(*STORED[:3])
    alone = tuple(event for event in found.events if event.step >= 2)
    assert {} == kinds(Trace(events=alone, kernel=found.kernel, origin="recording"))


def test_a_failure_in_other_words_is_told() -> None:
    """That its own text is lost is advisory."""
    turn = asks("do", failing(function="read_items"), arguments=['{"n": 1}'])

    def shown(message: Message) -> Trace:
        first = request(user("do"), number=0, answered="calls")
        return trace(
            (turn, [first, ran(), request(user("do"), ask(), message), Reply(text="Done.")])
        )

    assert {} == kinds(shown(result(ERROR)))
    assert {"C-AGENT-ERRORS/error-text-kept"} == set(kinds(shown(result("An error occurred."))))
    assert {"C-AGENT-ERRORS/told-as-error", "C-AGENT-ERRORS/error-text-kept"} == set(
        kinds(shown(result("All good.")))
    )


@pytest.mark.parametrize("draft", ["<think>hm</think>Done.", "  Done.\n"])
def test_thoughts_and_ends_of_a_reply_are_free(draft: str) -> None:
    """A runtime may take them out."""
    turn = asks("do", draft=draft)
    events = [request(user("do"), number=0), Reply(text="Done.")]

    assert {} == kinds(trace((turn, events)))


def test_a_turn_without_a_reply_is_no_breach() -> None:
    """A runtime may refuse an empty answer."""
    turn = asks("do", draft="")
    events = [request(user("do"), number=0), AgentFailed(message="empty")]

    assert {} == kinds(trace((turn, events)))


def test_every_clause_says_whose_a_breach_is() -> None:
    """The runtime's, or that of its wiring."""
    readings = {invariant.id: invariant.reading for invariant, _ in CLAUSES.values()}

    assert [] == [name for name, text in readings.items() if "A red verdict is the" not in text]


@pytest.mark.parametrize(("data", "text"), [("1", "10"), ("[]", "[[]]"), ("null", '"null"')])
def test_a_value_that_stands_in_another_one_is_changed(data: str, text: str) -> None:
    """A part of a number, a list in a list, a text that reads like nothing."""
    assert ["C-AGENT-FIDELITY/values-kept"] == list(kinds(one_turn(ask(), result(text), data=data)))


@pytest.mark.parametrize(("data", "text"), [("7", "Result: 7"), ("null", "null\n(nothing)")])
def test_words_around_a_value_are_free(data: str, text: str) -> None:
    """Where they are no part of it."""
    assert {} == kinds(one_turn(ask(), result(text), data=data))


def test_arguments_that_are_no_json_may_be_shown_otherwise() -> None:
    """A runtime may show nothing in their place, now or in a later turn."""
    turn = asks("pay", written(DATA), arguments=["to alice"])
    refused = result("Error: no JSON.")
    first = request(user("pay"), number=0, answered="calls")
    raw, empty = ask(arguments="to alice"), ask(arguments="{}")
    usual = [first, request(user("pay"), raw, refused), Reply(text="Done.")]
    later = [request(user("pay"), empty, refused, user("on"), number=0), Reply(text="Done.")]

    assert {} == kinds(trace((turn, usual), (asks("on"), later)))


def asked_and_answered(
    *steps: tuple[AnyStep, Sequence[AnyEvent]], early: bool = False, shown: str = '{"n": 7}'
) -> dict[str, set[str]]:
    """What is found where a turn shows a card and these answers follow."""
    drop = asks("drop it", written("{}", function="drop_item"), arguments=['{"n": 7}'])
    call = CardCall(call=0, app="alpha", function="drop_item", args_json=shown)
    first = [request(user("drop it"), number=0, answered="calls")]
    found = [*first, *[dropped() for _ in range(early)], ConfirmationCard(calls=(call,))]
    return kinds(trace((drop, found), *steps))


def dropped(arguments: str = '{"n": 7}') -> CallDispatched:
    """The destructive tool was called."""
    return CallDispatched(call=0, app="alpha", function="drop_item", args_json=arguments)


def test_what_is_destructive_waits() -> None:
    """For a yes of who asked; a no ends it, and a yes runs once what was shown."""
    yes, no = answers("drop it"), answers("drop it", approve=False)
    other = answers("drop it", user="u2", session="s2")
    done, failed = Reply(text="Done."), AgentFailed(message="nothing waits")
    waits, none, once = (
        f"C-AGENT-CONFIRM/{x}"
        for x in ("waits-for-yes", "no-runs-nothing", "yes-runs-what-was-shown")
    )

    assert {} == asked_and_answered((yes, [dropped(), done]), (yes, [failed]))
    assert {} == asked_and_answered((no, [done]), (yes, [failed]))
    assert {} == asked_and_answered((other, [failed]), (yes, [dropped(), done]))
    assert {} == asked_and_answered((yes, [failed]))
    assert {waits: {"ran before its user's yes"}} == asked_and_answered(early=True)
    assert {waits: {"ran on the yes of another user"}} == asked_and_answered(
        (other, [dropped(), done]), (no, [done])
    )
    assert {none: {"ran after a no"}} == asked_and_answered((no, [dropped(), done]))
    assert {none: {"ran on a yes after a no"}} == asked_and_answered(
        (no, [done]), (yes, [dropped(), done])
    )
    assert {once: {"approved and not run"}} == asked_and_answered((yes, [done]))
    twice = asked_and_answered((yes, [dropped(), done]), (yes, [dropped(), done]))
    assert {once: {"ran twice"}, "C-AGENT-ONCE/at-most-once": {"ran twice"}} == twice
    assert {once: {"something else ran"}} == asked_and_answered(
        (yes, [dropped(), done]), shown='{"n": 8}'
    )
