"""Ranges of kernel versions."""

from __future__ import annotations

import pytest

from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.reports.record.versions import starting_from, within


@pytest.mark.parametrize(
    ("version", "versions", "expected"),
    [
        ("1.4.0", "*", True),
        ("1.4.0", "==1.4", True),
        ("1.4", ">=1.4.0", True),
        ("1.10", ">1.9", True),
        ("1.10", "<1.9", False),
        ("1.4.0-rc1", "<1.4.0", True),
        ("1.4.0-rc1", ">=1.4.0", False),
        ("1.4.0-rc2", ">1.4.0-rc1", True),
        ("1.4.0.1", ">1.4.0", True),
        ("1.4.0+build.7", "==1.4.0", True),
        ("v1.4.0", "==1.4", True),
        ("1.4", ">=1.2, <2", True),
        ("2.0", ">=1.2, <2", False),
        ("1.4", "!=1.4", False),
        ("2026.11.22", ">2026.9", True),
        ("0", "<0.0.1", True),
        ("unknown", ">=1", False),
        ("unknown", "<1", False),
        ("unknown", "==unknown", True),
        ("unknown", "!=known", True),
        ("", "*", True),
        ("", ">=1", False),
    ],
)
def test_a_version_is_in_a_range_or_not(version: str, versions: str, expected: bool) -> None:
    """Numbers count upwards; what has no order is in no interval."""
    assert expected == within(version, versions)


@pytest.mark.parametrize("versions", ["", "1.4", "~=1.4", ">=", ">= 1 2", ">=1,,<2", "=>1", "> =1"])
def test_a_range_that_cannot_be_read_is_refused(versions: str) -> None:
    """It must not mean anything by chance."""
    with pytest.raises(UsageError, match="cannot be read"):
        within("1.4", versions)


@pytest.mark.parametrize("version", ["1.4.0", "v2", "unknown", "3-beta", "", "a b", "1,2", "<1>"])
def test_the_range_that_begins_with_a_version_holds_it(version: str) -> None:
    """Whatever kernels call their versions."""
    assert within(version, starting_from(version))
