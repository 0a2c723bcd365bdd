"""The kernel class that the suite drives: steps in, what the SDK made of them out."""

from __future__ import annotations

import asyncio
import json
import os
import weakref
from collections import Counter
from collections.abc import Coroutine
from functools import lru_cache, partial
from typing import Any, TypeVar

from ....invariants.vocabulary.scenario import (
    CacheDelete,
    CacheGet,
    CacheSet,
    Environment,
    Probe,
    Section,
    SkeletonRefresh,
)
from ....invariants.vocabulary.trace import Event, SkeletonStored, StepFailed
from . import caching, probing
from .extension import InstalledExtension, Script
from .gateway import gateway
from .package import installed_version

T = TypeVar("T")


class SdkKernel:
    """The published SDK, with a gateway on loopback in place of the platform.

    It claims what the SDK itself does: the checks of ``ctx.cache``, and what a handler
    reaches through its context. ``skeleton`` is claimed for the dispatch of the refresh
    handler alone; storing what it returns is the gateway's doing, and nothing shows it to
    a classifier.

    Args:
        environment: the extensions to install. The SDK reads no environment flag.
    """

    name = "imperal-sdk"
    version = installed_version()
    capabilities = ("cache", "probe", "skeleton")

    def __init__(self, environment: Environment) -> None:
        self._extensions = {extension.app: extension for extension in environment.extensions}
        self._installed: dict[str, InstalledExtension] = {}
        self._refreshes: Counter[tuple[str, str, str]] = Counter()
        self.shelf = gateway().open_shelf()
        weakref.finalize(self, gateway().close_shelf, self.shelf)

    def cache_set(self, step: CacheSet) -> Event:
        """``ctx.cache.set`` in the step's handler."""
        return self._in_handler(step, partial(caching.perform, step=step))

    def cache_get(self, step: CacheGet) -> Event:
        """``ctx.cache.get`` in the step's handler."""
        return self._in_handler(step, partial(caching.perform, step=step))

    def cache_delete(self, step: CacheDelete) -> Event:
        """``ctx.cache.delete`` in the step's handler."""
        return self._in_handler(step, partial(caching.perform, step=step))

    def probe(self, step: Probe) -> Event:
        """Get, call or import a path in the step's handler."""
        return self._in_handler(step, partial(probing.perform, step=step))

    def skeleton_refresh(self, step: SkeletonRefresh) -> Event:
        """Run the section's registered handler and put what it returns on the shelf."""
        scripted = self._scripted_sections(step.app).get(step.section)
        if scripted is None:
            return StepFailed(message=f"extension {step.app!r} has no section {step.section!r}")
        value = json.loads(self._next_return(step, scripted))

        async def refresh(_: Any) -> Any:
            return value

        installed = self._install(step.app)
        response = _finished(installed.run("skeleton", step.user, refresh, step.section))
        self.shelf.put_section(step.app, step.user, step.section, response)
        return SkeletonStored(app=step.app, section=step.section, value_json=json.dumps(response))

    def _in_handler(self, step: CacheSet | CacheGet | CacheDelete | Probe, script: Script) -> Event:
        if step.app not in self._extensions:
            return StepFailed(message=f"extension {step.app!r} is not installed")
        return _finished(self._install(step.app).run(step.handler, step.user, script))

    def _install(self, app: str) -> InstalledExtension:
        if app not in self._installed:
            self._installed[app] = InstalledExtension(
                self._extensions[app], self.shelf.url, caching.cache_model()
            )
        return self._installed[app]

    def _scripted_sections(self, app: str) -> dict[str, Section]:
        extension = self._extensions.get(app)
        return {section.name: section for section in extension.sections} if extension else {}

    def _next_return(self, step: SkeletonRefresh, section: Section) -> str:
        refreshed = (step.user, step.app, step.section)
        self._refreshes[refreshed] += 1
        return section.returns_json[: self._refreshes[refreshed]][-1]


@lru_cache(maxsize=1)
def _loop_of(_process: int) -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` on this process's one event loop: the SDK keeps its connections by loop."""
    return _loop_of(os.getpid()).run_until_complete(work)
