"""Which panels an extension registers."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from ..model.calling import constant_text
from ..model.handlers import name_argument
from ..model.module import Module, last_name
from ..model.project import mentions
from ..model.values import Sdk, SdkClass
from ..sdk.surface import PACKAGE
from ..view import Access, FileView, ProjectView
from .declarations import is_handed_away, unread
from .import_circles import names_of
from .list_parts import is_of_growing

KEYWORD = "refresh_panels"
"""Names the panels that the platform loads anew."""
TOOL_PREFIX = "__panel__"
"""The name of a panel's tool begins so; whether ``refresh_panels`` takes it is not documented."""
SECRETS = "secrets"
"""The panel that the SDK adds for what ``ext.secret`` declares."""
_REGISTERING = ("panel", "secret", "_panels")
_SECRETS_ALWAYS = ("4.2.4", "5.0.1")
"""Between these every extension had the panel ``secrets``, whether it declared one or not."""
_WORD = "panel"
_LIKE_PANELS = frozenset({"tray", "widget", "menu_item"})
"""What the platform shows as well; whether it may be refreshed is not documented."""


def panels(view: ProjectView) -> frozenset[str] | None:
    """Return the names of all panels; None if one of them, or that there is none, is not known.

    The panel ``secrets`` alone is none that somebody wrote.
    """
    if any(unread(view.project, word) for word in _REGISTERING) or view.once(is_handed_away):
        return None
    found = set(_registrations(view))
    if None in found:
        return None
    if SECRETS in listed_panels(view):
        found.add(SECRETS)
    first, after = _SECRETS_ALWAYS
    if view.surface.at_least(first) and not view.surface.at_least(after):
        found.add(SECRETS)
    names = frozenset(name for name in found if name)
    if names - {SECRETS}:
        return names
    return names if _declares_none(view) and not listed_panels(view) else None


def listed_panels(view: ProjectView) -> frozenset[str]:
    """Return the names of the panels in the manifest, which may be older than the code."""
    listed = view.project.listed("panels")
    keys = ("panel_id", "id", "name")
    return frozenset(str(panel[key]) for panel in listed for key in keys if key in panel)


def _registrations(view: ProjectView) -> Iterator[str | None]:
    """Yield what the code registers; None for a panel whose name is not known."""
    by_tools = any(mentions(source, TOOL_PREFIX) for source in view.project.sources.values())
    for word in (*_REGISTERING, "tool") if by_tools else _REGISTERING:
        for module in view.project.mentioning(word):
            for access in FileView(view, module).accesses(word):
                yield _registered(view, module, access)


def _registered(view: ProjectView, module: Module, access: Access) -> str | None:
    """Return the panel that a use of an attribute registers, empty for none; None if unknown."""
    owners = [item.value for item in view.evaluator.values(module, access.owner)]
    if owners and all(
        isinstance(owner, Sdk | SdkClass) and owner.cls == "Context" for owner in owners
    ):
        return ""
    if access.name == "secret":
        return SECRETS
    call = module.parents.get(access.node)
    if not isinstance(call, ast.Call) or call.func is not access.node or access.name == "_panels":
        return None
    given = name_argument(call, access.name)
    if given is None or is_of_growing(view, module, given):
        return None
    name = constant_text(view.evaluator, module, given)
    if name is None or access.name == "panel":
        return name
    return name.removeprefix(TOOL_PREFIX) if name.startswith(TOOL_PREFIX) else ""


# ---- none at all -----------------------------------------------------------------------------


def _declares_none(view: ProjectView) -> bool:
    """Tell whether an extension certainly has no panel: nothing that may register one is there.

    Its object is made in the tree and used for nothing but its own methods, no file speaks of
    panels, and no import leads to a file that is not there.
    """
    project = view.project
    if project.listed("panels") or any(
        _speaks_of_panels(module) for module in project.mentioning(_WORD)
    ):
        return False
    modules = [module for path in project.sources if (module := project.module(path)) is not None]
    if any(_imports_unseen(view, module) for module in modules):
        return False
    names: set[str] = set()
    for module in project.naming("Extension"):
        made = _made_in(view, module)
        if made is None:
            return False
        names |= made
    return bool(names) and all(
        not _is_renamed(module, name)
        and all(_is_plainly_used(view, module, use) for use in _uses(module, name))
        for name in names
        for module in project.naming(name)
    )


def _speaks_of_panels(module: Module) -> bool:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant):
            text = node.value if isinstance(node.value, str) else ""
            if text in {_WORD, "panels", "_panels"} or TOOL_PREFIX in text:
                return True
            continue
        fields = (getattr(node, name, None) for name in ("id", "attr", "name", "arg", "module"))
        words = [word for word in fields if isinstance(word, str)]
        if any(_WORD in word and word != KEYWORD for word in words):
            return True
    return False


def _imports_unseen(view: ProjectView, module: Module) -> bool:
    """Tell whether a file of the tree is imported that is not there, or everything of a package."""
    resolver, path = view.project.resolver, module.source.path
    for node in module.nodes(ast.ImportFrom):
        base = names_of(node)[0]
        known = base.split(".")[0] in {*sys.stdlib_module_names, PACKAGE}
        is_star = any(alias.name == "*" for alias in node.names)
        if not known and (node.level or is_star) and not any(resolver.modules(path, base)):
            return True
    return False


def _made_in(view: ProjectView, module: Module) -> set[str] | None:
    """Return the names that get an extension in a file; None if one is made in another way."""
    names: set[str] = set()
    for use in _uses(module, "Extension"):
        if _is_written_type(module, use):
            continue
        call = module.parents.get(use)
        if not isinstance(call, ast.Call) or call.func is not use:
            return None
        found = [item.value for item in view.evaluator.values(module, use)]
        bound = _names_bound(module.parents.get(call))
        if found != [SdkClass("Extension")] or not bound:
            return None
        names |= bound
    return names


def _names_bound(parent: ast.AST | None) -> set[str]:
    """Return the names that an assignment gives its value; none if another place gets it too."""
    targets: list[ast.expr] = []
    if isinstance(parent, ast.Assign):
        targets = parent.targets
    elif isinstance(parent, ast.AnnAssign | ast.NamedExpr):
        targets = [parent.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return set(names) if len(names) == len(targets) else set()


def _is_written_type(module: Module, use: ast.expr) -> bool:
    parent = module.parents.get(use)
    return isinstance(parent, ast.arg | ast.AnnAssign) and parent.annotation is use


def _uses(module: Module, name: str) -> Iterator[ast.expr]:
    for kind in (ast.Name, ast.Attribute):
        for node in module.nodes(kind):
            if last_name(node) == name and isinstance(node.ctx, ast.Load):
                yield node


def _is_renamed(module: Module, name: str) -> bool:
    taken = (alias for node in module.nodes(ast.ImportFrom) for alias in node.names)
    return any(alias.name == name and alias.asname for alias in taken)


def _is_plainly_used(view: ProjectView, module: Module, use: ast.expr) -> bool:
    """Tell whether a use is a method's, ``ext.tool``, or gives the extension to its chat."""
    parent = module.parents.get(use)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _LIKE_PANELS and not parent.attr.startswith("_")
    if not isinstance(parent, ast.Call) or use not in parent.args:
        return False
    found = [item.value for item in view.evaluator.values(module, parent.func)]
    return found == [SdkClass("ChatExtension")]
