"""One extension of the fixed pool, made with the SDK's own decorators and Context."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ....invariants.vocabulary.scenario import FUNCTIONS, PANEL, Extension, HandlerKind, Section
from .package import load

Script = Callable[[Any], Awaitable[Any]]
"""What a handler does with its context when it is called."""

CACHE_MODEL = "fixture_value"
_TOOL, _WEBHOOK, _SCHEDULE = "inspect", "events", "tidy"
_TOKEN, _TENANT = "fedcheck", "fedcheck"
_SYSTEM_USER = "__system__"

_TOOL_TYPES: dict[HandlerKind, str] = {
    "tool": "tool",
    "chat_function": "chat_fn",
    "panel": "panel",
    "skeleton": "skeleton",
}
"""The SDK's word for each kind of dispatch. It has none for webhooks and schedules: these
get the default of its Context."""


class InstalledExtension:
    """Handlers of every kind, registered with the SDK and called through its registries.

    Args:
        extension: the extension and its skeleton sections.
        gateway_url: where the SDK's clients find the platform.
        cache_model: the Pydantic model of its cache values.
    """

    def __init__(self, extension: Extension, gateway_url: str, cache_model: Any) -> None:
        self._sdk = load()
        self._app = extension.app
        self._sections = extension.sections or (Section(),)
        self._gateway_url = gateway_url
        self._script: Script = _nothing
        self._user = ""
        self._registered = self._sdk.Extension(
            self._app,
            display_name=f"Fixture {self._app}",
            description=f"Fixture extension {self._app}: its handlers do what the suite scripts.",
        )
        self._chat = self._sdk.ChatExtension(self._registered)
        self._registered.cache_model(CACHE_MODEL)(cache_model)
        self._register_handlers()

    @property
    def section(self) -> str:
        """The section whose handler runs where a step only says ``skeleton``."""
        return self._sections[0].name

    async def run(self, kind: HandlerKind, user: str, script: Script, section: str = "") -> Any:
        """Run ``script`` inside the handler of a kind, for a user; return what it returned.

        ``section`` says which skeleton handler is meant.
        """
        self._script, self._user = script, user
        try:
            return await self._call(kind, section or self.section)
        finally:
            self._script = _nothing

    def _register_handlers(self) -> None:
        ext = self._registered

        async def plain(ctx: Any, **_: Any) -> Any:
            return await self._scripted(ctx)

        async def typed(ctx: Any) -> Any:
            return self._sdk.ActionResult.success({"result": await self._scripted(ctx)}, "Done.")

        async def scheduled(ctx: Any) -> Any:
            return await self._scripted(ctx.as_user(self._user))

        ext.tool(_TOOL, description="Does what the suite scripts.")(plain)
        ext.panel(PANEL, title="Board")(plain)
        ext.webhook(_WEBHOOK)(plain)
        ext.schedule(_SCHEDULE, cron="*/5 * * * *")(scheduled)
        self._chat.function(FUNCTIONS[0], "Does what the suite scripts.", params={})(typed)
        for section in self._sections:
            self._register_section(section)

    def _register_section(self, section: Section) -> None:
        async def refresh(ctx: Any) -> dict[str, Any]:
            return {"response": await self._scripted(ctx)}

        if section.declared:
            declare = self._registered.skeleton(
                section.name, alert=section.alert, ttl=section.ttl_seconds
            )
        else:
            declare = self._registered.tool(_refresh_tool(section.name))
        declare(refresh)

    async def _scripted(self, ctx: Any) -> Any:
        return await self._script(ctx)

    async def _call(self, kind: HandlerKind, section: str) -> Any:
        ctx, ext = self._context(kind), self._registered
        if kind == "chat_function":
            result = await self._chat.functions[FUNCTIONS[0]].func(ctx)
            return result.to_dict()["data"]["result"]
        if kind == "schedule":
            return await ext.schedules[_SCHEDULE].func(ctx)
        if kind == "skeleton":
            return (await ext.call_tool(_refresh_tool(section), ctx))["response"]
        if kind == "webhook":
            request: dict[str, Any] = {"headers": {}, "body": "", "query_params": {}}
            return await ext.call_tool(f"__webhook__{_WEBHOOK}", ctx, **request)
        return await ext.call_tool(_TOOL if kind == "tool" else f"__panel__{PANEL}", ctx)

    def _context(self, kind: HandlerKind) -> Any:
        user = _SYSTEM_USER if kind == "schedule" else self._user
        skeleton = load("imperal_sdk.skeleton.client").SkeletonClient(
            self._gateway_url, service_token=_TOKEN, extension_id=self._app, user_id=user
        )
        dispatch = {"_tool_type": _TOOL_TYPES[kind]} if kind in _TOOL_TYPES else {}
        return self._sdk.Context(
            user=self._sdk.UserContext(
                imperal_id=user, email="user@example.invalid", tenant_id=_TENANT, role="user"
            ),
            tenant=self._sdk.TenantContext(tenant_id=_TENANT, name="Fixture tenant"),
            skeleton=skeleton,
            _extension=self._registered,
            _extension_id=self._app,
            _gateway_url=self._gateway_url,
            _service_token=_TOKEN,
            **dispatch,
        )


async def _nothing(_: Any) -> None:
    """Stand in for a script while no step runs."""


def _refresh_tool(section: str) -> str:
    return f"skeleton_refresh_{section}"
