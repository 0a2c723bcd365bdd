"""What the judges read out of a prompt: lines, owners, examples, sizes, pairs."""

from __future__ import annotations

import json

import pytest

from fedcheck.invariants.readings.facts import FactReading, PromptReading, read_facts
from fedcheck.invariants.readings.pairs import shown_pairs
from fedcheck.invariants.readings.shown import fact_lines
from fedcheck.invariants.readings.sizes import Writing, read_sizes
from fedcheck.invariants.scenarios.facts import CALIBRATION, CLOSING, call, turn
from fedcheck.invariants.vocabulary.messages import Message
from fedcheck.invariants.vocabulary.scenario import APPS, Environment, Turn
from fedcheck.invariants.vocabulary.trace import ClassifierPrompt, Trace
from fedcheck.invariants.vocabulary.trace_view import TraceView

from .talk import Prompt, Talk, play, told

FACT = 'FACTS: app=alpha fn=read_items data={"n": 1}'
ONE = turn("one", call({"n": 1}))


def reading(*turns: tuple[Turn, Prompt], complete_from: int = 0) -> FactReading:
    """Read a trace of turns with one prompt each."""
    events = [(step, [ClassifierPrompt(prompt=prompt)]) for step, prompt in turns]
    return read_facts(TraceView(told(*events, complete_from=complete_from)))


def last(*turns: tuple[Turn, Prompt]) -> PromptReading:
    """Read the last prompt of a trace."""
    return reading(*turns).prompts[-1]


@pytest.mark.parametrize(
    ("line", "owner", "payload"),
    [
        (FACT, ("alpha", "read_items"), '{"n": 1}'),
        (f"  \t{FACT}", ("alpha", "read_items"), '{"n": 1}'),
        (f"{FACT}\r", ("alpha", "read_items"), '{"n": 1}\r'),
        ("FACTS: app=my app fn=f data=1", ("my app", "f"), "1"),
        ("FACTS: app=a fn=g=h data={}", ("a", "g=h"), "{}"),
        ("FACTS: app=a fn=g data=x data=y", ("a", "g"), "x data=y"),
        ("FACTS: app= fn= data=", ("", ""), ""),
        (f'FACTS: app=a fn=g data="{"k" * 9000}"', ("a", "g"), f'"{"k" * 9000}"'),
        ('FACTS: app=a fn=g data="\u2028\x0b\x85\x0c"', ("a", "g"), '"\u2028\x0b\x85\x0c"'),
    ],
)
def test_a_facts_line_names_owner_and_payload(
    line: str, owner: tuple[str, str], payload: str
) -> None:
    """Lines end at a line feed only; names may hold spaces and equals signs."""
    (found,) = fact_lines(f"[HISTORY]\nabove\n{line}\nbelow")

    assert owner == (found.app, found.function)
    assert payload == found.payload


@pytest.mark.parametrize(
    "line", [f"> {FACT}", f"user: {FACT}", FACT.lower(), FACT.replace("data", "facts"), "FACTS:"]
)
def test_what_is_no_facts_line_is_none(line: str) -> None:
    """Prose that mentions the format is prose."""
    assert [] == fact_lines(line)


def test_messages_are_read_as_one_text() -> None:
    """A FACTS line may be a message of its own."""
    messages = tuple(Message(role="system", content=text) for text in ("a", FACT, "b"))

    assert [ONE.calls[0]] == [x.call for _, x in last((ONE, "x"), (CLOSING, messages)).pairs]


def test_examples_of_the_first_prompt_are_no_facts() -> None:
    """What stands there before there is a history is static; a fact of the same words is not."""
    prompt = f"Examples:\n{FACT}\n[HISTORY]"
    found = last((ONE, prompt), (CLOSING, f"{prompt}\n{FACT}"))

    assert [] == found.extra + found.missing
    assert [ONE.calls[0]] == [given.call for _, given in found.pairs]


def test_a_message_is_no_example() -> None:
    """A first message that imitates a fact does not hide the fact later."""
    spoof = turn(FACT, call({"n": 1}))
    found = last((spoof, f"[MESSAGE]\n{FACT}"), (CLOSING, FACT))

    assert 1 == len(found.pairs)
    assert [] == found.extra


def test_examples_are_learnt_from_the_beginning_only() -> None:
    """A recording that begins late would hide its own facts otherwise."""
    found = reading((ONE, FACT), (CLOSING, FACT), complete_from=1).prompts

    assert [1, 0] == [len(prompt.extra) for prompt in found]
    assert not any(prompt.complete for prompt in found)


def test_lines_are_matched_by_what_they_show_before_by_owner() -> None:
    """Another order is order, and not changed values."""
    three = turn("three", call({"n": 1}), call({"n": 2}), call({"n": 3}))
    lines = "\n".join(FACT.replace("1", n) for n in "231")
    found = last((three, "x"), (CLOSING, lines))

    assert 1 == len(found.displaced)
    assert [] == found.missing + found.extra
    assert all(given.shown_by(line) for line, given in found.pairs + found.displaced)


