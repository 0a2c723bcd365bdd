"""Building blocks of the cache scenarios: scripts with a control, keys and values by recipe."""

from __future__ import annotations

from functools import cache

from ..readings.cache_rules import SURE_TTL
from ..vocabulary.parameters import KEY_ALPHABET
from ..vocabulary.scenario import APPS, Advance, AnyStep, CacheGet, CacheSet, HandlerKind, Scenario

HANDLERS: tuple[HandlerKind, ...] = ("chat_function", "tool", "panel")
"""Kinds of handler that the context-channels page names as writers and readers of the cache."""

MIXED = '{"a":null,"b":[false,0,"",[],{}],"c":{"d":{"e":[1.5,null]}},"Case":1,"case":2,"n":36}'
"""The JSON text of an object with values of all kinds."""

_EMPTY_TEXT = '{"text":""}'
_MANY_KEYS = KEY_ALPHABET * 32


class Script:
    """Cache steps of one handler; each set has a value of its own, so a get tells whose it is.

    It opens with a control: a set that every conforming kernel keeps, and its get.
    """

    def __init__(self, app: str = APPS[0], handler: HandlerKind = "chat_function") -> None:
        self._app = app
        self._handler: HandlerKind = handler
        self._steps: list[AnyStep] = []
        self.attempt("control")

    def attempt(
        self, key: str, *, ttl: int | float | None = SURE_TTL, value: str | None = None
    ) -> Script:
        """Set the key, then get it; ``None`` as the life leaves it out."""
        own = f'{{"n":{len(self._steps)}}}' if value is None else value
        self._steps.append(
            CacheSet(key=key, value_json=own, ttl_seconds=ttl, app=self._app, handler=self._handler)
        )
        return self.get(key)

    def get(self, key: str) -> Script:
        """Get the key."""
        self._steps.append(CacheGet(key=key, app=self._app, handler=self._handler))
        return self

    def advance(self, seconds: float) -> Script:
        """Let the kernel's clock move on by so many seconds."""
        self._steps.append(Advance(seconds=seconds))
        return self

    def scenario(self, name: str, title: str = "") -> Scenario:
        """Return the script as a scenario."""
        return Scenario(id=name, steps=tuple(self._steps), title=title)


def safe_key(length: int, offset: int = 0) -> str:
    """Return a safe key of that many characters, up to 2,000, cut from the alphabet."""
    return _MANY_KEYS[offset : offset + length]


def ascii_value(size: int) -> str:
    """Return the JSON text of an ASCII object of exactly ``size`` compact bytes."""
    return '{"text":"' + "x" * (size - len(_EMPTY_TEXT)) + '"}'


def cyrillic_value(letters: int) -> str:
    r"""Return the JSON text of an object with that many letters: 2 bytes each, 6 escaped."""
    return '{"text":"' + "\\u044f" * letters + '"}'


def items_value(count: int) -> str:
    """Return the JSON text of an object with a list of up to 90,000 numbers, 6 bytes each."""
    return '{"items":[' + _numbers()[: 6 * count].rstrip(",") + "]}"


@cache
def _numbers() -> str:
    return "".join(f"{number}," for number in range(10_000, 100_000))
