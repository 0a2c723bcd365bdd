"""What one user or session has stays apart from that of another, however alike their ids are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..scenarios.agents import asks, item
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import FRESH, AnyStep, Restart
from .ids_people import ALIKE, Ids, Who


def _joined(user: str) -> Sequence[Who]:
    """Users and sessions that are one text where they are joined, or one pair where sorted."""
    joints = ("", "-", ":")
    pairs = [
        ((f"{user}{FRESH}{joint}x", "y"), (f"{user}{FRESH}", f"x{joint}y")) for joint in joints
    ]
    swapped = ((f"a{FRESH}", f"b{FRESH}"), (f"b{FRESH}", f"a{FRESH}"))
    return [who for pair in (*pairs, swapped) for who in pair]


PARTIES: Dimension[Callable[[Ids], Sequence[Who]]] = Dimension(
    "parties",
    (
        Value("sessions", lambda ids: [("u1", each) for each in ids], "sessions of one user"),
        Value("owners", lambda ids: [(each, f"s-{each}") for each in ids], "users, each with one"),
        Value("users", lambda ids: [(each, "s1") for each in ids], "users with one name of it"),
        Value("joined", lambda ids: _joined(ids[0]), "user and session in one key"),
    ),
)
"""Who is to be told apart."""

WHEN: Dimension[str] = Dimension(
    "when",
    (
        Value("after", "after", "one turn after another"),
        Value("overlap", "overlap", "what a turn leaves in the process while others run"),
        Value("restart", "restart", "what is read anew from storage"),
    ),
)
"""When the turns run."""

CALLS: Dimension[int] = Dimension(
    "calls",
    (
        Value("one", 1, "a call a turn"),
        Value("none", 0, "words alone"),
        Value("two", 2, "two calls, which lets turns run into each other"),
    ),
)
"""How many calls a turn has."""


def _scene(row: Row, _: Parameters) -> Scene:
    parties = row[PARTIES](row[ALIKE])
    overlap = row[WHEN] == "overlap"
    steps: list[AnyStep] = [
        _turn(who, n, row[CALLS], overlaps=overlap and n > 0) for n, who in enumerate(parties)
    ]
    if row[WHEN] == "restart":
        steps.append(Restart(user=parties[0][0], session=parties[0][1]))
    strained: set[int] = set()
    for n, (user, session) in enumerate(parties):
        strained.add(len(steps))
        steps.append(
            asks(
                f"what do I have, k{n}w8m2?", user=user, session=session, overlaps=overlap and n > 0
            )
        )
    if overlap:
        for user, session in parties:
            strained.add(len(steps))
            steps.append(asks("and now?", user=user, session=session))
    return Scene(steps, frozenset(strained))


def _turn(who: Who, number: int, calls: int, *, overlaps: bool) -> AnyStep:
    words = [item(f"party{number}z{n}", number) for n in range(calls)]
    user, session = who
    return asks(
        f"I am guest{number}h6.",
        *words,
        user=user,
        session=session,
        draft=f"Hello, friend{number}d3.",
        one_by_one=True,
        overlaps=overlaps,
    )


ASPECT = Aspect(
    name="agent.ids",
    title="Sessions and users whose ids are alike",
    clauses=(
        "C-AGENT-SESSIONS/sessions-apart",
        "C-AGENT-SESSIONS/overlapping-apart",
        "C-AGENT-USERS/users-apart",
        "C-AGENT-USERS/overlapping-apart",
    ),
    focus=ALIKE,
    context=(PARTIES, WHEN, CALLS),
    scene=_scene,
    apart=(
        Apart(
            ("parties", frozenset({"joined"})),
            ("alike", frozenset(each.name for each in ALIKE.values[1:])),
            "ids that are joined are alike by that",
        ),
    ),
)
