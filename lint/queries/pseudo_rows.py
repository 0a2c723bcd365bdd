"""Rows that a handler keeps as one of the platform's pseudo-users, and that users keep too."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator

import msgspec

from ..model.calling import constant_text
from ..model.module import Module, last_name
from ..model.roles import Role
from ..model.values import Alternative, Sdk
from ..rule import Hit
from ..view import FileView, ProjectView, step_at
from .acting_user import acts_for_a_user, owner_of
from .acting_ways import possible_way
from .sdk_calls import arguments
from .user_questions import tells_users_apart

_STORE = "store"
_ROWS = frozenset({"query", "count", "create"})
"""Methods whose first argument is a collection, and that act on the rows of one user: get, update
and delete of a document by its id send no user in any release."""
_METHODS = _ROWS | {"set", "list"}
_SHOWN = 3


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
    for view, call, callee in client_calls(extension, _STORE):
        if callee.attr not in _METHODS:
            continue
        owners = [(item, owner) for item in view.values(callee) if (owner := _store(item))]
        collection = _collection(view, call, callee.attr) if owners else ""
        shared = any(acts_for_a_user(owner) for _, owner in owners)
        if shared:
            of_users.add(collection)
        ours = [item for item, owner in owners if acts(owner)]
        if ours and not tells_users_apart(view.evaluator, view.module, call):
            ways = (possible_way(view.evaluator, view.module, callee, item) for item in ours)
            found += [Use(view.module, call, it, collection, shared) for it in ways if it]
    return tuple(use for use in found if use.shared or use.collection in of_users - {""})


def client_calls(
    extension: ProjectView, client: str
) -> Iterator[tuple[FileView, ast.Call, ast.Attribute]]:
    """Yield the calls ``ctx.store.query(…)`` in all files that may be of a client of the context.

    Args:
        extension: all files of it.
        client: its name in the context. Another name counts only if the extension gives it one.
    """
    renamed = extension.project.hands_on(client)
    for module in extension.project.mentioning(client):
        view = FileView(extension, module)
        for call in module.nodes(ast.Call):
            callee = call.func
            if isinstance(callee, ast.Attribute) and (renamed or last_name(callee.value) == client):
                yield view, call, callee


def hits(
    view: FileView,
    kinds: Collection[str],
    user: str,
    uses: Callable[[ProjectView], tuple[Use, ...]],
    advice: Callable[[str], str],
) -> Iterator[Hit]:
    """Mark every handler of some kinds in a file that uses rows as a pseudo-user.

    Args:
        view: the file.
        kinds: of the handlers' roles.
        user: the pseudo-user that they run as.
        uses: what ``uses_as`` finds in the extension for that user.
        advice: what to do, given the text that names the collection.
    """
    for function, role in view.handlers():
        if role.kind in kinds:
            ours = view.extension.once(uses)
            found = [use for use in ours if use.item.origin and use.item.origin[1] is function]
            if found:
                yield _hit(view, role, user, found, advice)


def _hit(
    view: FileView, role: Role, user: str, found: list[Use], advice: Callable[[str], str]
) -> Hit:
    first = found[0]
    names = list(dict.fromkeys(use.collection for use in found if use.collection))
    shown = ", ".join(map(repr, names[:_SHOWN])) + (" …" if len(names) > _SHOWN else "")
    rows = f"the rows of {shown}" if names else "the rows"
    return Hit(
        node=role.call,
        message=f"{role.label} runs as {user} in {view.sdk} and uses ctx.store as that "
        f"pseudo-user{inside(first.item)}: {rows} that functions and panels keep for "
        "users are not found here, and users never see what it writes. "
        + advice(f'"{names[0]}"' if names else "collection"),
        chain=(
            *view.chain(first.item),
            step_at(first.module, first.call, f"uses the store of {user}"),
        ),
    )


def inside(item: Alternative) -> str:
    """Return `` (in load → rows_of)`` for messages that name the handler before, or nothing."""
    way = " → ".join(step.callee for step in item.via)
    return f" (in {way})" if way else ""


def _store(item: Alternative) -> Sdk | None:
    owner = owner_of(item.value)
    return owner if owner is not None and owner.cls == "StoreClient" and owner.certain else None


def _collection(view: FileView, call: ast.Call, method: str) -> str:
    if method not in _ROWS:
        return ""
    given = arguments(view, call, "StoreClient", method).get("collection")
    name = constant_text(view.evaluator, view.module, given) if given is not None else None
    return name or ""
