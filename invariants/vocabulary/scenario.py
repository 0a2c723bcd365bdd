"""What the suite makes a kernel do: an environment and a list of steps.

A scenario is a JSON value. A counterexample, a fixed regression scenario and the
stimulus inside a trace are all this one format. Values of tools, caches and sections
travel as JSON *text* (``…_json``), because many languages lose 2**53+1, ``1.0`` or a
lone surrogate when they parse and print a number or a string.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

SCENARIO_FORMAT = "fedcheck-scenario/1"

HandlerKind = Literal["tool", "chat_function", "panel", "skeleton", "webhook", "schedule"]
"""The kind of extension handler in which an operation runs."""

Via = Literal["direct", "dynamic", "helper"]

VIAS: tuple[Via, ...] = ("direct", "dynamic", "helper")
"""The ways in which a handler can reach a path; see ``Probe``."""

APPS = ("alpha", "beta", "gamma")
"""The fixed pool of extensions; a team deploys this one fixture extension set once."""

FUNCTIONS = ("read_items", "list_items", "write_item")
"""The chat functions that each extension of the pool has."""

ActionType = Literal["read", "write", "destructive"]
"""What a function does to the world, as its extension declares it."""


class Function(msgspec.Struct, frozen=True):
    """A chat function as its extension declares it; ``schema_json`` is of its parameters."""

    name: str
    action_type: ActionType
    schema_json: str = '{"type":"object"}'


STRICT = Function(
    "save_item",
    "write",
    '{"type":"object","additionalProperties":false,"required":["title","tags"],"properties":'
    '{"title":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},'
    '"due":{"type":"string","format":"date"},"message_id":{"type":"string"}}}',
)
"""The function that says which arguments fit; the others take any."""

DESTRUCTIVE = Function("drop_item", "destructive")
"""The function that waits for its user's yes."""

DISPATCHED = {
    each.name: each
    for each in (
        Function("read_items", "read"),
        Function("list_items", "read"),
        Function("write_item", "write"),
        STRICT,
        DESTRUCTIVE,
    )
}
"""The functions that each extension has for a kernel that claims ``dispatch``, by name."""

_SCRIPTED = frozenset({STRICT.name, DESTRUCTIVE.name})

SECTION = "overview"
"""The skeleton section that each extension of the pool has."""

PANEL = "board"
"""The panel that each extension of the pool has."""

FRESH = "{fresh}"
"""Stands in the id of a user or a session for digits that no kernel has seen."""

UNSEEN = "{unseen}"
"""Stands for such digits in a key, and in the arguments of a probe."""


