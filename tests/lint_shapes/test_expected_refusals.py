"""Calls that the SDK rejects, where the code says that it knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

MODEL = """\
from imperal_sdk import Extension, sdl
from pydantic import ValidationError

ext = Extension("notes")


class Note(sdl.Entity):
    text: str = ""


@ext.panel("p")
async def p(ctx):
    try:
        return Note(text="a")
    except {}:
        return None
"""


@pytest.mark.parametrize(
    ("caught", "severity", "words"),
    [
        ("ValidationError", "info", "as except ValidationError expects, it raises pydantic"),
        ("(KeyError, ValidationError)", "info", "as except ValidationError expects"),
        ("TypeError", "error", "needs id and title: it raises pydantic"),
        ("ValueError", "error", "requires them: pass id=… and title=…"),
        ("Exception", "error", "it raises pydantic.ValidationError"),
    ],
)
def test_a_model_is_refused_by_its_own_exception(
    lint: Lint, caught: str, severity: str, words: str
) -> None:
    """Who catches ``ValidationError`` by name expects it; ``TypeError`` does not catch it."""
    (found,) = lint("FED108", MODEL.format(caught))

    assert severity == found.severity
    assert words in found.message


@pytest.mark.parametrize(
    ("made", "manifest", "called", "severities"),
    [
        ('"notes"', '{"app_id": "notes"}', '"notes"', ["error"]),
        ('"notes"', "{}", "APP", ["error"]),
        ('"notes"', '{"app_id": "notes"}', '"mail"', []),
        ('"notes"', '{"app_id": "notes-eu"}', '"notes"', []),
        ("name()", "{}", '"notes"', []),
        ('"notes"', "{}", "name()", []),
    ],
)
def test_an_extension_that_calls_itself(
    lint: Lint, made: str, manifest: str, called: str, severities: list[str]
) -> None:
    """The id of the extension is on the stack of every call."""
    text = (
        f"from imperal_sdk import Extension\nfrom names import name\n\nAPP = 'notes'\n"
        f"ext = Extension({made})\n\n\n@ext.panel('p')\nasync def p(ctx):\n"
        f"    return await ctx.extensions.call({called}, 'list_all', x=1)\n"
    )
    found = lint("FED108", text, imperal__json=manifest)
    assert severities == [item.severity for item in found]


def test_an_extension_that_expects_the_circle(lint: Lint) -> None:
    """Whoever catches the exception knows of it."""
    text = (
        "from imperal_sdk import Extension\n"
        "from imperal_sdk.extensions.client import CircularCallError\n\n"
        "ext = Extension('notes')\n\n\n"
        "@ext.panel('p')\nasync def p(ctx):\n    try:\n"
        "        return await ctx.extensions.call('notes', 'list_all')\n"
        "    except CircularCallError:\n        return None\n"
    )
    (found,) = lint("FED108", text)
    assert "info" == found.severity


HELPERS = """
import inspect


def tried(call, name):
    try:
        return name in inspect.signature(call).parameters
    except (TypeError, ValueError):
        return False


def kept(call, name):
    try:
        names = inspect.signature(call).parameters
    except ValueError:
        return False
    return name in names


def listed(call, name):
    spec = inspect.getfullargspec(call)
    return name in set(spec.args)


def logged(call, name):
    try:
        return name in call.names
    except ValueError:
        return True


def fits(call, **given):
    try:
        inspect.signature(call).bind(**given)
    except TypeError:
        return False
    return True


try:
    TAKES = {{"mark": "bookmark" in inspect.signature(Extension).parameters}}
except ValueError:
    TAKES = {{}}


@ext.panel("p")
async def p(ctx):
    call = ctx.store.query
    names = inspect.signature(call).parameters
    other = ctx.names()
    if {0}:
        await ctx.store.query("n", bookmark=1)
"""


@pytest.mark.parametrize(
    "asked",
    [
        '"bookmark" in names',
        'other and "bookmark" in names',
        'tried(call, "bookmark")',
        'kept(call, "bookmark")',
        'listed(ctx.store.query, "bookmark")',
        'names.get("bookmark") is not None',
        "fits(call, bookmark=1)",
        'TAKES["mark"]',
        "any(name == 'bookmark' for name in names)",
    ],
)
def test_parameters_that_are_asked_for(lint: Lint, asked: str) -> None:
    """Who asks for a parameter first gives it only to a release that takes it."""
    assert ["info"] == [item.severity for item in lint("FED108", HELPERS.format(asked))]


@pytest.mark.parametrize(
    "asked",
    ['"bookmark" in other', '"bookmark" not in names', "not TAKES", 'logged(call, "bookmark")'],
)
def test_what_asks_for_no_parameters(lint: Lint, asked: str) -> None:
    """Other questions say nothing of what the call takes."""
    assert ["error"] == [item.severity for item in lint("FED108", HELPERS.format(asked))]


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("if app == ext.app_id:", 0),
        ("if is_own(app):", 0),
        ("if app == 'notes':", 0),
        ("if app == 'mail':", 1),
        ("if not ctx.user:", 1),
        ("name = app\n    if is_own(name):", 0),
        ("name = app\n    if name == 'notes':", 0),
        ("name = ctx\n    if is_own(name):", 1),
    ],
)
def test_an_extension_that_asks_for_its_own_id(lint: Lint, guard: str, expected: int) -> None:
    """A call of itself is told only where no condition may keep the own id away."""
    text = (
        "from imperal_sdk import Extension\nfrom names import is_own\n\n"
        "ext = Extension('notes')\n\n\n"
        "async def ask(ctx, app):\n"
        f"    {guard}\n        return None\n"
        "    return await ctx.extensions.call(app, 'list_all')\n\n\n"
        "@ext.panel('p')\nasync def p(ctx):\n    return await ask(ctx, 'notes')\n"
    )
    assert expected == len(lint("FED108", text))
