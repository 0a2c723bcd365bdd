"""Which invariants' scenarios each shard of a run takes.

It follows from the kernel's description and the options alone, so that every machine comes to the
same shares without asking another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...invariants.catalog import catalog
from ...invariants.catalog import clauses as clauses_of
from ...invariants.rows import fixed_scenarios
from ...invariants.vocabulary.trace import KernelDescription
from .judging import unclaimed


def numbers(shard: str) -> tuple[int, int]:
    """Return of a share such as ``2/5`` which it is, and of how many."""
    place, _, number = shard.partition("/")
    return int(place), int(number)


def share_of(fixed: Sequence[int], examples: int, shard: int, shards: int) -> list[int]:
    """Return the places of the invariants that a shard takes, ascending.

    The one with the most scenarios goes first, each to the shard that has the fewest so far.

    Args:
        fixed: how many fixed scenarios each invariant has.
        examples: how many are drawn for each.
        shard: which of the shards, from 1.
        shards: how many there are.
    """
    loads = [0] * shards
    taken: list[int] = []
    for place in sorted(range(len(fixed)), key=lambda x: (-fixed[x], x)):
        least = loads.index(min(loads))
        loads[least] += fixed[place] + examples
        if least == shard - 1:
            taken.append(place)
    return sorted(taken)


def shares(
    kernel: KernelDescription, selected: Iterable[str], examples: int, shards: int
) -> list[list[str]]:
    """Return the ids of the invariants that each shard of a run has to take.

    Args:
        kernel: what the kernel says of itself.
        selected: ids of the clauses that the run judges.
        examples: how many scenarios are drawn for each invariant.
        shards: how many there are.
    """
    known, capabilities = clauses_of(catalog()), frozenset(kernel.capabilities)
    alive = {known[name][0].id for name in selected if not unclaimed(*known[name], capabilities)}
    planned = [invariant for invariant in catalog() if invariant.id in alive]
    fixed = [
        sum(1 for _ in fixed_scenarios(each, planned, kernel.parameters, capabilities))
        for each in planned
    ]
    return [
        [planned[place].id for place in share_of(fixed, examples, shard, shards)]
        for shard in range(1, shards + 1)
    ]
