"""What a class keeps under a name says nothing of another class that has such a name too."""

from __future__ import annotations

import pytest

from .conftest import Lint

MAIN = """
class Settings:
    ttl: int = 60


class Keeper{0}:
    def __init__(self, ctx, ttl=900):
        self.ctx, self.ttl = ctx, ttl

    async def keep(self):
        await self.ctx.cache.set("notes", Count(total=1), ttl_seconds=self.ttl)


class Other{1}:
    def __init__(self):
        self.ttl = 30


{2}


@ext.panel("p")
async def p(ctx):
    await Keeper(ctx).keep()
"""


@pytest.mark.parametrize(
    ("bases", "others", "more", "expected"),
    [
        ("", "", "", "error"),
        ("(Settings)", "", "", "warning"),
        ("", "(Keeper)", "", "warning"),
        ("", "", "class Both(Other, Keeper):\n    pass", "warning"),
        ("", "", "def limit(keeper):\n    keeper.ttl = 60", "warning"),
    ],
)
def test_only_its_own_family_counts(
    lint: Lint, bases: str, others: str, more: str, expected: str
) -> None:
    """Bases, those that extend it, what these extend besides, and whoever sets it from outside."""
    found = lint("FED302", MAIN.format(bases, others, more))
    assert [expected] == [item.severity for item in found]


SETTINGS = """
{0}
class Settings{1}:
    ttl: int = {2}
    life: int


settings = Settings()
{3}


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("notes", Count(total=1), ttl_seconds=settings.ttl)
"""


@pytest.mark.parametrize(
    ("before", "bases", "ttl", "after", "expected"),
    [
        ("", "", "900", "", ["error"]),
        ("", "", "60", "", []),
        ("", "", "900", "settings.ttl = 60", ["warning"]),
        ("@settled", "", "900", "", []),
        ("", "(Loaded)", "900", "", []),
        ("", "(metaclass=Loaded)", "900", "", []),
        ("class Base:\n    ttl = 900\n", "(Base)", "60", "", []),
    ],
)
def test_a_type_beside_a_value_changes_nothing(
    lint: Lint, before: str, bases: str, ttl: str, after: str, expected: list[str]
) -> None:
    """As long as nobody makes a constructor of it: a decorator, a base that is not known."""
    found = lint("FED302", SETTINGS.format(before, bases, ttl, after))
    assert expected == [item.severity for item in found]


LOADED = """
class Config:
    ttl{0} = 900

    def __init__(self, **given):
        {1}

    async def keep(self, ctx):
        await ctx.cache.set("notes", Count(total=1), ttl_seconds=self.ttl)


@ext.panel("p")
async def p(ctx):
    await Config(ttl=60).keep(ctx)
"""


@pytest.mark.parametrize("kind", ["", ": int"])
@pytest.mark.parametrize(
    "loads",
    [
        "self.__dict__.update(given)",
        "vars(self).update(given)",
        "[setattr(self, key, value) for key, value in given.items()]",
        "self.given = given",
    ],
)
def test_a_field_that_is_set_by_name_is_not_certain(lint: Lint, kind: str, loads: str) -> None:
    """What the class declares may be replaced by what its objects are given."""
    found = {item.severity for item in lint("FED302", LOADED.format(kind, loads))}
    assert found == {"error"} if loads == "self.given = given" else found <= {"warning"}


BOUNDED = """
from typing import Annotated

from pydantic import Field

LONGEST = 300


class Keeping(BaseModel):
    life: {field}


@ext.panel("p")
async def p(ctx):
    try:
        kept = Keeping(life=900)
    except ValueError:
        kept = Keeping()
    await ctx.cache.set("n", Count(total=1), ttl_seconds=kept.life)
"""


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("int = Field(60, ge=5, le=300)", []),
        ("int = Field(default=60, lt=LONGEST + 1)", []),
        ("Annotated[int, Field(le=LONGEST)] = 60", []),
        ("int = Field(60, le=900)", ["error"]),
        ("int = Field(default=600, le=300)", ["error"]),
    ],
)
def test_a_number_that_a_model_refuses(lint: Lint, field: str, expected: list[str]) -> None:
    """No object holds it; pydantic does not look at defaults."""
    found = lint("FED302", BOUNDED.format(field=field))
    assert expected == [item.severity for item in found]
