"""What to write instead of a name that a module of the SDK lacks."""

from __future__ import annotations

import ast

from ..sdk.module_surface import modules
from ..view import Access, FileView
from .near_names import near_names
from .sdk_objects import source_of


def instead_of(view: FileView, access: Access, path: str) -> str:
    """Return what to write instead of a name that a module lacks.

    Args:
        view: the file.
        access: the name, as an attribute of the module.
        path: of the module, below the package.
    """
    known = modules(view.surface.version)
    around = view.module.parents.get(access.node)
    extended = isinstance(around, ast.ClassDef) and access.node in around.bases
    offered = [
        name
        for name in known.offered(path)
        if not extended or ((found := known.callee(f"{path}.{name}")) and found.is_class)
    ]
    close = near_names(access.name, offered, most=1, alike=0.75)
    if close:
        return f"Write {source_of(access.owner)}.{close[0]}."
    return "Extend pydantic.BaseModel, or a class that exists." if extended else "Leave it out."
