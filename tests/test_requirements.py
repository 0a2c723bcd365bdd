"""Requirement sets are frozen: what a set demands never changes once it is released."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fedcheck.conformance.settings.options import AGENT_SET, DEFAULT_SET
from fedcheck.invariants import requirements
from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.requirements import requirement_set
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.invariant import PROVENANCES
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED

_FROZEN = {
    "agent-2026-11": "dbfe44280ce4075bf954791bebcd6a7f55f8243093d9435bd1da72c7000fb44e",
    "docs-2026-08": "34b0cb33f7486fa0afe03ba9bbea7cb1d3639374e82da8dc22f1d9d5a3701d89",
    "kernel-2026-11": "da4a9df04c82cd9fe4ea8cff20844eca93ad2caf5ea3999fada4afe4f72d6122",
    "sdk-6.3-public": "d6a5c4c7fa01d7b04dd53fee107f3f1f11de3f6e1b63952aecbcc003ec22e507",
    "seeds-2026-05": "2d2728c37cee238c5811efd59a648b1659b413e7f3501459e5dc518d0746c06b",
    "seeds-2026-11": "358c3ada295458c1fe22ec54f5cc9546c35a35ea41f7bfc45ffd34cbb5ff7af9",
}
"""Name → SHA-256 of its file. A new demand gets a new set; no line here is ever edited."""


_UNSCORED = Path(requirements.__file__).with_name("unscored.json")
"""MUST clauses that the newest set does not demand, each with the reason."""


def test_every_set_is_frozen() -> None:
    """What is packaged has its line."""
    folder = Path(requirements.__file__).with_name("requirement_sets")

    assert {path.stem for path in folder.glob("*.json")} == set(_FROZEN)


@pytest.mark.parametrize("name", sorted(_FROZEN))
def test_a_set_has_not_changed(name: str) -> None:
    """Its digest is the one that it was released with."""
    assert _FROZEN[name] == requirement_set(name).digest, (
        f"git checkout invariants/requirement_sets/{name}.json; new demands make a new set"
    )


def _must(*provenances: str, of_agents: bool = False) -> set[str]:
    """The MUST clauses about kernels, or about agents, that rest on documents of these kinds."""
    return {
        name
        for name, (invariant, clause) in clauses(own_invariants()).items()
        if clause.level == "MUST" and invariant.provenance(clause) in provenances
        if of_agents == ("agent" in invariant.capabilities)
    }


_IN_PASSING = {
    "I-AH-1/fabricated-id-shape",
    "I-AH-1/other-ids-pass",
    "I-CHAT-FUNCTION-VERBATIM-PARAMS/arguments-verbatim",
}
"""They are on a page in passing, and in full in the changelog."""


def _unscored() -> set[str]:
    return set(json.loads(_UNSCORED.read_text("ascii")))


def _older_must(*provenances: str) -> set[str]:
    """The MUST clauses that a set can demand which is older than the capabilities of turns."""
    known = clauses(own_invariants())
    return {
        name
        for name in _must(*provenances) - _unscored()
        if not any(each.startswith("turn_") for each in known[name][1].capabilities)
        and not any(each.startswith("turn_") for each in known[name][0].capabilities)
    }


def test_the_default_set_demands_every_must_of_the_documents() -> None:
    """Every MUST clause but the unscored, no SHOULD, and the documents' own numbers."""
    must = _must("founding", "documented") - _IN_PASSING
    unscored = json.loads(_UNSCORED.read_text("ascii"))
    found = requirement_set(DEFAULT_SET)

    assert must == set(found.clauses) | set(unscored), (
        "name each MUST clause that is younger than the set in invariants/unscored.json, with the "
        "reason, and take out what is no MUST clause any more"
    )
    assert set() == set(found.clauses) & set(unscored)
    assert all(unscored.values()), "say why"
    assert DOCUMENTED == found.parameters


def test_a_claimed_promise_that_is_broken_is_red_by_default() -> None:
    """Whatever a kernel can claim of the documents decides, were it only confirmations."""
    known = clauses(own_invariants())
    demanded = set(requirement_set(DEFAULT_SET).clauses)
    needed = {
        capability
        for name in _must("founding", "documented")
        for capability in known[name][0].capabilities | known[name][1].capabilities
    }

    assert needed == {
        capability
        for name in demanded
        for capability in known[name][0].capabilities | known[name][1].capabilities
    }


def test_the_set_of_the_founding_documents_demands_every_must_of_them() -> None:
    """And nothing of a page."""
    assert _older_must("founding") == set(requirement_set("seeds-2026-11").clauses)


def test_the_set_of_the_pages_demands_every_must_of_a_page() -> None:
    """The founding documents and the documented pages, and nothing else."""
    demanded = set(requirement_set("docs-2026-08").clauses)

    assert _older_must("founding", "documented") - _IN_PASSING == demanded


def test_the_public_set_demands_every_must() -> None:
    """Whatever is promised in public is in the widest set."""
    assert _older_must(*PROVENANCES) == set(requirement_set("sdk-6.3-public").clauses)


def test_the_set_of_agents_demands_every_must_about_agents() -> None:
    """And that the runtime claims to be one."""
    found = requirement_set(AGENT_SET)

    assert _must(*PROVENANCES, of_agents=True) == set(found.clauses)
    assert ("agent",) == found.must_claim


def test_code_alone_is_no_must() -> None:
    """What only published code does is advisory."""
    assert set() == _must("code")


def test_an_unknown_set_names_those_that_exist() -> None:
    """The message helps on."""
    with pytest.raises(UsageError, match="seeds-2026-05"):
        requirement_set("seeds-1999-01")


def test_a_set_of_the_package_extends_another() -> None:
    """It demands all that the other does, and tells which clause came with which."""
    old, new = requirement_set("seeds-2026-05"), requirement_set("seeds-2026-11")

    assert set() == set(old.clauses) - set(new.clauses)
    assert "seeds-2026-05" == new.origins[old.clauses[0]]
    assert "seeds-2026-11" == new.origins["C-STORE-ISOLATION/per-user"]
    assert set(new.clauses) == set(new.origins)
