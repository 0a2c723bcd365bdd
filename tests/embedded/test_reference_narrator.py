"""The reference kernel's masking, and its narrator."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from fedcheck.fixtures.reference import ReferenceKernel
from fedcheck.invariants.vocabulary.scenario import (
    Environment,
    SkeletonRefresh,
    StoreSet,
)
from fedcheck.invariants.vocabulary.trace import (
    NarratorPrompt,
    Reply,
    prompt_text,
)

from .steps import call, turn

Play = Callable[..., Any]
FLAG = "IMPERAL_FACT_LEDGER_EXPOSE_PII"


def shown(play: Play, data: Any, flags: dict[str, str]) -> Any:
    """Return what the classifier sees of data under these flags."""
    player = play(Environment(flags=flags))
    player.do(turn(call(data)))
    return json.loads(player.payloads()[0])


@pytest.mark.parametrize("flags", [{}, *({FLAG: v} for v in ("", "0", "false", "1", "True"))])
def test_only_the_exact_flag_true_exposes(play: Play, flags: dict[str, str]) -> None:
    """Everything else masks."""
    assert {"from": "[email]"} == shown(play, {"from": "zora@example.com"}, flags)
    assert {"from": "zora@example.com"} == shown(play, {"from": "zora@example.com"}, {FLAG: "true"})


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("write to zora.quill@example.com today", "write to [email] today"),
        ("Иван@пример.рф", "[email]"),
        ("+1-415-555-0137", "[phone]"),
        ("ring (415) 555-0132!", "ring [phone]!"),
        ("2026-05-15 4155550132", "2026-05-15 [phone]"),
        ("电话4155550132", "电话[phone]"),
        ("ask Sarah Connor again", "ask [name] again"),
        ("Мария Петрова", "[name]"),
    ],
)
def test_personal_strings_are_masked_inside_longer_text(play: Play, text: str, masked: str) -> None:
    """E-mail addresses, phone numbers and names, in several scripts."""
    assert [{"deep": masked}] == shown(play, [{"deep": text}], {})


@pytest.mark.parametrize(
    "data",
    [
        {"ok": True, "none": None, "n": 999_999, "big": 4155550132, "x": 1.5, "word": "open"},
        "2026-05-15T17:21:04",
        "10.20.30.40",
        "3.14159265",
        "123e4567-e89b-12d3-a456-426614174000",
        "Q3 plan",
    ],
)
def test_masking_leaves_the_rest_alone(play: Play, data: Any) -> None:
    """Numbers, booleans, null, structure, short words and look-alikes stay."""
    assert data == shown(play, data, {})


def test_masked_keys_stay_apart(play: Play) -> None:
    """Two keys that mask to the same token are still two fields."""
    assert {"[email]": 1, "[email] 2": 2} == shown(
        play, {"a@example.com": 1, "b@example.com": 2}, {}
    )


@pytest.mark.parametrize("text", ["x" * 60_000, "1 " * 30_000, "A" * 60_000, "a.b@" * 15_000])
def test_masking_of_long_text_comes_to_an_end(play: Play, text: str) -> None:
    """No pattern needs more than one pass over the text."""
    assert isinstance(shown(play, text[:2900], {}), str)
    assert isinstance(ReferenceKernel().ledger.masking(text), str)


def test_narrator_sees_this_turn_alone(play: Play) -> None:
    """Summary, data and message of this turn; nothing of skeleton, facts, cache or store."""
    player = play()
    player.do(
        SkeletonRefresh(),
        StoreSet(key="k", value_json='"stored canary"'),
        turn(call({"old": "earlier canary"}), message="earlier words"),
    )
    prompt = player.one(
        NarratorPrompt, turn(call({"n": 36}, summary="36 tasks"), message="how many?")
    )
    text = prompt_text(prompt)

    assert all(part in text for part in ("how many?", "36 tasks", '{"n":36}'))
    assert not any(part in text for part in ("canary", "earlier", "FACTS", "SKELETON"))


@pytest.mark.parametrize("claim", ["123456789", "rec-9f8e7d6c", "zora@example.com"])
def test_guard_replaces_what_nobody_said(play: Play, claim: str) -> None:
    """A claim reaches the user only if data, summary or message hold it."""
    draft = f"It is {claim}, as asked."
    ungrounded = play().one(Reply, turn(call({"n": 1}), draft=draft))
    grounded = play().one(Reply, turn(call({"in": [claim]}), draft=draft))

    assert claim not in ungrounded.text
    assert draft == grounded.text
