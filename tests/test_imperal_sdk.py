"""The adapter of the published SDK: its claims, its cache, and the page about it."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import subprocess
import sys
import weakref
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

import pytest

import fedcheck.conformance.adapters.imperal_sdk as adapter
from fedcheck.conformance.adapters.imperal_sdk import caching, package
from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.invariants.vocabulary.scenario import (
    APPS,
    CacheDelete,
    CacheGet,
    CacheSet,
    Environment,
    HandlerKind,
)
from fedcheck.invariants.vocabulary.trace import CAPABILITIES

pytest.importorskip("imperal_sdk", reason="imperal-sdk is not installed (extra: sdk)")

KINDS: tuple[HandlerKind, ...] = get_args(HandlerKind)
VALUE = '{"a":1}'
PAGE = Path(__file__).parents[1] / "docs" / "imperal-sdk.md"


def kernel() -> Any:
    """Return a fresh kernel with the whole pool of extensions."""
    return adapter.kernel(Environment())


class TestDescription:
    """What is claimed."""

    def test_claims_what_the_sdk_itself_has(self) -> None:
        """Nothing of the platform is claimed: no ledger, no classifier, no clock."""
        description = InProcessAdapter("imperal-sdk", adapter.kernel).describe()
        assert "imperal-sdk" == description.kernel
        assert version("imperal-sdk") == description.version
        assert {"cache", "probe", "skeleton"} == set(description.capabilities)
        assert set(description.capabilities) <= set(CAPABILITIES)


def plain_cache(stored: dict[str, Any]) -> tuple[Any, Any]:
    """Return the SDK's own cache client over a dict, and a model, with nothing of ours."""
    httpx, sdk = package.load("httpx"), package.load()
    extension, model = sdk.Extension("alpha"), caching.cache_model()
    extension.cache_model("plain")(model)

    def keep(given: Any) -> Any:
        if given.method == "PUT":
            stored[given.url.path] = given.content
        return httpx.Response(204)

    client = httpx.AsyncClient(transport=httpx.MockTransport(keep))
    cache = package.load("imperal_sdk.cache").CacheClient(
        "alpha", "u1", "http://gateway", extension=extension, http_client=client
    )
    return cache, model


def plainly(operation: Any) -> str:
    """Return what a plain SDK call comes to, in the words of an outcome."""
    try:
        asyncio.run(operation)
    except (ValueError, TypeError) as error:
        return f"refused {type(error).__name__}: {error}"
    return "accepted"


def outcome(event: Any) -> str:
    """Return an adapter's event in the same words."""
    error = event.error
    return event.outcome if error is None else f"{event.outcome} {error.name}: {error.message}"


