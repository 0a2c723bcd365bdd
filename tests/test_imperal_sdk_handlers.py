"""The adapter of the published SDK: its handlers, and what is broken rather than refused."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any, get_args

import pytest

import fedcheck.conformance.adapters.imperal_sdk as adapter
from fedcheck.conformance.adapters.imperal_sdk import caching, package, probing
from fedcheck.conformance.adapters.imperal_sdk.gateway import gateway
from fedcheck.invariants.vocabulary.scenario import (
    CacheSet,
    Environment,
    Extension,
    HandlerKind,
    Probe,
    Section,
    SkeletonRefresh,
)

pytest.importorskip("imperal_sdk", reason="imperal-sdk is not installed (extra: sdk)")

KINDS: tuple[HandlerKind, ...] = get_args(HandlerKind)
VALUE = '{"a":1}'


def kernel(*extensions: Extension) -> Any:
    """Return a fresh kernel with the given extensions, or with the whole pool."""
    environment = Environment(extensions=extensions) if extensions else Environment()
    return adapter.kernel(environment)


class TestBroken:
    """A broken adapter or gateway never looks like a refusal."""

    def test_a_dead_gateway_is_an_error(self) -> None:
        """Once its shelf is closed, a good key is an error, a bad one still a refusal."""
        driven = kernel()
        gateway().close_shelf(driven.shelf)
        good = driven.cache_set(CacheSet(key="k", value_json=VALUE))
        bad = driven.cache_set(CacheSet(key="a b", value_json=VALUE))
        assert ("error", "refused") == (good.outcome, bad.outcome)
        assert "HTTPStatusError" == good.error.name

    @pytest.mark.parametrize("value", ["", "{", '{"a":NaN}', '{"a":1e999}', '{"\\ud800":1}'])
    def test_a_value_that_cannot_be_carried_is_an_error(self, value: str) -> None:
        """Text that is no JSON, or that would arrive changed, is not the SDK's refusal."""
        driven = kernel()
        assert "error" == driven.cache_set(CacheSet(key="k", value_json=value)).outcome
        assert {} == driven.shelf.bodies

    @pytest.mark.parametrize("error", [ValueError, TypeError, PermissionError, OSError])
    def test_the_same_class_from_elsewhere_is_an_error(self, error: type[Exception]) -> None:
        """What is raised outside the SDK's code is no refusal, whatever its class."""

        async def failing(*_: Any, **__: Any) -> None:
            raise error("not the SDK")

        ctx = SimpleNamespace(cache=SimpleNamespace(set=failing))
        event = asyncio.run(caching.perform(ctx, CacheSet(key="k", value_json=VALUE)))
        assert "error" == event.outcome

    def test_a_changed_signature_is_an_error(self) -> None:
        """A call that does not fit is a TypeError of ours."""

        async def changed(key: str) -> None:
            """Take less than the adapter gives."""

        ctx = SimpleNamespace(cache=SimpleNamespace(set=changed))
        event = asyncio.run(caching.perform(ctx, CacheSet(key="k", value_json=VALUE)))
        assert ("error", "TypeError") == (event.outcome, event.error.name if event.error else "")

    def test_a_failed_connection_is_no_guard(self) -> None:
        """A probe that meets a dead transport is an error, never raised."""

        async def failing(_: str) -> None:
            raise package.load("httpx").ConnectError("nobody listens")

        ctx = SimpleNamespace(skeleton=SimpleNamespace(get=failing))
        step = Probe(handler="tool", op="call", path="skeleton.get", args_json='["overview"]')
        assert "error" == asyncio.run(probing.perform(ctx, step)).outcome

    @pytest.mark.parametrize(
        ("path", "arguments"),
        [("a..b", "[]"), ("", "[]"), ("a()", "[]"), ("if", "[]"), ("a", "{}")],
    )
    def test_a_malformed_probe_is_an_error(self, path: str, arguments: str) -> None:
        """What is no dotted name, or no list of arguments, is not carried out."""
        step = Probe(handler="tool", op="call", path=path, args_json=arguments)
        assert "error" == kernel().probe(step).outcome

    def test_an_app_that_is_not_installed_fails_the_step(self) -> None:
        """Nothing is made up for an extension that the environment does not install."""
        driven = kernel(Extension(app="beta"))
        event = driven.cache_set(CacheSet(key="k", value_json=VALUE, app="alpha"))
        assert "extension 'alpha' is not installed" == event.message


