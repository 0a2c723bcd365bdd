"""``fedcheck config``: every setting and where it came from; the same stands in the record."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fedcheck.reports.record.reader import read_record

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]


def settings(fedcheck: Fedcheck, folder: Path, *words: str) -> dict[str, dict[str, Any]]:
    """What ``fedcheck config`` says, by setting."""
    done = fedcheck("config", "--format", "json", *words, cwd=folder)
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)["settings"]


def test_a_flag_wins_over_the_file_and_the_file_over_the_default(
    fedcheck: Fedcheck, tmp_path: Path
) -> None:
    """Also a flag that says the same as the default."""
    (tmp_path / "fedcheck.toml").write_text('seed = 3\nexamples = 5\ntime = "2m"\ntimeout = 4\n')
    told = settings(fedcheck, tmp_path, "--examples", "7", "--timeout", "10")

    assert {"value": 3, "source": "fedcheck.toml"} == told["seed"]
    assert {"value": 7, "source": "flag"} == told["examples"]
    assert {"value": 10.0, "source": "flag"} == told["timeout"]
    assert {"value": 120.0, "source": "fedcheck.toml"} == told["time"]
    assert {"value": "reference", "source": "default"} == told["kernel"]


def test_defaults_of_a_profile_are_told_as_such(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """Those of explore differ."""
    (tmp_path / "fedcheck.toml").write_text('profile = "explore"\n')
    told = settings(fedcheck, tmp_path)

    assert {"value": 1000, "source": "default of the profile explore"} == told["examples"]
    assert 0 == settings(fedcheck, tmp_path, "--profile", "gate")["seed"]["value"]


def test_no_config_and_config_choose_the_file(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """None at all, or another one."""
    (tmp_path / "fedcheck.toml").write_text("seed = 3\n")
    (tmp_path / "night.toml").write_text("seed = 9\n")

    assert 0 == settings(fedcheck, tmp_path, "--no-config")["seed"]["value"]
    assert 9 == settings(fedcheck, tmp_path, "--config", "night.toml")["seed"]["value"]


def test_the_text_is_harmless_and_hides_secrets(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """A file may hold anything."""
    (tmp_path / "fedcheck.toml").write_text(
        'kernel = "https://me:hunter2@kernel.example"\nselect = ["\\u001b[31m"]\n'
    )
    done = fedcheck("config")

    assert 0 == done.returncode
    assert "***@kernel.example" in done.stdout
    assert "hunter2" not in done.stdout
    assert "\x1b" not in done.stdout
    assert "configuration: fedcheck.toml" in done.stdout


def test_run_obeys_the_file_and_records_what_it_obeyed(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """The kernel, the selection, the reports; each setting with its source."""
    (tmp_path / "fedcheck.toml").write_text(
        'kernel = "mutant:key-with-dot"\nselect = ["I-CACHE-KEY-SAFETY"]\nexamples = 0\n'
        'record = "run.ndjson"\nreport = ["text=run.txt"]\njunit = "run.xml"\n'
        'counterexamples = "found"\n'
    )
    done = fedcheck("run", "--seed", "5")
    header = read_record(tmp_path / "run.ndjson").header

    assert 1 == done.returncode, done.stderr
    assert ("mutant:key-with-dot", 5, 0) == (header.reference, header.seed, header.examples)
    assert ("fedcheck.toml", "flag", "default") == tuple(
        header.configuration[name].source for name in ("kernel", "seed", "timeout")
    )
    assert {"found", "run.txt", "run.xml"} <= {path.name for path in tmp_path.iterdir()}
    assert header.origin.user or header.origin.ci
    assert 64 == len(header.catalog_digest)
    assert "embedded" == header.transport


def test_no_folder_means_no_counterexample_files(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """For whoever keeps the record alone."""
    (tmp_path / "fedcheck.toml").write_text('counterexamples = ""\n')
    words = ("run", "--kernel", "mutant:key-with-dot", "--select", "I-CACHE-KEY*")

    assert 1 == fedcheck(*words, "--examples", "0").returncode
    assert ["fedcheck.toml"] == [path.name for path in tmp_path.iterdir()]


def test_an_unknown_key_stops_every_command_that_reads_it(
    fedcheck: Fedcheck, tmp_path: Path
) -> None:
    """With exit code 2, and no traceback."""
    (tmp_path / "fedcheck.toml").write_text("exmaples = 3\n")
    for words in (("run",), ("config",), ("replay", "x.json"), ("shrink", "x.json")):
        done = fedcheck(*words)

        assert 2 == done.returncode
        assert "did you mean 'examples'" in done.stderr or "x.json" in done.stderr
        assert "Traceback" not in done.stderr
