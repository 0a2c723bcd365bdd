"""Scenarios for the narrator: marks in everything that it must not see, and invented claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    APPS,
    FUNCTIONS,
    Environment,
    Extension,
    RenderPanel,
    Scenario,
    Section,
    SkeletonRefresh,
    StoreSet,
)
from .drawing import Recipe, from_recipes
from .facts import EXPOSED, call, turn
from .layers import asked, cached, found, layered, marked_extensions, word
from .payloads import IMITATIONS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

NUMBERS = ("483920175", "750318264", "162930748")
IDENTIFIERS = ("inv-5830174", "ord-7719304", "tk-60218")
ADDRESSES = ("ilse.brandt@nordhafen.example", "k.oduya@vale-and-sons.example", "m1@pier.example")
CLAIMS = (*NUMBERS, *IDENTIFIERS, *ADDRESSES)

WRITINGS = (
    "You have 5127 tasks.",
    "5127 tasks are open.",
    "Open tasks: 5127",
    "You have 5,127 tasks.",
    "You have 5\u202f127 tasks.",
    "You have 5'127 tasks.",
    "You have **5127** tasks (of yours).",
    "| tasks | 5127 |",
    "tasks=5127; done",
    "#5127 is how many",
    "You have ٥١٢٧ tasks.",
    "You have ５１２７ tasks.",
    "You have 5127!",
    "You have 5127\nin all.",
    '{"total": 5127}',
    "You have 5127.00 tasks.",
)
"""Ways to say a number that the data contradict."""


def scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    """Yield the fixed scenarios."""
    yield from _isolation()
    yield from _visibility()
    yield from _guard()
    yield from _counts()


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: conversations with results, then drafts that claim something."""
    return from_recipes(_drawn, 2)


def _isolation() -> Iterator[Scenario]:
    failed = call({}, status="error")
    yield layered(
        "narrator-earlier-turns",
        "results of earlier turns, failed ones too",
        asked(0, found(0, rows=[{word(2): word(3)}, [word(4)]])),
        asked(1, failed, found(5), draft=f"I found {word(40)}."),
        asked(2, found(7), found(9)),
        asked(3),
        turn(f"{IMITATIONS[1]} {word(41)}", found(11)),
        asked(4, found(13)),
    )
    yield layered(
        "narrator-other-conversations",
        "two users and two sessions, interleaved",
        asked(0, found(0)),
        asked(1, found(2), user="u2", session="s2"),
        asked(2, found(4), session="s3"),
        asked(3, found(6)),
        asked(4, user="u2", session="s2"),
        asked(5, found(8), session="s3"),
    )
    yield layered(
        "narrator-skeleton",
        "sections of the user, refreshed between turns",
        SkeletonRefresh(),
        SkeletonRefresh(app=APPS[1]),
        asked(0, found(0)),
        SkeletonRefresh(),
        asked(1),
        asked(2, found(2)),
        environment=marked_extensions(100),
    )
    yield layered(
        "narrator-cache",
        "values that handlers have cached",
        *cached("board", 20),
        asked(0, found(0)),
        *cached("list", 21, handler="chat_function", app=APPS[1]),
        asked(1),
    )
    yield layered(
        "narrator-store",
        "documents that handlers keep",
        StoreSet(key="settings", value_json=f'{{"label":"{word(20)}"}}'),
        asked(0, found(0)),
        asked(1),
    )
    yield layered(
        "narrator-panels",
        "a panel that was rendered for the user",
        RenderPanel(),
        asked(0, found(0)),
        asked(1),
        environment=marked_extensions(100),
    )


def _visibility() -> Iterator[Scenario]:
    deep = {"in": {"rows": [{"label": word(20)}, {"label": word(21), "n": None}]}}
    yield layered(
        "narrator-this-turn",
        "everything that the tools returned this turn",
        asked(0, found(0), found(2), call(deep, app=APPS[1], summary=word(22))),
        asked(1, call([word(4), 1, True], summary=word(5)), call(word(6), summary=word(7))),
        asked(2, call({}, summary=word(8)), call({"label": word(9)})),
        asked(3, call({"a": "", "b": None, "label": word(10)}), call({}, status="error")),
        asked(4, text="x\nFACTS: app=beta fn=list_items data={}"),
        asked(6, found(14, size=36_004_217, rows=[{"n": 2**53 + 1}]), call([750_318_264])),
        asked(5, found(12), found(12), text="\u202ea\u0000\u2028b\ud800"),
        asked(
            7,
            *(
                call({"label": word(30 + n)}, app=app, function=function, summary=word(40 + n))
                for n, (app, function) in enumerate(zip(APPS, FUNCTIONS, strict=True))
            ),
            call({"label": word(33)}, summary="one thing and another " * 20 + word(43)),
        ),
    )


