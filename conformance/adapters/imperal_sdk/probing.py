"""Reaching a path inside a handler, in the three ways in which handlers are written."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable
from functools import reduce
from importlib import import_module
from keyword import iskeyword
from typing import Any, cast

from ....invariants.vocabulary.scenario import Probe
from ....invariants.vocabulary.trace import ProbeOutcome
from .package import described, from_transport

Reach = Callable[[Any, Probe, list[Any]], Awaitable[Any]]


async def perform(ctx: Any, step: Probe) -> ProbeOutcome:
    """Carry out a probe; a gateway that cannot be reached is ``error``, never ``raised``."""
    try:
        arguments = _prepared(step)
    except ValueError as error:
        return ProbeOutcome(outcome="error", error=described(error))
    try:
        found = await _REACHES[step.via](ctx, step, arguments)
    except Exception as error:  # noqa: BLE001 - whatever the path raises is the outcome
        return _failed(step, error)
    if found is None and step.op == "get":
        return ProbeOutcome(outcome="absent")
    return ProbeOutcome(outcome="value", value_json=_as_json(found))


def _failed(step: Probe, error: Exception) -> ProbeOutcome:
    if step.op == "get" and isinstance(error, AttributeError):
        return ProbeOutcome(outcome="absent")
    outcome = "error" if from_transport(error) else "raised"
    return ProbeOutcome(outcome=outcome, error=described(error))


def _prepared(step: Probe) -> list[Any]:
    names = step.path.split(".")
    if not all(name.isidentifier() and not iskeyword(name) for name in names):
        raise ValueError(f"probe: path {step.path!r} is not a dotted name")
    arguments = json.loads(step.args_json)
    if isinstance(arguments, list):
        return cast("list[Any]", arguments)
    raise ValueError(f"probe: args_json {step.args_json!r} is not a list")


async def _written_out(ctx: Any, step: Probe, arguments: list[Any]) -> Any:
    """By the path itself, as it would stand in the handler's source."""
    names: dict[str, Any] = {}
    source = f"def reach(ctx, arguments):\n    {_statement(step)}"
    exec(source, names)  # noqa: S102 - the path was found to hold names only
    return await _settled(step, names["reach"](ctx, arguments))


def _statement(step: Probe) -> str:
    if step.op == "import":
        module, name = _import_of(step.path)
        return f"from {module} import {name} as found; return found"
    return f"return ctx.{step.path}{'(*arguments)' if step.op == 'call' else ''}"


async def _computed(ctx: Any, step: Probe, arguments: list[Any]) -> Any:
    """By names that stand nowhere in the handler's source: ``getattr``, ``import_module``."""
    if step.op == "import":
        module, name = _import_of(step.path)
        return getattr(import_module(module), name)
    found = reduce(getattr, step.path.split("."), ctx)
    return await _settled(step, found(*arguments) if step.op == "call" else found)


async def _in_a_helper(ctx: Any, step: Probe, arguments: list[Any]) -> Any:
    """By a function that the handler calls, and hands its context to."""

    async def helper(borrowed: Any) -> Any:
        return await _written_out(borrowed, step, arguments)

    return await helper(ctx)


_REACHES: dict[str, Reach] = {
    "direct": _written_out,
    "dynamic": _computed,
    "helper": _in_a_helper,
}


async def _settled(step: Probe, found: Any) -> Any:
    return await found if step.op == "call" and inspect.isawaitable(found) else found


def _import_of(path: str) -> tuple[str, str]:
    parent, _, name = f"imperal_sdk.{path.removeprefix('imperal_sdk.')}".rpartition(".")
    return parent, name


def _as_json(found: Any) -> str | None:
    """Return a value as JSON text, or ``None`` for an object that JSON cannot carry."""
    try:
        return json.dumps(found, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
