"""I-FACT-LEDGER-PER-TURN-AGG-CAP on kernels that break it in one way each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fedcheck.invariants.scenarios.facts import CALIBRATION, CLOSING, EXPOSED, call, turn
from fedcheck.invariants.scenarios.payloads import rows
from fedcheck.invariants.vocabulary.parameters import Parameters
from fedcheck.invariants.vocabulary.scenario import Environment, Turn
from fedcheck.invariants.vocabulary.trace import ClassifierPrompt

from .talk import Prompt, Talk, conversation, judged, play, told

LARGE = {"text": "x" * 3500}
LARGER = {"text": "x" * 3600}
SMALL = {"n": 1, "word": "open"}
RECORDS = rows(200)


class Silent(Talk):
    """Cuts without a marker."""

    def marker(self) -> str:
        return ""


class Unbounded(Talk):
    """Has no cap."""

    cap = 10**9


class UnboundedAndInexact(Unbounded):
    """Has no cap, and writes booleans as numbers."""

    def write(self, value: Any) -> str:
        return json.dumps(value).replace("true", "1").replace("false", "0")


class LooseByOne(Talk):
    """Its cap is one character too large."""

    cap = 3001


class TightCap(Talk):
    """Its cap is 100 characters too small."""

    cap = 2900


class InBytes(Talk):
    """Counts bytes instead of characters."""

    def write(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def fitted(self, payloads: list[str]) -> list[str]:
        total = len("".join(payloads).encode())
        return payloads if total <= self.cap else [self.cut(x, 1500) for x in payloads]


class Tail(Talk):
    """Keeps the end of what it cuts."""

    def cut(self, payload: str, room: int) -> str:
        return f"{self.marker()}{payload[-room:]}"


class HeadAndTail(Talk):
    """Leaves out the middle."""

    def cut(self, payload: str, room: int) -> str:
        return f"{payload[: room // 2]}{self.marker()}{payload[-room // 2 :]}"


class LastRecords(Talk):
    """Keeps the last records of a list, as proper JSON."""

    def cut(self, payload: str, room: int) -> str:
        value = json.loads(payload)
        return json.dumps({**value, "items": value["items"][-room // 60 :]})


class Note(Talk):
    """Puts a short note in place of what is too large."""

    def cut(self, payload: str, room: int) -> str:
        return json.dumps({"note": f"{len(payload)} of {room} characters"})


class AllDropped(Talk):
    """Drops all facts of a turn that is too large, and says so."""

    def lines(self, step: Turn) -> list[str]:
        return ["[warning: facts dropped]"] if self.overflows(step) else super().lines(step)


class OldestFirst(Talk):
    """Keeps the oldest calls whole."""

    def fitted(self, payloads: list[str]) -> list[str]:
        return super().fitted(payloads[::-1])[::-1]


class NewestAsNote(Talk):
    """Puts a note in place of the newest call of a turn that is too large."""

    def fitted(self, payloads: list[str]) -> list[str]:
        too_large = sum(map(len, payloads)) > self.cap
        return [*payloads[:-1], '{"truncated": true}'] if too_large else payloads


class OverAllTurns(Talk):
    """Its cap holds for all turns together."""

    def prompt(self, step: Turn) -> Prompt:
        self.cap = max(Talk.cap - 40 * len(self.recent(step)), 0)
        return super().prompt(step)


WITHIN, INTACT, MARKED = "within-cap", "fits-intact", "overflow-marked"
LEADING, NEWEST = "leading-part", "newest-most-complete"


@pytest.mark.parametrize(
    ("kernel", "data", "expected"),
    [
        (Talk, [LARGE], {}),
        (Silent, [LARGE], {MARKED: {"cut without a marker"}}),
        (Silent, [{"text": "я" * 2000}], {MARKED: {"cut without a marker"}}),
        (Silent, [SMALL, {"text": "x" * 2980}], {MARKED: {"cut without a marker"}}),
        (Unbounded, [LARGE], {WITHIN: {"more facts than the cap"}}),
        (Unbounded, [LARGE, SMALL], {WITHIN: {"more facts than the cap"}}),
        (UnboundedAndInexact, [RECORDS], {WITHIN: {"more facts than the cap"}}),
        (LooseByOne, [LARGE], {WITHIN: {"more facts than the cap"}}),
        (TightCap, [{"text": "x" * 2900}], {INTACT: {"cut though the turn fits"}}),
        (InBytes, [{"text": "я" * 2000}], {INTACT: {"cut though the turn fits"}}),
        (OverAllTurns, [{"text": "x" * 2920}], {INTACT: {"cut though the turn fits"}}),
        (Tail, [LARGE], {LEADING: {"not a leading part"}}),
        (HeadAndTail, [LARGE], {LEADING: {"not a leading part"}}),
        (LastRecords, [RECORDS], {LEADING: {"not a leading part"}}),
        (Note, [LARGE], {LEADING: {"nothing left"}}),
        (AllDropped, [LARGE], {LEADING: {"nothing left"}}),
        (AllDropped, [LARGE, LARGE], {LEADING: {"nothing left"}}),
        (OldestFirst, [LARGER, LARGE], {NEWEST: {"newest call cut before an older one"}}),
        (NewestAsNote, [SMALL, LARGE], {NEWEST: {"newest call cut before an older one"}}),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_each_breach_is_seen_and_named(
    kernel: type[Talk], data: list[Any], expected: dict[str, set[str]]
) -> None:
    """One broken rule trips its own clause, with its own kind of difference."""
    findings = conversation(kernel, turn("go", *(call(each) for each in data)))

    assert expected == {name: findings.kinds[name] for name in expected}
    assert set() == findings.broken.keys() - expected.keys() - {"payload-is-data"}


def test_a_cut_in_the_middle_of_an_escape_is_no_marker() -> None:
    """Half an escape behind a leading part says nothing to the reader."""
    letters = {"t": "я" * 600}
    for cap in range(3000, 2990, -1):
        kernel = type("Short", (Silent,), {"cap": cap})

        findings = conversation(kernel, turn("go", call(letters)))

        assert {"cut without a marker"} == findings.kinds[MARKED]


@pytest.mark.parametrize(
    ("size", "cut_at", "is_broken"),
    [(2999, 2990, False), (3000, 2990, False), (2999, 2900, False), (2920, 2900, True)],
)
def test_what_may_count_the_prefix_is_not_judged_between_the_readings(
    size: int, cut_at: int, is_broken: bool
) -> None:
    """Nobody says whether `FACTS: app=… fn=… data=` counts; only what fits both ways must fit."""
    data = {"t": "x" * (size - len('{"t": ""}'))}
    kernel = type("Cutting", (Talk,), {"cap": cut_at})

    assert is_broken == bool(conversation(kernel, turn("go", call(data))).broken)


def test_a_kernel_that_says_what_its_cap_counts_is_judged_to_the_character() -> None:
    """With `cap_counts` declared, 3,000 characters of payload must fit."""
    exact = {"t": "x" * (3000 - len('{"t": ""}'))}
    short = {"cap": 2999, "parameters": Parameters(cap_counts="data")}
    declared = type("Declared", (Talk,), short)

    findings = conversation(declared, turn("go", call(exact)))

    assert {INTACT: {"cut though the turn fits"}} == findings.broken


def test_the_first_payload_tells_how_long_the_others_are() -> None:
    """2,000 Cyrillic letters are cut fairly by a kernel that escapes them."""
    letters = turn("go", call({"text": "я" * 2000}))

    assert {} == conversation(Talk, letters).broken


def test_without_a_calibration_turn_what_is_ambiguous_is_not_judged() -> None:
    """Whether 2,000 letters fit depends on the writing, which nothing has shown yet."""
    letters = turn("go", call({"text": "я" * 2000}))
    findings = judged(play(InBytes, letters, CLOSING))

    assert {} == findings.broken
    assert 0 == findings.compared[INTACT]


def test_a_second_prompt_of_a_turn_need_not_show_the_oldest_exchange() -> None:
    """A retry may count the current exchange in the window; the large oldest one is then gone."""
    calls = [turn("large", call(LARGE)), *(turn(f"t{n}", call({"n": n})) for n in range(4))]
    talk = Talk(EXPOSED.flags)
    events = [(step, talk.turn(step)) for step in (CALIBRATION, *calls)]
    last = turn("last", call(SMALL))
    again = "\n".join(["[HISTORY]", *map(talk.block, [*calls[1:], last])])
    events.append((last, [*talk.turn(last), ClassifierPrompt(prompt=again)]))

    assert {} == judged(told(*events)).broken


def test_masked_facts_are_bounded_as_well() -> None:
    """The cap holds whatever the flag says."""
    findings = conversation(Unbounded, turn("go", call(LARGE)), environment=Environment())

    assert {"more facts than the cap"} == findings.kinds[WITHIN]


def test_a_fact_that_is_gone_with_its_line_counts_as_nothing_shown() -> None:
    """The newest call of a turn may not vanish while an older one stays."""

    class NewestGone(Talk):
        def lines(self, step: Turn) -> list[str]:
            lines = super().lines(step)
            return [*lines[:-1], "[warning: cut]"] if self.overflows(step) else lines

        def fitted(self, payloads: list[str]) -> list[str]:
            return [text[: self.cap] for text in payloads]

    findings = conversation(NewestGone, turn("go", call(SMALL), call(LARGE)))

    assert {NEWEST: {"newest call cut before an older one"}} == findings.broken
