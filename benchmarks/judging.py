"""What it costs to judge a five-turn trace by every clause, against reading the trace's JSON.

Run by hand: ``python benchmarks/judging.py``. Exploration draws the traces.
"""

from __future__ import annotations

import json

from _measure import best_of, cpu_seconds, goal

from fedcheck.conformance.driving.explore import explore
from fedcheck.conformance.driving.judging import judge
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.catalog import find
from fedcheck.invariants.vocabulary.codec import to_json
from fedcheck.invariants.vocabulary.scenario import Scenario, Turn

_SOURCES = ("I-DISPATCH-RESULT-DATA-PLUMBED", "I-FACT-LEDGER-PER-TURN-AGG-CAP")
_ROUNDS = 5


def main() -> None:
    """Print milliseconds per trace of judging and of reading, and their ratio."""
    with plan_run(RunOptions()) as plan:
        drawn: list[Scenario] = []
        for source in _SOURCES:
            strategy = find(source).strategy(plan.description.parameters)
            explore(strategy, drawn.append, examples=300, seed=1)
        traces = [plan.session.trace(scenario) for scenario in drawn if _turns(scenario) == 5]
        texts = [to_json(trace) for trace in traces]
        clauses = plan.session.clauses
        judging = best_of(_ROUNDS, lambda: cpu_seconds(lambda: [judge(x, clauses) for x in traces]))
        reading = best_of(_ROUNDS, lambda: cpu_seconds(lambda: [json.loads(x) for x in texts]))
    print(f"{len(traces)} traces of five turns, {len(clauses)} clauses")
    each = judging * 1000 / len(traces)
    print(f"judging {goal(each, 1.0, ' ms')}, {judging / reading:.1f} times reading the trace")


def _turns(scenario: Scenario) -> int:
    return sum(isinstance(step, Turn) for step in scenario.steps)


if __name__ == "__main__":
    main()
