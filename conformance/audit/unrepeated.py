"""What a second run cannot do again from a record, row by row, and what stands in for it.

A run by the clock, the scenarios of a folder and the counterexamples of waivers are not in a
record. The failures that they found are: each with its scenario, which can be replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...invariants.catalog import catalog, clauses
from ...invariants.rows import aspects, rows
from ...reports.record.model import Counterexample, Header, RunRecord
from ...reports.wording.clause_text import short
from ..counterexamples.documents import of_record
from ..counterexamples.replay import Outcome, Replayed, replay
from ..driving.plan import plan_run
from ..settings.options import RunOptions

_VERDICTS = {Outcome.STILL_FAILS: "fail", Outcome.FLAKY: "flaky"}


class Unrepeated(NamedTuple):
    """What a second run left out.

    Attributes:
        shown: clause → the verdict that the replay of its recorded failures comes to.
        notes: what was not repeated and why, one line each.
    """

    shown: dict[str, str]
    notes: list[str]


def unrepeated(recorded: RunRecord, again: RunRecord, options: RunOptions) -> Unrepeated:
    """Replay the failures that a second run cannot find, and name the rows that saw less.

    Args:
        recorded: the first run.
        again: the second one.
        options: of the second one; they name the kernel.

    Raises:
        KernelError: the kernel cannot be reached once more.
    """
    named = _settings_of(recorded.header)
    notes = list(_general(named))
    if named & {"time", "scenarios"}:
        notes += _shorter(recorded, again)
    rows = list(_causes(recorded, named))
    shown: dict[str, str] = {}
    for example, why, replayed in _replayed(recorded, rows, options):
        verdict = _VERDICTS.get(replayed.outcome, "")
        if replayed.violation is not None and replayed.violation.kind == example.kind:
            shown.setdefault(example.clause, verdict)
        notes.append(
            f"{short(example.clause)} ({short(example.kind)}): {why}, which is not repeated; "
            f"its recorded scenario was replayed instead: {short(replayed.reason)}"
        )
    return Unrepeated(shown, notes)


def _settings_of(header: Header) -> set[str]:
    """Return the names of what a run was told, by its configuration or its command line."""
    named = {name for name, setting in header.configuration.items() if setting.value}
    return named | {x.partition("=")[0][2:] for x in header.arguments if x.startswith("--")}


def _general(named: set[str]) -> Iterator[str]:
    if "time" in named:
        yield "the recorded run ended by the clock; this one explores a fixed number of scenarios"
    if "scenarios" in named:
        yield "the recorded run also ran the scenarios of a folder, which the record does not hold"


def _shorter(recorded: RunRecord, again: RunRecord) -> Iterator[str]:
    now = {result.clause: result.scenarios for result in again.clauses}
    less = [
        f"{short(x.clause)} ({now[x.clause]:,} of {x.scenarios:,})"
        for x in recorded.clauses
        if now.get(x.clause, x.scenarios) < x.scenarios
    ]
    if less:
        yield f"for that reason these saw fewer scenarios than recorded: {', '.join(less)}"


def _causes(recorded: RunRecord, named: set[str]) -> Iterator[tuple[Counterexample, str]]:
    """Yield the failures that were found by something that a second run does not do."""
    own = _own_scenarios(recorded) if "scenarios" in named else set[str]()
    for example in recorded.counterexamples:
        origin, _, name = example.found_in.partition(":")
        if origin == "waiver":
            yield example, f"found by the replay of the waiver {short(name)}"
        elif origin == "explore" and "time" in named:
            yield example, "found while exploring by the clock"
        elif origin == "fixed" and "scenarios" in named and name not in own:
            yield example, f"found in the scenario {short(name)} of a folder"


def _own_scenarios(recorded: RunRecord) -> set[str]:
    parameters = recorded.header.kernel.parameters
    own = {each.id for invariant in catalog() for each in invariant.scenarios(parameters)}
    return own | {aspect.id_of(row) for aspect in aspects() for row in rows(aspect)}


def _replayed(
    recorded: RunRecord, rows: list[tuple[Counterexample, str]], options: RunOptions
) -> Iterator[tuple[Counterexample, str, Replayed]]:
    if not rows:
        return
    files = {file.id: file for file in of_record(recorded)}
    every = clauses(catalog())
    with plan_run(options) as plan:
        for example, why in rows:
            yield example, why, replay(plan.session, files[example.id], every)
