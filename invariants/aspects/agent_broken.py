"""Which arguments run that are cut off, or are no JSON."""

from __future__ import annotations

from ..scenarios.agents import ORDER, STREAM, asks, item
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters

Broken = tuple[str, bool]
"""The text of the arguments, and whether they are cut off as at a limit of tokens."""

BROKEN: Dimension[Broken] = Dimension(
    "broken",
    (
        Value("cut-number", ('{"to": "alice", "amount": 1000}', True), "10 is paid, or 1000"),
        Value("cut-text", ('{"to": "alice@example.com", "note": "rent of May"}', True), "repaired"),
        Value("cut-list", ('{"ids": [11, 12, 13, 14]}', True), "a list that is closed"),
        Value("cut-object", ('{"order": {"id": 7, "to": {"city": "Oslo"}}}', True), "braces added"),
        Value("quotes", ("{'to': 'alice', 'amount': 10}", False), "read as Python"),
        Value("words", ('{"to": alice}', False), "repaired by guesses"),
        Value("open", ('{"to": "alice", "amount": 10', False), "closed"),
        Value("comma", ('{"to": "alice",}', False), "read by a lenient parser"),
        Value("fence", ('```json\n{"to": "alice"}\n```', False), "taken out of its fence"),
        Value("prose", ("to alice, the usual amount", False), "taken for one text"),
    ),
)
"""The arguments."""

BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("alone", "alone", "the turn has one call"),
        Value("last", "last", "other calls of the answer are whole"),
        Value("first", "first", "the same; others come after it"),
    ),
)
"""Where the call stands among others."""

BEFORE: Dimension[bool] = Dimension(
    "before",
    (
        Value("nothing", False, "the first turn"),
        Value("same-tool", True, "the same tool has run, with arguments that fit"),
    ),
)
"""What happened before."""


def _scene(row: Row, _: Parameters) -> Scene:
    text, is_cut = row[BROKEN]
    whole = [item("cobalt", 1), item("cobalt", 2)]
    calls, at = {
        "alone": ([item("zinc")], 0),
        "last": ([*whole, item("zinc")], 2),
        "first": ([item("zinc"), *whole], 0),
    }[row[BESIDE]]
    arguments = [f'{{"n": {n}}}' for n in range(len(calls))]
    arguments[at] = text
    broken = asks(
        "pay it",
        *calls,
        arguments=arguments,
        cut=(at,) if is_cut else (),
        one_by_one=row[ORDER],
        streams=row[STREAM],
    )
    before = asks("pay the first", item("zinc", 9), arguments=['{"to": "bob", "amount": 3}'])
    steps = [before, broken] if row[BEFORE] else [broken]
    return Scene([*steps, asks("what was paid?")], frozenset({len(steps) - 1}))


ASPECT = Aspect(
    name="agent.broken",
    title="Arguments that are not whole",
    clauses=(
        "C-AGENT-ARGUMENTS/cut-runs-nothing",
        "C-AGENT-ARGUMENTS/no-json-runs-nothing",
        "C-AGENT-INVENTION/no-result-without-a-run",
    ),
    focus=BROKEN,
    context=(BESIDE, ORDER, BEFORE, STREAM),
    scene=_scene,
)
