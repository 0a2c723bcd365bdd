"""What decides whether the SDK has a member: each case differs without one condition."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.lint.edits.text_edits import apply
from fedcheck.lint.rule import PREAMBLE
from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]


@pytest.mark.parametrize(
    ("codes", "text", "files"),
    [
        pytest.param(
            "FED108",
            """
@ext.panel("p")
async def p(ctx):
    ctx.cache.__init__(1, 2, 3)
""",
            {},
            id="method_without_a_known_signature",
        ),
        pytest.param(
            "FED107",
            """
import imperal_sdk


@ext.panel("p")
async def p(ctx):
    response = await ctx.http.get("https://example.com")
    if imperal_sdk.__version__ < "2":
        return response.text[0]
    return 1
""",
            {},
            id="method_under_a_check_of_the_version",
        ),
    ],
)
def test_it_stays_silent(lint: Lint, codes: str, text: str, files: dict[str, str]) -> None:
    """Nothing is told where nothing is proved."""
    assert () == lint(codes, text, **files)


@pytest.mark.parametrize(
    ("codes", "text", "files", "expected"),
    [
        pytest.param(
            "FED101",
            """
from vendor import AppContext


@ext.panel("p")
async def p(request: AppContext):
    return request.fact_ledger
""",
            {},
            ["FED101 error"],
            id="context_of_another_package",
        ),
        pytest.param(
            "FED105",
            """
from vendor import template_version


@ext.panel("p")
async def p(ctx):
    if template_version == "long":
        return ctx.user.id
""",
            {},
            ["FED105 error"],
            id="version_of_something_else_in_words",
        ),
        pytest.param(
            "FED105",
            """
import imperal_sdk


@ext.panel("p")
async def p(ctx):
    if imperal_sdk.__version__.split(sep=".")[0] == "6":
        return 1
    return ctx.user.id
""",
            {},
            ["FED105 info"],
            id="version_split_at_another_sign",
        ),
        pytest.param(
            "FED109",
            """
async def fake(*args): ...


@ext.panel("p")
async def p(ctx):
    ctx.http.get = fake
    found = ctx.store.get("a", "b")
    return found.data
""",
            {},
            ["FED109 error"],
            id="method_of_another_client_is_replaced",
        ),
        pytest.param(
            "FED101",
            """
from more import *


@ext.panel("p")
async def p(ctx):
    return show(ctx)
""",
            {
                "more__py": """
def __all__(): ...


def show(context):
    return context.fact_ledger
""",
            },
            ["FED101 error"],
            id="star_of_a_file_with_a_function_all",
        ),
        pytest.param(
            "FED114",
            """
try:
    from imperal_sdk import Extension as E

    CLIENT = connect()
except ImportError:
    from imperal_sdk import Gone
""",
            {},
            ["FED114 warning"],
            id="handler_of_an_import_that_more_can_raise",
        ),
        pytest.param(
            "FED101",
            """
from imperal_sdk import Context


@ext.panel("p")
async def p(ctx):
    other: Context = load()
    return other.fact_ledger
""",
            {},
            ["FED101 error"],
            id="context_by_the_annotation_of_a_name",
        ),
        pytest.param(
            "FED105",
            """
import imperal_sdk

VERSION = imperal_sdk.__version__ if hasattr(imperal_sdk, "__version__") else "0"


@ext.panel("p")
async def p(ctx):
    if VERSION < "2":
        return ctx.user.id
""",
            {},
            ["FED105 info"],
            id="version_that_is_asked_for_first",
        ),
        pytest.param(
            "FED105",
            """
@ext.panel("p")
async def p(ctx):
    if callable():
        return ctx.cache.put("a")
""",
            {},
            ["FED105 error"],
            id="callable_of_nothing",
        ),
    ],
)
def test_it_is_told(
    lint: Lint, codes: str, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """A breach is told with the severity that is proved."""
    found = lint(codes, text, **files)
    assert expected == [f"{item.code} {item.severity}" for item in found]


def test_a_call_that_gets_a_factory_is_not_renamed(lint: Lint) -> None:
    """``box.use(ActionResult.ok, "Done")`` calls no factory that could get its name."""
    (found,) = lint(
        "FED105",
        """
from vendor import box


@ext.panel("p")
async def p(ctx):
    return box.use(ActionResult.ok, "Done")
""",
    )
    assert found.fix is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('ok({"a": 1}, "Done")', 'success({"a": 1}, "Done")'),
        ('ok({"a": 1}, message="Done")', 'success({"a": 1}, summary="Done")'),
        ('fail(message="Gone")', 'error(error="Gone")'),
    ],
)
def test_a_factory_is_named_with_its_arguments(lint: Lint, written: str, meant: str) -> None:
    """The fix names the factory that takes the same, and a keyword by its name."""
    head = '@chat.function("f", "Lists the notes", action_type="read")\nasync def f(ctx):\n'
    text = f"{head}    return ActionResult.{written}\n"
    (found,) = lint("FED105", text)
    assert found.fix is not None
    assert f"    return ActionResult.{meant}\n" in apply(PREAMBLE + text, found.fix.edits)
