"""The tables of dimensions: every pair is in a row, and every row is judged."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import msgspec
import pytest

from fedcheck.conformance.adapters.reference import open_kernel
from fedcheck.conformance.counterexamples.reduce import plainest
from fedcheck.conformance.driving.drive import FreshIds, drive
from fedcheck.conformance.driving.judging import judge
from fedcheck.invariants.catalog import clauses, find, own_invariants
from fedcheck.invariants.readings.cache import Attempt
from fedcheck.invariants.readings.cache_rules import has_plain_key, has_plain_ttl, has_plain_value
from fedcheck.invariants.rows import MENDING, aspects, further_scenarios, rows
from fedcheck.invariants.vocabulary.aspect import Aspect
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED
from fedcheck.invariants.vocabulary.protocol import problems
from fedcheck.invariants.vocabulary.scenario import CacheSet
from fedcheck.invariants.vocabulary.trace import CLAIMABLE
from fedcheck.invariants.vocabulary.verdict import Compared

CLAUSES = clauses(own_invariants())
EVERYTHING = frozenset(CLAIMABLE)


@pytest.mark.parametrize("aspect", aspects(), ids=lambda aspect: aspect.name)
class TestAspect:
    """What every table must have."""

    def test_its_names_are_unique_and_every_value_has_a_source(self, aspect: Aspect) -> None:
        """A row is found by its name; nobody keeps a value of which nobody knows why."""
        assert set(aspect.clauses) <= set(CLAUSES)
        assert len({each.name for each in aspect.dimensions}) == len(aspect.dimensions)
        for dimension in aspect.dimensions:
            names = [value.name for value in dimension.values]
            assert len(set(names)) == len(names)
            assert not [name for name in names if set(name) & set(" +/")]
            assert all(value.source for value in dimension.values)

    def test_plain_values_fit_all_others(self, aspect: Aspect) -> None:
        """Else making a counterexample plainer could leave the table."""
        plain = {each.name: each.plain.name for each in aspect.dimensions}
        kept_out = [
            (name, values)
            for apart in aspect.apart
            for name, values in (apart.one, apart.other)
            if plain[name] in values
        ]
        assert [] == kept_out

    def test_every_pair_of_values_is_in_a_row(self, aspect: Aspect) -> None:
        """The checked-in rows are those of the table as it is."""
        names = [row.name for row in rows(aspect)]

        assert len(set(names)) == len(names)
        assert [] == aspect.uncovered(rows(aspect)), f"make the rows anew: {MENDING}"

    def test_every_row_is_judged(self, aspect: Aspect) -> None:
        """A pair counts only when what the focus strains was compared."""
        judging = {name: CLAUSES[name] for name in aspect.clauses}
        kernel = "agent-reference" if aspect.name.startswith("agent.") else "reference"
        adapter, ids = open_kernel(kernel), FreshIds("n")
        unjudged: list[str] = []
        for row in rows(aspect):
            scenario = aspect.scenario(row, DOCUMENTED, EVERYTHING)
            trace = drive(adapter, adapter.describe(), scenario, ids=ids)
            assert [] == problems(trace)
            strained = aspect.scene(row, DOCUMENTED).strained
            found = [x for findings in judge(trace, judging).values() for x in findings]
            assert all(isinstance(each, Compared) for each in found), scenario.id
            if not strained & {each.step for each in found if isinstance(each, Compared)}:
                unjudged.append(scenario.id)

        assert [] == unjudged


@pytest.mark.parametrize("aspect", aspects(), ids=lambda aspect: aspect.name)
def test_triples_are_three_values_that_never_met(aspect: Aspect) -> None:
    """None is in a row, none is named twice, none is forbidden; all else is plain."""
    plain = {each.name: each.plain.name for each in aspect.dimensions}
    held = [{(d, v.name) for d, v in row.chosen.items()} for row in rows(aspect)]
    seen: set[str] = set()
    for row in islice(aspect.triples(rows(aspect)), 0, None, 25):
        strange = {(d, v.name) for d, v in row.chosen.items() if v.name != plain[d]}
        assert len(strange) == 3
        assert not [each for each in held if strange <= each]
        assert not [each for each in aspect.apart if each.forbids(dict(strange))]
        assert row.name not in seen
        seen.add(row.name)


def test_a_seed_decides_the_order_of_the_triples() -> None:
    """Each comes once, of all aspects that the invariant runs."""
    invariant = find("C-STORE-LASTING")

    def drawn(seed: int) -> list[str]:
        found = further_scenarios(invariant, [invariant], DOCUMENTED, EVERYTHING, seed)
        return [scenario.id for scenario in found]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert sorted(drawn(1)) == sorted(set(drawn(2)))
    assert {each.partition("/")[0] for each in drawn(1)} == {"ids.keys", "store.value"}


def test_numbers_behind_signs_of_money_are_told_by_the_results() -> None:
    """A triple has shown that: -$1,034.20 is what the data say, however many rows stand beside."""
    aspect = next(each for each in aspects() if each.name == "narrator.claim")
    row = aspect.row("signed+beside-truth+nothing+fifty+none")
    adapter, ids = open_kernel("reference"), FreshIds("n")
    scenario = aspect.scenario(row, DOCUMENTED, EVERYTHING)
    found = judge(drive(adapter, adapter.describe(), scenario, ids=ids), CLAUSES)

    assert [] == [x for each in found.values() for x in each if not isinstance(x, Compared)]


def _attempts(aspect: Aspect) -> list[tuple[str, Attempt]]:
    """What each value of the focus sets, everything else plain."""
    found: list[tuple[str, Attempt]] = []
    for value in aspect.focus.values:
        row = aspect.row("+".join([value.name, *(each.plain.name for each in aspect.context)]))
        scene = aspect.scene(row, DOCUMENTED)
        for step in (scene.steps[index] for index in sorted(scene.strained)):
            assert isinstance(step, CacheSet)
            found.append((value.name, Attempt(0, step, None)))
    return found


@pytest.mark.parametrize(
    ("name", "is_plain"),
    [
        ("cache.key", has_plain_key),
        ("cache.life", has_plain_ttl),
        ("cache.size", has_plain_value),
    ],
)
def test_only_the_plain_value_is_plain_to_neighbours(
    name: str, is_plain: Callable[[Attempt], bool]
) -> None:
    """Else one broken rule would trip the clauses of the others, too."""
    aspect = next(each for each in aspects() if each.name == name)
    plain = {name for name, attempt in _attempts(aspect) if is_plain(attempt)}

    assert {aspect.focus.plain.name} == plain


def test_a_counterexample_is_made_plain_first() -> None:
    """What is left of a row are the values that the failure needs; its title names them."""
    aspect = next(each for each in aspects() if each.name == "cache.life")
    row = aspect.row("hour+panel+expired+refresh")
    kernel = open_kernel("reference").describe()
    scenario = aspect.scenario(row, DOCUMENTED, EVERYTHING)

    found = plainest(scenario, kernel, lambda each: "hour" in each.id and "panel" in each.id)

    assert "cache.life/hour+panel+nothing+nothing" == found.id
    assert "A life in the cache: life hour, handler panel" == found.title


def test_what_is_no_row_cannot_be_made_plain() -> None:
    """A row whose steps were changed is returned as it is."""
    aspect = next(each for each in aspects() if each.name == "cache.life")
    kernel = open_kernel("reference").describe()
    row = aspect.scenario(aspect.row("hour+panel+expired+refresh"), DOCUMENTED, EVERYTHING)
    scenario = msgspec.structs.replace(row, steps=row.steps[:2])

    assert scenario is plainest(scenario, kernel, lambda each: bool(each.steps))
