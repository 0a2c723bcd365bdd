"""What happened: a header and a list of events.

The suite writes the stimulus into the trace itself (``given`` events), and judges take
the truth from those alone; everything else is what the kernel showed. Every event
carries the index of the step that caused it, the user, the session and the kernel's time.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from .messages import Prompt, Tool, tools_text
from .parameters import Parameters
from .scenario import AnyStep, Environment

TRACE_FORMAT = "fedcheck-trace/1"
PROTOCOL = "fedcheck/1"

CAPABILITIES: dict[str, str] = {
    "fact_ledger": "runs turns with scripted calls and shows the classifier's prompt",
    "digest": "shows each ToolCallDigest that a turn wrote",
    "narrator": "shows the narrator's prompt and the reply to the user",
    "narrator_guard": "checks the narrator model's draft before the user sees it",
    "cache": "runs ctx.cache operations inside handlers",
    "skeleton": "refreshes skeleton sections (with fact_ledger: shows them to the classifier)",
    "alerts": "shows when the alert tool of a skeleton section ran",
    "alert_tools": "takes what the alert tool of a section returns, or that there is none",
    "probe": "gets, calls or imports a path inside a handler",
    "probe_assign": "assigns to a path inside a handler, and asks the extension object for one",
    "store": "runs ctx.store operations inside handlers",
    "panels": "renders panels and reports refreshed ones",
    "audit": "shows the audit record of each action",
    "dispatch": "takes a call's arguments from the planner, and shows what reached the handler",
    "confirm": "holds what is destructive until its user has answered a card",
    "audit_detail": "shows all that an audit record says",
    "turn_overlap": "takes turns of several users and sessions at the same time",
    "turn_retry": "takes a turn that is delivered a second time for the same one",
    "turn_cancel": "stops a turn before its next call when its user says so",
    "turn_restart": "takes a turn up again in a new process that has the same storage",
    "clock": "has a clock that the suite can advance",
    "env_per_scenario": "takes the environment flags of each scenario",
    "dynamic_extensions": "takes extensions and tools that are not in the fixed pool",
}
"""What a kernel may claim, each with its meaning. What is not claimed is not judged."""

AGENT_CAPABILITIES: dict[str, str] = {
    "agent": "runs turns of an agent runtime whose model and tools are the suite's",
    "agent_recall": "sends its model what came of earlier turns of the session",
    "agent_users": "keeps the sessions of two users apart, even where their ids are the same",
    "agent_restart": "continues its sessions in a new process that has the same storage",
    "agent_overlap": "takes turns of several sessions at the same time",
    "agent_streams": "takes a turn by its streaming interface where told to, to the same effect",
    "agent_confirm": "holds what is destructive until its user has answered",
}
"""What an agent runtime may claim; a kernel has the others."""

CLAIMABLE = CAPABILITIES | AGENT_CAPABILITIES
"""Everything that may be claimed."""

PER_SCENARIO = "env_per_scenario"
"""A kernel that does not claim it has one fixed environment, in which others cannot be tried."""


class KernelDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kernel's answer to ``describe``.

    Attributes:
        kernel: the kernel's name.
        version: its version.
        protocol: the version of the wire protocol that it speaks, ``fedcheck/1``.
        capabilities: names from ``CAPABILITIES``, or from ``AGENT_CAPABILITIES``.
        parameters: the values that it was built with, where they differ from the documents.
        env_fixed: the environment flags that it always runs with, when it does not claim
            ``env_per_scenario``.
        commit: source revision, if known.
        digest: SHA-256 of what was built from it, such as the package or the image, if known.
    """

    kernel: str
    version: str
    protocol: Literal["fedcheck/1"] = PROTOCOL
    capabilities: tuple[str, ...] = ()
    parameters: Parameters = Parameters()
    env_fixed: dict[str, str] = {}
    commit: str = ""
    digest: str = ""


