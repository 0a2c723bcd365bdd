"""The panels of an extension, and the ``refresh_panels`` of its results."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from ....files.plain_text import mentions
from ....inference.calls.calling import constant_text
from ....inference.calls.handlers import name_argument
from ....inference.containers.dicts import comes_by
from ....inference.syntax.arguments import argument_at
from ....inference.syntax.module import Module, last_name
from ....inference.syntax.unpacking import unpacked
from ....inference.values.changed_objects import is_changed
from ....inference.values.changed_objects import names_of as changed_objects_names_of
from ....inference.values.origins import Holder, Written, written
from ....inference.values.values import (
    Display,
    External,
    Made,
    Sdk,
    SdkClass,
    SdkMethod,
    is_same_way,
)
from ....payloads.changes import ANY, Way
from ....payloads.entries import containers, entries, key_of
from ....payloads.items import Part, added, copies, elements_of, is_of_growing
from ....sdk.surface import PACKAGE
from ....sdk_use.calls import shown
from ....sdk_use.declarations import is_handed_away, unread
from ....sdk_use.import_errors import names_of
from ....view import Access, FileView, ProjectView

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
    """Return the names of all panels; None unless they are all known.

    None too if the SDK's own panel ``secrets`` is the only one.
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
    """Return the names of the panels in the manifest, which may be outdated."""
    listed = view.project.listed("panels")
    keys = ("panel_id", "id", "name")
    return frozenset(str(panel[key]) for panel in listed for key in keys if key in panel)


def _registrations(view: ProjectView) -> Iterator[str | None]:
    """Yield the names of registered panels; None for an unknown one."""
    by_tools = any(mentions(source, TOOL_PREFIX) for source in view.project.sources.values())
    for word in (*_REGISTERING, "tool") if by_tools else _REGISTERING:
        for module in view.project.mentioning(word):
            for access in FileView(view, module).accesses(word):
                yield _registered(view, module, access)


