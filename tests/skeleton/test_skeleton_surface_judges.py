"""The judges of the skeleton's surface, on prompts written by hand."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from fedcheck.invariants.readings.ages import age_in
from fedcheck.invariants.scenarios.skeleton import (
    disable,
    environment,
    refresh,
    say,
    section,
    value,
    wait,
    word,
)
from fedcheck.invariants.vocabulary.scenario import APPS, Probe
from fedcheck.invariants.vocabulary.trace import (
    AnyEvent,
    Given,
    KernelDescription,
    ProbeOutcome,
    SkeletonStored,
    Trace,
)
from fedcheck.invariants.vocabulary.trace_view import TraceView

from .stage import NOTE, compared, kinds, line, one, played

STALENESS = "I-SKELETON-STALENESS-ENVELOPE"
DERIVED = "I-SKEL-AUTO-DERIVE-1"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("cached ~145s ago", 145),
        ("(2m25s)", 145),
        ("1h02m", 3720),
        ("2 minutes 25 seconds old", 145),
        ("ttl 300s, cached 12s ago", 12),
        ("1d2h", 93_600),
        ("PT2M25S", 145),
        ("P1DT2H", 93_600),
        ("CACHED 145 S AGO", 145),
        ("2 minutes and 25 seconds old", 145),
        ("2:25 ago", 145),
        ("age=1:02:25", 3745),
        ("сохранено 2 мин 25 с назад", 145),
        ("145000 ms", 145),
        ('"age_seconds": 145', 145),
        ("age (s): 145", 145),
        ('age="145"', 145),
        ("cached_seconds_ago=145", 145),
        ("cached at 2026-05-15T17:21:04Z", None),
        ("page: 3", None),
        ("v3", None),
        ("", None),
    ],
)
def test_ages_are_read_in_every_format(text: str, seconds: float | None) -> None:
    """The formats of the documents, and a few more."""
    assert seconds == age_in(text)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (NOTE, set()),
        ("[SKELETON] -- AUTHORITATIVE for presence, STALE for numbers", set()),
        ("[SKELETON]\nВсе разделы ниже сохранены ранее и могли измениться", set()),
        ("It is a cached snapshot.\n[SKELETON]", set()),
        ("[SKELETON]", {"no statement before the first section"}),
        ("[SKELETON]\nSections:", {"no statement before the first section"}),
        ("Decide which tools answer the message of this user.\n\n[SKELETON]",
         {"no statement before the first section"}),
    ],
)  # fmt: skip
def test_a_statement_must_stand_above_the_first_section(head: str, expected: set[str]) -> None:
    """Any wording passes; a bare header does not."""
    view = one(f"{head}\n\n{line('alpha')}\nNOTE: a cached snapshot")

    assert expected == kinds(view, f"{STALENESS}/staleness-stated")


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (line("alpha"), set()),
        (f"## alpha (cached 3s ago)\nmark={word('alpha', 0)}", set()),
        (f"- alpha: mark={word('alpha', 0)} (0s old)", set()),
        (line("alpha", age=""), {"section without age"}),
        (f"{line('beta')}\n{line('alpha', age='')}", {"section without age"}),
        (f"{line('alpha', age='')}\n{line('beta')}", {"section without age"}),
    ],
)
def test_each_section_needs_an_age_of_its_own(block: str, expected: set[str]) -> None:
    """A neighbour's age is none."""
    assert expected == kinds(one(f"{NOTE}\n\n{block}"), f"{STALENESS}/age-shown")


@pytest.mark.parametrize(
    ("age", "expected"),
    [("100s", set()), ("1m45s", set()), ("91s", set()),
     ("80s", {"too young"}), ("0s", {"too young"}), ("130s", {"too old"})],
)  # fmt: skip
def test_the_age_is_that_of_the_value(age: str, expected: set[str]) -> None:
    """To ten percent."""
    later = f"{NOTE}\n{line('alpha', 0, f' (cached ~{age} ago)')}"
    view = played(refresh(), (say(), f"{NOTE}\n{line('alpha')}"), wait(100), (say(), later))

    assert expected == kinds(view, f"{STALENESS}/age-accurate")


def test_an_age_is_young_when_the_value_is_another_one() -> None:
    """A kernel may refresh more often than it was asked to."""
    later = f"{NOTE}\n{line('alpha', 1)}"
    view = played(refresh(), (say(), f"{NOTE}\n{line('alpha')}"), wait(100), (say(), later))

    assert set() == kinds(view, f"{STALENESS}/age-accurate")


def test_every_stored_section_is_owed() -> None:
    """What was refreshed, and what was shown once."""
    view = played(
        refresh(), refresh("beta"), (say(), line("alpha")), (say(), line("gamma")), (say(), "")
    )

    expected = {"never shown", "no longer shown"}
    assert expected == kinds(view, "C-SKELETON-EVERY-TURN/all-sections-shown")


