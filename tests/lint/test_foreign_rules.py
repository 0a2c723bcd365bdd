"""Rules of other packages may do anything; a run survives them and tells."""

from __future__ import annotations

import contextlib
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from fedcheck.invariants.vocabulary.errors import CatalogError
from fedcheck.lint import rules
from fedcheck.lint.engine import engine, time_limit
from fedcheck.lint.engine.engine import CheckResult, Target
from fedcheck.lint.inference.syntax.memo import OutOfTime
from fedcheck.lint.rule import Hit, ManifestHit, Rule
from fedcheck.lint.sdk.releases import versions
from fedcheck.reports.lint.findings import Fix

Check = Callable[..., CheckResult]

BREACH = (
    "from imperal_sdk import Extension\n"
    "ext = Extension('notes', capabilities=['a:b'], display_name='Notes', icon='icon.svg', "
    "description='Keeps the notes of the user and finds them again')\n"
    "@ext.panel('p')\nasync def p(ctx):\n    return ctx.skeleton_data\n"
)


def acme(**fields: object) -> Rule:
    """A rule of another package."""
    texts = dict.fromkeys(("summary", "what", "why", "example", "instead"), "x")
    return Rule(
        code="ACME101",
        name="acme-rule",
        severity="warning",
        bad=(),
        good=(),
        references=(),
        **{**texts, **fields},  # type: ignore[arg-type]
    )


def leaves(_view: object) -> Iterator[Hit]:
    """End the program."""
    sys.exit(0)


def node_of(view: object) -> object:
    """Any node."""
    return view.module.tree.body[0]  # type: ignore[attr-defined]


def never_ends(_view: object) -> Iterator[Hit]:
    """Ask nothing, and go on for ever."""
    while True:
        pass
    yield


def waits(_view: object) -> Iterator[Hit]:
    """Do nothing, in one call into C."""
    time.sleep(60)
    yield


def matches_for_ever(_view: object) -> Iterator[Hit]:
    """Try 2 to the power of 60 ways to read a text."""
    re.match("(a|a)*b", "a" * 60)
    yield


def catches_all(_view: object) -> Iterator[Hit]:
    """Take the first order to stop for a mishap."""
    with contextlib.suppress(BaseException):
        time.sleep(60)
    time.sleep(60)
    yield


@pytest.mark.parametrize("field", ["check", "check_project"])
@pytest.mark.parametrize("endless", [never_ends, waits, matches_for_ever, catches_all])
def test_a_rule_that_never_ends_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, endless: object
) -> None:
    """Others' rules do not ask the clock; the run is told, and goes on."""
    every = (*rules.own_rules(), acme(**{field: endless}))
    monkeypatch.setattr(engine, "all_rules", lambda: every)
    (tmp_path / "main.py").write_text(BREACH)
    (tmp_path / "imperal.json").write_text("{}")
    target = Target(sdk=versions()[-1], seconds_per_file=0.5)
    codes = frozenset({"ACME101", "FED103"})

    result = engine.check([tmp_path], target, codes=codes)

    assert ["FED103"] == [found.code for found in result.findings]
    (note,) = result.notes
    assert "ACME101 took " in note


def test_a_rule_is_stopped_in_every_thread() -> None:
    """Signals only reach the first one."""
    stopped: list[bool] = []

    def work() -> None:
        try:
            with time_limit.within_limit(never_ends, time.monotonic() + 0.1):
                list(never_ends(None))
        except OutOfTime:
            stopped.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [True] == stopped


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such signals")
def test_the_signal_is_given_back() -> None:
    """Whoever calls the linter may use it."""
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with time_limit.within_limit(never_ends, time.monotonic() + 60):
            pass
        assert (signal.SIG_IGN, (0.0, 0.0)) == (
            signal.getsignal(signal.SIGALRM),
            signal.getitimer(signal.ITIMER_REAL),
        )
    finally:
        signal.signal(signal.SIGALRM, before)


