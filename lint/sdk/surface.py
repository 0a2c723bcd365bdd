"""The SDK's surface in each of its releases, read from ``surface.json``."""

from __future__ import annotations

import ast
from functools import cache, cached_property

import msgspec

from .releases import VersionKey, nearest, surface_data, version_key

PACKAGE = "imperal_sdk"
UNREAD_MODULES = frozenset({"cli", "devtools", "prompts", "schemas"})
"""Modules of the package that no extension imports; their names are in no table."""
CLIENTS = {
    "store": "StoreClient",
    "ai": "AIClient",
    "skeleton": "_SkeletonAccessGuard",
    "billing": "BillingClient",
    "notify": "NotifyClient",
    "storage": "StorageClient",
    "http": "HTTPClient",
    "config": "ConfigClient",
    "extensions": "ExtensionsClient",
    "time": "TimeContext",
    "cache": "CacheClient",
    "secrets": "SecretClient",
    "user": "UserContext",
    "tenant": "TenantContext",
    "conversations": "ConversationsClient",
    "users": "UsersClient",
    "apps": "AppsClient",
    "rbac": "RBACClient",
    "signals": "SignalsClient",
}
"""Attribute of ``Context`` → class of what stands there in production."""
MODELS = frozenset({"UserContext", "TenantContext", "User", "Page"})
"""Classes that are pydantic models."""
DATACLASSES = frozenset({
    "AutoTopupSettings", "BalanceInfo", "ChangePlanResult", "CompletionResult", "Document",
    "FileInfo", "HTTPResponse", "HealthStatus", "LimitsResult", "PaymentMethod", "PaymentRecord",
    "PlanInfo", "SecretStatus", "SetupIntentResult", "SubscriptionInfo", "TimeContext",
    "TopupResult", "WebhookRequest", "WebhookResponse",
})  # fmt: skip
"""Classes that are dataclasses in each release that has them."""
CLOSED = (
    MODELS
    | DATACLASSES
    | frozenset({"ActionResult", "Tenant"})
    | (frozenset(CLIENTS.values()) - {"_SkeletonAccessGuard"})
)
"""Classes to whose instances nobody attaches anything: what they lack does not exist."""


def in_words(cls: str) -> str:
    """Return ``a Page`` and ``an HTTPResponse``: an instance of a class of the SDK."""
    return f"{'an' if cls[0] in 'AEIO' or cls.startswith('HTTP') else 'a'} {cls}"


class Signature(msgspec.Struct, frozen=True):
    """How a method may be called.

    Attributes:
        positional: names of the parameters that may be given by position, in order.
        keyword_only: the others.
        required: those without default.
        variadic: whether ``*args`` stands there.
        open: whether ``**kwargs`` stands there.
    """

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    required: frozenset[str]
    variadic: bool
    open: bool

    @property
    def names(self) -> tuple[str, ...]:
        """All names, positional ones first."""
        return self.positional + self.keyword_only


@cache
def signature(text: str) -> Signature:
    """Parse ``(key, value, ttl_seconds=60) -> None``."""
    node = ast.parse(f"def f{text}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)  # noqa: S101 - the text was built so
    spec = node.args
    positional = tuple(arg.arg for arg in (*spec.posonlyargs, *spec.args))
    keyword_only = tuple(arg.arg for arg in spec.kwonlyargs)
    required = set(positional[: len(positional) - len(spec.defaults)])
    required |= {
        name
        for name, default in zip(keyword_only, spec.kw_defaults, strict=True)
        if default is None
    }
    return Signature(
        positional,
        keyword_only,
        frozenset(required),
        spec.vararg is not None,
        spec.kwarg is not None,
    )


class Member(msgspec.Struct, frozen=True):
    """A member of a class in one release.

    Attributes:
        text: kind and signature as in ``surface.json``.
        since: first release with this text.
    """

    name: str
    text: str
    since: str

    @property
    def is_method(self) -> bool:
        """Whether it must be called."""
        return "method (" in self.text

    @property
    def is_async(self) -> bool:
        """Whether a call must be awaited; an async generator is not awaited."""
        return self.text.startswith("async ") and "generator" not in self.text

    @property
    def signature(self) -> Signature | None:
        """How it may be called, if it is a method."""
        return signature(self.text[self.text.index("(") :]) if self.is_method else None

    @property
    def returns(self) -> str:
        """The written type of the field, property or result; empty if there is none."""
        if self.text.startswith("field "):
            return self.text[6:].rstrip("=")
        return self.text.rpartition(" -> ")[2] if " -> " in self.text else ""


class Surface:
    """The SDK as one release has it."""

    def __init__(self, version: str, classes: dict[str, dict[str, list[list[str]]]]) -> None:
        self.version = version
        self.key = version_key(version)
        self._classes = classes

    def has_class(self, name: str) -> bool:
        """Tell whether the release defines the class."""
        return bool(self.members(name))

    @cached_property
    def _cache(self) -> dict[str, dict[str, Member]]:
        return {}

    def members(self, name: str) -> dict[str, Member]:
        """Return name → member of a class, inherited ones not included."""
        if name not in self._cache:
            found = (
                (member, at(spans, self.key))
                for member, spans in self._classes.get(name, {}).items()
            )
            self._cache[name] = {
                member: Member(member, text, since) for member, (since, text) in found if text
            }
        return self._cache[name]

    def member(self, name: str, attribute: str) -> Member | None:
        """Return a member, also one that a class of the SDK inherits from another."""
        own = self.members(name)
        if attribute in own or "(bases)" not in own:
            return own.get(attribute)
        bases = own["(bases)"].text.split(", ")
        found = (self.member(base, attribute) for base in bases if base != name)
        return next((member for member in found if member is not None), None)

    def history(self, name: str, attribute: str) -> list[list[str]]:
        """Return [first version, text] for each change of a member; ``""`` is its removal."""
        return self._classes.get(name, {}).get(attribute, [])

    def at_least(self, version: str) -> bool:
        """Compare the release with another."""
        return self.key >= version_key(version)

    def client(self, attribute: str) -> str:
        """Return the class of what stands at ``ctx.<attribute>``, or an empty text."""
        if attribute == "skeleton" and not self.at_least("1.6.0"):
            return "SkeletonClient"
        name = CLIENTS.get(attribute, "")
        if name in {"UserContext", "TenantContext"} and not self.has_class(name):
            return name.removesuffix("Context")
        return name if self.has_class(name) else ""


def at(spans: list[list[str]], key: VersionKey) -> tuple[str, str]:
    """Return (since, text) of what a list of changes says of a release; empty before the first."""
    since, text = "", ""
    for version, described in spans:
        if version_key(version) <= key:
            since, text = version, described
    return since, text


@cache
def surface(version: str) -> Surface:
    """Return the surface of a release; of one that is not known, that of the nearest."""
    return Surface(nearest(version), surface_data()["classes"])


def private_names(*, gone: bool = False) -> tuple[str, ...]:
    """Return the names with one underscore that a class has in any release.

    Args:
        gone: only those that a later release has no more.
    """
    return tuple(
        sorted(
            {
                name
                for members in surface_data()["classes"].values()
                for name, changes in members.items()
                if name.startswith("_")
                and not name.startswith("__")
                and (not gone or any(not text for _, text in changes))
            }
        )
    )