class _Node(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every node of a scenario: immutable, named fields only, no unknown field."""


class Section(_Node, frozen=True, kw_only=True):
    """A skeleton section and what its handler returns.

    Attributes:
        name: section name.
        ttl_seconds: refresh period.
        alert: whether the extension asked for an alert on change.
        declared: ``False`` when only a tool ``skeleton_refresh_<name>`` exists.
        returns_json: JSON text of the section's value at its first, second … refresh;
            the last one repeats.
        alert_says: texts that its alert tool returns at its first, second … run; the last one
            repeats. ``None``: it has no alert tool. Unset: the tool's words are free.
    """

    name: str = SECTION
    ttl_seconds: int = 300
    alert: bool = False
    declared: bool = True
    returns_json: tuple[str, ...] = ('{"total":3}',)
    alert_says: tuple[str, ...] | msgspec.UnsetType | None = msgspec.UNSET


class Extension(_Node, frozen=True, kw_only=True):
    """One extension of the pool, with its scripted handlers.

    Attributes:
        app: the extension's id.
        display_name: the name that people read; two extensions may have the same.
        sections: its skeleton sections.
        panel_json: JSON text of the content that its panel shows whenever it is rendered.
    """

    app: str
    display_name: str = ""
    sections: tuple[Section, ...] = (Section(),)
    panel_json: str = "{}"


class Environment(_Node, frozen=True, kw_only=True):
    """What is set up before the first step.

    Attributes:
        flags: environment flags of the kernel's process; a flag not named is absent.
        flags_matter: ``True`` when the scenario is only meaningful with exactly these flags;
            otherwise a kernel that serves one fixed environment runs it with that one.
        extensions: the installed extensions.
        start_time: the kernel's clock at the first step, seconds since the Unix epoch, UTC.
    """

    flags: dict[str, str] = {}
    flags_matter: bool = False
    extensions: tuple[Extension, ...] = tuple(Extension(app=app) for app in APPS)
    start_time: float = 1_778_865_664.0


class Raised(_Node, frozen=True, kw_only=True):
    """An exception that a handler does not catch: its class, and its text."""

    name: str = "RuntimeError"
    message: str = ""


class Planned(_Node, frozen=True, kw_only=True):
    """What the planner hands over for a call, and how its handler fails. Needs ``dispatch``.

    Attributes:
        args_json: JSON text of the arguments that the planner gives first.
        attempts: the arguments that it gives whenever it is asked again, in order; the last
            ones repeat.
        raises: what the handler raises instead of returning a result.
        error_code: ``ActionResult.error_code`` of a failed call.
    """

    args_json: str = "{}"
    attempts: tuple[str, ...] = ()
    raises: Raised | None = None
    error_code: str = ""


class Call(_Node, frozen=True, kw_only=True):
    """One tool call that the planner makes, with the result that its handler returns.

    Attributes:
        app: the extension that owns the function.
        function: the chat function.
        status: ``success`` or ``error``, as in ``ActionResult.status``.
        data_json: JSON text of ``ActionResult.data``.
        summary: ``ActionResult.summary``, the prose for people.
        error: message of a failed call.
        refresh_panels: panels that the handler asks to re-fetch.
        planned: what the planner hands over, where that is scripted.
    """

    app: str = APPS[0]
    function: str = FUNCTIONS[0]
    status: Literal["success", "error"] = "success"
    data_json: str = "{}"
    summary: str = ""
    error: str = ""
    refresh_panels: tuple[str, ...] = ()
    planned: Planned | UnsetType = UNSET


class ModelFault(_Node, frozen=True, kw_only=True):
    """What goes wrong with the scripted model's answer to one request of a turn.

    Attributes:
        request: index of the request inside the turn, from 0; a retry is the same request.
        kind: an answer with status 429 or 500, one that comes late, or a stream that breaks off.
        times: how often in a row, before the answer comes as scripted.
    """

    request: int = 0
    kind: Literal["rate_limit", "server_error", "slow", "cut_stream"] = "server_error"
    times: int = 1


class AgentTurn(_Node, frozen=True, kw_only=True):
    """What our model does in a turn of an agent runtime. Needs ``agent``.

    The model asks for the turn's calls, is sent their results, then says the turn's draft.

    Attributes:
        arguments: text of the arguments of each call, in order, which may be no JSON; a call
            without one has ``{}``.
        cut: indexes of the calls whose arguments end in the middle, as at a limit of tokens;
            what the model says is then marked as cut off.
        one_by_one: whether each call is a request of its own; otherwise one message asks for all.
        faults: what goes wrong with its answers.
        overlaps: whether the turn runs while the one before it does.
        streams: whether the runtime takes the turn by its streaming interface.
    """

    arguments: tuple[str, ...] = ()
    cut: tuple[int, ...] = ()
    one_by_one: bool = False
    faults: tuple[ModelFault, ...] = ()
    overlaps: bool = False
    streams: bool = False


class Interruption(_Node, frozen=True, kw_only=True):
    """What befalls a turn while it runs.

    Attributes:
        kind: ``retried``: the turn is delivered a second time, as the same one. ``cancelled``: its
            user stops it. ``restarted``: the kernel's process ends, and a new one that has the
            same storage takes the turn up. Needs ``turn_retry``, ``turn_cancel``, ``turn_restart``.
        after: how many of its calls have come back when it happens, while no further one has
            begun; more than it has are all. A turn that is delivered again after all of them has
            been answered.
    """

    kind: Literal["retried", "cancelled", "restarted"]
    after: int = 0


class Step(_Node, tag_field="step", frozen=True, kw_only=True):
    """One thing the suite makes the kernel do, on behalf of a user in a session.

    Kernels get fresh ids: these with an ending, or with digits where ``{fresh}`` stands.
    """

    user: str = "u1"
    session: str = "s1"


class Turn(Step, tag="turn", frozen=True, kw_only=True):
    """A chat turn: the user's message, the planner's calls, the narrator model's draft.

    With ``agent`` it is a turn of an agent runtime, whose model is ours.

    Attributes:
        message: what the user says.
        calls: what the planner calls, in order.
        draft: what the narrator model answers.
        agent: what our model does, where it is the turn of an agent runtime.
        overlaps: whether the turn runs while the one before it does, which is of another user or
            session. Needs ``turn_overlap``.
        interrupted: what befalls it.
    """

    message: str
    calls: tuple[Call, ...] = ()
    draft: str = "Done."
    agent: AgentTurn | UnsetType = UNSET
    overlaps: bool | UnsetType = UNSET
    interrupted: Interruption | UnsetType = UNSET


class Restart(Step, tag="restart", frozen=True, kw_only=True):
    """The agent's process ends, and a new one has the same storage. Needs ``agent_restart``."""


class Confirm(Step, tag="confirm", frozen=True, kw_only=True):
    """A user answers every card on which a turn waits. Needs ``confirm``.

    Attributes:
        message: the message of that turn, which no other turn of the scenario has.
        decision: the answer.
        of_agent: whether it is a turn of an agent runtime, which needs ``agent_confirm`` instead
            and is told user, session and answer, but no message.
    """

    message: str
    decision: Literal["accept", "reject"] = "accept"
    of_agent: bool | UnsetType = UNSET


class CacheSet(Step, tag="cache_set", frozen=True, kw_only=True):
    """``ctx.cache.set`` in a handler of an extension.

    ``ttl_seconds`` is passed on as it is, whatever its type; ``None`` leaves it out.
    """

    key: str
    value_json: str
    ttl_seconds: int | float | bool | str | None = None
    app: str = APPS[0]
    handler: HandlerKind = "chat_function"


class CacheGet(Step, tag="cache_get", frozen=True, kw_only=True):
    """``ctx.cache.get`` in a handler of an extension."""

    key: str
    app: str = APPS[0]
    handler: HandlerKind = "chat_function"


class CacheDelete(Step, tag="cache_delete", frozen=True, kw_only=True):
    """``ctx.cache.delete`` in a handler of an extension."""

    key: str
    app: str = APPS[0]
    handler: HandlerKind = "chat_function"


class SkeletonRefresh(Step, tag="skeleton_refresh", frozen=True, kw_only=True):
    """The kernel refreshes one skeleton section of the user now."""

    app: str = APPS[0]
    section: str = SECTION


class StoreSet(Step, tag="store_set", frozen=True, kw_only=True):
    """``ctx.store`` keeps a document under a key."""

    key: str
    value_json: str
    app: str = APPS[0]


class Probe(Step, tag="probe", frozen=True, kw_only=True):
    """Get, call, import or set a path inside a handler of the given kind.

    Attributes:
        handler: kind of the handler in which the probe runs.
        op: ``get`` reads ``ctx.<path>``; ``call`` calls it with ``args_json``; ``import``
            imports the name from the SDK; ``set`` assigns the only one of ``args_json`` to it.
        path: dotted path below the handler's context, e.g. ``skeleton.get``.
        args_json: JSON text of the list of positional arguments of a ``call``.
        via: how the handler reaches the path: ``direct`` (written out), ``dynamic`` (by a
            computed name, such as ``getattr``), ``helper`` (in a function that the handler
            calls). A kernel without the notion treats all as ``direct``.
        root: ``ext`` where the path is below the extension object instead of the context. That
            and ``set`` need ``probe_assign``.
    """

    handler: HandlerKind
    op: Literal["get", "call", "import", "set"]
    path: str
    args_json: str = "[]"
    via: Via = "direct"
    app: str = APPS[0]
    root: Literal["ctx", "ext"] | UnsetType = UNSET


class RenderPanel(Step, tag="render_panel", frozen=True, kw_only=True):
    """A panel of an extension is rendered for the user."""

    app: str = APPS[0]
    panel: str = PANEL


class Advance(Step, tag="advance", frozen=True, kw_only=True):
    """The kernel's clock moves on by ``seconds``; due refreshes happen. Needs ``clock``."""

    seconds: float


class DisableExtension(Step, tag="disable_extension", frozen=True, kw_only=True):
    """The user uninstalls (disables) an extension."""

    app: str = APPS[0]


AnyStep = (
    Turn
    | Confirm
    | CacheSet
    | CacheGet
    | CacheDelete
    | SkeletonRefresh
    | StoreSet
    | Probe
    | RenderPanel
    | Advance
    | DisableExtension
    | Restart
)


def is_agent(step: AnyStep) -> bool:
    """Return whether a step is one of an agent runtime, whose model and tools are ours."""
    if isinstance(step, Confirm):
        return step.of_agent is True
    return isinstance(step, Restart) or (isinstance(step, Turn) and step.agent is not UNSET)


def is_dispatch(step: AnyStep) -> bool:
    """Return whether the suite scripts in this step what the planner hands over, or an answer."""
    if is_agent(step):
        return False
    if isinstance(step, Confirm):
        return True
    return isinstance(step, Turn) and any(
        call.planned is not UNSET or call.function in _SCRIPTED for call in step.calls
    )


def is_interrupted(step: AnyStep) -> bool:
    """Return whether something befalls a turn while it runs."""
    return isinstance(step, Turn) and step.interrupted is not UNSET


class Scenario(_Node, frozen=True, kw_only=True):
    """An environment and the steps to take in it.

    Attributes:
        id: stable name, unique among the fixed scenarios; generated ones are numbered.
        steps: what to do, in order.
        environment: what is set up first.
        title: one line for people.
        format: names this format and its major version.
    """

    id: str
    steps: tuple[AnyStep, ...]
    environment: Environment = Environment()
    title: str = ""
    format: Literal["fedcheck-scenario/1"] = SCENARIO_FORMAT
