"""How long a cache entry lives, whoever sets it and whatever happened to its key."""

from __future__ import annotations

from collections.abc import Callable

from ..readings.cache_rules import SURE_TTL, Life, life_over, life_within
from ..scenarios.cache_scenes import BEFORE, KEY, MEANWHILE, Stage
from ..scenarios.dimensions import HANDLER
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters

_HOUR = 3_600

LIFE: Dimension[Callable[[int], Life]] = Dimension(
    "life",
    (
        Value("minute", lambda _: SURE_TTL, "the published SDK's default"),
        Value("cap", lambda cap: cap, "a bound that is excluded"),
        Value("one-over", lambda cap: cap + 1, "a bound that is off by one"),
        Value("half-over", lambda cap: cap + 0.5, "a life that is rounded to even, then checked"),
        Value("tenth-over", lambda cap: cap + 0.1, "a life that is rounded, then checked"),
        Value("most-over", lambda cap: cap + 0.9, "a life that is rounded down, then checked"),
        Value("nearly-one-over", lambda cap: cap + 0.999, "the same, in milliseconds"),
        Value("half-below", lambda cap: cap - 0.5, "a life that is rounded up, above the cap"),
        Value("hour", lambda cap: cap + _HOUR, "a cap that is written down and not applied"),
        Value("milliseconds", lambda _: 1_000 * SURE_TTL, "seconds taken for milliseconds"),
        Value("31-bits", lambda _: 2**31, "a signed 32-bit number turns negative: for ever"),
        Value("32-bits", lambda _: 2**32 + SURE_TTL, "an unsigned one starts at zero again"),
        Value("63-bits", lambda _: 2**63, "more than a database's integer: no end is stored"),
        Value("float", lambda _: float(SURE_TTL), "a JSON number that is no integer"),
        Value("fraction", lambda _: SURE_TTL + 0.5, "a fraction of a second"),
        Value("few-seconds", lambda _: 5, "the least life of the published SDK"),
        Value("zero", lambda _: 0, "memcached and others: for ever"),
        Value("one-below", lambda _: -1, "Redis: no end"),
        Value("below", lambda cap: -cap, "an end in the past that is never swept"),
        Value("absent", lambda _: None, "no default: for ever"),
    ),
)


def _scene(row: Row, parameters: Parameters) -> Scene:
    cap = parameters.ttl_max_seconds
    life = row[LIFE](cap)
    stage = Stage(row[HANDLER], parameters)
    row[BEFORE](stage)
    stage.set(KEY, life=life, strained=True).get(KEY)
    end = life_within(life, cap) or cap
    stage.wait(end - 1).get(KEY)
    row[MEANWHILE](stage)
    if end < cap:
        stage.wait(3).get_everywhere(KEY).wait(max(cap - end - 1.5, 0))
    else:
        within = min((life_over(life, cap) or cap + 1) - cap, 1) / 2
        stage.wait(1 + within).get(KEY).wait(2 - within)
    return stage.get_everywhere(KEY).scene()


ASPECT = Aspect(
    name="cache.life",
    title="A life in the cache",
    clauses=(
        "I-CACHE-TTL-CAP-300S/over-cap-not-stored",
        "I-CACHE-TTL-CAP-300S/within-cap-accepted",
        "I-CACHE-TTL-CAP-300S/expired-not-served",
    ),
    focus=LIFE,
    context=(HANDLER, BEFORE, MEANWHILE),
    scene=_scene,
)
