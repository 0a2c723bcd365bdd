"""What a parameter is in calls that leave it to its default, beside those that give it."""

from __future__ import annotations

import pytest

from .conftest import Lint

HEAD = (
    "async def told(ctx, extra{}):\n    {}\n\n\n"
    '@chat.function("f", "Tells")\nasync def f(ctx, p):\n    return await told(ctx)\n\n\n'
    '@chat.function("g", "Tells")\nasync def g(ctx, p):\n    return await told(ctx, {})\n'
)
CHANGED = (
    "data = {'a': 1}\n    if extra%s:\n        data.update(e=extra)\n"
    "    return ActionResult.success(data, 'x')"
)
INSIDE = "return ActionResult.success({'e': extra}, 'x')"


def _run(lint: Lint, spec: str, given: str, body: str = INSIDE) -> list[str]:
    return [it.severity for it in lint("FED402", HEAD.format(spec, body, given))]


@pytest.mark.parametrize(
    "spec", ["=None", ": dict = None", ": dict | None = None", "={}", ": dict = {}"]
)
def test_a_call_that_leaves_a_parameter_to_its_default(lint: Lint, spec: str) -> None:
    """What another call gives counts, whatever is written of the type of the parameter."""
    assert ["error"] == _run(lint, spec, "{'b': {1, 2}}")
    assert [] == _run(lint, spec, "{'b': [1, 2]}")


@pytest.mark.parametrize(
    ("body", "given", "severities"),
    [
        ("return ActionResult.success({'e': extra or {}}, 'x')", "{'b': {1}}", ["error"]),
        ("return ActionResult.success(extra or {}, 'x')", "{'b': {1}}", ["error"]),
        ("return ActionResult.success(extra or {}, 'x')", "{'b': 1}", []),
        (CHANGED % "", "{'b': {1}}", ["error"]),
        (CHANGED % " is None", "{'b': {1}}", []),
    ],
)
def test_what_is_made_of_a_default(
    lint: Lint, body: str, given: str, severities: list[str]
) -> None:
    """Where the code asks for the parameter, only the calls that pass the question count."""
    assert severities == _run(lint, ": dict = None", given, body)


def test_defaults_that_json_refuses(lint: Lint) -> None:
    """A default counts in the call that leaves it."""
    assert ["error"] == _run(lint, ": dict = {'b': {1}}", "{}")
    assert [] == _run(lint, ": dict = {'b': [1]}", "{}")


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ("None if extra is MISSING else extra", 0),
        ("extra if extra is not MISSING else None", 0),
        ("extra if extra is MISSING else None", 1),
        ("None if extra is OTHER else extra", 1),
        ("extra", 1),
    ],
)
@pytest.mark.parametrize("made", ["object()", "Mark()", "Mark"])
def test_a_default_that_stands_for_nothing(lint: Lint, made: str, kept: str, expected: int) -> None:
    """Where the code asks for the mark itself, the mark does not come."""
    text = f"class Mark: ...\n\n\nMISSING, OTHER = {made}, 1\n\n\n" + HEAD.format(
        "=MISSING", f"return ActionResult.success({{'e': {kept}}}, 'x')", "1"
    )
    assert expected == len(lint("FED402", text))


@pytest.mark.parametrize(
    ("made", "kept", "expected"),
    [
        ("object()", "None if extra == MISSING else extra", 0),
        ("object()", "extra if extra not in (MISSING, None) else None", 0),
        ("object()", "extra if extra in (MISSING, None) else None", 1),
        ("object()", "extra if isinstance(extra, str | int) else repr(extra)", 0),
        ("object()", "extra if isinstance(extra, object) else repr(extra)", 1),
        ("object()", "extra or None", 1),
        ("Never()", "extra or None", 0),
        ("Never()", "extra and None", 1),
        ("Mark()", "extra or None", 1),
    ],
)
def test_marks_that_are_asked_otherwise(lint: Lint, made: str, kept: str, expected: int) -> None:
    """``object()`` is of no other class, and a ``__bool__`` that says False is believed."""
    text = (
        "class Mark: ...\n\n\nclass Never:\n    def __bool__(self):\n        return False\n\n\n"
        f"MISSING = {made}\n\n\n"
        + HEAD.format("=MISSING", f"return ActionResult.success({{'e': {kept}}}, 'x')", "1")
    )
    assert expected == len(lint("FED402", text))