class TestCache:
    """The adapter's outcomes are those of plain SDK calls, whatever these are."""

    @pytest.mark.parametrize(
        "key",
        [
            "k",
            "a:b_c-9",
            "x" * 128,
            "x" * 129,
            "abc\n",
            "\nabc",
            "\n",
            "",
            "a.b",
            "a b",
            "é",
            "a\0",
        ],
        ids=ascii,
    )
    def test_set_agrees_with_plain_calls_on_keys(self, key: str) -> None:
        """A key is accepted or refused exactly as by the SDK's client alone."""
        stored: dict[str, Any] = {}
        cache, model = plain_cache(stored)
        expected = plainly(cache.set(key, model({"a": 1})))
        driven = kernel()
        assert expected == outcome(driven.cache_set(CacheSet(key=key, value_json=VALUE)))
        assert len(stored) == len(driven.shelf.bodies)
        hit = "accepted" == expected
        assert ("hit" if hit else expected) == outcome(driven.cache_get(CacheGet(key=key)))

    @pytest.mark.parametrize("life", [5, 60, 300, 4, 301, 0, -1, True, 60.0, "60"], ids=repr)
    def test_set_agrees_with_plain_calls_on_lives(self, life: Any) -> None:
        """A life is passed on as it is, type included."""
        stored: dict[str, Any] = {}
        cache, model = plain_cache(stored)
        expected = plainly(cache.set("k", model({"a": 1}), ttl_seconds=life))
        driven = kernel()
        event = driven.cache_set(CacheSet(key="k", value_json=VALUE, ttl_seconds=life))
        assert expected == outcome(event)
        arrived = [json.loads(body)["ttl_seconds"] for body in driven.shelf.bodies.values()]
        assert [json.loads(body)["ttl_seconds"] for body in stored.values()] == arrived

    def test_leaves_the_life_out(self) -> None:
        """Without a life in the step, the SDK's own default is what arrives."""
        stored: dict[str, Any] = {}
        cache, model = plain_cache(stored)
        asyncio.run(cache.set("k", model({})))
        driven = kernel()
        driven.cache_set(CacheSet(key="k", value_json="{}"))
        [plain], [arrived] = stored.values(), driven.shelf.bodies.values()
        assert json.loads(plain)["ttl_seconds"] == json.loads(arrived)["ttl_seconds"]

    @pytest.mark.parametrize(
        "value",
        [
            "{}",
            '{"i": 9007199254740993, "h": 123456789012345678901234567890}',
            '{"f": 1.0, "z": -0.0, "e": 1e-300, "t": true, "n": null}',
            '{"text": "я\\u0000\\ud800\\u2028", "model_config": 1, "_a": {"copy": [[]]}}',
            json.dumps({"text": "x" * 60_000}),
        ],
        ids=["empty", "integers", "scalars", "texts", "large"],
    )
    def test_carries_values_unchanged(self, value: str) -> None:
        """What arrives at the gateway and what comes back is the value, types included."""
        driven = kernel()
        assert "accepted" == driven.cache_set(CacheSet(key="k", value_json=value)).outcome
        [body] = driven.shelf.bodies.values()
        expected = json.dumps(json.loads(value))
        assert expected == json.dumps(json.loads(body)["envelope"]["data"])
        assert expected == driven.cache_get(CacheGet(key="k")).value_json

    @pytest.mark.parametrize("kind", KINDS)
    def test_works_in_every_handler(self, kind: HandlerKind) -> None:
        """Each kind of handler reaches the same user's entries."""
        driven = kernel()
        driven.cache_set(CacheSet(key="k", value_json=VALUE, handler=kind))
        assert "hit" == driven.cache_get(CacheGet(key="k", handler="tool")).outcome
        assert "accepted" == driven.cache_delete(CacheDelete(key="k", handler=kind)).outcome
        assert "miss" == driven.cache_get(CacheGet(key="k", handler=kind)).outcome

    def test_keeps_users_and_apps_apart(self) -> None:
        """Another user, another extension and another scenario find nothing."""
        driven = kernel()
        driven.cache_set(CacheSet(key="k", value_json=VALUE, user="u1-9f-1"))
        assert "miss" == driven.cache_get(CacheGet(key="k", user="u2-9f-1")).outcome
        assert "miss" == driven.cache_get(CacheGet(key="k", user="u1-9f-1", app=APPS[1])).outcome
        assert "miss" == kernel().cache_get(CacheGet(key="k", user="u1-9f-1")).outcome
        assert "hit" == driven.cache_get(CacheGet(key="k", user="u1-9f-1")).outcome

    def test_ends_with_its_scenario(self) -> None:
        """What a scenario stored is dropped when its kernel is."""
        driven = kernel()
        driven.cache_set(CacheSet(key="k", value_json=VALUE))
        shelf = weakref.ref(driven.shelf)
        assert shelf() is not None
        del driven
        gc.collect()
        assert shelf() is None

    def test_reaches_loopback_past_a_proxy(self) -> None:
        """A proxy in the user's environment does not stand between the SDK and the gateway."""
        script = (
            "import fedcheck.conformance.adapters.imperal_sdk as a\n"
            "from fedcheck.invariants.vocabulary.scenario import CacheSet, Environment\n"
            "k = a.kernel(Environment())\n"
            "print(k.cache_set(CacheSet(key='k', value_json='{}')).outcome)\n"
        )
        dead = "http://127.0.0.1:9"
        environment = {**os.environ, "HTTP_PROXY": dead, "http_proxy": dead, "NO_PROXY": "a.test"}
        environment.pop("no_proxy", None)
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ("accepted\n", "") == (done.stdout, done.stderr)


def test_the_page_shows_what_its_script_prints() -> None:
    """The SDK lines in docs/imperal-sdk.md print what stands below them."""
    blocks = re.findall(r"```(python|text)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    stated = re.search(r"come from version (\S+)\.\n", PAGE.read_text("utf-8"))
    assert stated is not None
    if (installed := package.installed_version()) != stated[1]:
        pytest.skip(f"the page describes {stated[1]}, installed is {installed}")
    script = "\n".join(text for kind, text in blocks if kind == "python")
    expected = "".join(text for kind, text in blocks if kind == "text")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (expected, "") == (done.stdout, done.stderr)
