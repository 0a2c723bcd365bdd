"""The command that reproduces a failure repeats every option of ``fedcheck run`` that matters."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from fedcheck.conformance.commands.group import ARGUMENTS
from fedcheck.conformance.commands.run import command
from fedcheck.conformance.commands.run_options import chosen, run_options
from fedcheck.conformance.counterexamples.confirm import reproduce_command

from .watched import UNSAFE

REPEATED = {
    "kernel": "--kernel mutant:key-unchecked",
    "must_claim": "--must-claim cache",
    "require": "--require seeds-2026-05",
    "examples": "--examples 7",
    "time": "--time 60s",
    "seed": "--seed 7",
    "fail_fast": "--fail-fast",
    "reduce": "--reduce off",
    "timeout": "--timeout 2.5",
    "memory_limit": "--memory-limit 536870912",
    "pass_env": "--pass-env TOKEN",
    "sandbox": "--sandbox off",
    "python": "--python .venv/bin/python",
    "in_process": "--in-process",
    "scenarios": "--scenarios flows",
    "plugins": "--no-plugins",
    "allow_broken_plugins": "--allow-broken-plugins",
    "use_waivers": "--no-waivers",
    "config": "--config=fedcheck.toml",
    "no_config": "--no-config",
}
"""Options that change the verdict or the counterexample, as given and as repeated."""

RETOLD = {
    "select": ("--select I-CACHE-*", f"--select {UNSAFE}"),
    "profile": ("--profile explore --seed 3", "--seed 3 --examples 1000"),
    "max_failures": ("--max-failures 1", "--fail-fast"),
}
"""Options that are repeated in other words."""

LEFT_OUT = {
    "ignore": "--ignore C-*",
    "shard": "--shard 2/5",
    "resume": "",  # needs a record, and what it names is what a run without it does
    "workers": "--workers 4",
    "dask": "--dask tcp://scheduler:8786",
    "counterexamples": "--counterexamples elsewhere",
    "record": "--record run.ndjson",
    "report": "--report html=run.html",
    "junit": "--junit run.xml",
    "organisation": "--organisation ACME",
    "person": "--person Ada",
    "record_traces": "--record-traces traces",
    "short": "--short",
    "quiet": "--quiet",
}
"""Options that change neither: who runs it, where, and what is written of it."""


def _command(words: str) -> str:
    given = tuple(shlex.split(words))
    ctx = command.make_context("run", list(given))
    ctx.meta[ARGUMENTS] = ("run", *given)
    return reproduce_command(run_options(ctx, chosen(ctx)), UNSAFE)


@pytest.fixture(autouse=True)
def _configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder whose configuration says nothing."""
    (tmp_path / "fedcheck.toml").write_text("", encoding="ascii")
    monkeypatch.chdir(tmp_path)


def test_each_option_has_its_class() -> None:
    """A new option is put into one of the tables above, so that nobody forgets to ask."""
    assert {*REPEATED, *RETOLD, *LEFT_OUT} == {each.name for each in command.params}
    assert not {*REPEATED} & {*RETOLD} | {*REPEATED} & {*LEFT_OUT} | {*RETOLD} & {*LEFT_OUT}


@pytest.mark.parametrize("words", REPEATED.values(), ids=REPEATED.keys())
def test_what_matters_is_repeated(words: str) -> None:
    """As it was given; without it, it is not there."""
    assert f" {words} " not in f"{_command('')} "
    assert f" {words} " in f"{_command(words)} "


@pytest.mark.parametrize(("given", "told"), RETOLD.values(), ids=RETOLD.keys())
def test_what_is_settled_is_told_as_it_was_settled(given: str, told: str) -> None:
    """The clause instead of a pattern, the seed instead of the profile that drew it."""
    assert f" {told} " in f"{_command(given)} "


@pytest.mark.parametrize("words", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_what_changes_nothing_is_left_out(words: str) -> None:
    """The command is as short as it can be."""
    assert _command("") == _command(words)
