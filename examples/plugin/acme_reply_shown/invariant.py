"""ACME-REPLY-SHOWN: whoever is drafted an answer sees one.

Replace title, statement, sources, judge, partitions, scenarios and strategy by those of your
promise; the shape stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fedcheck import Clause, Compared, Invariant, Parameters, Partition, Scenario, Source, Violation
from fedcheck.invariants.vocabulary.scenario import Turn
from fedcheck.invariants.vocabulary.trace import Reply

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from fedcheck import TraceView

LONG = 200
"""Characters from which on a draft is a long one."""


def _shown(view: TraceView) -> Iterator[Compared | Violation]:
    for step in view.steps:
        turn, reply = step.stimulus, step.first(Reply)
        if not isinstance(turn, Turn) or not turn.draft.strip() or reply is None:
            continue
        yield Compared(("long",) if len(turn.draft) >= LONG else ("short",))
        if not reply.text.strip():
            yield Violation(
                kind="reply empty",
                step=step.index,
                expected=f"words, for the model drafted {len(turn.draft)} characters",
                got="an empty reply",
            )


def _scenario(draft: str, length: str = "drawn") -> Scenario:
    return Scenario(id=f"acme-reply-shown-{length}", steps=(Turn(message="hi", draft=draft),))


def _scenarios(_: Parameters) -> Iterable[Scenario]:
    return (_scenario("Done.", "short"), _scenario("Done, all of it. " * 20, "long"))


def _strategy(_: Parameters) -> SearchStrategy[Scenario]:
    from hypothesis import strategies as st

    word, times = st.text(min_size=1, max_size=9), st.integers(1, 60)
    return st.builds(lambda text, n: _scenario(f"{text} " * n), word, times)


INVARIANT = Invariant(
    id="ACME-REPLY-SHOWN",
    title="Whoever is drafted an answer sees one",
    statement="A turn for which the narrator model drafted words never ends with an empty reply.",
    sources=(Source("our handbook", "Replies"),),
    clauses=(
        Clause(
            "reply-shown",
            "Where words were drafted, the user sees words.",
            _shown,
            (
                Partition("short", f"a draft of fewer than {LONG} characters"),
                Partition("long", f"a draft of {LONG} characters or more"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=_strategy,
    capabilities=frozenset({"narrator"}),
)
