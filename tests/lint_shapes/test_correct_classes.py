"""Classes that give a right value in the end, each beside one that does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fedcheck.reports.lint.findings import Finding

Lint = Callable[..., tuple[Finding, ...]]

HEAD = """\
import abc
import dataclasses
import functools
from typing import Annotated

from imperal_sdk import ChatExtension, Extension
from pydantic import AfterValidator, BaseModel, field_validator

ext = Extension("notes")


@ext.cache_model("m")
class M(BaseModel):
    n: int = 0


"""
PANEL = '\n\n@ext.panel("p")\nasync def p(ctx, **kwargs):\n'
SET = 'await ctx.cache.set("k", {value}, ttl_seconds={ttl})\n'
KEEPING = f"""
    async def keep(self, ctx):
        {SET.format(value="self.value()", ttl="self.ttl")}
"""
BASE = f"class Base(abc.ABC):\n    ttl = 900\n{KEEPING}"
PLAIN = '    def value(self):\n        return {"n": 1}\n'
ABSTRACT = "    @abc.abstractmethod\n    def value(self): ...\n"
RAISING = "    def value(self):\n        raise NotImplementedError\n"
SHORT = "\n\nclass Short(Base):\n    ttl = 60\n\n    def value(self):\n        return M()\n"
DICT = SHORT.replace("M()", '{"n": 1}')
MODEL = "class Slot(BaseModel):\n    ttl: int = 30\n\n\n"
JOB = """class Job:
    def __init__(self):
        self.ttl = None

    def ready(self):
        {}
        return self
"""
CLASS_JOB = JOB.replace("    def __init__(self):\n        self.ttl = None", "    ttl = None")
CAPPED = """@dataclasses.dataclass
class Limits:
    ttl: int = 900

    def capped(self):
        return Limits({})


HTTP = Limits(3600)
CACHE = HTTP.capped()
"""
CLAMPING = """
    @field_validator("{}")
    @classmethod
    def clamp(cls, value):
        return min(value, 300)
