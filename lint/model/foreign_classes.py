"""Classes of the standard library, of pydantic and of the SDK, by their names."""

from __future__ import annotations

import sys

from ..sdk.module_surface import modules
from ..sdk.surface import MODELS
from .evaluator import Evaluator
from .values import External, SdkClass, Value

_ABSTRACT = ("collections.abc.", "typing.", "numbers.", "types.", "builtins.", "_collections_abc.")
"""Modules of classes that a dict, a list, a text or None may be an instance of."""
_LOWER = frozenset({
    "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta",
    "collections.deque", "collections.defaultdict",
})  # fmt: skip

_MODELS = frozenset(
    {
        "pydantic.BaseModel",
        "pydantic.main.BaseModel",
        "pydantic.RootModel",
        "pydantic_settings.BaseSettings",
    }
)


def is_base_model(name: str) -> bool:
    """Tell whether a dotted name is pydantic's base of models, by whatever path."""
    return name.endswith(".BaseModel")


def is_outer_model(evaluator: Evaluator, cls: Value) -> bool:
    """Tell whether a class from outside the tree is a pydantic model: ``sdl.Entity`` too."""
    if isinstance(cls, SdkClass):
        return cls.cls in MODELS
    if not isinstance(cls, External):
        return False
    found = modules(evaluator.surface.version).named(cls.name)
    return cls.name in _MODELS or (found is not None and found.is_model)


def is_abstract(name: str) -> bool:
    """Tell whether a dotted name may be a class that others need not extend to be of it."""
    return name == "object" or name.startswith(_ABSTRACT)


def is_special(name: str) -> bool:
    """Tell whether a dotted name is a class of which no display and no constant is an instance.

    ``decimal.Decimal`` is one; of ``collections.abc.Mapping`` a dict is an instance, and what a
    name of another package stands for is not known.
    """
    root, _, rest = name.partition(".")
    if is_base_model(name) or name in _LOWER:
        return True
    last = rest.rpartition(".")[2]
    return root in sys.stdlib_module_names and not name.startswith(_ABSTRACT) and last[:1].isupper()
