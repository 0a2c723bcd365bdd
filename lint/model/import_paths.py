"""How the modules that imports name are written."""

from __future__ import annotations

import ast


def imported_path(statement: ast.ImportFrom) -> str:
    """Return the module that ``from … import`` names: ``..helpers``, or ``.`` alone."""
    return "." * statement.level + (statement.module or "")