@pytest.mark.parametrize(("count", "expected"), [(0, {"value of an earlier refresh"}), (1, set())])
def test_the_newest_value_is_owed(count: int, expected: set[str]) -> None:
    """From the next turn on."""
    view = played(refresh(), (say(), line("alpha")), refresh(), (say(), line("alpha", count)))

    assert expected == kinds(view, "C-SKELETON-EVERY-TURN/newest-value-shown")


def test_sections_are_compressed() -> None:
    """Seven fields, a list of six objects and 5,000 characters are too much."""
    text, rows = "x" * 5000, [{"id": n, "t": word("r", n)} for n in range(6)]
    seven = {f"k{n}": word("k", n) for n in range(7)}
    where = environment(alpha=section([seven]), beta=section([value("beta", 0, text=text, r=rows)]))
    shown = ", ".join(f"{k}={v}" for k, v in seven.items())
    beta = f"{line('beta')}, text={text}, r={[row['t'] for row in rows]}"
    view = played(refresh(), refresh("beta"), (say(), f"- a: {shown}\n{beta}"), where=where)

    assert {"too many fields"} == kinds(view, "C-SKELETON-COMPRESSION/at-most-six-fields")
    assert {"list inlined"} == kinds(view, "C-SKELETON-COMPRESSION/long-lists-collapsed")
    assert {"long string whole, a field"} == kinds(view, "C-SKELETON-COMPRESSION/long-strings-cut")
    assert set() == kinds(view, "C-SKELETON-COMPRESSION/first-six-fields-kept")


def test_the_first_fields_are_owed() -> None:
    """The last six of seven are not the first six."""
    seven = {f"k{n}": word("k", n) for n in range(7)}
    shown = ", ".join(f"{k}={v}" for k, v in list(seven.items())[1:])
    view = one(f"- a: {shown}", where=environment(alpha=section([seven])))

    expected = {"one of the first fields missing"}
    assert expected == kinds(view, "C-SKELETON-COMPRESSION/first-six-fields-kept")
    assert set() == kinds(view, "C-SKELETON-COMPRESSION/at-most-six-fields")


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (f", {word('rows')}=list[7]", set()),
        (f", {word('rows')}: [...]", set()),
        (", a list of 7", set()),
        (", objects with title", set()),
        ("", {"list left no hint"}),
        (f", {word('rows')}=[]", {"list told to be empty"}),
        (f", {word('rows')}: list[0], x=1", {"list told to be empty"}),
    ],
)
def test_a_collapsed_list_leaves_a_hint(hint: str, expected: set[str]) -> None:
    """Its name, its length or what its items have; but never that there are none."""
    rows = [{"title": word("row", n)} for n in range(7)]
    where = environment(alpha=section([value("alpha", 0, **{word("rows"): rows})]))
    view = one(f"{NOTE}\n{line('alpha', more=hint)}", where=where)

    assert expected == kinds(view, "C-SKELETON-COMPRESSION/shape-hinted")
    assert compared(view, "C-SKELETON-COMPRESSION/shape-hinted")


@pytest.mark.parametrize(
    ("count", "expected"), [(0, {"not refreshed in its period"}), (1, set()), (7, set())]
)
def test_another_value_is_owed_after_the_period(count: int, expected: set[str]) -> None:
    """300 seconds, with some grace."""
    view = played(
        refresh(), (say(), line("alpha")), wait(200), wait(150), (say(), line("alpha", count))
    )

    assert expected == kinds(view, "C-SKELETON-REFRESH/every-ttl")


def test_the_grace_period_is_not_judged() -> None:
    """310 seconds after the last refresh nobody can tell."""
    view = played(refresh(), (say(), line("alpha")), wait(310), (say(), line("alpha")))

    assert not compared(view, "C-SKELETON-REFRESH/every-ttl")


@pytest.mark.parametrize("declared", [True, False])
def test_sections_appear_unasked(declared: bool) -> None:
    """A declared one is the business of one invariant, a derived one of another."""
    where = environment(beta=section([value("beta", n) for n in range(3)], declared=declared),
                        gamma=section([{"n": 1}]))  # fmt: skip
    view = played(refresh(), (say(), line("alpha")), wait(400), (say(), line("alpha", 1)),
                  where=where)  # fmt: skip

    blamed, spared = "C-SKELETON-REFRESH/first-refresh-unasked", f"{DERIVED}/appears-unasked"
    if not declared:
        blamed, spared = spared, blamed
    assert {"never refreshed"} == kinds(view, blamed)
    assert not compared(view, spared)