class TestProbe:
    """Probes run in real handlers, and find what a plain context holds."""

    @pytest.mark.parametrize("via", ["direct", "dynamic", "helper"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_handler_runs_for_the_user(self, kind: HandlerKind, via: Any) -> None:
        """The control: in every kind of handler, the context's user is the step's."""
        step = Probe(handler=kind, op="get", path="user.imperal_id", user="u1-77-1", via=via)
        assert ("value", '"u1-77-1"') == (
            (event := kernel().probe(step)).outcome,
            event.value_json,
        )

    @pytest.mark.parametrize("via", ["direct", "dynamic", "helper"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_guard_answers_as_in_plain_contexts(self, kind: HandlerKind, via: Any) -> None:
        """The adapter adds nothing to the guard of a Context made by hand, and hides nothing."""
        types = {"chat_function": "chat_fn", "webhook": "tool", "schedule": "tool"}
        driven = kernel()
        driven.skeleton_refresh(SkeletonRefresh())
        step = Probe(
            handler=kind, op="call", path="skeleton.get", args_json='["overview"]', via=via
        )
        event = driven.probe(step)
        try:
            expected: Any = asyncio.run(plain_section(types.get(kind, kind)))
        except PermissionError as error:
            expected = (type(error).__name__, str(error))
        found = json.loads(event.value_json) if event.outcome == "value" else ()
        assert expected == (found or (event.error.name, event.error.message))

    @pytest.mark.parametrize(
        ("op", "path", "expected"),
        [
            ("get", "fact_ledger", "absent"),
            ("get", "skeleton.set", "absent"),
            ("get", "store", "absent"),
            ("get", "nothing.at.all", "absent"),
            ("get", "skeleton", "value"),
            ("call", "skeleton.set", "raised"),
            ("call", "webhook_url", "raised"),
            ("import", "fact_ledger", "raised"),
            ("import", "no_such_package.name", "raised"),
            ("import", "Context", "value"),
            ("import", "imperal_sdk.errors.SkeletonAccessForbidden", "value"),
        ],
    )
    @pytest.mark.parametrize("via", ["direct", "dynamic", "helper"])
    def test_outcomes(self, via: Any, op: Any, path: str, expected: str) -> None:
        """Absent, value and raised mean the same however the handler is written."""
        event = kernel().probe(Probe(handler="tool", op=op, path=path, via=via))
        assert expected == event.outcome
        assert (expected == "raised") == (event.error is not None)

    def test_an_error_is_described_with_its_bases(self) -> None:
        """The name and the bases of an error are those of its class."""
        driven = kernel()
        step = Probe(handler="panel", op="call", path="skeleton.get", args_json='["overview"]')
        raised = driven.probe(step).error
        forbidden = package.load("imperal_sdk.errors").SkeletonAccessForbidden
        assert forbidden.__name__ == raised.name
        assert [base.__name__ for base in forbidden.__mro__[1:-1]] == list(raised.bases)


async def plain_section(tool_type: str) -> Any:
    """Return what a section read gives in a Context made by hand."""
    sdk = package.load()

    async def get(_: str) -> Any:
        return {"total": 3}

    user = sdk.UserContext(imperal_id="u1", email="u@x.test", tenant_id="t", role="user")
    ctx = sdk.Context(user=user, skeleton=SimpleNamespace(get=get), _tool_type=tool_type)
    return await ctx.skeleton.get("overview")


class TestSkeleton:
    """A refresh runs the registered handler; the gateway only keeps what it returned."""

    @pytest.mark.parametrize("declared", [True, False])
    def test_returns_in_order(self, declared: bool) -> None:
        """The n-th refresh stores the n-th value, and the last one repeats."""
        returns = ('{"n":1}', '{"n":2.0}')
        section = Section(name="inbox", returns_json=returns, declared=declared)
        driven = kernel(Extension(app="gamma", sections=(Section(), section)))
        step = SkeletonRefresh(app="gamma", section="inbox")
        stored = [driven.skeleton_refresh(step).value_json for _ in range(3)]
        assert ['{"n": 1}', '{"n": 2.0}', '{"n": 2.0}'] == stored
        arguments = '["inbox"]'
        read = Probe(
            handler="skeleton", op="call", path="skeleton.get", args_json=arguments, app="gamma"
        )
        assert '{"n": 2.0}' == driven.probe(read).value_json

    def test_a_section_that_nobody_refreshed_is_null(self) -> None:
        """The stage holds nothing until a refresh has run."""
        step = Probe(handler="skeleton", op="call", path="skeleton.get", args_json='["overview"]')
        assert "null" == kernel().probe(step).value_json

    def test_an_unknown_section_fails_the_step(self) -> None:
        """Only scripted sections can be refreshed."""
        event = kernel().skeleton_refresh(SkeletonRefresh(section="nowhere"))
        assert "extension 'alpha' has no section 'nowhere'" == event.message
