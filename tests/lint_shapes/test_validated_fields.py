"""Validators of pydantic models, and which fields they may change."""

from __future__ import annotations

import pytest

from .conftest import Lint

PROGRAM = """
from datetime import datetime
from typing import Annotated, Optional

import kit
from pydantic import AfterValidator, field_serializer, field_validator, model_validator, validator

NAME = "kept"
NAMES = ("kept", "other")
Kept = Annotated[int, AfterValidator(lambda v: min(v, 300))]


def least(v):
    return min(v, 300)


class Base(BaseModel):
    other: int = 1
{base}


class Given(Base):
    kept: {kind}
{own}


@ext.panel("p")
async def p(ctx):
    await ctx.cache.set("notes", Count(total=1), ttl_seconds=Given(kept=600).kept)


class When(Base):
    kept: datetime
{own}


@chat.function("g", "Tells")
async def g(ctx, params):
    return ActionResult.success(When(kept=datetime.now()).model_dump(), "Kept")
"""
METHOD = "\n    @classmethod\n    def c(cls, v):\n        return v"
AFTER = '    @model_validator(mode="after")\n    def c(self):\n        {0}\n        return self'
CHANGING = (
    f"    @field_validator(NAME){METHOD}",
    f"    @field_validator(*NAMES){METHOD}",
    f"    @field_validator('*'){METHOD}",
    f"    @field_validator('other', 'kept'){METHOD}",
    f"    @validator(*NAMES, pre=True){METHOD}",
    f"    @kit.kept_short('kept'){METHOD}",
    f"    @model_validator(mode='before'){METHOD}",
    "    _short = field_validator('kept')(least)",
    "    _short = field_validator(*NAMES)(least)",
    "    _short = kit.shortened('kept')",
    AFTER.format("kit.shorten(self)"),
    AFTER.format("self.kept = 5"),
)
KEEPING = (
    "",
    f"    @field_validator('other'){METHOD}",
    f"    @kit.kept_short('other'){METHOD}",
    "    _short = field_validator('other')(least)",
    AFTER.format("assert self.other"),
)


def _codes(lint: Lint, own: str, *, kind: str = "int", base: str = "") -> list[str]:
    text = PROGRAM.replace("{own}", own).replace("{kind}", kind).replace("{base}", base)
    return sorted(it.code for it in lint("FED302 FED402", text) if it.severity == "error")


@pytest.mark.parametrize("own", CHANGING)
def test_a_validator_may_change_the_field(lint: Lint, own: str) -> None:
    """What the field was given is not what it holds."""
    assert [] == _codes(lint, own)
    assert [] == _codes(lint, "", base=own)


@pytest.mark.parametrize("own", KEEPING)
def test_a_validator_of_another_field(lint: Lint, own: str) -> None:
    """The field holds what it was given."""
    assert ["FED302", "FED402"] == _codes(lint, own)


def test_the_type_of_the_field_changes_it(lint: Lint) -> None:
    """Also where the annotated type stands inside another one."""
    assert ["FED402"] == _codes(lint, "", kind="Optional[Kept]")
    assert ["FED302", "FED402"] == _codes(lint, "", kind="Optional[int]")