def test_removed_sections_are_gone_and_others_stay() -> None:
    """The wrong one of two was removed."""
    both = f"{line('alpha')}\n{line('beta')}"
    view = played(refresh(), refresh("beta"), (say(), both), disable(), (say(), line("alpha")))

    assert {"shown after removal"} == kinds(view, "C-SKELETON-REMOVAL/gone")
    assert {"section of another extension gone"} == kinds(view, "C-SKELETON-REMOVAL/others-stay")
    assert set() == kinds(view, "C-SKELETON-EVERY-TURN/all-sections-shown")


@pytest.mark.parametrize(
    ("alerts", "raised", "unchanged", "unasked"),
    [
        ([(3, "alpha")], set(), set(), set()),
        ([(0, "alpha"), (6, "alpha")], set(), set(), set()),
        ([(0, "alpha")], {"no alert"}, set(), set()),
        ([(3, "alpha"), (4, "beta")], set(), {"alert without change"}, set()),
        ([(3, "alpha"), (5, "gamma")], set(), set(), {"alert that nobody asked for"}),
    ],
)
def test_alerts(
    alerts: list[tuple[int, str]], raised: set[str], unchanged: set[str], unasked: set[str]
) -> None:
    """Alpha changes and asked, beta asked, gamma changes."""
    where = environment(
        alpha=section([{"n": n} for n in range(20)], alert=True),
        beta=section([{"n": 1}] * 20, alert=True),
        gamma=section([{"n": n} for n in range(20)]),
    )
    steps = [refresh(app) for _ in range(2) for app in ("alpha", "beta", "gamma")]
    view = played(*steps, (say(), ""), where=where, alerts=alerts)

    assert raised == kinds(view, "C-SKELETON-ALERT/raised-on-change")
    assert unchanged == kinds(view, "C-SKELETON-ALERT/silent-without-change")
    assert unasked == kinds(view, "C-SKELETON-ALERT/silent-unless-asked")


@pytest.mark.parametrize(
    ("steps", "expected"), [([1], set()), ([1, 2], {"alert without change"}), ([0, 1], set())]
)
def test_a_value_that_stays_after_a_change(steps: list[int], expected: set[str]) -> None:
    """It alerts once; whether the first value alerts is open."""
    where = environment(alpha=section([{"n": 0}, *[{"n": 1}] * 9], alert=True))
    view = played(*[refresh()] * 4, (say(), ""), where=where, alerts=[(n, "alpha") for n in steps])

    assert expected == kinds(view, "C-SKELETON-ALERT/silent-without-change")
    assert compared(view, "C-SKELETON-ALERT/silent-without-change")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("rows=[{0} (#0), {1} (#1)]", set[str]()),
        ('"rows": [{{"id": 0, "title": "{0}"}}, {{"title": "{1}"}}]', set()),
        ("rows=[{0} (#0), ...]", {"items of a short list not named"}),
        ("rows=list[2]", {"items of a short list not named"}),
    ],
)
@pytest.mark.parametrize(
    ("more", "judged"), [({}, True), ({"log": "so far so good " * 200}, False)]
)
def test_items_of_a_short_list(
    shown: str, expected: set[str], more: dict[str, str], *, judged: bool
) -> None:
    """Each is named, in whatever form, unless the section is larger than is useful."""
    names = [word("item", 0), word("item", 1)]
    rows = [{"id": n, "title": name} for n, name in enumerate(names)]
    where = environment(alpha=section([{"mark": word("mark"), "rows": rows, **more}]))
    text = f"{NOTE}\n- overview (cached ~0s ago): mark={word('mark')}, {shown.format(*names)}"
    view = one(text, where=where)

    assert (expected if judged else set()) == kinds(
        view, "C-SKELETON-COMPRESSION/short-lists-named"
    )
    assert judged == compared(view, "C-SKELETON-COMPRESSION/short-lists-named")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("first", "second"), set[str]()),
        (("* alpha: first.", "second, third"), set()),
        (("second", "third"), set()),
        (("changed", "second"), {"alert in other words"}),
        (("first", "first"), {"alert of an earlier change"}),
        (("second", "first"), {"alert of an earlier change"}),
    ],
)
def test_what_an_alert_says(said: tuple[str, str], expected: set[str]) -> None:
    """Words around those of the tool are free, and so is a run that raised no alert."""
    texts = ("first", "second", "third", "fourth")
    held = [{"n": n} for n in range(9)]
    where = environment(alpha=section(held, alert=True, alert_says=texts))
    alerts = [(step, "alpha", text) for step, text in zip((1, 2), said, strict=True)]
    view = played(*[refresh()] * 3, (say(), ""), where=where, alerts=alerts)

    assert expected == kinds(view, "C-SKELETON-ALERT/tool-speaks")
    assert compared(view, "C-SKELETON-ALERT/tool-speaks")


