"""The catalog finds every invariant, refuses contradictions, and names the nearest ids."""

from __future__ import annotations

import pkgutil
import sys
from collections import Counter
from types import ModuleType

import pytest

from fedcheck.invariants import catalog as catalog_module
from fedcheck.invariants import judges
from fedcheck.invariants.catalog import catalog, clauses, find, matching, own_invariants
from fedcheck.invariants.judges.skeleton import i_skeleton_llm_only
from fedcheck.invariants.requirements import requirement_set
from fedcheck.invariants.rows import fixed_scenarios
from fedcheck.invariants.vocabulary.errors import CatalogError, UsageError
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED
from fedcheck.invariants.vocabulary.protocol import needs
from fedcheck.invariants.vocabulary.trace import CLAIMABLE
from fedcheck.reports.record.suite import suite_identity

IDS = tuple(clauses(catalog()))
SKELETON = "I-SKELETON-LLM-ONLY"


def test_the_documents_nine_invariants_are_there() -> None:
    """In the order of their ids, each clause under its own name."""
    found = [invariant.id for invariant in catalog()]

    assert sorted(found) == found
    assert {
        "I-CACHE-KEY-SAFETY",
        "I-CACHE-TTL-CAP-300S",
        "I-CACHE-VALUE-SIZE-CAP-64KB",
        "I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER",
        "I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED",
        "I-DISPATCH-RESULT-DATA-PLUMBED",
        "I-FACT-LEDGER-PER-TURN-AGG-CAP",
        "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF",
        SKELETON,
    } <= set(found)


@pytest.mark.parametrize("invariant", catalog(), ids=lambda invariant: invariant.id)
class TestInvariant:
    """What every invariant must have."""

    def test_it_says_what_and_where(self, invariant: catalog_module.Invariant) -> None:
        """Title, statement and sources for people; every clause a sentence."""
        assert invariant.title
        assert invariant.statement
        assert invariant.sources
        assert all(clause.sentence.endswith(".") for clause in invariant.clauses)

    def test_its_names_are_unique(self, invariant: catalog_module.Invariant) -> None:
        """A clause is found by its name, a partition by its name inside the clause."""
        names = [clause.name for clause in invariant.clauses]

        assert len(set(names)) == len(names)
        for clause in invariant.clauses:
            partitions = [partition.name for partition in clause.partitions]
            assert len(set(partitions)) == len(partitions)

    def test_it_asks_for_known_capabilities(self, invariant: catalog_module.Invariant) -> None:
        """A misspelt capability would never be claimed, so never judged."""
        asked = set(invariant.capabilities).union(
            *(clause.capabilities for clause in invariant.clauses),
            *(part.capabilities for clause in invariant.clauses for part in clause.partitions),
        )

        assert asked <= CLAIMABLE.keys(), "correct them: CLAIMABLE in invariants/ names all"

    def test_its_scenarios_need_no_more_than_the_pool(
        self, invariant: catalog_module.Invariant
    ) -> None:
        """Nobody has to deploy an extension, unless the invariant is about its name."""
        everything = frozenset(CLAIMABLE)
        scenarios = list(fixed_scenarios(invariant, [invariant], DOCUMENTED, everything))
        beyond = [x for x in scenarios if "dynamic_extensions" in needs(x)]

        everywhere = "dynamic_extensions" not in invariant.capabilities
        assert len(beyond) < len(scenarios) or not everywhere

    def test_what_it_rests_on_exists(self, invariant: catalog_module.Invariant) -> None:
        """A clause named as a cause is a clause of the catalog."""
        assert set(invariant.rests_on) <= set(IDS), "correct `rests_on=`; `fedcheck list` names all"


def test_fixed_scenarios_have_ids_of_their_own() -> None:
    """A scenario is named in records and commands."""
    every = [
        scenario.id
        for x in catalog()
        for scenario in fixed_scenarios(x, catalog(), DOCUMENTED, frozenset(CLAIMABLE))
    ]

    assert [] == [name for name, times in Counter(every).items() if times > 1], "rename one of each"


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ((), set()),
        (("I-SKELETON-LLM-ONLY",), {x for x in IDS if x.startswith(SKELETON)}),
        (("I-SKELETON-LLM-ONLY/read-inside-skeleton",), {f"{SKELETON}/read-inside-skeleton"}),
        (("*/refusal-named",), {f"{SKELETON}/refusal-named"}),
        (("I-CACHE-*", f"{SKELETON}*"), {x for x in IDS if x.startswith(("I-CACHE", SKELETON))}),
        (("*",), set(IDS)),
    ],
)
def test_patterns_name_clauses(patterns: tuple[str, ...], expected: set[str]) -> None:
    """An id, an invariant's id, or a glob."""
    assert expected == matching(patterns, IDS)


@pytest.mark.parametrize("pattern", ["I-SKELETON-LLM-ONLI", "i-skeleton-llm-only", "", "nothing"])
def test_a_pattern_that_names_nothing_is_refused(pattern: str) -> None:
    """A misspelt id must not silently judge nothing."""
    with pytest.raises(UsageError) as caught:
        matching((pattern,), IDS)

    assert repr(pattern) in str(caught.value)
    assert "fedcheck list" in str(caught.value) or "I-" in str(caught.value)


def test_an_unknown_invariant_is_refused_with_the_nearest_id() -> None:
    """The message helps."""
    assert i_skeleton_llm_only.INVARIANT is find(SKELETON)
    with pytest.raises(UsageError, match=SKELETON):
        find("I-SKELETON-LMM-ONLY")


@pytest.fixture
def extra_module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """One more module in the folder of the invariants."""
    name = "i_extra_for_a_test"
    module = ModuleType(f"{judges.__name__}.{name}")
    listed = [*pkgutil.walk_packages(judges.__path__, f"{judges.__name__}.")]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    extra = pkgutil.ModuleInfo(listed[0].module_finder, module.__name__, ispkg=False)
    monkeypatch.setattr(catalog_module, "walk_packages", lambda *_: [*listed, extra])
    return module


def test_a_second_invariant_of_one_id_is_refused(extra_module: ModuleType) -> None:
    """The message names the module and the id."""
    extra_module.__dict__["INVARIANT"] = i_skeleton_llm_only.INVARIANT

    with pytest.raises(CatalogError, match=f"i_extra_for_a_test.*{SKELETON}"):
        own_invariants.__wrapped__()


@pytest.mark.parametrize("value", [None, "an invariant", i_skeleton_llm_only])
def test_a_module_without_an_invariant_is_refused(extra_module: ModuleType, value: object) -> None:
    """A module of that name promises one."""
    if value is not None:
        extra_module.__dict__["INVARIANT"] = value

    with pytest.raises(CatalogError, match=r"i_extra_for_a_test.*INVARIANT"):
        own_invariants.__wrapped__()


def test_the_requirement_set_names_must_clauses_alone() -> None:
    """A clause that does not exist is never judged, and a SHOULD never red."""
    found = requirement_set("seeds-2026-05")
    musts = {
        clause_id for clause_id, (_, clause) in clauses(catalog()).items() if clause.level == "MUST"
    }

    assert set() == set(found.clauses) - musts
    assert DOCUMENTED == found.parameters
    assert 64 == len(found.digest)


def test_an_unknown_requirement_set_is_refused() -> None:
    """The message lists what there is."""
    with pytest.raises(UsageError, match="seeds-2026-05"):
        requirement_set("seeds-1999")


def test_the_suite_names_itself() -> None:
    """Version and digest of the code stand in every record."""
    identity = suite_identity()

    assert "fedcheck" == identity.name
    assert identity.version
    assert 64 == len(identity.digest)
