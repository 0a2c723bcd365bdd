"""Runs that end early: at their first failures, when the time is up; and what reducing may cost."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fedcheck.conformance.adapters.in_process import InProcessAdapter
from fedcheck.conformance.counterexamples import allowance, confirm
from fedcheck.conformance.counterexamples.confirm import reproduce_command
from fedcheck.conformance.driving import plan
from fedcheck.conformance.running import units, watch
from fedcheck.conformance.running.progress import watching
from fedcheck.conformance.running.suite import run_suite
from fedcheck.conformance.settings.options import RunOptions
from fedcheck.fixtures.agent.agent import ReferenceAgent
from fedcheck.fixtures.catches import caught
from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.invariants.vocabulary.scenario import CacheGet, Restart, Scenario
from fedcheck.invariants.vocabulary.trace import AnyEvent, CacheOutcome
from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.text import text_report
from fedcheck.reports.record.model import RunRecord, Setting
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.writer import write_record

from .watched import KEYS, LIVES, UNSAFE, Cache, Careless, Quiet, Run, verdicts

_WAITING = 0.01
"""Seconds that the clock of a test goes on with each step."""

MISS = CacheOutcome(outcome="miss")


class Clock:
    """A clock that only goes on while the kernel works, so that no test hangs on the machine."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        for module in (watch, units, allowance, confirm):
            monkeypatch.setattr(module, "time", self)

    def monotonic(self) -> float:
        return self.now

    perf_counter = monotonic

    def works(self, scenario: Scenario) -> None:
        """A scenario takes so long."""
        self.now += _WAITING * len(scenario.steps)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock of the run."""
    return Clock(monkeypatch)


def _broken(record: RunRecord) -> set[str]:
    return {clause for clause, verdict in verdicts(record).items() if verdict is Verdict.FAIL}


def test_the_first_failure_ends_the_run(run: Run) -> None:
    """It is confirmed, what was not tried is not exercised, and the record says why."""
    whole, first = Quiet(), Quiet()
    run(Careless, KEYS, LIVES, observer=whole)
    record = run(Careless, KEYS, LIVES, observer=first, fail_fast=True)

    assert 1 == len(_broken(record)) < len(whole.failures)
    assert Verdict.NOT_EXERCISED in verdicts(record).values()
    assert (1, "failures") == (record.summary.exit_code, record.summary.ended)
    assert all(x.attempts for x in record.counterexamples)
    assert "ended at its first failures" in text_report(record)


@pytest.mark.parametrize("workers", [1, 2])
def test_so_many_failures_end_the_run(workers: int) -> None:
    """In one process and in several."""
    select = ("I-CACHE-*", "C-CACHE-*")
    options = RunOptions(
        kernel="mutant:key-unchecked", select=select, examples=2, max_failures=1, workers=workers
    )
    record = run_suite(options, Quiet())

    assert "failures" == record.summary.ended
    assert _broken(record)
    assert Verdict.NOT_EXERCISED in verdicts(record).values()


def test_what_decides_nothing_does_not_end_the_run(run: Run) -> None:
    """A failure outside the requirement set is shown, and the run goes on."""

    class Shared(Cache):
        def cache_get(self, step: CacheGet) -> CacheOutcome:
            entries = list(self.entries.values())
            return CacheOutcome(outcome="hit", value_json=entries[-1]) if entries else MISS

    options = {"fail_fast": True, "requirement_set": "seeds-2026-05"}
    record = run(Shared, "C-CACHE-ISOLATION/per-key", **options)

    assert ("", True) == (record.summary.ended, bool(_broken(record)))


def test_a_record_that_ended_early_is_believed_only_if_it_was_asked_to(
    tmp_path: Path,
) -> None:
    """Whoever writes into a record that it ended early hides what it did not try."""
    path = tmp_path / "run.ndjson"
    options = {"kernel": "mutant:key-unchecked", "select": (KEYS,), "examples": 0}
    asked = run_suite(RunOptions(**options, fail_fast=True), Quiet())
    write_record(path, asked)
    assert asked.summary == read_record(path).summary

    never = run_suite(RunOptions(**options), Quiet())
    write_record(path, replace(never, summary=replace(never.summary, ended="failures")))
    with pytest.raises(DocumentError, match="that its settings do not name"):
        read_record(path)


def test_each_clause_is_told_as_soon_as_it_fails(run: Run) -> None:
    """Once, before anything is confirmed; fixed scenarios come before exploration."""
    observer = Quiet()
    record = run(Careless, KEYS, LIVES, observer=observer)

    assert _broken(record) == set(observer.failures)
    assert len(observer.failures) == len(set(observer.failures))
    assert [
        "fixed scenarios",
        "exploration",
        "confirming and reducing failures",
        "looking for common causes",
    ] == observer.stages


def test_the_fixed_scenarios_of_all_invariants_take_turns(run: Run) -> None:
    """A broken kernel is told early, wherever in the catalog its promise stands."""
    seen: list[str] = []
    run(Cache, KEYS, LIVES, breaks=lambda scenario: seen.append(scenario.id), examples=0)
    tables = [name.partition("/")[0] for name in seen]
    changes = sum(one != other for one, other in pairwise(tables))

    assert changes > 10 * len(set(tables))
    assert [caught()[name] for name in seen] == sorted((caught()[x] for x in seen), reverse=True)


def test_which_of_two_scenarios_comes_first_does_not_depend_on_what_is_selected(run: Run) -> None:
    """One invariant alone runs its scenarios in the order that they have among others."""
    both: list[str] = []
    alone: list[str] = []
    run(Cache, KEYS, LIVES, breaks=lambda scenario: both.append(scenario.id), examples=0)
    run(Cache, LIVES, breaks=lambda scenario: alone.append(scenario.id), examples=0)

    assert alone
    assert alone == [name for name in both if name in set(alone)]


@pytest.mark.parametrize("seconds", [6.0, 30.0])
def test_the_time_of_a_run_is_a_limit(run: Run, clock: Clock, seconds: float) -> None:
    """Confirming and reducing are part of it: it is kept to within a tenth."""
    started = clock.now
    record = run(Careless, KEYS, LIVES, breaks=clock.works, seconds=seconds, examples=10_000)

    assert 0.6 * seconds < clock.now - started < 1.1 * seconds
    assert _broken(record)
    assert any(x.attempts for x in record.counterexamples)


def test_what_the_time_did_not_suffice_for_is_not_exercised(run: Run, clock: Clock) -> None:
    """A run whose time is up before its own scenarios are done is no pass."""
    record = run(Cache, KEYS, LIVES, breaks=clock.works, seconds=0.5)

    assert ("time", 3) == (record.summary.ended, record.summary.exit_code)
    assert Verdict.PASS not in verdicts(record).values()


def _restarts(scenario: Scenario) -> bool:
    return any(isinstance(step, Restart) for step in scenario.steps)


class Slow(InProcessAdapter):
    """The reference agent, whose starts take long."""

    def __init__(self, clock: Clock, start: float) -> None:
        super().__init__("slow", ReferenceAgent)
        self.clock, self.start = clock, start
        self.ran: list[Scenario] = []

    def run(self, scenario: Scenario) -> tuple[AnyEvent, ...]:
        self.ran.append(scenario)
        self.clock.now += self.start if _restarts(scenario) else 0.01
        return super().run(scenario)


@pytest.mark.parametrize("seconds", [None, 300.0])
def test_scenarios_that_restart_an_agent_come_last(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, seconds: float | None
) -> None:
    """Whatever their invariant; when the time is up among them, the others were judged."""
    slow = Slow(clock, 1.0 if seconds is None else 100.0)
    monkeypatch.setattr(plan, "open_kernel", lambda *_args, **_options: slow)
    select = ("C-AGENT-RESTART", "C-AGENT-REPLY/reply-whole")
    options = RunOptions(kernel="agent:x:y", select=select, examples=0, seconds=seconds)
    found = verdicts(run_suite(options, Quiet()))
    order = [_restarts(each) for each in slow.ran]

    assert sorted(order) == order
    assert {False, True} == set(order)
    assert Verdict.PASS == found["C-AGENT-REPLY/reply-whole"]
    restart = found["C-AGENT-RESTART/continues-after-restart"]
    assert (Verdict.PASS if seconds is None else Verdict.NOT_EXERCISED) == restart


def test_progress_adds_up(run: Run, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """What has no scenario is not told; where the time ends a stage, it has no number."""
    stages: list[tuple[str, int | None]] = []

    class Counting(Quiet):
        def stage(self, name: str, total: int | None) -> None:
            stages.append((name, total))

    run(Cache, KEYS, examples=0, observer=Counting())
    assert ["fixed scenarios"] == [name for name, _ in stages]
    stages.clear()
    run(Cache, KEYS, breaks=clock.works, seconds=30.0, observer=Counting())
    assert ("exploration", None) in stages

    with watching(None) as watcher:
        watcher.stage("exploration", None)
        watcher._told = 0.0  # pyright: ignore[reportPrivateUsage] - as after a while
        watcher.advanced(KEYS, 639)
    assert "exploration\nexploration: 639\n" == capsys.readouterr().err


def test_reducing_tells_how_far_it_is(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """How many scenarios were tried for a clause, and how many may be; a line now and then."""
    observer = Quiet()
    run(Careless, UNSAFE, observer=observer, reduce=7)
    assert observer.reduced
    assert {7} == {most for _, most in observer.reduced.values()}

    with watching(None) as watcher:
        watcher.stage("confirming and reducing failures", 2)
        watcher.reducing("C-AGENT-REPLY/reply-whole", 3, 600)
        assert "reply-whole" not in capsys.readouterr().err
        watcher._told = 0.0  # pyright: ignore[reportPrivateUsage] - as after a while
        watcher.reducing("C-AGENT-REPLY/reply-whole", 214, 1600)
    told = (
        "confirming and reducing failures: 0 of 2; C-AGENT-REPLY/reply-whole: 214 of at most 1,600"
    )
    assert told in capsys.readouterr().err


def test_reducing_can_be_left_out(run: Run) -> None:
    """The failure is confirmed as it was found, and says so."""
    small, found = run(Careless, UNSAFE), run(Careless, UNSAFE, reduce=0)
    after = found.counterexamples[0]

    assert "" in {each.unreduced for each in small.counterexamples}
    assert {"off"} == {each.unreduced for each in found.counterexamples}
    assert (5, 5) == (after.reproduced, after.attempts)
    assert "--reduce off" in text_report(found)


def test_reducing_has_so_many_scenarios(run: Run) -> None:
    """A failure that had them all may be larger than it has to be."""
    ran: list[Scenario] = []
    record = run(Careless, LIVES, breaks=ran.append, reduce=1, examples=0)
    unlimited: list[Scenario] = []
    run(Careless, LIVES, breaks=unlimited.append, examples=0)

    assert {"share", ""} >= {x.unreduced for x in record.counterexamples}
    assert len(ran) < len(unlimited)


@pytest.mark.parametrize("steady", [False, True])
def test_what_is_made_small_when_the_time_is_up_is_repeated(
    run: Run, clock: Clock, tmp_path: Path, steady: bool
) -> None:
    """It shows each time as it was found, and small too, until the time is up at once."""
    observer, small, over = Quiet(), list[bool](), list[bool]()

    class Fickle(Cache):
        def is_safe(self, key: str) -> bool:
            return super().is_safe(key) or steady or not (small[-1] and over)

    def counted(scenario: Scenario) -> None:
        reducing = "confirming and reducing failures" in observer.stages
        small.append(reducing and len(scenario.steps) <= 4)
        if sum(small) == 8 and not over:
            over.append(True)
            clock.now += 1000
        clock.works(scenario)

    record = run(Fickle, UNSAFE, breaks=counted, observer=observer, seconds=30.0)

    assert over
    assert {UNSAFE: Verdict.FAIL if steady else Verdict.FLAKY} == verdicts(record)
    first = next(each for each in record.counterexamples if each.attempts)
    assert steady == first.steady
    assert "time" == first.unreduced
    write_record(tmp_path / "run.ndjson", record)
    assert record.summary == read_record(tmp_path / "run.ndjson").summary


def test_reducing_leaves_time_to_repeat_what_it_made_small(run: Run, clock: Clock) -> None:
    """As long as the first five repetitions took, so that the time suffices for all of them."""
    record = run(Careless, UNSAFE, breaks=clock.works, seconds=60.0)

    small = [each for each in record.counterexamples if len(each.scenario.steps) <= 4]
    assert (5, 5) in {(each.reproduced, each.attempts) for each in small}


def test_the_command_to_reproduce_repeats_what_matters() -> None:
    """How the kernel is reached, what it has to claim, and which configuration is read."""
    options = RunOptions(
        kernel="exec:node adapter.js",
        must_claim=("cache",),
        timeout=2.5,
        memory_limit=2**29,
        pass_env=("TOKEN",),
        sandbox="off",
        plugins=False,
        allow_broken_plugins=True,
        seconds=60.0,
        arguments=("run", "--config", "other.toml"),
    )
    command = reproduce_command(options, UNSAFE)

    for words in (
        "--must-claim cache",
        "--timeout 2.5",
        "--memory-limit 536870912",
        "--pass-env TOKEN",
        "--sandbox off",
        "--no-plugins",
        "--allow-broken-plugins",
        "--time 60s",
        "--config other.toml",
    ):
        assert words in command
    plain = reproduce_command(RunOptions(), UNSAFE)
    assert f"fedcheck run --kernel reference --select {UNSAFE} --seed 0 --examples 20" == plain


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"reduce": 0}, "--reduce off"),
        ({"reduce": 40}, "--reduce 40"),
        ({"fail_fast": True}, "--fail-fast"),
        ({"max_failures": 1}, "--fail-fast"),
        ({"max_failures": 2}, ""),
        ({"python": ".venv/bin/python"}, "--python .venv/bin/python"),
        ({"seconds": 0.4}, "--time 1s"),
        ({"workers": 4}, ""),
        ({"shard": "2/5"}, ""),
        ({"ignore": ("C-*",)}, ""),
        ({"organisation": "ACME", "person": "Ada"}, ""),
        ({"profile": "explore", "seed": 7, "examples": 1000}, "--seed 7 --examples 1000"),
    ],
)
def test_the_command_repeats_what_changes_the_counterexample(
    options: dict[str, Any], words: str
) -> None:
    """And leaves out what changes neither it nor the verdict."""
    plain = reproduce_command(RunOptions(), UNSAFE).split()
    command = reproduce_command(RunOptions(**options), UNSAFE)

    assert words in command
    assert set(words.split()) == set(words.split()) | set(command.split()) - set(plain)


def test_a_failure_of_another_invariants_scenario_does_not_end_its_command() -> None:
    """The other clauses of that invariant run too, and one that fails first would hide it."""
    command = reproduce_command(RunOptions(fail_fast=True), UNSAFE, LIVES)

    assert f"--select {LIVES}" in command
    assert "--fail-fast" not in command


def test_a_flag_that_says_what_is_usual_is_repeated() -> None:
    """It may have won over a configuration, which is read again."""
    names = ("timeout", "sandbox", "plugins", "require")
    flags = {name: Setting(value="", source="flag") for name in names}
    command = reproduce_command(RunOptions(configuration=flags), UNSAFE)

    for words in ("--timeout 10", "--sandbox auto", "--plugins", "--require seeds-2026-11"):
        assert words in command
