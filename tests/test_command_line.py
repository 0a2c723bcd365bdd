"""The installed command, as a user calls it: what it prints and how it exits."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fedcheck.__main__ import main
from fedcheck.conformance.settings.options import DEFAULT_SET
from fedcheck.invariants.requirements import requirement_set
from fedcheck.reports.record.reader import read_record

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def fedcheck(fedcheck_process: Fedcheck) -> Fedcheck:
    """Return the command as it is installed."""
    return fedcheck_process


def test_a_conforming_kernel_exits_with_0(fedcheck: Fedcheck) -> None:
    """The reference kernel is the default, and it is conformant."""
    done = fedcheck("run", "--examples", "2")

    assert 0 == done.returncode
    assert "conformant (exit code 0)" in done.stdout


def test_a_broken_kernel_exits_with_1_and_shows_why(fedcheck: Fedcheck) -> None:
    """The failure names clause, expectation, what was got, and the command to see it again."""
    narrow = ("--select", "I-CLASSIFIER-*", "--examples", "0")
    done = fedcheck("run", "--kernel", "mutant:window-of-four", *narrow)

    assert 1 == done.returncode
    assert "FAIL I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER/every-call-rendered" in done.stdout
    assert "Expected:" in done.stdout
    _, _, shown = done.stdout.partition("FAIL I-CLASSIFIER-PROMPT-RENDERS-FACT-LEDGER")
    command = next(x for x in shown.splitlines() if x.strip().startswith("fedcheck replay"))
    assert 1 == fedcheck(*command.split()[1:]).returncode


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "--kernel", "mutant:nobody"), "nobody"),
        (("run", "--kernel", "no kernel at all"), "not understood"),
        (("run", "--select", "I-CACHE-KEY-SAFTY"), "did you mean I-CACHE-KEY-SAFETY"),
        (("run", "--select", "*cache-key*"), "did you mean *CACHE-KEY*?"),
        (("run", "--kernel", "Mutant:emails-shown"), "did you mean mutant:emails-shown?"),
        (("run", "--kernel", "mutant:emails-shwn"), "did you mean emails-shown"),
        (("run", "--profile", "Gate"), "did you mean gate?"),
        (("run", "--report", "htm=x"), "did you mean html?"),
        (("explain", "i-cache-key-safety"), "did you mean I-CACHE-KEY-SAFETY?"),
        (("explain", "I-CACHE-KEY-SAFETY/Safe-key-accepted"), "did you mean safe-key-accepted?"),
        (("schema", "recrd"), "did you mean record?"),
        (("report", "run.ndjson", "--format", "HTML"), "did you mean html?"),
        (("rum",), "did you mean run?"),
        (("rule", "lst"), "did you mean list?"),
        (("run", "--require", "seeds-1999-01"), "seeds-2026-05"),
        (("run", "--timeout", "soon"), "--timeout"),
        (("run", "--record", "no/such/folder/run.ndjson"), "folder"),
        (("run", "--config", "a.toml", "--no-config"), "contradict each other"),
        (("run", "--kernel", "mutant:"), "no such mutant; `fedcheck explain ID`"),
        (("schema", "trace", "--write", "schemas"), "--write writes every schema"),
        (("schema", "--write", f"{sys.executable}/schemas"), "be written: Not a directory"),
        (("waive", "run.ndjson", "I-X/y", "--expires", "soon"), "'soon' is no day"),
        (("explain", "I-CACHE-KEY-SAFETY/nothing"), "it has: unsafe-key-not-stored"),
        (("explain", "I-NOTHING"), "fedcheck list"),
        (("schema", "poem"), "scenario"),
        (("dance",), "dance"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_wrong(
    fedcheck: Fedcheck, words: tuple[str, ...], message: str
) -> None:
    """Wrong usage is never taken for a verdict, and never a traceback."""
    done = fedcheck(*words)

    assert 2 == done.returncode
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_kernel_that_cannot_be_reached_exits_with_3(fedcheck: Fedcheck) -> None:
    """A program that ends at once is no kernel that could be judged."""
    done = fedcheck("run", "--kernel", f"exec:{sys.executable} -c pass")

    assert 3 == done.returncode
    assert "Traceback" not in done.stderr


def test_a_silent_kernel_exits_with_3(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """A kernel that claims a channel and answers nothing is in error, never green."""
    (tmp_path / "silent_kernel.py").write_text(
        "class Kernel:\n"
        "    capabilities = ('fact_ledger',)\n"
        "    def turn(self, step):\n"
        "        return []\n"
    )
    done = fedcheck("run", "--kernel", "silent_kernel:Kernel", "--examples", "0")

    assert 3 == done.returncode
    assert "classifier_prompt" in done.stdout


def test_a_kernel_that_claims_nothing_exits_with_3(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """Nothing exercised is not conformant."""
    (tmp_path / "shy_kernel.py").write_text(
        "class Kernel:\n    capabilities = ()\n    def turn(self, step):\n        return []\n"
    )
    done = fedcheck("run", "--kernel", "shy_kernel:Kernel")

    assert 3 == done.returncode
    required = len(requirement_set(DEFAULT_SET).clauses)
    told = f"0 of {required} required clauses judged, {required} not claimed"
    assert told in " ".join(done.stdout.split())


def test_the_gate_is_deterministic(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """Two runs with one seed give the same verdicts and the same counterexamples."""
    records = []
    for name in ("one.ndjson", "two.ndjson"):
        fedcheck(
            *("run", "--kernel", "mutant:cap-missing", "--select", "I-FACT-LEDGER-PER-TURN*"),
            *("--examples", "15", "--record", name),
        )
        records.append(read_record(tmp_path / name))
    first, second = (
        (
            [(c.clause, c.verdict, c.comparisons) for c in r.clauses],
            [x.id for x in r.counterexamples],
        )
        for r in records
    )

    assert first[1]
    assert first == second


def test_workers_change_nothing(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """Spread over two processes, a run gives the same verdicts and counterexamples."""
    found = []
    for workers in ("1", "2"):
        name = f"workers-{workers}.ndjson"
        fedcheck(
            *("run", "--kernel", "mutant:cap-missing", "--examples", "5", "-n", workers),
            *("--select", "I-FACT-LEDGER-PER-TURN*", "--select", "I-CACHE-*", "--record", name),
        )
        record = read_record(tmp_path / name)
        verdicts = [(c.clause, c.verdict, c.scenarios, c.comparisons) for c in record.clauses]
        found.append((verdicts, [x.id for x in record.counterexamples]))

    assert found[0] == found[1]


def test_list_names_every_invariant(fedcheck: Fedcheck) -> None:
    """``list`` shows the clauses too."""
    done = fedcheck("list")

    assert 0 == done.returncode
    assert "I-CACHE-KEY-SAFETY" in done.stdout
    assert "unsafe-key-not-stored" in done.stdout


def test_explain_tells_clauses_classes_sources_and_broken_kernels(fedcheck: Fedcheck) -> None:
    """``explain`` is enough to understand what is judged."""
    done = fedcheck("explain", "I-CACHE-KEY-SAFETY")

    assert 0 == done.returncode
    for part in ("Sources:", "input class", "broken kernel: mutant:", "MUST"):
        assert part in done.stdout


@pytest.mark.parametrize("name", ["scenario", "trace", "record", "kernel", "violation"])
def test_schema_prints_a_json_schema(fedcheck: Fedcheck, name: str) -> None:
    """Every published document has a schema."""
    schema = json.loads(fedcheck("schema", name).stdout)

    assert "https://json-schema.org/draft/2020-12/schema" == schema["$schema"]


def test_junit_and_record_are_written(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """Reports are written beside the result, also when the kernel fails."""
    done = fedcheck(
        *("run", "--kernel", "mutant:key-with-dot", "--examples", "0"),
        *("--select", "I-CACHE-KEY-SAFETY", "--junit", "j.xml", "--record", "r.ndjson"),
    )

    assert 1 == done.returncode
    assert "<failure" in (tmp_path / "j.xml").read_text()
    assert 1 == read_record(tmp_path / "r.ndjson").summary.exit_code


def test_a_report_that_cannot_be_written_does_not_fail_the_run(fedcheck: Fedcheck) -> None:
    """A writer's trouble is told; the verdict stays."""
    done = fedcheck(
        *("run", "--select", "I-CACHE-KEY-SAFETY", "--examples", "0"),
        *("--junit", "no/such/folder/j.xml"),
    )

    assert 0 == done.returncode
    assert "j.xml" in done.stderr