def test_what_ends_in_time_is_not_stopped_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever comes after the limit; a second thread is left alone."""
    timers: list[Callable[[], None]] = []
    monkeypatch.setattr(
        time_limit.threading,
        "Timer",
        lambda _seconds, stop: (
            timers.append(stop) or SimpleNamespace(daemon=False, start=nothing, cancel=nothing)
        ),
    )

    monkeypatch.delattr(signal, "setitimer", raising=False)
    with time_limit.within_limit(never_ends, 0.0):
        done = sum(range(1000))
    for stop in timers:
        stop()

    assert (1, 499500) == (len(timers), done)


def nothing() -> None:
    """Stand for a timer that was cancelled too late."""


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (lambda _view: ["no hit"], "it yielded str, expected Hit"),
        (lambda _view: [ManifestHit(needle="x", message="m")], "it yielded ManifestHit"),
        (lambda _view: [Hit(node=None, message="m")], "Expected `ast.AST`, got `NoneType`"),
        (
            lambda view: [Hit(node=node_of(view), message="m", severity="fatal")],
            "Invalid enum value 'fatal' - at `$.severity`",
        ),
        (lambda view: [Hit(node=node_of(view), message=3)], "got `int` - at `$.message`"),
        (lambda view: [Hit(node=node_of(view), message="m", chain=["via"])], "`$.chain[0]`"),
        (lambda view: [Hit(node=node_of(view), message="m", fix=1)], "`$.fix`"),
        (
            lambda view: [
                Hit(node=node_of(view), message="m", fix=Fix(title="t", safety="safe", edits=(1,)))
            ],
            "`$.fix.edits[0]`",
        ),
        (lambda _view: 1, "'int' object is not iterable"),
        (leaves, "SystemExit"),
    ],
)
def test_a_rule_that_yields_nonsense_is_a_note(
    check_files: Check, monkeypatch: pytest.MonkeyPatch, check: object, told: str
) -> None:
    """It costs its own findings and no other's."""
    every = (*rules.own_rules(), acme(check=check))
    monkeypatch.setattr(engine, "all_rules", lambda: every)
    result = check_files({"main.py": BREACH})
    assert ["FED103"] == [finding.code for finding in result.findings]
    (note,) = result.notes
    assert "main.py: ACME101 failed: " in note
    assert told in note


def test_a_screen_that_fails_hides_nothing(
    check_files: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the rule looks itself."""

    def fails(_text: bytes) -> bool:
        raise ValueError

    found = acme(screen=fails, check=lambda view: [Hit(node=node_of(view), message="m")])
    monkeypatch.setattr(engine, "all_rules", lambda: (found,))
    assert ["ACME101"] == [it.code for it in check_files({"main.py": BREACH}).findings]


def plugged(monkeypatch: pytest.MonkeyPatch, load: Callable[[], object]) -> None:
    """Install an entry point."""
    point = SimpleNamespace(value="acme:RULE", dist=SimpleNamespace(name="acme"), load=load)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_group: [point])
    monkeypatch.setattr(rules, "may_have_foreign_rules", lambda: True)
    rules.all_rules.cache_clear()


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    rules.all_rules.cache_clear()


@pytest.mark.parametrize("code", ["", "ALL", "FED1", "X\x1b[31m101", "acme101"])
def test_a_code_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """It could not be selected or ignored."""
    plugged(monkeypatch, lambda: msgspec.structs.replace(acme(), code=code))
    with pytest.raises(CatalogError, match="its code is"):
        rules.all_rules()


def test_a_severity_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report could not place it."""
    plugged(monkeypatch, lambda: msgspec.structs.replace(acme(), severity="fatal"))
    with pytest.raises(CatalogError, match="'fatal'; write one of error, warning, info"):
        rules.all_rules()


def test_a_package_that_ends_the_program_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exit code would be taken for the linter's."""
    plugged(monkeypatch, leaves_at_import)
    with pytest.raises(CatalogError, match="SystemExit"):
        rules.all_rules()


def leaves_at_import() -> object:
    """What a module may do when it is loaded."""
    sys.exit(0)


def test_other_peoples_rules_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow one must not use up the time of a file before ours have looked."""
    plugged(monkeypatch, acme)
    assert [*rules.own_rules(), acme()][-1].code == rules.all_rules()[-1].code
    assert [rule.code for rule in rules.own_rules()] == [
        rule.code for rule in rules.all_rules()[:-1]
    ]


def test_a_file_that_could_not_be_saved_is_not_told_as_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The findings are still there, and the run says so."""
    from click.testing import CliRunner

    from fedcheck.lint.commands.lint import command

    (tmp_path / "main.py").write_text(BREACH.replace("ctx.skeleton_data", "ctx.user.id"))
    monkeypatch.setattr(
        "fedcheck.lint.engine.fixes.fixing.save",
        lambda changes, _roots: [f"{name}: not written: read-only" for name in changes],
    )
    arguments = [str(tmp_path), "--isolated", "--no-cache", "--format", "concise"]
    fixed = CliRunner().invoke(command, [*arguments, "--fix"])
    assert "FED105" in fixed.output
    assert "not written: read-only" in fixed.output
    ignored = CliRunner().invoke(command, [*arguments, "--add-ignores", "--reason", "legacy code"])
    assert "0 findings ignored in 0 files." in ignored.output