def _registered(view: ProjectView, module: Module, access: Access) -> str | None:
    """Return the panel that an attribute's use registers; empty for none, None if unknown."""
    owners = [item.value for item in view.evaluator.values(module, access.owner)]
    if owners and all(
        isinstance(owner, (Sdk, SdkClass)) and owner.cls == "Context" for owner in owners
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
    """Tell whether an extension certainly has no panel.

    Its object is created in the tree and used only for its own methods, no file mentions
    panels, and all imported files of the extension exist.
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
    """Tell whether a missing file of the extension, or ``*`` of a package, is imported."""
    resolver, path = view.project.resolver, module.source.path
    for node in module.nodes(ast.ImportFrom):
        base = names_of(node)[0]
        known = base.split(".")[0] in {*sys.stdlib_module_names, PACKAGE}
        is_star = any(alias.name == "*" for alias in node.names)
        if not known and (node.level or is_star) and not any(resolver.modules(path, base)):
            return True
    return False


def _made_in(view: ProjectView, module: Module) -> set[str] | None:
    """Return the names of extension objects in a file; None if one is created otherwise."""
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
    """Return the names that an assignment binds; empty if it has other targets."""
    targets: list[ast.expr] = []
    if isinstance(parent, ast.Assign):
        targets = parent.targets
    elif isinstance(parent, (ast.AnnAssign, ast.NamedExpr)):
        targets = [parent.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return set(names) if len(names) == len(targets) else set()


def _is_written_type(module: Module, use: ast.expr) -> bool:
    parent = module.parents.get(use)
    return isinstance(parent, (ast.arg, ast.AnnAssign)) and parent.annotation is use


def _uses(module: Module, name: str) -> Iterator[ast.expr]:
    for kind in (ast.Name, ast.Attribute):
        for node in module.nodes(kind):
            if last_name(node) == name and isinstance(node.ctx, ast.Load):
                yield node


def _is_renamed(module: Module, name: str) -> bool:
    taken = (alias for node in module.nodes(ast.ImportFrom) for alias in node.names)
    return any(alias.name == name and alias.asname for alias in taken)


def _is_plainly_used(view: ProjectView, module: Module, use: ast.expr) -> bool:
    """Tell whether a use is ``ext.tool`` or ``ChatExtension(ext)``."""
    parent = module.parents.get(use)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _LIKE_PANELS and not parent.attr.startswith("_")
    if not isinstance(parent, ast.Call) or use not in parent.args:
        return False
    found = [item.value for item in view.evaluator.values(module, parent.func)]
    return found == [SdkClass("ChatExtension")]


_METHODS = frozenset({"success", "morph", "deliver_chat_message"})

_RESULT = "ActionResult"
Given = tuple[ast.expr, bool]
"""An expression, and whether no other one can stand there."""


def panel_arguments(view: FileView) -> Iterator[Given]:
    """Yield the ``refresh_panels`` arguments of a file's calls."""
    if not mentions(view.module.source, KEYWORD):
        return
    for call in view.module.nodes(ast.Call):
        if _may_give(call) and _is_sdk_call(view, call):
            yield from _given(view, call)
    yield from ((node, True) for node in _set_later(view))


def _set_later(view: FileView) -> Iterator[ast.expr]:
    """Yield the values assigned to ``refresh_panels`` of results, once in a function."""
    stores = view.module.stored(KEYWORD)
    functions = [view.module.function(it) for it in stores]
    for target, function in zip(stores, functions, strict=True):
        statement = view.module.parents.get(target)
        if isinstance(statement, ast.Assign) and functions.count(function) == 1:
            owners = [item.value for item in view.values(target.value)]
            if any(isinstance(it, Sdk) and it.cls == _RESULT for it in owners):
                yield statement.value


def _given(view: FileView, call: ast.Call) -> Iterator[Given]:
    node = argument_at(shown(view, call), KEYWORD, -1)
    if node is not None and node in view.module.parents:
        yield node, True
        return
    for item in call.keywords:
        if item.arg is None:
            yield from _spread(view, item.value)


def _may_give(call: ast.Call) -> bool:
    return any(item.arg in {KEYWORD, None} for item in call.keywords)


def _spread(view: FileView, node: ast.expr) -> Iterator[Given]:
    """``**{"refresh_panels": […]}``, ``**extra``."""
    for at, alone in containers(view.evaluator, view.module, node, None):
        inside = Way().through(view.evaluator, at).at(KEYWORD).at(ANY)
        if any(True for _ in inside.changes(view.evaluator)):
            continue
        for entry in entries(view.evaluator, at):
            for value in entry.values[-1:] if key_of(entry) == KEYWORD else ():
                if value.module is view.module and value.frame is None:
                    yield value.node, alone and entry.sure and len(entry.values) == 1


def _is_sdk_call(view: FileView, call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
        return False
    return any(isinstance(item.value, SdkMethod) for item in view.values(call.func))


_LISTS = (ast.List, ast.Tuple, ast.BinOp)
_KEEPING = frozenset({"append", "extend", "insert", "sort", "reverse", "copy", "count", "index"})
"""Methods that take nothing out of a list."""


def refreshed_panels(view: FileView, given: ast.expr) -> Iterator[tuple[str, ast.expr, bool]]:
    """Yield (name, node, whether the list has no alternative) for the names in a list.

    The node is the name's own if it stands in this file. Lists from which names may be removed
    are left out.
    """
    places = written(view.evaluator, view.module, given)
    is_last = isinstance(view.module.parents.get(given), ast.Assign)
    is_left = is_last or not view.extension.once(_are_set_later)
    if not is_left or any(_may_lose(view, at) for at in places):
        return
    found = view.values(given)
    for item in found:
        certain = all(other is item or not is_same_way(item, other) for other in found)
        value = item.value
        lists = copies(view, given) if isinstance(value, Made) else []
        if isinstance(value, Display) and isinstance(value.node, _LISTS):
            lists = [(value.module, value.node)]
        parts = [part for at in lists for part in elements_of(view, *at) if part is not None]
        for name, node in _named(view, given, parts):
            yield name, node, certain
    later = [(it.module, it.node) for at in places for it in added(view.evaluator, at)]
    for name, node in _named(view, given, later):
        yield name, node, len(places) == 1


def _named(view: FileView, given: ast.expr, parts: list[Part]) -> Iterator[tuple[str, ast.expr]]:
    for module, node in parts:
        name = constant_text(view.evaluator, module, node)
        if name is not None:
            yield name, node if module is view.module else given


def _are_set_later(extension: ProjectView) -> bool:
    """Tell whether code replaces the panels of a result."""
    return any(
        KEYWORD in module.changed_names or module.stored(KEYWORD)
        for module in extension.project.naming(KEYWORD)
    )


def _may_lose(view: FileView, at: Written) -> bool:
    """Tell whether names may be removed from a list before its use."""
    modules = view.extension.project.naming
    if any(is_changed(module, name) for name in _shared(at) for module in modules(name)):
        return True
    return (
        any(
            _takes_out(view, holder, mention) and comes_by(holder, mention)
            for holder in at.holders
            for mention in holder.mentions(view.evaluator)
        )
        or any(
            _takes_out(view, holder, mention)
            for holder in at.holders
            if not isinstance(holder.scope, ast.Module)
            for mention in holder.inside(view.evaluator)
        )
        or any(_is_changed_otherwise(holder) for holder in at.holders)
    )


def _is_changed_otherwise(holder: Holder) -> bool:
    """Tell whether an alias may change the list: ``other = panels; other.pop()``."""
    others = changed_objects_names_of(holder.module, holder.use.id) - {holder.use.id}
    return not others.isdisjoint(holder.module.changed_names)


def _shared(at: Written) -> Iterator[str]:
    """Yield the globals and attributes that hold a list, which other functions may change."""
    yield from (it.use.id for it in at.holders if isinstance(it.scope, ast.Module))
    given = at.module.parents.get(at.node)
    for target, _ in unpacked(given) if isinstance(given, (ast.Assign, ast.AnnAssign)) else ():
        if isinstance(target, ast.Attribute) or at.module.function(target) is None:
            yield last_name(target)


def _takes_out(view: FileView, holder: Holder, name: ast.Name) -> bool:
    parent = holder.module.parents.get(name)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _KEEPING
    if isinstance(parent, ast.Subscript):
        return parent.value is name and not isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Call):
        callees = [item.value for item in view.evaluator.values(holder.module, parent.func)]
        return not all(isinstance(value, (External, SdkMethod)) for value in callees)
    return isinstance(parent, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.keyword))
