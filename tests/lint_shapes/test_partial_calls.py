"""Calls of the cache that ``functools.partial`` prepares, and tuples with names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

START = (
    "from collections import namedtuple\nfrom functools import partial\n"
    "from typing import NamedTuple\n\n{before}\n\n\n"
    '@ext.panel("p")\nasync def p(ctx, n=1):\n    cache = ctx.cache\n'
)


def _found(
    lint: Lint, body: str, before: str = "", codes: str = "FED301 FED302 FED303"
) -> list[tuple[str, str]]:
    text = START.format(before=before) + "".join(f"    {line}\n" for line in body.splitlines())
    return [(item.code, item.severity) for item in lint(codes, text)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('f = partial(cache.get, "a b")\nawait f(Count)', [("FED301", "error")]),
        ('f = partial(cache.get, "a b")', []),
        ('f = partial(cache.get, "ab")\nawait f(Count)', []),
        ('f = partial(cache.get, model=Count)\nawait f("a b")', [("FED301", "error")]),
        ('f = partial(cache.get, key="a b")\nawait f(key="ab", model=Count)', []),
        ('f = partial(cache.delete)\nawait f("a b")', [("FED301", "error")]),
        ('await partial(cache.get, "a b")(Count)', [("FED301", "error")]),
        ('f = partial(print, "a b")\nf()', []),
        (
            'f = partial(cache.set, ttl_seconds=900)\nawait f("k", Count(total=1))',
            [("FED302", "error")],
        ),
        (
            'f = partial(cache.set, ttl_seconds=900)\nawait f("k", Count(total=1), ttl_seconds=60)',
            [],
        ),
        ('f = partial(cache.set, "k", ttl_seconds=60)\nawait f({})', [("FED303", "error")]),
        ('f = partial(cache.set, "k", ttl_seconds=60)\nawait f(Count(total=1))', []),
    ],
)
def test_what_partial_keeps_counts_when_it_is_called(
    lint: Lint, body: str, expected: list[tuple[str, str]]
) -> None:
    """Its arguments stand before those of the call, which replace keywords."""
    assert expected == _found(lint, body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('f = partial(cache.set, ttl=60)\nawait f("k", n)', "error"),
        ('f = partial(cache.set, "k")\nawait f(n, 60, n)', "error"),
        ('f = partial(cache.get, "k")\nawait f()', "error"),
        ('f = partial(cache.get, model=Count)\nawait f("k", Count)', "error"),
        ('await partial(ctx.http.delete, json={})("https://a.b")', "error"),
        (
            'for f in (partial(cache.get, "k"), partial(cache.delete, "k")):\n    await f()',
            "warning",
        ),
        ('f = partial(cache.get, "k") if n else load\nawait f()', "warning"),
        ("f = partial(cache.set, ttl=60)", ""),
        ('f = partial(cache.set, "k", n)\nawait f(ttl_seconds=60)', ""),
        ('f = partial(cache.get, "k", model=Count)\nawait f(model=Count)', ""),
        ("f = partial(cache.get, *n)\nawait f()", ""),
        ('f = partial(cache.get, **n)\nawait f("k")', ""),
        ('f = partial(load, "k")\nawait f()', ""),
        ('f = partial(ctx.http.post, json={})\nawait f("https://a.b", json={"a": 1})', ""),
    ],
)
def test_the_sdk_gets_what_partial_keeps_and_what_the_call_gives(
    lint: Lint, body: str, expected: str
) -> None:
    """Both together must fit; a keyword of the call stands for the one that was kept."""
    load = "async def load(key, model=None):\n    return key"
    found = [severity for _, severity in _found(lint, body, load, "FED108")]
    assert [expected] * bool(expected) == found


@pytest.mark.parametrize(
    "made",
    [
        'namedtuple("S", "key ttl")({key}, {ttl})',
        'namedtuple("S", ["key", "ttl"])({key}, ttl={ttl})',
        'namedtuple("S", "key, ttl", defaults=({ttl},))({key})',
        'NamedTuple("S", [("key", str), ("ttl", int)])({key}, {ttl})',
        "Slot({key}, {ttl})",
        "Slot(ttl={ttl}, key={key})",
    ],
)
@pytest.mark.parametrize(
    ("key", "ttl"), [("S.key", "S.ttl"), ("S[0]", "S[1]"), ("KEY", "TTL"), ("S[-2]", "S[-1]")]
)
def test_what_a_tuple_with_names_holds_is_known(lint: Lint, made: str, key: str, ttl: str) -> None:
    """By name, by place, and taken apart."""
    cls = "class Slot(NamedTuple):\n    key: str\n    ttl: int\n\n\n"
    body = f"await cache.set({key}, Count(total=1), ttl_seconds={ttl})"
    if "-" in key and made.startswith("Slot"):
        return
    for given, life, expected in (('"a b"', "900", ["FED302", "FED301"]), ('"ab"', "90", [])):
        before = f"{cls}S = {made.format(key=given, ttl=life)}\nKEY, TTL = S\n"
        assert expected == [code for code, _ in _found(lint, body, before)]


@pytest.mark.parametrize(
    "before",
    [
        'S = namedtuple("S", FIELDS)("a b", 900)',
        'S = namedtuple("S", "key ttl")(*GIVEN)',
        'S = namedtuple("S", "key ttl")("a b", 900)._replace(key="ab", ttl=60)',
        'S = namedtuple("S", "name key ttl")("a b", load(), load())',
    ],
)
def test_what_is_not_shown_is_not_known(lint: Lint, before: str) -> None:
    """Fields and values from elsewhere, a copy with others, another field."""
    body = "await cache.set(S.key, Count(total=1), ttl_seconds=S.ttl)"

    assert [] == _found(lint, body, before)


PREPARED = """
from functools import partial


@ext.tool("t")
async def t(ctx):
    tell = partial(ctx.progress, message="Working")
    ask = partial(ctx.secrets.get, {})
    try:
        await tell(10)
    except {}:
        raise
    except Exception:
        return await ask()


ext.secret("token", "The token")
"""


@pytest.mark.parametrize(
    ("secret", "first", "expected"),
    [
        ('"api_key"', "ValueError", ["FED507 warning", "FED509 error"]),
        ('"token"', "TaskCancelled", []),
    ],
)
def test_other_prepared_methods_count_too(
    lint: Lint, secret: str, first: str, expected: list[str]
) -> None:
    """``ctx.progress`` that is cancelled, and a secret that nobody declares."""
    found = lint("FED507 FED509", PREPARED.format(secret, first))
    assert expected == sorted(f"{item.code} {item.severity}" for item in found)
