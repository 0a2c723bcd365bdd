"""C-LEDGER-ANY-DATA: data of any JSON kind is accepted, recorded and rendered as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...readings.facts import read_facts
from ...readings.sizes import read_sizes
from ...readings.spoiled import kept
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...vocabulary.invariant import Clause, Invariant, Judge, Partition
from ...vocabulary.json_values import kind_of
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _of_text(data: object) -> str:
    if not isinstance(data, str):
        return ""
    if not data:
        return "an empty string"
    if data[0] in '{["' or data in ("null", "true", "7"):
        return "a string that looks like JSON"
    return "several lines of prose" if "\n" in data else "one line of prose"


def _of_value(data: object) -> str:
    kind = kind_of(data)
    if kind in ("string", "object"):
        return ""
    if kind == "list" and not data:
        return "an empty list"
    return {"list": "a list", "number": "a number", "boolean": "a boolean", "null": "null"}[kind]


def _kept(classify: Callable[[object], str]) -> Judge:
    return kept(lambda shown: filter(None, [classify(shown.given.data)]))


def _nothing_withheld(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    for prompt in view.reading(read_facts).prompts:
        for given in prompt.expected:
            name = _of_text(given.data) or _of_value(given.data) or _of_object(given.data)
            if not name or prompt.retry or not sizes.surely_fits(given.turn):
                continue
            yield Compared((_group(name),))
            if given in prompt.missing:
                yield Violation(
                    kind=f"no line for {_group(name)}",
                    step=prompt.step.index,
                    expected=f"a FACTS line of {given.call.app}.{given.call.function} with "
                    f"{shorten(given.data)}",
                    got=f"{counted(len(prompt.lines), 'FACTS line')} without it",
                )


def _of_object(data: object) -> str:
    return "an empty object" if data == {} else ""


def _group(name: str) -> str:
    if name in ("an empty string", "an empty list", "an empty object", "null"):
        return "empty data"
    return "prose" if "string" in name or "prose" in name else "another kind of value"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "any-data-prose",
        "prose instead of an object",
        turn("one", call("You have eight unread letters."), call("", app=APPS[1])),
        turn("two", call('first "line"\nsecond\tline\\\n'), call('{"a": 1}', app=APPS[1])),
        turn("three", call("null"), call("7", app=APPS[1]), call("true", app=APPS[2])),
    )


INVARIANT = Invariant(
    id="C-LEDGER-ANY-DATA",
    title="Data of any kind is a fact",
    statement=(
        "Data need not be an object: prose is serialised as a JSON string, and lists, numbers, "
        "booleans, null and empty data are recorded and rendered like any other."
    ),
    sources=(fact_ledger("What you DO NOT do"), fact_ledger("What it stores")),
    capabilities=frozenset({"fact_ledger"}),
    clauses=(
        Clause(
            name="prose-as-json-string",
            sentence="Data that is a string is rendered as that JSON string.",
            judge=_kept(_of_text),
            partitions=(
                Partition("one line of prose", "a sentence"),
                Partition("several lines of prose", "line feeds, quotes, backslashes"),
                Partition("an empty string", "no characters"),
                Partition("a string that looks like JSON", "it stays a string"),
            ),
        ),
        Clause(
            name="value-as-it-is",
            sentence="Data that is a list, a number, a boolean or null is rendered as it is.",
            judge=_kept(_of_value),
            partitions=(
                Partition("a list", "with items"),
                Partition("an empty list", "without items"),
                Partition("a number", "zero, a fraction, an integer beyond 2**53"),
                Partition("a boolean", "true or false"),
                Partition("null", "no data at all"),
            ),
        ),
        Clause(
            name="nothing-withheld",
            sentence="A call has its FACTS line whatever kind of data it returned.",
            judge=_nothing_withheld,
            partitions=(
                Partition("prose", "a string"),
                Partition("another kind of value", "a list, a number or a boolean"),
                Partition("empty data", "empty string, list or object, or null"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