@pytest.mark.parametrize(
    ("alerts", "expected", "judged"),
    [
        ([(3, "beta")], set[str](), True),
        ([(2, "alpha"), (3, "beta")], {"alert without its tool"}, True),
        ([(2, "alpha")], {"alert without its tool"}, True),
        ([], set(), False),
    ],
)
def test_a_section_without_an_alert_tool(
    alerts: list[tuple[int, str]], expected: set[str], *, judged: bool
) -> None:
    """It is silent where others are heard, and owes no alert."""
    held = [{"n": n} for n in range(9)]
    where = environment(
        alpha=section(held, alert=True, alert_says=None), beta=section(held, alert=True)
    )
    steps = [refresh(app) for _ in range(2) for app in ("alpha", "beta")]
    view = played(*steps, (say(), ""), where=where, alerts=alerts)

    assert expected == kinds(view, "C-SKELETON-ALERT/silent-without-tool")
    assert judged == compared(view, "C-SKELETON-ALERT/silent-without-tool")
    late = {"no alert"} if not alerts or alerts[-1][1] == "alpha" else set[str]()
    assert late == kinds(view, "C-SKELETON-ALERT/raised-on-change")


@pytest.mark.parametrize(
    ("shown", "expected"), [("=0", set[str]()), (None, {"one of the first fields missing"})]
)
def test_a_field_that_says_that_there_is_nothing(shown: str | None, expected: set[str]) -> None:
    """It is one of the first six like any other."""
    name = word("unread")
    where = environment(alpha=section([{"a": word("a"), "b": word("b"), name: 0}]))
    field = "" if shown is None else f", {name}{shown}"
    view = one(
        f"{NOTE}\n- overview (cached ~0s ago): a={word('a')}, b={word('b')}{field}", where=where
    )

    assert expected == kinds(view, "C-SKELETON-COMPRESSION/first-six-fields-kept")


def test_sections_that_were_there_from_the_first_turn_appeared_unasked() -> None:
    """A kernel may refresh a new user's sections at once."""
    every = "\n".join(line(app) for app in APPS)
    view = played((say(), every), wait(400), (say(), every))

    clause = "C-SKELETON-REFRESH/first-refresh-unasked"
    assert (True, set()) == (compared(view, clause), kinds(view, clause))


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (f"{line('alpha')}\n{line('beta')}", set()),
        (f"{line('alpha')}\n{line('alpha')}\n{line('beta')}\n{line('beta')}", set()),
        (f"{line('alpha')}\n{line('beta', more=', ' + word('alpha', 0))}",
         {"value in two sections", "value under another extension"}),
        (line("beta").replace("beta", "gamma") + f"\n{line('alpha')}",
         {"value under another extension"}),
    ],
)  # fmt: skip
def test_extensions_do_not_share_values(block: str, expected: set[str]) -> None:
    """Each value stands in its own section, even if the kernel writes its block twice."""
    view = played(refresh(), refresh("beta"), (say(), block))

    assert expected == kinds(view, "C-SKELETON-ISOLATION/per-extension")


@pytest.mark.parametrize(
    ("got", "expected"),
    [(0, set()), (1, {"another user's section read"}), (None, set())],
)
def test_a_skeleton_handler_reads_its_own_users_section(
    got: int | None, expected: set[str]
) -> None:
    """The other user's section was refreshed once more; his value is not this user's."""
    whose = {"user": "u2", "session": "u2-s", "handler": "skeleton"}
    runs = Probe(op="get", path="user.imperal_id", **whose)
    reads = Probe(op="call", path="skeleton.get", args_json='["overview"]', **whose)
    stored = [("u1", 0), ("u1", 1), ("u2", 0)]
    steps = [*(refresh(user=user) for user, _ in stored), runs, reads]
    outcomes = [ProbeOutcome(outcome="value", value_json='"u2"'), ProbeOutcome(outcome="absent")]
    if got is not None:
        outcomes[1] = ProbeOutcome(outcome="value", value_json=json.dumps(value("alpha", got)))
    events: list[AnyEvent] = []
    answers = [
        *(SkeletonStored(app="alpha", section="overview", value_json=json.dumps(value("alpha", n)))
          for _, n in stored),
        *outcomes,
    ]  # fmt: skip
    for index, (step, answer) in enumerate(zip(steps, answers, strict=True)):
        who = {"step": index, "user": step.user, "session": step.session}
        events += [Given(**who, stimulus=step), replace(answer, **who)]
    kernel = KernelDescription(kernel="hand", version="1")
    view = TraceView(Trace(events=tuple(events), kernel=kernel, environment=environment()))

    assert expected == kinds(view, "C-SKELETON-ISOLATION/read-per-user")
    assert compared(view, "C-SKELETON-ISOLATION/read-per-user")
