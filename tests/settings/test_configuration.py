"""The configuration: where it is found, what it may say, and how its mistakes are told."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

from fedcheck.conformance.commands.run import command as run_command
from fedcheck.conformance.commands.run_options import RUN_OPTIONS
from fedcheck.conformance.publishing.schemas import schema
from fedcheck.conformance.settings.configuration import (
    Configuration,
    Settings,
    configuration,
    named_configuration,
)
from fedcheck.conformance.settings.waiver_entries import today
from fedcheck.invariants.vocabulary.errors import UsageError
from fedcheck.invariants.vocabulary.toml_file import parse_toml

WAIVER = """\
[[waivers]]
clause = "I-X/y"
kernel = "k"
versions = "*"
reason = "r"
requested_by = "a@example.net"
approved_by = "b@example.net"
ticket = "T-1"
expires = SOON
counterexample = "waivers/x.json"
"""


def dated(text: str) -> str:
    """Return a text with the days of now in it; the name of a test holds none."""
    return text.replace("SOON", str(soon())).replace("LAST", str(today() + timedelta(days=366)))


def soon() -> date:
    """Return a day on which a waiver may end."""
    return today() + timedelta(days=300)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of its own, in which the test runs."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_file_there_are_the_defaults() -> None:
    """Nothing is set, nothing is an error."""
    assert Configuration() == configuration()


@pytest.mark.parametrize(
    ("name", "head"), [("fedcheck.toml", ""), ("pyproject.toml", "[tool.fedcheck]\n")]
)
def test_it_is_found_here_and_above(here: Path, name: str, head: str) -> None:
    """In either file; paths in it are as seen from where one is."""
    (here / name).write_text(f'{head}kernel = "mutant:x"\nrecord = "out/run.ndjson"\n')
    found = configuration()
    assert (Path(name), "mutant:x") == (found.file, found.settings["kernel"])
    assert str(Path("out/run.ndjson")) == found.settings["record"]


def test_from_a_folder_below_the_paths_still_name_the_same_files(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest file wins; the search ends at the root of the checkout."""
    (here / "fedcheck.toml").write_text(
        'record = "r"\nreport = ["html=x.html"]\nrequire = "s.json"'
    )
    (here / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(here / "a" / "b")
    found = configuration()
    assert Path("../../fedcheck.toml") == found.file
    assert str(Path("../../r")) == found.settings["record"]
    assert [f"html={Path('../../x.html')}"] == found.settings["report"]
    assert str(Path("../../s.json")) == found.settings["require"]

    (here / "a" / "fedcheck.toml").write_text("seed = 3\n")
    assert {"seed": 3} == configuration().settings
    (here / "a" / "b" / ".git").mkdir()
    assert Configuration() == configuration()


def test_a_pyproject_of_another_tool_or_of_the_linter_alone_is_none(here: Path) -> None:
    """The linter reads its own table."""
    (here / "pyproject.toml").write_text('[tool.fedcheck.lint]\nselect = ["FED001"]\n')
    assert Configuration() == configuration()
    (here / "fedcheck.toml").write_text("seed = 3\n[lint]\nanything = true\n")

    assert {"seed": 3} == configuration().settings


def test_two_configurations_in_one_folder_are_refused(here: Path) -> None:
    """A waiver in the one that is not read would be lost silently."""
    (here / "fedcheck.toml").write_text("seed = 3\n")
    (here / "pyproject.toml").write_text("[tool.fedcheck]\nseed = 4\n")

    with pytest.raises(UsageError, match="move everything into one of them"):
        configuration()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exmaples = 3", "fedcheck.toml: the key 'exmaples' is unknown; did you mean 'examples'"),
        ("memory-limit = 3", "did you mean 'memory_limit'"),
        ("zzz = 3", "there are: kernel, select"),
        ("examples = -1", r"fedcheck.toml: .*\$\.examples"),
        ('examples = "many"', r"Expected `int`, got `str`.*\$\.examples"),
        ('time = "soon"', r"\$\.time"),
        ("timeout = 0", r"\$\.timeout"),
        ('profile = "fast"', "fast"),
        ("select = 'I-X'", r"Expected `array`.*\$\.select"),
        ("waivers = 3", r"\$\.waivers"),
        ("[[waivers]]\nclause = 'x'", "kernel"),
        (
            WAIVER.replace("ticket", "tickets"),
            "waiver 1: the key 'tickets' is unknown; did.*ticket",
        ),
        (WAIVER.replace("expires = SOON\n", ""), "expires"),
        (WAIVER.replace("SOON", '"never"'), r"waivers\[0\]\.expires"),
        (WAIVER.replace('"r"', '""'), "reason"),
        (WAIVER.replace('"*"', '"1.x"'), "line 1: version range '1.x' cannot be read"),
        (
            WAIVER.replace("b@example.net", "Bob"),
            'line 1: approved_by .Bob. has no .*to `approved_by = "Bob <NAME@EXAMPLE.COM>"`',
        ),
        (
            WAIVER.replace("SOON", "2999-01-01"),
            "line 1: it ends on 2999-01-01, .*to `expires = LAST`",
        ),
        (WAIVER * 2, "line 11: a waiver 'W-.*' stands at fedcheck.toml, line 1 already"),
        ("seed = ?\n", "fedcheck.toml is no valid TOML: .*line 1"),
    ],
)
def test_a_mistake_is_told_with_file_and_key(here: Path, text: str, message: str) -> None:
    """Nothing is guessed, nothing is passed over."""
    (here / "fedcheck.toml").write_text(dated(text))

    with pytest.raises(UsageError, match=dated(message)):
        configuration()


