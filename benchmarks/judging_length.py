"""What judging costs per turn, in traces of 100 to 5,000 turns: it must not grow with the length.

Run by hand: ``python benchmarks/judging_length.py``. The reference kernel is driven through
conversations of two users and two sessions: results, failed calls, claims, sections and pauses.
"""

from __future__ import annotations

from collections.abc import Iterator

from _measure import cpu_seconds, goal

from fedcheck.conformance.driving.judging import judge
from fedcheck.conformance.driving.plan import plan_run
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.scenarios.facts import EXPOSED, call, turn
from fedcheck.invariants.scenarios.skeleton import refresh_all
from fedcheck.invariants.vocabulary.scenario import APPS, Advance, AnyStep, Scenario

_LENGTHS = (100, 500, 1500, 5000)
_MOST = 2.0


def main() -> None:
    """Print seconds and milliseconds per turn for each length, and how they grow."""
    each: list[float] = []
    with plan_run(RunOptions(plugins=False)) as plan:
        clauses = plan.session.clauses
        for length in _LENGTHS:
            steps = (*refresh_all(), *refresh_all("u2"), *_conversation(length))
            scenario = Scenario(id="long", steps=steps, environment=EXPOSED)
            trace = plan.session.trace(scenario)
            seconds = cpu_seconds(lambda trace=trace: judge(trace, clauses))
            each.append(seconds * 1000 / length)
            print(f"{length} turns: {seconds:.2f} s, {each[-1]:.2f} ms per turn")
    print(f"the longest against the shortest, per turn: {goal(each[-1] / each[0], _MOST)}")


def _conversation(length: int) -> Iterator[AnyStep]:
    for n in range(length):
        user = "u1" if n % 3 else "u2"
        yield turn(
            f"what became of request number {n}",
            call({"id": f"request-{n}", "rows": [{"n": n, "mail": f"person{n}@example.org"}]}),
            call({"total": n}, app=APPS[1]),
            *(() if n % 4 else [call({"n": n}, app=APPS[2], status="error")]),
            draft=f"You have {n} of them, the newest is request-{n}; person{n}@example.org asked "
            f"for {7 * n + 90_001}.",
            user=user,
            session=f"{user}-{n % 2}",
        )
        if n % 10 == 0:
            yield Advance(seconds=60)


if __name__ == "__main__":
    main()
