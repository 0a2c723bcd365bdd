"""Requirement sets are frozen: what a set demands never changes once it is released."""

from __future__ import annotations

import pytest

from fedcheck.invariants.catalog import clauses, own_invariants
from fedcheck.invariants.requirements import requirement_set
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.parameters import DOCUMENTED

_FROZEN = {
    "seeds-2026-05": "2d2728c37cee238c5811efd59a648b1659b413e7f3501459e5dc518d0746c06b",
}
"""Name → SHA-256 of its file. A new demand gets a new set; no line here is ever edited."""


_UNSCORED = {
    "C-CACHE-ISOLATION/per-key",
    "C-CLASSIFIER-HISTORY/no-other-user",
    "C-EXTENSION-IDS/cache-apart",
    "C-EXTENSION-IDS/facts-apart",
    "C-EXTENSION-IDS/sections-apart",
    "C-EXTENSION-IDS/store-apart",
    "C-LEDGER-NAMES/as-many-as-calls",
    "C-SKELETON-COMPRESSION/shape-hinted",
    "C-SKELETON-ISOLATION/read-per-extension",
    "C-SKELETON-ISOLATION/read-per-user",
    "C-STORE-ISOLATION/per-extension",
    "C-STORE-ISOLATION/per-user",
    "C-STORE-LASTING/across-sessions",
    "C-STORE-LASTING/newest-read",
    "C-STORE-LASTING/outlives-the-channels",
    "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS/numbers-visible",
}
"""MUST clauses that are younger than the newest set: judged and shown, binding with the next."""


@pytest.mark.parametrize("name", sorted(_FROZEN))
def test_a_set_has_not_changed(name: str) -> None:
    """Its digest is the one that it was released with."""
    assert _FROZEN[name] == requirement_set(name).digest


def test_the_default_set_demands_every_must_of_the_documents() -> None:
    """Every MUST clause but the youngest, no SHOULD, and the documents' own numbers."""
    must = {x for x, (_, clause) in clauses(own_invariants()).items() if clause.level == "MUST"}
    found = requirement_set("seeds-2026-05")

    assert must - _UNSCORED == set(found.clauses)
    assert DOCUMENTED == found.parameters


def test_an_unknown_set_names_those_that_exist() -> None:
    """The message helps on."""
    with pytest.raises(UsageError, match="seeds-2026-05"):
        requirement_set("seeds-1999-01")
