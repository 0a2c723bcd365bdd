"""An error is what certainly stands there; one value of several is a warning."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

PANEL = '\n@ext.panel("p")\nasync def p(ctx, n=1):\n'
SIDE = '\n@ext.panel("side")\nasync def side(ctx):\n    return None\n'
SET = "    await ctx.cache.set({key}, {value}, ttl_seconds={ttl})\n"


def _set(key: str = '"k"', value: str = "Count(total=1)", ttl: str = "60") -> str:
    return SET.format(key=key, value=value, ttl=ttl)


def _severities(found: tuple[Finding, ...]) -> list[str]:
    return [item.severity for item in found]


@pytest.mark.parametrize(
    ("code", "always", "sometimes"),
    [
        ("FED301", PANEL + _set('"a/b"'), PANEL + _set('"a/b" if n else "ab"')),
        ("FED302", PANEL + _set(ttl="600"), PANEL + _set(ttl="600 if n else 60")),
        ("FED303", PANEL + _set(value="{}"), PANEL + _set(value="{} if n else Count(total=1)")),
        (
            "FED508",
            f'{PANEL}    await ctx.http.get("u", timeout=600)\n',
            f'{PANEL}    await ctx.http.get("u", timeout=600 if n else 60)\n',
        ),
        (
            "FED512",
            '\n@ext.panel("p", slot="main")\nasync def p(ctx):\n    return None\n',
            (
                '\nSLOT = "left"\nif OLD:\n    SLOT = "main"\n\n\n@ext.panel("p", slot=SLOT)\n'
                "async def p(ctx):\n    return None\n"
            ),
        ),
        (
            "FED503",
            f'{SIDE}{PANEL}    return ActionResult.success({{}}, "x", refresh_panels=["b"])\n',
            (
                f'{SIDE}{PANEL}    names = ["b"] if n else ["side"]\n'
                '    return ActionResult.success({}, "x", refresh_panels=names)\n'
            ),
        ),
    ],
)
def test_one_value_of_several_is_a_warning(
    lint: Lint, code: str, always: str, sometimes: str
) -> None:
    """The same value is an error where no other one can stand."""
    got = [_severities(lint(code, text)) for text in (always, sometimes)]
    assert [["error"], ["warning"]] == got


@pytest.mark.parametrize(
    ("code", "statement", "use"),
    [
        ("FED105", "x = Anon() if n else ctx.user", "return x.id"),
        ("FED105", "x = ctx.user\n    if n:\n        x = Anon()", "return x.id"),
        ("FED105", "x = await ctx.store.query('a')\n    if n:\n        x = {}", "return x.items()"),
        ("FED108", "x = Anon() if n else ctx.cache", "return await x.set('k', 1, ttl=5)"),
        ("FED107", "x = Anon() if n else await ctx.http.get('u')", "return x.text[:5]"),
        ("FED111", "x = {'id': 1} if n else ctx.user", "return x['id']"),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_one_object_of_several_is_a_warning(
    lint: Lint, code: str, statement: str, use: str, *, inside: bool
) -> None:
    """In a helper, which gets the context by a call, as in the handler itself."""
    anon = (
        "\nclass Anon:\n    id = text = ''\n\n    async def set(self, *a, **k):\n        return 1\n"
    )
    body = f"    {statement}\n    {use}\n"
    helper = f"\nasync def help(ctx, n):\n{body}{PANEL}    return await help(ctx, n)\n"
    text = anon + (helper if inside else PANEL + body)
    assert ["warning"] == _severities(lint(code, text))


def test_a_callers_value_counts_as_certain(lint: Lint) -> None:
    """Another caller gives a right one, but this call fails."""
    text = (
        "\nasync def keep(ctx, ttl=60):\n"
        f"{_set(ttl='ttl')}{PANEL}    await keep(ctx)\n    await keep(ctx, ttl=900)\n"
    )
    assert ["error"] == _severities(lint("FED302", text))


def test_a_value_that_the_function_may_replace_is_a_warning(lint: Lint) -> None:
    """The caller's dict is turned into a model on one way."""
    text = (
        "\nasync def keep(ctx, v):\n    if not isinstance(v, BaseModel):\n        v = Count(**v)\n"
        f"{_set(value='v')}{PANEL}    await keep(ctx, {{'total': 1}})\n"
    )
    assert "error" not in _severities(lint("FED303", text))


@pytest.mark.parametrize("guard", ["ttl <= 300", "5 <= ttl < 301", "ttl in range(5, 301)"])
def test_a_life_that_the_code_tests_is_silent(lint: Lint, guard: str) -> None:
    """What the test lets through is not what stands in the constant."""
    text = (
        f"\nasync def keep(ctx, ttl=900):\n    if {guard}:\n    {_set(ttl='ttl')}"
        f"{PANEL}    await keep(ctx)\n"
    )
    assert [] == _severities(lint("FED302", text))


def test_an_attribute_that_a_subclass_sets_anew_is_a_warning(lint: Lint) -> None:
    """``self`` may be of the subclass."""
    method = f"    async def keep(self, ctx):\n    {_set(ttl='self.ttl')}"
    keeper = f"\nclass Keeper:\n    ttl = 900\n\n{method}"
    use = f"{PANEL}    await Keeper().keep(ctx)\n"
    brief = "\n\nclass Brief(Keeper):\n    ttl = 60\n"
    got = [_severities(lint("FED302", text)) for text in (keeper + use, keeper + brief + use)]
    assert [["error"], ["warning"]] == got
