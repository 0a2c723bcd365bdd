"""Small kernels for the tests of the adapters: each behaves, or misbehaves in one way.

The misbehaving ones read the name of what to do from the key of a ``cache_get`` step.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from fedcheck.invariants.vocabulary.scenario import CacheGet, CacheSet, Environment, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import (
    AnyEvent,
    CacheOutcome,
    ClassifierPrompt,
    Given,
    KernelDescription,
    Reply,
)

OUTCOME = {"event": "cache_outcome", "outcome": "miss"}


class Polite:
    """Answers every step that it knows, with typed events and with dicts."""

    name = "polite"
    version = "1.2"
    parameters: ClassVar = {"window": 7}

    def __init__(self, environment: Environment) -> None:
        """Keep the environment, and count the steps of this scenario."""
        self.environment = environment
        self.steps = 0

    def turn(self, step: Turn) -> ClassifierPrompt:
        """Show how many steps this instance has seen, and the flags."""
        self.steps += 1
        return ClassifierPrompt(prompt=f"{self.steps} {self.environment.flags} {step.message}")

    def cache_set(self, _: CacheSet) -> dict[str, str]:
        """Accept everything, and say so in a dict."""
        return {"event": "cache_outcome", "outcome": "accepted"}

    def cache_get(self, step: CacheGet) -> Iterator[AnyEvent | dict[str, str]]:
        """Answer as a generator."""
        print("a print must not disturb the protocol", step.key)  # noqa: T201
        yield OUTCOME


class Frail:
    """Fails in the way that the key of a ``cache_get`` names; answers other keys."""

    def cache_get(self, step: CacheGet) -> Iterator[object]:
        """Give one event, then fail."""
        if step.key != "fine":
            getattr(self, step.key)(step)
        yield OUTCOME

    def abort(self, _: CacheGet) -> None:
        """End as a crash in native code does."""
        os.abort()

    def leave(self, _: CacheGet) -> None:
        """End the process without a word."""
        os._exit(7)

    def hang(self, _: CacheGet) -> None:
        """Never come back."""
        while True:
            pass

    def sleep(self, _: CacheGet) -> None:
        """Come back much too late."""
        time.sleep(600)

    def flood(self, _: CacheGet) -> None:
        """Write 50 MB to stderr, then go on."""
        for _ in range(800):
            sys.stderr.write("x" * 65_536)

    def raise_error(self, _: CacheGet) -> None:
        """Raise."""
        raise ValueError("no such luck")

    def call_exit(self, _: CacheGet) -> None:
        """Try to end the process in the polite way."""
        sys.exit("enough")

    def read_stdin(self, _: CacheGet) -> None:
        """Try to take the protocol's next message."""
        print("read", repr(sys.stdin.read()))  # noqa: T201

    def leave_a_grandchild(self, _: CacheGet) -> None:
        """Start a process that holds our pipes open, and die."""
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        os._exit(0)

    def leave_a_stray(self, step: CacheGet) -> None:
        """Start a process in another session, note its id in the file ``app``, and die."""
        sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
        stray = subprocess.Popen(sleep, start_new_session=True, stdin=subprocess.DEVNULL)
        if step.app.endswith(".pid"):
            Path(step.app).write_text(str(stray.pid))
        os.kill(os.getpid(), signal.SIGKILL)

    def leave_a_thread(self, _: CacheGet) -> None:
        """Start a thread that would keep the interpreter from ending."""
        threading.Thread(target=time.sleep, args=(600,)).start()


class Words(str):
    """A text of a library's own, which tells people something else."""

    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


class Many(int):
    """A number of a library's own."""


class Much(float):
    """A number of a library's own."""


class Derived:
    """Gives texts, numbers and mappings that are no plain ones, in what it says of itself too."""

    name = Words("derived")
    parameters: ClassVar = OrderedDict(window=Many(7))

    def turn(self, _: Turn) -> Iterator[object]:
        """Give a typed event, then a mapping."""
        yield ClassifierPrompt(prompt=Words("as it is"), at=Much(1.5), call=Many(3))
        yield OrderedDict(event=Words("reply"), text=Words("as it is"))


class Generous:
    """Gives events before it raises, and events of a kind that it names."""

    capabilities = ("cache", "narrator")

    def turn(self, _: Turn) -> Iterator[object]:
        """Give two events, then raise."""
        yield ClassifierPrompt(prompt="seen")
        yield {"event": "reply", "text": "said"}
        raise RuntimeError("broke after the reply")

    def cache_set(self, step: CacheSet) -> object:
        """Return what the key names."""
        return {
            "nothing": None,
            "number": 5,
            "text": "cache_outcome",
            "misspelt": {"event": "cache_outcom"},
            "wrong value": {"event": "cache_outcome", "outcome": "acepted"},
            "unknown field": {"event": "cache_outcome", "outcome": "miss", "colour": "red"},
            "wrong type": Reply(text=5),  # type: ignore[arg-type]
            "bytes": CacheOutcome(outcome="hit", value_json=b"{}"),  # type: ignore[arg-type]
            "an object": CacheOutcome(outcome="hit", value_json=object()),  # type: ignore[arg-type]
            "given": Given(stimulus=step),
            "no kind": {},
            "list": [OUTCOME, {"event": "cache_outcome", "outcome": "hit", "at": 5}],
            "own ids": {**OUTCOME, "step": 0, "user": "someone", "session": "somewhere"},
            "surrogate": Reply(text="\ud800"),
        }[step.key]

    async def cache_get(self, _: CacheGet) -> object:
        """Be asynchronous, which nobody awaits."""
        return OUTCOME


class Unmakeable:
    """Raises when it is made."""

    def __init__(self) -> None:
        """Raise."""
        raise ConnectionError("no database")

    def turn(self, step: Turn) -> None:
        """Never be reached."""


class Whole:
    """Runs scenarios as a whole, and describes itself."""

    def describe(self) -> dict[str, object]:
        """Answer with a dict."""
        return {"kernel": "whole", "version": "3", "capabilities": ["fact_ledger"]}

    def run(self, scenario: Scenario) -> Iterator[object]:
        """Give one prompt per step; break at a scenario that is named so."""
        for index, _ in enumerate(scenario.steps):
            yield ClassifierPrompt(step=index, prompt="p")
        if scenario.id == "break":
            raise RuntimeError("gave up")
        if scenario.id == "misspell":
            yield {"event": "replay", "step": 0}


def factory(environment: Environment) -> Polite:
    """Make a kernel, as a function."""
    return Polite(environment)


def whole_factory() -> Whole:
    """Make an object that runs scenarios as a whole."""
    return Whole()


class Boastful(Polite):
    """Claims what does not exist."""

    capabilities = ("cach",)


class Lettered(Polite):
    """Gives its capabilities as one string."""

    capabilities = "cache"


class Undescribed(Whole):
    """Cannot describe itself."""

    def describe(self) -> dict[str, object]:
        """Answer with too little."""
        return {"kernel": "undescribed"}


class Embarrassed(Whole):
    """Raises when asked what it is."""

    def describe(self) -> KernelDescription:
        """Raise."""
        raise LookupError("who am I")


number = 5
instance = Polite(Environment())


class Leaky:
    """Keeps whatever it can get hold of, up to 2 GB."""

    def turn(self, _: Turn) -> None:
        """Never come back, should nobody stop it."""
        kept = [b"x" * 1_000_000 + bytes([n % 256]) for n in range(2000)]
        time.sleep(600 * len(kept))
