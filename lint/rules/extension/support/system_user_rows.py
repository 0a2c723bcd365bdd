"""Store rows of users that a handler looks for as a pseudo-user, who cannot see them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator

import msgspec

from ....inference.calls.calling import constant_text
from ....inference.calls.roles import Role
from ....inference.syntax.bindings import parameters
from ....inference.syntax.module import Module, last_name
from ....inference.values.values import Alternative, Const, Sdk
from ....rule import Hit
from ....sdk_use.calls import arguments
from ....sdk_use.reach import (
    A_USER,
    AS_SYSTEM,
    AS_WEBHOOK,
    SYSTEM,
    acting,
    frame_by,
    owner_of,
    pseudo_user,
)
from ....view import FileView, ProjectView, step_at
from .system_user import SCOPING, names_pseudo_user, tells_users_apart
from .system_user_calls import possible_way

_STORE = "store"
_ROWS = frozenset({"query", "count", "create"})
"""Methods whose first argument is a collection, and that act on the rows of one user: get, update
and delete of a document by its id send no user in any release."""
_METHODS = _ROWS | {"set", "list"}
_MAKING = frozenset({"create", "set"})
_READING = frozenset({"query", "count"})
_WALKING = frozenset({"list_users", "query_all"})
_OTHER = {AS_SYSTEM: AS_WEBHOOK, AS_WEBHOOK: AS_SYSTEM}
_SHOWN = 3


class Use(msgspec.Struct, frozen=True, eq=False):
    """A call of the store that a handler reaches as a pseudo-user.

    Attributes:
        collection: its name; empty if it is not known.
        keeper: who owns the rows that it misses: ``A_USER``, or the other pseudo-user.
    """

    module: Module
    call: ast.Call
    item: Alternative
    collection: str
    keeper: str


class _Call(msgspec.Struct, frozen=True, eq=False):
    """A call of a store.

    Attributes:
        callee: its method.
        collection: its name; empty if it is not known.
        given: the argument that names it, if callers differ.
        owners: the proved values of the method.
        runs_as: for whom these act; empty for unknown.
    """

    module: Module
    call: ast.Call
    callee: ast.Attribute
    collection: str
    given: ast.expr | None
    owners: tuple[tuple[Alternative, Sdk], ...]
    runs_as: frozenset[str]


def uses_as(extension: ProjectView, user: str) -> tuple[Use, ...]:
    """Return the calls by which a pseudo-user asks for rows of others.

    Args:
        extension: all files of it.
        user: the pseudo-user.
    """
    calls = extension.once(_store_calls)
    keepers = _filled_by_another(extension, calls, user)
    keepers |= {name: A_USER for call in calls for name in _kept_for_users(extension, call)}
    keepers.pop("", None)
    found: list[Use] = []
    for call in calls:
        is_same = A_USER in call.runs_as and call.given is None
        for way in _ways_as(extension, call, user) if is_same or keepers else ():
            name = _collection_by(extension, call, way)
            keeper = A_USER if is_same else keepers.get(name, "")
            if keeper == A_USER or (keeper and call.callee.attr in _READING):
                found.append(Use(call.module, call.call, way, name, keeper))
    return tuple(found)


def _kept_for_users(extension: ProjectView, call: _Call) -> Iterator[str]:
    """Yield the collections whose user rows a call acts on."""
    if A_USER in call.runs_as and call.given is None:
        yield call.collection
    elif A_USER in call.runs_as:
        for item, owner in call.owners:
            name = _collection_by(extension, call, item)
            if _runs_as(extension, owner, name) == A_USER:
                yield name


def _collection_by(extension: ProjectView, call: _Call, way: Alternative) -> str:
    """Return the collection that the callers on a path give."""
    if call.given is None:
        return call.collection
    frame = frame_by(extension.evaluator, call.module, call.callee, way.via)
    return constant_text(extension.evaluator, call.module, call.given, frame) or ""


def _store_calls(extension: ProjectView) -> tuple[_Call, ...]:
    found: list[_Call] = []
    for view, call, callee in client_calls(extension, _STORE):
        if callee.attr in _METHODS:
            worth = view.values(callee)
            owners = tuple((item, owner) for item in worth if (owner := _store(item)))
            given = _collection(view, call, callee.attr) if owners else None
            names = _names(view, given)
            name = names[0] if len(names) == 1 else ""
            users = {_runs_as(extension, own, name) for _, own in owners}
            if len(owners) < len(worth) or not owners:
                users.add("")
            several = given if len(names) > 1 or _is_of_callers(view, given) else None
            found.append(_Call(view.module, call, callee, name, several, owners, frozenset(users)))
    return tuple(found)


def _runs_as(extension: ProjectView, owner: Sdk, collection: str) -> str:
    """Return for whom a store acts; empty if unknown.

    ``list_users`` also yields pseudo-users that have rows in a collection.
    """
    if not owner.scoped:
        return acting(owner.kind)
    walked = extension.once(_walked) if owner.kind in SYSTEM else frozenset[str]()
    is_open = bool(walked & {collection, ""}) or extension.once(_scopes_to_pseudo_users)
    return "" if is_open else A_USER


def _walked(extension: ProjectView) -> frozenset[str]:
    """Return the collections whose users the extension iterates over."""
    return frozenset(
        name
        for view, call, callee in client_calls(extension, _STORE)
        if callee.attr in _WALKING
        for name in _names(view, _argument(view, call, callee.attr))
    )


def _scopes_to_pseudo_users(extension: ProjectView) -> bool:
    """Tell whether the extension acts as a pseudo-user itself: ``ctx.as_user("__webhook__")``."""
    views = (
        FileView(extension, module)
        for name in SCOPING
        for module in extension.project.mentioning(name)
    )
    return any(
        isinstance(item.value, Const) and item.value.value in _OTHER
        for view in views
        for call, _ in view.calls(*SCOPING)
        for given in call.args
        for item in view.values(given)
    )


def _filled_by_another(
    extension: ProjectView, calls: tuple[_Call, ...], user: str
) -> dict[str, str]:
    """Return collection → pseudo-user for collections that only another pseudo-user fills.

    Empty if rows of a pseudo-user may be requested or created in unknown ways.
    """
    if makes_its_own_store(extension) or any(
        names_pseudo_user(extension.project, each) for each in _OTHER
    ):
        return {}
    if takes_method(extension, _STORE, "StoreClient", *_MAKING):
        return {}
    makers: dict[str, set[str]] = {}
    for call in calls:
        if call.callee.attr in _MAKING:
            makers.setdefault(call.collection, set()).update(call.runs_as)
    if makers.pop("", set()) & {user, ""}:
        return {}
    other = _OTHER[user]
    return {
        call.collection: other
        for call in calls
        if makers.get(call.collection) == {other} and _ways_as(extension, call, other)
    }


def _ways_as(extension: ProjectView, call: _Call, user: str) -> list[Alternative]:
    """Return the call paths by which a pseudo-user reaches a call."""
    ours = [item for item, owner in call.owners if pseudo_user(owner) == user]
    evaluator, module = extension.evaluator, call.module
    if not ours or tells_users_apart(evaluator, module, call.call):
        return []
    ways = (possible_way(evaluator, module, call.callee, item) for item in ours)
    return [way for way in ways if way is not None]


def makes_its_own_store(extension: ProjectView) -> bool:
    """Tell whether the extension constructs clients for users itself, as before ``for_user``."""
    return any(
        last_name(call.func) == "StoreClient"
        for module in extension.project.mentioning("StoreClient")
        for call in module.nodes(ast.Call)
    )


def client_calls(
    extension: ProjectView, client: str
) -> Iterator[tuple[FileView, ast.Call, ast.Attribute]]:
    """Yield the calls ``ctx.store.query(…)`` of a client of the context in all files.

    Args:
        extension: all files of it.
        client: its name in the context; aliases count too.
    """
    renamed = extension.project.hands_on(client)
    for module in extension.project.mentioning(client):
        view = FileView(extension, module)
        for call in module.nodes(ast.Call):
            callee = call.func
            if isinstance(callee, ast.Attribute) and (renamed or last_name(callee.value) == client):
                yield view, call, callee


def takes_method(extension: ProjectView, client: str, cls: str, *methods: str) -> bool:
    """Tell whether a method is used as a value: ``partial(ctx.secrets.set, …)``."""
    for module in extension.project.mentioning(client):
        view = FileView(extension, module)
        called = {callee for _, callee in view.calls(*methods)}
        taken = (it for it in view.accesses(*methods) if it.node not in called)
        if any(view.sdk_values(access.owner, cls) for access in taken):
            return True
    return False


def hits(
    view: FileView,
    kinds: Collection[str],
    uses: Callable[[ProjectView], tuple[Use, ...]],
    advice: Callable[[str, str], str],
) -> Iterator[Hit]:
    """Yield a hit for each handler of some kinds that asks as a pseudo-user for rows of others.

    Args:
        view: the file.
        kinds: of the handlers' roles.
        uses: what ``uses_as`` finds in the extension for their pseudo-user.
        advice: returns what to do, for the owner of the rows and the text of the collection.
    """
    for function, role in view.handlers():
        if role.kind in kinds:
            ours = view.extension.once(uses)
            found = [use for use in ours if use.item.origin and use.item.origin[1] is function]
            found.sort(key=lambda use: (use.keeper != A_USER, _positions(use)))
            if found:
                yield _hit(view, role, found, advice)


def _positions(use: Use) -> list[tuple[int, int]]:
    """Return the positions of the calls to a use, in the order in which they run."""
    nodes = [*(step.node for step in use.item.via), use.call]
    return [(getattr(node, "lineno", 0), getattr(node, "col_offset", 0)) for node in nodes]


def _hit(view: FileView, role: Role, found: list[Use], advice: Callable[[str, str], str]) -> Hit:
    first, user = found[0], acting(role.kind)
    keeper = first.keeper
    ours = [use.collection for use in found if use.collection and use.keeper == keeper]
    names = list(dict.fromkeys(ours))
    shown = ", ".join(map(repr, names[:_SHOWN])) + (" …" if len(names) > _SHOWN else "")
    rows = f"the rows of {shown}" if names else "the rows"
    missed = (
        f"{rows} that functions and panels keep for users are not found here, and users never "
        "see what it writes. "
        if keeper == A_USER
        else f"{rows} that are created as {keeper} are not found here. "
    )
    return Hit(
        node=role.call,
        message=f"{role.label} uses ctx.store as {user}, not as a user\n"
        f"It runs as that pseudo-user in {view.sdk}{inside(first.item)}: {missed}"
        + advice(keeper, f'"{names[0]}"' if names else "collection"),
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


def _collection(view: FileView, call: ast.Call, method: str) -> ast.expr | None:
    return _argument(view, call, method) if method in _ROWS else None


def _argument(view: FileView, call: ast.Call, method: str) -> ast.expr | None:
    return arguments(view, call, "StoreClient", method).get("collection")


def _is_of_callers(view: FileView, given: ast.expr | None) -> bool:
    """Tell whether an argument depends on a parameter: ``f"{kind}_rows"``."""
    function = view.module.function(given) if given is not None else None
    if given is None or function is None:
        return False
    names = {arg.arg for arg in parameters(function)}
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(given))


def _names(view: FileView, given: ast.expr | None) -> list[str]:
    """Return the collections that an argument may name; an empty one for unknown."""
    worth = [item.value for item in view.values(given)] if given is not None else []
    names = (it.value if isinstance(it, Const) else "" for it in worth)
    return list(dict.fromkeys(it if isinstance(it, str) else "" for it in names)) or [""]
