"""A second name for a value, and a comparison the other way round, change nothing."""

from __future__ import annotations

import pytest

from .conftest import Lint

PANEL = """
class M(BaseModel):
    n: int = 0


ext.cache_model("m")(M)


class Keeper:
    def __init__(self, ttl=900):
        self.ttl = ttl

    def renew(self):
        self.ttl = 60


class Plain:
    def __init__(self):
        self.ttl = 900


keeper = Keeper()
plain = Plain()


@ext.panel("p")
async def p(ctx):
    r = await ctx.http.get("https://example.org")
{body}
"""


def _in(body: str) -> str:
    return PANEL.replace("{body}", "".join(f"    {line}\n" for line in body.splitlines()))


SET = 'await ctx.cache.set("k", {value}, ttl_seconds={ttl})'


@pytest.mark.parametrize(
    ("body", "value", "found"),
    [
        ("data = r.json()\nif not isinstance(data, M):\n    return\nv = data", "v", 0),
        ("if not isinstance(data := r.json(), M):\n    return", "data", 0),
        ("data = r.json()\nv = data", "v", 1),
        ("data = r.json()\nif not isinstance(r, M):\n    return\nv = data", "v", 1),
    ],
)
def test_an_answer_whose_type_is_asked(lint: Lint, body: str, value: str, found: int) -> None:
    """Whoever asks knows of other answers than JSON, by whatever name."""
    text = _in(f"{body}\n{SET.format(value=value, ttl=60)}")
    assert len(lint("FED303", text)) == found


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("ttl = keeper.ttl", "warning"),
        ("own = keeper.ttl\nttl = own", "warning"),
        ("ttl = plain.ttl", "error"),
        ("ttl = 900", "error"),
    ],
)
def test_an_attribute_that_may_have_changed(lint: Lint, body: str, severity: str) -> None:
    """``ttl = keeper.ttl`` is as sure as ``keeper.ttl`` itself."""
    text = _in(f"keeper.renew()\n{body}\n{SET.format(value='M()', ttl='ttl')}")
    assert [it.severity for it in lint("FED302", text)] == [severity]


MARK = """
MISSING = object()


async def told(ctx, extra=MISSING):
    return ActionResult.success({{"e": None if {test} else extra}}, "x")


@chat.function("f", "Tells")
async def f(ctx, p):
    return await told(ctx)
"""


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("extra is MISSING", 0),
        ("MISSING is extra", 0),
        ("MISSING == extra", 0),
        ("MISSING != extra", 1),
        ("None is extra", 1),
    ],
)
def test_a_mark_on_either_side(lint: Lint, test: str, found: int) -> None:
    """``MISSING is x`` asks what ``x is MISSING`` asks."""
    assert len(lint("FED402", MARK.format(test=test))) == found


@pytest.mark.parametrize(
    ("test", "found"),
    [("HTTPResponse != type(r)", 0), ("type(r) is not HTTPResponse", 0), ("r != type(p)", 1)],
)
def test_the_type_on_either_side(lint: Lint, test: str, found: int) -> None:
    """Behind ``Page != type(x)`` no page comes."""
    text = _in(f"if {test}:\n    return r.nope")
    text = text.replace("HTTPResponse", "types.HTTPResponse")
    assert len(lint("FED105", "import imperal_sdk.types as types\n" + text)) == found


CLASSES = """
class M(BaseModel):
    n: int = 0


class Keeper:
    ttl = 900

    async def keep(self, ctx):
        ttl = self.ttl
        await ctx.cache.set("k", M(), ttl_seconds={ttl})


class Brief(Keeper):
    {field} = 60


@ext.panel("p")
async def p(ctx):
    await Keeper().keep(ctx)
"""


@pytest.mark.parametrize("ttl", ["ttl", "self.ttl"])
@pytest.mark.parametrize(("field", "severity"), [("ttl", "warning"), ("life", "error")])
def test_a_field_of_several_classes(lint: Lint, ttl: str, field: str, severity: str) -> None:
    """Which of the classes it is of is as open for ``ttl = self.ttl``."""
    found = lint("FED302", CLASSES.format(ttl=ttl, field=field))
    assert [it.severity for it in found] == [severity]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("", 1),
        ("other = LIVES", 1),
        ("other = dict(LIVES)\nother['k'] = 60", 1),
        ("other = LIVES\nother['k'] = 60", 0),
        ("one = other = LIVES\none.update(k=60)", 0),
    ],
)
def test_a_table_that_is_changed_by_a_second_name(lint: Lint, change: str, found: int) -> None:
    """What it holds in the end is not what was written out."""
    text = _in(SET.format(value="M()", ttl="LIVES['k']"))
    assert len(lint("FED302", f"LIVES = {{'k': 900}}\n{change}\n{text}")) == found


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("for i, v in enumerate(values):\n    values[i] = M(**v)", 0),
        ("same = values\nsame[0] = M()", 0),
        ("print(values[0])", 1),
        ("values.append({})", 1),
    ],
)
def test_items_that_are_replaced(lint: Lint, change: str, found: int) -> None:
    """A loop over the list then comes by what was put there."""
    loop = f"for value in values:\n    {SET.format(value='value', ttl=60)}"
    text = _in(f"values = [{{'n': 1}}]\n{change}\n{loop}")
    assert len(lint("FED303", text)) == found
