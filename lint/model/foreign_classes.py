"""Classes of the standard library and of pydantic, for ``isinstance`` tests."""

from __future__ import annotations

import sys

_ABSTRACT = ("collections.abc.", "typing.", "numbers.", "types.", "builtins.", "_collections_abc.")
"""Modules of classes that a dict, a list, a text or None may be an instance of."""
_LOWER = frozenset({
    "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta",
    "collections.deque", "collections.defaultdict",
})  # fmt: skip


def is_base_model(name: str) -> bool:
    """Tell whether a dotted name is pydantic's base of models, by whatever path."""
    return name.endswith(".BaseModel")


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
