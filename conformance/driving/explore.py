"""Draws scenarios with Hypothesis and hands them on, without ever stopping at a failure.

Raising inside a Hypothesis test would make it shrink the first bug and hide the others, so
the body only collects; reducing is done afterwards, by our own reducer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...invariants.vocabulary.scenario import Scenario
from .interrupts import recognised

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def derived_seed(seed: int, name: str) -> int:
    """Return the seed for one part of a run, so that parts do not depend on each other."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{name}".encode()).digest()[:8], "big")


def explore(
    strategy: SearchStrategy[Scenario],
    attempt: Callable[[Scenario], None],
    *,
    examples: int,
    seed: int,
) -> None:
    """Draw scenarios and attempt each; one seed always draws the same ones.

    Args:
        strategy: where the scenarios come from; it depends on the model alone.
        attempt: runs and judges one scenario; it must not raise for a broken promise.
        examples: how many to draw at most.
        seed: what to draw them from.
    """
    if examples < 1:
        return
    import hypothesis
    from hypothesis import HealthCheck, Phase, Verbosity

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),  # pyright: ignore[reportArgumentType]
        verbosity=Verbosity.quiet,
        print_blob=False,
    )
    @hypothesis.given(strategy)
    def body(scenario: Scenario) -> None:
        attempt(scenario)

    with _local_constants_ignored(), recognised():
        body()


@contextmanager
def _local_constants_ignored() -> Generator[None]:
    """Keep Hypothesis from drawing constants that it finds in loaded modules of the user.

    With them, what one seed draws would depend on which modules happen to be loaded: on the
    number of worker processes, on the kernel under test. There is no public switch; versions
    without this feature are left as they are.
    """
    from hypothesis.internal.conjecture import providers

    name = "_get_local_constants"
    original = getattr(providers, name, None)
    kept = getattr(providers, "CONSTANTS_CACHE", None)
    empty = getattr(providers, "Constants", None)
    if original is None or kept is None or empty is None:
        yield
        return
    kept.cache.clear()
    setattr(providers, name, empty)
    try:
        yield
    finally:
        setattr(providers, name, original)
        kept.cache.clear()
