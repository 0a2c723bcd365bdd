"""What the narrator sees and says: hand-built steps, and what a clause says of them."""

from __future__ import annotations

from fedcheck.invariants.readings.marks import mark
from fedcheck.invariants.scenarios.facts import call
from fedcheck.invariants.vocabulary.scenario import SkeletonRefresh
from fedcheck.invariants.vocabulary.trace import SkeletonStored

from .stage import (
    EARLIER,
    HI,
    KEPT,
    LEAK,
    NOW,
    OTHER,
    QUIET,
    RENDERED,
    RESULT,
    SECRET,
    Step,
    cached,
    turn,
)

NARRATOR = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS"
REFRESHED: Step = (
    SkeletonRefresh(),
    [SkeletonStored(app="alpha", section="overview", value_json=f'{{"x":"{SECRET}"}}')],
)
NUMBER = "483920175"
TRUE = turn(HI, call({"n": NUMBER}), draft=f"It is {NUMBER}.", reply=f"It is {NUMBER}.")
LOST = turn(HI, call({"n": NUMBER}), draft=f"It is {NUMBER}.", reply="It is.")

COUNTED = call({"rows": [{"n": 36_004_217}, {"n": -(2**53) - 1}]})
BOTH = "36_004_217 and -9007199254740993".replace("_", "")

BROKEN = [
    (
        f"{NARRATOR}/numbers-visible",
        "number of a result missing",
        [turn(HI, COUNTED, narrator=BOTH.replace("36004217", "36004200"))],
    ),
    (
        f"{NARRATOR}/numbers-visible",
        "number of a result missing",
        [turn(HI, COUNTED, narrator=BOTH.replace("993", "992"))],
    ),
    (f"{NARRATOR}/isolation", "an earlier turn's result in the narrator's prompt", [EARLIER, LEAK]),
    (
        f"{NARRATOR}/isolation",
        "another user's result in the narrator's prompt",
        [EARLIER, turn(NOW, narrator=f"{NOW} {SECRET.upper()}", user="u2")],
    ),
    (
        f"{NARRATOR}/isolation",
        "another session's result in the narrator's prompt",
        [EARLIER, turn(NOW, narrator=f"{NOW} {OTHER}", session="s2")],
    ),
    (f"{NARRATOR}/isolation", "a skeleton section in the narrator's prompt", [REFRESHED, LEAK]),
    (f"{NARRATOR}/isolation", "a stored document in the narrator's prompt", [KEPT, LEAK]),
    (f"{NARRATOR}/isolation", "a panel in the narrator's prompt", [RENDERED, LEAK]),
    (f"{NARRATOR}/isolation", "a cached value in the narrator's prompt", [*cached(SECRET), LEAK]),
    (
        f"{NARRATOR}/earlier-conversation-hidden",
        "an earlier message in the narrator's prompt",
        [EARLIER, turn(NOW, narrator=f"{NOW} {HI}")],
    ),
    (
        f"{NARRATOR}/this-turn-visible",
        "the data missing",
        [turn(HI, RESULT, narrator=f"{HI} {OTHER}")],
    ),
    (
        f"{NARRATOR}/this-turn-visible",
        "a summary missing",
        [turn(HI, RESULT, narrator=HI + SECRET)],
    ),
    (f"{NARRATOR}/this-turn-visible", "the user's message missing", [turn(HI, narrator="")]),
    (f"{NARRATOR}/guard", "invented number told", [turn(draft=f"See {NUMBER}.", reply=NUMBER)]),
    (
        f"{NARRATOR}/guard",
        "invented number told",
        [turn(draft=f"See {NUMBER}.", reply="See 483,920,175.")],
    ),
    (
        f"{NARRATOR}/guard",
        "invented identifier told",
        [turn(draft="See inv-5830174.", reply="INV-5830174?")],
    ),
    (
        f"{NARRATOR}/guard",
        "invented address told",
        [turn(draft="a.b@c.example", reply="a.b@c.example")],
    ),
    (f"{NARRATOR}/grounded-draft-survives", "true number lost", [LOST]),
]

CONFORMING = [
    (f"{NARRATOR}/numbers-visible", [turn(HI, COUNTED, narrator=BOTH)]),
    (
        f"{NARRATOR}/numbers-visible",
        [turn(HI, COUNTED, narrator="36,004,217 and -9 007 199 254 740 993")],
    ),
    (f"{NARRATOR}/isolation", [EARLIER, REFRESHED, KEPT, RENDERED, *cached(mark(9)), QUIET]),
    (f"{NARRATOR}/this-turn-visible", [turn(HI, RESULT, narrator=f"{HI}\n{OTHER}{SECRET}")]),
    (f"{NARRATOR}/guard", [turn(draft=f"See {NUMBER}.", reply="I cannot say.")]),
    (f"{NARRATOR}/grounded-draft-survives", [TRUE]),
]

UNJUDGED = [
    ("the reply told it", f"{NARRATOR}/isolation", [turn(HI, RESULT, reply=SECRET), LEAK]),
    ("this turn holds it", f"{NARRATOR}/isolation", [*cached(SECRET), turn(SECRET)]),
    ("an earlier turn holds it", f"{NARRATOR}/guard", [TRUE, turn(draft=NUMBER, reply=NUMBER)]),
]