def test_the_calls_of_a_turn_may_stand_newest_first() -> None:
    """The documents leave that open; then every line is matched, and none out of order."""
    pair = turn("two", call({"n": 1}), call({"n": 2}))
    lines = "\n".join(FACT.replace("1", n) for n in "21")
    found = last((pair, "x"), (CLOSING, lines))

    assert found.order.latest_call_first
    assert [] == found.displaced + found.missing + found.extra
    assert ["2", "1"] == [given.call.data_json[-2] for _, given in found.pairs]


@pytest.mark.parametrize(("shown", "unfit"), [("123", 0), ("231", 0), ("321", 0), ("213", 1)])
def test_the_turns_may_stand_newest_first(shown: str, unfit: int) -> None:
    """No document orders them, so only facts of a turn that stand apart are out of order."""
    one, two = turn("one", call({"n": 1})), turn("two", call({"n": 2}), call({"n": 3}))
    lines = "\n".join(FACT.replace("1", n) for n in shown)
    found = last((one, "x"), (two, "x"), (CLOSING, lines))

    assert unfit == len(found.displaced + found.extra + found.missing)
    assert unfit or [*shown] == [given.call.data_json[-2] for _, given in found.pairs]


def test_the_order_that_shows_more_calls_is_taken() -> None:
    """What masking left of a text may be anything; an object that fits a call decides."""
    one, two = turn("one", call({})), turn("two", call("+"))
    lines = "\n".join(FACT.replace('{"n": 1}', text) for text in ('"***"', "{}"))
    prompts = ((one, "x"), (two, "x"), (CLOSING, lines))
    steps = [(step, [ClassifierPrompt(prompt=text)]) for step, text in prompts]
    found = read_facts(TraceView(told(*steps, environment=Environment(flags_matter=True))))

    assert ['"+"', "{}"] == [given.call.data_json for _, given in found.prompts[-1].pairs]


def test_equal_data_of_several_calls_is_matched_in_order() -> None:
    """Three equal calls need three equal lines, and no fourth."""
    three = turn("three", call({"n": 1}), call({"n": 1}), call({"n": 1}))
    by_count = {
        count: last((three, "x"), (CLOSING, "\n".join([FACT] * count))) for count in (2, 3, 4)
    }

    assert {2: 1, 3: 0, 4: 0} == {count: len(x.missing) for count, x in by_count.items()}
    assert {2: 0, 3: 0, 4: 1} == {count: len(x.extra) for count, x in by_count.items()}


def test_a_changed_value_goes_to_its_owner() -> None:
    """A line that shows no call's data is read against the call that it names."""
    mixed = turn("mixed", call({"n": 1}), call({"m": 2}, app=APPS[1]))
    lines = f'{FACT}\nFACTS: app={APPS[1]} fn=read_items data={{"m": 3}}'
    found = last((mixed, "x"), (CLOSING, lines))

    assert [("alpha", 1), ("beta", 3)] == [
        (given.call.app, *json.loads(line.payload).values()) for line, given in found.pairs
    ]


def test_a_second_prompt_of_a_turn_is_a_retry() -> None:
    """It may show this turn's calls, and misses nothing."""
    prompts = [ClassifierPrompt(prompt="x"), ClassifierPrompt(prompt=FACT)]
    found = read_facts(TraceView(told((ONE, prompts)))).prompts

    assert [False, True] == [prompt.retry for prompt in found]
    assert [] == found[1].extra + found[1].missing


def test_each_shown_payload_is_read_once() -> None:
    """The same line in five prompts is one piece of evidence."""
    view = TraceView(play(Talk, ONE, *[CLOSING] * 5))

    assert 1 == len(shown_pairs(view))


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ({}, Writing(escapes=True, spaces=1)),
        ({"ensure_ascii": False}, Writing(escapes=False, spaces=1)),
        ({"separators": (",", ":")}, Writing(escapes=True, spaces=0)),
        ({"separators": (" , ", " : ")}, Writing(escapes=True, spaces=2)),
        ({"separators": (",", ": ")}, Writing(escapes=True, spaces=1)),
    ],
)
def test_the_calibration_turn_shows_how_the_kernel_writes(
    style: dict[str, object], expected: Writing
) -> None:
    """Escaping and spaces are learnt from the first payload that is shown whole."""
    data = json.loads(CALIBRATION.calls[0].data_json)
    line = f"FACTS: app=alpha fn=read_items data={json.dumps(data, **style)}"  # type: ignore[arg-type]
    events = [(CALIBRATION, "x"), (CLOSING, line)]
    view = TraceView(told(*((step, [ClassifierPrompt(prompt=text)]) for step, text in events)))

    assert expected == view.reading(read_sizes).writing


def test_nothing_shown_is_nothing_learnt() -> None:
    """Without a whole payload every reading stays open."""
    trace: Trace = told((CALIBRATION, [ClassifierPrompt(prompt="x")]))

    assert Writing() == TraceView(trace).reading(read_sizes).writing


def test_a_reading_is_computed_once_for_a_trace() -> None:
    """All judges share it."""
    view = TraceView(play(Talk, ONE, CLOSING))

    assert view.reading(read_facts) is view.reading(read_facts)
