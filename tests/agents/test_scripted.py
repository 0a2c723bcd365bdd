"""What our model says and our tools return in an agent's turns."""

from __future__ import annotations

import json

import pytest

from fedcheck.fixtures.agent.scripted import (
    ASIDE,
    NO_CALL,
    REPEATS,
    Answer,
    Request,
    Script,
    call_id,
    marked,
    unmarked,
    with_ref,
    without_ref,
)
from fedcheck.invariants.vocabulary.messages import Message, Tool, ToolCall
from fedcheck.invariants.vocabulary.scenario import AgentTurn, Call, ModelFault, Turn

TOOLS = (Tool(name="alpha_read_items"), Tool(name="beta_list_items"))
CALLS = (Call(data_json="[1]"), Call(app="beta", function="list_items", status="error", error="no"))


def _turn(session: str = "s1", calls: tuple[Call, ...] = CALLS, **agent: object) -> Turn:
    return Turn(message="hello", session=session, calls=calls, agent=AgentTurn(**agent))  # type: ignore[arg-type]


def _user(number: int = 7) -> Message:
    return Message(role="user", content=marked("hello", number))


def _ask(script: Script, *messages: Message) -> Answer:
    answer = script.answer(Request(messages, TOOLS))
    assert answer is not None
    return answer


def _results(number: int, *calls: int) -> list[Message]:
    return [
        Message(role="assistant", tool_calls=(ToolCall(id=call_id(number, i), name="x"),))
        for i in calls
    ]


def _begun(turn: Turn, number: int = 7) -> Script:
    script = Script()
    script.begin(number, turn)
    return script


def test_calls_then_the_draft() -> None:
    """A turn asks for its calls, with a reference each, and says its draft when ids are back."""
    script = _begun(_turn(arguments=('{"n": 1e22}',)))

    first = _ask(script, _user())
    last = _ask(script, _user(), *_results(7, 0, 1))

    assert ['{"n": 1e22,"ref":"t7c0"}', '{"ref":"t7c1"}'] == [c.arguments for c in first.calls]
    assert ["alpha_read_items", "beta_list_items"] == [c.name for c in first.calls]
    assert ("calls", "text", "Done.", 1) == (
        first.answered,
        last.answered,
        last.text,
        last.number,
    )


def test_one_by_one() -> None:
    """Where the script says so, each call is a request of its own."""
    script = _begun(_turn(one_by_one=True))

    numbers = [
        _ask(script, _user(), *_results(7, *calls)).number for calls in ((), (0,), (0, 1), (0, 1))
    ]

    assert [0, 1, 2, 2] == numbers


def test_changed_ids() -> None:
    """A runtime with ids of its own is followed by how many answers it was given."""
    script = _begun(_turn())

    _ask(script, _user())

    assert "Done." == _ask(script, _user(), Message(role="tool", content="[1]")).text


def test_the_same_request_is_a_retry() -> None:
    """It is answered alike, until it comes so often that it is no retry."""
    script = _begun(_turn())

    answers = [_ask(script, _user()) for _ in range(REPEATS + 1)]

    assert [(0, 0), (0, 1), (0, 2), (1, 0)] == [(a.number, a.attempt) for a in answers]


def test_faults_come_as_often_as_scripted() -> None:
    """Then the answer is the scripted one, of the same request."""
    faults = (ModelFault(kind="rate_limit", times=2), ModelFault(request=1, kind="cut_stream"))
    script = _begun(_turn(faults=faults))

    first = [_ask(script, _user()) for _ in range(3)]
    second = [_ask(script, _user(), *_results(7, 0, 1)) for _ in range(2)]

    assert ["rate_limit", "rate_limit", "calls"] == [a.answered for a in first]
    assert ["cut_stream", "text"] == [a.answered for a in second]
    assert [1, 1] == [a.number for a in second]


def test_nothing_comes_after_a_cut_call() -> None:
    """Arguments that are cut end the message, and carry no reference."""
    script = _begun(_turn(arguments=('{"amount":1000}',), cut=(0,)))

    answer = _ask(script, _user())

    assert [('{"amount":10', True)] == [(c.arguments, c.cut) for c in answer.calls]
    assert answer.cut
    assert [1] == [c.index for c in _ask(script, _user(), *_results(7, 0)).calls]


