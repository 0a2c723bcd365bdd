"""Who may accept a breach, and for how long: two people with addresses, and at most a year."""

from __future__ import annotations

import re
import unicodedata

LONGEST_DAYS = 366
"""Days from today to the last day on which a waiver may hold."""

_ADDRESS = re.compile(r"(?<![\w.@+-])[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)


def addresses(person: str) -> frozenset[str]:
    """Return the e-mail addresses by which a person is named, in lower case."""
    plain = unicodedata.normalize("NFKC", person).lower()
    return frozenset(found.strip(".") for found in _ADDRESS.findall(plain))


def same_person(one: str, other: str) -> bool:
    """Return whether two people share an address; capitals do not tell them apart."""
    return bool(addresses(one) & addresses(other))