@pytest.mark.parametrize("words", ["config", "lint", "run --select I-CACHE-KEY-SAFETY"])
def test_a_folder_that_is_gone_is_told(words: str, tmp_path: Path) -> None:
    """Python's own exit code for a traceback would say that a promise is broken."""
    command = Path(sys.executable).with_name("fedcheck")
    done = subprocess.run(
        ["/bin/sh", "-c", f'mkdir gone && cd gone && rmdir ../gone && exec "$0" {words}', command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert 2 == done.returncode
    assert "Error: the current folder is gone; go to one that exists\n" == done.stderr


def test_our_own_mistake_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with 3 and its traceback; never with 1, which is the kernel's fault."""

    def broken(**_: object) -> int:
        raise AssertionError

    monkeypatch.setattr("fedcheck.__main__.cli.main", broken)
    with pytest.raises(SystemExit) as stop:
        main()

    assert 3 == stop.value.code


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--record", ""), "it is empty; name a file"),
        (("--junit", ""), "it is empty; name a file"),
        (("--must-claim", ""), "a name is empty; is a variable not set?"),
        (("--must-claim", "cache,"), "a name is empty; is a variable not set?"),
    ],
)
def test_an_empty_option_is_no_option(
    fedcheck: Fedcheck, words: tuple[str, ...], told: str
) -> None:
    """A variable that is not set must not leave out what a recipe asks for."""
    done = fedcheck("run", "--select", "C-TURN-ORDER", "--examples", "0", *words)

    assert (2, True) == (done.returncode, told in done.stderr)


def test_no_report_is_written_over_the_record(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """Nor through a link that the kernel has laid meanwhile."""
    (tmp_path / "linking.py").write_text(
        "import os\nfrom fedcheck.fixtures.reference import ReferenceKernel\n"
        "class Kernel(ReferenceKernel):\n"
        "    def __init__(self, *words):\n"
        "        super().__init__(*words)\n"
        "        if not os.path.islink('summary.md'):\n"
        "            os.symlink('run.ndjson', 'summary.md')\n"
    )
    words = ("--kernel", "linking:Kernel", "--select", "C-TURN-ORDER", "--examples", "0")
    done = fedcheck("run", *words, "--record", "run.ndjson", "--report", "markdown=summary.md")

    assert "summary.md (markdown) could not be written" in done.stderr
    assert read_record(tmp_path / "run.ndjson").summary.exit_code == done.returncode
