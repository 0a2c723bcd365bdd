"""Every stored section is in every prompt, whatever it holds and whatever stands beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..scenarios.facts import call, turn
from ..scenarios.skeleton import environment, refresh, say, section, value, values, word
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, Environment, Extension, Section, Turn

_APP, _NEXT, _LAST = APPS
_TITLE = word("title of the section")

Kind = Callable[[int], Any]
"""From the number of the refresh to what the section holds."""


def _always(found: Any) -> Kind:
    return lambda _: found


def _holding(**more: Any) -> Kind:
    return lambda count: value(_APP, count, **more)


def _deep(count: int) -> Any:
    found: Any = count
    for level in range(30):
        found = {"in": found} if level % 2 else [found]
    return value(_APP, count, inner=found)


KIND: Dimension[Kind] = Dimension(
    "kind",
    (
        Value("object", _holding(), "what tests use"),
        Value(
            "with-nothing",
            _holding(none=None, text="", rows=[], inner={}, zero=0, off=False),
            "empty fields break what writes the others",
        ),
        Value("deep", _deep, "levels that are counted: too many, and the section goes"),
        Value(
            "large",
            _holding(log="so far so good " * 500, **{f"field_{n}": n for n in range(60)}),
            "sections over a size go",
        ),
        Value("numbers", _always({"unread": 8, "total": 36}), "only fields of text are shown"),
        Value("zeros", _always({"unread": 0, "open": False}), "nothing to tell: not shown"),
        Value("empty-object", _always({}), "the same"),
        Value("word", lambda count: word("root", count), "only objects have fields to show"),
        Value("sentence", _always("three new, one of them urgent: see board"), "the same"),
        Value("empty-text", _always(""), "what is false is not stored"),
        Value("number", _always(36), "only objects have fields to show"),
        Value("zero", _always(0), "what is false is not stored"),
        Value("words", _always(["one", "two", "two"]), "only objects have fields to show"),
        Value("records", _always([{"id": 1}, {"id": 1}]), "the same; equal items are one"),
        Value("many-records", _always([{"id": n} for n in range(40)]), "collapsed to nothing"),
        Value("empty-list", _always([]), "what is false is not stored"),
    ),
)

NAME: Dimension[str] = Dimension(
    "name",
    (
        Value("word", _TITLE, "what tests use"),
        Value("snake", f"open_{_TITLE}_total", "the tool's name is split at underscores"),
        Value("hyphen", f"open-{_TITLE}", "names become names of variables"),
        Value("capitals", f"Open{_TITLE.title()}", "names that are folded"),
        Value("long", f"{_TITLE}_{'of_all_rooms_' * 6}now", "names that are cut, then not found"),
        Value("heading", f"history_{_TITLE}", "names that mean a block of the prompt"),
    ),
)

LONG_TEXT = "so we went on and on " * 90


def _long_message(number: int) -> Turn:
    return say(f"{number} {LONG_TEXT}")


def _long_reply(number: int) -> Turn:
    return say(f"and {number}?", draft=LONG_TEXT)


def _facts(number: int) -> Turn:
    log = "so far so good " * 90
    calls = (call({"n": number, "log": log}), call({"n": number, "log": log}, app=_LAST))
    return turn("show me", *calls, session="u1-s")


def _many_calls(number: int) -> Turn:
    calls = [call({"n": number * 100 + place}, app=APPS[place % 3]) for place in range(12)]
    return turn("show all", *calls, session="u1-s")


TALK: Dimension[Callable[[int], Turn]] = Dimension(
    "talk",
    (
        Value("short", lambda number: say(f"go on {number}"), "what tests do"),
        Value("long-messages", _long_message, "one budget for history and sections"),
        Value("long-replies", _long_reply, "the same"),
        Value("facts", _facts, "facts come first, and sections go when there are enough"),
        Value("many-calls", _many_calls, "the same; sections of what was called are shown"),
    ),
)
"""What the turns before hold."""

TURNS: Dimension[int] = Dimension(
    "turns",
    (
        Value("first", 0, "sections that appear a turn late"),
        Value("second", 1, "sections that are shown once"),
        Value("tenth", 9, "sections that leave with the oldest exchange, or have no room"),
    ),
)

COMPANY: Dimension[Callable[[], dict[str, Section]]] = Dimension(
    "company",
    (
        Value("none", dict, "what tests do"),
        Value(
            "others",
            lambda: {"a": section(values("a")), "b": section(values("b"))},
            "one section of an extension, or the first, or the newest",
        ),
        Value(
            "many",
            lambda: {f"room_{n}": section([{"n": n}]) for n in range(15)},
            "so many sections at most",
        ),
        Value(
            "large",
            lambda: {
                f"log_{n}": section([{f"f{m}": "so far " * 400 for m in range(6)}])
                for n in range(3)
            },
            "one budget for all sections",
        ),
        Value("empty", lambda: {"a": section([{}]), "b": section([None])}, "one spoils the others"),
    ),
)
"""Other sections of the extension, by name."""

Who = Callable[[str], list[AnyStep]]
"""From the name of the section to steps."""

WHO: Dimension[Who] = Dimension(
    "who",
    (
        Value("nobody", lambda _: [], "what tests do"),
        Value("other-user", lambda _: [say(user="u2")], "the block of whoever spoke last"),
        Value(
            "other-users-section",
            lambda name: [refresh(_APP, user="u2", section=name), say(user="u2")],
            "one place for a section of all users",
        ),
        Value("other-session", lambda _: [say(session="u1-later")], "sections of a session"),
        Value(
            "failed-call",
            lambda _: [turn("go", call({}, status="error"), session="u1-s")],
            "a failure that empties the extension's state",
        ),
        Value(
            "call-elsewhere",
            lambda _: [turn("go", call({"n": 1}, app=_NEXT), session="u1-s")],
            "only sections of the extension that is spoken of",
        ),
    ),
)
"""Who was active before the last turns."""


def _where(name: str, kind: Kind, company: dict[str, Section]) -> Environment:
    own = section([kind(count) for count in range(6)], name=name)
    beside = (
        Section(name=each, returns_json=found.returns_json) for each, found in company.items()
    )
    others = environment().extensions[1:]
    return Environment(extensions=(Extension(app=_APP, sections=(own, *beside)), *others))


def _scene(row: Row, _: Parameters) -> Scene:
    name, company = row[NAME], row[COMPANY]()
    steps: list[AnyStep] = [refresh(_NEXT)] if company else []
    steps.append(refresh(_APP, section=name))
    steps += [refresh(_APP, section=each) for each in company]
    steps += [row[TALK](number) for number in range(row[TURNS])]
    steps += row[WHO](name)
    steps += [say(), refresh(_APP, section=name), say("and now?"), say(session="u1-last")]
    strained = frozenset({len(steps) - 4, len(steps) - 2, len(steps) - 1})
    return Scene(steps, strained, _where(name, row[KIND], company))


ASPECT = Aspect(
    name="skeleton.shape",
    title="A section in the prompt",
    clauses=(
        "C-SKELETON-EVERY-TURN/all-sections-shown",
        "C-SKELETON-EVERY-TURN/newest-value-shown",
        "I-SKELETON-STALENESS-ENVELOPE/staleness-stated",
        "I-SKELETON-STALENESS-ENVELOPE/age-shown",
    ),
    focus=KIND,
    context=(NAME, TALK, TURNS, COMPANY, WHO),
    scene=_scene,
)
