"""The interface of the evaluator (``values/evaluate.py``) for the modules that it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Protocol

from ..sdk.surface import Surface
from .calls.roles import Role
from .project import Project
from .syntax.bindings import Binding
from .syntax.module import FunctionNode, Module
from .values.values import Alternative, Class, Frame, Summary, Value

Alternatives = tuple[Alternative, ...]


class Evaluator(Protocol):
    """Finds the values that an expression of one extension may have.

    Attributes:
        project: the extension.
        surface: the SDK in the target version.
        cuts: how often something was left out, because it led back to itself or too far.
        summaries: function → what it returned in some calls.
    """

    project: Project
    surface: Surface
    cuts: int
    summaries: dict[FunctionNode, list[Summary]]

    def values(self, module: Module, node: ast.AST, frame: Frame | None = None) -> Alternatives:
        """Return the alternatives of an expression; ``UNKNOWN`` stands for what is not followed."""
        ...

    def frame(self, frame: Frame) -> Frame:
        """Return the frame that stands for this call already, or this one."""
        ...

    def is_new(self, frame: Frame) -> bool:
        """Tell whether nothing has been evaluated in a call yet."""
        ...

    def is_deep(self, frame: Frame, levels: int = 0) -> bool:
        """Tell whether a call is too far in for what it returns to be followed.

        Args:
            frame: the call.
            levels: calls further in that are meant instead.
        """
        ...

    def binding(
        self, module: Module, scope: ast.AST, binding: Binding, frame: Frame | None
    ) -> Iterable[Alternative]:
        """Return the values that a binding gives to its name."""
        ...

    def global_name(self, module: Module, name: str) -> Alternatives:
        """Return the values of a module's global after the module has run."""
        ...

    def module_named(self, importer: Module, dotted: str) -> Value:
        """Return the module that an import names: the extension's, or one from outside."""
        ...

    def external(self, dotted: str) -> Value:
        """Return the value of a dotted name outside of the extension."""
        ...

    def roles(self, module: Module, function: ast.AST) -> tuple[Role, ...]:
        """Return what a function is registered as."""
        ...

    def enclosing_class(self, module: Module, function: ast.AST) -> Class | None:
        """Return the class whose method a function is."""
        ...

    def project_name(self, module: Module, function: ast.AST) -> str:
        """Return the name of a function as chains show it."""
        ...

    def bases(self, cls: Class) -> Iterable[Value]:
        """Return the bases of a class, with theirs."""
        ...

    def sdk_base(self, cls: Class) -> str:
        """Return the class of the SDK that a class extends; empty if there is none."""
        ...
