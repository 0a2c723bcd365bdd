"""C-LEDGER-DIGEST-FIELDS: one ToolCallDigest per successful call, with owner and facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...readings.facts import read_facts
from ...readings.given import GivenTurn, told_digests
from ...readings.likeness import PARTITIONS, likenesses
from ...readings.sizes import read_sizes
from ...scenarios.facts import call, fact_scenario, turn
from ...scenarios.ledger import hostile_conversations
from ...scenarios.lookalike_apps import ALIKE, alike_environment
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.json_values import parse
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, Scenario
from ...vocabulary.sources import context_channels, fact_ledger
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace import Digest
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_Owner = tuple[str, str]


def _one_per_call(view: TraceView) -> Iterator[Finding]:
    sizes = view.reading(read_sizes)
    for turn_ in view.reading(read_facts).turns:
        due, digests = len(turn_.successful), turn_.step.all(Digest)
        if not due or not (sizes.surely_fits(turn_) or len(digests) > due):
            continue
        yield Compared(("several calls in a turn",) if due > 1 else ("one call in a turn",))
        if len(digests) != due:
            yield Violation(
                kind="more digests than calls"
                if len(digests) > due
                else "fewer digests than calls",
                step=turn_.step.index,
                expected=f"{counted(due, 'digest')}, one for each successful call",
                got=told_digests(digests),
            )


def _none_without_success(view: TraceView) -> Iterator[Finding]:
    for turn_ in view.reading(read_facts).turns:
        due = {(given.call.app, given.call.function) for given in turn_.successful}
        failed = [g for g in turn_.calls if (g.call.app, g.call.function) not in due]
        if not failed and turn_.calls:
            continue
        yield Compared(("a failed call",) if failed else ("a turn without calls",))
        digests = turn_.step.all(Digest)
        owners = {(g.call.app, g.call.function) for g in failed}
        if any((digest.app_id, digest.fn_name) in owners for digest in digests) or (
            digests and not due
        ):
            yield Violation(
                kind="digest without a successful call",
                step=turn_.step.index,
                expected="digests of successful calls only",
                got=told_digests(digests),
            )


def _owner_fields(view: TraceView) -> Iterator[Finding]:
    """Owners are compared as a bag: digests may come in any order."""
    for turn_ in view.reading(read_facts).turns:
        digests = turn_.step.all(Digest)
        if not digests or len(digests) != len(turn_.successful):
            continue
        owners = Counter((g.call.app, g.call.function) for g in turn_.successful)
        got = Counter((digest.app_id, digest.fn_name) for digest in digests)
        two = ("two extensions in a turn",) if len(_apps(turn_)) > 1 else ()
        yield Compared((*two, *likenesses(view, _apps(turn_))))
        wrong = got - owners
        if wrong:
            yield Violation(
                kind=_wrong_field(owners - got, wrong),
                step=turn_.step.index,
                expected="; ".join(f"app_id={app} fn_name={fn}" for app, fn in owners - got),
                got="; ".join(f"app_id={app} fn_name={fn}" for app, fn in wrong),
            )


def _apps(turn_: GivenTurn) -> set[str]:
    return {given.call.app for given in turn_.successful}


def _wrong_field(expected: Counter[_Owner], got: Counter[_Owner]) -> str:
    same_apps = Counter(app for app, _ in expected.elements()) == Counter(
        app for app, _ in got.elements()
    )
    return "another fn_name" if same_apps else "another app_id"


def _facts_are_json(view: TraceView) -> Iterator[Finding]:
    """Masked or not, in a turn that fits the field is a whole JSON text."""
    sizes = view.reading(read_sizes)
    for turn_ in view.reading(read_facts).turns:
        if not turn_.successful or not sizes.surely_fits(turn_):
            continue
        for digest in turn_.step.all(Digest):
            yield Compared(("a digest in a turn that fits",))
            if not _is_json(digest.data_facts_json):
                yield Violation(
                    kind="data_facts_json is no JSON",
                    step=turn_.step.index,
                    expected=f"JSON text of the data of {digest.app_id}.{digest.fn_name}",
                    got=shorten(digest.data_facts_json),
                )


def _is_json(text: str) -> bool:
    """Whether it is JSON; what is nested beyond what we can read may be."""
    try:
        parse(text)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield fact_scenario(
        "digest-fields",
        "successful and failed calls of three extensions; a call made twice",
        turn("one", call({"n": 1}), call({"n": 1}), call("text", app=APPS[1])),
        turn(
            "two",
            call({"n": 2}, function=FUNCTIONS[1]),
            call({"n": 3}, app=APPS[2], function=FUNCTIONS[2], status="error"),
        ),
        turn("three", call({"n": 4}, app=APPS[1], status="error")),
        turn("four"),
        turn("five", call(None, app=APPS[2]), call([], app=APPS[1]), call({"a": {"b": [1]}})),
    )
    yield fact_scenario(
        "digest-fields-alike",
        "calls of extensions that are alike",
        turn("one", *(call({"n": n}, app=app) for n, app in enumerate(ALIKE))),
        *(turn(f"ask {app}", call({"n": 9}, app=app)) for app in ALIKE),
        environment=alike_environment(),
    )


INVARIANT = Invariant(
    id="C-LEDGER-DIGEST-FIELDS",
    title="One digest per successful call",
    statement=(
        "After every successful tool call the kernel writes one ToolCallDigest for the turn: "
        "app_id, fn_name, and data_facts_json, which is JSON text. Failed calls have none."
    ),
    sources=(fact_ledger("What it stores"), context_channels("What each layer sees")),
    capabilities=frozenset({"fact_ledger", "digest"}),
    reading=(
        "Order and time inside the turn are free. The producer may truncate, so digests may be "
        "missing or cut in a turn that may exceed the cap; they may be masked or raw."
    ),
    clauses=(
        Clause(
            name="one-per-call",
            sentence="A turn has as many digests as it has successful calls.",
            judge=_one_per_call,
            partitions=(
                Partition("one call in a turn", "a single successful call"),
                Partition("several calls in a turn", "two or more successful calls"),
            ),
        ),
        Clause(
            name="none-without-success",
            sentence="No digest is written for a failed call, or in a turn without calls.",
            judge=_none_without_success,
            partitions=(
                Partition("a failed call", "of a function that did not also succeed"),
                Partition("a turn without calls", "plain talk"),
            ),
        ),
        Clause(
            name="owner-fields",
            sentence="app_id and fn_name are the extension and the function that ran.",
            judge=_owner_fields,
            partitions=(
                Partition("two extensions in a turn", "the turn's extensions differ"),
                *PARTITIONS,
            ),
        ),
        Clause(
            name="facts-are-json",
            sentence="data_facts_json is a whole JSON text where the turn fits the cap.",
            judge=_facts_are_json,
            partitions=(Partition("a digest in a turn that fits", "nothing has to be cut"),),
        ),
    ),
    scenarios=_scenarios,
    strategy=hostile_conversations,
)