def test_a_request_without_tools_is_asked_for_none() -> None:
    """A request beside the turn, such as for a title, gets words and leaves the turn as it is."""
    script = _begun(_turn())

    aside = script.answer(Request((_user(),)))

    assert aside is not None
    assert ASIDE == aside.text
    assert 2 == len(_ask(script, _user()).calls)


def test_the_running_turn_is_found() -> None:
    """Its mark comes last among those of turns that run; requests without one belong to none."""
    script = _begun(_turn(), 7)
    script.begin(8, _turn("s2"))
    script.begin(9, _turn("s3"))
    script.end(9)
    aside = Message(role="user", content="sum up: hello [t9], then hello [t7]")

    assert 8 == _ask(script, _user(7), _user(9), _user(8)).turn
    assert 7 == _ask(script, _user(9), _user(7), Message(role="tool", content="[t8]")).turn
    assert 7 == _ask(script, Message(role="system", content="hi"), aside).turn
    assert script.answer(Request((Message(role="user", content="hello"),), TOOLS)) is None
    assert script.answer(Request((Message(role="user", content="hello [t99]"),), TOOLS)) is None


def test_a_request_about_turns_before() -> None:
    """It belongs to the turn that runs, if that is one of the same session."""
    script = _begun(_turn(), 7)
    script.end(7)
    script.begin(8, _turn())

    assert 8 == _ask(script, _user(7)).turn


def test_tools_return_what_is_scripted() -> None:
    """Which call it is, its reference tells; the arguments stay as they were written."""
    script = _begun(_turn())
    _ask(script, _user())

    ran = script.run("alpha_read_items", '{"ref": "t7c0", "n": 1.0, "m":1e22}')
    failed = script.run("beta_list_items", '{"ref":"t7c1"}')

    assert (7, 0, '{"n": 1.0, "m":1e22}', "[1]", False) == (
        ran.turn,
        ran.call,
        ran.args_json,
        ran.text,
        ran.is_error,
    )
    assert ("no", True, "{}") == (failed.text, failed.is_error, failed.args_json)


def test_calls_without_a_reference() -> None:
    """They are paired with a running turn that asked for such a one, the fewest runs first."""
    twice = (Call(data_json="1"), Call(data_json="2"))
    script = _begun(_turn(calls=twice, arguments=("[1]", "[2]")))

    before = script.run("alpha_read_items", "[1]")
    _ask(script, _user())
    after = [script.run("alpha_read_items", "[1]").text for _ in range(2)]

    assert (None, NO_CALL) == (before.turn, before.text)
    assert ["1", "2"] == after


@pytest.mark.parametrize("name", ["alpha_read_items", "nothing_of"])
def test_a_reference_of_another_call_runs_nothing(name: str) -> None:
    """Neither a turn that never was, nor a call of another function."""
    script = _begun(_turn())

    assert script.run(name, '{"ref":"t7c1"}').is_error
    assert script.run(name, '{"ref":"t8c0"}').turn is None


def test_longer_names() -> None:
    """A runtime that puts the server's name before a tool's is asked for it so."""
    script = _begun(_turn(calls=(Call(),)))

    answer = script.answer(Request((_user(),), (Tool(name="mcp__x__alpha_read_items"),)))

    assert answer is not None
    assert ["mcp__x__alpha_read_items"] == [c.name for c in answer.calls]


@pytest.mark.parametrize("text", ["{}", '{"a": {"b": [1, "}"]}}', ' {"x": "\\"ref\\""} '])
def test_a_reference_goes_in_and_out(text: str) -> None:
    """Whatever the object, it has the reference, and then it is as it was."""
    whole = with_ref(text, "t1c2")

    assert "t1c2" == json.loads(whole)["ref"]
    assert ((1, 2), text.strip()) == (without_ref(whole)[0], without_ref(whole)[1].strip())


@pytest.mark.parametrize("text", ["[1]", "{", "7", '{"ref": 1}'])
def test_what_is_no_object_has_no_reference(text: str) -> None:
    """It is sent as scripted."""
    assert text == with_ref(text, "t1c2")


def test_marks_are_taken_out_again() -> None:
    """Ours, and no others."""
    assert "hello and [t8]" == unmarked(f"{marked('hello', 7)} and [t8]", [7, 9])
