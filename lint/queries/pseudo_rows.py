"""Rows that a handler keeps as one of the platform's pseudo-users, and that users keep too."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec

from ..model.calling import constant_text
from ..model.module import Module, last_name
from ..model.values import Alternative, Sdk
from ..view import FileView, ProjectView
from .acting_user import acts_for_a_user, owner_of, tells_users_apart
from .sdk_calls import arguments

_STORE = "store"
_ROWS = frozenset({"query", "count", "create"})
"""Methods whose first argument is a collection, and that act on the rows of one user: get, update
and delete of a document by its id send no user in any release."""
_METHODS = _ROWS | {"set", "list"}


class Use(msgspec.Struct, frozen=True, eq=False):
    """A call of the store that a handler reaches as a pseudo-user.

    Attributes:
        collection: its name; empty if it is not known.
        shared: whether the same line also runs for users.
    """

    module: Module
    call: ast.Call
    item: Alternative
    collection: str
    shared: bool


def uses_as(extension: ProjectView, acts: Callable[[Sdk], bool]) -> tuple[Use, ...]:
    """Return the calls by which a pseudo-user uses rows that handlers of users keep too.

    Args:
        extension: all files of it.
        acts: whether an object of the SDK acts for that pseudo-user.
    """
    found: list[Use] = []
    of_users: set[str] = set()
    renamed = extension.project.hands_on(_STORE)
    for module in extension.project.mentioning(_STORE):
        view = FileView(extension, module)
        for call, callee in view.calls(*_METHODS):
            if not renamed and last_name(callee.value) != _STORE:
                continue
            owners = [(item, owner) for item in view.values(callee) if (owner := _store(item))]
            collection = _collection(view, call, callee.attr) if owners else ""
            shared = any(acts_for_a_user(owner) for _, owner in owners)
            if shared:
                of_users.add(collection)
            ours = [item for item, owner in owners if acts(owner)]
            if ours and not tells_users_apart(module, call):
                found += [Use(module, call, item, collection, shared) for item in ours]
    return tuple(use for use in found if use.shared or use.collection in of_users - {""})


def _store(item: Alternative) -> Sdk | None:
    owner = owner_of(item.value)
    return owner if owner is not None and owner.cls == "StoreClient" and owner.certain else None


def _collection(view: FileView, call: ast.Call, method: str) -> str:
    if method not in _ROWS:
        return ""
    given = arguments(view, call, "StoreClient", method).get("collection")
    name = constant_text(view.evaluator, view.module, given) if given is not None else None
    return name or ""