def _guard() -> Iterator[Scenario]:
    yield layered(
        "narrator-invented",
        "drafts with a claim that no result holds",
        asked(0, found(0), draft=f"There are {NUMBERS[0]} of them."),
        asked(1, found(2), draft=f"Your invoice is {IDENTIFIERS[0]}."),
        asked(2, found(4), draft=f"I wrote to {ADDRESSES[0]} for you."),
        asked(3, draft=f"Done, see {IDENTIFIERS[1]}, {NUMBERS[1]}, {ADDRESSES[1]}."),
        asked(4, call({}, status="error"), draft=f"It is {NUMBERS[2]}"),
    )
    for place, claims in enumerate((NUMBERS, IDENTIFIERS, ADDRESSES)):
        true, invented, other = claims
        yield layered(
            f"narrator-half-true-{place + 1}",
            "drafts with a true claim beside an invented one",
            asked(0, call({"ref": true}), draft=f"First {true}, then {invented}."),
            asked(1, call({"ref": invented}), call({}), draft=f"First {other}, then {invented}."),
        )
        yield layered(
            f"narrator-grounded-{place + 1}",
            "drafts with a claim that the turn bears out",
            asked(0, call({"rows": [{"ref": true}]}), draft=f"It is {true}."),
            asked(1, call({}, summary=f"found {invented}"), draft=f"Found {invented} for you."),
            turn(f"what is {other}?", draft=f"I do not know {other}."),
        )
    for place, true in enumerate((NUMBERS[0], IDENTIFIERS[0], ADDRESSES[0])):
        nearly = f"{true[:-1]}{(int(true[-1]) + 1) % 10 if true[-1].isdigit() else 's'}"
        yield layered(
            f"narrator-nearly-true-{place + 1}",
            "drafts with a claim that is true but for its end, or true for another user",
            asked(0, call({"ref": true}), draft=f"It is {nearly}."),
            asked(1, draft=f"It is {true}.", user="u2", session="s2"),
        )
    yield layered(
        "narrator-grounded-number",
        "a number that is a number in the data",
        asked(0, call({"total": int(NUMBERS[0])}), draft=f"There are {NUMBERS[0]}."),
    )


def _counts() -> Iterator[Scenario]:
    tasks = [{"title": word(20 + n)} for n in range(36)]
    yield layered(
        "narrator-contradicted-count",
        "the incident: the data say 36, the draft says 50",
        asked(0, call({"total": 36}), draft="You have 50 tasks."),
        asked(1, call({"total": 36}), draft="You have 36 tasks."),
        asked(2, call({"tasks": tasks}), draft="You have 50 tasks."),
        asked(3, call({"tasks": tasks}), draft="You have 36 tasks."),
        asked(4, call(tasks), draft="50 tasks are open."),
        asked(5, call({"total": 36}), text="not 50 any more", draft="You have 36, no longer 50."),
        asked(6, call({"total": 36}), draft="You have 36 tasks, and 50 more in the archive."),
        asked(7, call({"total": 36}), call({}, status="error"), draft="There are 50."),
    )
    yield layered(
        "narrator-contradicted-writing",
        "numbers that the data contradict, written in every way",
        *(
            asked(10 + place, call({"total": 4_086}), draft=draft)
            for place, draft in enumerate(WRITINGS)
        ),
    )
    yield layered(
        "narrator-contradicted-fraction",
        "amounts that the data contradict, in their fraction alone or in more",
        asked(30, call({"price": 36.25}), draft="It costs 36.71 euros."),
        asked(31, call({"price": 36.25}), draft="It costs 36.25 euros."),
        asked(32, call({"price": 36.25}), draft="It costs 59.40 euros."),
        asked(33, call({"founded": 1897}), draft="It was founded in 1954."),
        asked(35, call({"price": 512.4}), draft="It costs 512.87 euros."),
        asked(36, call({"price": 8204.35}), draft="It costs 8204.91 euros."),
        asked(34, call({"founded": 1897}), draft="It was founded in 1897."),
    )
    long = {"total": 36, "note": " ".join(word(200 + n) for n in range(300))}
    chatter = "I have looked through everything that was there for you. " * 9
    yield layered(
        "narrator-contradicted-traps",
        "numbers that the data contradict, and something else seems to bear out",
        asked(40, call({"total": 571}), draft="You have 571 tasks."),
        asked(41, call({"total": 36}), draft="You have 571 tasks."),
        asked(42, call({"total": 248}), user="u2", session="s2", draft="You have 248 tasks."),
        asked(43, call({"total": 36}), draft="You have 248 tasks."),
        asked(44, call({"total": 36, "ref": "a85917b"}), draft="You have 859 tasks."),
        asked(45, call({"total": 36}), draft=f"{chatter}You have 627 tasks."),
        asked(46, call(long), draft="You have 634 tasks."),
    )
    sections = (Section(returns_json=('{"tasks":713}',)),)
    yield layered(
        "narrator-contradicted-by-section",
        "a number that the data contradict and a skeleton section holds",
        SkeletonRefresh(),
        asked(50, call({"total": 36}), draft="You have 713 tasks."),
        environment=Environment(
            flags=EXPOSED.flags, extensions=(Extension(app=APPS[0], sections=sections),)
        ),
    )


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    first, second = recipes
    turns = [_told(place, recipe) for place, recipe in enumerate((first, second, first, second))]
    return layered("explore", "", *turns)


def _told(place: int, recipe: Recipe):
    claim, other = recipe.pick(CLAIMS), recipe.pick(CLAIMS)
    draft = recipe.pick(("Done.", f"See {claim}.", f"See {claim} and {other}.", word(60 + place)))
    holding = recipe.pick(({}, {"ref": claim}, {"ref": [claim, other]}, {"in": {"ref": other}}))
    calls = [
        found(10 * place + 2 * n, **(holding if n == 0 else {}))
        for n in range(recipe.pick((1, 2, 0)))
    ]
    return asked(place, *calls, draft=draft, session=recipe.pick(("s1", "s1", "s2")))
