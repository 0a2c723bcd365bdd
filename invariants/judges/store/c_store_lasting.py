"""C-STORE-LASTING: what is stored stays until it is overwritten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...readings.cache import UNREADABLE
from ...readings.store import Read, read_store, told
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import call, turn
from ...scenarios.store import HANDLERS, keep, kept_and_read, read
from ...vocabulary.invariant import Clause, Invariant, Judge, Partition
from ...vocabulary.json_values import whole_numbers_kept
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, UNSEEN, AnyStep, Scenario, Turn
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_HOUR, _DAY = 3_600, 86_400
_KEY, _OTHER = f"settings-{UNSEEN}", f"notes-{UNSEEN}"


def _lasting(applies: Callable[[Read], bool], classes: Callable[[Read, int], str]) -> Judge:
    def judge(view: TraceView) -> Iterator[Finding]:
        for found in view.reading(read_store):
            if not found.kept or not applies(found) or _is_leak(found):
                continue
            name, newest = classes(found, view.parameters.window), found.kept[-1]
            if newest.value is None and found.got is UNREADABLE:  # nothing is kept, it says
                continue
            yield Compared((name,) if name else (), newest.step.index)
            if kind := _difference(found):
                yield Violation(
                    kind=kind,
                    step=found.step.index,
                    expected=f"what was kept last: {shorten(newest.given.value_json)}",
                    got=shorten(told(found)),
                )

    return judge


def _difference(found: Read) -> str:
    """How a read differs from what was kept last; empty if it does not."""
    if not found.right:
        older = any(found.shows(each) for each in found.kept)
        return "an older document" if older else "another document or none"
    return "" if whole_numbers_kept(found.kept[-1].value, found.got) else "a number as float"


def _is_leak(found: Read) -> bool:
    """Whether it gave what somebody else keeps, which is another invariant's affair."""
    return not found.right and found.foreign_shown


def _is_near(found: Read) -> bool:
    return found.step.session == found.kept[-1].step.session and not _is_late(found)


def _is_elsewhere(found: Read) -> bool:
    return found.step.session != found.kept[-1].step.session and not _is_late(found)


def _is_late(found: Read) -> bool:
    return found.waited > 0 or found.turns > 0


def _what_happened(found: Read, _window: int) -> str:
    if found.others:
        return "after another document"
    return "after an earlier one" if len(found.kept) > 1 else "at once"


def _other_session(_found: Read, _window: int) -> str:
    return "in the user's other session"


def _how_late(found: Read, window: int) -> str:
    if found.waited >= _DAY:
        return "a day later"
    if found.waited >= _HOUR:
        return "an hour later"
    return "more turns later than facts live" if found.turns > window else ""


def _scenarios(_: Parameters) -> Iterator[Scenario]:
    yield Scenario(
        id="store-read-back",
        title="documents under several keys, one of them kept twice",
        steps=(
            *kept_and_read(_KEY, 1),
            *kept_and_read(_OTHER, 2),
            read(_KEY),
            *kept_and_read(_KEY, 3),
            *kept_and_read(_KEY.capitalize(), 4),
            read(_KEY),
            *(read(_KEY, handler=handler) for handler in HANDLERS),
            *kept_and_read("a b/ключ.1", 5, app=APPS[1]),
            read(_KEY),
        ),
    )
    yield Scenario(
        id="store-other-session",
        title="a document of one session, read in another one",
        steps=(
            *kept_and_read(_KEY, 1),
            read(_KEY, session="s-later"),
            keep(_KEY, 2, session="s-later"),
            read(_KEY, session="s-later"),
            read(_KEY),
        ),
    )


def _turn(number: int) -> Turn:
    return turn(f"ask {number}", call({"n": number}), session="s-u1")


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: documents kept and read in two sessions, with turns in between."""
    return from_recipes(_drawn, 3)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    steps: list[AnyStep] = []
    for number, recipe in enumerate((*recipes, *recipes)):
        key, session = recipe.pick((_KEY, _OTHER)), recipe.pick(("", "", "s-later"))
        kind = recipe.pick(("keep", "keep", "read", "read", "turn"))
        if kind == "turn":
            steps.append(_turn(number))
        elif kind == "keep":
            steps += [keep(key, number, session=session), read(key, session=session)]
        else:
            steps.append(read(key, session=session, handler=recipe.pick(HANDLERS)))
    return Scenario(id="explore", steps=tuple(steps))


_CLOCK = frozenset({"clock"})

INVARIANT = Invariant(
    id="C-STORE-LASTING",
    title="A stored document lasts",
    statement="What a handler keeps in the store, the user's handlers of that extension read in "
    "any later session, however much later.",
    sources=(
        context_channels("(2) During — your handler sees"),
        context_channels("Decision matrix — pick a channel"),
        fact_ledger("The essence"),
    ),
    capabilities=frozenset({"store", "probe"}),
    reading=(
        "The page names the store and no method of it; a handler reads by ctx.store.get with the "
        "key. Without such a way back nothing is judged, so a store that keeps nothing at all is "
        "not exercised. A document may come back with fields beside its own whose names begin "
        "with an underscore."
    ),
    clauses=(
        Clause(
            "newest-read",
            "A read in the same session gives what was kept last under the key.",
            _lasting(_is_near, _what_happened),
            (
                Partition("at once", "nothing in between"),
                Partition("after an earlier one", "the key was kept twice"),
                Partition("after another document", "another key was kept in between"),
            ),
        ),
        Clause(
            "across-sessions",
            "A read in the user's other session gives it too.",
            _lasting(_is_elsewhere, _other_session),
            (Partition("in the user's other session", "kept in the first"),),
        ),
        Clause(
            "outlives-the-channels",
            "It outlives cache and ledger: hours, days and more turns than facts live.",
            _lasting(_is_late, _how_late),
            (
                Partition(
                    "more turns later than facts live",
                    "no time passed",
                    capabilities=frozenset({"fact_ledger"}),
                ),
                Partition("an hour later", "no cache entry lives so long"),
                Partition("a day later", "or more"),
            ),
            capabilities=_CLOCK,
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
