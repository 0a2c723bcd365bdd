"""What was tried, counted: one axis for each size, depth and length."""

from __future__ import annotations

import pytest

from fedcheck.conformance.driving.measures import Measures, compact, depth, distributions, measured
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import CacheGet, CacheSet, Call, Scenario, Turn
from fedcheck.invariants.vocabulary.verdict import Violation
from fedcheck.reports.record.model import BodyLine, Distribution, Header


class _Keeps:
    """An observer that keeps the lines."""

    def __init__(self) -> None:
        self.lines: list[BodyLine] = []

    def planned(self, header: Header, scenarios: int) -> None:
        """Nothing to do."""

    def advanced(self, invariant: str, scenarios: int) -> None:
        """Nothing to do."""

    def stage(self, name: str, total: int | None) -> None:
        """Nothing to do."""

    def reducing(self, clause: str, tried: int, most: int) -> None:
        """Nothing to do."""

    def failed(self, violation: Violation) -> None:
        """Nothing to do."""

    def found(self, line: BodyLine) -> None:
        """Keep it."""
        self.lines.append(line)


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("7", 0),
        ('"[[["', 0),
        ("[]", 1),
        ('{"a":[{"b":1},{}]}', 3),
        (r'["\"[", {"]": "\\"}]', 2),
        ("[" * 5000 + "]" * 5000, 5000),
    ],
)
def test_depth_of_a_json_text(text: str, levels: int) -> None:
    """Brackets inside strings do not count; nothing is too deep."""
    assert levels == depth(text)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ('{ "a" : [1,\n 2] }', '{"a":[1,2]}'),
        (r'"\u044f\ud83d\ude00"', '"я😀"'),
        ("[" * 5000 + "]" * 5000, "[" * 5000 + "]" * 5000),
        ("no json", "no json"),
        ("12345678901234567890123", "12345678901234567890123"),
    ],
)
def test_sizes_are_those_of_compact_json(text: str, short: str) -> None:
    """What cannot be read counts as it is."""
    assert short == compact(text)


def test_scenario_with_turns_is_measured() -> None:
    """Only what succeeded makes a payload; each value counts once."""
    call = Call(data_json='{"a": [1]}')
    failed = Call(status="error", data_json='{"much": "more"}')
    turn = Turn(message="m", calls=(call, call, failed))
    told = measured(Scenario(id="s", steps=(turn, turn, Turn(message="plain"))))

    wanted = {("turns", 3), ("calls in a turn", 3), ("payload of a turn", 18), ("depth of data", 2)}
    assert wanted == told


@pytest.mark.parametrize(
    ("life", "told"),
    [
        (300, {300}),
        (0.5, {0.5}),
        (True, set()),
        ("60", set()),
        (float("inf"), set()),
        (float("nan"), set()),
        (10**400, set()),
        (-5, {-5}),
        (None, set()),
    ],
)
def test_scenario_with_a_cache_is_measured(life: object, told: set[float]) -> None:
    """A life that is no finite number lies on no axis."""
    step = CacheSet(key="kéy", value_json='"é"', ttl_seconds=life)  # type: ignore[arg-type]
    pairs = measured(Scenario(id="s", steps=(step, CacheGet(key="k"))))

    assert {3, 1} == {value for name, value in pairs if name == "length of a cache key"}
    assert {4} == {value for name, value in pairs if name == "size of a cache value"}
    assert told == {value for name, value in pairs if name == "life of a cache entry"}


def test_distributions_add_up_the_parts_and_carry_the_kernels_marks() -> None:
    """A measure that nothing was tried on is left out."""
    parts = [Measures({("turns", 3): 2, ("turns", 1): 1}), Measures({("turns", 3): 5})]

    assert (
        Distribution(measure="turns", marks={"window": 7.0}, counts=((1, 1), (3, 7))),
    ) == distributions(parts, Parameters(window=7))


def test_run_writes_what_was_tried_and_how_the_suite_was_tested() -> None:
    """Into the record, in memory and line by line."""
    observer = _Keeps()
    record = run_suite(RunOptions(select=("I-CACHE-KEY-SAFETY/*",), examples=3), observer)
    told = {spread.measure: spread for spread in record.distributions}

    assert {"longest key": 128.0} == told["length of a cache key"].marks
    assert {127.0, 128.0, 129.0} & {value for value, _ in told["length of a cache key"].counts}
    assert list(record.distributions) == [x for x in observer.lines if isinstance(x, Distribution)]
    assert record.qualification in observer.lines


def test_workers_measure_the_same() -> None:
    """Whatever the number of processes."""
    alone, spread = (
        run_suite(RunOptions(select=("I-CACHE-*",), examples=3, workers=n), _Keeps())
        for n in (1, 2)
    )

    assert alone.distributions == spread.distributions