class RaisedError(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An error that a handler or a kernel raised: its class name, its base classes, its text."""

    name: str
    bases: tuple[str, ...] = ()
    message: str = ""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event"
):
    """One thing that happened.

    Attributes:
        step: index of the step that caused it, from 0.
        user: whose step it was.
        session: in which session.
        at: the kernel's time, seconds since the Unix epoch; ``None`` if it has none.
        call: index of the call inside the turn, where the event belongs to one.
    """

    step: int = -1
    user: str = ""
    session: str = ""
    at: float | None = None
    call: int | None = None


class Given(Event, tag="given", frozen=True, kw_only=True):
    """Written by the suite: the stimulus of the step. The only source of truth for judges."""

    stimulus: AnyStep


class ClassifierPrompt(Event, tag="classifier_prompt", frozen=True, kw_only=True):
    """The full prompt that the intent classifier received.

    Attributes:
        prompt: one text, or the messages.
        tools: the tools that it was offered beside them, if any.
    """

    prompt: Prompt
    tools: tuple[Tool, ...] | UnsetType = UNSET


class ToolResult(Event, tag="tool_result", frozen=True, kw_only=True):
    """The kernel's own word on a finished call; never a source of truth where ``given`` exists.

    Of a recording it is the only word on the call, and carries the id by which messages name it.
    """

    app: str
    function: str
    status: str
    data_json: str = "null"
    error_code: str | UnsetType = UNSET
    id: str | UnsetType = UNSET


class PlannerPrompt(Event, tag="planner_prompt", frozen=True, kw_only=True):
    """What the planner is told when it is asked for a call again; ``attempt`` counts from 1."""

    attempt: int
    prompt: Prompt
    tools: tuple[Tool, ...] | UnsetType = UNSET


class CallDispatched(Event, tag="call_dispatched", frozen=True, kw_only=True):
    """A handler is entered, with these arguments."""

    app: str
    function: str
    args_json: str


class CallBlocked(Event, tag="call_blocked", frozen=True, kw_only=True):
    """The kernel refuses a call, whose handler is never entered.

    Attributes:
        app: the extension.
        function: the function.
        error_code: the code of the refusal, if it has one.
        field: the argument that is the reason, if it is one.
        reason: the reason, in the kernel's words.
    """

    app: str
    function: str
    error_code: str = ""
    field: str = ""
    reason: str = ""


class CardCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call that waits on a card, with what the user is shown of it.

    Attributes:
        call: index of the call inside the turn.
        app: the extension.
        function: the function.
        args_json: JSON text of the arguments that run after a yes.
        action_type: what the function does to the world.
    """

    call: int
    app: str
    function: str
    args_json: str
    action_type: str = ""


class ConfirmationCard(Event, tag="confirmation_card", frozen=True, kw_only=True):
    """The user is asked whether these calls may run."""

    calls: tuple[CardCall, ...]
    text: str = ""


class ConfirmOutcome(Event, tag="confirm_outcome", frozen=True, kw_only=True):
    """What became of an answer to a card.

    ``accepted``: the calls run. ``refused``: they do not, because the answer is a no, because
    it is another user's, or because the card was answered before. ``expired``: it is too late.
    """

    outcome: Literal["accepted", "refused", "expired"]


class Digest(Event, tag="digest", frozen=True, kw_only=True):
    """A ToolCallDigest as written to session memory (fact-ledger page, What it stores)."""

    app_id: str
    fn_name: str
    data_facts_json: str


class NarratorPrompt(Event, tag="narrator_prompt", frozen=True, kw_only=True):
    """The full prompt that the narrator received.

    Attributes:
        prompt: one text, or the messages.
        tools: the tools that it was offered beside them, if any.
    """

    prompt: Prompt
    tools: tuple[Tool, ...] | UnsetType = UNSET


class ModelRequest(Event, tag="model_request", frozen=True, kw_only=True):
    """A request that an agent runtime sent to our model, and what it was answered.

    Attributes:
        prompt: the messages, as they stand in the request.
        tools: the tools that the model was offered.
        number: index of the request inside the turn, from 0.
        attempt: how often the same request came before, in this turn.
        wire: the provider's interface.
        stream: whether the answer was asked for as a stream.
        answered: what our model did: asked for calls, said a text, or failed.
    """

    prompt: Prompt
    tools: tuple[Tool, ...] | UnsetType = UNSET
    number: int = 0
    attempt: int = 0
    wire: Literal["chat_completions", "responses", "messages"] = "chat_completions"
    stream: bool = False
    answered: Literal["calls", "text", "rate_limit", "server_error", "cut_stream"] = "text"


class AgentFailed(Event, tag="agent_failed", frozen=True, kw_only=True):
    """A turn of an agent runtime ended with an error in place of a reply."""

    message: str = ""


class Restarted(Event, tag="restarted", frozen=True, kw_only=True):
    """A new process of the agent is ready."""


class Reply(Event, tag="reply", frozen=True, kw_only=True):
    """What the user finally saw in chat."""

    text: str


class TurnInterrupted(Event, tag="turn_interrupted", frozen=True, kw_only=True):
    """The turn is delivered again, stopped, or taken up by a new process, at this place."""

    kind: Literal["retried", "cancelled", "restarted"]


class CacheOutcome(Event, tag="cache_outcome", frozen=True, kw_only=True):
    """What a cache operation came to.

    Attributes:
        outcome: ``accepted`` (set, delete done), ``hit``, ``miss``, ``refused`` (the kernel
            declined the operation), ``error`` (something else broke; never counts as refused).
        value_json: JSON text of the value that a ``hit`` returned.
        ttl_seconds: life that the kernel gave the entry, if it says so.
        error: what was raised, if anything.
    """

    outcome: Literal["accepted", "hit", "miss", "refused", "error"]
    value_json: str | None = None
    ttl_seconds: float | None = None
    error: RaisedError | None = None


class SkeletonStored(Event, tag="skeleton_stored", frozen=True, kw_only=True):
    """A section was stored for the user."""

    app: str
    section: str
    value_json: str


class StoreOutcome(Event, tag="store_outcome", frozen=True, kw_only=True):
    """What a store operation came to."""

    outcome: Literal["accepted", "refused", "error"]
    error: RaisedError | None = None


class ProbeOutcome(Event, tag="probe_outcome", frozen=True, kw_only=True):
    """What a probe came to.

    ``value``: the path gave a value (a call that returned null gave the value ``null``).
    ``absent``: a ``get`` found nothing, or null. ``raised``: the get, the call or the import
    raised. ``error``: the probe itself could not be carried out.
    """

    outcome: Literal["value", "absent", "raised", "error"]
    value_json: str | None = None
    error: RaisedError | None = None


class AuditRecord(Event, tag="audit_record", frozen=True, kw_only=True):
    """An entry of the audit ledger.

    All but the first three are owed by a kernel that claims ``audit_detail`` alone.

    Attributes:
        app: the extension.
        function: the function.
        status: what became of the action.
        tenant: whose installation it was.
        source: where it was asked for: chat, panel, mcp, webhook.
        action_type: read, write, destructive.
        args_json: JSON text of the arguments, personal data masked.
        error_code: the code of a failure.
        retention_class: how long the record is kept.
        confirmation: how its user agreed, if that was needed.
    """

    app: str
    function: str
    status: str
    tenant: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    action_type: str | UnsetType = UNSET
    args_json: str | UnsetType = UNSET
    error_code: str | UnsetType = UNSET
    retention_class: str | UnsetType = UNSET
    confirmation: str | UnsetType = UNSET


class PanelRefreshed(Event, tag="panel_refreshed", frozen=True, kw_only=True):
    """A panel was re-fetched because a handler asked for it."""

    app: str
    panel: str


class PanelRendered(Event, tag="panel_rendered", frozen=True, kw_only=True):
    """A panel was rendered; ``value_json`` is its content as JSON text."""

    app: str
    panel: str
    value_json: str = "null"


class AlertRaised(Event, tag="alert_raised", frozen=True, kw_only=True):
    """The alert tool of a section ran and returned this text."""

    app: str
    section: str
    text: str = ""


class Advanced(Event, tag="advanced", frozen=True, kw_only=True):
    """The clock moved on; ``at`` is the new time."""


class ExtensionDisabled(Event, tag="extension_disabled", frozen=True, kw_only=True):
    """The extension was disabled for the user."""

    app: str


class StepFailed(Event, tag="step_failed", frozen=True, kw_only=True):
    """The kernel or its adapter could not carry out the step at all."""

    message: str


AnyEvent = (
    Given
    | ClassifierPrompt
    | PlannerPrompt
    | CallDispatched
    | CallBlocked
    | ConfirmationCard
    | ConfirmOutcome
    | ToolResult
    | Digest
    | NarratorPrompt
    | Reply
    | TurnInterrupted
    | CacheOutcome
    | SkeletonStored
    | StoreOutcome
    | ProbeOutcome
    | AuditRecord
    | PanelRefreshed
    | PanelRendered
    | AlertRaised
    | Advanced
    | ExtensionDisabled
    | ModelRequest
    | AgentFailed
    | Restarted
    | StepFailed
)


class Trace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A header and everything that happened, in order.

    Attributes:
        events: ``given`` events and the kernel's events, those of one step together.
        kernel: the kernel's description of itself.
        scenario: id of the scenario, or a name of the recording.
        environment: what was set up; in a recording, what is known of it.
        origin: ``suite`` when the suite wrote the stimulus, ``recording`` when the kernel did.
        complete_from: index of the first step from which nothing is missing; more than 0
            for a recording that was cut at its beginning.
        format: names this format and its major version.
    """

    events: tuple[AnyEvent, ...]
    kernel: KernelDescription
    scenario: str = ""
    environment: Environment = Environment()
    origin: Literal["suite", "recording"] = "suite"
    complete_from: int = 0
    format: Literal["fedcheck-trace/1"] = TRACE_FORMAT


def prompt_text(event: ClassifierPrompt | NarratorPrompt | PlannerPrompt | ModelRequest) -> str:
    """Return all text of a prompt: its tools, then its messages, joined by line feeds."""
    if isinstance(event.prompt, str):
        return f"{tools_text(event.tools)}{event.prompt}" if event.tools else event.prompt
    return tools_text(event.tools) + "\n".join(message.text for message in event.prompt)