"""
CLASSES = {
    "a base class whose methods are abstract": (
        BASE + ABSTRACT + SHORT,
        BASE + ABSTRACT + DICT,
        "await Short().keep(ctx)",
    ),
    "a base class whose methods raise": (
        BASE + RAISING + SHORT,
        BASE + RAISING + DICT,
        "await Short().keep(ctx)",
    ),
    "a base class whose methods are replaced": (
        BASE + PLAIN + SHORT,
        BASE + PLAIN + DICT,
        "await Short().keep(ctx)",
    ),
    "attributes that a base class gives": (
        (
            "class Base:\n    ttl = 0\n\n    def __init_subclass__(cls, *, ttl=60):\n"
            f"        cls.ttl = ttl\n{KEEPING}{SHORT.replace('    ttl = 60', '')}"
        ),
        (
            "class Base:\n    ttl = 0\n\n    def __init_subclass__(cls, *, ttl=60):\n"
            f"        cls.life = ttl\n{KEEPING}{SHORT.replace('    ttl = 60', '')}"
        ),
        "await Short().keep(ctx)",
    ),
    "a dataclass that clamps": (
        (
            "@dataclasses.dataclass(frozen=True)\nclass Slot:\n    ttl: int = 900\n\n"
            '    def __post_init__(self):\n        object.__setattr__(self, "ttl", 300)\n'
        ),
        (
            "@dataclasses.dataclass(frozen=True)\nclass Slot:\n    ttl: int = 900\n\n"
            '    def __post_init__(self):\n        object.__setattr__(self, "life", 300)\n'
        ),
        SET.format(value="M()", ttl="Slot().ttl"),
    ),
    "a dataclass that clamps without ado": (
        (
            "@dataclasses.dataclass\nclass Slot:\n    ttl: int = 900\n\n"
            "    def __post_init__(self):\n        self.ttl = min(self.ttl, 300)\n"
        ),
        (
            "@dataclasses.dataclass\nclass Slot:\n    ttl: int = 900\n\n"
            "    def __post_init__(self):\n        self.life = min(self.ttl, 300)\n"
        ),
        SET.format(value="M()", ttl="Slot().ttl"),
    ),
    "a model that clamps": (
        "class Slot(BaseModel):\n    ttl: int = 60\n" + CLAMPING.format("ttl"),
        "class Slot(BaseModel):\n    ttl: int = 60\n" + CLAMPING.format("life"),
        SET.format(value="M()", ttl="Slot(ttl=900).ttl"),
    ),
    "a type that clamps": (
        (
            "Ttl = Annotated[int, AfterValidator(lambda it: min(it, 300))]\n\n\n"
            "class Slot(BaseModel):\n    ttl: Ttl = 60\n"
        ),
        "Ttl = Annotated[int, 'seconds']\n\n\nclass Slot(BaseModel):\n    ttl: Ttl = 60\n",
        SET.format(value="M()", ttl="Slot(ttl=900).ttl"),
    ),
    "a constructor that clamps": (
        (
            "class Slot:\n    def __init__(self, ttl=900):\n        self.ttl = ttl\n"
            "        if self.ttl > 300:\n            self.ttl = 300\n"
        ),
        (
            "class Slot:\n    def __init__(self, ttl=900):\n        self.ttl = ttl\n"
            "        if self.ttl > 300:\n            self.life = 300\n"
        ),
        SET.format(value="M()", ttl="Slot().ttl"),
    ),
    "a constructor that sets twice": (
        "class Slot:\n    def __init__(self):\n        self.ttl = 900\n        self.ttl = 60\n",
        "class Slot:\n    def __init__(self):\n        self.ttl = 60\n        self.ttl = 900\n",
        SET.format(value="M()", ttl="Slot().ttl"),
    ),
    "a setter that clamps": (
        (
            "class Slot:\n    def __init__(self, ttl):\n        self.ttl = ttl\n\n"
            "    @property\n    def ttl(self):\n        return self._ttl\n\n"
            "    @ttl.setter\n    def ttl(self, value):\n        self._ttl = min(value, 300)\n"
        ),
        (
            "class Slot:\n    def __init__(self, ttl):\n        self.ttl = ttl\n\n"
            "    @property\n    def life(self):\n        return self.ttl\n"
        ),
        SET.format(value="M()", ttl="Slot(900).ttl"),
    ),
    "a place that another method fills": (
        JOB.format("self.ttl, self.life = 60, 5"),
        JOB.format("self.life = 5"),
        SET.format(value="M()", ttl="Job().ready().ttl"),
    ),
    "a place of the class that a method fills": (
        CLASS_JOB.format("self.ttl = 60"),
        CLASS_JOB.format("self.life = 60"),
        SET.format(value="M()", ttl="Job().ready().ttl"),
    ),
    "an object that a method makes": (
        CAPPED.format("min(self.ttl, 300)"),
        CAPPED.format("600"),
        SET.format(value="M()", ttl="CACHE.ttl"),
    ),
    "a copy of a model": (
        MODEL + 'SLOT = Slot().model_copy(update={"ttl": 60})',
        MODEL + 'SLOT = Slot().model_copy(update={"ttl": 900})',
        SET.format(value="M()", ttl="SLOT.ttl"),
    ),
    "a copy of which another field differs": (
        (
            "class Slot(BaseModel):\n    key: str = ''\n    ttl: int = 60\n\n\n"
            "LONG = Slot(ttl=900)\n"
            'SLOT = Slot().model_copy(update={"key": "a"})'
        ),
        (
            "class Slot(BaseModel):\n    key: str = ''\n    ttl: int = 60\n\n\nSHORT = Slot()\n"
            'SLOT = Slot(ttl=900).model_copy(update={"key": "a"})'
        ),
        SET.format(value="M()", ttl="SLOT.ttl"),
    ),
    "a model made of what is not known": (
        (
            "class Slot(BaseModel):\n    ttl: int = 900\n\n\nLONG = Slot()\n"
            'SLOT = Slot.model_validate({"ttl": 60})'
        ),
        "class Slot(BaseModel):\n    ttl: int = 900\n\n\nSLOT = Slot()",
        SET.format(value="M()", ttl="SLOT.ttl"),
    ),
    "a table that is changed under its name": (
        (
            'TABLE = {"ttl": 900}\nTABLE["ttl"] = 60\n\n\n'
            "def setting(name, *, table=TABLE):\n    return table.get(name)\n"
        ),
        (
            'TABLE = {"ttl": 900}\n\n\n'
            "def setting(name, *, table=TABLE):\n    return table.get(name)\n"
        ),
        SET.format(value="M()", ttl='setting("ttl")'),
    ),
}
"""What → right classes, wrong classes, the body of the panel."""


def _severities(lint: Lint, classes: str, body: str) -> set[str]:
    steps = "".join(f"    {line}\n" for line in body.splitlines())
    return {item.severity for item in lint("FED302 FED303", f"{HEAD}{classes}{PANEL}{steps}")}


@pytest.mark.parametrize("what", CLASSES)
def test_what_a_class_gives_in_the_end_is_silent(lint: Lint, what: str) -> None:
    """Nothing is said of a value that the class replaces before anybody reads it."""
    right, _, body = CLASSES[what]
    assert set() == _severities(lint, right, body.replace("{}", "None"))


@pytest.mark.parametrize("what", CLASSES)
def test_a_wrong_value_of_a_class_is_found(lint: Lint, what: str) -> None:
    """The same shape with a value that stays wrong."""
    _, wrong, body = CLASSES[what]
    assert {"error"} == _severities(lint, wrong, body.replace("{}", "Base()\nawait base.keep(ctx)"))
