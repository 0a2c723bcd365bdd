"""``ctx.cache`` operations, as a handler performs them, and what they came to."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable
from functools import lru_cache
from typing import Any

from ....invariants.vocabulary.scenario import CacheDelete, CacheGet, CacheSet
from ....invariants.vocabulary.trace import CacheOutcome
from .package import declined, described, load


@lru_cache(maxsize=1)
def cache_model() -> Any:
    """Return the Pydantic model of the fixture's cache values: any JSON value, unchanged."""
    pydantic = load("pydantic")
    return pydantic.create_model("FixtureValue", __base__=pydantic.RootModel[Any])


async def perform(ctx: Any, step: CacheSet | CacheGet | CacheDelete) -> CacheOutcome:
    """Perform the step on ``ctx.cache``.

    What the SDK's own checks decline is ``refused``; whatever else breaks (the gateway,
    the value's text, this adapter) is ``error``.
    """
    try:
        return await _operation(ctx, step)
    except Exception as error:  # noqa: BLE001 - whatever breaks is what the step came to
        outcome = "refused" if declined(error) else "error"
        return CacheOutcome(outcome=outcome, error=described(error))


def _operation(ctx: Any, step: CacheSet | CacheGet | CacheDelete) -> Awaitable[CacheOutcome]:
    if isinstance(step, CacheSet):
        return _set(ctx, step)
    return _get(ctx, step) if isinstance(step, CacheGet) else _delete(ctx, step)


async def _set(ctx: Any, step: CacheSet) -> CacheOutcome:
    given = json.loads(step.value_json, parse_float=_finite, parse_constant=_finite)
    value = cache_model()(given)
    # Without a TTL in the step, the SDK's own default has to apply.
    life = {} if step.ttl_seconds is None else {"ttl_seconds": step.ttl_seconds}
    await ctx.cache.set(step.key, value, **life)
    return CacheOutcome(outcome="accepted")


async def _get(ctx: Any, step: CacheGet) -> CacheOutcome:
    value = await ctx.cache.get(step.key, cache_model())
    if value is None:
        return CacheOutcome(outcome="miss")
    return CacheOutcome(outcome="hit", value_json=json.dumps(value.root, allow_nan=False))


async def _delete(ctx: Any, step: CacheDelete) -> CacheOutcome:
    await ctx.cache.delete(step.key)
    return CacheOutcome(outcome="accepted")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"value_json: {text} is no number that can be stored unchanged")
    return number
