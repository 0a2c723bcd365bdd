"""Find the Python object that ``package.module:attribute`` names."""

from __future__ import annotations

import importlib
import sys
import traceback
from functools import reduce
from pathlib import Path
from types import ModuleType

from ...fixtures.embedded import FAMILIES
from ...invariants.vocabulary.errors import KernelReferenceError, KernelUnreachable
from ...invariants.vocabulary.near_names import did_you_mean

_LINES_SHOWN = 6


def load(target: str) -> object:
    """Import the module, from the current folder first, and return the attribute.

    Raises:
        KernelReferenceError: there is no such module or attribute.
        KernelUnreachable: the module raised while it was imported.
    """
    module_name, _, path = target.partition(":")
    module = _imported(module_name)
    try:
        return reduce(getattr, path.split("."), module)
    except AttributeError:
        raise KernelReferenceError(_no_attribute(module, path)) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may resolve its names lazily
        raise KernelUnreachable(f"loading {target} failed:\n{_last_lines(error)}") from error


def _no_attribute(module: ModuleType, path: str) -> str:
    known = [name for name in vars(module) if not name.startswith("_")]
    hint = did_you_mean(path, known, f"it has {', '.join(known)}")
    return f"module {module.__name__} has no attribute {path!r}; {hint}"


def _imported(name: str) -> ModuleType:
    here = str(Path.cwd())
    if sys.path[:1] != [here]:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and _is_or_holds(error.name, name):
            otherwise = "write package.module:attribute"
            raise KernelReferenceError(
                f"no module named {error.name!r} in the current folder or among the installed "
                f"packages; {did_you_mean(name, FAMILIES, otherwise)}"
            ) from None
        raise KernelUnreachable(f"importing {name} failed:\n{_last_lines(error)}") from error


def _is_or_holds(missing: str | None, name: str) -> bool:
    return missing is not None and f"{name}.".startswith(f"{missing}.")


def _last_lines(error: BaseException) -> str:
    lines = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return "\n".join(lines.rstrip().splitlines()[-_LINES_SHOWN:])