def test_a_file_that_was_named_must_exist() -> None:
    """A misspelt --config must not mean the defaults."""
    with pytest.raises(UsageError, match="no such file"):
        configuration(Path("other.toml"))


def test_a_pyproject_that_was_named_must_hold_the_table(here: Path) -> None:
    """Otherwise the reference kernel would be judged in place of one's own."""
    (here / "pyproject.toml").write_text("[project]\nname = 'x'\n")

    assert Configuration() == configuration()
    with pytest.raises(UsageError, match=r"holds no \[tool\.fedcheck\]"):
        named_configuration(Path("pyproject.toml"))


def test_a_table_that_is_none_is_refused(here: Path) -> None:
    """In pyproject.toml."""
    (here / "pyproject.toml").write_text("[tool]\nfedcheck = 3\n")

    with pytest.raises(UsageError, match="must be a table"):
        configuration()


def test_waivers_know_where_they_stand(here: Path) -> None:
    """File and line; names that do not depend on the order of the entries."""
    (here / "fedcheck.toml").write_text(
        dated(f"seed = 3\n\n{WAIVER}\n{WAIVER.replace('I-X/y', 'I-X/z')}")
    )
    first, second = configuration().waivers

    assert ("fedcheck.toml, line 3", "fedcheck.toml, line 14") == (first.place, second.place)
    assert soon() == first.entry.expires
    assert Path("waivers/x.json") == first.counterexample
    assert first.id != second.id
    assert re.fullmatch(r"W-[0-9a-f]{8}", first.id)


def test_each_key_is_an_option_of_run() -> None:
    """One name for one thing; the linter's table, one machine's share and the screen aside."""
    flags = {
        option.lstrip("-").replace("-", "_")
        for param in run_command.params
        if isinstance(param, click.Option)
        for option in param.opts
        if option.startswith("--")
    }

    flags -= {"short", "quiet", "record_traces"}
    assert set(Settings.__struct_fields__) - {"lint"} == flags - {
        *("config", "no_config", "shard", "resume", "dask")
    }
    assert len(flags) == len(RUN_OPTIONS)


def test_the_schema_knows_what_is_read() -> None:
    """An editor that uses it accepts what we do, and marks what we refuse."""
    validator = Draft202012Validator(schema("config"))
    good = parse_toml(dated(f'seed = 3\ntime = "10m"\n[lint]\nx = 1\n{WAIVER}'), "good")
    good["waivers"][0]["expires"] = str(soon())

    assert [] == [error.message for error in validator.iter_errors(good)]
    for bad in ({"sed": 3}, {"time": "soon"}, {"waivers": [{"clause": "x"}]}, {"profile": "x"}):
        assert list(validator.iter_errors(bad))
